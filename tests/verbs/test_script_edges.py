"""Scripts at the edge: odd arguments, odd throws, odd pages, no end."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.engine import do, value
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.errors import ScriptError, TimedOut

relaxed = settings(max_examples=100)


@pytest.mark.proves("S2-BT-002c", "U-02")
async def test_an_exception_says_what_and_where(context: ToolContext):
    source = "function inner() {\n  throw new RangeError('too far');\n}\ninner()"
    with pytest.raises(ScriptError) as caught:
        await do(context, "evaluate", expression=source)
    assert caught.value.code == "SCRIPT_ERROR"
    assert "RangeError: too far" in caught.value.message
    details = caught.value.details
    assert (details["exception"], details["line"], details["column"]) == ("RangeError", 2, 9)
    assert details["stack"][0].startswith("at inner")


@pytest.mark.proves("S2-BT-002c")
@pytest.mark.parametrize("thrown", ["({a: 1})", "[1, 2]"])
async def test_a_thrown_object_is_shown(context: ToolContext, thrown: str):
    with pytest.raises(ScriptError) as caught:
        await do(context, "evaluate", expression=f"throw {thrown}")
    assert "1" in caught.value.message


@pytest.mark.parametrize(
    "source", ["function (a, b) { return a + b }", "async function (a, b) { return a + b }"]
)
async def test_a_function_without_parentheses_is_called(context: ToolContext, source: str):
    assert (await do(context, "evaluate", expression=source, args=[2, 3])).value == 5


@pytest.mark.parametrize(
    "source",
    ["() => { while (true) {} }", "({get a() { while (true) {} }})"],
)
async def test_a_script_that_does_not_end_is_given_up_and_the_page_is_free(
    context: ToolContext, source: str
):
    await do(context, "evaluate", expression="window.kept = 1")
    with pytest.raises(TimedOut) as caught:
        await do(context, "evaluate", expression=source, timeout="200ms")
    assert caught.value.details["waitedMs"] == 200
    assert await value(context, "kept") == 1


async def test_a_page_that_meddles_with_json_does_not_change_values(context: ToolContext):
    source = "Array.prototype.toJSON = function () { return 'changed' }; [1, [2]]"
    assert await value(context, source) == [1, [2]]


def exact(number: float) -> bool:
    """Whether JSON has one way to write it: JavaScript drops the sign of zero and rounds ints."""
    if number == 0:
        return math.copysign(1, number) > 0
    return not number.is_integer() or abs(number) < 2**53 or abs(number) >= 1e21


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False).filter(exact)
    | st.text()
    | st.sampled_from(["'; alert(1); //", "</script><script>x</script>", "`${1}`", "\u2028", "$&"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text() | st.just("__proto__"), inner, max_size=4)
    ),
    max_leaves=12,
)


# Feature: browser-automation, Property 27: Input injection prevention
@pytest.mark.proves("S3-P27", "U-25")
@relaxed
@given(args=st.lists(json_values, max_size=4))
async def test_args_arrive_as_the_very_values_that_were_given(
    context: ToolContext, args: list[Any]
):
    outcome = await call(
        context, "evaluate", {"expression": "(...args) => ({args: args})", "args": args}
    )
    result = outcome.unwrap()
    found = json.loads(Path(result.path).read_bytes()) if result.path else result.value
    assert found == {"args": args}
