"""Waiting for the page: elements, text, addresses, loads, silence, requests, scripts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from tabwright.engine import script
from tabwright.engine.cdp import ProtocolError
from tabwright.engine.frame import Frame
from tabwright.engine.glance import MOMENT_S, Glances, Look, name_silent
from tabwright.engine.glob import url_pattern
from tabwright.engine.navigation import LIFECYCLE, WaitUntil
from tabwright.engine.roots import open_everywhere
from tabwright.engine.selector import Selector
from tabwright.engine.traffic import Request
from tabwright.errors import InvalidSelector, TargetClosed, TimedOut

if TYPE_CHECKING:
    from tabwright.engine.tab import Tab

State = Literal["attached", "detached", "visible", "hidden"]
# One look in the page; between looks, frames and closed roots that have come are seen.
LOOK_MS = 500.0
MANY_FRAMES_MS = 50.0
POLL_MS = 50.0
QUIET_MS = 500.0
SHOWN_PENDING = 5


@dataclass(frozen=True)
class Standing:
    """How things are instead of what is waited for."""

    words: str = ""
    state: dict[str, Any] = field(default_factory=dict[str, Any])
    silent: Sequence[Frame] = ()
    """Frames that did not say how things are there."""


async def until(
    tab: Tab,
    what: str,
    timeout_ms: float,
    waiting: Callable[[], Awaitable[Any]],
    standing: Callable[[], Standing] | None = None,
) -> Any:
    """Wait for a condition.

    Raises:
        TimedOut: with the condition, the time, and how things are instead.
    """
    try:
        async with asyncio.timeout(timeout_ms / 1000):
            return await waiting()
    except TimeoutError:
        stands = standing() if standing else Standing()
        now: dict[str, Any] = {**stands.state, **_page_state(tab)}
        told = [stands.words, *(f"pending {one}" for one in now["pendingRequests"])]
        error = TimedOut(
            f"The wait for {what}",
            timeout_ms,
            hint=f"Now: {', '.join([*filter(None, told), f'at {tab.url}'])}.",
            condition=what,
            state=now,
        )
        name_silent(error, stands.silent)
        raise error from None


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
        self._glances = Glances(tab, "standing", selector.parts, state)
        self._seen: dict[Frame, Look] = {}
        self._silent: list[Frame] = []
        self._asked: tuple[Frame, float] | None = None
        """The one frame that is being asked, and when its answer is due."""

    async def run(self) -> dict[str, Any] | None:
        """Return the element once the state holds; None where it is the absence of one."""
        async with self._glances:
            while True:
                frames = self._frames()
                alone = len(frames) == 1
                # The first look is short, so that there is something to say when time is short.
                limit = LOOK_MS if self._seen else 0.0
                look = await (self._alone(frames[0], limit) if alone else self._everywhere())
                if look is not None and look["holds"]:
                    return look["element"]
                heard = [frame for frame in frames if frame not in self._silent]
                await open_everywhere(heard, MOMENT_S)
                if not alone:
                    await self._change()

    def standing(self) -> Standing:
        """How things are instead, for the error."""
        if self._asked:
            frame, due = self._asked
            if not self._seen or asyncio.get_running_loop().time() > due:
                self._seen, self._silent = {}, [frame]
        looks = self._seen.values()
        count = sum(one["count"] for one in looks)
        visible = sum(one["visible"] for one in looks)
        why = next((one["why"] for one in looks if one["why"]), "")
        element = "visible" if visible else f"present but hidden ({why})" if count else "absent"
        element = element if self._seen else "unknown"
        words = f"{element} where there was an answer" if self._seen and self._silent else element
        state = {"element": element, "count": count, "visible": visible}
        return Standing(words, state, self._silent)

    def _frames(self) -> list[Frame]:
        ref = self.selector.ref
        if ref is None:
            return list(self.tab.frames)
        owner = self.tab.frames.owner_of(ref)
        return [owner[0] if owner is not None and owner[1] else self.tab.frames.main]

    async def _alone(self, frame: Frame, limit_ms: float) -> Look | None:
        look = await self._look(frame, limit_ms)
        self._seen, self._silent = ({frame: look}, []) if look else ({}, [])
        return look

    async def _everywhere(self) -> Look | None:
        """A look into all frames; what is to be gone must be so in each, and in none unknown."""
        wanted = self.state in ("attached", "visible")
        before = self._seen
        try:
            await self._glances.look(_holds if wanted else None)
            before = {}
        finally:
            # When time is over in the middle of a look, the one before it still counts.
            said = {frame: look for frame, look in self._glances.said if look["ok"]}
            self._seen = before | said
            self._silent = [frame for frame in self._glances.silent if frame not in before]
        for _, look in self._glances.said:
            self._check(look)
        held = [frame for frame, look in said.items() if look["holds"]]
        if wanted:
            # Asked once more, alone, it gives the element a ref.
            return await self._look(held[0], 0.0) if held else None
        known = self.tab.frames.main in held and not self._silent
        return {"holds": known and len(held) == len(said), "element": None}

    async def _look(self, frame: Frame, limit_ms: float) -> Look | None:
        due = asyncio.get_running_loop().time() + limit_ms / 1000 + MOMENT_S
        self._asked = (frame, due)
        try:
            found = await frame.call("await", self.selector.parts, self.state, limit_ms)
        except (ProtocolError, TargetClosed) as error:
            if not (error.moved if isinstance(error, ProtocolError) else frame.parent_id):
                raise
            # The page goes on to another document, or the frame is gone: look again.
            self._asked = None
            await asyncio.sleep(0.01)
            return None
        self._asked = None
        self._check(found)
        self._seen[frame] = found
        return found

    def _check(self, look: Look) -> None:
        if not look["ok"]:
            raise InvalidSelector(self.selector.text, look["text"])

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


def _holds(look: Look) -> bool:
    return look["ok"] and look["holds"]


def _true(kind: str, value: Any) -> bool:
    """What JavaScript calls true: every object is, also an empty list."""
    if kind in ("undefined", "null"):
        return False
    if kind == "object" or isinstance(value, (dict, list)):
        return not (isinstance(value, dict) and value == {"$type": "number", "value": "NaN"})
    return bool(value)
