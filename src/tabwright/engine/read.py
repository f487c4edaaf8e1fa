"""Reading elements: text, value, attributes, state. Nothing is touched."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from tabwright.engine.aim import ABSENT_MS, LOOK_MS, SILENT_MS, not_found
from tabwright.engine.frame import GLANCE_S, Frame
from tabwright.engine.glance import MOMENT_S, name_silent
from tabwright.engine.roots import open_everywhere
from tabwright.engine.selector import Selector, parse
from tabwright.errors import InvalidSelector, TargetClosed, TimedOut

if TYPE_CHECKING:
    from tabwright.engine.tab import Tab

logger = logging.getLogger("tabwright.read")

What = Literal["text", "html", "value", "attribute", "property", "box", "styles", "info", "is"]
ABSENT: dict[str, Any] = {"ok": False, "reason": "absent", "count": 0}


@dataclass
class Reading:
    """A question about one element, wherever in the page it is."""

    wanted: Selector
    what: What
    name: str = ""
    silent: list[Frame] = field(default_factory=list[Frame])
    """The frames that did not answer it."""

    async def ask(self, frames: list[Frame]) -> dict[str, Any]:
        """The first answer, or why there is none."""
        found, self.silent = ABSENT, []
        patience = LOOK_MS if len(frames) == 1 else 0.0
        for frame in frames:
            try:
                async with frame.within(patience / 1000 + MOMENT_S):
                    found = await frame.call(
                        "read", self.wanted.parts, self.what, self.name, patience
                    )
            except TimeoutError:
                self.silent.append(frame)
            except TargetClosed as error:
                if not frame.parent_id:
                    raise
                logger.debug("%s went: %r", frame.url, error)
            if found["ok"]:
                break
            if found["reason"] == "invalid":
                raise InvalidSelector(self.wanted.text, found["text"])
        return found


async def read(tab: Tab, selector: str, what: What, name: str = "", *, timeout_ms: float) -> Any:
    """What an element holds; a match that is about to come is given a moment.

    Raises:
        ElementNotFound: nothing matches; it names the frames that did not answer.
    """
    wanted = parse(selector)
    reading = Reading(wanted, what, name)
    loop = asyncio.get_running_loop()
    began = loop.time()
    while True:
        frames = _frames(tab, wanted.ref)
        found = await reading.ask(frames)
        if found["ok"]:
            return found["value"]
        waited, silent = (loop.time() - began) * 1000, reading.silent
        hoping = tab.frames.silence.worth_waiting(silent, GLANCE_S)
        late = waited >= min(SILENT_MS if hoping else ABSENT_MS, timeout_ms)
        heard = [frame for frame in frames if frame not in silent]
        if found["reason"] == "absent" and await open_everywhere(heard, MOMENT_S, thorough=late):
            continue
        if late or found["reason"] == "stale":
            raise await not_found(tab, wanted, found, waited, silent)
        await tab.frames.main.call("change", 50.0)


async def count(tab: Tab, selector: str, *, timeout_ms: float) -> int:
    """How many elements match, in the page and all its frames.

    Raises:
        TimedOut: a frame does not answer, so that nobody can tell.
    """
    wanted = parse(selector)
    frames = _frames(tab, wanted.ref)
    patience_ms = min(SILENT_MS, timeout_ms)
    # One after the other: frames of one process let go of their objects together.
    await open_everywhere(frames, patience_ms / 1000)
    answers = await asyncio.gather(*(_count_in(one, wanted, patience_ms) for one in frames))
    total = 0
    for found in filter(None, answers):
        if not found["ok"]:
            raise InvalidSelector(selector, found["text"])
        total += found["count"]
    if silent := [one for one, found in zip(frames, answers, strict=True) if found is None]:
        error = TimedOut(
            f"Counting {selector!r}",
            patience_ms,
            hint=f"{total} in the frames that answered.",
            counted=total,
        )
        name_silent(error, silent)
        raise error
    return total


async def _count_in(frame: Frame, wanted: Selector, patience_ms: float) -> dict[str, Any] | None:
    """How many elements match in a frame; None when it does not answer."""
    try:
        async with frame.within(patience_ms / 1000):
            return await frame.call("count", wanted.parts)
    except TimeoutError:
        return None
    except TargetClosed as error:
        if not frame.parent_id:
            raise
        logger.debug("%s went: %r", frame.url, error)
        return {"ok": True, "count": 0}


def _frames(tab: Tab, ref: int | None) -> list[Frame]:
    if ref is None:
        return list(tab.frames)
    owner = tab.frames.owner_of(ref)
    return [owner[0] if owner is not None and owner[1] else tab.frames.main]
