"""Points of pictures: a pixel that is seen can be clicked, however the page was drawn and moved."""

from __future__ import annotations

import base64
import io
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from support.engine import do, session_of, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.errors import InputError, NotDone

RED = (255, 0, 0)
relaxed = settings(max_examples=60)
DOT = (
    "position: absolute; width: 8px; height: 8px; background: rgb(255, 0, 0); padding: 0; border: 0"
)


def seen(shot: Any) -> Image.Image:
    """The picture as it is shown."""
    with Image.open(io.BytesIO(base64.b64decode(shot.data))) as image:
        return image.convert("RGB")


def red_pixel(image: Image.Image) -> tuple[int, int]:
    """The middle of what is red, or nearly so after the picture was reduced."""
    red, green, _ = image.split()
    box = ImageChops.subtract(red, green).point(lambda value: 255 * (value > 60)).getbbox()
    assert box, "nothing is red on the picture"
    return (box[0] + box[2] - 1) // 2, (box[1] + box[3] - 1) // 2


async def apply_scale(context: ToolContext, scale: float) -> None:
    tab = (await session_of(context)).current
    assert tab is not None
    tab.viewport.scale = scale
    await tab.apply_viewport()


async def show(context: ToolContext, body: str) -> None:
    script = "(html) => { document.open(); document.write(html); document.close(); }"
    html = f"<!doctype html><body style='margin: 0'>{body}<script>{LISTEN}</script>"
    await do(context, "evaluate", expression=script, args=[html])


LISTEN = (
    "hits = []; addEventListener('click', (e) => hits.push(e.target.id || e.target.tagName), true)"
)


async def hits(context: ToolContext) -> list[str]:
    return await value(context, "hits.splice(0)")


async def test_each_picture_of_a_conversation_has_a_name_of_its_own(context: ToolContext):
    first = await do(context, "screenshot")
    second = await do(context, "screenshot", path="two.png")
    assert (first.id, second.id) == ("s1", "s2")
    assert first.text().startswith("s1: 1280 x 720 px")


@relaxed
@given(
    x=st.integers(0, 580),
    y=st.integers(0, 880),
    scale=st.sampled_from([1, 1.5, 2, 3]),
    zoom=st.sampled_from(["", "zoom: 0.8", "zoom: 1.5"]),
    kind=st.sampled_from(["window", "page", "clip", "element"]),
    before=st.integers(0, 600),
    after=st.integers(0, 900),
)
async def test_a_pixel_that_is_seen_is_clicked_whatever_the_scale_zoom_and_scrolling(
    context: ToolContext,
    x: int,
    y: int,
    scale: float,
    zoom: str,
    kind: str,
    before: int,
    after: int,
):
    await do(context, "resize", width=200, height=150)
    await apply_scale(context, scale)
    factor = float(zoom.removeprefix("zoom: ") or 1)
    await show(
        context,
        f"<div id=all style='position: relative; width: 600px; height: 900px; {zoom}'>"
        f"<div id=part style='position: absolute; left: {x - x % 50}px; top: {y - y % 50}px;"
        " width: 110px; height: 110px; background: #eef'></div>"
        f"<button id=dot style='{DOT}; left: {x}px; top: {y}px'></button></div>",
    )
    left, top = (x * factor, y * factor)
    asked: dict[str, Any] = {
        "window": {},
        "page": {"fullPage": True, "tiles": True},
        "clip": {"clip": f"{max(0, left - 40)},{max(0, top - 30)},90,80"},
        "element": {"selector": "#part"},
    }[kind]
    if kind == "window":
        here = f"scrollTo({left - x % 180}, {top - y % 130})"
    else:
        here = f"scrollTo({before}, {before})"
    await do(context, "evaluate", expression=here)
    shot = await do(context, "screenshot", encoding="base64", **asked)
    shown, name = seen(shot), shot.id
    if shot.tiles:
        dot = top * scale
        tile = next(t for t in reversed(shot.tiles) if t.top <= dot)
        with Image.open(tile.path) as image:
            shown, name = image.convert("RGB"), tile.id
    await do(context, "evaluate", expression=f"scrollTo({after}, {after})")
    at = red_pixel(shown)
    done = await do(context, "click", selector=f"{name}@{at[0]},{at[1]}")
    assert await hits(context) == ["dot"]
    assert done.element.startswith("button")


async def test_a_page_that_is_pinched_is_clicked_where_the_picture_shows_it(context: ToolContext):
    await show(context, f"<button id=dot style='{DOT}; left: 320px; top: 200px'></button>")
    tab = (await session_of(context)).current
    assert tab is not None
    await tab.send("Emulation.setPageScaleFactor", {"pageScaleFactor": 2})
    shot = await do(context, "screenshot")
    at = red_pixel(seen(shot))
    assert at[0] > 600, "the page is not drawn twice as large"
    await do(context, "click", selector=f"{shot.id}@{at[0]},{at[1]}")
    assert await hits(context) == ["dot"]


async def test_a_reduced_picture_is_clicked_by_the_pixels_that_are_shown(context: ToolContext):
    dots = "".join(
        f"<button id=d{n} style='{DOT}; width: 60px; height: 60px; left: 400px; top: {n * 900}px;"
        f" background: {'red' if n == 4 else 'blue'}'></button>"
        for n in range(6)
    )
    await show(context, f"<div style='position: relative; height: 6000px'>{dots}</div>")
    shot = await do(context, "screenshot", fullPage=True)
    assert shot.shown.height == 1568
    at = red_pixel(seen(shot))
    await do(context, "click", selector=f"{shot.id}@{at[0]},{at[1]}")
    assert await hits(context) == ["d4"]


async def test_boxes_that_were_scrolled_since_are_scrolled_back(context: ToolContext):
    rows = "".join(
        f"<button id=r{n} style='display: block; height: 40px'>{n}</button>" for n in range(50)
    )
    await show(
        context, f"<div id=box style='width: 200px; height: 200px; overflow: auto'>{rows}</div>"
    )
    await do(context, "evaluate", expression="box.scrollTop = 400")
    lower = await do(context, "screenshot")
    await do(context, "evaluate", expression="box.scrollTop = 0")
    upper = await do(context, "screenshot")
    await do(context, "evaluate", expression="box.scrollTop = 900")
    for shot, row in ((lower, "r11"), (upper, "r1"), (lower, "r11")):
        await do(context, "click", selector=f"{shot.id}@10,60")
        assert await hits(context) == [row]


async def test_what_is_fixed_to_the_window_is_not_taken_for_what_lies_under_it(
    context: ToolContext,
):
    await show(
        context,
        "<div id=bar style='position: fixed; z-index: 1; top: 0; left: 0; right: 0; height: 120px;"
        " background: grey'></div><div style='position: relative; height: 4000px'>"
        f"<button id=dot style='{DOT}; left: 50px; top: 2000px'></button></div>",
    )
    shot = await do(context, "screenshot", clip="0,1900,200,200")
    at = red_pixel(seen(shot))
    await do(context, "evaluate", expression="scrollTo(0, 1950)")
    await do(context, "click", selector=f"{shot.id}@{at[0]},{at[1]}")
    assert await hits(context) == ["dot"]


async def test_what_covers_the_whole_window_is_named_instead_of_clicked(context: ToolContext):
    await show(
        context,
        "<div style='position: relative; height: 4000px'>"
        f"<button id=dot style='{DOT}; left: 50px; top: 2000px'></button></div>",
    )
    shot = await do(context, "screenshot", clip="0,1900,200,200")
    cover = "<div role=dialog aria-label=Cookies style='position: fixed; inset: 0'></div>"
    await do(
        context, "evaluate", expression=f"document.body.insertAdjacentHTML('beforeend', `{cover}`)"
    )
    with pytest.raises(NotDone, match='covered by dialog "Cookies"'):
        await do(context, "click", selector=f"{shot.id}@54,104")
    assert await hits(context) == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_frames_are_clicked_through_and_scrolled_back(
    context: ToolContext, site: Site, host: str
):
    inner = site.page(
        "/shot/inner",
        "<body style='margin: 0'>"
        + "".join(f"<button style='display: block; height: 40px'>b{n}</button>" for n in range(50))
        + "<script>onclick = (e) => parent.postMessage(e.target.textContent, '*')</script>",
    ).replace("127.0.0.1", host)
    outer = site.page(
        f"/shot/{host}",
        "<body style='margin: 0; height: 3000px'>"
        f"<iframe src='{inner}' style='margin: 30px; border: 4px solid; width: 200px;"
        " height: 200px'></iframe><script>hits = []; onmessage = (e) => hits.push(e.data)</script>",
    )
    await do(context, "navigate", url=outer)
    await do(context, "scroll", selector='role=button "b20"', to="view")
    await do(context, "evaluate", expression="scrollTo(0, 0)")
    shot = await do(context, "screenshot", annotate=True)
    marks = {mark.name: [int(side) for side in mark.box.split(",")] for mark in shot.marks}
    left, top, width, height = marks["b20"]
    await do(context, "scroll", selector='role=button "b2"', to="view")
    await do(context, "evaluate", expression="scrollTo(0, 900)")
    done = await do(context, "click", selector=f"{shot.id}@{left + width // 2},{top + height // 2}")
    assert done.element.startswith('button "b20"')
    await do(context, "wait", expression="hits.length > 0")
    assert await hits(context) == ["b20"]


@pytest.mark.parametrize("mode", ["open", "closed"])
async def test_what_is_in_a_shadow_root_is_marked_and_clicked(context: ToolContext, mode: str):
    button = "<button style='width: 100px; height: 50px'>Shadow</button>"
    await show(
        context,
        f"<div id=host></div><script>host.attachShadow({{ mode: '{mode}' }}).innerHTML ="
        f' "{button}"</script>',
    )
    shot = await do(context, "screenshot")
    done = await do(context, "click", selector=f"{shot.id}@20,20")
    assert done.element.startswith('button "Shadow"')
    (mark,) = (await do(context, "screenshot", annotate=True)).marks
    assert f'button "Shadow" {mark.ref}' == done.element


async def test_a_page_that_could_not_be_loaded_has_its_picture(context: ToolContext, site: Site):
    for _ in range(3):
        assert (await call(context, "navigate", {"url": site.broken("/shot/broken")})).error
        shot = await do(context, "screenshot")
        assert seen(shot).size == (1280, 720)


async def test_hover_and_drag_take_points_too(context: ToolContext):
    await show(
        context,
        "<div id=from draggable=true style='position: absolute; left: 20px; top: 20px; width: 50px;"
        " height: 50px; background: red'></div><div id=to style='position: absolute; left: 300px;"
        " top: 200px; width: 80px; height: 80px; background: blue'></div>"
        "<script>seen = []; to.ondragover = (e) => e.preventDefault();"
        " to.ondrop = () => seen.push('drop'); to.onmouseover = () => seen.push('over')</script>",
    )
    shot = await do(context, "screenshot")
    await do(context, "hover", selector=f"{shot.id}@340,240")
    await do(context, "drag", selector=f"{shot.id}@45,45", to=f"{shot.id}@340,240")
    assert set(await value(context, "seen")) == {"over", "drop"}


async def test_a_point_of_a_page_that_was_left_is_refused(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/shot/one", "one"))
    shot = await do(context, "screenshot")
    url = site.page("/shot/two", "<body onclick='document.title = 1'>two")
    await do(context, "navigate", url=url)
    with pytest.raises(NotDone) as caught:
        await do(context, "click", selector=f"{shot.id}@5,5")
    assert f"the tab now shows {url}" in caught.value.message
    assert "new screenshot" in caught.value.hint
    assert await value(context, "document.title") == "Test"


async def test_a_point_that_the_page_no_longer_has_is_refused(context: ToolContext):
    await show(context, "<div id=tall style='height: 5000px'></div>")
    shot = await do(context, "screenshot", clip="0,4000,100,100")
    await do(context, "evaluate", expression="tall.style.height = '900px'")
    with pytest.raises(NotDone, match="it is only 1280 x 900 px now"):
        await do(context, "click", selector=f"{shot.id}@50,50")


@pytest.mark.parametrize(
    ("selector", "said"),
    [
        ("s99@1,1", "no picture 's99'"),
        ("s1@1280,5", "1280 x 720"),
        ("s1@5,720", "outside the picture"),
    ],
)
async def test_a_pixel_that_no_picture_has_is_refused(
    context: ToolContext, selector: str, said: str
):
    await show(context, "x")
    await do(context, "screenshot")
    with pytest.raises(InputError, match=said):
        await do(context, "click", selector=selector)
    assert await hits(context) == []


async def test_a_picture_of_another_tab_is_not_clicked(context: ToolContext):
    shot = await do(context, "screenshot")
    await do(context, "tabs", action="new")
    outcome = await call(context, "click", {"selector": f"{shot.id}@5,5"})
    assert outcome.error is not None
    assert "a picture of tab t1; the current one is t2" in outcome.error.message


async def test_old_pictures_are_forgotten(context: ToolContext):
    shots = (await session_of(context)).shots
    shot = await do(context, "screenshot")
    view = shots.get(shot.id).view
    for _ in range(500):
        shots.add(view, view.window, 10, 10)
    assert len(shots._by_id) == 200
    with pytest.raises(InputError, match="The newest is s501"):
        shots.get("s1")
