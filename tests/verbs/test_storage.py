"""Local and session storage: any text comes back, all or nothing is stored, nothing is logged."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from support.crash import kill_browser
from support.engine import do, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager
from tabwright.errors import InputError, NotDone

SEES = """(kind, items) => {
    const store = window[kind + 'Storage'];
    return store.length === items.length && items.every(([k, v]) => store.getItem(k) === v);
}"""
FILLED = 5_100_000
BOTH = pytest.mark.parametrize("kind", ["local", "session"])
Kind = Literal["local", "session"]
# Any text that JavaScript can have, half of a surrogate pair too.
texts = st.text(st.characters(exclude_categories=()), max_size=50)


def joined(items: dict[str, str]) -> dict[str, str]:
    """As JavaScript has them: two halves that meet are one character."""

    def whole(text: str) -> str:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")

    return {whole(key): whole(text) for key, text in items.items()}


async def open_page(context: ToolContext, site: Site, path: str = "/storage/page") -> None:
    await do(context, "navigate", url=site.page(path, "page"))


async def stored(context: ToolContext, kind: Kind = "local", **params: Any) -> dict[str, str]:
    return (await do(context, "storage", kind=kind, **params)).items


async def put(context: ToolContext, items: dict[str, str], kind: Kind = "local") -> None:
    await do(context, "storage", action="set", kind=kind, items=items)


# Feature: browser-automation, Property 21: Storage round-trip
@pytest.mark.proves("S3-P21")
@BOTH
@settings(max_examples=40)
@example({"": ""})
@example({"__proto__": "a", "length": "b", "getItem": "c", "setItem": "d", "constructor": "e"})
@example({"\ud800": "\udfff", "\x00": "\x00"})
@given(items=st.dictionaries(texts, texts, max_size=20).map(joined))
async def test_any_text_comes_back_and_the_page_has_it(
    context: ToolContext, site: Site, kind: Kind, items: dict[str, str]
):
    await open_page(context, site)
    await do(context, "storage", action="clear", kind=kind)
    await put(context, items, kind)
    outcome = await call(context, "storage", {"kind": kind})
    assert json.loads(json.dumps(outcome.as_dict()))["result"]["items"] == items
    page = await do(context, "evaluate", expression=SEES, args=[kind, [*map(list, items.items())]])
    assert page.value is True
    for key, text in [*items.items()][:2]:
        assert await stored(context, kind, keys=[key]) == {key: text}
    again = {key: f"{text}!" for key, text in [*items.items()][:3]}
    await put(context, again, kind)
    assert await stored(context, kind) == items | again
    gone = await do(context, "storage", action="delete", kind=kind, keys=[*again, "not there"])
    assert (sorted(gone.keys), gone.items) == (sorted(again), {})
    left = {key: text for key, text in items.items() if key not in again}
    assert await stored(context, kind) == left
    gone = await do(context, "storage", action="clear", kind=kind)
    assert (sorted(gone.keys), gone.items) == (sorted(left), {})
    assert await value(context, f"{kind}Storage.length") == 0


@pytest.mark.proves("S3-P21")
@BOTH
async def test_what_fills_the_storage_comes_back_and_what_does_not_fit_changes_nothing(
    context: ToolContext, site: Site, kind: Kind
):
    await open_page(context, site)
    full = {"small": "before", "large": "é" * FILLED}
    await put(context, full, kind)
    assert await stored(context, kind) == full
    more = {"new": "x" * 1000, "small": "after", "too much": "y" * 500_000}
    outcome = await call(context, "storage", {"action": "set", "kind": kind, "items": more})
    assert isinstance(outcome.error, NotDone)
    assert outcome.error.details["reason"] == "quota"
    assert "no room for 3 items" in outcome.error.message
    assert await stored(context, kind) == full
    await do(context, "storage", action="clear", kind=kind)


@pytest.mark.proves("S3-P21")
async def test_a_value_that_shrinks_makes_room_for_another_of_the_same_call(
    context: ToolContext, site: Site
):
    await open_page(context, site)
    await put(context, {"old": "x" * FILLED})
    swapped = {"new": "y" * FILLED, "old": "small"}
    await put(context, swapped)
    assert await stored(context) == swapped
    await do(context, "storage", action="clear")


@pytest.mark.proves("U-29")
async def test_storage_is_that_of_the_current_origin_and_tab(context: ToolContext, site: Site):
    await open_page(context, site)
    await put(context, {"where": "first"})
    await put(context, {"where": "first tab"}, "session")
    done = await do(context, "storage")
    assert done.origin == site.origin
    await do(context, "tabs", action="new", url=site.page("/storage/other", "other"))
    assert await stored(context) == {"where": "first"}
    assert await stored(context, "session") == {}
    await do(context, "navigate", url=f"http://localhost:{site.port}/storage/other")
    assert await stored(context) == {}
    await put(context, {"where": "second"})
    await do(context, "navigate", url=site.url("/storage/other"))
    assert await stored(context) == {"where": "first"}


@pytest.mark.proves("U-25")
@pytest.mark.parametrize(
    "text",
    [
        "'; document.title = 'x'; '",
        "`${document.title = 'x'}`",
        "</script><script>x</script>",
        "'; DROP TABLE users; --",
        "../../etc/passwd",
        "\\",
        "\\u0041",
        "\u2028\u2029",
    ],
)
async def test_what_looks_like_source_is_stored_as_it_is(
    context: ToolContext, site: Site, text: str
):
    await open_page(context, site)
    await put(context, {text: text})
    assert await stored(context) == {text: text}
    assert await stored(context, keys=[text]) == {text: text}
    assert await value(context, "[document.title, localStorage.key(0)]") == ["Test", text]
    assert (await do(context, "storage", action="delete", keys=[text])).keys == [text]


async def test_a_page_that_has_replaced_the_functions_is_read_all_the_same(
    context: ToolContext, site: Site
):
    body = """<script>
        Storage.prototype.setItem = Storage.prototype.getItem = () => 'forged';
        JSON.parse = JSON.stringify = () => 'forged';
    </script>"""
    await do(context, "navigate", url=site.page("/storage/forged", body))
    await put(context, {"true": "value"})
    assert await stored(context) == {"true": "value"}


async def test_without_an_origin_there_is_no_storage(context: ToolContext, site: Site):
    sandboxed = {"content-security-policy": "sandbox allow-scripts"}
    boxed = site.content("/storage/boxed", b"<p>boxed", headers=sandboxed)
    for url in ("about:blank", "data:text/html,<p>data", boxed):
        await do(context, "navigate", url=url)
        for params in ({}, {"action": "set", "items": {"a": "b"}}, {"action": "clear"}):
            outcome = await call(context, "storage", params)
            assert isinstance(outcome.error, InputError), url
            assert "has no local storage" in outcome.error.message
            assert "`navigate`" in outcome.error.hint


@pytest.mark.proves("U-30")
async def test_values_are_whole_in_the_reply_and_nowhere_in_the_log(
    context: ToolContext, manager: BrowserManager, site: Site
):
    await open_page(context, site)
    secret = "hunter2" + "x" * 3000
    errors = []
    for params in (
        {"action": "set", "items": {"a": secret}},
        {"action": "get"},
        {"action": "set", "items": {"a": [secret]}},
        {"action": "set", "items": secret},
        {"action": "set", "items": {"a": secret * 2000}},
        {"action": "get", "items": {"a": secret}},
        {"action": "delete", "keys": ["a"]},
    ):
        outcome = await call(context, "storage", params)
        if outcome.error is not None:
            errors.append(json.dumps(outcome.error.as_dict()))
        elif params == {"action": "get"}:
            assert outcome.unwrap().items == {"a": secret}
            assert f"… ({len(secret)} characters)" in outcome.text()
            assert len(outcome.text()) < 400
    assert len(errors) == 4
    logged = json.dumps([*manager.journal.entries], default=str)
    assert "hunter2" not in logged + "".join(errors)


@pytest.mark.proves("R-5")
async def test_what_was_stored_survives_a_killed_browser(own_manager: BrowserManager, site: Site):
    context = own_manager.context("a")
    await open_page(context, site)
    await put(context, {"a": "local", "gone": "x"})
    await put(context, {"a": "session"}, "session")
    await stored(context, action="delete", keys=["gone"])
    kill_browser(own_manager)
    assert await stored(context) == {"a": "local"}
    assert await stored(context, "session") == {"a": "session"}


async def test_the_text_tells_what_was_done_in_few_words(context: ToolContext, site: Site):
    await open_page(context, site)
    of = f"in local storage of {site.origin}"

    async def told(**params: Any) -> str:
        return (await do(context, "storage", **params)).text()

    assert await told(action="clear") == f"0 items deleted {of}."
    assert await told(action="set", items={"a": "b\nc", "d": "e"}) == f"2 items set {of}."
    assert await told() == f'2 items {of}:\n"a": "b\\nc"\n"d": "e"'
    assert await told(keys=["none"]) == f"0 items {of}."
    assert await told(action="delete", keys=["a"]) == f"1 item deleted {of}."
    await put(context, {f"k{n:03}": "v" for n in range(200)})
    assert (await told()).splitlines()[-1] == "… 101 items more: give their `keys`"
