"""Taking pictures of a page: of the window, the whole page, an element or a part."""

from __future__ import annotations

import asyncio
import base64
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from tabwright.engine.aim import HINTS, Aim, Needs
from tabwright.engine.cdp import ProtocolError
from tabwright.engine.glance import urls_of
from tabwright.engine.mark import frame_window
from tabwright.engine.picture import MAX_PIXELS, Box, Picture, encoded, measured
from tabwright.engine.place import nowhere
from tabwright.engine.shot import View, look
from tabwright.engine.silence import Silent
from tabwright.engine.tab import Tab
from tabwright.errors import ActionError, ElementBlocked, ElementNotVisible, InputError

if TYPE_CHECKING:
    from PIL.Image import Image

ShotType = Literal["png", "jpeg"]
# Chromium's compositor cannot draw a surface higher than this; taller pages are joined from strips.
MAX_STRIP_PX = 8192


@dataclass(frozen=True)
class Subject:
    """What a picture is to be of, and how it is written."""

    type: ShotType = "png"
    quality: int | None = None
    selector: str | None = None
    clip: Box | None = None
    full_page: bool = False
    timeout_ms: float = 30_000.0


@dataclass(frozen=True)
class Taken:
    """A picture, and what it is of."""

    picture: Picture
    view: View
    area: Box
    """The part of the document that it shows, in CSS pixels."""
    beyond: bool
    """Whether it may show more than the window does."""
    pixels: Image | None = None
    """The same picture, when it had to be decoded already."""


async def take(tab: Tab, subject: Subject) -> Taken:
    """Take a picture.

    Raises:
        ElementNotFound, ElementNotVisible: there is no such element to be seen.
        InvalidSelector: it cannot be parsed.
        InputError: it would be too large.
    """
    box = await _area(tab, subject)
    view = await look(tab)
    if box is None:
        picture = measured(await _shoot(tab, subject, None), subject.type)
        scale = tab.viewport.scale * view.zoom
        size = picture.width / scale, picture.height / scale
        return Taken(picture, view, Box(view.seen.x, view.seen.y, *size), beyond=False)
    _check_size(tab, box)
    if box.height * tab.viewport.scale <= MAX_STRIP_PX:
        picture = measured(await _shoot(tab, subject, box), subject.type)
        return Taken(picture, view, box, beyond=True)
    pixels = await _joined(tab, box)
    picture = await asyncio.to_thread(encoded, pixels, subject.type, subject.quality)
    return Taken(picture, view, box, beyond=True, pixels=pixels)


async def _area(tab: Tab, subject: Subject) -> Box | None:
    """The part of the document that is wanted; None: what the window shows."""
    if subject.selector is not None:
        return await _element_box(tab, subject.selector, subject.timeout_ms)
    if subject.full_page:
        size = (await tab.send("Page.getLayoutMetrics"))["cssContentSize"]
        return Box(0, 0, size["width"], size["height"])
    return subject.clip


async def _element_box(tab: Tab, selector: str, timeout_ms: float) -> Box:
    """The box of the first element that matches, in the document; it is brought into view."""
    aim = Aim.at(selector, Needs(shown=True), timeout_ms, prepare="picture")
    aimed = await aim.take(tab)
    box = Box(**aimed.facts["box"])
    if box.width < 1 or box.height < 1:
        raise ElementNotVisible(
            selector, f"it has no area to take a picture of ({box.width:g} x {box.height:g} px)"
        )
    try:
        window = await frame_window(aimed.frame)
    except Silent as silent:
        where = nowhere(silent.frame)
        raise ElementBlocked(
            str(aimed.element),
            where["reason"],
            where["text"],
            hint=HINTS["silent"],
            selector=selector,
            silent=urls_of([silent.frame]),
        ) from None
    if window is None:
        raise ElementNotVisible(selector, "its frame is not shown")
    view = (await tab.send("Page.getLayoutMetrics"))["cssLayoutViewport"]
    placed = window.place(box)
    return Box(
        placed.x + view["pageX"], placed.y + view["pageY"], placed.width, placed.height
    ).outward()


def _check_size(tab: Tab, box: Box) -> None:
    scale = tab.viewport.scale
    if box.width * box.height * scale * scale > MAX_PIXELS:
        times = f", each {scale:g} x {scale:g}," if scale != 1 else ""
        raise InputError(
            f"A picture of {box.width:g} x {box.height:g} px{times} is too large: "
            f"{MAX_PIXELS:,} in all are the most.",
            hint="Take a part of it with `clip`, or one element with `selector`.",
        )


async def _shoot(tab: Tab, subject: Subject, box: Box | None) -> bytes:
    params: dict[str, Any] = {"format": subject.type, "captureBeyondViewport": box is not None}
    if subject.quality is not None:
        params["quality"] = subject.quality
    if box is not None:
        params["clip"] = {
            "x": box.x,
            "y": box.y,
            "width": box.width,
            "height": box.height,
            "scale": 1,
        }
    try:
        return base64.b64decode((await tab.send("Page.captureScreenshot", params))["data"])
    except ProtocolError as error:
        raise ActionError(f"The picture could not be taken: {error.reason}.") from error


async def _joined(tab: Tab, box: Box) -> Image:
    from PIL import Image

    scale = tab.viewport.scale
    strip = math.floor(MAX_STRIP_PX / scale)
    whole = Image.new("RGB", (round(box.width * scale), round(box.height * scale)))
    for offset in range(0, math.ceil(box.height), strip):
        part = Box(box.x, box.y + offset, box.width, min(strip, box.height - offset))
        data = await _shoot(tab, Subject(), part)
        image = await asyncio.to_thread(measured(data, "png").opened)
        whole.paste(image, (0, round(offset * scale)))
    return whole
