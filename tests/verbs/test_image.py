"""read_image: what a file is by its content, upright, within the limits, and without a browser."""

from __future__ import annotations

import base64
import io
import struct
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from support.engine import do, make_settings
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager
from tabwright.engine.picture import MAX_PIXELS
from tabwright.errors import InputError, PathRefused

TALL = "<body style='margin: 0'><div style='height: {}px'></div>"
FORMATS = {"png": "PNG", "jpeg": "JPEG", "gif": "GIF", "webp": "WEBP"}


class Without:
    """A manager that fails when it is asked for a browser."""

    def __init__(self, directory: Path, **overrides: Any) -> None:
        async def launch(_: Any) -> Any:
            raise AssertionError("a browser was launched")

        self.manager = BrowserManager(make_settings(directory, **overrides), launch=launch)
        self.context = self.manager.context(working_dir=directory)


@pytest.fixture
async def reader(tmp_path: Path) -> AsyncIterator[ToolContext]:
    """A conversation that has no browser."""
    made = Without(tmp_path)
    yield made.context
    assert made.manager.sessions() == []
    await made.manager.stop()


def picture(width: int = 40, height: int = 30, mode: str = "RGB") -> Image.Image:
    image = Image.new("RGB", (width, height), "white")
    image.paste("red", (0, 0, width // 2, height // 2))
    return image.convert(mode)


def shown(result: Any) -> Image.Image:
    with Image.open(io.BytesIO(base64.b64decode(result.data))) as image:
        assert Image.MIME[str(image.format)] == result.mime_type
        assert image.size == (result.shown_width, result.shown_height)
        image.load()
        return image.copy()


@pytest.mark.proves("S2-BT-006")
@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("name", ["plain", "image.png", "image.jpg", "notes.txt"])
async def test_an_image_is_known_by_its_content_and_not_by_its_name(
    reader: ToolContext, tmp_path: Path, kind: str, name: str
):
    picture().save(tmp_path / name, FORMATS[kind])
    read = await do(reader, "read_image", path=name)
    assert read.type == kind
    assert (read.width, read.height, read.scale) == (40, 30, 1)
    assert base64.b64decode(read.data) == (tmp_path / name).read_bytes()
    assert read.pictures() == [(f"image/{kind}", read.data)]
    assert shown(read).size == (40, 30)


OTHERS: dict[str, bytes] = {
    "a PDF document": b"%PDF-1.7\n",
    "a BMP image": b"BM\x36\x00\x00\x00",
    "a TIFF image": b"II*\0\x08\0\0\0",
    "an SVG image": b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>",
    "an HTML page": b"<!doctype html><title>x</title>",
    "text": b"just words",
    "a ZIP archive": b"PK\3\4....",
    "an AVIF image": b"\0\0\0\x1cftypavif\0\0\0\0",
    "a HEIC image": b"\0\0\0\x1cftypheic\0\0\0\0",
    "an MP4 video": b"\0\0\0\x1cftypisom\0\0\0\0",
    "a WAVE file": b"RIFF\0\0\0\0WAVEfmt ",
    "empty": b"",
    "of a type that is not known": bytes(range(128, 256)),
}


@pytest.mark.proves("S2-BT-006")
@pytest.mark.parametrize("kind", OTHERS)
async def test_another_type_is_refused_by_its_name(reader: ToolContext, tmp_path: Path, kind: str):
    (tmp_path / "photo.png").write_bytes(OTHERS[kind])
    with pytest.raises(InputError) as caught:
        await do(reader, "read_image", path="photo.png")
    assert f"'photo.png' is {kind}." in caught.value.message
    assert "PNG, JPEG, GIF and WebP" in caught.value.hint


@pytest.mark.proves("S2-BT-006")
@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("size", [(4000, 500), (500, 4000), (1569, 1569)])
async def test_an_oversized_image_is_reduced(
    reader: ToolContext, tmp_path: Path, kind: str, size: tuple[int, int]
):
    picture(*size).save(tmp_path / "big", FORMATS[kind])
    read = await do(reader, "read_image", path="big")
    assert (read.width, read.height) == size
    image = shown(read).convert("RGB")
    assert max(image.size) == 1568
    assert abs(image.width / image.height - size[0] / size[1]) < 0.02
    assert image.getpixel((image.width // 4, image.height // 4))[1] < 40, "the red part is kept"
    assert f"shown as {image.width} x {image.height} px (x {read.scale})" in read.text()


@pytest.mark.parametrize("kind", ["png", "jpeg"])
async def test_an_image_of_too_many_bytes_is_made_coarser_or_smaller(tmp_path: Path, kind: str):
    limit = 60_000
    made = Without(tmp_path, **{"browser.screenshots.maxBytes": limit})
    noise = Image.effect_noise((900, 700), 90).convert("RGB")
    noise.save(tmp_path / "noise", FORMATS[kind])
    read = await do(made.context, "read_image", path="noise")
    assert len(read.data) <= limit
    assert shown(read).size < (900, 700)
    await made.manager.stop()


@pytest.mark.proves("S2-BT-006")
@pytest.mark.parametrize("kind", ["gif", "webp", "png"])
async def test_of_an_animation_the_first_picture_is_shown(
    reader: ToolContext, tmp_path: Path, kind: str
):
    frames = [Image.new("RGB", (20, 10), colour) for colour in ("red", "lime", "blue")]
    frames[0].save(
        tmp_path / "moving", FORMATS[kind], save_all=True, append_images=frames[1:], lossless=True
    )
    read = await do(reader, "read_image", path="moving")
    assert (read.type, read.mime_type) == (kind, "image/png")
    image = shown(read)
    assert not getattr(image, "is_animated", False)
    assert image.convert("RGB").getcolors() == [(200, (255, 0, 0))]


@pytest.mark.proves("S2-BT-006")
@pytest.mark.parametrize("kind", ["jpeg", "png", "webp"])
@pytest.mark.parametrize("orientation", range(1, 9))
async def test_an_image_is_turned_upright(
    reader: ToolContext, tmp_path: Path, kind: str, orientation: int
):
    upright = picture(40, 24)
    back = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}
    stored = upright.transpose(back[orientation]) if orientation > 1 else upright
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored.save(tmp_path / "photo", FORMATS[kind], exif=exif)
    read = await do(reader, "read_image", path="photo")
    image = shown(read).convert("RGB")
    assert (read.width, read.height) == image.size == (40, 24)
    assert image.getpixel((4, 4))[1] < 60
    assert min(image.getpixel((35, 4))[1], image.getpixel((4, 20))[1]) > 200


@pytest.mark.proves("S2-BT-006")
async def test_a_missing_file_is_said_to_be_missing(reader: ToolContext, tmp_path: Path):
    with pytest.raises(InputError) as caught:
        await do(reader, "read_image", path="nowhere.png")
    assert "'nowhere.png' does not exist" in caught.value.message
    assert str(tmp_path / "nowhere.png") in caught.value.hint


async def test_a_directory_is_no_image(reader: ToolContext, tmp_path: Path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="is a directory"):
        await do(reader, "read_image", path="folder")


@pytest.mark.parametrize("path", ["/etc/passwd", "../../outside.png"])
async def test_a_file_outside_the_roots_is_not_read(
    reader: ToolContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "own"))
    with pytest.raises(PathRefused):
        await do(reader, "read_image", path=path)


def bomb(kind: str) -> bytes:
    """A small file that says it is huge."""
    if kind == "png":
        head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
        chunk = b"IHDR" + head
        return (
            b"\x89PNG\r\n\x1a\n"
            + struct.pack(">I", len(head))
            + chunk
            + struct.pack(">I", zlib.crc32(chunk))
        )
    if kind == "gif":
        return b"GIF89a" + struct.pack("<HH", 65_000, 65_000) + b"\0\0\0;"
    if kind == "webp":
        return b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + (b"\xff\xff\x00" * 2)
    return b"\xff\xd8\xff\xc0\x00\x11\x08" + struct.pack(">HH", 65_000, 65_000) + b"\x03" * 10


@pytest.mark.proves("S2-BT-006")
@pytest.mark.parametrize("kind", FORMATS)
async def test_an_image_that_would_fill_the_memory_is_refused_before_it_is_decoded(
    reader: ToolContext, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
):
    def never(*_: Any, **__: Any) -> Any:
        raise AssertionError("it was decoded")

    monkeypatch.setattr(Image, "open", never)
    (tmp_path / "bomb").write_bytes(bomb(kind))
    with pytest.raises(InputError, match=r"would have 6\d,\d{3} x 6\d,\d{3} px"):
        await do(reader, "read_image", path="bomb")


@pytest.mark.proves("S2-BT-006")
@settings(max_examples=150)
@given(
    kind=st.sampled_from(sorted(FORMATS)),
    keep=st.floats(0, 1),
    hits=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=8),
)
async def test_a_damaged_file_is_refused_or_shown_but_never_a_defect(
    reader: ToolContext, tmp_path: Path, kind: str, keep: float, hits: list[tuple[float, int]]
):
    out = io.BytesIO()
    picture(64, 48).save(out, FORMATS[kind])
    data = bytearray(out.getvalue())
    for at, byte in hits:
        data[min(int(at * len(data)), len(data) - 1)] = byte
    (tmp_path / "damaged").write_bytes(bytes(data[: int(keep * len(data))]))
    outcome = await call(reader, "read_image", {"path": "damaged"})
    if outcome.error is None:
        assert max(shown(outcome.unwrap()).size) <= 1568
    else:
        assert outcome.error.code == "VALIDATION_ERROR", outcome.error


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp"])
async def test_a_truncated_image_is_said_to_be_damaged(
    reader: ToolContext, tmp_path: Path, kind: str
):
    out = io.BytesIO()
    Image.effect_noise((200, 200), 50).save(out, FORMATS[kind])
    (tmp_path / "half").write_bytes(out.getvalue()[: out.tell() // 2])
    with pytest.raises(InputError, match=f"is a damaged {kind.upper()} image"):
        await do(reader, "read_image", path="half")


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "CMYK", "I;16"])
async def test_images_in_other_colours_are_reduced_too(
    reader: ToolContext, tmp_path: Path, mode: str
):
    image = picture(2000, 100).convert("L" if mode == "I;16" else mode)
    if mode == "I;16":
        image = Image.frombytes(
            "I;16", image.size, bytes(b for v in image.tobytes() for b in (0, v))
        )
    image.save(tmp_path / "odd", "JPEG" if mode == "CMYK" else "PNG")
    read = await do(reader, "read_image", path="odd")
    seen = shown(read).convert("L")
    assert seen.width == 1568
    assert seen.getpixel((5, 5)) < 100
    assert seen.getpixel((1500, 5)) > 200


@pytest.mark.proves("S2-BT-003c")
async def test_the_path_of_a_screenshot_is_seen_with_read_image(context: ToolContext):
    shot = await do(context, "screenshot", path="page.png")
    read = await do(context, "read_image", path="page.png")
    assert read.pictures() == [("image/png", read.data)]
    assert base64.b64decode(read.data) == Path(shot.path).read_bytes()


@pytest.mark.proves("S2-BT-003c")
async def test_the_largest_picture_that_is_taken_can_be_read_and_compared_with(
    context: ToolContext, site: Site
):
    most = MAX_PIXELS // 1280
    await do(context, "navigate", url=site.page("/image/tall", TALL.format(most + 1)))
    with pytest.raises(InputError, match="80,000,000"):
        await do(context, "screenshot", fullPage=True)
    await do(context, "navigate", url=site.page("/image/tall", TALL.format(most)))
    shot = await do(context, "screenshot", fullPage=True, path="tall.png")
    assert (shot.width, shot.height) == (1280, most)
    seen = await do(context, "read_image", path="tall.png")
    assert (seen.width, seen.height) == (1280, most)
    again = await do(context, "screenshot", clip="0,0,100,100", baseline="tall.png")
    assert again.difference.size == f"1280 x {most}"
