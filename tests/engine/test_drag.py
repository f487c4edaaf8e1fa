"""Dragging: with the mouse, of elements that are dropped, and of files."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.devices import BUTTON, answered, cancel_once, kinds, log, mouse_on, whole
from support.engine import make_settings
from tabwright.dispatch import call
from tabwright.engine.manager import BrowserManager
from tabwright.errors import ActionError, DialogOpen, InputError

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
FOREIGN = """
<body style="margin: 0"><div draggable=true style="height: 40px">mine</div>
<script>
  addEventListener("dragstart", (e) => e.dataTransfer.setData("text/plain", "from the frame"));
  addEventListener("dragover", (e) => e.preventDefault());
  addEventListener("drop", (e) => {
    e.preventDefault();
    parent.postMessage(e.dataTransfer.getData("text/plain"), "*");
  });
</script>
"""
FRAME_STYLE = "style='position: absolute; left: 0; top: 200px; width: 300px; height: 200px'"
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


async def test_a_mouse_drag_moves_a_slider(context, site):
    mouse, _, tab = await mouse_on(context, site, SLIDER)
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
async def test_drag_and_drop_carries_its_data(context, site, steps):
    mouse, _, tab = await mouse_on(context, site, DRAG_AND_DROP)
    await mouse.drag((60, 50), (350, 50), steps)
    assert await whole(tab, "dropped") == ["words", '{"id": 7}']
    seen = await log(tab)
    assert all(e["trusted"] for e in seen)
    ends = [(e["type"], e["at"]) for e in seen if e["type"] in {"dragstart", "drop", "dragend"}]
    assert ends == [("dragstart", "from"), ("drop", "to"), ("dragend", "from")]
    assert seen[-1]["effect"] == "move"
    assert "mouseup" not in [e["type"] for e in seen]


async def test_a_drag_by_hand_is_a_drag_and_drop_too(context, site):
    mouse, _, tab = await mouse_on(context, site, DRAG_AND_DROP)
    await mouse.move(60, 50)
    await mouse.down()
    await mouse.move(350, 50, steps=5)
    await mouse.move(351, 50)
    await mouse.up()
    assert await whole(tab, "dropped") == ["words", '{"id": 7}']


async def test_what_no_place_takes_is_not_dropped(context, site):
    mouse, _, tab = await mouse_on(context, site, DRAG_AND_DROP)
    await mouse.drag((60, 50), (60, 400))
    seen = await log(tab)
    ends = [e["type"] for e in seen if e["type"] in {"dragstart", "drop", "dragend"}]
    assert ends == ["dragstart", "dragend"]
    assert seen[-1]["effect"] == "none"


async def test_a_drag_from_process_to_process_ends_in_both(site, tmp_path: Path):
    settings = make_settings(tmp_path, **{"browser.args": ["--site-per-process"]})
    manager = BrowserManager(settings, execute=call)
    site.page("/foreign", FOREIGN)
    frame = f"http://localhost:{site.port}/foreign"
    try:
        mouse, _, tab = await mouse_on(
            manager.context("drag"), site, f"{DRAG_AND_DROP}<iframe src={frame} {FRAME_STYLE}>"
        )
        await whole(tab, "got = new Promise((r) => onmessage = (e) => r(e.data)); 0")
        await mouse.drag((60, 50), (100, 250))
        assert await whole(tab, "got") == "words"
        await whole(tab, "log.some((e) => e.type === 'dragend') || next('dragend')")
        await mouse.drag((20, 220), (350, 50))
        assert (await whole(tab, "dropped"))[0] == "from the frame"
        await mouse.click(70, 50)
        assert (await log(tab))[-1]["type"] == "click"
    finally:
        await manager.stop()


async def test_a_page_that_forbids_the_drag_sees_a_plain_mouse(context, site):
    mouse, _, tab = await mouse_on(context, site, DRAG_AND_DROP)
    await whole(tab, "from.addEventListener('dragstart', (e) => e.preventDefault()); 0")
    await mouse.drag((60, 50), (350, 50))
    assert await kinds(tab, "mousedown", "mouseup", "drop") == ["mousedown", "mouseup"]


async def test_the_mouse_is_free_after_a_drag(context, site):
    mouse, _, tab = await mouse_on(context, site, DRAG_AND_DROP)
    for _ in range(3):
        await mouse.drag((60, 50), (350, 50))
        await log(tab)
        await mouse.click(70, 50)
        assert await kinds(tab, "mousedown", "mouseup", "click") == [
            "mousedown",
            "mouseup",
            "click",
        ]


async def test_a_drop_that_leaves_the_page_ends(context, site):
    mouse, _, tab = await mouse_on(context, site, DRAG_AND_DROP)
    url = site.page("/mouse-after", "<p>after</p>")
    await whole(tab, f"to.addEventListener('drop', () => location.href = '{url}'); 0")
    await mouse.drag((60, 50), (350, 50))
    await tab.until(lambda: tab.url == url)
    assert mouse.buttons == 0


async def test_a_cancelled_mouse_drag_lets_go_of_the_button(context, site):
    mouse, _, tab = await mouse_on(context, site, SLIDER)
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


async def test_a_cancelled_drag_and_drop_drops_nothing(context, site):
    mouse, _, tab = await mouse_on(context, site, DRAG_AND_DROP)
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


async def test_a_dialog_in_a_drag_and_drop_drops_nothing(context, site):
    mouse, _, tab = await mouse_on(context, site, DRAG_AND_DROP)
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


async def test_dropped_files_reach_the_page(context, site, tmp_path: Path):
    mouse, _, tab = await mouse_on(context, site, "<div style='height: 2000px'></div>" + DROP_ZONE)
    paths = [tmp_path / "a.txt", tmp_path / "ü b.csv"]
    for path in paths:
        path.write_text(f"text of {path.name}", encoding="utf-8")
    await mouse.drop_files(60, 50, paths)
    assert await whole(tab, "files") == [
        ["a.txt", "text of a.txt", True],
        ["ü b.csv", "text of ü b.csv", True],
    ]


async def test_files_are_dropped_in_a_scrolled_page_and_on_a_file_input(
    context, site, tmp_path: Path
):
    (tmp_path / "a.txt").write_text("a", encoding="utf-8")
    mouse, _, tab = await mouse_on(
        context,
        site,
        "<div style='height: 1500px'></div><input type=file id=pick><div style='height: 2000px'>",
    )
    await whole(tab, "scrollTo(0, 1450)")
    await mouse.drop_files(30, 60, [tmp_path / "a.txt"])
    assert await whole(tab, "pick.files[0].name") == "a.txt"


async def test_files_that_the_page_does_not_take_are_not_dropped(context, site, tmp_path: Path):
    (tmp_path / "a.txt").write_text("a", encoding="utf-8")
    mouse, _, tab = await mouse_on(context, site, BUTTON)
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


async def test_a_file_that_is_not_there_is_refused(context, site, tmp_path: Path):
    mouse, _, tab = await mouse_on(context, site, DROP_ZONE)
    with pytest.raises(InputError, match="There is no file"):
        await mouse.drop_files(60, 50, [tmp_path / "none.txt"])
    assert await kinds(tab, "dragenter", "dragover", "drop") == []
