"""Aiming: from a selector to one element of one frame, ready to be acted on, or a true reason."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from tabwright.engine.cdp import ProtocolError
from tabwright.engine.frame import GLANCE_S, Frame
from tabwright.engine.glance import MOMENT_S, Glances, Look, name_silent, urls_of
from tabwright.engine.place import in_page
from tabwright.engine.roots import open_everywhere
from tabwright.engine.selector import Selector, parse
from tabwright.engine.shot import find
from tabwright.engine.silence import Silent
from tabwright.errors import (
    ActionError,
    ElementBlocked,
    ElementNotFound,
    ElementNotVisible,
    InvalidSelector,
    NextAction,
    StaleRef,
    TimedOut,
)

if TYPE_CHECKING:
    from tabwright.engine.tab import Tab

logger = logging.getLogger("tabwright.aim")

Prepare = Literal[
    "", "focus", "append", "replace", "blur", "reveal", "choose", "state", "scroll", "picture"
]

# How long an act that was not told to wait lets the page come to it: nothing is found at once or
# soon, and what is covered, moving or disabled has a moment to become free. Where a frame has yet
# to answer, what is not found elsewhere may be there.
ABSENT_MS = 400.0
BLOCKED_MS = 1500.0
SILENT_MS = GLANCE_S * 1000
LOOK_MS = 200.0
# How unlike an element may be to what was asked for and still be what was meant (0 to 1.25).
FAR = 0.8
HOPELESS = ("stale", "readonly", "invalid")
# What is kept of the time limit for the reply itself.
MARGIN_MS = 50.0
# How long a frame of another process may look by itself, so that its silence is noticed.
FAR_LOOK_MS = 1000.0
PAUSE_S = 0.05
HINTS = {
    "covered": "Close or scroll away what covers it, then try again.",
    "disabled": "Do first what enables it.",
    "moving": "Wait until it stands still.",
    "outside": "It cannot be reached with a mouse.",
    "inert": "Close first what is open over the page.",
    "readonly": "Choose a field that can be edited.",
    "detached": "The page took it away meanwhile; look at the page again.",
    "silent": "Wait until that frame answers, or reload the page.",
}


@dataclass(frozen=True)
class Needs:
    """What must hold of the element before the act."""

    point: bool = False
    """A point that a mouse can press."""
    shown: bool = False
    enabled: bool = False
    editable: bool = False
    """Text can be put into it."""
    typeable: bool = False
    """Keys can be sent to it: a field that is not read-only, or anything that takes the focus."""

    def as_dict(self) -> dict[str, bool]:
        """As the page script reads it."""
        return {
            "point": self.point,
            "shown": self.shown,
            "enabled": self.enabled,
            "editable": self.editable,
            "typeable": self.typeable,
        }


@dataclass(frozen=True)
class Element:
    """An element as replies name it."""

    role: str
    name: str
    ref: str

    @classmethod
    def of(cls, given: dict[str, str]) -> Element:
        """As the page script gives it."""
        return cls(given["role"], given["name"], given["ref"])

    def __str__(self) -> str:
        return " ".join([self.role, *([f'"{self.name}"'] if self.name else []), self.ref]).strip()

    def as_dict(self) -> dict[str, str]:
        """As replies carry it."""
        return {"role": self.role, "name": self.name, "ref": self.ref}


@dataclass
class Aimed:
    """An element that is ready."""

    frame: Frame
    element: Element
    count: int
    """How many elements the selector matches."""
    x: float = 0.0
    y: float = 0.0
    """The point to press, in the window of the page."""
    facts: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Aim:
    """What is looked for, what it must be like, and how long to wait for it."""

    selector: Selector
    needs: Needs
    timeout_ms: float
    wait: bool = False
    prepare: Prepare = ""
    position: dict[str, Any] | None = None
    wish: dict[str, Any] | None = None
    """What the preparation is to do."""
    watch: str = ""
    """Begin a receipt; the text tells this act from others."""
    other: str = ""
    """The ref of a second element that the act is about."""

    @classmethod
    def at(cls, selector: str | Selector, needs: Needs, timeout_ms: float, **more: Any) -> Aim:
        """Aim at what a text names."""
        read = parse(selector) if isinstance(selector, str) else selector
        return cls(read, needs, timeout_ms, **more)

    def options(self, left_ms: float) -> dict[str, Any]:
        """As the page script reads it."""
        return {
            "needs": self.needs.as_dict(),
            "prepare": self.prepare,
            "position": self.position,
            "wish": self.wish,
            "watch": self.watch,
            "other": parse(self.other).parts if self.other else None,
            # What is absent is looked for again from here: a closed root may have come meanwhile.
            "absentMs": min(self.patience_ms("absent"), left_ms, LOOK_MS),
            "patienceMs": min(self.patience_ms(""), left_ms),
        }

    def patience_ms(self, reason: str) -> float:
        """How long a reason for not being ready is put up with."""
        limit = self.timeout_ms - MARGIN_MS
        if self.wait:
            return limit
        return min({"absent": ABSENT_MS, "silent": SILENT_MS}.get(reason, BLOCKED_MS), limit)

    async def take(self, tab: Tab) -> Aimed:
        """Find the element and wait until it is ready.

        Raises:
            ElementNotFound: nothing matches, or a ref is stale.
            ElementNotVisible, ElementBlocked: it cannot be acted on, and why.
            TimedOut: it was to be waited for and did not get ready.
        """
        if self.selector.spot is not None:
            element, position = await find(tab, self.selector)
            return await replace(self, selector=element, position=position).take(tab)
        quick = {**self.options(0.0), "prepare": "", "watch": ""}
        async with Glances(tab, "glance", self.selector.parts, quick) as glances:
            return await self._take(tab, glances)

    async def _take(self, tab: Tab, glances: Glances) -> Aimed:
        loop = asyncio.get_running_loop()
        began = loop.time()
        while True:
            left = self.timeout_ms - MARGIN_MS - (loop.time() - began) * 1000
            frame, found = await self._look(tab, glances, max(left, 0.0))
            if found["ok"]:
                x, y, found = await _from_page(frame, found)
                if found["ok"]:
                    return Aimed(frame, Element.of(found["element"]), found["count"], x, y, found)
                if found["reason"] == "silent":
                    await asyncio.sleep(PAUSE_S)
            waited, reason = (loop.time() - began) * 1000, found["reason"]
            silent: list[Frame] = found.get("owing", glances.silent if reason == "absent" else [])
            hoping = tab.frames.silence.worth_waiting(silent, GLANCE_S)
            patience = self.patience_ms("silent" if hoping else "absent" if silent else reason)
            over = waited >= patience or reason in HOPELESS
            if reason == "absent" and await self._deeper(tab, silent, thorough=over):
                continue
            if over:
                raise await self._refusal(tab, found, waited, silent)

    async def _deeper(self, tab: Tab, silent: list[Frame], *, thorough: bool) -> bool:
        frames = [one] if (one := self._frame(tab)) else list(tab.frames)
        frames = [frame for frame in frames if frame not in silent]
        return await open_everywhere(frames, MOMENT_S, thorough=thorough)

    async def _look(
        self, tab: Tab, glances: Glances, left_ms: float
    ) -> tuple[Frame, dict[str, Any]]:
        frame = self._frame(tab)
        try:
            if frame is not None:
                return frame, await self._aim(tab, frame, left_ms)
            return await self._everywhere(tab, glances, left_ms)
        except ProtocolError as error:
            if not error.moved:
                raise
            # The page moved on while we looked at it: look at the new one.
            return frame or tab.frames.main, {"ok": False, "reason": "absent", "count": 0}

    def likely_frame(self, tab: Tab) -> Frame:
        """Where the element will probably be found."""
        return self._frame(tab) or tab.frames.main

    def _frame(self, tab: Tab) -> Frame | None:
        """The one frame that can hold the element, if it is known."""
        ref = self.selector.ref
        if self.selector.parts[0]["by"] == "page":
            return tab.frames.main
        if ref is not None:
            owner = tab.frames.owner_of(ref)
            if owner is not None and owner[1]:
                return owner[0]
            return tab.frames.main
        return tab.frames.main if len(tab.frames) == 1 else None

    async def _everywhere(
        self, tab: Tab, glances: Glances, left_ms: float
    ) -> tuple[Frame, dict[str, Any]]:
        """Look into every frame; the first one with a match that is ready has it."""
        looks = await glances.look(_is_ready)
        seen = [one for one in looks if one[1].get("reason") != "absent"]
        ready = [one for one in seen if one[1]["ok"]] or seen
        if ready:
            return ready[0][0], await self._aim(tab, ready[0][0], left_ms)
        # Nowhere yet. The page's own frame waits for a change, then all are asked again.
        await tab.frames.main.call("change", min(left_ms, 50.0))
        return tab.frames.main, {"ok": False, "reason": "absent", "count": 0}

    async def _aim(self, tab: Tab, frame: Frame, left_ms: float) -> dict[str, Any]:
        if tab.frames.silence.own(frame):
            return await frame.call("aim", self.selector.parts, self.options(left_ms))
        options = self.options(min(left_ms, FAR_LOOK_MS))
        try:
            async with frame.within(FAR_LOOK_MS / 1000 + MOMENT_S):
                return await frame.call("aim", self.selector.parts, options)
        except Silent:
            await tab.frames.main.call("change", min(left_ms, 50.0))
            return {"ok": False, "reason": "absent", "count": 0, "owing": [frame]}

    async def _refusal(
        self, tab: Tab, found: dict[str, Any], waited: float, silent: list[Frame]
    ) -> ActionError:
        selector, reason = self.selector.text, found["reason"]
        if reason == "invalid":
            return InvalidSelector(selector, found["text"])
        if reason in ("absent", "stale"):
            return await not_found(tab, self.selector, found, waited, silent, wait=self.wait)
        element = Element.of(found["element"])
        if self.wait:
            return TimedOut(
                f"Waiting for {element}, which is {found['text']},",
                waited,
                selector=selector,
                state=found["text"],
                silent=urls_of(silent) or None,
            )
        if reason == "hidden":
            return _not_visible(selector, found)
        return ElementBlocked(
            str(element),
            reason,
            found["text"],
            hint=HINTS[reason],
            selector=selector,
            waitedMs=round(waited),
            cover=found.get("cover"),
            silent=urls_of(silent) or None,
        )


def _is_ready(look: Look) -> bool:
    return look["ok"]


def _not_visible(selector: str, found: dict[str, Any]) -> ElementNotVisible:
    error = ElementNotVisible(selector, found["text"].removeprefix("hidden: "))
    if found.get("opener"):
        opener = Element.of(found["opener"])
        error.hint = f"It is shown by {opener}."
        error.next_actions.append(NextAction("click", {"selector": opener.ref}, "shows it"))
    return error


async def _from_page(frame: Frame, found: dict[str, Any]) -> tuple[float, float, dict[str, Any]]:
    """Turn a point of a frame into one of the page, if nothing lies over the frame there."""
    if "x" not in found:
        return 0.0, 0.0, found
    where = await in_page(frame, found["x"], found["y"])
    if isinstance(where, dict):
        return 0.0, 0.0, {**found, **where}
    return *where, found


async def not_found(
    tab: Tab,
    selector: Selector,
    found: dict[str, Any],
    waited: float,
    silent: Sequence[Frame] = (),
    *,
    wait: bool = False,
) -> ActionError:
    """The error for a selector that matches nothing, with what may have been meant.

    It names the frames that did not answer: they may have it.
    """
    if selector.ref is not None and silent:
        return _out_of_reach(selector, waited, silent)
    near: list[dict[str, Any]] = await _candidates(tab, selector, found, silent)
    shown = [f"{Element.of(one)}" for one in near]
    if found["reason"] == "stale":
        error: ActionError = StaleRef(selector.text, _fate(tab, selector, found), near=shown)
    elif wait:
        error = TimedOut(
            f"Waiting for {selector.text!r}, which matches nothing,",
            waited,
            selector=selector.text,
            state="absent",
            near=shown or None,
        )
    else:
        error = ElementNotFound(selector.text, near=shown, waitedMs=round(waited))
    if near and near[0]["distance"] > FAR:
        error.hint = f"Nothing is like it; the page has {', '.join(shown[:5])}."
    elif near:
        best = Element.of(near[0])
        error.next_actions = [NextAction("", {"selector": best.ref}, f"the nearest is {best}")]
    name_silent(error, silent)
    return error


def _out_of_reach(selector: Selector, waited: float, silent: Sequence[Frame]) -> ActionError:
    error = TimedOut("", waited, hint=HINTS["silent"], selector=selector.text)
    error.message = f"What {selector.text!r} stands for cannot be looked at."
    name_silent(error, silent)
    return error


async def _candidates(
    tab: Tab, selector: Selector, found: dict[str, Any], silent: Sequence[Frame]
) -> list[dict[str, Any]]:
    wanted = found.get("stale") or tab.frames.remembered(selector.ref)
    near: list[dict[str, Any]] = []
    for frame in tab.frames:
        if frame in silent:
            continue
        try:
            async with frame.within(MOMENT_S):
                near += await frame.call("candidates", selector.parts, wanted)
        except (TimeoutError, ProtocolError) as error:
            if isinstance(error, ProtocolError) and not error.moved:
                raise
            logger.debug("no candidates in %s: %r", frame.url, error)
    return sorted(near, key=lambda one: one["distance"])[:20]


def _fate(tab: Tab, selector: Selector, found: dict[str, Any]) -> str:
    gone = found.get("stale")
    if gone:
        name = f' "{gone["name"]}"' if gone["name"] else ""
        return f"the {gone['role']}{name} was taken off the page"
    if not 0 < (selector.ref or 0) < tab.frames.next_ref:
        return "it was never given out in this tab"
    return f"it was on a page that has been left; the tab now shows {tab.url}"
