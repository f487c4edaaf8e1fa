"""One act: aim, input, settling, and a receipt made of what the page itself showed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from tabwright.engine.aim import Aim, Aimed
from tabwright.engine.cdp import ProtocolError
from tabwright.engine.evidence import (
    Before,
    Facts,
    Kind,
    from_browser,
    from_page,
    judge,
    left_behind,
)
from tabwright.engine.place import in_page
from tabwright.engine.receipt import Receipt
from tabwright.errors import DialogOpen, ElementBlocked, TabwrightError, TargetClosed

if TYPE_CHECKING:
    from tabwright.engine.frame import Frame
    from tabwright.engine.tab import Tab
    from tabwright.engine.traffic import Request

logger = logging.getLogger("tabwright.act")

Deliver = Callable[[Aimed], Awaitable[None]]

# How long an act waits for what it has set going: timers and requests; a new page; a handler that
# does not come back. What is not done by then is named in the receipt.
SETTLE_S = 1.0
LOAD_S = 5.0
BUSY_S = 3.0
# A request that answers another is followed; a page that polls for ever is not.
FOLLOWED = 3
WAY_TRIES = 20
LATE_S = 0.02


class Act:
    """One act on one element."""

    def __init__(self, tab: Tab, kind: Kind, aim: Aim) -> None:
        self.tab = tab
        self.kind = kind
        self.aim = aim
        self.aimed: Aimed | None = None
        self.busy = False
        self.closed = False
        self._settle_by = 0.0

    async def run(self, deliver: Deliver) -> Receipt:
        """Do it.

        Raises:
            ActionError: the element cannot be acted on; nothing was delivered.
        """
        likely = self.aim.likely_frame(self.tab)
        likely.timers.begin()
        frames = {likely}
        try:
            aimed = self.aimed = await self.aim.take(self.tab)
            frames.add(aimed.frame)
            await aimed.frame.timers.ensure()
            if self.aim.needs.point and aimed.frame.session_id != self.tab.frames.main.session_id:
                await self._find_way(aimed)
            before = Before.of(self.tab)
            facts = await self._deliver(aimed, deliver)
            facts = await self._settle(aimed.frame, before, facts)
            return await self._receipt(aimed, before, facts)
        finally:
            for frame in frames if self.tab.attached else ():
                frame.timers.end()

    async def _find_way(self, aimed: Aimed) -> None:
        """See that the mouse reaches a frame of another process where it is aimed.

        The browser sends input to such a frame by what was last drawn, and the frame may have been
        scrolled since: a move that does not arrive tells, and harms nothing.
        """
        for _ in range(WAY_TRIES):
            await self.tab.mouse.move(aimed.x, aimed.y)
            if await aimed.frame.call("felt"):
                return
            where = await in_page(aimed.frame, aimed.facts["x"], aimed.facts["y"])
            if isinstance(where, tuple):
                aimed.x, aimed.y = where
        raise ElementBlocked(
            str(aimed.element),
            "covered",
            "out of the mouse's reach: its frame does not get what is sent there",
            hint="Something lies over the frame, or it is still being drawn; try again.",
        )

    async def _deliver(self, aimed: Aimed, deliver: Deliver) -> Facts | None:
        """Send the input and hear what the page says of it; None when the page cannot tell."""
        frame, expect = aimed.frame, self.kind.expect
        report = asyncio.ensure_future(self._report(frame, expect)) if expect else None
        late: asyncio.TimerHandle | None = None
        try:
            async with asyncio.timeout(self.kind.takes_s + BUSY_S) as limit:
                await deliver(aimed)
                now = asyncio.get_running_loop().time()
                limit.reschedule(now + BUSY_S)
                self._settle_by = now + SETTLE_S
                if report is None:
                    return await self._report(frame, "")
                # The event that tells the end is on its way; only one that never came is given up.
                late = asyncio.get_running_loop().call_later(LATE_S, _conclude, frame)
                return await report
        except TimeoutError:
            self.busy = True
        except (DialogOpen, ProtocolError, TargetClosed) as error:
            self._expected(error)
        finally:
            if late is not None:
                late.cancel()
            if report is not None:
                report.cancel()
                await asyncio.gather(report, return_exceptions=True)
        return None

    def _expected(self, error: Exception) -> None:
        if isinstance(error, ProtocolError) and not error.moved:
            raise error
        self.closed = isinstance(error, TargetClosed) and self.tab.closed

    async def _report(self, frame: Frame, expect: str) -> Facts | None:
        now = asyncio.get_running_loop().time()
        left = self._settle_by - now if self._settle_by else SETTLE_S
        return await frame.call("report", expect, max(left, 0.0) * 1000)

    async def _settle(self, frame: Frame, before: Before, facts: Facts | None) -> Facts | None:
        """Wait for what the act set going: a new page, requests, and what answers them."""
        if self.busy or self.closed or self.tab.dialogs.open is not None:
            return facts
        try:
            async with asyncio.timeout_at(self._settle_by):
                facts = await self._follow(frame, before, facts)
        except TimeoutError:
            facts = await self._last_word(frame, facts)
        except (DialogOpen, ProtocolError, TargetClosed) as error:
            self._expected(error)
        if not self._leaving(before):
            return facts
        await self._arrive(before)
        if self.tab.document.loader_id != before.loader:
            return left_behind(facts)
        return await self._last_word(frame, facts)

    async def _follow(self, frame: Frame, before: Before, facts: Facts | None) -> Facts | None:
        if self._leaving(before):
            return facts
        await self._new_tabs(before)
        mark = before.requests
        for _ in range(FOLLOWED):
            asked, mark = self.tab.traffic.awaited(mark), self.tab.traffic.mark()
            if not asked:
                break
            # Some may have been answered after the page made its report.
            await self._answered(asked)
            facts = await self._report(frame, "") or facts
            if self._leaving(before):
                break
        return facts

    async def _last_word(self, frame: Frame, facts: Facts | None) -> Facts | None:
        try:
            return await frame.call("report", "", 0) or facts
        except (DialogOpen, ProtocolError, TargetClosed) as error:
            self._expected(error)
            return facts

    async def _new_tabs(self, before: Before) -> None:
        """Wait until a tab that was opened is on its way's end, so that it can be named."""
        for tab in list(self.tab.session.tabs.values()):
            if tab.id in before.tabs:
                continue
            await tab.ready()
            await tab.until(
                lambda tab=tab: not (tab.document.requested or tab.document.pending_loader)
            )

    async def _answered(self, asked: list[Request]) -> None:
        await self.tab.traffic.changed.until(
            lambda: all(request.ended or request.stream for request in asked),
            possible=self.tab.check,
        )

    def _leaving(self, before: Before) -> bool:
        document = self.tab.document
        going = bool(document.requested or document.pending_loader)
        return going or document.loader_id != before.loader

    async def _arrive(self, before: Before) -> None:
        tab = self.tab

        def there() -> bool:
            document = tab.document
            if document.requested or document.pending_loader:
                return False
            return document.loader_id == before.loader or document.has("DOMContentLoaded")

        try:
            async with asyncio.timeout(LOAD_S):
                await tab.until(there)
        except TimeoutError:
            return
        except (DialogOpen, TargetClosed) as error:
            self._expected(error)

    async def _receipt(self, aimed: Aimed, before: Before, facts: Facts | None) -> Receipt:
        receipt = Receipt(self.kind.verb, aimed.element, matches=aimed.count)
        if facts is not None:
            from_page(receipt, facts)
        moved = self.tab.url != before.url and not self.closed and not self.tab.closed
        # Nothing is waited for after it: address and title are those of one document.
        title = await self.tab.title() if moved else ""
        from_browser(receipt, self.tab, before)
        if self.busy:
            receipt.pending.append("a script that runs on")
        if receipt.url and not self.closed:
            receipt.title = title or None
        await judge(receipt, self.kind, self.tab, aimed.frame, facts, busy=self.busy)
        return receipt


def _conclude(frame: Frame) -> None:
    """Let the page report without the event that it waits for."""
    try:
        frame.tell("conclude")
    except TabwrightError as error:
        # Then there will be no report at all, and whoever waits for it is told so.
        logger.debug("nothing to conclude: %r", error)
