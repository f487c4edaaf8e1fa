"""Pictures and prints of a page."""

from __future__ import annotations

import base64
import io
import math
from dataclasses import dataclass
from typing import Any, Literal

from tabwright.engine.cdp import ProtocolError
from tabwright.engine.tab import Tab
from tabwright.errors import (
    ActionError,
    ElementNotFound,
    ElementNotVisible,
    InputError,
    InvalidSelector,
)
from tabwright.page import script

ImageType = Literal["png", "jpeg"]
# Chromium's compositor cannot draw a surface higher than this; taller pages are joined from strips.
MAX_STRIP_PX = 8192
MAX_PICTURE_PX = 200_000_000
PAPER_INCHES = {
    "Letter": (8.5, 11.0),
    "Legal": (8.5, 14.0),
    "Tabloid": (11.0, 17.0),
    "Ledger": (17.0, 11.0),
    "A0": (33.1102, 46.811),
    "A1": (23.3858, 33.1102),
    "A2": (16.5354, 23.3858),
    "A3": (11.6929, 16.5354),
    "A4": (8.2677, 11.6929),
    "A5": (5.8268, 8.2677),
    "A6": (4.1339, 5.8268),
}


@dataclass(frozen=True)
class Box:
    """A rectangle of the document in CSS pixels."""

    x: float
    y: float
    width: float
    height: float

    def outward(self) -> Box:
        """The smallest box of whole pixels around this one."""
        left, top = math.floor(self.x), math.floor(self.y)
        right, bottom = math.ceil(self.x + self.width), math.ceil(self.y + self.height)
        return Box(left, top, right - left, bottom - top)


@dataclass(frozen=True)
class Picture:
    """An image file in memory."""

    data: bytes
    width: int
    height: int
    type: ImageType


@dataclass(frozen=True)
class Print:
    """How a page is put on paper. Sizes in inches."""

    width: float
    height: float
    margins: tuple[float, float, float, float]
    """Top, right, bottom, left."""
    landscape: bool
    background: bool
    header: str
    footer: str


async def viewport_picture(tab: Tab, kind: ImageType, quality: int | None) -> Picture:
    """What the window shows."""
    return _measured(await _shoot(tab, kind, quality, None), kind)


async def page_picture(tab: Tab, kind: ImageType, quality: int | None) -> Picture:
    """The whole page, however long."""
    size = (await tab.send("Page.getLayoutMetrics"))["cssContentSize"]
    return await box_picture(tab, Box(0, 0, size["width"], size["height"]), kind, quality)


async def element_picture(tab: Tab, selector: str, kind: ImageType, quality: int | None) -> Picture:
    """The box of the first element that matches.

    Raises:
        ElementNotFound: nothing matches.
        InvalidSelector: it cannot be parsed.
    """
    found: dict[str, Any] = await tab.run(script("box.js"), selector)
    if "invalid" in found:
        raise InvalidSelector(selector, found["invalid"])
    if "missing" in found:
        raise ElementNotFound(selector)
    box = Box(**found)
    if box.width < 1 or box.height < 1:
        raise ElementNotVisible(
            selector, f"it has no area to take a picture of ({box.width:g} x {box.height:g} px)"
        )
    return await box_picture(tab, box.outward(), kind, quality)


async def box_picture(tab: Tab, box: Box, kind: ImageType, quality: int | None) -> Picture:
    """A rectangle of the document, also beyond what the window shows."""
    scale = tab.viewport.scale
    if box.width * box.height * scale * scale > MAX_PICTURE_PX:
        raise InputError(
            f"A picture of {box.width:g} x {box.height:g} px is too large.",
            hint="Take a part of it with `clip`, or one element with `selector`.",
        )
    if box.height * scale <= MAX_STRIP_PX:
        return _measured(await _shoot(tab, kind, quality, box), kind)
    return await _joined(tab, box, kind, quality)


async def pdf(tab: Tab, how: Print) -> bytes:
    """The page as a PDF document."""
    top, right, bottom, left = how.margins
    try:
        answer = await tab.send(
            "Page.printToPDF",
            {
                "landscape": how.landscape,
                "printBackground": how.background,
                "paperWidth": how.width,
                "paperHeight": how.height,
                "marginTop": top,
                "marginRight": right,
                "marginBottom": bottom,
                "marginLeft": left,
                "displayHeaderFooter": bool(how.header or how.footer),
                "headerTemplate": how.header or "<span></span>",
                "footerTemplate": how.footer or "<span></span>",
                "generateTaggedPDF": True,
            },
        )
    except ProtocolError as error:
        raise ActionError(
            f"The page cannot be printed: {error.reason}.",
            hint="Printing needs a headless browser, and margins that leave room on the paper.",
        ) from error
    return base64.b64decode(answer["data"])


async def _shoot(tab: Tab, kind: ImageType, quality: int | None, box: Box | None) -> bytes:
    params: dict[str, Any] = {"format": kind, "captureBeyondViewport": box is not None}
    if quality is not None:
        params["quality"] = quality
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


async def _joined(tab: Tab, box: Box, kind: ImageType, quality: int | None) -> Picture:
    from PIL import Image

    scale = tab.viewport.scale
    strip = math.floor(MAX_STRIP_PX / scale)
    whole = Image.new("RGB", (round(box.width * scale), round(box.height * scale)))
    for offset in range(0, math.ceil(box.height), strip):
        part = Box(box.x, box.y + offset, box.width, min(strip, box.height - offset))
        with Image.open(io.BytesIO(await _shoot(tab, "png", None, part))) as image:
            whole.paste(image.convert("RGB"), (0, round(offset * scale)))
    out = io.BytesIO()
    options: dict[str, Any] = (
        {"quality": 80 if quality is None else quality} if kind == "jpeg" else {}
    )
    whole.save(out, kind, **options)
    return Picture(out.getvalue(), whole.width, whole.height, kind)


def _measured(data: bytes, kind: ImageType) -> Picture:
    width, height = _png_size(data) if kind == "png" else _jpeg_size(data)
    return Picture(data, width, height, kind)


def _png_size(data: bytes) -> tuple[int, int]:
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


def _jpeg_size(data: bytes) -> tuple[int, int]:
    """Read the frame header: the first marker C0..CF that is not a table."""
    at = 2
    while True:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4])
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])
        at += 2 + length
