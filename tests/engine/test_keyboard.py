"""The keyboard, as a page sees it."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from support.devices import log, open_page, whole
from tabwright.engine.keyboard import IN_FLIGHT, Keyboard
from tabwright.engine.keys import CHARACTERS, CONTROL, NAMES, SHIFT
from tabwright.engine.tab import Tab
from tabwright.errors import InputError

EVENTS = ["keydown", "keypress", "beforeinput", "input", "keyup"]
FIELDS = {
    "input": "<input id=field>",
    "textarea": "<textarea id=field></textarea>",
    "editable": "<div id=field contenteditable></div>",
}
RECORDER = """
<script>
  window.log = [];
  for (const type of ["keydown", "keypress", "beforeinput", "input", "keyup", "change"])
    addEventListener(type, (e) => log.push({
      type, key: e.key ?? e.data, trusted: e.isTrusted, code: e.code, keyCode: e.keyCode,
      location: e.location, shift: e.shiftKey, repeat: e.repeat,
    }), true);
  const text = () => field.value ?? field.innerText;
  field.focus();
</script>
"""


@pytest.fixture
async def keyboard_on(context, site):
    """Opens a page with a field that has the focus, and gives a keyboard on it."""

    async def opened(field: str = "input") -> tuple[Keyboard, Tab]:
        tab = await open_page(context, site, "/keyboard", FIELDS.get(field, field) + RECORDER)
        return Keyboard(tab), tab

    return opened


async def text(tab: Tab) -> str:
    return (await whole(tab, "text()")).replace("\xa0", " ")


@pytest.mark.proves("S2-BT-009a")
@pytest.mark.parametrize("field", FIELDS)
async def test_each_typed_character_is_a_whole_series_of_trusted_events(keyboard_on, field):
    keyboard, tab = await keyboard_on(field)
    await keyboard.type("aB1 ")
    seen = await log(tab)
    assert [(e["type"], e["key"]) for e in seen] == [(t, c) for c in "aB1 " for t in EVENTS]
    assert all(e["trusted"] for e in seen)
    assert await text(tab) == "aB1 "


@pytest.mark.proves("S2-BT-009a")
async def test_what_was_typed_is_told_as_a_change_when_the_field_is_left(keyboard_on):
    keyboard, tab = await keyboard_on("<input id=field><input>")
    await keyboard.type("new\t")
    changes = [e for e in await log(tab) if e["type"] == "change"]
    assert [e["trusted"] for e in changes] == [True]


@pytest.mark.parametrize("field", FIELDS)
async def test_thousands_of_characters_arrive_once_and_in_order(keyboard_on, field):
    keyboard, tab = await keyboard_on(field)
    await whole(tab, "log.push = () => 0")
    characters = "".join(chr(33 + at * 7 % 94) for at in range(5000))
    await keyboard.type(characters)
    assert await text(tab) == characters
    assert keyboard.held == ()


@pytest.mark.parametrize("field", FIELDS)
async def test_other_scripts_and_emoji_keep_their_place_between_keys(keyboard_on, field):
    keyboard, tab = await keyboard_on(field)
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    await keyboard.type(f"a字b{family}cé漢字d\U0001f600e")
    assert await text(tab) == f"a字b{family}cé漢字d\U0001f600e"
    inputs = [e["key"] for e in await log(tab) if e["type"] == "input"]
    assert inputs == ["a", "字", "b", family, "c", "é", "漢", "字", "d", "\U0001f600", "e"]


async def test_a_line_break_is_enter_and_a_tab_leaves_the_field(keyboard_on):
    keyboard, tab = await keyboard_on("<textarea id=field></textarea><input id=next>")
    await keyboard.type("one\ntwo\r\nthree\tfour")
    assert await text(tab) == "one\ntwo\nthree"
    assert await whole(tab, "next.value") == "four"
    downs = [e["key"] for e in await log(tab) if e["type"] == "keydown"]
    assert (downs.count("Enter"), downs.count("Tab")) == (2, 1)


async def test_enter_submits_a_form(keyboard_on):
    body = "<form onsubmit='sent = field.value; return false'><input id=field></form>"
    keyboard, tab = await keyboard_on(body)
    await keyboard.type("query\n")
    assert await whole(tab, "sent") == "query"


async def test_a_delay_lies_between_characters(keyboard_on):
    keyboard, tab = await keyboard_on()
    await whole(tab, "times = []; addEventListener('keydown', (e) => times.push(e.timeStamp))")
    await keyboard.type("abc", delay_ms=30)
    first, second, third = await whole(tab, "times")
    assert second - first >= 29
    assert third - second >= 29


async def test_inserted_text_comes_at_once_and_without_keys(keyboard_on):
    keyboard, tab = await keyboard_on()
    await keyboard.insert("pasted words")
    assert [e["type"] for e in await log(tab)] == ["beforeinput", "input"]
    assert await text(tab) == "pasted words"


async def test_pages_see_every_key_as_the_table_has_it(keyboard_on):
    keyboard, tab = await keyboard_on()
    await whole(tab, "addEventListener('keydown', (e) => e.preventDefault(), true)")
    names = [*NAMES, *CHARACTERS]
    for name in names:
        await keyboard.down(name)
        await keyboard.up(name)
    seen = [e for e in await log(tab) if e["type"] == "keydown"]
    found = [(e["key"], e["code"], e["keyCode"], e["location"]) for e in seen]
    wanted = [NAMES.get(name) or CHARACTERS[name] for name in names]
    assert found == [(k.key, k.code, k.key_code, k.location) for k in wanted]


async def test_press_holds_its_modifiers_around_the_key(keyboard_on):
    keyboard, tab = await keyboard_on()
    await keyboard.press("Control+Shift+K")
    seen = [(e["type"], e["key"], e["shift"]) for e in await log(tab)]
    assert seen == [
        ("keydown", "Control", False),
        ("keydown", "Shift", True),
        ("keydown", "K", True),
        ("keyup", "K", True),
        ("keyup", "Shift", False),
        ("keyup", "Control", False),
    ]
    assert keyboard.held == ()


async def test_typed_capitals_have_shift_down_and_no_shift_events(keyboard_on):
    keyboard, tab = await keyboard_on()
    await keyboard.type("A")
    downs = [e for e in await log(tab) if e["type"] == "keydown"]
    assert [(e["key"], e["code"], e["shift"]) for e in downs] == [("A", "KeyA", True)]


async def test_a_held_key_repeats_and_shift_changes_what_is_typed(keyboard_on):
    keyboard, tab = await keyboard_on()
    await keyboard.down("x")
    await keyboard.down("x")
    await keyboard.up("x")
    await keyboard.down("Shift")
    assert keyboard.modifiers == SHIFT
    await keyboard.type("y1")
    await keyboard.up("Shift")
    assert keyboard.modifiers == 0
    assert await text(tab) == "xxY!"
    downs = [(e["key"], e["repeat"]) for e in await log(tab) if e["type"] == "keydown"]
    assert downs == [("x", False), ("x", True), ("Shift", False), ("Y", False), ("!", False)]


async def test_releasing_all_lifts_every_key(keyboard_on):
    keyboard, tab = await keyboard_on()
    for key in ("Control", "Shift", "F2"):
        await keyboard.down(key)
    assert keyboard.modifiers == CONTROL | SHIFT
    await keyboard.release_all()
    assert keyboard.held == ()
    ups = [e["key"] for e in await log(tab) if e["type"] == "keyup"]
    assert ups == ["F2", "Shift", "Control"]


@pytest.mark.parametrize("field", FIELDS)
async def test_select_all_then_typing_replaces(keyboard_on, field):
    keyboard, tab = await keyboard_on(field)
    await keyboard.type("old words")
    await keyboard.press("ControlOrMeta+A")
    await keyboard.type("new")
    assert await text(tab) == "new"


@pytest.mark.parametrize("field", FIELDS)
async def test_the_shortcuts_of_editing_work(keyboard_on, field):
    keyboard, tab = await keyboard_on(field)
    await keyboard.type("abc def")
    for combination in ("ControlOrMeta+a", "ControlOrMeta+c", "End", "ControlOrMeta+v"):
        await keyboard.press(combination)
    assert await text(tab) == "abc defabc def"
    for combination in ("ControlOrMeta+a", "ControlOrMeta+x"):
        await keyboard.press(combination)
    assert (await text(tab)).strip() == ""
    await keyboard.press("ControlOrMeta+z")
    assert await text(tab) == "abc defabc def"
    await keyboard.press("ControlOrMeta+Shift+z")
    assert (await text(tab)).strip() == ""


async def test_keys_move_select_and_delete(keyboard_on):
    keyboard, tab = await keyboard_on()
    await keyboard.type("one two")
    for key in ("Backspace", "ArrowLeft", "Delete", "Home", "Delete", "Shift+ArrowRight", "X"):
        await keyboard.press(key)
    assert await text(tab) == "Xe t"


@pytest.mark.parametrize("field", FIELDS)
async def test_the_mac_keyboard_brings_its_own_editing_commands(keyboard_on, field):
    _, tab = await keyboard_on(field)
    keyboard = Keyboard(tab, platform="darwin")
    await keyboard.type("old words")
    await keyboard.press("Meta+ArrowLeft")
    await keyboard.type("> ")
    assert await text(tab) == "> old words"
    await keyboard.press("ControlOrMeta+A")
    await keyboard.type("new")
    assert await text(tab) == "new"
    await keyboard.press("Meta+Backspace")
    assert (await text(tab)).strip() == ""


async def test_a_page_that_takes_a_shortcut_keeps_it(keyboard_on):
    keyboard, tab = await keyboard_on()
    await whole(tab, "field.addEventListener('keydown', (e) => e.ctrlKey && e.preventDefault())")
    await keyboard.type("kept")
    await keyboard.press("Control+a")
    await keyboard.type("!")
    assert await text(tab) == "kept!"


async def test_a_character_without_a_key_can_be_pressed(keyboard_on):
    keyboard, tab = await keyboard_on()
    await keyboard.press("é")
    assert await text(tab) == "é"


async def test_what_is_no_text_is_refused_before_anything_is_typed(keyboard_on):
    keyboard, tab = await keyboard_on()
    with pytest.raises(InputError):
        await keyboard.type("abc\ud800")
    assert await text(tab) == ""


async def test_typing_that_is_cancelled_leaves_no_key_down(keyboard_on, monkeypatch):
    keyboard, tab = await keyboard_on()
    posted, post = 0, tab.post

    def counting(*command: Any) -> asyncio.Future[dict[str, Any]]:
        nonlocal posted
        posted += 1
        if posted == 3 * IN_FLIGHT + 1:
            # In the middle of a key: the release that belongs to it is still sent.
            task.cancel()
        return post(*command)

    monkeypatch.setattr(tab, "post", counting)
    task = asyncio.create_task(keyboard.type("x" * 20_000))
    with pytest.raises(asyncio.CancelledError):
        await task
    monkeypatch.undo()
    assert keyboard.held == ()
    # Behind all that was on its way.
    await keyboard.press("Escape")
    kinds = Counter(e["type"] for e in await log(tab))
    assert kinds["keydown"] == kinds["keyup"]
    assert 0 < len(await text(tab)) < 20_000


async def test_no_more_than_a_bounded_number_of_keys_is_on_the_way():
    open_commands: list[asyncio.Future[dict[str, Any]]] = []
    most = 0

    class SlowPage:
        def post(self, method: str, params: Any = None) -> asyncio.Future[dict[str, Any]]:
            nonlocal most
            future = asyncio.get_running_loop().create_future()
            open_commands.append(future)
            most = max(most, sum(not f.done() for f in open_commands))
            asyncio.get_running_loop().call_soon(future.set_result, {})
            return future

        async def send(self, method: str, params: Any = None) -> dict[str, Any]:
            return await self.post(method, params)

    await Keyboard(SlowPage()).type("a" * 1000)
    assert len(open_commands) == 2000
    assert most <= IN_FLIGHT + 2
