"""`browser_action`: six actions under one name."""

from __future__ import annotations

import time
from typing import Any

import pytest

from support.engine import do, value
from support.site import Site
from tabwright.engine.context import ToolContext
from tabwright.outcome import Outcome
from tabwright.surfaces.compact import browser_action
from tabwright.surfaces.registry import ToolRegistry

PAGE = """<button id=b onclick="n = 1">go</button><input id=i><p id=p>Some
  <b>text</b></p><a id=a class=k href=/x>link</a>"""


async def act(context: ToolContext, given: Any) -> Outcome:
    return await ToolRegistry(context.settings, enabled=True).call(context, "browser_action", given)


@pytest.mark.proves("S0-07", "S0-08", "S0-09", "S0-10", "S0-11")
async def test_the_six_actions(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/compact", PAGE))
    assert (await act(context, {"action": "click", "selector": "#b"})).success
    assert await value(context, "n") == 1
    assert (await act(context, {"action": "type", "selector": "#i", "text": "typed"})).success
    assert await value(context, "i.value") == "typed"
    evaluated = await act(context, {"action": "eval", "text": "1+1"})
    assert evaluated.unwrap().model_dump()["value"] == 2
    thrown = await act(context, {"action": "eval", "text": "throw new Error('no')"})
    assert thrown.error is not None
    assert "no" in thrown.error.message
    text = await act(context, {"action": "get_text", "selector": "#p"})
    assert text.unwrap().model_dump()["value"] == "Some text"
    info = (await act(context, {"action": "get_element_info", "selector": "#a"})).as_dict()
    keys = ("tagName", "id", "className", "innerText", "href", "value")
    assert [info["result"][key] for key in keys] == ["A", "a", "k", "link", site.url("/x"), ""]
    assert (await act(context, {"action": "wait", "selector": "#b"})).success


@pytest.mark.proves("S0-12", "U-06", "U-07")
async def test_wait_takes_ten_seconds_by_default_and_a_number_means_seconds(
    context: ToolContext, site: Site
):
    await do(context, "navigate", url=site.page("/compact/wait", PAGE))
    for given, least, most in (({}, 9.5, 11.0), ({"timeout": 0.3}, 0.3, 1.8)):
        began = time.monotonic()
        outcome = await act(context, {"action": "wait", "selector": "#never", **given})
        took = time.monotonic() - began
        assert outcome.error is not None
        assert outcome.error.code == "TIMEOUT"
        assert least <= took <= most


@pytest.mark.proves("S0-13", "S0-07", "S0-08", "S0-09")
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"action": "fly"}, "'click', 'type', 'eval', 'get_text', 'get_element_info' or 'wait'"),
        ({"action": "click"}, "`selector` is required"),
        ({"action": "type", "selector": "#i"}, "`text` is required"),
        ({"action": "type", "text": "x"}, "`selector` is required"),
        ({"action": "eval"}, "`text` is required"),
        ({"action": "wait", "selector": "#b", "timeout": 0}, "duration above zero"),
        ({}, "`action` is required"),
    ],
)
async def test_wrong_arguments_are_refused_and_nothing_is_done(
    context: ToolContext, given: dict[str, Any], words: str
):
    outcome = await act(context, given)
    assert outcome.error is not None
    assert outcome.error.code == "VALIDATION_ERROR"
    assert words in outcome.error.message


def test_seconds_become_milliseconds():
    assert browser_action({"action": "wait", "selector": "a", "timeout": 2})[1]["timeout"] == 2000
    assert browser_action({"action": "wait", "selector": "a", "timeout": "5ms"})[1]["timeout"] == 5
