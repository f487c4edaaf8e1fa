"""Frames of other processes that owe an answer: nobody waits for them twice."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from tabwright.errors import TabwrightError

if TYPE_CHECKING:
    from tabwright.engine.frame import Frame
    from tabwright.engine.frames import Frames

logger = logging.getLogger("tabwright.silence")


class Silent(TimeoutError):
    """A frame of another process did not answer."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(f"no answer from {frame.url}")
        self.frame = frame


class Silence:
    """Which of a tab's protocol sessions do not answer, and since when.

    Each has one question open, and the answer to it ends its silence. The page's own session is
    never among them: nothing can be done without it.
    """

    def __init__(self, frames: Frames) -> None:
        self._frames = frames
        self._since: dict[str, float] = {}

    def own(self, frame: Frame) -> bool:
        """Whether a frame lives in the page's own process."""
        return frame.session_id == self._frames.main.session_id

    def left_s(self, frame: Frame, patience_s: float) -> float:
        """How much longer to wait for a frame, if one waits so long for an answer at most."""
        since = self._since.get(frame.session_id)
        if since is None:
            return patience_s
        return max(patience_s - (asyncio.get_running_loop().time() - since), 0.0)

    def worth_waiting(self, silent: Iterable[Frame], patience_s: float) -> bool:
        """Whether one of the frames has not been silent for so long yet."""
        return any(self.left_s(frame, patience_s) for frame in silent)

    def note(self, frame: Frame, since: float) -> None:
        """A frame was asked then, and has not answered yet."""
        session_id = frame.session_id
        if session_id in self._since or self.own(frame):
            return
        try:
            answer = frame.post("Runtime.evaluate", {"expression": "0"})
        except TabwrightError as error:
            logger.debug("%s cannot be asked: %r", frame.url, error)
            return
        self._since[session_id] = since
        # It is answered in any case, with an error when the session ends.
        answer.add_done_callback(lambda _: self._since.pop(session_id, None))

    @asynccontextmanager
    async def limit(self, frame: Frame, patience_s: float) -> AsyncGenerator[None]:
        """Wait so long for a frame of another process, less the time it has been silent already.

        Raises:
            Silent: it did not answer.
        """
        if self.own(frame):
            yield
            return
        left_s = self.left_s(frame, patience_s)
        if not left_s:
            raise Silent(frame)
        began = asyncio.get_running_loop().time()
        limit = asyncio.timeout(left_s)
        try:
            async with limit:
                yield
        except TimeoutError:
            if not limit.expired():
                raise
            self.note(frame, began)
            raise Silent(frame) from None
