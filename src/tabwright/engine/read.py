"""Reading elements: text, value, attributes, state. Nothing is touched."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Literal

from tabwright.engine.aim import ABSENT_MS, LOOK_MS, not_found
from tabwright.engine.frame import Frame
from tabwright.engine.roots import open_closed
from tabwright.engine.selector import parse
from tabwright.errors import InvalidSelector

if TYPE_CHECKING:
    from tabwright.engine.tab import Tab

What = Literal["text", "html", "value", "attribute", "property", "box", "styles", "info", "is"]


async def read(tab: Tab, selector: str, what: What, name: str = "") -> Any:
    """What an element holds; a match that is about to come is given a moment.

    Raises:
        ElementNotFound: nothing matches.
    """
    wanted = parse(selector)
    frames = _frames(tab, wanted.ref)
    patience = LOOK_MS if len(frames) == 1 else 0.0
    found: dict[str, Any] = {}
    loop = asyncio.get_running_loop()
    began = loop.time()
    while True:
        for frame in frames:
            found = await frame.call("read", wanted.parts, what, name, patience)
            if found["ok"]:
                return found["value"]
            if found["reason"] == "invalid":
                raise InvalidSelector(selector, found["text"])
        waited = (loop.time() - began) * 1000
        late = waited >= ABSENT_MS
        if found["reason"] == "absent" and await _deeper(frames, thorough=late):
            continue
        if late or found["reason"] == "stale":
            raise await not_found(tab, wanted, found, waited)
        await tab.frames.main.call("change", 50.0)
        frames = _frames(tab, wanted.ref)


async def count(tab: Tab, selector: str) -> int:
    """How many elements match, in the page and all its frames."""
    wanted = parse(selector)
    total = 0
    frames = _frames(tab, wanted.ref)
    await _deeper(frames, thorough=False)
    for frame in frames:
        found = await frame.call("count", wanted.parts)
        if not found["ok"]:
            raise InvalidSelector(selector, found["text"])
        total += found["count"]
    return total


async def _deeper(frames: list[Frame], *, thorough: bool) -> bool:
    opened = [await open_closed(frame, thorough=thorough) for frame in frames]
    return any(opened)


def _frames(tab: Tab, ref: int | None) -> list[Frame]:
    if ref is None:
        return list(tab.frames)
    owner = tab.frames.owner_of(ref)
    return [owner[0] if owner is not None and owner[1] else tab.frames.main]
