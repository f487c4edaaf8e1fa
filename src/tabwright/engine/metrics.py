"""How many calls, how many failed, how long they took."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass
class Tally:
    """The calls of one verb."""

    total: int = 0
    errors: int = 0
    time_ms: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """As status and the API show it."""
        return {
            "total": self.total,
            "errors": self.errors,
            "averageTime": round(self.time_ms / self.total, 3) if self.total else 0.0,
            "errorRate": round(self.errors / self.total, 4) if self.total else 0.0,
        }


class Metrics:
    """Counts of one process, by verb and in all."""

    def __init__(self) -> None:
        self.verbs: defaultdict[str, Tally] = defaultdict(Tally)

    def count(self, verb: str, duration_ms: float, *, failed: bool) -> None:
        """A call ended."""
        tally = self.verbs[verb]
        tally.total += 1
        tally.errors += failed
        tally.time_ms += duration_ms

    @contextmanager
    def counted(self, verb: str) -> Generator[None]:
        """Count what is done inside as a call; what raises failed."""
        began = time.perf_counter()
        failed = True
        try:
            yield
            failed = False
        finally:
            self.count(verb, (time.perf_counter() - began) * 1000, failed=failed)

    def as_dict(self) -> dict[str, Any]:
        """Totals, and each verb."""
        whole = Tally(
            sum(t.total for t in self.verbs.values()),
            sum(t.errors for t in self.verbs.values()),
            sum(t.time_ms for t in self.verbs.values()),
        )
        return {
            **whole.as_dict(),
            "verbs": {name: tally.as_dict() for name, tally in sorted(self.verbs.items())},
        }

    def prometheus(self) -> str:
        """The counts in Prometheus' text format."""
        lines = [
            "# HELP tabwright_calls_total Calls by verb and outcome.",
            "# TYPE tabwright_calls_total counter",
        ]
        for name, tally in sorted(self.verbs.items()):
            done = tally.total - tally.errors
            lines.append(f'tabwright_calls_total{{verb="{name}",status="success"}} {done}')
            lines.append(f'tabwright_calls_total{{verb="{name}",status="failure"}} {tally.errors}')
        lines += [
            "# HELP tabwright_call_seconds_total Time spent in calls.",
            "# TYPE tabwright_call_seconds_total counter",
        ]
        for name, tally in sorted(self.verbs.items()):
            seconds = tally.time_ms / 1000
            lines.append(f'tabwright_call_seconds_total{{verb="{name}"}} {seconds:.6f}')
        return "\n".join(lines) + "\n"
