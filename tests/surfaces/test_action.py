"""Actions by their type: each is a verb, through the one door, with one shape of result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.engine import do, session_of, value
from support.site import Site
from tabwright.engine.cdp import CDPClient
from tabwright.engine.context import ToolContext
from tabwright.surfaces.action import KINDS, act, read
from tabwright.verbs import VERBS

PAGE = """<style>body { height: 3000px }</style><button id=b onclick="n = (window.n ?? 0) + 1"
  ondblclick="twice = true" oncontextmenu="right = true">go</button>
<input id=i value=old><input id=c type=checkbox><input id=f type=file>
<select id=s><option>red<option>green</select><div id=box draggable=true>box</div><p id=t>to</p>"""

ACTIONS: list[tuple[dict[str, Any], str, Any, tuple[str, ...]]] = [
    ({"type": "click", "selector": "#b"}, "n", 1, ("Input.dispatchMouseEvent",)),
    ({"type": "double_click", "selector": "#b"}, "twice", True, ("Input.dispatchMouseEvent",)),
    ({"type": "right_click", "selector": "#b"}, "right", True, ("Input.dispatchMouseEvent",)),
    ({"type": "hover", "selector": "#b"}, "1", 1, ("Input.dispatchMouseEvent",)),
    (
        {"type": "type", "selector": "#i", "text": "x", "delay": 1},
        "i.value",
        "oldx",
        ("Input.dispatchKeyEvent",),
    ),
    ({"type": "fill", "selector": "#i", "text": "new"}, "i.value", "new", ("Input.insertText",)),
    ({"type": "clear", "selector": "#i"}, "i.value", "", ("Input.dispatchKeyEvent",)),
    ({"type": "press", "key": "Tab"}, "1", 1, ("Input.dispatchKeyEvent",)),
    ({"type": "check", "selector": "#c"}, "c.checked", True, ("Input.dispatchMouseEvent",)),
    ({"type": "uncheck", "selector": "#c"}, "c.checked", False, ()),
    (
        {"type": "select", "selector": "#s", "values": ["green"]},
        "s.value",
        "green",
        ("Input.dispatchKeyEvent",),
    ),
    (
        {"type": "upload", "selector": "#f", "files": ["a.txt"]},
        "f.files[0].name",
        "a.txt",
        ("DOM.setFileInputFiles",),
    ),
    ({"type": "drag", "selector": "#box", "to": "#t"}, "1", 1, ("Input.dispatchMouseEvent",)),
    ({"type": "scroll", "target": "bottom"}, "scrollY > 1000", True, ("Runtime.callFunctionOn",)),
    ({"type": "scroll", "target": "top"}, "scrollY", 0, ("Runtime.callFunctionOn",)),
    (
        {"type": "scroll", "target": "coordinates", "x": 0, "y": 300},
        "scrollY",
        300,
        ("Runtime.callFunctionOn",),
    ),
    (
        {"type": "scroll", "target": "element", "selector": "#b"},
        "scrollY < 300",
        True,
        ("Runtime.callFunctionOn",),
    ),
    (
        {"type": "execute_js", "script": "(a, b) => window.sum = a + b", "args": [1, 2]},
        "sum",
        3,
        ("Runtime.evaluate",),
    ),
    (
        {"type": "wait", "condition": "selector", "selector": "#b", "state": "visible"},
        "1",
        1,
        ("Runtime.callFunctionOn",),
    ),
    ({"type": "wait", "condition": "load_state", "loadState": "load"}, "1", 1, ()),
    ({"type": "wait", "condition": "timeout", "timeout": 20}, "1", 1, ()),
    ({"type": "screenshot", "format": "jpeg"}, "1", 1, ("Page.captureScreenshot",)),
    ({"type": "pdf"}, "1", 1, ("Page.printToPDF",)),
    ({"type": "download"}, "1", 1, ()),
    ({"type": "reload"}, "typeof n", "undefined", ("Page.reload",)),
]


@pytest.mark.parametrize("action", ACTIONS, ids=[a[0]["type"] for a in ACTIONS])
@pytest.mark.proves("S3-ACT-01", "S3-ACT-02", "S3-ACT-03", "S3-P05")
async def test_each_kind_of_action_reaches_the_browser_and_says_what_came_of_it(
    context: ToolContext,
    site: Site,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    action: tuple[dict[str, Any], str, Any, tuple[str, ...]],
):
    """The driver is our own connection (docs/architecture.md): a spy sees what goes through it."""
    given, script, expected, commands = action
    (tmp_path / "a.txt").write_text("x")
    await do(context, "navigate", url=site.page("/surfaces/action", PAGE))
    sent: list[str] = []
    post = CDPClient.post

    def spy(self: CDPClient, method: str, *args: Any, **more: Any) -> Any:
        sent.append(method)
        return post(self, method, *args, **more)

    monkeypatch.setattr(CDPClient, "post", spy)
    outcome = (await act(context, given)).as_dict()
    assert outcome["success"], outcome
    assert outcome["action"] == given["type"]
    assert outcome["executionTime"] > 0
    assert {"result", "timestamp"} <= set(outcome)
    assert set(commands) <= set(sent)
    assert await value(context, script) == expected


@pytest.mark.proves("S3-ACT-01", "S3-6.9")
async def test_waiting_for_a_navigation(context: ToolContext, site: Site):
    first, second = site.page("/surfaces/1", "one"), site.page("/surfaces/2", "two")
    assert (await act(context, {"type": "navigate", "url": first})).success
    await do(context, "hover", selector="body")
    await value(context, f"setTimeout(() => location.href = {second!r}, 200); 1")
    outcome = await act(context, {"type": "wait", "condition": "navigation"})
    assert outcome.unwrap().found == second
    assert (await act(context, {"type": "back"})).success
    assert (await act(context, {"type": "forward"})).success
    assert await value(context, "location.href") == second


@pytest.mark.proves("S3-ACT-03", "S3-ERR-07", "S3-P10")
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"type": "fly"}, "There is no action 'fly'"),
        ({}, "There is no action None"),
        ([], "An action is an object"),
        (None, "An action is an object"),
        ({"type": ["click"]}, "There is no action"),
        ({"type": "click"}, "`selector` is required"),
        ({"type": "wait", "condition": "moon"}, "must be one of selector, navigation"),
        ({"type": "scroll"}, "must be one of element, coordinates"),
        ({"type": "click", "selector": "#b", "colour": 1}, "`colour` is not a parameter"),
    ],
)
async def test_what_is_no_action_is_refused_and_changes_nothing(
    context: ToolContext, given: Any, words: str
):
    outcome = await act(context, given)
    assert outcome.error is not None
    body = outcome.as_dict()
    assert (body["success"], body["error"]["code"]) == (False, "VALIDATION_ERROR")
    assert words in body["error"]["message"]
    assert "stack" not in str(body)


async def test_an_error_of_an_action_names_it_and_its_selector(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/surfaces/error", PAGE))
    body = (await act(context, {"type": "double_click", "selector": "#nope"})).as_dict()
    assert body["error"]["context"]["action"] == "double_click"
    assert body["error"]["context"]["selector"] == "#nope"


def test_every_kind_is_a_verb():
    given = {"condition": "selector", "target": "top"}
    for kind in KINDS:
        assert read({"type": kind, **given})[0] in VERBS


@pytest.mark.proves("S3-ACT-01")
async def test_a_snapshot_is_data_unless_it_is_asked_for_as_text(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/surfaces/snapshot", PAGE))
    data = (await act(context, {"type": "snapshot"})).unwrap().model_dump()["document"]
    assert {"html", "accessibilityTree", "title", "url", "viewport", "timestamp"} <= set(data)
    text = (await act(context, {"type": "snapshot", "format": "refs"})).unwrap().text()
    assert "<page " in text


async def test_the_session_is_the_callers_own(context: ToolContext):
    await act(context, {"type": "execute_js", "script": "1"})
    assert (await session_of(context)).key.conversation == context.conversation_id
