"""A look into all frames of a tab at once, which a frame that hangs does not hold up."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Self

from tabwright.engine.frame import Frame

if TYPE_CHECKING:
    from tabwright.engine.tab import Tab

logger = logging.getLogger("tabwright.glance")

# How long frames of other processes are waited for when the page itself has answered.
MOMENT_S = 0.3

Look = dict[str, Any]


class Glances:
    """Looks, by a function of the page script that gives out no refs.

    All frames count refs from the same number, so what is asked of them together must not.
    """

    def __init__(self, tab: Tab, name: str, *args: Any) -> None:
        self.silent: list[Frame] = []
        """The frames that still owe an answer."""
        self._tab = tab
        self._call = (name, *args)
        self._asked: dict[Frame, asyncio.Task[Look]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._asked.values():
            task.cancel()
        if self._asked:
            await asyncio.gather(*self._asked.values(), return_exceptions=True)

    async def look(self) -> list[tuple[Frame, Look]]:
        """What each frame says, in their order; without those that went or do not answer.

        A frame that owes an answer is not asked again. The page's own process is waited for:
        nothing can be done without it.
        """
        frames = list(self._tab.frames)
        fresh = {frame: self._ask(frame) for frame in frames if frame not in self._asked}
        self._asked |= fresh
        if fresh:
            await asyncio.wait(fresh.values(), timeout=MOMENT_S)
        main = self._tab.frames.main.session_id
        if own := [task for frame, task in self._asked.items() if frame.session_id == main]:
            await asyncio.wait(own)
        said: list[tuple[Frame, Look]] = []
        for frame in frames:
            task = self._asked[frame]
            if not task.done():
                continue
            del self._asked[frame]
            if error := task.exception():
                logger.debug("no look into %s: %r", frame.url, error)
            else:
                said.append((frame, task.result()))
        self.silent = [frame for frame in frames if frame in self._asked]
        return said

    def _ask(self, frame: Frame) -> asyncio.Task[Look]:
        return asyncio.ensure_future(frame.call(*self._call))
