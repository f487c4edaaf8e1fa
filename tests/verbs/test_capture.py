"""Pictures and prints: the right size, the right kind, in the right place."""

from __future__ import annotations

import base64
import io
import re
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from support.engine import do, session_of, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.errors import ElementNotFound, InputError, InvalidSelector, PathRefused

MAGIC = {"png": b"\x89PNG\r\n\x1a\n", "jpeg": b"\xff\xd8\xff"}
relaxed = settings(max_examples=100)


async def show(context: ToolContext, body: str) -> None:
    """Put a document into the page without a server."""
    script = "(html) => { document.open(); document.write(html); document.close(); }"
    html = f"<!doctype html><body style='margin: 0'>{body}"
    await do(context, "evaluate", expression=script, args=[html])


def picture(path: str) -> Image.Image:
    """The picture, checked and read whole."""
    with Image.open(path) as image:
        image.verify()
    with Image.open(path) as image:
        image.load()
        return image


@pytest.mark.proves("S0-14", "S3-5.1", "U-03")
async def test_a_screenshot_is_of_the_window_and_comes_inline(context: ToolContext):
    await show(context, "<div style='height: 3000px'>tall</div>")
    outcome = await call(context, "screenshot", {})
    result = outcome.as_dict()["result"]
    data = base64.b64decode(result["data"], validate=True)
    assert data == Path(result["path"]).read_bytes()
    assert data.startswith(MAGIC["png"])
    assert Image.open(io.BytesIO(data)).size == (1280, 720)
    assert (result["width"], result["height"], result["mimeType"]) == (1280, 720, "image/png")
    assert result["sizeBytes"] == len(data)
    assert stat.S_IMODE(Path(result["path"]).stat().st_mode) == 0o600


@pytest.mark.proves("S0-14")
async def test_a_screenshot_has_the_pixels_of_the_device(context: ToolContext):
    await do(context, "resize", width=200, height=100)
    tab = (await session_of(context)).current
    tab.viewport.scale = 2
    await tab.apply_viewport()
    shot = await do(context, "screenshot")
    assert (shot.width, shot.height) == picture(shot.path).size == (400, 200)


@pytest.mark.proves("S2-BT-003a", "U-03")
async def test_a_screenshot_goes_to_the_path_and_only_there(context: ToolContext, tmp_path: Path):
    shot = await do(context, "screenshot", path="shots/login.png")
    assert shot.path == str(tmp_path / "shots/login.png")
    assert shot.data is None
    assert picture(shot.path).size == (1280, 720)
    assert [path.name for path in (tmp_path / "shots").iterdir()] == ["login.png"]


async def test_a_screenshot_shows_what_the_window_shows(context: ToolContext):
    await show(context, "<div style='height: 720px; background: red'></div>" * 2)
    await do(context, "evaluate", expression="document.body.lastChild.style.background = 'blue'")
    await do(context, "evaluate", expression="scrollTo(0, 720)")
    shot = await do(context, "screenshot")
    assert picture(shot.path).convert("RGB").getpixel((640, 360)) == (0, 0, 255)


@pytest.mark.proves("S0-15")
async def test_a_full_page_shows_all_of_it(context: ToolContext):
    await show(context, "<div style='height: 3000px; background: lime'></div>")
    shot = await do(context, "screenshot", fullPage=True)
    image = picture(shot.path)
    assert (shot.width, shot.height) == image.size
    assert shot.height == 3000
    assert image.convert("RGB").getpixel((640, 2999)) == (0, 255, 0)


# Feature: browser-automation, Property 15: Full page screenshot dimensions
@pytest.mark.proves("S3-P15")
@relaxed
@given(height=st.integers(1, 16_384), scale=st.sampled_from([1, 2]), sticky=st.booleans())
async def test_a_full_page_is_as_high_as_its_content(
    context: ToolContext, height: int, scale: int, sticky: bool
):
    await do(context, "resize", width=16, height=32)
    tab = (await session_of(context)).current
    tab.viewport.scale = scale
    await tab.apply_viewport()
    head = "<div style='position: sticky; top: 0; height: 9px'>x</div>" if sticky else ""
    await show(context, f"{head}<div style='height: {height}px'></div>")
    shot = await do(context, "screenshot", fullPage=True)
    assert shot.height >= await value(context, "document.documentElement.scrollHeight") * scale
    with Image.open(shot.path) as image:
        assert image.size == (shot.width, shot.height)


async def test_a_page_of_20000_pixels_is_joined_without_a_seam(context: ToolContext):
    await do(context, "resize", width=64, height=64)
    bands = "".join(
        f"<div style='height: 1000px; background: rgb({n * 10}, 0, {255 - n * 10})'></div>"
        for n in range(20)
    )
    await show(context, bands)
    shot = await do(context, "screenshot", fullPage=True)
    image = picture(shot.path).convert("RGB")
    assert image.height == 20_000
    for n in range(20):
        colour = (n * 10, 0, 255 - n * 10)
        assert [image.getpixel((9, n * 1000 + y)) for y in (0, 999)] == [colour, colour]


@pytest.mark.proves("S2-BT-003b")
async def test_an_element_alone_has_the_size_of_its_box(context: ToolContext):
    await show(context, "<p>above</p><b id=me style='display: block; width: 123px; height: 45px'>")
    for selector in ("#me", "//b[@id='me']", "xpath=//b"):
        shot = await do(context, "screenshot", selector=selector)
        assert (shot.width, shot.height) == picture(shot.path).size
        assert abs(shot.width - 123) <= 2
        assert abs(shot.height - 45) <= 2


@pytest.mark.proves("S2-BT-003b")
async def test_an_element_that_is_not_there_is_said_to_be_missing(context: ToolContext):
    with pytest.raises(ElementNotFound) as caught:
        await do(context, "screenshot", selector="#nowhere")
    assert caught.value.code == "ELEMENT_NOT_FOUND"
    assert "'#nowhere'" in caught.value.message


@pytest.mark.parametrize(
    "selector", ["#[", "//[", "p:nope", "';drop table--", "<script>x</script>"]
)
async def test_a_selector_that_cannot_be_read_is_refused(context: ToolContext, selector: str):
    with pytest.raises(InvalidSelector) as caught:
        await do(context, "screenshot", selector=selector)
    assert caught.value.code == "INVALID_SELECTOR"


# Feature: browser-automation, Property 16: Element screenshot bounds
@pytest.mark.proves("S3-P16")
@relaxed
@given(
    width=st.floats(1, 400),
    height=st.floats(1, 400),
    left=st.floats(0, 2000),
    top=st.floats(0, 3000),
    scroll=st.integers(0, 3000),
)
async def test_an_element_is_within_two_pixels_of_its_box(
    context: ToolContext, width: float, height: float, left: float, top: float, scroll: int
):
    style = f"left: {left}px; top: {top}px; width: {width}px; height: {height}px"
    await show(context, f"<p id=me style='position: absolute; margin: 0; {style}'>")
    await do(context, "evaluate", expression=f"scrollTo({scroll}, {scroll})")
    box = await value(context, "const b = me.getBoundingClientRect(); [b.width, b.height]")
    shot = await do(context, "screenshot", selector="#me", encoding="path")
    assert abs(shot.width - box[0]) <= 2
    assert abs(shot.height - box[1]) <= 2


async def test_an_element_below_the_window_is_shown_itself(context: ToolContext):
    await show(
        context,
        "<div style='height: 5000px'></div>"
        "<p id=me style='margin: 0; width: 50px; height: 50px; background: red'>",
    )
    shot = await do(context, "screenshot", selector="#me")
    assert picture(shot.path).convert("RGB").getcolors() == [(50 * 50, (255, 0, 0))]


async def test_an_element_that_is_fixed_to_the_window_is_shown_itself(context: ToolContext):
    await show(
        context,
        "<div style='height: 5000px'></div><p id=me style='position: fixed; left: 5px; top: 6px;"
        " margin: 0; width: 50px; height: 50px; background: red'>",
    )
    await do(context, "evaluate", expression="scrollTo(0, 1000)")
    shot = await do(context, "screenshot", selector="#me")
    assert picture(shot.path).convert("RGB").getcolors() == [(50 * 50, (255, 0, 0))]


async def test_an_element_that_is_scrolled_out_of_its_box_is_shown_itself(context: ToolContext):
    await show(
        context,
        "<div style='height: 100px; overflow: auto'><div style='height: 700px'></div>"
        "<p id=me style='margin: 0; width: 50px; height: 50px; background: red'></div>",
    )
    shot = await do(context, "screenshot", selector="#me")
    assert picture(shot.path).convert("RGB").getcolors() == [(50 * 50, (255, 0, 0))]


@pytest.mark.proves("U-04")
@pytest.mark.parametrize("clip", ["10,2000,30,40", {"x": 10, "y": 2000, "width": 30, "height": 40}])
async def test_a_clip_is_that_part_of_the_document(context: ToolContext, clip: Any):
    await show(
        context,
        "<div style='height: 3000px; background: white'></div><p style='position: absolute;"
        " left: 10px; top: 2000px; width: 30px; height: 40px; margin: 0; background: blue'>",
    )
    shot = await do(context, "screenshot", clip=clip)
    assert picture(shot.path).convert("RGB").getcolors() == [(30 * 40, (0, 0, 255))]


@pytest.mark.proves("U-04")
@pytest.mark.parametrize(
    "both",
    [
        {"selector": "p", "fullPage": True},
        {"clip": "0,0,1,1", "fullPage": True},
        {"selector": "p", "clip": "0,0,1,1"},
    ],
)
async def test_at_most_one_of_selector_clip_and_full_page(
    context: ToolContext, both: dict[str, Any]
):
    with pytest.raises(InputError, match="at most one"):
        await do(context, "screenshot", **both)


# Feature: browser-automation, Property 8: Screenshot format validity
@pytest.mark.proves("S3-P08")
@relaxed
@given(
    kind=st.sampled_from(["png", "jpeg"]),
    encoding=st.sampled_from(["base64", "path"]),
    named=st.booleans(),
    full=st.booleans(),
    quality=st.none() | st.integers(0, 100),
)
async def test_a_screenshot_is_of_the_kind_that_was_asked_for(
    context: ToolContext, kind: str, encoding: str, named: bool, full: bool, quality: int | None
):
    asked: dict[str, Any] = {"type": kind, "encoding": encoding, "fullPage": full}
    if named:
        asked["path"] = f"named.{kind}"
    if quality is not None and kind == "jpeg":
        asked["quality"] = quality
    await do(context, "resize", width=64, height=48)
    shot = await do(context, "screenshot", **asked)
    data = Path(shot.path).read_bytes()
    assert data.startswith(MAGIC[kind])
    assert picture(shot.path).format == kind.upper()
    assert shot.mime_type == f"image/{kind}"
    inline = base64.b64decode(shot.data, validate=True) if shot.data else None
    assert inline == (data if encoding == "base64" else None)


@pytest.mark.parametrize(("name", "kind"), [("a.jpg", "JPEG"), ("a.JPEG", "JPEG"), ("a.x", "PNG")])
async def test_the_ending_of_the_path_says_the_kind(context: ToolContext, name: str, kind: str):
    assert picture((await do(context, "screenshot", path=name)).path).format == kind


NOISE = """() => {
  document.body.innerHTML = "<canvas width=160 height=120 style='display: block'></canvas>";
  const pen = document.querySelector("canvas").getContext("2d");
  let seed = SEED;
  for (let x = 0; x < 160; x += 2) for (let y = 0; y < 120; y += 2) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    pen.fillStyle = `hsl(${seed % 360} 80% ${seed % 100}%)`;
    pen.fillRect(x, y, 2, 2);
  }
}"""


# Feature: browser-automation, Property 17: Screenshot quality affects size
@pytest.mark.proves("S3-P17")
@relaxed
@given(seed=st.integers(1, 2**31 - 1))
async def test_a_jpeg_grows_with_its_quality(context: ToolContext, seed: int):
    await do(context, "resize", width=160, height=120)
    await do(context, "evaluate", expression=NOISE.replace("SEED", str(seed)))
    sizes = [
        (await do(context, "screenshot", type="jpeg", quality=quality)).size_bytes
        for quality in (10, 50, 90)
    ]
    assert sizes[0] < sizes[1] < sizes[2]


async def test_quality_goes_with_jpeg_only(context: ToolContext):
    with pytest.raises(InputError, match=re.escape("`quality` goes with type 'jpeg' only")):
        await do(context, "screenshot", quality=50)


@pytest.mark.proves("U-24")
@pytest.mark.parametrize("verb", ["screenshot", "pdf"])
@pytest.mark.parametrize("name", ["../../out.png", "/etc/out.png", "%2e%2e/out.png", "..\\out.png"])
async def test_a_file_outside_the_roots_is_not_written(
    context: ToolContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str, name: str
):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "own"))
    with pytest.raises(PathRefused) as caught:
        await do(context, verb, path=name)
    assert caught.value.code == "PERMISSION_DENIED"
    assert list(tmp_path.rglob("*out*")) == []
    assert not any((folder / "out.png").exists() for folder in (*tmp_path.parents, Path("/etc")))


async def test_a_directory_is_no_file_to_write(context: ToolContext, tmp_path: Path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="is a directory"):
        await do(context, "screenshot", path="folder")


async def test_a_file_that_is_there_is_replaced_whole(
    context: ToolContext, site: Site, tmp_path: Path
):
    (tmp_path / "old.png").write_bytes(b"old" * 100_000)
    shot = await do(context, "screenshot", path="old.png")
    assert picture(shot.path).size == (1280, 720)
    assert [path.name for path in tmp_path.iterdir()] == ["old.png"]
