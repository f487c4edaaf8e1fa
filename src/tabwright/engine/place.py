"""Where a point of a frame is in the page's window."""

from __future__ import annotations

from typing import Any

from tabwright.engine.frame import GLANCE_S, Frame
from tabwright.engine.glance import urls_of
from tabwright.engine.silence import Silent

GONE = {"ok": False, "reason": "detached", "text": "detached: its frame went"}


async def in_page(frame: Frame, x: float, y: float) -> tuple[float, float] | dict[str, Any]:
    """A point of a frame as the page's window has it, or what lies over the frame there."""
    while frame.parent_id:
        parent = frame.around()
        if parent is None:
            return GONE
        try:
            async with parent.within(GLANCE_S):
                where = await _through(frame, parent, x, y)
        except Silent as silent:
            return nowhere(silent.frame)
        if not where["ok"]:
            return where
        x, y, frame = where["x"], where["y"], parent
    return x, y


def nowhere(around: Frame) -> dict[str, Any]:
    """Why there is no place: a frame around the one in question does not answer."""
    url = urls_of([around])[0]
    text = f"in a frame of which nobody can tell where it is: no answer from {url}"
    return {"ok": False, "reason": "silent", "text": text, "owing": [around]}


async def _through(frame: Frame, parent: Frame, x: float, y: float) -> dict[str, Any]:
    where = await frame.on_owner("throughFrame", x, y)
    if where is None:
        return GONE
    if not where["ok"]:
        where = await _turned(frame, parent, x, y) or where
    return where


async def _turned(frame: Frame, parent: Frame, x: float, y: float) -> dict[str, Any] | None:
    """A point of a frame that is turned or skewed: only the browser knows where its corners are.

    It tells them in the window of the process's outermost frame, so only there can they be used.
    """
    around = parent.around()
    inner = around is not None and around.session_id == parent.session_id
    node = await frame.owner()
    model = (await parent.send("DOM.getBoxModel", {"backendNodeId": node}))["model"]
    ax, ay, bx, by, _, _, dx, dy = model["content"]
    upright = abs(ay - by) < 1 and abs(ax - dx) < 1
    size = await parent.on_node(node, "innerSize")
    if inner or upright or not size[0] or not size[1]:
        return None
    across, down = x / size[0], y / size[1]
    where = {
        "x": ax + (bx - ax) * across + (dx - ax) * down,
        "y": ay + (by - ay) * across + (dy - ay) * down,
    }
    free = await parent.on_node(node, "isAt", where["x"], where["y"])
    return {"ok": True, **where} if free else None
