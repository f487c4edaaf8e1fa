"""JavaScript in the page: values come back whole, failures say where, endless loops end."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.engine import do, session_of, value
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.errors import InputError, ScriptError, TimedOut

relaxed = settings(max_examples=100)


@pytest.mark.proves("S2-BT-002a")
@pytest.mark.parametrize(
    ("source", "kind", "expected"),
    [
        ("1 + 1", "number", 2),
        ("0.1", "number", 0.1),
        ("'text'", "string", "text"),
        ("true", "boolean", True),
        ("null", "null", None),
        ("undefined", "undefined", None),
        ("({a: 1})", "object", {"a": 1}),
        ("[1, 'two', null]", "array", [1, "two", None]),
        ("({a: [{b: {c: []}}]})", "object", {"a": [{"b": {"c": []}}]}),
        ("const a = 1; let b = 2; a + b", "number", 3),
    ],
)
@pytest.mark.proves("S3-6.10")
async def test_values_come_back_as_they_are(
    context: ToolContext, source: str, kind: str, expected: Any
):
    found = await do(context, "evaluate", expression=source)
    assert (found.type, found.value) == (kind, expected)


@pytest.mark.proves("S2-BT-002a")
async def test_undefined_and_null_read_differently(context: ToolContext):
    texts = [(await do(context, "evaluate", expression=e)).text() for e in ("undefined", "null")]
    assert texts == ["undefined", "null"]


@pytest.mark.proves("S2-BT-002a")
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("[undefined]", [{"$type": "undefined"}]),
        ("[NaN, -Infinity]", [{"$type": "number", "value": v} for v in ("NaN", "-Infinity")]),
        ("[-0]", [{"$type": "number", "value": "-0"}]),
        ("[10n]", [{"$type": "bigint", "value": "10"}]),
        ("new Date(0)", {"$type": "date", "value": "1970-01-01T00:00:00.000Z"}),
        ("new Date(NaN)", {"$type": "date", "value": "Invalid Date"}),
        ("new Map([[1, {a: 2}]])", {"$type": "map", "value": [[1, {"a": 2}]]}),
        ("new Set([1, 'b'])", {"$type": "set", "value": [1, "b"]}),
        ("/a+/gi", {"$type": "regexp", "value": "/a+/gi"}),
        ("new Uint8Array([1, 2])", {"$type": "Uint8Array", "value": [1, 2]}),
        ("[() => 1]", [{"$type": "function", "value": "anonymous"}]),
        ("[Symbol('s')]", [{"$type": "symbol", "value": "Symbol(s)"}]),
        ("a = {}; a.self = a; a", {"self": {"$type": "circular", "value": "$"}}),
        ("m = new Map; m.set('m', m); [m]", [{"$type": "map", "value": [["m", "LOOP"]]}]),
        ("({toJSON: () => 'mine'})", "mine"),
        (
            "({get bad() { throw 'no' }, ok: 1})",
            {"bad": {"$type": "threw", "value": "no"}, "ok": 1},
        ),
        ("document.body", {"$type": "node", "value": "<body>"}),
        ("document", {"$type": "node", "value": "#document"}),
        ("window", {"$type": "window", "value": "about:blank"}),
        ("document.querySelectorAll('head')", [{"$type": "node", "value": "<head>"}]),
        ("s = {}; [s, s]", [{}, {}]),
    ],
)
async def test_what_json_cannot_say_is_named(context: ToolContext, source: str, expected: Any):
    found = await value(context, source)
    if "LOOP" in json.dumps(expected):
        expected[0]["value"][0][1] = {"$type": "circular", "value": "$[0]"}
    assert found == expected


@pytest.mark.parametrize(
    ("source", "kind", "expected"),
    [
        ("NaN", "number", "NaN"),
        ("-0", "number", "-0"),
        ("-Infinity", "number", "-Infinity"),
        ("2n ** 70n", "bigint", str(2**70)),
        ("Symbol('s')", "symbol", "Symbol(s)"),
    ],
)
async def test_a_single_value_that_json_cannot_say_is_written(
    context: ToolContext, source: str, kind: str, expected: str
):
    found = await do(context, "evaluate", expression=source)
    assert (found.type, found.value) == (kind, expected)


async def test_a_value_of_any_depth_comes_back_without_a_crash(context: ToolContext):
    deep = "let d = {}; const root = d; for (let i = 0; i < 5000; i++) d = d.d = {}; root"
    found = await value(context, deep)
    for _ in range(100):
        found = found["d"]
    assert found["d"] == {"$type": "cut", "value": "too deep or too many values"}


@pytest.mark.proves("S2-BT-002b")
@pytest.mark.parametrize(
    "source",
    [
        "Promise.resolve({a: 1})",
        "new Promise(done => setTimeout(() => done({a: 1}), 5))",
        "await Promise.resolve({a: 1})",
        "const b = await Promise.resolve(1); ({a: b})",
        "async () => ({a: 1})",
        "() => new Promise(done => setTimeout(() => done({a: 1}), 5))",
    ],
)
async def test_promises_are_awaited(context: ToolContext, source: str):
    assert await value(context, source) == {"a": 1}


@pytest.mark.proves("S2-BT-002b")
async def test_a_rejected_promise_is_an_error(context: ToolContext):
    with pytest.raises(ScriptError, match="TypeError: not today"):
        await do(context, "evaluate", expression="Promise.reject(new TypeError('not today'))")
    with pytest.raises(ScriptError, match="just text"):
        await do(context, "evaluate", expression="Promise.reject('just text')")


@pytest.mark.proves("S2-BT-002b", "U-05")
@pytest.mark.parametrize("name", ["await", "await_promise"])
async def test_a_promise_is_described_at_once_when_it_is_not_awaited(
    context: ToolContext, name: str
):
    never = {"expression": "new Promise(() => {})", name: False}
    found = (await call(context, "evaluate", never)).unwrap()
    assert (found.type, found.value) == ("promise", "Promise")


async def test_a_syntax_error_says_where(context: ToolContext):
    with pytest.raises(ScriptError) as caught:
        await do(context, "evaluate", expression="let a = 1;\nlet b = ;")
    assert "SyntaxError" in caught.value.message
    assert (caught.value.details["line"], caught.value.details["column"]) == (2, 9)


@pytest.mark.parametrize("thrown", ["'text'", "42", "null", "undefined", "({a: 1})"])
async def test_anything_can_be_thrown(context: ToolContext, thrown: str):
    with pytest.raises(ScriptError):
        await do(context, "evaluate", expression=f"throw {thrown}")


async def test_a_name_can_be_declared_again(context: ToolContext):
    await do(context, "evaluate", expression="const twice = 1")
    assert await value(context, "const twice = 2; twice") == 2


@pytest.mark.parametrize("source", ["(a, b) => a + b", "(function (a, b) { return a + b })"])
async def test_a_function_is_called_with_args(context: ToolContext, source: str):
    assert (await do(context, "evaluate", expression=source, args=[2, 3])).value == 5


async def test_args_need_a_function(context: ToolContext):
    with pytest.raises(InputError, match="function"):
        await do(context, "evaluate", expression="1 + 1", args=[1])


@pytest.mark.proves("S2-BT-002d")
@pytest.mark.parametrize("letter", ["a", "é", "€", "\U0001d11e"])
async def test_a_result_of_4096_bytes_stays_and_of_4097_goes_to_a_file(
    context: ToolContext, letter: str
):
    room = 4096 - len('""')
    text = letter * (room // len(letter.encode()))
    text += "x" * (room - len(text.encode()))
    echo = "(text) => text"
    fits = await do(context, "evaluate", expression=echo, args=[text])
    assert (fits.value, fits.path) == (text, None)
    over = await do(context, "evaluate", expression=echo, args=[f"{text}x"])
    assert (over.value, over.size_bytes) == (None, 4097)
    file = Path(over.path)
    assert file.is_absolute()
    assert json.loads(file.read_text(encoding="utf-8")) == f"{text}x"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.proves("S2-BT-002d")
async def test_the_file_of_a_long_result_lies_with_the_session_and_is_in_the_reply(
    context: ToolContext,
):
    outcome = await call(context, "evaluate", {"expression": "[...Array(5000).keys()]"})
    body = outcome.as_dict()
    path = Path(body["result"]["path"])
    session = await session_of(context)
    assert path.parent == session.artifacts.directory
    assert body["artifacts"] == [
        {"path": str(path), "mimeType": "application/json", "sizeBytes": path.stat().st_size}
    ]
    assert json.loads(path.read_bytes()) == list(range(5000))


@pytest.mark.parametrize(
    "source", ["while (true) {}", "await 0; while (true) {}", "new Promise(() => {})"]
)
async def test_a_script_that_does_not_end_is_given_up_and_the_page_is_free(
    context: ToolContext, source: str
):
    await do(context, "evaluate", expression="window.kept = 1")
    with pytest.raises(TimedOut) as caught:
        await do(context, "evaluate", expression=source, timeout="200ms")
    assert caught.value.details["waitedMs"] == 200
    assert await value(context, "kept") == 1


NODE = ["process", "require", "module", "exports", "global", "__dirname", "__filename", "Buffer"]
OURS = ["python", "__builtins__", "__import__", "pyodide", "tabwright", "playwright"]
NOT_IN_A_PAGE = [*NODE, *OURS, "setImmediate", "Deno", "Bun"]


# Feature: browser-automation, Property 29: JavaScript execution context isolation
@pytest.mark.proves("S3-P29", "U-26")
@relaxed
@given(
    name=st.sampled_from(NOT_IN_A_PAGE),
    form=st.sampled_from(
        ["typeof {0}", "typeof globalThis['{0}']", "(() => typeof {0})()", "typeof window.{0}"]
    ),
)
async def test_a_script_sees_the_page_and_nothing_of_us(context: ToolContext, name: str, form: str):
    assert await value(context, form.format(name)) == "undefined"
