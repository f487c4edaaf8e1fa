"""What callers write as values, before it meets a page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwright.engine.aim import Element
from tabwright.engine.control import moment, tree
from tabwright.engine.control.calendar import is_iso
from tabwright.engine.control.hand import Control, says
from tabwright.engine.control.scale import amount
from tabwright.engine.control.toggle import state_of
from tabwright.errors import InputError


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("40", 40.0),
        (" -3.5 ", -3.5),
        ("40 %", 40.0),
        ("$1,000", 1000.0),
        ("1,5", 1.5),
        ("12px", 12.0),
        ("Medium", None),
        ("", None),
        ("1.2.3", None),
        ("10:30", None),
    ],
)
def test_a_number_is_found_in_its_text(text: str, number: float | None):
    assert amount(text) == number


@given(st.floats(min_value=-1e6, max_value=1e6).map(lambda number: round(number, 3)))
def test_every_number_is_read_as_it_is_written(number: float):
    assert amount(f"{number:.3f}") == number


@given(st.text())
def test_no_text_breaks_the_readers(text: str):
    amount(text)
    state_of(text)
    is_iso(text)
    assert all(tree.parts(text))


@pytest.mark.parametrize("path", ["Fruits > Apple", "Fruits>Apple", " Fruits \u203a Apple "])
def test_a_path_has_its_parts(path: str):
    assert tree.parts(path) == ["Fruits", "Apple"]


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("none", "one", False),
        ("one of them", "one", True),
        ("sort: price", "price", True),
        ("pricey", "price", False),
        ("c++ (gnu)", "c++", True),
        ("anything", "", False),
    ],
)
def test_words_are_not_letters(text: str, words: str, said: bool):
    assert says(text, words) is said


@pytest.mark.parametrize(
    ("text", "yes"), [("2024-02-29", True), ("2023-02-29", False), ("x", False)]
)
def test_a_date_is_one_of_the_calendar(text: str, yes: bool):
    assert is_iso(text) is yes


def field(kind: str, low: str = "", high: str = "") -> Control:
    facts = {"kind": "moment", "type": kind, "min": low, "max": high}
    return Control("moment", Element("date", "When", "e1"), "", facts)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("date", "2024-03-15"),
        ("time", "14:30"),
        ("time", "14:30:15.250"),
        ("datetime-local", "2024-03-15T14:30"),
        ("month", "2024-03"),
        ("week", "2024-W12"),
    ],
)
def test_a_moment_is_spelled_as_its_field_holds_it(kind: str, text: str):
    assert moment.spelled(field(kind), [text]) == text
    assert moment.spelled(field(kind), [text.replace("T", " ")]) == text
    with pytest.raises(InputError):
        moment.spelled(field(kind), ["tomorrow"])


def test_a_moment_outside_its_bounds_names_them():
    bounded = field("date", "2024-01-01", "2024-12-31")
    with pytest.raises(InputError, match="from 2024-01-01 to 2024-12-31"):
        moment.spelled(bounded, ["2025-01-01"])
    with pytest.raises(InputError, match="one value"):
        moment.spelled(bounded, ["2024-02-02", "2024-03-03"])
