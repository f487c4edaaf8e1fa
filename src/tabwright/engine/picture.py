"""Pictures: image files in memory, how large one may be for a model, and cutting one to tiles."""

from __future__ import annotations

import io
import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from PIL.Image import Image

    from tabwright.config import Settings

ImageType = Literal["png", "jpeg", "gif", "webp"]
# Of any picture that is taken, read or compared: decoded, it takes four bytes for each pixel.
MAX_PIXELS = 80_000_000
JPEG_QUALITY = 80
# What is tried on a picture that has too many bytes, before it is made smaller.
COARSER_QUALITIES = (60, 40)
PALETTE = 256
FAST_OCTREE = 2
"""Pillow's only way to fewer colours that knows transparency."""
SHRINK = 0.75


@dataclass(frozen=True)
class Box:
    """A rectangle: of the document in CSS pixels, or of a picture in its own."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Where it ends."""
        return self.y + self.height

    def outward(self) -> Box:
        """The smallest box of whole pixels around this one."""
        left, top = math.floor(self.x), math.floor(self.y)
        return Box(left, top, math.ceil(self.right) - left, math.ceil(self.bottom) - top)

    def meet(self, other: Box) -> Box | None:
        """What both have in common."""
        left, top = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Box(left, top, right - left, bottom - top) if right > left and bottom > top else None

    def within(self, area: Box, width: int, height: int) -> Box:
        """This box on a picture of that size, which shows the area."""
        across, down = width / area.width, height / area.height
        return Box(
            (self.x - area.x) * across,
            (self.y - area.y) * down,
            self.width * across,
            self.height * down,
        )


@dataclass(frozen=True)
class Picture:
    """An image file in memory."""

    data: bytes
    width: int
    height: int
    type: ImageType

    @property
    def mime_type(self) -> str:
        """What it is."""
        return f"image/{self.type}"

    @property
    def suffix(self) -> str:
        """How the name of its file ends."""
        return ".jpg" if self.type == "jpeg" else f".{self.type}"

    def opened(self) -> Image:
        """Its pixels. Not by `Image.open`, which warns of large ones: these are our own."""
        from PIL.JpegImagePlugin import JpegImageFile
        from PIL.PngImagePlugin import PngImageFile

        reader = JpegImageFile if self.type == "jpeg" else PngImageFile
        with reader(io.BytesIO(self.data)) as image:
            return image.convert("RGB")


@dataclass(frozen=True)
class Limits:
    """The largest picture that a model is shown."""

    max_side: int
    max_bytes: int
    """Of the picture as base64: that is what is sent, and what is counted."""

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        """As they are configured."""
        wanted = settings.browser.screenshots
        return cls(wanted.max_side, wanted.max_bytes)

    def size(self, width: int, height: int) -> tuple[int, int]:
        """How large a picture of this size is shown."""
        factor = min(1.0, self.max_side / max(width, height))
        return max(1, round(width * factor)), max(1, round(height * factor))

    def hold(self, picture: Picture) -> bool:
        """Whether it can be shown as it is."""
        return max(picture.width, picture.height) <= self.max_side and self.can_carry(picture.data)

    def can_carry(self, data: bytes) -> bool:
        """Whether this many bytes can be shown."""
        return math.ceil(len(data) / 3) * 4 <= self.max_bytes


def measured(data: bytes, kind: ImageType) -> Picture:
    """A PNG or JPEG file with its size, read from its head."""
    width, height = png_size(data) if kind == "png" else jpeg_size(data)
    return Picture(data, width, height, kind)


def encoded(image: Image, kind: ImageType, quality: int | None = None) -> Picture:
    """Pixels as a file."""
    out = io.BytesIO()
    if kind == "jpeg":
        image.convert("RGB").save(out, "JPEG", quality=JPEG_QUALITY if quality is None else quality)
    else:
        image.save(out, "PNG")
    return Picture(out.getvalue(), image.width, image.height, kind)


def resized(image: Image, size: tuple[int, int]) -> Image:
    """The pixels in another size."""
    from PIL import Image as Images

    if image.size == size:
        return image
    # The gap lets large pictures be halved cheaply first; text stays as sharp.
    sharp = Images.Resampling.LANCZOS
    return image.resize(size, sharp, reducing_gap=3.0)  # pyright: ignore[reportUnknownMemberType]  # Pillow names numpy


def fitted(image: Image, kind: ImageType, limits: Limits, quality: int | None = None) -> Picture:
    """Pixels as a file that a model can be shown.

    Fewer colours or a coarser JPEG come first; only then is it made smaller still.
    """
    image = resized(image, limits.size(image.width, image.height))
    while True:
        for picture in _coarser(image, kind, quality):
            if limits.can_carry(picture.data):
                return picture
        image = resized(image, _shrunk(image.size))


def tile_boxes(width: int, height: int, limits: Limits) -> list[Box]:
    """A picture cut from top to bottom into parts that can be shown as large as its width allows.

    All but the last are equally high.
    """
    shown = min(1.0, limits.max_side / width)
    high = max(1, math.floor(limits.max_side / shown))
    return [Box(0, top, width, min(high, height - top)) for top in range(0, height, high)]


def _coarser(image: Image, kind: ImageType, quality: int | None) -> Iterator[Picture]:
    yield encoded(image, kind, quality)
    if kind == "jpeg":
        first = JPEG_QUALITY if quality is None else quality
        for step in COARSER_QUALITIES:
            if step < first:
                yield encoded(image, "jpeg", step)
    else:
        yield encoded(image.quantize(PALETTE, method=FAST_OCTREE), "png")


def _shrunk(size: tuple[int, int]) -> tuple[int, int]:
    return max(1, math.floor(size[0] * SHRINK)), max(1, math.floor(size[1] * SHRINK))


def png_size(data: bytes) -> tuple[int, int]:
    """Width and height by the file's head.

    Raises:
        struct.error: it ends before.
    """
    return struct.unpack_from(">II", data, 16)


def jpeg_size(data: bytes) -> tuple[int, int]:
    """Width and height by the frame header: the first marker C0..CF that is not a table.

    Raises:
        struct.error, IndexError: it ends before, or is no such file.
    """
    at = 2
    while True:
        if data[at] != 0xFF:
            raise IndexError
        marker = data[at + 1]
        if marker == 0xFF or 0xD0 <= marker <= 0xD7 or marker == 0x01:
            at += 1 if marker == 0xFF else 2
            continue
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            high, wide = struct.unpack_from(">HH", data, at + 5)
            return wide, high
        at += 2 + struct.unpack_from(">H", data, at + 2)[0]
