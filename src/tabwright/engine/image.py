"""Reading image files: known by their content, turned upright, made small enough for a model."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tabwright.engine.picture import (
    MAX_PIXELS,
    ImageType,
    Limits,
    Picture,
    fitted,
    jpeg_size,
    png_size,
)
from tabwright.errors import InputError

if TYPE_CHECKING:
    from PIL.Image import Image

# No picture that we take has more.
MAX_FILE_BYTES = 4 * MAX_PIXELS
ORIENTATION = 0x0112
SUPPORTED = "PNG, JPEG, GIF and WebP images can be read."
# How other files begin, so that a refusal can say what it was.
OTHERS: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "a PDF document"),
    (b"BM", "a BMP image"),
    (b"II*\0", "a TIFF image"),
    (b"MM\0*", "a TIFF image"),
    (b"\0\0\1\0", "an icon (ICO)"),
    (b"8BPS", "a Photoshop image"),
    (b"\xff\x0a", "a JPEG XL image"),
    (b"\0\0\0\x0cJXL ", "a JPEG XL image"),
    (b"\0\0\0\x0cjP  ", "a JPEG 2000 image"),
    (b"PK\3\4", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"\x1aE\xdf\xa3", "a Matroska or WebM video"),
    (b"OggS", "an Ogg file"),
    (b"ID3", "an MP3 file"),
    (b"{\\rtf", "an RTF document"),
)
BRANDS = {
    b"avif": "an AVIF image",
    b"avis": "an AVIF image",
    b"heic": "a HEIC image",
    b"heix": "a HEIC image",
    b"mif1": "a HEIC image",
    b"qt  ": "a QuickTime video",
}


@dataclass(frozen=True)
class Seen:
    """An image file as it is shown, and how large it is itself."""

    shown: Picture
    type: ImageType
    width: int
    height: int
    size_bytes: int


@dataclass(frozen=True)
class _Loaded:
    data: bytes
    type: ImageType
    image: Image
    as_stored: bool
    """Whether the file shows just these pixels: no animation, and not on its side."""


def read(path: Path, name: str, limits: Limits) -> Seen:
    """Read an image for a model.

    Raises:
        InputError: it is no such image, or it is damaged, or it is too large to be decoded.
    """
    loaded = _loaded(path, name)
    image, kind = loaded.image, loaded.type
    shown = Picture(loaded.data, image.width, image.height, kind)
    if not (loaded.as_stored and limits.hold(shown)):
        shown = fitted(_plain(image), "jpeg" if kind == "jpeg" else "png", limits)
    return Seen(shown, kind, image.width, image.height, len(loaded.data))


def pixels(path: Path, name: str) -> Image:
    """The pixels of an image file; the same is refused as by `read`."""
    return _loaded(path, name).image.convert("RGB")


def _loaded(path: Path, name: str) -> _Loaded:
    size = path.stat().st_size
    if size > MAX_FILE_BYTES:
        raise _refused(name, f"has {size:,} bytes, more than the {MAX_FILE_BYTES:,} that are read")
    data = path.read_bytes()
    kind = detect(data)
    if kind not in READERS:
        raise _refused(name, f"is {kind}", SUPPORTED)
    width, height = _declared(data, kind, name)
    if width * height > MAX_PIXELS:
        raise _refused(
            name, f"would have {width:,} x {height:,} px, more than {MAX_PIXELS:,} in all"
        )
    image, as_stored = _decoded(data, kind, name)
    return _Loaded(data, kind, image, as_stored)  # pyright: ignore[reportArgumentType]  # one of READERS


def detect(data: bytes) -> str:
    """What a file is by its first bytes: png, jpeg, gif, webp, or what else in words."""
    head = data[:4096]
    known = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"GIF87a": "gif"}
    known[b"GIF89a"] = "gif"
    for start, kind in known.items():
        if head.startswith(start):
            return kind
    if head[:4] == b"RIFF":
        return {b"WEBP": "webp", b"WAVE": "a WAVE file"}.get(head[8:12], "a RIFF file")
    if head[4:8] == b"ftyp":
        return BRANDS.get(head[8:12], "an MP4 video")
    for start, words in OTHERS:
        if head.startswith(start):
            return words
    return _textual(head)


def _textual(head: bytes) -> str:
    if not head:
        return "empty"
    try:
        # The last character may have been cut off.
        text = head.decode("utf-8", errors="ignore" if len(head) == 4096 else "strict").lower()
    except UnicodeDecodeError:
        return "of a type that is not known"
    if "\0" in text:
        return "of a type that is not known"
    if "<svg" in text:
        return "an SVG image"
    return "an HTML page" if "<html" in text or "<!doctype html" in text else "text"


def _declared(data: bytes, kind: str, name: str) -> tuple[int, int]:
    """The size that the file's head states, before anything is decoded."""
    try:
        return READERS[kind](data)
    except (struct.error, IndexError):
        raise _refused(name, f"is a {kind.upper()} image that ends in its head") from None


def _gif(data: bytes) -> tuple[int, int]:
    return struct.unpack_from("<HH", data, 6)


def _webp(data: bytes) -> tuple[int, int]:
    chunk = data[12:16]
    if chunk == b"VP8X":
        wide, wide_high, high, high_high = struct.unpack_from("<HBHB", data, 24)
        return wide + (wide_high << 16) + 1, high + (high_high << 16) + 1
    if chunk == b"VP8L":
        bits = struct.unpack_from("<I", data, 21)[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    wide, high = struct.unpack_from("<HH", data, 26)
    return wide & 0x3FFF, high & 0x3FFF


READERS: dict[str, Callable[[bytes], tuple[int, int]]] = {
    "png": png_size,
    "jpeg": jpeg_size,
    "gif": _gif,
    "webp": _webp,
}


def _decoded(data: bytes, kind: str, name: str) -> tuple[Image, bool]:
    """The pixels of the first frame, upright, and whether the file shows just these."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data), formats=[kind.upper()]) as image:
            moves = bool(getattr(image, "is_animated", False))
            image.seek(0)
            image.load()
            turned = image.getexif().get(ORIENTATION, 1) not in (0, 1)
            upright = ImageOps.exif_transpose(image) if turned else image.copy()
            return upright, not (moves or turned)
    except (
        OSError,
        SyntaxError,
        ValueError,
        EOFError,
        UnidentifiedImageError,
        Image.DecompressionBombError,
        struct.error,
    ) as error:
        what = f"is a damaged {kind.upper()} image: {str(error).rstrip('.') or 'it cannot be read'}"
        raise _refused(name, what) from None


def _plain(image: Image) -> Image:
    """In colours that can be scaled and written: a palette or CMYK cannot."""
    if image.mode in ("RGB", "RGBA", "L"):
        return image
    if image.mode.startswith("I"):
        # Sixteen bits of grey, of which eight can be shown.
        return image.convert("F").point(lambda value: value / 256).convert("L")  # pyright: ignore[reportUnknownMemberType]  # Pillow names numpy
    clear = image.mode in ("PA", "LA", "La", "RGBa") or "transparency" in image.info
    return image.convert("RGBA" if clear else "RGB")


def _refused(name: str, what: str, hint: str = "") -> InputError:
    return InputError(f"{name!r} {what}.", hint=hint or "Give another image file.")
