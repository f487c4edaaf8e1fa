"""Durations: a number of milliseconds, or Go's way of writing them (`1h30m`)."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Annotated, Any, cast

from pydantic import BeforeValidator, PlainSerializer, ValidationInfo

ALLOWED = "a duration above zero such as '500ms', '5m' or '1h30m', or a number of milliseconds"

_NS_OF = {
    "h": 3_600_000_000_000,
    "m": 60_000_000_000,
    "s": 1_000_000_000,
    "ms": 1_000_000,
    "us": 1_000,
    # Go takes the micro sign and the Greek letter.
    "µs": 1_000,
    "μs": 1_000,
    "ns": 1,
}
_LONGEST_NS = 2**63 - 1
_PART = re.compile(r"([0-9]{1,20}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})(ns|us|µs|μs|ms|s|m|h)")
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")


def parse_duration(value: str | float) -> float:
    """Milliseconds of a duration; zero is a duration, a negative one is not.

    Raises:
        ValueError: the text says what is allowed.
    """
    if isinstance(value, bool) or not isinstance(cast("object", value), str | int | float):
        raise ValueError(ALLOWED)
    nanoseconds = _written(value) if isinstance(value, str) else _counted(value)
    if nanoseconds is None or not 0 <= nanoseconds <= _LONGEST_NS:
        raise ValueError(ALLOWED)
    return float(value) if not isinstance(value, str) else float(nanoseconds / 1_000_000)


def _written(text: str) -> Decimal | None:
    text = text.removeprefix("+")
    if text == "0":
        return Decimal(0)
    parts = list(_PART.finditer(text))
    if not parts or "".join(part[0] for part in parts) != text:
        return None
    return sum((Decimal(part[1]) * _NS_OF[part[2]] for part in parts), Decimal(0)) // 1


def _counted(milliseconds: float) -> Decimal | None:
    if isinstance(milliseconds, float) and not math.isfinite(milliseconds):
        return None
    return Decimal(milliseconds) * 1_000_000


def format_duration(milliseconds: float) -> str:
    """Go's way of writing a duration, without the parts that are zero: `1h30m`, `1.5s`, `0s`."""
    left = round(Decimal(milliseconds) * 1_000_000)
    if left < _NS_OF["s"]:
        return _below_a_second(left)
    hours, left = divmod(left, _NS_OF["h"])
    minutes, left = divmod(left, _NS_OF["m"])
    parts = [f"{hours}h" if hours else "", f"{minutes}m" if minutes else ""]
    if left:
        parts.append(f"{_decimal(left, 's')}s")
    return "".join(parts)


def _below_a_second(nanoseconds: int) -> str:
    for unit in ("ms", "µs", "ns"):
        if nanoseconds >= _NS_OF[unit]:
            return _decimal(nanoseconds, unit) + unit
    return "0s"


def _decimal(nanoseconds: int, unit: str) -> str:
    text = f"{Decimal(nanoseconds) / _NS_OF[unit]:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _above_zero(value: Any, info: ValidationInfo) -> float:
    # The environment and the command line have no numbers, only digits.
    if isinstance(value, str) and info.context == AS_TEXT and _NUMBER.fullmatch(value):
        value = float(value)
    milliseconds = parse_duration(value)
    if milliseconds <= 0:
        raise ValueError(ALLOWED)
    return milliseconds


AS_TEXT = {"text": True}
"""Validation context for values that can only be given as text: there, digits are a number."""

Duration = Annotated[
    float,
    BeforeValidator(_above_zero, json_schema_input_type=str | float),
    PlainSerializer(format_duration, return_type=str, when_used="json"),
]
"""Milliseconds, above zero, for fields of models; written as text in JSON."""


def _seconds(value: Any, info: ValidationInfo) -> float:
    """A number counts seconds here; a text says its unit."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = value * 1000
    return _above_zero(value, info)


Seconds = Annotated[
    float,
    BeforeValidator(_seconds, json_schema_input_type=str | float),
    PlainSerializer(format_duration, return_type=str, when_used="json"),
]
"""As `Duration`, for the one place where a bare number means seconds."""
