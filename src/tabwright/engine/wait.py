"""Waiting for the page: elements, text, addresses, loads, silence, requests, scripts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal

from tabwright.engine import script
from tabwright.engine.cdp import ProtocolError
from tabwright.engine.frame import Frame
from tabwright.engine.glob import url_pattern
from tabwright.engine.navigation import LIFECYCLE, WaitUntil
from tabwright.engine.roots import open_closed
from tabwright.engine.selector import Selector
from tabwright.engine.traffic import Request
from tabwright.errors import InvalidSelector, TimedOut

if TYPE_CHECKING:
    from tabwright.engine.tab import Tab

State = Literal["attached", "detached", "visible", "hidden"]
# One look in the page; between looks, frames and closed roots that have come are seen.
LOOK_MS = 500.0
MANY_FRAMES_MS = 50.0
POLL_MS = 50.0
QUIET_MS = 500.0
SHOWN_PENDING = 5


async def until(
    tab: Tab,
    what: str,
    timeout_ms: float,
    waiting: Callable[[], Awaitable[Any]],
    state: Callable[[], dict[str, Any]] | None = None,
) -> Any:
    """Wait for a condition.

    Raises:
        TimedOut: with the condition, the time, and how things are instead.
    """
    try:
        async with asyncio.timeout(timeout_ms / 1000):
            return await waiting()
    except TimeoutError:
        special: dict[str, Any] = state() if state else {}
        now: dict[str, Any] = {**special, **_page_state(tab)}
        told = [
            str(special.get("element", "")),
            *(f"pending {one}" for one in now["pendingRequests"]),
        ]
        raise TimedOut(
            f"The wait for {what}",
            timeout_ms,
            hint=f"Now: {', '.join([*filter(None, told), f'at {tab.url}'])}.",
            condition=what,
            state=now,
        ) from None


def _page_state(tab: Tab) -> dict[str, Any]:
    reached = [name for name, event in LIFECYCLE.items() if event in tab.document.reached]
    pending = [f"{one.method} {one.url}" for one in tab.traffic.pending()]
    return {
        "url": tab.url,
        "reached": reached,
        "pendingRequests": pending[:SHOWN_PENDING],
        "streams": [one.url for one in tab.traffic.streams()][:SHOWN_PENDING],
    }


class ElementWait:
    """Waits for the state of what a selector names, in every frame."""

    def __init__(self, tab: Tab, selector: Selector, state: State) -> None:
        self.tab = tab
        self.selector = selector
        self.state: State = state
        self.seen: list[dict[str, Any]] = []

    async def run(self) -> dict[str, Any] | None:
        """Return the element once the state holds; None where it is the absence of one."""
        while True:
            frames = self._frames()
            alone = len(frames) == 1
            # The first look is short, so that there is something to say when time is short.
            limit = LOOK_MS if alone and self.seen else 0.0
            looks = [await self._look(frame, limit) for frame in frames]
            self.seen = [look for look in looks if look is not None]
            if self.seen and self._holds():
                return next((one["element"] for one in self.seen if one["element"]), None)
            for frame in frames:
                await open_closed(frame)
            if not alone:
                await self._change()

    def standing(self) -> dict[str, Any]:
        """How things are instead, for the error."""
        count = sum(one["count"] for one in self.seen)
        visible = sum(one["visible"] for one in self.seen)
        why = next((one["why"] for one in self.seen if one["why"]), "")
        element = "visible" if visible else f"present but hidden ({why})" if count else "absent"
        return {"element": element, "count": count, "visible": visible}

    def _frames(self) -> list[Frame]:
        ref = self.selector.ref
        if ref is None:
            return list(self.tab.frames)
        owner = self.tab.frames.owner_of(ref)
        return [owner[0] if owner is not None and owner[1] else self.tab.frames.main]

    def _holds(self) -> bool:
        held = [one["holds"] for one in self.seen]
        return any(held) if self.state in ("attached", "visible") else all(held)

    async def _look(self, frame: Frame, limit_ms: float) -> dict[str, Any] | None:
        try:
            found = await frame.call("await", self.selector.parts, self.state, limit_ms)
        except ProtocolError as error:
            if not error.moved:
                raise
            # The page goes on to another document, or the frame is gone: look again.
            await asyncio.sleep(0.01)
            return None
        if not found["ok"]:
            raise InvalidSelector(self.selector.text, found["text"])
        return found

    async def _change(self) -> None:
        try:
            await self.tab.frames.main.call("change", MANY_FRAMES_MS)
        except ProtocolError as error:
            if not error.moved:
                raise


async def for_url(tab: Tab, pattern: str) -> str:
    """Wait until the tab is at an address that matches, and its document is there."""
    fits = url_pattern(pattern)
    await tab.until(
        lambda: (
            fits.search(tab.url) is not None
            and tab.document.has("DOMContentLoaded")
            and not tab.document.pending_loader
        )
    )
    return tab.url


async def for_navigation(tab: Tab) -> str:
    """Wait until the tab shows another document than before its last act, and has loaded it."""
    before = tab.act_loader
    await tab.until(
        lambda: (
            tab.document.loader_id != before
            and tab.document.has("load")
            and not tab.document.pending_loader
        )
    )
    return tab.url


async def for_load(tab: Tab, state: WaitUntil) -> None:
    """Wait for a state of loading."""
    if state == "networkidle":
        await tab.traffic.idle(QUIET_MS, possible=tab.check)
        return
    await tab.until(lambda: tab.document.has(LIFECYCLE[state]) and not tab.document.pending_loader)


async def for_silence(tab: Tab, quiet_ms: float) -> list[Request]:
    """Wait until no request has run for so long; returns the streams that were left out."""
    await tab.traffic.idle(quiet_ms, possible=tab.check)
    return tab.traffic.streams()


async def for_script(tab: Tab, expression: str, timeout_ms: float) -> Any:
    """Wait until an expression in the page is true; what it throws is raised."""
    loop = asyncio.get_running_loop()
    end = loop.time() + timeout_ms / 1000
    while True:
        left = max((end - loop.time()) * 1000, 1.0)
        found = await script.evaluate(
            tab, expression, args=None, await_promise=True, timeout_ms=left
        )
        if _true(found.type, found.value):
            return found.value
        try:
            await tab.frames.main.call("change", POLL_MS)
        except ProtocolError as error:
            if not error.moved:
                raise


def _true(kind: str, value: Any) -> bool:
    """What JavaScript calls true: every object is, also an empty list."""
    if kind in ("undefined", "null"):
        return False
    if kind == "object" or isinstance(value, (dict, list)):
        return not (isinstance(value, dict) and value == {"$type": "number", "value": "NaN"})
    return bool(value)
