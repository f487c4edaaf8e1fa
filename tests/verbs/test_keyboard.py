"""Typing, filling and pressing: the text arrives once, in order, by real keys."""

from __future__ import annotations

import pytest

from support.engine import do, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext

FIELDS = """<input id=i value=abc><textarea id=t>abc</textarea><div id=c contenteditable>abc</div>
<script>const log = []; for (const type of ["keydown", "keypress", "beforeinput", "input", "keyup",
  "change"]) addEventListener(type,
  (e) => log.push([type, e.isTrusted, e.key ?? e.data ?? ""]), true)
</script>"""
HELD = "(e => 'value' in e ? e.value : e.innerText)(document.querySelector('{}'))"


async def opened(context: ToolContext, site: Site, path: str, body: str = FIELDS) -> None:
    await do(context, "navigate", url=site.page(path, body))


@pytest.mark.proves("S2-BT-009a", "S0-08", "S1-08", "U-09")
async def test_each_character_is_trusted_keys_and_input(context: ToolContext, site: Site):
    await opened(context, site, "/k/keys")
    acted = await do(context, "type", selector="#i", text="xY")
    log = await value(context, "log")
    assert log == [
        ["keydown", True, "x"],
        ["keypress", True, "x"],
        ["beforeinput", True, "x"],
        ["input", True, "x"],
        ["keyup", True, "x"],
        ["keydown", True, "Y"],
        ["keypress", True, "Y"],
        ["beforeinput", True, "Y"],
        ["input", True, "Y"],
        ["keyup", True, "Y"],
    ]
    assert (acted.verdict, acted.receipt["value"]) == ("effective", "abcxY")
    await do(context, "blur", selector="#i")
    assert (await value(context, "log"))[-1] == ["change", True, ""]


@pytest.mark.parametrize("selector", ["#i", "#t", "#c"])
@pytest.mark.proves("S2-BT-009c", "U-09")
async def test_text_is_appended_or_replaces(context: ToolContext, site: Site, selector: str):
    await opened(context, site, "/k/clear")
    await do(context, "type", selector=selector, text="x")
    assert await value(context, HELD.format(selector)) == "abcx"
    await do(context, "type", selector=selector, text="x", clear=True)
    assert await value(context, HELD.format(selector)) == "x"
    await do(context, "fill", selector=selector, text="whole new")
    assert await value(context, HELD.format(selector)) == "whole new"
    await do(context, "fill", selector=selector, text="")
    assert (await value(context, HELD.format(selector))).strip() == ""


@pytest.mark.proves("S2-BT-009c")
async def test_maxlength_and_masks_are_respected_and_told(context: ToolContext, site: Site):
    await opened(
        context,
        site,
        "/k/mask",
        """<input id=m maxlength=3>
        <input id=d oninput="this.value = this.value.replace(/\\D/g, '')">
        <input id=n onbeforeinput="event.preventDefault()" value=kept>""",
    )
    acted = await do(context, "type", selector="#m", text="abcdef")
    assert acted.receipt["value"] == "abc"
    acted = await do(context, "fill", selector="#d", text="12-34")
    assert acted.receipt["value"] == "1234"
    assert "'1234'" in acted.text()
    outcome = await call(context, "fill", {"selector": "#n", "text": "other"})
    assert outcome.error is not None
    assert outcome.error.code == "NOT_DONE"
    assert "'kept'" in outcome.error.message


@pytest.mark.proves("S2-BT-009b", "S0-08")
async def test_a_missing_or_unfit_field_is_a_clear_error(context: ToolContext, site: Site):
    words_for = {"type": "not able to take the focus", "fill": "no text can be put into it"}
    await opened(
        context, site, "/k/unfit", "<h1>Title</h1><input id=r readonly><input id=d disabled>"
    )
    for selector, code, words in (
        ("#nothing", "ELEMENT_NOT_FOUND", "#nothing"),
        ("#r", "ELEMENT_NOT_ACTIONABLE", "read-only"),
        ("#d", "ELEMENT_NOT_ACTIONABLE", "disabled"),
    ):
        for verb in ("type", "fill"):
            outcome = await call(context, verb, {"selector": selector, "text": "x"})
            assert outcome.error is not None
            assert (outcome.error.code, words in outcome.error.message) == (code, True)
    for verb, words in words_for.items():
        outcome = await call(context, verb, {"selector": "h1", "text": "x"})
        assert outcome.error is not None
        assert words in outcome.error.message


async def test_a_password_is_typed_and_never_echoed_or_logged(
    context: ToolContext, site: Site, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(0)
    await opened(context, site, "/k/secret", '<input id=p type=password aria-label="Pass word">')
    secret = "hunter2-Zq!"  # what must not appear
    for verb in ("fill", "type"):
        outcome = await call(context, verb, {"selector": "#p", "text": secret})
        assert outcome.success, outcome.text()
        assert secret not in outcome.text()
        assert secret not in str(outcome.as_dict())
    assert await value(context, "document.querySelector('#p').value") == secret * 2
    assert secret not in caplog.text


async def test_long_text_and_slow_typing(context: ToolContext, site: Site):
    await opened(context, site, "/k/long", "<textarea id=t></textarea>")
    text = "".join(chr(97 + n % 26) for n in range(2000))
    acted = await do(context, "type", selector="#t", text=text)
    assert (acted.verdict, await value(context, "t.value")) == ("effective", text)
    await do(context, "type", selector="#t", text="slow", clear=True, delay=30)
    assert await value(context, "t.value") == "slow"


@pytest.mark.proves("S3-6.3", "S3-ACT-02")
async def test_keys_are_pressed_at_an_element_or_where_the_focus_is(
    context: ToolContext, site: Site
):
    await opened(
        context,
        site,
        "/k/press",
        """<form onsubmit="event.preventDefault(); sent = true"><input id=a><input id=b>
        <button>Send</button></form>
        <script>keys = []; addEventListener("keydown", (e) => keys.push(
        [e.key, e.ctrlKey, e.shiftKey, e.target.id, e.isTrusted]))</script>""",
    )
    await do(context, "press", key="Control+Shift+K", selector="#a")
    await do(context, "press", key="Tab")
    acted = await do(context, "press", key="Enter")
    keys = await value(context, "keys")
    assert ["K", True, True, "a", True] in keys
    assert keys[-1] == ["Enter", False, False, "b", True]
    assert await value(context, "sent") is True
    assert acted.verdict == "effective"


async def test_a_key_that_nobody_listens_for_has_no_effect(context: ToolContext, site: Site):
    await opened(context, site, "/k/dead", "<p>nothing</p>")
    assert (await do(context, "press", key="F7")).verdict == "no_effect"


async def test_a_held_key_counts_for_clicks(context: ToolContext, site: Site):
    await opened(
        context, site, "/k/held", "<button id=b onclick='held = event.shiftKey'>x</button>"
    )
    await do(context, "key", action="down", key="Shift")
    await do(context, "click", selector="#b")
    assert await value(context, "held") is True
    await do(context, "key", action="up", key="Shift")
    await do(context, "click", selector="#b")
    assert await value(context, "held") is False


async def test_inserted_text_comes_without_keys(context: ToolContext, site: Site):
    await opened(context, site, "/k/insert")
    await do(context, "focus", selector="#i")
    await do(context, "press", key="End")
    await value(context, "log.length = 0")
    acted = await do(context, "insert", text="日本 🎉")
    assert acted.receipt["value"] == "abc日本 🎉"
    assert {entry[0] for entry in await value(context, "log")} == {"beforeinput", "input"}


async def test_a_debounced_search_is_waited_for(context: ToolContext, site: Site):
    await opened(
        context,
        site,
        "/k/debounce",
        """<input id=q oninput="clearTimeout(this.t);
        this.t = setTimeout(() => o.textContent = 'results for ' + this.value, 250)">
        <p id=o role=status></p>""",
    )
    acted = await do(context, "type", selector="#q", text="shoes")
    assert acted.receipt["changes"] == ['says status "results for shoes" e2']


async def test_keys_reach_an_element_that_is_no_field_but_takes_the_focus(
    context: ToolContext, site: Site
):
    await opened(
        context,
        site,
        "/k/canvas",
        "<canvas id=g tabindex=0></canvas>"
        "<script>got = ''; g.onkeydown = (e) => got += e.key</script>",
    )
    acted = await do(context, "type", selector="#g", text="wasd")
    assert (acted.verdict, await value(context, "got")) == ("effective", "wasd")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("date", "2026-12-24"),
        ("time", "13:45"),
        ("month", "2026-12"),
        ("range", "70"),
        ("color", "#12ab34"),
    ],
)
async def test_fields_that_take_no_plain_text_are_filled_as_they_want_it(
    context: ToolContext, site: Site, kind: str, text: str
):
    await opened(context, site, f"/k/special/{kind}", f"<input id=x type={kind}>")
    acted = await do(context, "fill", selector="#x", text=text)
    assert (acted.verdict, await value(context, "x.value")) == ("effective", text)
