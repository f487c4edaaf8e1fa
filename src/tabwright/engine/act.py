"""One act: aim, input, settling, and a receipt made of what the page itself showed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabwright.engine.aim import Aim, Aimed, Element
from tabwright.engine.cdp import ProtocolError
from tabwright.engine.listeners import listens
from tabwright.engine.receipt import Receipt
from tabwright.errors import DialogOpen, ElementBlocked, TargetClosed

if TYPE_CHECKING:
    from tabwright.engine.frame import Frame
    from tabwright.engine.tab import Tab

Deliver = Callable[[Aimed], Awaitable[None]]

# How long an act waits for what it has set going: timers and requests; a new page; a handler that
# does not come back. What is not done by then is named in the receipt.
SETTLE_S = 1.0
LOAD_S = 5.0
BUSY_S = 3.0
# A request that answers another is followed; a page that polls for ever is not.
FOLLOWED = 3
WAY_TRIES = 20
SHOWN_URL = 80
# Elements that a press does something to, whether the page listens or not.
HANDLED = {
    "link",
    "combobox",
    "listbox",
    "option",
    "textbox",
    "searchbox",
    "checkbox",
    "radio",
    "switch",
    "slider",
    "spinbutton",
    "date",
    "time",
    "datetime",
    "color",
    "file",
    "summary",
    "label",
    "iframe",
    "video",
    "audio",
}


@dataclass(frozen=True)
class Kind:
    """What sort of act it is: which events prove it."""

    verb: str
    primary: tuple[str, ...]
    """Any of these, at the element, means that the input was delivered."""
    expect: str = ""
    """The event after which there is nothing more to wait for."""
    passive: bool = False
    """Delivering it is all there is to it: nothing need change."""
    takes_s: float = 0.0
    """How long the input itself may take, such as typing slowly; longer is a page that hangs."""


@dataclass
class _Before:
    """What an act compares with afterwards."""

    loader: str
    moves: int
    url: str
    dialogs: int
    tabs: set[str]
    downloads: set[str]
    errors: int
    requests: int
    documents: int


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
            before = self._before(aimed.frame)
            facts = await self._deliver(aimed, deliver)
            facts = await self._settle(aimed.frame, before, facts)
            return await self._receipt(aimed, before, facts)
        finally:
            for frame in frames:
                self._let_go(frame)

    async def _find_way(self, aimed: Aimed) -> None:
        """See that the mouse reaches a frame of another process where it is aimed.

        The browser sends input to such a frame by what was last drawn, and the frame may have been
        scrolled since: a move that does not arrive tells, and harms nothing.
        """
        for _ in range(WAY_TRIES):
            await self.tab.mouse.move(aimed.x, aimed.y)
            if await aimed.frame.call("felt"):
                return
            where = await aimed.frame.to_page(aimed.facts["x"], aimed.facts["y"])
            if isinstance(where, tuple):
                aimed.x, aimed.y = where
        raise ElementBlocked(
            str(aimed.element),
            "covered",
            "out of the mouse's reach: its frame does not get what is sent there",
            hint="Something lies over the frame, or it is still being drawn; try again.",
        )

    def _let_go(self, frame: Frame) -> None:
        if self.tab.attached and self.tab.dialogs.open is None:
            frame.timers.end()

    def _before(self, frame: Frame) -> _Before:
        tab = self.tab
        tab.chooser = None
        tab.frames.told.clear()
        tab.begin_act()
        return _Before(
            loader=tab.document.loader_id,
            moves=tab.document.moves,
            url=tab.url,
            dialogs=tab.dialogs.seen,
            tabs=set(tab.session.tabs),
            downloads=set(tab.session.downloads.all),
            errors=tab.error_count,
            requests=tab.act_mark,
            documents=frame.documents,
        )

    async def _deliver(self, aimed: Aimed, deliver: Deliver) -> dict[str, Any] | None:
        """Send the input and hear what the page says of it; None when the page cannot tell."""
        frame, expect = aimed.frame, self.kind.expect
        report = asyncio.ensure_future(self._report(frame, expect)) if expect else None
        try:
            async with asyncio.timeout(self.kind.takes_s + BUSY_S) as limit:
                await deliver(aimed)
                now = asyncio.get_running_loop().time()
                limit.reschedule(now + BUSY_S)
                self._settle_by = now + SETTLE_S
                if report is None:
                    return await self._report(frame, "")
                if not report.done():
                    frame.tell("conclude")
                return await report
        except TimeoutError:
            self.busy = True
        except (DialogOpen, ProtocolError, TargetClosed) as error:
            self._expected(error)
        finally:
            if report is not None:
                report.cancel()
                await asyncio.gather(report, return_exceptions=True)
        return None

    def _expected(self, error: Exception) -> None:
        if isinstance(error, ProtocolError) and not error.moved:
            raise error
        self.closed = isinstance(error, TargetClosed) and self.tab.closed

    async def _report(self, frame: Frame, expect: str) -> dict[str, Any] | None:
        now = asyncio.get_running_loop().time()
        left = self._settle_by - now if self._settle_by else SETTLE_S
        return await frame.call("report", expect, max(left, 0.0) * 1000)

    async def _settle(
        self, frame: Frame, before: _Before, facts: dict[str, Any] | None
    ) -> dict[str, Any] | None:
        """Wait for what the act set going: a new page, requests, and what answers them."""
        if self.busy or self.closed or self.tab.dialogs.open is not None:
            return facts
        try:
            if self._leaving(before):
                await self._arrive(before)
                return None
            async with asyncio.timeout_at(self._settle_by):
                await self._new_tabs(before)
                for _ in range(FOLLOWED):
                    if not await self._answered(before):
                        return facts
                    facts = await self._report(frame, "")
                    if self._leaving(before):
                        break
            if self._leaving(before):
                await self._arrive(before)
                return None
        except TimeoutError:
            return await self._last_word(frame, facts)
        except (DialogOpen, ProtocolError, TargetClosed) as error:
            self._expected(error)
            if self._leaving(before):
                await self._arrive(before)
            return None
        return facts

    async def _last_word(self, frame: Frame, facts: dict[str, Any] | None) -> dict[str, Any] | None:
        try:
            return await frame.call("report", "", 0)
        except (DialogOpen, ProtocolError, TargetClosed) as error:
            self._expected(error)
            return facts

    async def _new_tabs(self, before: _Before) -> None:
        """Wait until a tab that was opened is on its way's end, so that it can be named."""
        for tab in list(self.tab.session.tabs.values()):
            if tab.id in before.tabs:
                continue
            await tab.ready()
            await tab.until(
                lambda tab=tab: not (tab.document.requested or tab.document.pending_loader)
            )

    async def _answered(self, before: _Before) -> bool:
        """Wait for the requests that are under way; whether there were any."""
        tab = self.tab
        waiting = tab.traffic.pending(before.requests)
        if not waiting:
            return False
        await tab.traffic.changed.until(
            lambda: all(request.ended or request.stream for request in waiting),
            possible=tab.check,
        )
        return True

    def _leaving(self, before: _Before) -> bool:
        document = self.tab.document
        going = bool(document.requested or document.pending_loader)
        return going or document.loader_id != before.loader

    async def _arrive(self, before: _Before) -> None:
        tab = self.tab

        def there() -> bool:
            document = tab.document
            if document.requested or document.pending_loader:
                return False
            return document.loader_id == before.loader or "DOMContentLoaded" in document.reached

        try:
            async with asyncio.timeout(LOAD_S):
                await tab.until(there)
        except TimeoutError:
            return
        except (DialogOpen, TargetClosed) as error:
            self._expected(error)

    async def _receipt(
        self, aimed: Aimed, before: _Before, facts: dict[str, Any] | None
    ) -> Receipt:
        receipt = Receipt(self.kind.verb, aimed.element, matches=aimed.count)
        if facts is not None:
            _from_page(receipt, facts)
        self._from_browser(receipt, before)
        if receipt.url and not self.closed:
            receipt.title = await self.tab.title() or None
        await self._judge(receipt, aimed, facts)
        return receipt

    def _from_browser(self, receipt: Receipt, before: _Before) -> None:
        tab, session = self.tab, self.tab.session
        if tab.url != before.url:
            receipt.url = tab.url
        if tab.dialogs.seen != before.dialogs and tab.dialogs.last is not None:
            receipt.dialog = tab.dialogs.last.as_dict()
            tab.dialogs.told(tab.dialogs.last)
        receipt.tabs = [
            f"{new.id} {new.url:.{SHOWN_URL}}"
            for new in session.tabs.values()
            if new.id not in before.tabs
        ]
        receipt.downloads = [
            f"{one.suggested_filename} ({one.state})"
            for key, one in session.downloads.all.items()
            if key not in before.downloads
        ]
        if tab.chooser is not None:
            receipt.chooser = "several files" if "Multiple" in tab.chooser.mode else "one file"
        new_errors = tab.error_count - before.errors
        receipt.errors = list(tab.errors)[-new_errors:] if new_errors else []
        receipt.requests = [
            f"{one.method} {_short(one.url)}" + (f" {one.status}" if one.status else "")
            for one in tab.traffic.since(before.requests)
            if one.type not in ("Image", "Font", "Stylesheet", "Script", "Media", "Ping", "Other")
        ]
        receipt.pending += [
            f"{one.method} {_short(one.url)}" for one in tab.traffic.pending(before.requests)
        ]
        receipt.pending += [
            f"stream {_short(one.url)}"
            for one in tab.traffic.since(before.requests)
            if one.stream and not one.ended
        ]
        if tab.document.requested or tab.document.pending_loader:
            receipt.pending.append(f"loading {_short(tab.document.requested or tab.url)}")
        if self.busy:
            receipt.pending.append("a script that runs on")

    async def _judge(self, receipt: Receipt, aimed: Aimed, facts: dict[str, Any] | None) -> None:
        primary = self.kind.primary
        if facts is None:
            self._judge_gone(receipt)
            return
        events: dict[str, list[int]] = facts["events"]
        here = any(events.get(name, [0, 0])[1] for name in primary)
        if not here:
            self._judge_missed(receipt, facts, events)
        elif self.kind.passive or receipt.changed() or receipt.element.role in HANDLED:
            receipt.verdict = "effective"
        elif await listens(aimed.frame, tuple(events)) is False:
            receipt.verdict = "no_effect"
            receipt.why = "it arrived, but nothing on the page listens for it and nothing changed"
        else:
            receipt.verdict = "effective"
            receipt.why = "nothing visible changed"

    def _judge_gone(self, receipt: Receipt) -> None:
        """The page cannot be asked any more: what it said in time has to do."""
        told = [fact for fact in self.tab.frames.told if fact["event"] in self.kind.primary]
        pressed = [fact for fact in self.tab.frames.told if fact["here"]]
        if self.busy:
            receipt.why = "the page is busy with a script that does not come back"
        elif any(fact["here"] for fact in told) or (pressed and receipt.dialog):
            receipt.verdict = "effective"
        elif told:
            receipt.verdict, receipt.why = "misdirected", "another element received it"
        else:
            receipt.why = "the page was left before it could be asked"

    def _judge_missed(
        self, receipt: Receipt, facts: dict[str, Any], events: dict[str, list[int]]
    ) -> None:
        if facts["elsewhere"]:
            receipt.verdict = "misdirected"
            receipt.why = f"{Element.of(facts['elsewhere'])} received it"
        elif any(count for count, _ in events.values()):
            receipt.why = "the element was gone before the input was complete"
        else:
            receipt.verdict, receipt.why = "no_effect", "no event arrived at the element"


def _from_page(receipt: Receipt, facts: dict[str, Any]) -> None:
    receipt.delivered = {name: here for name, (_, here) in facts["events"].items() if here}
    receipt.value = facts["value"]
    receipt.state = {
        key: value for key, value in facts["changed"].items() if key not in ("value", "scroll")
    }
    if "value" in facts["changed"]:
        receipt.state["value"] = facts["value"]
    if "scroll" in facts["changed"]:
        receipt.scrolled = facts["scrolled"] or [
            float(n) for n in facts["changed"]["scroll"].split(",")[:2]
        ]
    receipt.dom = {"near": facts["dom"]["near"], "far": facts["dom"]["far"]}
    receipt.seen = [
        f"{one['what']} {Element(one['role'], one['name'], one['ref'])}"
        for one in facts["dom"]["seen"]
    ]
    receipt.title = facts["title"]
    receipt.focus = Element.of(facts["focus"]) if facts["focus"] else None
    receipt.repeated = facts["repeated"]
    if not facts["connected"]:
        receipt.seen.insert(0, "the element was taken off the page")
    pending = facts["pending"]
    for count, noun in ((pending["timers"], "timer"), (pending["animations"], "animation")):
        if count:
            receipt.pending.append(f"{count} {noun}{'s' if count > 1 else ''}")


def _short(url: str) -> str:
    """An address without its origin, cut to what a reply can afford."""
    path = "/" + url.split("/", 3)[3] if url.count("/") >= 3 else url
    return path if len(path) <= SHOWN_URL else f"{path[: SHOWN_URL - 1]}…"
