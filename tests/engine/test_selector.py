"""Reading selectors: every way to name an element, and clear refusals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwright.engine.selector import parse


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("e12", [{"by": "ref", "value": 12}]),
        ("@e3", [{"by": "ref", "value": 3}]),
        ("#a > .b", [{"by": "css", "value": "#a > .b"}]),
        ("css=e12", [{"by": "css", "value": "e12"}]),
        ("a[href='x >> y']", [{"by": "css", "value": "a[href='x >> y']"}]),
        ("//a[1]", [{"by": "xpath", "value": "//a[1]"}]),
        ("(//a)[1]", [{"by": "xpath", "value": "(//a)[1]"}]),
        ("xpath=a", [{"by": "xpath", "value": "a"}]),
        ("text=Don't go", [{"by": "text", "value": "Don't go", "exact": False}]),
        ('text="Sign \\"in\\""', [{"by": "text", "value": 'Sign "in"', "exact": True}]),
        ("label=E-mail: *", [{"by": "label", "value": "E-mail: *", "exact": False}]),
        ("testid=x", [{"by": "testid", "value": "x", "exact": False}]),
        ("role=button", [{"by": "role", "value": "button", "name": None, "exact": False}]),
        (
            'role=button "Save"',
            [{"by": "role", "value": "button", "name": "Save", "exact": True}],
        ),
        (
            "role=button name=Save all",
            [{"by": "role", "value": "button", "name": "Save all", "exact": False}],
        ),
        (
            'role=button[name="Save"]',
            [{"by": "role", "value": "button", "name": "Save", "exact": True}],
        ),
        (
            "e4 >> text=x >> nth=-1",
            [
                {"by": "ref", "value": 4},
                {"by": "text", "value": "x", "exact": False},
                {"by": "nth", "value": -1},
            ],
        ),
    ],
)
def test_every_way_is_read(text: str, parts: list[dict[str, object]]):
    assert list(parse(text).parts) == parts


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("a >> ", "empty"),
        (">> a", "empty"),
        ("nth=1", "needs something before it"),
        ("li >> nth=x", "whole number"),
        ("text=", "needs a value"),
        ("foo=bar", "there is no `foo=`"),
        ("role=", "needs a value"),
        ("button:has-text('x')", "is not CSS"),
        ("div:visible", "is not CSS"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, words: str):
    with pytest.raises(ValueError, match=words):
        parse(text)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_with_a_reason(text: str):
    try:
        assert parse(text).parts
    except ValueError as error:
        reason = str(error)
    else:
        reason = "read"
    assert reason
