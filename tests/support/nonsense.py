"""What nobody should send, and some of what somebody does: arguments drawn at random."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import strategies as st

from tabwright.surfaces.tool import Tool
from tabwright.verbs import VERBS

Given = dict[str, Any]
# Waiting is honest work, so what is asked for is short.
SHORT = {"timeout": "100ms"}
NEARBY = "data:text/html,<button id=x>x</button><input><a href='%23y'>y</a>"
"""In place of addresses that only a network leads to."""

scalar = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**12), 10**12),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=12),
    st.sampled_from(["#x", "e1", "//a", "about:blank", "../x", "a.png", "200ms", "\ud800", "\x00"]),
)
anything = st.recursive(
    scalar,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)


def fields(names: list[str]) -> st.SearchStrategy[Given]:
    """An object with some of these names, and others."""
    return st.dictionaries(
        st.sampled_from([*names, "x"]) | st.text(max_size=5), anything, max_size=4
    )


def wire_names(verb: str) -> list[str]:
    """The names of a verb's parameters, as they are sent."""
    return [field.alias or name for name, field in VERBS[verb].params.model_fields.items()]


def likely(schema: Given) -> st.SearchStrategy[Any]:
    """Mostly of the kind that a schema asks for."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("type"):
        case "boolean":
            return st.booleans()
        case "number":
            return st.integers(-1, 200) | st.floats(0, 10)
        case "string":
            return st.sampled_from(["#x", "input", "e1", "text=y", "1", NEARBY, "() => 1"])
        case "array":
            return st.lists(likely(schema.get("items", {})), max_size=3)
        case "object":
            return arguments(schema)
        case _:
            return anything


@st.composite
def arguments(draw: st.DrawFn, schema: Given, example: Given | None = None) -> Given:
    """What a schema may accept: all that is required, some of the rest, now and then a lie."""
    properties: dict[str, Given] = schema.get("properties", {})
    found = dict(example or {})
    names = {*schema.get("required", ())} - found.keys()
    if properties:
        names |= draw(st.sets(st.sampled_from([*properties]), max_size=2))
    found |= {name: draw(likely(properties.get(name, {}))) for name in sorted(names)}
    if draw(st.integers(0, 3)) == 0:
        found[draw(st.sampled_from([*properties, "x"]))] = draw(anything)
    return found


def example_of(tool: Tool) -> Given:
    """The example of a tool's parameters, under the names that it has for them."""
    said = {verb: name for name, verb in tool.names.items()}
    example = json.dumps((tool.model or tool.acts.params).example)
    found = json.loads(re.sub(r'"https?://[^"]*"', json.dumps(NEARBY), example))
    return {said.get(name, name): found[name] for name in found if name not in tool.fixed}


def short(tool: Tool, given: Any) -> Any:
    """The arguments, with a short time limit where there is one."""
    timed = "timeout" in tool.parameters["properties"] or "timeout" in wire_names(tool.verb)
    return {**given, **SHORT} if timed and isinstance(given, dict) else given
