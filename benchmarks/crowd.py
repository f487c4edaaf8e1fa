"""Fifty conversations in one Chromium: what each costs, and whether the first one notices."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from statistics import median

import psutil
from measure import Row, table, timed
from raw_cdp import Launch, launched

from tabwright import Tabwright
from tabwright.config import Settings

SIZES = (1, 10, 20, 30, 40, 50)
EVALUATIONS = 200
MIB = 2**20

Open = Callable[[int], Awaitable[object]]
Evaluate = Callable[[], Awaitable[object]]


@dataclass
class Crowd:
    """One side: memory in MiB at each size, and the first one's evaluations in ms."""

    memory: dict[int, float] = field(default_factory=dict[int, float])
    alone: list[float] = field(default_factory=list[float])
    crowded: list[float] = field(default_factory=list[float])
    python: dict[int, float] = field(default_factory=dict[int, float])
    """The memory of this process, which holds the client's own side of it."""


async def raw(launch: Launch, url: str) -> Crowd:
    """The same crowd by hand."""
    async with launched(launch) as client:
        sessions: list[str] = []

        async def open_one(_: int) -> None:
            target = (await client.blank())[1]
            sessions.append(await client.attach(target))
            await client.navigate(sessions[-1], url)

        return await _grow(client.pid, open_one, lambda: client.evaluate(sessions[0], "1+1"))


async def own(settings: Settings, url: str) -> Crowd:
    """The crowd in Tabwright."""
    async with Tabwright(settings) as tabwright:
        first = tabwright.conversation("0")
        browser = await tabwright.manager.launch_browser()
        return await _grow(
            browser.process.pid,
            lambda number: tabwright.conversation(str(number)).navigate(url),
            lambda: first.evaluate("1+1"),
        )


async def _grow(pid: int, open_one: Open, evaluate: Evaluate) -> Crowd:
    crowd = Crowd()
    for number in range(SIZES[-1]):
        await open_one(number)
        if number + 1 in SIZES:
            crowd.memory[number + 1] = _memory(pid)
            crowd.python[number + 1] = psutil.Process().memory_info().rss / MIB
        if number == 0:
            await evaluate()
            crowd.alone = [await timed(evaluate) for _ in range(EVALUATIONS)]
    crowd.crowded = [await timed(evaluate) for _ in range(EVALUATIONS)]
    return crowd


def _memory(pid: int) -> float:
    """Shared pages are counted once over the tree where the system can say so (PSS)."""
    root = psutil.Process(pid)
    total = 0
    for process in (root, *root.children(recursive=True)):
        info = process.memory_full_info()
        total += getattr(info, "pss", info.uss)
    return total / MIB


def rows(by_hand: Crowd, tabwright: Crowd) -> list[Row]:
    """The first conversation's evaluate, alone and in the crowd."""
    return [
        Row("evaluate, 1 conversation open", None, by_hand.alone, tabwright.alone),
        Row(f"evaluate, {SIZES[-1]} open", None, by_hand.crowded, tabwright.crowded),
    ]


def shown(by_hand: Crowd, tabwright: Crowd) -> str:
    """Memory by size, what each conversation added, and how much slower the first one became."""
    head = ["conversations", "raw CDP MiB", "each", "Tabwright MiB", "each", "Python MiB", "each"]
    columns = (by_hand.memory, tabwright.memory, tabwright.python)
    lines = [head]
    for before, size in zip((0, *SIZES), SIZES, strict=False):
        line = [str(size)]
        for column in columns:
            added = (column[size] - column[before]) / (size - before) if before else None
            line += [f"{column[size]:.1f}", "" if added is None else f"{added:+.2f}"]
        lines.append(line)
    slower = [median(side.crowded) / median(side.alone) for side in (by_hand, tabwright)]
    return (
        f"{table(lines)}\n\n"
        f"With {SIZES[-1]} open, the first one's evaluate takes, of its time alone: "
        f"raw CDP {slower[0]:.2f}, Tabwright {slower[1]:.2f}."
    )
