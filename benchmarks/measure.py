"""Two sides of one measurement, taken in turns so that a busy machine is unfair to both alike."""

from __future__ import annotations

import asyncio
import gc
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from typing import Any

# Tabwright saves a checkpoint after a call has returned; the other side must not pay for it.
QUIET_S = 0.03

Step = Callable[[], Awaitable[object]]


@dataclass
class Row:
    """A line of the table: milliseconds of both sides."""

    name: str
    target: float | None = None
    """The ratio of the medians that is aimed at."""
    raw: list[float] = field(default_factory=list[float])
    own: list[float] = field(default_factory=list[float])

    def facts(self) -> dict[str, Any]:
        """Everything there is to know of the row."""
        medians = statistics.median(self.raw), statistics.median(self.own)
        minima = min(self.raw), min(self.own)
        return {
            **asdict(self),
            "median": medians,
            "minimum": minima,
            "ratio": {"median": medians[1] / medians[0], "minimum": minima[1] / minima[0]},
        }


async def timed(step: Step) -> float:
    """How long a step takes, in milliseconds."""
    began = time.perf_counter()
    await step()
    return (time.perf_counter() - began) * 1000


async def in_turns(row: Row, raw: Step, own: Step, *, turns: int, each: int) -> Row:
    """Fill a row: `each` times one side, then the other; who begins changes with every turn."""
    sides = [(raw, row.raw), (own, row.own)]
    for step, _ in sides:
        await step()
    for _ in range(turns):
        for step, times in sides:
            gc.collect()
            await asyncio.sleep(QUIET_S)
            times += [await timed(step) for _ in range(each)]
        sides.reverse()
    return row


def table(rows: list[list[str]]) -> str:
    """Columns of text, the first to the left and the others to the right."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    rule = "  ".join("-" * width for width in widths)
    lines = [
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return "\n".join([lines[0], rule, *lines[1:]])


def shown(rows: list[Row], other: str = "raw CDP") -> str:
    """The table of all rows, Tabwright beside the other."""
    head = ["", f"{other} ms", "min", "Tabwright ms", "min", "ratio", "of min", "target", ""]
    lines = [head]
    for row in rows:
        facts = row.facts()
        (raw, own), (least_raw, least_own) = facts["median"], facts["minimum"]
        ratio = facts["ratio"]
        verdict = "" if row.target is None else "met" if ratio["median"] <= row.target else "missed"
        lines.append(
            [
                row.name,
                *(f"{value:.2f}" for value in (raw, least_raw, own, least_own)),
                *(f"{ratio[which]:.2f}" for which in ("median", "minimum")),
                "" if row.target is None else f"{row.target:g}",
                verdict,
            ]
        )
    return table(lines)
