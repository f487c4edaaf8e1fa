"""How values read that a page logs: a form for each kind."""

from __future__ import annotations

from typing import Any

import pytest

from support.engine import do, session_of
from tabwright.engine.console.entry import Entry
from tabwright.engine.console.text import deepen, form
from tabwright.engine.context import ToolContext

FORMS = {
    "'plain', 1, true": "plain 1 true",
    "'it is ', 'quoted nowhere'": "it is  quoted nowhere",
    "null, undefined": "null undefined",
    "-0, NaN, Infinity, -Infinity": "-0 NaN Infinity -Infinity",
    "10n, Symbol('key')": "10n Symbol(key)",
    "{}": "{}",
    "{a: '', b: null, c: undefined, d: -0, e: 5n}": '{a: "", b: null, c: undefined, d: -0, e: 5n}',
    "{'two words': 1, [Symbol('s')]: 2}": "{two words: 1, Symbol(s): 2}",
    "Object.assign(Object.create(null), {a: 1})": "{a: 1}",
    "{__proto__: {inherited: 1}, own: 2}": "{own: 2}",
    "[]": "[]",
    "['a', 'b']": "[a, b]",
    "[, 1, , , 2, ,]": "[empty, 1, 2 empty, 2, empty]",
    "new Array(5)": "[5 empty]",
    "Object.assign([1], {extra: 2})": "[1, extra: 2]",
    "(function () { return arguments })(1, 2)": "Arguments(2) [1, 2]",
    "[[1, 2], [], [3]]": "[[1, 2], [], [3]]",
    "[{id: 1}, {id: 2}]": "[{id: 1}, {id: 2}]",
    "{a: {b: {c: {d: 1}}}}": "{a: {b: {…}}}",
    "{list: [{deep: 1}], map: new Map([[1, 2]])}": "{list: [{…}], map: Map(1) {1 => 2}}",
    "(() => { const o = {a: 1}; o.self = o; return o })()": "{a: 1, self: {a: 1, self: {…}}}",
    "new (class Cart { items = 2 })()": "Cart {items: 2}",
    "new Error('boom')": "Error: boom",
    "new TypeError('several\\nlines')": "TypeError: several\nlines",
    "Object.assign(new Error('e'), {code: 42})": "Error: e {code: 42}",
    "new Error('outer', {cause: new Error('inner')})": "Error: outer {cause: Error: inner}",
    "{failed: new RangeError('in')}": "{failed: RangeError: in}",
    "new AggregateError([new Error('one')], 'all')": "AggregateError: all {errors: [Error: one]}",
    "new DOMException('gone', 'NotFoundError')": "NotFoundError: gone",
    "new Map([['a', 1], [{k: 1}, [2]]])": "Map(2) {a => 1, {k: 1} => [2]}",
    "new Map(), new Set()": "Map(0) {} Set(0) {}",
    "new Set([1, 'b', {c: 2}])": "Set(3) {1, b, {c: 2}}",
    "new Map([[1, 1], [2, 2], [3, 3], [4, 4], [5, 5], [6, 6]])": (
        "Map(6) {1 => 1, 2 => 2, 3 => 3, 4 => 4, 5 => 5, …}"
    ),
    "new WeakMap()": "WeakMap {}",
    "new Date(0)": "Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)",
    "new Date(NaN)": "Invalid Date",
    "/a+/gi": "/a+/gi",
    "{when: /x/}": "{when: /x/}",
    "new Uint8Array([1, 2])": "Uint8Array(2) [1, 2]",
    "{bytes: new Uint8Array([1, 2])}": "{bytes: Uint8Array(2) [1, 2]}",
    "(a) => a + 1": "(a) => a + 1",
    "class A {}": "class A {}",
    "{run() {}, get lazy() { throw 1 }}": "{run: function, lazy: (getter)}",
    "document.body, document": "<body> <#document>",
    "Object.assign(document.createElement('b'), {id: 'i', className: 'c d'})": "<b#i.c.d>",
    "{node: document.body}": "{node: <body>}",
    "document.getElementsByTagName('body')": "HTMLCollection(1) [<body>]",
    "Promise.resolve(5), new Promise(() => {})": "Promise {fulfilled: 5} Promise {pending}",
    "(() => { const p = Promise.reject(new Error('no')); p.catch(() => 0); return p })()": (
        "Promise {rejected: Error: no}"
    ),
    "new Proxy({a: 1}, {get() { throw 1 }, ownKeys() { throw 1 }})": "Proxy(Object) {a: 1}",
    "Object(1), Object('s')": "Number {1} String {s}",
    "'%s is %d, %i, %f', 'x', 42.9, 42.9, 1.5": "x is 42, 42, 1.5",
    "'%o and %O', {a: 1}, [2]": "{a: 1} and [2]",
    "'%cred%c plain', 'color: red', '', 'more'": "red plain more",
    "'100%% of %s', 'all'": "100% of all",
    "'100%%'": "100%%",
    "'%s %s', 'one'": "one %s",
    "1, '%s', 2": "1 %s 2",
    "'\\ud800'": "\ufffd",
    "'\\ud83d\\ude00 ü'": "😀 ü",
}
METHODS = {
    "console.table([{a: 1, b: 2}, {a: 3, b: 4}])": ("log", "[{a: 1, b: 2}, {a: 3, b: 4}]"),
    "console.table([[1, 2], [3, 4]], ['0'])": ("log", "[[1], [3]]"),
    "console.assert(1 > 2, 'sum %s', 'wrong')": ("error", "sum wrong"),
    "console.assert(false)": ("error", "console.assert"),
    "console.count('tries')": ("log", "tries: 1"),
    "console.countReset('never')": ("warning", "Count for 'never' does not exist"),
    "console.timeEnd('never')": ("warning", "Timer 'never' does not exist"),
    "console.group('a group', {a: 1})": ("log", "a group {a: 1}"),
    "console.trace('here')": ("log", "here"),
    "console.dir({a: 1})": ("log", "{a: 1}"),
    "console.dirxml(document.body)": ("log", "<body>"),
    "console.debug('d')": ("debug", "d"),
    "console.info('i')": ("info", "i"),
    "console.warn('w')": ("warning", "w"),
    "console.error('e', new Error('x'))": ("error", "e Error: x"),
    "console.clear()": ("log", "console.clear"),
}


async def logged(context: ToolContext, expression: str) -> list[Entry]:
    """What an expression writes to the console, when nothing more is to be learned of it."""
    await do(context, "evaluate", expression=f"{{{expression}}}; 0")
    console = (await session_of(context)).console
    await console.settled()
    return list(console.newest(lambda _: True))[::-1]


@pytest.mark.proves("S2-BT-014a", "S2-BT-014b", "S2-BT-014c", "U-27")
@pytest.mark.parametrize("values", FORMS, ids=str)
async def test_each_kind_of_value_has_its_form(context: ToolContext, values: str):
    (entry,) = await logged(context, f"console.log({values})")
    assert entry.text == FORMS[values]


@pytest.mark.parametrize("call", METHODS, ids=str)
async def test_each_console_method_has_its_level_and_its_form(context: ToolContext, call: str):
    (entry,) = await logged(context, call)
    assert (entry.level, entry.text) == METHODS[call]


async def test_groups_and_timers_say_no_more_than_they_have_to(context: ToolContext):
    said = await logged(
        context, "console.group('g'); console.groupEnd(); console.time('t'); console.timeEnd('t')"
    )
    assert [entry.text.partition(":")[0] for entry in said] == ["g", "t"]


@pytest.mark.proves("S2-BT-014c")
async def test_what_the_preview_has_no_room_for_is_marked_inside_the_braces(context: ToolContext):
    objects, array = await logged(
        context,
        "console.log({a: 1, b: 2, c: 3, d: 4, e: 5, f: 6}); console.log(Array(101).fill(7))",
    )
    assert objects.text == "{a: 1, b: 2, c: 3, d: 4, e: 5, …}"
    assert array.text == f"[{', '.join('7' * 100)}, …]"


@pytest.mark.proves("S2-BT-015c")
async def test_a_long_string_in_a_small_object_is_whole(context: ToolContext):
    (entry,) = await logged(context, "console.log({a: 'x'.repeat(5000) + '!', b: 1})")
    assert entry.text == f"{{a: {'x' * 5000}!, b: 1}}"


async def test_an_object_that_changed_since_shows_what_it_was(context: ToolContext):
    (entry,) = await logged(context, "const o = {n: 1, in: {a: 1}}; console.log(o); o.n = 2")
    assert entry.text == "{n: 1, in: {…}}"


def test_a_second_look_that_finds_another_kind_of_thing_is_not_believed():
    seen: dict[str, Any] = {
        "type": "object",
        "preview": {
            "type": "object",
            "description": "Object",
            "overflow": False,
            "properties": [
                {"name": "a", "type": "object", "value": "Array(2)", "subtype": "array"}
            ],
        },
    }
    grown = {"type": "object", "subtype": "array", "description": "Array(3)"}
    assert not deepen(seen, [{"name": "a", "value": grown}])
    assert not deepen(seen, [])
    assert form(seen) == "{a: […]}"
