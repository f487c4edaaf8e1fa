"""The mouse, as a page sees it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from support.devices import open_page, whole
from tabwright.engine.keyboard import Keyboard
from tabwright.engine.keys import ALT, CONTROL, META, SHIFT
from tabwright.engine.mouse import Mouse
from tabwright.engine.tab import Tab
from tabwright.errors import ActionError, DialogOpen, InputError, TargetClosed

RECORDER = """
<style>
  body { margin: 0 }
  .box { position: absolute; top: 10px; width: 100px; height: 100px }
</style>
<script>
  window.log = [];
  const pointers = ["over", "move", "down", "up"].flatMap(
    (what) => ["pointer" + what, "mouse" + what]);
  const drags = ["start", "enter", "over", "leave", "end"].map((what) => "drag" + what);
  const clicks = ["click", "dblclick", "auxclick", "contextmenu"];
  for (const type of [...pointers, ...drags, ...clicks, "drop", "wheel"])
    addEventListener(type, (e) => log.push({
      type, at: e.target.id ?? "", trusted: e.isTrusted, x: e.clientX, y: e.clientY,
      button: e.button, buttons: e.buttons, detail: e.detail,
      keys: [e.altKey, e.ctrlKey, e.metaKey, e.shiftKey], delta: [e.deltaX, e.deltaY],
      effect: e.dataTransfer?.dropEffect,
    }), true);
  const next = (type) => new Promise((r) => addEventListener(type, () => r(type), true));
</script>
"""
BUTTON = "<div id=go class=box style='left: 10px'>go</div>"
DRAG_AND_DROP = """
<div id=from class=box style="left: 10px" draggable=true>from</div>
<div id=to class=box style="left: 300px; width: 500px">to</div>
<script>
  const from = document.getElementById("from"), to = document.getElementById("to");
  from.addEventListener("dragstart", (e) => {
    e.dataTransfer.setData("text/plain", "words");
    e.dataTransfer.setData("application/x-card", '{"id": 7}');
    e.dataTransfer.effectAllowed = "move";
  });
  to.addEventListener("dragover", (e) => {
    e.preventDefault();
    e.dataTransfer.dropEffect = "move";
  });
  to.addEventListener("drop", (e) => {
    e.preventDefault();
    window.dropped = ["text/plain", "application/x-card"].map((t) => e.dataTransfer.getData(t));
  });
</script>
"""
SLIDER = """
<div id=bar class=box style="left: 10px; width: 400px">
  <div id=knob class=box style="left: 0; top: 0; width: 20px">|</div>
</div>
<script>
  const knob = document.getElementById("knob");
  knob.addEventListener("pointerdown", (e) => knob.setPointerCapture(e.pointerId));
  knob.addEventListener("pointermove", (e) => {
    if (e.buttons === 1) knob.style.left = e.clientX - 20 + "px";
  });
</script>
"""
DROP_ZONE = """
<div id=zone class=box style="left: 10px">zone</div>
<script>
  const zone = document.getElementById("zone");
  zone.addEventListener("dragover", (e) => { e.preventDefault(); e.stopPropagation() });
  window.files = new Promise((resolve) => zone.addEventListener("drop", async (e) => {
    e.preventDefault();
    const files = [...e.dataTransfer.files];
    resolve(await Promise.all(files.map(async (f) => [f.name, await f.text(), e.isTrusted])));
  }));
</script>
"""

Opener = Callable[[str], Awaitable[tuple[Mouse, Keyboard, Tab]]]


@pytest.fixture
async def mouse_on(context, site) -> Opener:
    """Opens a page that writes down its events, and gives the devices on it."""

    async def opened(body: str) -> tuple[Mouse, Keyboard, Tab]:
        tab = await open_page(context, site, "/mouse", RECORDER + body)
        keyboard = Keyboard(tab)
        return Mouse(tab, keyboard), keyboard, tab

    return opened


async def log(tab: Tab) -> list[dict[str, Any]]:
    return await whole(tab, "log.splice(0)")


async def kinds(tab: Tab, *wanted: str) -> list[str]:
    """The types of those events that are wanted, in their order."""
    return [e["type"] for e in await log(tab) if e["type"] in wanted]


async def test_a_click_is_the_whole_series_of_trusted_events(mouse_on):
    mouse, _, tab = await mouse_on(BUTTON)
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


async def test_a_mouse_that_is_there_does_not_move_again(mouse_on):
    mouse, _, tab = await mouse_on(BUTTON)
    await mouse.click(60, 50)
    await log(tab)
    await mouse.click(60, 50)
    assert await kinds(tab, "mousemove", "mousedown", "mouseup") == ["mousedown", "mouseup"]


async def test_a_click_without_a_move_still_enters_what_is_there_now(mouse_on):
    mouse, _, tab = await mouse_on(BUTTON)
    await mouse.click(60, 50)
    await whole(tab, "go.outerHTML = go.outerHTML.replace('go', 'new')")
    await mouse.click(60, 50)
    seen = [e["type"] for e in await log(tab) if e["at"] == "new"]
    assert seen.index("mouseover") < seen.index("mousedown")


async def test_a_double_click_is_one_dblclick(mouse_on):
    mouse, _, tab = await mouse_on(BUTTON)
    await mouse.click(60, 50, count=2)
    seen = [(e["type"], e["detail"]) for e in await log(tab) if "click" in e["type"]]
    assert seen == [("click", 1), ("click", 2), ("dblclick", 2)]


async def test_a_triple_click_selects_the_paragraph(mouse_on):
    mouse, _, tab = await mouse_on("<p style='margin: 20px'>One. Two three.</p><p>Other.</p>")
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
async def test_other_buttons_make_their_own_events(mouse_on, button, number, bit, event):
    mouse, _, tab = await mouse_on(BUTTON)
    await mouse.click(60, 50, button=button)
    seen = await log(tab)
    assert event in [e["type"] for e in seen]
    assert "click" not in [e["type"] for e in seen]
    (down,) = [e for e in seen if e["type"] == "mousedown"]
    assert (down["button"], down["buttons"]) == (number, bit)


async def test_modifiers_of_the_call_and_of_held_keys_reach_the_click(mouse_on):
    mouse, keyboard, tab = await mouse_on(BUTTON)
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


async def test_buttons_held_together_are_all_told(mouse_on):
    mouse, _, tab = await mouse_on(BUTTON)
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


async def test_every_step_of_a_move_is_seen(mouse_on):
    mouse, _, tab = await mouse_on(BUTTON)
    await mouse.move(10, 10)
    await log(tab)
    await mouse.move(50, 30, steps=4)
    seen = [(e["x"], e["y"]) for e in await log(tab) if e["type"] == "mousemove"]
    assert seen == [(20, 15), (30, 20), (40, 25), (50, 30)]


async def test_the_wheel_scrolls_what_is_under_it(mouse_on):
    mouse, _, tab = await mouse_on(
        "<div id=list class=box style='left: 10px; overflow: auto'>"
        "<div style='width: 900px; height: 900px'></div></div>"
        "<script>scrolled = new Promise((r) => list.addEventListener('scroll', r)).then(() => 1)"
        "</script>"
    )
    await mouse.wheel(60, 50, 30, 120)
    assert await whole(tab, "scrolled") == 1
    assert await whole(tab, "[list.scrollLeft, list.scrollTop, scrollY]") == [30, 120, 0]
    (wheel,) = [e for e in await log(tab) if e["type"] == "wheel"]
    assert (wheel["delta"], wheel["trusted"], wheel["x"]) == ([30, 120], True, 60)


async def test_a_mouse_drag_moves_a_slider(mouse_on):
    mouse, _, tab = await mouse_on(SLIDER)
    await mouse.drag((20, 30), (220, 30))
    assert await whole(tab, "knob.style.left") == "200px"
    seen = await log(tab)
    assert len([e for e in seen if e["type"] == "pointermove" and e["buttons"] == 1]) >= 5
    assert [e["type"] for e in seen if e["type"] in {"mousedown", "mouseup", "dragstart"}] == [
        "mousedown",
        "mouseup",
    ]
    assert mouse.buttons == 0


@pytest.mark.parametrize("steps", [1, 5, 40])
async def test_drag_and_drop_carries_its_data(mouse_on, steps):
    mouse, _, tab = await mouse_on(DRAG_AND_DROP)
    await mouse.drag((60, 50), (350, 50), steps)
    assert await whole(tab, "dropped") == ["words", '{"id": 7}']
    seen = await log(tab)
    assert all(e["trusted"] for e in seen)
    ends = [(e["type"], e["at"]) for e in seen if e["type"] in {"dragstart", "drop", "dragend"}]
    assert ends == [("dragstart", "from"), ("drop", "to"), ("dragend", "from")]
    assert seen[-1]["effect"] == "move"
    assert "mouseup" not in [e["type"] for e in seen]


async def test_a_drag_by_hand_is_a_drag_and_drop_too(mouse_on):
    mouse, _, tab = await mouse_on(DRAG_AND_DROP)
    await mouse.move(60, 50)
    await mouse.down()
    await mouse.move(350, 50, steps=5)
    await mouse.move(351, 50)
    await mouse.up()
    assert await whole(tab, "dropped") == ["words", '{"id": 7}']


async def test_what_no_place_takes_is_not_dropped(mouse_on):
    mouse, _, tab = await mouse_on(DRAG_AND_DROP)
    await mouse.drag((60, 50), (60, 400))
    seen = await log(tab)
    ends = [e["type"] for e in seen if e["type"] in {"dragstart", "drop", "dragend"}]
    assert ends == ["dragstart", "dragend"]
    assert seen[-1]["effect"] == "none"


async def test_a_page_that_forbids_the_drag_sees_a_plain_mouse(mouse_on):
    mouse, _, tab = await mouse_on(DRAG_AND_DROP)
    await whole(tab, "from.addEventListener('dragstart', (e) => e.preventDefault()); 0")
    await mouse.drag((60, 50), (350, 50))
    assert await kinds(tab, "mousedown", "mouseup", "drop") == ["mousedown", "mouseup"]


async def test_the_mouse_is_free_after_a_drag(mouse_on):
    mouse, _, tab = await mouse_on(DRAG_AND_DROP)
    for _ in range(3):
        await mouse.drag((60, 50), (350, 50))
        await log(tab)
        await mouse.click(70, 50)
        assert await kinds(tab, "mousedown", "mouseup", "click") == [
            "mousedown",
            "mouseup",
            "click",
        ]


async def test_a_drop_that_leaves_the_page_ends(mouse_on, site):
    mouse, _, tab = await mouse_on(DRAG_AND_DROP)
    url = site.page("/mouse-after", "<p>after</p>")
    await whole(tab, f"to.addEventListener('drop', () => location.href = '{url}'); 0")
    await mouse.drag((60, 50), (350, 50))
    await tab.until(lambda: tab.url == url)
    assert mouse.buttons == 0


async def cancel_once(tab: Tab, happened: str, act: Awaitable[None]) -> None:
    """Start something, cancel it once the page has seen an event, and see it end."""
    task = asyncio.ensure_future(act)
    assert await whole(tab, "seen") == happened
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_cancelled_hold_lets_go_of_the_button(mouse_on):
    mouse, _, tab = await mouse_on(BUTTON)
    await whole(tab, "seen = next('mousedown'); 0")
    await cancel_once(tab, "mousedown", mouse.click(60, 50, hold_ms=60_000))
    assert mouse.buttons == 0
    await mouse.move(0, 0)
    assert await kinds(tab, "mousedown", "mouseup") == ["mousedown", "mouseup"]


async def test_a_cancelled_mouse_drag_lets_go_of_the_button(mouse_on):
    mouse, _, tab = await mouse_on(SLIDER)
    await whole(tab, "seen = next('mousedown').then(() => next('mousemove')); 0")
    await cancel_once(tab, "mousemove", mouse.drag((20, 30), (300, 30), steps=2000))
    assert mouse.buttons == 0
    await mouse.move(0, 0)
    seen = await log(tab)
    assert [e["type"] for e in seen if e["type"] in {"mousedown", "mouseup"}] == [
        "mousedown",
        "mouseup",
    ]
    assert seen[-1]["buttons"] == 0


async def test_a_cancelled_drag_and_drop_drops_nothing(mouse_on):
    mouse, _, tab = await mouse_on(DRAG_AND_DROP)
    await whole(
        tab, "seen = new Promise((r) => to.addEventListener('dragover', () => r('over'))); 0"
    )
    await cancel_once(tab, "over", mouse.drag((60, 50), (700, 50), steps=1000))
    assert mouse.buttons == 0
    await whole(tab, "log.some((e) => e.type === 'dragend') || next('dragend')")
    assert await whole(tab, "window.dropped ?? 'nothing'") == "nothing"
    await log(tab)
    await mouse.click(70, 50)
    assert (await kinds(tab, "mousedown", "mouseup", "click"))[-3:] == [
        "mousedown",
        "mouseup",
        "click",
    ]


async def test_a_cancelled_hold_is_cancelled_also_when_the_tab_is_gone(mouse_on):
    mouse, _, tab = await mouse_on(BUTTON)
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


async def answered(tab: Tab) -> None:
    """Answer the open dialog and see it go."""
    tab.dialogs.answer(accept=True)
    await tab.until(lambda: tab.dialogs.open is None)


async def test_a_dialog_in_a_hold_leaves_no_button_down(mouse_on):
    mouse, _, tab = await mouse_on(BUTTON)
    await whole(tab, "addEventListener('mousedown', () => alert('wait'), {once: true})")
    with pytest.raises(DialogOpen):
        await mouse.click(60, 50, hold_ms=60_000)
    assert mouse.buttons == 0
    await answered(tab)
    mouse.put_right()
    await mouse.click(60, 50)
    assert (await log(tab))[-1]["type"] == "click"


async def test_a_dialog_in_a_drag_and_drop_drops_nothing(mouse_on):
    mouse, _, tab = await mouse_on(DRAG_AND_DROP)
    await whole(tab, "to.addEventListener('dragover', () => alert('wait'), {once: true})")
    with pytest.raises(DialogOpen):
        await mouse.drag((60, 50), (700, 50), steps=20)
    assert mouse.buttons == 0
    await answered(tab)
    mouse.put_right()
    await whole(tab, "log.some((e) => e.type === 'dragend') || next('dragend')")
    assert await whole(tab, "window.dropped ?? 'nothing'") == "nothing"
    await mouse.click(70, 50)
    assert (await log(tab))[-1]["type"] == "click"


async def test_nothing_is_held_that_an_open_dialog_kept_from_being_sent(mouse_on):
    mouse, keyboard, tab = await mouse_on(BUTTON)
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


async def test_dropped_files_reach_the_page(mouse_on, tmp_path: Path):
    mouse, _, tab = await mouse_on("<div style='height: 2000px'></div>" + DROP_ZONE)
    paths = [tmp_path / "a.txt", tmp_path / "ü b.csv"]
    for path in paths:
        path.write_text(f"text of {path.name}", encoding="utf-8")
    await mouse.drop_files(60, 50, paths)
    assert await whole(tab, "files") == [
        ["a.txt", "text of a.txt", True],
        ["ü b.csv", "text of ü b.csv", True],
    ]


async def test_files_are_dropped_in_a_scrolled_page_and_on_a_file_input(mouse_on, tmp_path: Path):
    (tmp_path / "a.txt").write_text("a", encoding="utf-8")
    mouse, _, tab = await mouse_on(
        "<div style='height: 1500px'></div><input type=file id=pick><div style='height: 2000px'>"
    )
    await whole(tab, "scrollTo(0, 1450)")
    await mouse.drop_files(30, 60, [tmp_path / "a.txt"])
    assert await whole(tab, "pick.files[0].name") == "a.txt"


async def test_files_that_the_page_does_not_take_are_not_dropped(mouse_on, context, tmp_path: Path):
    (tmp_path / "a.txt").write_text("a", encoding="utf-8")
    mouse, _, tab = await mouse_on(BUTTON)
    with pytest.raises(ActionError, match="Nothing at 60, 50 takes files"):
        await mouse.drop_files(60, 50, [tmp_path / "a.txt"])
    await whole(tab, "log.some((e) => e.type === 'dragleave') || next('dragleave')")
    assert await kinds(tab, "dragenter", "dragover", "dragleave", "drop") == [
        "dragenter",
        "dragover",
        "dragover",
        "dragleave",
    ]
    assert len(tab.session.tabs) == 1


async def test_a_file_that_is_not_there_is_refused(mouse_on, tmp_path: Path):
    mouse, _, tab = await mouse_on(DROP_ZONE)
    with pytest.raises(InputError, match="There is no file"):
        await mouse.drop_files(60, 50, [tmp_path / "none.txt"])
    assert await kinds(tab, "dragenter", "dragover", "drop") == []
