"""Pictures for models: within the limits, in tiles, with refs on them, against a baseline."""

from __future__ import annotations

import base64
import io
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from support.engine import do, make_settings, session_of, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager
from tabwright.errors import InputError

BAND_PX = 1000


async def show(context: ToolContext, body: str) -> None:
    """Put a document into the page without a server."""
    script = "(html) => { document.open(); document.write(html); document.close(); }"
    html = f"<!doctype html><body style='margin: 0'>{body}"
    await do(context, "evaluate", expression=script, args=[html])


def seen(shot: Any) -> Image.Image:
    """The picture as it is shown."""
    with Image.open(io.BytesIO(base64.b64decode(shot.data))) as image:
        image.load()
        return image


def stored(path: str) -> Image.Image:
    with Image.open(path) as image:
        image.load()
        return image


def bands(count: int) -> str:
    """A tall page whose colours say where on it one is."""
    return "".join(
        f"<div style='height: {BAND_PX}px; background: rgb({n * 10}, 0, {255 - n * 10})'></div>"
        for n in range(count)
    )


@pytest.mark.proves("S2-BT-003d")
async def test_a_page_of_20000_pixels_is_shown_within_the_limit_and_saved_whole(
    context: ToolContext,
):
    await show(context, bands(20))
    shot = await do(context, "screenshot", fullPage=True)
    assert stored(shot.path).size == (shot.width, shot.height) == (1280, 20_000)
    assert seen(shot).size == (shot.shown.width, shot.shown.height) == (100, 1568)
    assert len(shot.data) <= 5 * 1024 * 1024
    assert shot.shown.scale == pytest.approx(0.0784, abs=0.001)
    assert "1280 x 20000 px image/png" in shot.text()
    assert "shown as 100 x 1568 px (x 0.0781)" in shot.text()
    assert seen(shot).convert("RGB").getpixel((50, 1560)) == (190, 0, 65)


@pytest.mark.proves("S2-BT-003d")
@pytest.mark.parametrize("scale", [2, 3])
async def test_a_window_of_many_pixels_is_reduced(context: ToolContext, scale: int):
    tab = (await session_of(context)).current
    tab.viewport.scale = scale
    await tab.apply_viewport()
    shot = await do(context, "screenshot")
    assert stored(shot.path).size == (1280 * scale, 720 * scale)
    assert seen(shot).size == (1568, 882)
    assert shot.mime_type == "image/png"
    assert seen(shot).format == "PNG"


async def test_a_picture_on_the_limit_is_shown_as_it_is(context: ToolContext):
    await do(context, "resize", width=1568, height=100)
    shot = await do(context, "screenshot")
    assert shot.shown is None
    assert base64.b64decode(shot.data) == Path(shot.path).read_bytes()
    await do(context, "resize", width=1569, height=100)
    assert (await do(context, "screenshot")).shown.width == 1568


@pytest.fixture
async def small(tmp_path: Path) -> AsyncIterator[ToolContext]:
    """A conversation whose model takes small pictures only."""
    limits = {"browser.screenshots.maxSide": 400, "browser.screenshots.maxBytes": 30_000}
    manager = BrowserManager(make_settings(tmp_path, **limits), execute=call)
    yield manager.context(working_dir=tmp_path)
    await manager.stop()


@pytest.mark.proves("S1-05")
async def test_a_picture_is_saved_in_the_media_directory_under_a_name_of_its_own(tmp_path: Path):
    media = tmp_path / "media"
    settings = make_settings(tmp_path, **{"paths.screenshotDir": str(media)})
    manager = BrowserManager(settings, execute=call)
    context = manager.context(working_dir=tmp_path)
    shots = [await do(context, "screenshot") for _ in range(2)]
    shots.append(await do(context, "screenshot", fullPage=True, type="jpeg"))
    await manager.stop()
    assert len({shot.path for shot in shots}) == 3
    for shot in shots:
        path = Path(shot.path)
        assert path.parent == media
        assert str(uuid.UUID(path.stem)) == path.stem
        assert stored(shot.path).size == (1280, 720)
        assert shot.path in shot.text()
    assert [stored(shot.path).format for shot in shots] == ["PNG", "PNG", "JPEG"]


NOISE = """() => {
  document.body.innerHTML = "<canvas width=800 height=600 style='display: block'></canvas>";
  const pen = document.querySelector("canvas").getContext("2d");
  let seed = 7;
  for (let x = 0; x < 800; x += 2) for (let y = 0; y < 600; y += 2) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    pen.fillStyle = `hsl(${seed % 360} 80% ${seed % 100}%)`;
    pen.fillRect(x, y, 2, 2);
  }
}"""


@pytest.mark.proves("S2-BT-003d")
async def test_the_limits_are_configurable(small: ToolContext):
    await do(small, "evaluate", expression=NOISE)
    for kind in ("png", "jpeg"):
        shot = await do(small, "screenshot", type=kind)
        assert (shot.width, shot.height) == stored(shot.path).size == (1280, 720)
        assert max(seen(shot).size) <= 400
        assert len(shot.data) <= 30_000
        assert seen(shot).format == kind.upper()
        read = await do(small, "read_image", path=shot.path)
        assert (read.shown_width, read.shown_height) == (shot.shown.width, shot.shown.height)


async def test_a_picture_that_is_hard_to_read_offers_tiles(context: ToolContext):
    await show(context, bands(5))
    outcome = await call(context, "screenshot", {"fullPage": True})
    (action,) = outcome.next_actions
    assert (action.verb, action.params) == ("screenshot", {"fullPage": True, "tiles": True})
    assert (await call(context, action.verb, action.params)).next_actions == []


async def test_a_tall_page_comes_in_tiles_that_can_be_read(context: ToolContext, tmp_path: Path):
    await show(context, bands(5))
    shot = await do(context, "screenshot", path="page.png", fullPage=True, tiles=True)
    assert stored(str(tmp_path / "page.png")).size == (1280, 5000)
    assert [tile.top for tile in shot.tiles] == [0, 1568, 3136, 4704]
    assert [Path(tile.path).name for tile in shot.tiles] == [f"page-{n}.png" for n in range(1, 5)]
    assert [tile.id for tile in shot.tiles] == ["s1", "s2", "s3", "s4"]
    for tile in shot.tiles:
        image = stored(tile.path).convert("RGB")
        assert image.size == (tile.width, tile.height)
        assert max(image.size) <= 1568
        n = (tile.top + 10) // BAND_PX
        assert image.getpixel((640, 10)) == (n * 10, 0, 255 - n * 10)
    assert sum(tile.height for tile in shot.tiles) == 5000
    assert len(shot.files()) == 5


async def test_the_first_tile_is_shown(context: ToolContext):
    await show(context, bands(3))
    shot = await do(context, "screenshot", fullPage=True, tiles=True)
    assert base64.b64decode(shot.data) == Path(shot.tiles[0].path).read_bytes()
    assert shot.id == shot.tiles[0].id
    assert shot.shown is None
    assert (shot.width, shot.height) == (1280, 3000)


async def test_a_picture_that_fits_has_no_tiles(context: ToolContext):
    shot = await do(context, "screenshot", tiles=True)
    assert shot.tiles is None
    assert seen(shot).size == (1280, 720)


CONTROLS = """
  <button id=save>Save</button> <a href=#x>More</a> <input aria-label=Name> <p>words</p>
  <div style='cursor: pointer; width: 50px; height: 20px'>Card</div>
  <button style='display: none'>hidden</button>
  <div style='height: 100px; overflow: hidden'><div style='height: 300px'></div>
    <button>clipped</button></div>
  <div style='position: absolute; left: 600px; top: 300px'><button>under</button></div>
  <div style='position: absolute; left: 550px; top: 250px; width: 300px; height: 200px;
    background: white'></div>
  <div style='height: 1500px'></div><button id=low>Low</button>
"""


def named(shot: Any) -> dict[str, Any]:
    return {mark.name: mark for mark in shot.marks}


def sides(mark: Any) -> list[int]:
    return [int(side) for side in mark.box.split(",")]


async def test_refs_are_drawn_on_what_can_be_used_and_seen(context: ToolContext):
    await show(context, CONTROLS)
    plain = seen(await do(context, "screenshot")).convert("RGB")
    before = await value(context, "document.documentElement.outerHTML")
    shot = await do(context, "screenshot", annotate=True)
    assert await value(context, "document.documentElement.outerHTML") == before
    marks = named(shot)
    assert list(marks) == ["Save", "More", "Name", "Card"]
    assert [mark.role for mark in shot.marks] == ["button", "link", "textbox", "div"]
    left, top, width, height = sides(marks["Save"])
    box = await value(
        context, "(({x, y, width, height}) => [x, y, width, height])(save.getBoundingClientRect())"
    )
    assert [left, top, width, height] == pytest.approx(box, abs=1)
    drawn = seen(shot).convert("RGB")
    assert drawn.size == plain.size
    assert drawn.getpixel((left + width // 2, top)) != plain.getpixel((left + width // 2, top))
    assert f'{marks["Save"].ref} button "Save"' in shot.text().splitlines()
    done = await do(context, "click", selector=marks["Save"].ref)
    assert done.element == f'button "Save" {marks["Save"].ref}'


async def test_refs_of_a_whole_page_are_where_the_picture_has_them(context: ToolContext):
    await show(context, CONTROLS)
    await do(context, "evaluate", expression="scrollTo(0, 400)")
    shot = await do(context, "screenshot", fullPage=True, annotate=True)
    box = await value(context, "[low.offsetLeft, low.offsetTop, low.offsetWidth, low.offsetHeight]")
    scaled = [side * shot.shown.scale for side in box]
    assert sides(named(shot)["Low"]) == pytest.approx(scaled, abs=2)
    assert "clipped" not in named(shot)


@pytest.mark.parametrize("scale", [1, 2])
async def test_refs_of_an_element_and_of_frames_are_in_place(
    context: ToolContext, site: Site, scale: int
):
    inner = site.page("/marks/inner", "<body style='margin: 0'><button id=in>Inside</button>")
    other = inner.replace("127.0.0.1", "localhost")
    frames = "".join(
        f"<iframe src='{url}' style='border: 0; padding: 5px; width: 150px; height: 60px'></iframe>"
        for url in (inner, other)
    )
    page = f"<body style='margin: 0'><div style='height: 300px'></div><section>{frames}</section>"
    await do(context, "navigate", url=site.page("/marks/outer", page))
    tab = (await session_of(context)).current
    tab.viewport.scale = scale
    await tab.apply_viewport()
    shot = await do(context, "screenshot", selector="section", annotate=True)
    assert [mark.name for mark in shot.marks] == ["Inside", "Inside"]
    for mark in shot.marks:
        left, top, width, height = sides(mark)
        done = await do(
            context, "click", selector=f"{shot.id}@{left + width // 2},{top + height // 2}"
        )
        assert done.element == f'button "Inside" {mark.ref}'


async def test_an_element_in_a_frame_has_its_picture(context: ToolContext, site: Site):
    for host in ("127.0.0.1", "localhost"):
        inner = site.page(
            "/frame/inner",
            "<body style='margin: 0'><p id=me style='margin: 20px; width: 40px;"
            " height: 30px; background: red'></p>",
        ).replace("127.0.0.1", host)
        page = f"<div style='height: 900px'></div><iframe src='{inner}'></iframe>"
        await do(context, "navigate", url=site.page(f"/frame/{host}", page))
        shot = await do(context, "screenshot", selector="#me")
        assert stored(shot.path).convert("RGB").getcolors() == [(40 * 30, (255, 0, 0))]


async def test_an_element_is_named_in_every_way_that_other_calls_know(context: ToolContext):
    await show(context, "<button style='width: 90px; height: 40px'>Save it</button>")
    (mark,) = (await do(context, "screenshot", annotate=True)).marks
    for selector in (mark.ref, "text=Save it", 'role=button "Save it"'):
        shot = await do(context, "screenshot", selector=selector)
        assert (shot.width, shot.height) == (90, 40)


async def test_many_marks_are_bounded_and_said(context: ToolContext):
    await show(context, "<button>x</button>" * 400)
    shot = await do(context, "screenshot", annotate=True, fullPage=True)
    assert (len(shot.marks), shot.left_out) == (300, 100)
    assert shot.text().endswith("… and 100 more")


async def test_what_changed_since_the_baseline_is_said_and_marked(context: ToolContext):
    square = "position: absolute; left: 100px; top: 50px; width: 40px; height: 30px"
    await show(context, f"<p>words</p><div id=it style='{square}; background: red'></div>")
    await do(context, "screenshot", path="before.png")
    same = await do(context, "screenshot", baseline="before.png")
    assert (same.difference.ratio, same.difference.boxes, same.difference.path) == (0, [], None)
    assert same.text().endswith("; same as the baseline")
    await do(context, "evaluate", expression="it.style.background = 'blue'")
    shot = await do(context, "screenshot", baseline="before.png")
    assert shot.difference.boxes == ["100,50,40,30"]
    assert shot.difference.ratio == pytest.approx(1200 / (1280 * 720), abs=1e-5)
    marked = stored(shot.difference.path).convert("RGB")
    assert marked.getpixel((98, 48)) == (255, 0, 90)
    assert base64.b64decode(shot.data) == Path(shot.difference.path).read_bytes()
    assert stored(shot.path).convert("RGB").getpixel((98, 48)) == (255, 255, 255)
    assert "0.13% changed at 100,50,40,30, marked in" in shot.text()


async def test_a_baseline_of_another_size_is_said(context: ToolContext):
    await show(context, "<p>words</p>")
    await do(context, "screenshot", path="before.png", clip="0,0,200,100")
    shot = await do(context, "screenshot", baseline="before.png", clip="0,0,200,120")
    assert shot.difference.size == "200 x 100"
    assert shot.difference.ratio == pytest.approx(20 / 120, abs=0.001)
    assert "the baseline is 200 x 100 px" in shot.text()


async def test_a_baseline_may_be_replaced_by_the_new_picture(context: ToolContext, tmp_path: Path):
    await show(context, "one")
    await do(context, "screenshot", path="page.png")
    await show(context, "two and more")
    shot = await do(context, "screenshot", path="page.png", baseline="page.png")
    assert shot.difference.ratio > 0
    again = await do(context, "screenshot", baseline="page.png", threshold=0)
    assert again.difference.ratio == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page-changes.png", "page.png"]


@pytest.mark.parametrize(("name", "said"), [("none.png", "does not exist"), ("text", "is text")])
async def test_a_baseline_that_is_no_picture_is_refused(
    context: ToolContext, tmp_path: Path, name: str, said: str
):
    (tmp_path / "text").write_text("words", encoding="utf-8")
    with pytest.raises(InputError, match=said):
        await do(context, "screenshot", baseline=name, path="new.png")
    assert not (tmp_path / "new.png").exists()
