"""Bad parameters: refused before anything starts, with what is allowed and an example."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.bad_network import BAD_NETWORK, NETWORK_TOGETHER
from support.bad_storage import BAD_STORAGE, STORAGE_TOGETHER
from support.engine import do, make_settings, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager
from tabwright.errors import TabwrightError
from tabwright.verbs import VERBS

NO_DURATIONS: list[Any] = [
    0,
    -1,
    -0.5,
    math.nan,
    math.inf,
    -math.inf,
    1e300,
    "",
    "0s",
    "-5s",
    "5 minutes",
]
NO_DURATIONS += ["10", "s", "1y", "1s1", True, [], {}]
NO_BOXES: list[Any] = [
    "",
    "1,2,3",
    "1,2,3,4,5",
    "a,b,c,d",
    "0,0,0,1",
    "0,0,1,-1",
    "-1,0,1,1",
    "0,0,nan,1",
]
NO_BOXES += ["0,0,1e999,1", {"x": True, "y": 0, "width": 1, "height": 1}]
NO_BOXES += [{"x": "0", "y": 0, "width": 1, "height": 1}]
NO_SELECTORS: list[Any] = ["", " ", 1, True, ["p"], {}, "a >> ", "nth=1", "foo=bar", "text="]
NO_SELECTORS += ["button:has-text('x')", "role="]
NO_SWITCHES: list[Any] = ["true", 1, 0, None, "yes", []]
NO_TEXTS: list[Any] = [1, True, None, ["a"], {}, "x" * 100_001]
NO_FILES: list[Any] = ["a.txt", [], [""], [1], {}, 5]
NO_PIXELS: list[Any] = [-1, "5", True, math.nan, math.inf, 1e9, []]
ON_ELEMENT = ("click", "hover", "drag", "drop", "type", "fill", "select", "check", "uncheck")
ON_ELEMENT += ("focus", "blur", "set")
WITH_WAIT = (*ON_ELEMENT, "press", "upload", "scroll")
WITH_SELECTOR = (*WITH_WAIT, "get", "info", "is", "wait", "snapshot", "audit")
WITH_TIMEOUT = (*WITH_SELECTOR, "key", "insert", "vitals")
BAD: dict[tuple[str, str], list[Any]] = {
    **{(verb, "selector"): NO_SELECTORS for verb in WITH_SELECTOR},
    **{(verb, "wait"): NO_SWITCHES for verb in WITH_WAIT},
    **{(verb, "timeout"): NO_DURATIONS for verb in WITH_TIMEOUT},
    ("click", "button"): ["", "LEFT", "back", 1, None],
    ("click", "clickCount"): [0, 4, -1, 1.5, "2", True, None],
    ("click", "modifiers"): ["", "Ctrl", "Shift+", "shift", 5, ["Shift"]],
    ("click", "position"): ["", "1", "1,2,3", "a,b", "-1,2", "nan,1", "1e9,1", 5, [1, 2]],
    ("drag", "to"): NO_SELECTORS,
    ("drop", "files"): NO_FILES,
    ("upload", "files"): NO_FILES,
    ("type", "text"): NO_TEXTS,
    ("type", "clear"): NO_SWITCHES,
    ("type", "delay"): [-1, 10_001, "5", True, math.nan, None],
    ("fill", "text"): NO_TEXTS,
    ("insert", "text"): NO_TEXTS,
    ("press", "key"): ["", "Nope", "Control+", "a b c", 5, None, ["a"], "Shift+Nope"],
    ("key", "key"): ["", "Nope", "Control+A", 5, None],
    ("key", "action"): ["", "press", "DOWN", 1, None],
    ("select", "options"): ["a", [], [1], None, {}, 5],
    ("set", "value"): [5, 1.5, True, None, {}, [1], [["a"]], ["a", None], "x" * 100_001],
    ("get", "what"): ["", "TEXT", "innerText", 1, None],
    ("get", "name"): [1, None, ["a"]],
    ("is", "what"): ["", "shown", "VISIBLE", 1, None],
    ("console", "action"): ["", "list", "READ", 1, None],
    ("console", "limit"): [0, -1, 1001, 1.5, "10", True, None],
    ("console", "level"): ["", "ERROR", "fatal", "error,", 1, [], [1], {}],
    ("console", "text"): ["", " ", 1, [], "/(/"],
    ("console", "context"): ["", "PAGE", "iframe", 1, []],
    ("console", "tab"): ["", " ", 1, True, ["t1"]],
    ("console", "since"): [-1, 1.5, "3", True, []],
    ("console", "stack"): NO_SWITCHES,
    ("console", "reveal"): NO_SWITCHES,
    ("dialog", "action"): ["", "ok", "ACCEPT", 1, None],
    ("dialog", "text"): [1, True, ["a"]],
    ("dialog", "tab"): [1, True, ["t1"]],
    ("dialog", "policy"): ["", "ignore", "ASK", 1],
    ("scroll", "to"): ["", "TOP", "middle", 1, []],
    ("scroll", "amount"): NO_PIXELS,
    ("scroll", "x"): NO_PIXELS,
    ("scroll", "y"): NO_PIXELS,
    ("wait", "state"): ["", "VISIBLE", "shown", 1],
    ("wait", "visible"): ["true", 1, "yes"],
    ("wait", "text"): ["", " ", 1, []],
    ("wait", "textGone"): ["", " ", 1, []],
    ("wait", "url"): ["", " ", 1, "/(/"],
    ("wait", "navigation"): [False, "true", 1],
    ("wait", "loadState"): ["", "idle", "LOAD", 1],
    ("wait", "networkIdle"): NO_DURATIONS,
    ("wait", "request"): ["", " ", 1, "/(/"],
    ("wait", "method"): ["", "get", "FETCH", 1],
    ("wait", "status"): [0, 99, 600, "200", True, 200.5],
    ("wait", "download"): [False, "true", 1],
    ("wait", "expression"): ["", " ", 1, []],
    ("wait", "time"): NO_DURATIONS,
    ("navigate", "url"): [
        "",
        " ",
        "two words",
        "javascript:1",
        "http://h:99999/",
        "a\x00b",
        5,
        None,
    ],
    ("navigate", "waitUntil"): ["", "LOAD", "idle", "networkidle0", 1, None, ["load"]],
    ("evaluate", "expression"): ["", "  \n", None, 7, ["1"]],
    ("evaluate", "args"): ["1", {"a": 1}, 1, [math.nan], [{"a": math.inf}], [object()]],
    ("evaluate", "await"): ["true", 1, 0, None, "no"],
    ("snapshot", "budget"): [0, 99, 200_001, 1.5, "2000", True],
    **{("snapshot", switch): NO_SWITCHES for switch in ("full", "diff", "interactive", "viewport")},
    **{("snapshot", switch): NO_SWITCHES for switch in ("boxes", "urls", "hidden")},
    ("snapshot", "includeIframes"): [switch for switch in NO_SWITCHES if switch is not None],
    ("snapshot", "find"): ["", " ", 1, [], "/(/"],
    ("snapshot", "role"): ["", " ", 1, []],
    ("snapshot", "depth"): [0, -1, 101, 1.5, "2", True],
    ("snapshot", "more"): ["", "x", "e12", "e12+", "12", "s1", "e+4", 5, []],
    ("snapshot", "format"): ["", "html", "REFS", 1, None],
    ("vitals", "reload"): NO_SWITCHES,
    ("audit", "tags"): ["wcag2a", [], [""], [1], {}, 5],
    ("audit", "rules"): ["image-alt", [], [" "], [None], {}, 5],
    ("audit", "limit"): [0, -1, 1001, 1.5, "5", True, None],
    ("tabs", "action"): ["", "open", "LIST", 1, None, []],
    ("tabs", "tab"): [1, ["t1"], True],
    ("downloads", "action"): ["", "stop", "LIST", 1, None, ["wait"]],
    ("downloads", "id"): ["", " ", 1, ["d1"], True],
    **BAD_NETWORK,
    **BAD_STORAGE,
    ("resize", "width"): [0, -1, 1.5, 800.0, "800", True, None, 10**6, math.nan, math.inf],
    ("resize", "height"): [0, -1, 1.5, "600", False, None, 16_385, 2**70],
    ("screenshot", "path"): ["", "  ", 1, True, ["a.png"], {}],
    ("screenshot", "selector"): ["", " ", 1, ["p"]],
    ("screenshot", "clip"): [*NO_BOXES, 5, [0, 0, 1, 1], {}, {"x": 0}],
    ("screenshot", "fullPage"): ["true", 1, None, "yes"],
    ("screenshot", "type"): ["gif", "PNG", "jpg", "", 1],
    ("screenshot", "quality"): [-1, 101, 50.5, "50", True],
    ("screenshot", "encoding"): ["binary", "", "BASE64", 1],
    ("screenshot", "annotate"): NO_SWITCHES,
    ("screenshot", "tiles"): NO_SWITCHES,
    ("screenshot", "baseline"): ["", " ", 1, True, ["a.png"]],
    ("screenshot", "threshold"): [-0.1, 1.1, "0.1", True, math.nan, math.inf],
    ("read_image", "path"): ["", "  ", 1, True, None, ["a.png"], {}],
    ("pdf", "path"): ["", 7, ["a.pdf"]],
    ("pdf", "format"): ["A7", "a4", "", None, 4],
    ("pdf", "width"): ["", "wide", "-1mm", "5km", "1e3mm", "99999in", 800, True, []],
    ("pdf", "height"): ["tall", "-5in", "10 feet", 3.5],
    ("pdf", "margin"): ["", "x", "1cm 1cm 1cm 1cm 1cm", 5, {"up": "1cm"}, {"top": 5}, ["1cm"]],
    ("pdf", "landscape"): ["true", 1, None],
    ("pdf", "printBackground"): ["true", 0, None],
    ("pdf", "headerTemplate"): [1, None, ["x"]],
    ("pdf", "footerTemplate"): [1, None, {}],
    ("pdf", "encoding"): ["binary", None],
    **{
        (verb, "timeout"): NO_DURATIONS
        for verb in (
            "navigate",
            "back",
            "forward",
            "reload",
            "evaluate",
            "tabs",
            "downloads",
            "screenshot",
            "read_image",
            "pdf",
        )
    },
}
CASES = [(verb, name, bad) for (verb, name), values in BAD.items() for bad in values]
TOGETHER: list[tuple[str, dict[str, Any], str]] = [
    ("tabs", {"action": "select"}, "tab"),
    ("tabs", {"action": "list", "tab": "t1"}, "tab"),
    ("tabs", {"action": "new", "tab": "t1"}, "tab"),
    ("tabs", {"action": "close", "url": "about:blank"}, "url"),
    ("downloads", {"action": "cancel"}, "id"),
    ("downloads", {"action": "list", "id": "d1"}, "id"),
    ("downloads", {"id": "d1"}, "id"),
    ("console", {"action": "clear", "level": "error"}, "level"),
    *NETWORK_TOGETHER,
    *STORAGE_TOGETHER,
    ("audit", {"tags": ["wcag2a"], "rules": ["label"]}, "rules"),
    ("get", {"what": "attribute", "selector": "a"}, "name"),
    ("get", {"what": "text", "selector": "a", "name": "x"}, "name"),
    ("dialog", {"action": "dismiss", "text": "x"}, "text"),
    ("scroll", {"to": "top", "x": 1}, "x"),
    ("scroll", {"to": "top", "amount": 1}, "amount"),
    ("scroll", {"to": "view"}, "selector"),
    ("wait", {}, "selector"),
    ("wait", {"text": "a", "url": "b"}, "url"),
    ("wait", {"text": "a", "state": "visible"}, "state"),
    ("wait", {"text": "a", "status": 200}, "status"),
    ("wait", {"selector": "a", "visible": True, "state": "hidden"}, "visible"),
    ("screenshot", {"quality": 5}, "quality"),
    ("screenshot", {"type": "png", "quality": 5}, "quality"),
    ("screenshot", {"path": "a.png", "quality": 5}, "quality"),
    ("screenshot", {"selector": "p", "fullPage": True}, "selector"),
    ("screenshot", {"selector": "p", "clip": "0,0,1,1"}, "clip"),
    ("screenshot", {"baseline": "a.png", "tiles": True}, "tiles"),
    ("screenshot", {"baseline": "a.png", "annotate": True}, "annotate"),
    ("screenshot", {"threshold": 0.5}, "threshold"),
    ("click", {"selector": "s1@2,3", "position": "1,1"}, "position"),
    ("type", {"selector": "s1@2,3", "text": "a"}, "selector"),
    ("get", {"what": "text", "selector": "s1@2,3"}, "selector"),
]
REQUIRED = [
    (verb.name, field.alias or name)
    for verb in VERBS.values()
    for name, field in verb.params.model_fields.items()
    if field.is_required()
]


class Launches:
    """A manager that never gets a browser, and counts how often it was asked for one."""

    def __init__(self, directory: Path) -> None:
        self.count = 0
        self.manager = BrowserManager(make_settings(directory), launch=self._launch)
        self.context = self.manager.context(working_dir=directory)

    async def _launch(self, plan: Any) -> Any:
        self.count += 1
        raise AssertionError("a browser was launched")


@pytest.fixture
async def launches(tmp_path: Path) -> AsyncIterator[Launches]:
    made = Launches(tmp_path)
    yield made
    await made.manager.stop()


async def refusal(launches: Launches, verb: str, params: dict[str, Any]) -> TabwrightError:
    """The error of a call that must be refused, with an example that works, and no browser."""
    error = (await call(launches.context, verb, params)).error
    assert error is not None, (verb, params)
    assert error.code == "VALIDATION_ERROR", (verb, params, error)
    example = error.details["example"]
    assert error.hint == f"Example: {example}."
    VERBS[verb].read(example)
    assert launches.count == 0
    assert launches.manager.sessions() == []
    return error


def names(error: TabwrightError, parameter: str) -> bool:
    """Whether the message names the parameter, or a place within it."""
    return f"`{parameter}`" in error.message or f"`{parameter}." in error.message


def test_every_parameter_of_every_verb_is_tried():
    known = {
        (verb.name, field.alias or name)
        for verb in VERBS.values()
        for name, field in verb.params.model_fields.items()
    }
    like_navigate = {(verb, "waitUntil") for verb in ("back", "forward", "reload")}
    assert known - like_navigate - {("tabs", "url")} == set(BAD)


# Feature: browser-automation, Property 31: Tool parameter validation
@pytest.mark.proves("S3-P31")
@settings(max_examples=400)
@given(case=st.sampled_from(CASES))
async def test_a_wrong_value_is_refused_before_anything_starts(
    launches: Launches, case: tuple[str, str, Any]
):
    verb, name, bad = case
    params = {**VERBS[verb].params.example, name: bad}
    if verb == "screenshot" and name in ("selector", "clip"):
        params.pop("fullPage", None)
    assert names(await refusal(launches, verb, params), name)


@pytest.mark.proves("S3-P31")
@pytest.mark.parametrize(("verb", "name"), REQUIRED)
async def test_a_missing_parameter_is_named(launches: Launches, verb: str, name: str):
    params = {key: given for key, given in VERBS[verb].params.example.items() if key != name}
    assert names(await refusal(launches, verb, params), name)


@pytest.mark.proves("S3-P31")
@pytest.mark.parametrize("verb", sorted(VERBS))
@pytest.mark.parametrize("name", ["nosuch", "__class__", "model_config", "", "URL", "a b"])
async def test_an_unknown_parameter_is_refused_with_those_there_are(
    launches: Launches, verb: str, name: str
):
    outcome = await call(launches.context, verb, {**VERBS[verb].params.example, name: 1})
    assert outcome.error is not None
    assert outcome.error.code == "VALIDATION_ERROR"
    fields = VERBS[verb].params.model_fields
    known = ", ".join(field.alias or name for name, field in fields.items()) or "none"
    shown = name or "parameters"
    assert f"is not a parameter (there are: {known})" in outcome.error.message
    assert f"`{shown}`" in outcome.error.message
    assert launches.count == 0


@pytest.mark.proves("S3-P31")
@pytest.mark.parametrize(("verb", "params", "name"), TOGETHER)
async def test_parameters_that_do_not_go_together_are_refused(
    launches: Launches, verb: str, params: dict[str, Any], name: str
):
    assert names(await refusal(launches, verb, params), name)


@pytest.mark.proves("S3-ERR-07")
@pytest.mark.parametrize(
    ("verb", "name", "bad", "allowed"),
    [
        ("navigate", "waitUntil", "idle", ["load", "domcontentloaded", "networkidle"]),
        ("navigate", "timeout", "soon", ["'500ms'", "milliseconds"]),
        ("tabs", "action", "open", ["list", "new", "select", "close"]),
        ("downloads", "action", "stop", ["list", "wait", "cancel"]),
        ("screenshot", "type", "gif", ["png", "jpeg"]),
        ("screenshot", "quality", 101, ["100"]),
        ("screenshot", "clip", "all", ["x,y,width,height"]),
        ("pdf", "format", "A7", ["A4", "Letter"]),
        ("pdf", "width", "wide", ["'210mm'"]),
        ("resize", "width", 0, ["1"]),
        ("resize", "width", "800", ["integer"]),
        ("evaluate", "await", "yes", ["boolean"]),
    ],
)
async def test_the_refusal_says_what_is_allowed(
    launches: Launches, verb: str, name: str, bad: Any, allowed: list[str]
):
    outcome = await call(launches.context, verb, {**VERBS[verb].params.example, name: bad})
    assert outcome.error is not None
    assert [word for word in allowed if word not in outcome.error.message] == []


async def test_all_that_is_wrong_is_said_at_once(launches: Launches):
    outcome = await call(launches.context, "resize", {"width": 0, "depth": 1})
    assert outcome.error is not None
    problems = outcome.error.details["problems"]
    assert [problem.split("`")[1] for problem in problems] == ["width", "height", "depth"]


@pytest.mark.proves("S3-ERR-07")
async def test_refused_calls_change_nothing_on_a_live_page(
    context: ToolContext, manager: BrowserManager, site: Site
):
    body = "<p id=kept>kept</p><script>document.cookie = 'kept=1'</script>"
    await do(context, "navigate", url=site.page("/untouched", body))
    look = "[location.href, document.documentElement.outerHTML, document.cookie, innerWidth]"

    async def seen() -> tuple[Any, str, int]:
        tabs = (await do(context, "tabs")).text()
        return await value(context, look), tabs, manager._slot(None).launches

    before = await seen()
    codes = set()
    for verb, name, bad in CASES:
        params = {**VERBS[verb].params.example, name: bad}
        if verb == "screenshot" and name in ("selector", "clip"):
            params.pop("fullPage", None)
        codes.add((await call(context, verb, params)).error.code)
    assert codes == {"VALIDATION_ERROR"}
    assert await seen() == before
