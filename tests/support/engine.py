"""Engines for tests: real browsers, directories and time of the test's own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from tabwright.config import Settings, load
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import REAP_INTERVAL_S
from tabwright.engine.session import Session


def make_settings(directory: Path, **overrides: Any) -> Settings:
    """The default configuration, with every directory but the browser cache below `directory`."""
    return load(
        {
            "paths.userDataBaseDir": str(directory / "profiles"),
            "paths.artifactDir": str(directory / "artifacts"),
            "tools.browser.enabled": True,
            **overrides,
        },
        cwd=directory,
    )


async def do(context: ToolContext, verb: str, **params: Any) -> Any:
    """Call a verb through the door and return its result; an error is raised."""
    return (await call(context, verb, params)).unwrap()


async def value(context: ToolContext, expression: str) -> Any:
    """The value of an expression in the current page."""
    return (await do(context, "evaluate", expression=expression)).value


async def session_of(context: ToolContext) -> Session:
    """The live session behind a context, for tests that look at the engine itself."""
    async with context.browser() as session:
        return session


def browser_processes(directory: Path) -> list[psutil.Process]:
    """Every process, dead ones left out, whose command line names the directory."""
    found: list[psutil.Process] = []
    for process in psutil.process_iter(["cmdline", "status"]):
        cmdline = " ".join(process.info["cmdline"] or ())
        if str(directory) in cmdline and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(process)
    return found


class ManualClock:
    """Time that passes only when told to."""

    def __init__(self) -> None:
        self.time = 0.0
        self.slept: list[float] = []
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.time + seconds, future))
        await future

    async def advance(self, seconds: float) -> None:
        """Let time pass, waking sleepers in their order, and let what they do be done."""
        end = self.time + seconds
        while due := sorted(s for s in ((t, id(f), f) for t, f in self._sleepers) if s[0] <= end):
            at, _, future = due[0]
            self._sleepers = [s for s in self._sleepers if s[1] is not future]
            self.time = max(self.time, at)
            if not future.done():
                future.set_result(None)
            for _ in range(20):
                await asyncio.sleep(0)
        self.time = end


class RushedClock:
    """Time in which every wait but the idle check's is over at once, and written down."""

    def __init__(self, tell: Callable[[int], None] = lambda _: None) -> None:
        self.slept: list[float] = []
        self._tell = tell

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        if seconds >= REAP_INTERVAL_S:
            await asyncio.Event().wait()
        self.slept.append(seconds)
        self._tell(len(self.slept))
