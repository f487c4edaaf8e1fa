import contextlib
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from tabwright.duration import AS_TEXT, Duration, format_duration, parse_duration


class Wait(BaseModel):
    timeout: Duration


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("5m", 300_000),
        ("10m", 600_000),
        ("1h30m", 5_400_000),
        ("500ms", 500),
        ("1.5h", 5_400_000),
        (".5s", 500),
        ("5.s", 5_000),
        ("+2s", 2_000),
        ("1h2m3.5s", 3_723_500),
        ("250us", 0.25),
        ("250µs", 0.25),
        ("250μs", 0.25),
        ("7ns", 0.000007),
        ("0", 0),
        ("0s", 0),
        (1500, 1500),
        (0.5, 0.5),
    ],
)
@pytest.mark.proves("U-06")
def test_go_durations_and_numbers_of_milliseconds_are_understood(
    text: str | float, milliseconds: float
):
    assert parse_duration(text) == milliseconds


@pytest.mark.parametrize(
    "wrong",
    ["5 minutes", "abc", "", "5", "-5s", "5x", "s", ".s", "1h 30m", " 5m", "5m\n", "1,5s",
     "\uff15m", "9" * 5000 + "h", -1, math.inf, -math.inf, math.nan, True, None, [5], 1e300,
     10**400],
)  # fmt: skip
def test_anything_else_is_refused_with_what_is_allowed(wrong: Any):
    with pytest.raises(ValueError, match="such as '500ms', '5m' or '1h30m'"):
        parse_duration(wrong)


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [(300_000, "5m"), (5_400_000, "1h30m"), (500, "500ms"), (1500, "1.5s"), (3_605_000, "1h5s"),
     (0.25, "250µs"), (0.000001, "1ns"), (0, "0s"), (36_000_000, "10h")],
)  # fmt: skip
def test_a_duration_is_written_the_way_a_person_would(milliseconds: float, text: str):
    assert format_duration(milliseconds) == text


@given(st.integers(min_value=0, max_value=2**52))
def test_every_duration_survives_being_written_and_read(nanoseconds: int):
    milliseconds = nanoseconds / 1_000_000
    assert parse_duration(format_duration(milliseconds)) == milliseconds


@given(st.text())
def test_any_text_is_a_duration_or_a_value_error(text: str):
    with contextlib.suppress(ValueError):
        assert parse_duration(text) >= 0


@pytest.mark.parametrize("wrong", [0, "0", "0s", True, False, math.inf, math.nan, -1, "5", None])
@pytest.mark.proves("U-06")
def test_a_field_wants_a_duration_above_zero(wrong: Any):
    with pytest.raises(ValidationError, match="above zero"):
        Wait(timeout=wrong)


def test_digits_are_milliseconds_only_where_all_is_text():
    assert Wait.model_validate({"timeout": "2500"}, context=AS_TEXT).timeout == 2500
    with pytest.raises(ValidationError, match="above zero"):
        Wait.model_validate({"timeout": "2500"})


def test_a_field_is_written_to_json_as_text_and_read_back():
    written = Wait.model_validate({"timeout": "90s"}).model_dump_json()
    assert written == '{"timeout":"1m30s"}'
    assert Wait.model_validate_json(written).timeout == 90_000
