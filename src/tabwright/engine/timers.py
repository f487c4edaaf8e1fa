"""What the page's handlers put off during an act: timers, frames, history, answers of workers.

A script in the page's own world stands in for `setTimeout` and its like for as long as the act
takes, and writes what is pending into a text node that our own world holds as well.
Outside of an act there is nothing of it in the page.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from tabwright.engine.cdp import Params, ProtocolError
from tabwright.errors import DialogOpen, TabwrightError
from tabwright.page import script

if TYPE_CHECKING:
    from tabwright.engine.frame import Frame

logger = logging.getLogger("tabwright.timers")

# Acts often come in a row; the stand-ins need not come and go with each of them.
LINGER_S = 0.05


class Timers:
    """The stand-ins in one frame."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._hook = ""
        self._document = -1
        """The document that the hook is for."""
        self._begun_in = -1
        """The document in which they stand in."""
        self._coming: asyncio.Task[None] | None = None
        self._leaving: asyncio.TimerHandle | None = None
        self._wanted = False
        """Whether an act is under way."""

    def begin(self) -> None:
        """Let the stand-ins stand in, in time for what is asked next, or have them brought."""
        self._stay()
        if not self._ready():
            if self._coming is None:
                self._coming = asyncio.create_task(self._bring(), name="tabwright timers")
        elif not self._stand_in():
            self._tell_begin()

    async def _bring(self) -> None:
        """Bring them while the act is aimed; what goes wrong is told when they are needed."""
        try:
            await self._install()
            if not self._wanted:
                self.end()
        except TabwrightError as error:
            logger.debug("the stand-ins did not come: %r", error)
        finally:
            self._coming = None

    def _stay(self) -> None:
        self._wanted = True
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None

    async def ensure(self) -> None:
        """Put the stand-ins at hand, once a document, and see that they stand in."""
        self._stay()
        if self._coming is not None:
            await asyncio.shield(self._coming)
        if self._stand_in():
            return
        try:
            if self._ready():
                await self._tell_begin()
            else:
                await self._install()
        except ProtocolError as error:
            if not error.moved:
                raise

    def end(self) -> None:
        """Give the page its own functions back, unless another act follows at once."""
        self._stay()
        self._wanted = False
        if self._stand_in():
            self._leaving = asyncio.get_running_loop().call_later(LINGER_S, self._leave)

    def _leave(self) -> None:
        standing, self._leaving = self._stand_in(), None
        try:
            if standing:
                self._tell("end")
            self._begun_in = -1
        except DialogOpen:
            # No script of the page runs before it is answered.
            self.end()
        except TabwrightError as error:
            self._begun_in = -1
            logger.debug("the stand-ins are gone with their page: %r", error)

    def _ready(self) -> bool:
        return bool(self._hook) and self._document == self._frame.documents

    def _stand_in(self) -> bool:
        return self._ready() and self._begun_in == self._frame.documents

    def _tell_begin(self) -> asyncio.Future[Params]:
        self._begun_in = self._document
        return self._tell("begin")

    async def _install(self) -> None:
        frame, document = self._frame, self._frame.documents
        cell = await frame.handle("tabwright.cell")
        node = await frame.send("DOM.describeNode", {"objectId": cell})
        # Without a context, the node is given in the page's own world.
        own = await frame.send("DOM.resolveNode", {"backendNodeId": node["node"]["backendNodeId"]})
        made = await frame.send(
            "Runtime.callFunctionOn",
            {"functionDeclaration": script("timers.js"), "objectId": own["object"]["objectId"]},
        )
        if "exceptionDetails" in made:
            logger.debug("the page lets no stand-ins in: %r", made["exceptionDetails"])
            return
        # Only now: until they are there, those of the document before are no use.
        self._hook, self._document = made["result"].get("objectId", ""), document
        self._begun_in = document

    def _tell(self, what: str) -> asyncio.Future[Params]:
        return self._frame.post(
            "Runtime.callFunctionOn",
            {"functionDeclaration": f"function () {{ this.{what}(); }}", "objectId": self._hook},
        )
