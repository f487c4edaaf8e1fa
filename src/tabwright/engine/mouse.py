"""The mouse of a tab: moves, clicks, the wheel, and dragging of things and files."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from tabwright.engine.cdp import Params
from tabwright.engine.keyboard import Keyboard, Page
from tabwright.errors import BrowserError, DialogOpen, InputError, NotDone
from tabwright.page import script

Button = Literal["left", "right", "middle", "back", "forward"]
Point = tuple[float, float]

BITS: dict[Button, int] = {"left": 1, "right": 2, "middle": 4, "back": 8, "forward": 16}
"""The buttons as DevTools and pages count them."""

DRAG_STEPS = 5
NUDGE_PX = 6
"""Chromium begins to drag an element once the mouse is more than five pixels from its press."""
WORLD = "tabwright"
COPY = 1
NOTHING: Params = {"items": [], "dragOperationsMask": COPY}


class Mouse:
    """A mouse. Places are CSS pixels of the main frame's viewport."""

    def __init__(self, page: Page, keyboard: Keyboard) -> None:
        self._page = page
        self._keyboard = keyboard
        self.x = 0.0
        self.y = 0.0
        self.buttons = 0
        """The buttons that are down, as a bit mask."""
        self._placed = False
        self._owed: list[tuple[str, Params]] = []
        """What a call that was cut off could not send any more."""

    def reset(self) -> None:
        """Hold nothing and send nothing: another renderer has taken the page's place."""
        self.buttons = 0
        self._placed = False
        self._owed.clear()

    def put_right(self) -> None:
        """Let go of what a call that was cut off, as by a dialog, still holds.

        Every event does this first. Call it once the page can be reached again.
        """
        with suppress(BrowserError, DialogOpen):
            while self._owed:
                self._page.post(*self._owed[0])
                del self._owed[0]

    async def move(self, x: float, y: float, steps: int = 1) -> None:
        """Move there on a straight line."""
        for place in _line((self.x, self.y), (x, y), steps):
            # One at a time: Chromium merges moves that wait together, and the page sees the last.
            await self._move(*place)

    async def down(self, button: Button = "left", count: int = 1) -> None:
        """Press a button and keep it down."""
        await self._press(button, count)

    async def up(self, button: Button = "left", count: int = 1) -> None:
        """Let go of a button."""
        await self._release(button, count)

    async def click(
        self,
        x: float,
        y: float,
        button: Button = "left",
        count: int = 1,
        modifiers: int = 0,
        hold_ms: float = 0,
    ) -> None:
        """Go there and click, `count` times in a row; held keys of the keyboard count too."""
        sent: list[asyncio.Future[Params]] = []
        if not self._is_at(x, y):
            sent.append(self._move(x, y, modifiers))
        try:
            for nth in range(1, count + 1):
                sent.append(self._press(button, nth, modifiers))
                if hold_ms:
                    await sent[-1]
                    await asyncio.sleep(hold_ms / 1000)
                sent.append(self._release(button, nth, modifiers))
        except BaseException:
            self._lift(button)
            raise
        for answer in sent:
            await answer

    async def wheel(self, x: float, y: float, dx: float, dy: float) -> None:
        """Go there and turn the wheel; positive is right and down."""
        sent = [] if self._is_at(x, y) else [self._move(x, y)]
        sent.append(self._event("mouseWheel", deltaX=dx, deltaY=dy))
        for answer in sent:
            await answer

    async def drag(self, start: Point, end: Point, steps: int = DRAG_STEPS) -> None:
        """Press at `start`, move to `end` and let go.

        If the page makes a drag-and-drop of it, Chromium goes on with drag events and ends with a
        drop; else the page sees a mouse that moves with its button down.
        """
        await self.move(*start)
        # Chromium tells only the process of the target that a drag is over; the frame where it
        # began hears it by this. A frame that has had its dragend is not told again.
        over = self._drag_command("dragCancel", start, NOTHING)
        try:
            await self._press("left", 1)
            for place in (_towards(start, end), *_line(start, end, steps)):
                await self._move(*place)
            await self._settle()
            # The first event over a place is dragenter; only after a dragover may it be dropped.
            await self._move(*end)
            await self._release("left", 1)
        except BaseException:
            # Before the release, which would drop what is dragged.
            self._owe(("Input.cancelDragging", {}), over)
            self._lift("left")
            raise
        self._owe(over)

    async def drop_files(self, x: float, y: float, paths: Sequence[str | Path]) -> None:
        """Drag files in from outside the browser and drop them there.

        Raises:
            InputError: there is no such file.
            ActionError: the page does not take files there; nothing was dropped.
        """
        place = (x, y)
        data = {**NOTHING, "files": [str(_existing(path)) for path in paths]}
        watch = await self._watch_drop(x, y)
        try:
            await self._drag("dragEnter", place, data)
            await self._drag("dragOver", place, data)
            if not await self._call(watch, "function () { return this(); }"):
                raise NotDone(
                    f"Nothing at {x:g}, {y:g} takes files.",
                    hint="Drop on what the page offers for it, or use its file input.",
                )
        except BaseException:
            # Chromium has no word for leaving: a drop that allows nothing is one.
            self._owe(self._drag_command("drop", place, {**data, "dragOperationsMask": 0}))
            raise
        await self._drag("drop", place, data)

    def _is_at(self, x: float, y: float) -> bool:
        return self._placed and (self.x, self.y) == (x, y)

    def _move(self, x: float, y: float, modifiers: int = 0) -> asyncio.Future[Params]:
        pressed = next((name for name, bit in BITS.items() if self.buttons & bit), "none")
        sent = self._event("mouseMoved", modifiers, x=x, y=y, button=pressed)
        self.x, self.y, self._placed = x, y, True
        return sent

    def _press(self, button: Button, count: int, modifiers: int = 0) -> asyncio.Future[Params]:
        return self._switch("mousePressed", self.buttons | BITS[button], button, count, modifiers)

    def _release(self, button: Button, count: int, modifiers: int = 0) -> asyncio.Future[Params]:
        return self._switch("mouseReleased", self.buttons & ~BITS[button], button, count, modifiers)

    def _switch(
        self, kind: str, buttons: int, button: Button, count: int, modifiers: int
    ) -> asyncio.Future[Params]:
        sent = self._event(kind, modifiers, buttons=buttons, button=button, clickCount=count)
        # Not before it is sent: a page that cannot be reached now has not seen it.
        self.buttons = buttons
        return sent

    def _event(self, kind: str, modifiers: int = 0, **more: object) -> asyncio.Future[Params]:
        self.put_right()
        return self._page.post("Input.dispatchMouseEvent", self._params(kind, modifiers, **more))

    def _params(self, kind: str, modifiers: int, **more: object) -> Params:
        return {
            "type": kind,
            "x": self.x,
            "y": self.y,
            "modifiers": modifiers | self._keyboard.modifiers,
            "buttons": self.buttons,
            **more,
        }

    def _drag(self, kind: str, place: Point, data: Params) -> asyncio.Future[Params]:
        self.put_right()
        return self._page.post(*self._drag_command(kind, place, data))

    def _drag_command(self, kind: str, place: Point, data: Params) -> tuple[str, Params]:
        modifiers = self._keyboard.modifiers
        params = {"type": kind, "x": place[0], "y": place[1], "data": data, "modifiers": modifiers}
        return ("Input.dispatchDragEvent", params)

    def _lift(self, button: Button) -> None:
        """Let go of a button that is still down, now or as soon as the page can be reached."""
        if self.buttons & BITS[button]:
            self.buttons &= ~BITS[button]
            params = self._params("mouseReleased", 0, button=button, clickCount=1)
            self._owe(("Input.dispatchMouseEvent", params))

    def _owe(self, *commands: tuple[str, Params]) -> None:
        """Send without waiting: the caller is gone, or the page is."""
        self._owed += commands
        self.put_right()

    async def _watch_drop(self, x: float, y: float) -> str:
        """Watch, in our own world, how the page answers to a drag at a place."""
        view = (await self._page.send("Page.getLayoutMetrics"))["cssVisualViewport"]
        at = {"x": int(x + view["pageX"]), "y": int(y + view["pageY"])}
        node = await self._page.send("DOM.getNodeForLocation", at)
        world = await self._page.send(
            "Page.createIsolatedWorld", {"frameId": node["frameId"], "worldName": WORLD}
        )
        found = await self._page.send(
            "DOM.resolveNode", {"backendNodeId": node["backendNodeId"], **world}
        )
        return await self._call(found["object"]["objectId"], script("droppable.js"), "objectId")

    async def _call(self, this: str, function: str, wanted: str = "value") -> Any:
        answer = await self._page.send(
            "Runtime.callFunctionOn", {"objectId": this, "functionDeclaration": function}
        )
        return answer["result"].get(wanted)

    async def _settle(self) -> None:
        """Wait until Chromium has heard of a drag that the page began with the last move.

        The move's answer may overtake that news; a script's answer comes after it.
        """
        await self._page.send("Runtime.evaluate", {"expression": "0"})


def _line(start: Point, end: Point, steps: int) -> Iterator[Point]:
    """Places on the way from start, which is left out, to end."""
    for step in range(1, steps):
        yield _between(start, end, step / steps)
    yield end


def _towards(start: Point, end: Point) -> Point:
    """A first small move: still over what was pressed, so that the drag begins there."""
    distance = math.dist(start, end)
    return end if distance <= NUDGE_PX else _between(start, end, NUDGE_PX / distance)


def _between(start: Point, end: Point, part: float) -> Point:
    return (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)


def _existing(path: str | Path) -> Path:
    found = Path(path).absolute()
    if not found.exists():
        raise InputError(
            f"There is no file {str(path)!r}.", hint="Name a file that is there.", path=str(path)
        )
    return found
