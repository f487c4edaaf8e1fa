"""Marks: the refs of what can be used, with their places in the page."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabwright.engine.cdp import ProtocolError
from tabwright.engine.frame import GLANCE_S, Frame
from tabwright.engine.picture import Box
from tabwright.engine.roots import open_closed
from tabwright.errors import TargetClosed

if TYPE_CHECKING:
    from tabwright.engine.capture import Taken
    from tabwright.engine.tab import Tab

logger = logging.getLogger("tabwright.mark")

MAX_MARKS = 300


@dataclass(frozen=True)
class Mark:
    """Something that can be pressed or filled in."""

    ref: str
    role: str
    name: str
    box: Box
    """Where it is on the picture, in its pixels."""

    def on(self, tile: Box, factor: float) -> Mark | None:
        """The same on a part of the picture that is shown in another size; None: not there."""
        part = self.box.meet(tile)
        if part is None:
            return None
        box = Box(part.x - tile.x, part.y - tile.y, part.width, part.height)
        scaled = Box(box.x * factor, box.y * factor, box.width * factor, box.height * factor)
        return Mark(self.ref, self.role, self.name, scaled)


@dataclass(frozen=True)
class FrameWindow:
    """Where a frame's document is in the page's window, and how much larger it is drawn."""

    x: float = 0.0
    y: float = 0.0
    across: float = 1.0
    down: float = 1.0
    seen: Box | None = None
    """The part of the page's window that the frame has; None: all of it."""

    def place(self, box: Box) -> Box:
        """A box of the frame's window in the page's."""
        return Box(
            self.x + box.x * self.across,
            self.y + box.y * self.down,
            box.width * self.across,
            box.height * self.down,
        )


async def frame_window(frame: Frame) -> FrameWindow | None:
    """Where a frame is in the page's window as it stands; None when it is not to be seen.

    Raises:
        Silent: a frame around it does not answer.
    """
    parent = frame.around()
    if not frame.parent_id:
        return FrameWindow()
    outer = await frame_window(parent) if parent is not None else None
    if parent is None or outer is None:
        return None
    async with parent.within(GLANCE_S):
        at: dict[str, Any] | None = await frame.on_owner("frameBox")
    if at is None:
        return None
    seen = outer.place(Box(at["left"], at["top"], at["width"], at["height"]))
    if outer.seen is not None:
        seen = seen.meet(outer.seen)
    if seen is None or not at["shown"]:
        return None
    origin = outer.place(Box(at["left"], at["top"], 0, 0))
    return FrameWindow(
        origin.x, origin.y, outer.across * at["across"], outer.down * at["down"], seen
    )


async def marks_of(tab: Tab, taken: Taken) -> tuple[list[Mark], int]:
    """What can be used in the part of the page that a picture shows, and how many were left out."""
    view, picture = taken.view, taken.picture
    shown: list[Mark] = []
    left_out = 0
    for frame in tab.frames:
        found = await _marks_in(frame, beyond=taken.beyond)
        if found is None:
            continue
        window, given = found
        left_out += given["more"]
        for one in given["found"]:
            left, top, right, bottom = one["box"]
            box: Box | None = window.place(Box(left, top, right - left, bottom - top))
            box = box.meet(window.seen) if window.seen is not None else box
            on_page = box and Box(
                box.x + view.window.x, box.y + view.window.y, box.width, box.height
            )
            part = on_page and on_page.meet(taken.area)
            if part:
                placed = part.within(taken.area, picture.width, picture.height)
                shown.append(Mark(one["ref"], one["role"], one["name"], placed))
    return shown[:MAX_MARKS], left_out + max(0, len(shown) - MAX_MARKS)


async def _marks_in(frame: Frame, *, beyond: bool) -> tuple[FrameWindow, dict[str, Any]] | None:
    """Where a frame is and what can be used in it; None when it is not seen or does not answer."""
    inside = bool(frame.parent_id)
    try:
        async with frame.within(GLANCE_S), asyncio.timeout(GLANCE_S if inside else None):
            window = await frame_window(frame)
            if window is None:
                return None
            await open_closed(frame)
            return window, await frame.call("marks", beyond and not inside)
    except ProtocolError as error:
        if not error.moved:
            raise
        logger.debug("no marks in %s: %r", frame.url, error)
    except (TimeoutError, TargetClosed) as error:
        if not inside:
            raise
        logger.debug("no marks in %s: %r", frame.url, error)
    return None
