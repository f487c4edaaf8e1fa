"""The mouse, as a page sees it."""

from __future__ import annotations

import asyncio

import pytest

from support.devices import BUTTON, answered, cancel_once, kinds, log, mouse_on, whole
from tabwright.engine.keys import ALT, CONTROL, META, SHIFT
from tabwright.errors import DialogOpen, TargetClosed


async def test_a_click_is_the_whole_series_of_trusted_events(context, site):
    mouse, _, tab = await mouse_on(context, site, BUTTON)
    await mouse.click(60, 50)
    # Chromium moves a mouse of its own over a new page, at its corner.
    seen = [e for e in await log(tab) if e["at"] == "go"]
    assert [e["type"] for e in seen if "over" not in e["type"]] == [
        "pointermove",
        "mousemove",
        "pointerdown",
        "mousedown",
        "pointerup",
        "mouseup",
        "click",
    ]
    assert all(e["trusted"] and (e["x"], e["y"]) == (60, 50) for e in seen)
    assert [e["buttons"] for e in seen if e["type"] in {"mousedown", "mouseup"}] == [1, 0]


async def test_a_mouse_that_is_there_does_not_move_again(context, site):
    mouse, _, tab = await mouse_on(context, site, BUTTON)
    await mouse.click(60, 50)
    await log(tab)
    await mouse.click(60, 50)
    assert await kinds(tab, "mousemove", "mousedown", "mouseup") == ["mousedown", "mouseup"]


async def test_a_click_without_a_move_still_enters_what_is_there_now(context, site):
    mouse, _, tab = await mouse_on(context, site, BUTTON)
    await mouse.click(60, 50)
    await whole(tab, "go.outerHTML = go.outerHTML.replace('go', 'new')")
    await mouse.click(60, 50)
    seen = [e["type"] for e in await log(tab) if e["at"] == "new"]
    assert seen.index("mouseover") < seen.index("mousedown")


async def test_a_double_click_is_one_dblclick(context, site):
    mouse, _, tab = await mouse_on(context, site, BUTTON)
    await mouse.click(60, 50, count=2)
    seen = [(e["type"], e["detail"]) for e in await log(tab) if "click" in e["type"]]
    assert seen == [("click", 1), ("click", 2), ("dblclick", 2)]


async def test_a_triple_click_selects_the_paragraph(context, site):
    mouse, _, tab = await mouse_on(
        context, site, "<p style='margin: 20px'>One. Two three.</p><p>Other.</p>"
    )
    await mouse.click(40, 30, count=3)
    assert (await whole(tab, "getSelection().toString()")).strip() == "One. Two three."


@pytest.mark.parametrize(
    ("button", "number", "bit", "event"),
    [
        ("right", 2, 2, "contextmenu"),
        ("middle", 1, 4, "auxclick"),
        ("forward", 4, 16, "auxclick"),
    ],
)
async def test_other_buttons_make_their_own_events(context, site, button, number, bit, event):
    mouse, _, tab = await mouse_on(context, site, BUTTON)
    await mouse.click(60, 50, button=button)
    seen = await log(tab)
    assert event in [e["type"] for e in seen]
    assert "click" not in [e["type"] for e in seen]
    (down,) = [e for e in seen if e["type"] == "mousedown"]
    assert (down["button"], down["buttons"]) == (number, bit)


async def test_modifiers_of_the_call_and_of_held_keys_reach_the_click(context, site):
    mouse, keyboard, tab = await mouse_on(context, site, BUTTON)
    await keyboard.down("Shift")
    await mouse.click(60, 50, modifiers=ALT)
    await keyboard.up("Shift")
    await mouse.click(60, 50, modifiers=CONTROL | META)
    await mouse.click(60, 50, modifiers=SHIFT)
    clicks = [e["keys"] for e in await log(tab) if e["type"] == "click"]
    assert clicks == [
        [True, False, False, True],
        [False, True, True, False],
        [False, False, False, True],
    ]


async def test_buttons_held_together_are_all_told(context, site):
    mouse, _, tab = await mouse_on(context, site, BUTTON)
    await mouse.move(60, 50)
    await mouse.down("left")
    await mouse.down("right")
    await mouse.move(61, 50)
    await mouse.up("left")
    await mouse.move(62, 50)
    await mouse.up("right")
    assert mouse.buttons == 0
    moves = {e["x"]: e["buttons"] for e in await log(tab) if e["type"] == "mousemove"}
    assert (moves[60], moves[61], moves[62]) == (0, 3, 2)


async def test_every_step_of_a_move_is_seen(context, site):
    mouse, _, tab = await mouse_on(context, site, BUTTON)
    await mouse.move(10, 10)
    await log(tab)
    await mouse.move(50, 30, steps=4)
    seen = [(e["x"], e["y"]) for e in await log(tab) if e["type"] == "mousemove"]
    assert seen == [(20, 15), (30, 20), (40, 25), (50, 30)]


async def test_the_wheel_scrolls_what_is_under_it(context, site):
    mouse, _, tab = await mouse_on(
        context,
        site,
        "<div id=list class=box style='left: 10px; overflow: auto'>"
        "<div style='width: 900px; height: 900px'></div></div>"
        "<script>scrolled = new Promise((r) => list.addEventListener('scroll', r)).then(() => 1)"
        "</script>",
    )
    await mouse.wheel(60, 50, 30, 120)
    assert await whole(tab, "scrolled") == 1
    assert await whole(tab, "[list.scrollLeft, list.scrollTop, scrollY]") == [30, 120, 0]
    (wheel,) = [e for e in await log(tab) if e["type"] == "wheel"]
    assert (wheel["delta"], wheel["trusted"], wheel["x"]) == ([30, 120], True, 60)


async def test_a_cancelled_hold_lets_go_of_the_button(context, site):
    mouse, _, tab = await mouse_on(context, site, BUTTON)
    await whole(tab, "seen = next('mousedown'); 0")
    await cancel_once(tab, "mousedown", mouse.click(60, 50, hold_ms=60_000))
    assert mouse.buttons == 0
    await mouse.move(0, 0)
    assert await kinds(tab, "mousedown", "mouseup") == ["mousedown", "mouseup"]


async def test_a_cancelled_hold_is_cancelled_also_when_the_tab_is_gone(context, site):
    mouse, _, tab = await mouse_on(context, site, BUTTON)
    await whole(tab, "seen = next('mousedown'); 0")
    task = asyncio.create_task(mouse.click(60, 50, hold_ms=60_000))
    assert await whole(tab, "seen") == "mousedown"
    tab.post("Page.close")
    with pytest.raises(TargetClosed):
        await tab.until(lambda: False)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert mouse.buttons == 0


async def test_a_dialog_in_a_hold_leaves_no_button_down(context, site):
    mouse, _, tab = await mouse_on(context, site, BUTTON)
    await whole(tab, "addEventListener('mousedown', () => alert('wait'), {once: true})")
    with pytest.raises(DialogOpen):
        await mouse.click(60, 50, hold_ms=60_000)
    assert mouse.buttons == 0
    await answered(tab)
    mouse.put_right()
    await mouse.click(60, 50)
    assert (await log(tab))[-1]["type"] == "click"


async def test_nothing_is_held_that_an_open_dialog_kept_from_being_sent(context, site):
    mouse, keyboard, tab = await mouse_on(context, site, BUTTON)
    await whole(tab, "setTimeout(() => alert('wait')); 0")
    with pytest.raises(DialogOpen):
        await tab.until(lambda: False)
    for act in (
        mouse.down(),
        mouse.click(60, 50),
        mouse.move(5, 5),
        keyboard.down("Shift"),
        keyboard.press("Control+A"),
        keyboard.type("text"),
    ):
        with pytest.raises(DialogOpen):
            await act
    assert (mouse.buttons, mouse.x, keyboard.held) == (0, 0, ())
    await answered(tab)
