"""A look into all frames of a tab at once, which a frame that hangs does not hold up."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Self

from tabwright.engine.frame import Frame
from tabwright.tokens import cut

if TYPE_CHECKING:
    from tabwright.engine.tab import Tab
    from tabwright.errors import TabwrightError

logger = logging.getLogger("tabwright.glance")

# How long frames of other processes are waited for when the page itself has answered.
MOMENT_S = 0.3
# Of the frames that did not answer, as many are named.
TOLD_SILENT = 5
URL_TOKENS = 30

Look = dict[str, Any]


def urls_of(silent: Sequence[Frame]) -> list[str]:
    """The frames that did not answer, as a reply names them."""
    return [cut(frame.url, URL_TOKENS) for frame in silent[:TOLD_SILENT]]


def name_silent(error: TabwrightError, silent: Sequence[Frame]) -> None:
    """Let an error say which frames did not answer: what it is about may be there."""
    if silent:
        urls = error.details["silent"] = urls_of(silent)
        error.message = f"{error.message.removesuffix('.')}; no answer from {', '.join(urls)}."


class Glances:
    """Looks, by a function of the page script that gives out no refs.

    All frames count refs from the same number, so what is asked of them together must not.
    """

    def __init__(self, tab: Tab, name: str, *args: Any) -> None:
        self.said: list[tuple[Frame, Look]] = []
        """What the last look found, in the order of the frames."""
        self.silent: list[Frame] = []
        """The frames that still owed an answer then."""
        self._tab = tab
        self._call = (name, *args)
        self._asked: dict[Frame, asyncio.Task[Look]] = {}
        self._asked_at: dict[Frame, float] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for frame, task in self._asked.items():
            if task.cancel():
                self._tab.frames.silence.note(frame, self._asked_at[frame])
        if self._asked:
            await asyncio.gather(*self._asked.values(), return_exceptions=True)

    async def look(self, enough: Callable[[Look], bool] | None = None) -> list[tuple[Frame, Look]]:
        """What each frame says, in their order; without those that went or do not answer.

        A frame that owes an answer is not asked again. The page's own process is waited for:
        nothing can be done without it. If what the page itself says is enough, no other is.
        """
        frames = list(self._tab.frames)
        began = self._ask(frames)
        try:
            await self._wait(began, enough)
        finally:
            self._hear(frames)
        return self.said

    def _ask(self, frames: list[Frame]) -> float:
        silence, now = self._tab.frames.silence, asyncio.get_running_loop().time()
        for frame in frames:
            if frame not in self._asked and silence.left_s(frame, MOMENT_S):
                self._asked[frame] = asyncio.ensure_future(frame.glance(*self._call))
                self._asked_at[frame] = now
        return now

    async def _wait(self, began: float, enough: Callable[[Look], bool] | None) -> None:
        silence, main = self._tab.frames.silence, self._tab.frames.main
        if own := [task for frame, task in self._asked.items() if silence.own(frame)]:
            await asyncio.wait(own)
        page = self._asked.get(main)
        if enough and page and not page.exception() and enough(page.result()):
            return
        late = [frame for frame, task in self._asked.items() if not task.done()]
        if fresh := [self._asked[frame] for frame in late if self._asked_at[frame] == began]:
            left_s = began + MOMENT_S - asyncio.get_running_loop().time()
            await asyncio.wait(fresh, timeout=max(left_s, 0.0))
        for frame in late:
            if not self._asked[frame].done():
                silence.note(frame, self._asked_at[frame])

    def _hear(self, frames: list[Frame]) -> None:
        self.said, self.silent = [], []
        for frame in frames:
            task = self._asked.get(frame)
            if task is None or not task.done():
                self.silent.append(frame)
                continue
            del self._asked[frame]
            if error := task.exception():
                logger.debug("no look into %s: %r", frame.url, error)
            else:
                self.said.append((frame, task.result()))
