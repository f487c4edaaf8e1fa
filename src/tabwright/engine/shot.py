"""Pictures that were taken, and the way back from a pixel of one to the place in the page."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabwright.engine.cdp import ProtocolError
from tabwright.engine.frame import GLANCE_S, Frame
from tabwright.engine.glance import urls_of
from tabwright.engine.picture import Box
from tabwright.engine.roots import open_closed
from tabwright.engine.selector import Selector, Spot
from tabwright.engine.silence import Silent
from tabwright.errors import InputError, NotDone, TargetClosed

if TYPE_CHECKING:
    from tabwright.engine.tab import Tab

logger = logging.getLogger("tabwright.shot")

REMEMBERED_SHOTS = 200
# Frames whose scrolling is remembered with a picture: a page of ads must not make it slow.
REMEMBERED_FRAMES = 20
AGAIN = "Take a new screenshot and use a point of that."


@dataclass(frozen=True)
class View:
    """What stood in a tab when a picture was taken."""

    tab_id: str
    loader_id: str
    """The document."""
    moment: int
    """The page script's memory of it, with all that was scrolled."""
    window: Box
    """The part of the document that the window showed, in CSS pixels."""
    seen: Box
    """The same, of the part that a zoomed screen shows."""
    zoom: float
    """How far the screen is zoomed in."""


@dataclass(frozen=True)
class Shot:
    """A picture as it is shown: its size, and the part of the document that it is of."""

    id: str
    view: View
    area: Box
    width: int
    height: int

    def point(self, spot: Spot) -> tuple[float, float]:
        """The point of the document that a pixel shows."""
        return (
            self.area.x + self.area.width * spot.x / self.width,
            self.area.y + self.area.height * spot.y / self.height,
        )


class Shots:
    """The pictures of a conversation: `s1`, `s2` …; the oldest are forgotten."""

    def __init__(self) -> None:
        self._by_id: dict[str, Shot] = {}
        self._count = 0
        self._moments = 0

    def next_moment(self) -> int:
        """A name for a moment that page scripts are to remember."""
        self._moments += 1
        return self._moments

    def add(self, view: View, area: Box, width: int, height: int) -> Shot:
        """Remember a picture and give it a name."""
        self._count += 1
        shot = Shot(f"s{self._count}", view, area, width, height)
        self._by_id[shot.id] = shot
        while len(self._by_id) > REMEMBERED_SHOTS:
            del self._by_id[next(iter(self._by_id))]
        return shot

    def get(self, shot_id: str) -> Shot:
        """The picture of this name.

        Raises:
            InputError: there is none, or it is long ago.
        """
        shot = self._by_id.get(shot_id)
        if shot is None:
            newest = next(reversed(self._by_id), "")
            known = f"The newest is {newest}." if newest else "None was taken yet."
            raise InputError(f"There is no picture {shot_id!r}.", hint=f"{known} {AGAIN}")
        return shot


async def look(tab: Tab) -> View:
    """Remember, here and in the page, how everything is scrolled, for a picture to be taken now."""
    moment = tab.session.shots.next_moment()
    main = tab.frames.main
    inner = [frame for frame in tab.frames if frame is not main][:REMEMBERED_FRAMES]
    at, *_ = await asyncio.gather(
        _remember(main, moment), *(_glance(frame, moment) for frame in inner)
    )
    # The document was replaced meanwhile: the picture will be of the new one.
    at = at or await main.call("remember", moment)
    return View(
        tab_id=tab.id,
        loader_id=tab.document.loader_id,
        moment=moment,
        window=Box(at["x"], at["y"], at["width"], at["height"]),
        seen=Box(*at["seen"]),
        zoom=at["zoom"],
    )


async def _remember(frame: Frame, moment: int) -> dict[str, Any] | None:
    try:
        return await frame.call("remember", moment)
    except ProtocolError as error:
        if not error.moved:
            raise
        return None


async def _glance(frame: Frame, moment: int) -> None:
    """Let a frame remember how it is scrolled, if it answers: the picture needs it not."""
    try:
        async with frame.within(GLANCE_S), asyncio.timeout(GLANCE_S):
            await _remember(frame, moment)
    except (TimeoutError, TargetClosed) as error:
        logger.debug("%s does not remember: %r", frame.url, error)


async def find(tab: Tab, selector: Selector) -> tuple[Selector, dict[str, Any]]:
    """The element at a point of a picture, and the place in it; the page is scrolled back there.

    Raises:
        InputError: the picture is not known, or has no such pixel, or is of another tab.
        NotDone: the page no longer has what the picture shows there.
    """
    spot = selector.spot
    assert spot is not None
    shot = _checked(tab, selector.text, tab.session.shots.get(spot.shot), spot)
    x, y = shot.point(spot)
    frame, at = tab.frames.main, {"x": x, "y": y, "window": _sides(shot.view.window)}
    while True:
        try:
            async with frame.within(GLANCE_S):
                found = await _spot(frame, shot.view.moment, at)
        except Silent:
            raise NotDone(
                f"{selector.text!r} is in a frame that does not answer, {frame.url}.",
                hint="Wait until that frame answers, or reload the page.",
                silent=urls_of([frame]),
            ) from None
        if not found["ok"]:
            raise NotDone(
                f"{selector.text!r} is {x:.0f},{y:.0f} of the page, and that is {found['text']}.",
                hint=AGAIN,
            )
        inner = await _inner(tab, frame, found["x"], found["y"]) if found["frame"] else None
        if inner is None:
            break
        frame, at = inner
    element = Selector(selector.text, ({"by": "ref", "value": found["ref"]},))
    return element, {**found["position"], "here": True}


async def _spot(frame: Frame, moment: int, at: dict[str, Any]) -> dict[str, Any]:
    found = await frame.call("spot", moment, at)
    if found.get("closed") and await open_closed(frame):
        found = await frame.call("spot", moment, at)
    return found


def _checked(tab: Tab, text: str, shot: Shot, spot: Spot) -> Shot:
    if not (spot.x < shot.width and spot.y < shot.height):
        raise InputError(
            f"{text!r} lies outside the picture, which is {shot.width} x {shot.height} px.",
            hint="Count pixels of the picture as it was shown, from its top left corner.",
        )
    if shot.view.tab_id != tab.id:
        raise InputError(
            f"{shot.id} is a picture of tab {shot.view.tab_id}; the current one is {tab.id}.",
            hint="Select that tab first, or take a screenshot of this one.",
        )
    if shot.view.loader_id != tab.document.loader_id:
        raise NotDone(
            f"{shot.id} is a picture of a page that has been left; the tab now shows {tab.url}.",
            hint=AGAIN,
        )
    return shot


async def _inner(tab: Tab, frame: Frame, x: float, y: float) -> tuple[Frame, dict[str, Any]] | None:
    """The frame inside this one that a point falls into, and the point as it has it."""
    for child in tab.frames:
        if child.parent_id != frame.id:
            continue
        at = await child.on_owner("intoFrame", x, y)
        if at is not None:
            return child, {**at, "window": None}
    return None


def _sides(box: Box) -> dict[str, float]:
    return {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
