"""The browser's own fields for dates and times, and colours: each part typed into its field."""

from __future__ import annotations

import re
from typing import Any

from tabwright.engine.cdp import ProtocolError
from tabwright.engine.control.hand import (
    Control,
    Hand,
    Reading,
    blocked,
    not_done,
    one_of,
    refused,
)

DATE = r"(?P<year>\d{4,6})-(?P<month>\d{2})-(?P<day>\d{2})"
TIME = r"(?P<hour>\d{2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.(?P<millisecond>\d{1,3}))?)?"
SHAPES: dict[str, tuple[re.Pattern[str], str]] = {
    "date": (re.compile(DATE), "2024-03-15"),
    "time": (re.compile(TIME), "14:30"),
    "datetime-local": (re.compile(rf"{DATE}[T ]{TIME}"), "2024-03-15T14:30"),
    "month": (re.compile(r"(?P<year>\d{4,6})-(?P<month>\d{2})"), "2024-03"),
    "week": (re.compile(r"(?P<year>\d{4,6})-W(?P<week>\d{2})"), "2024-W12"),
}
FIELD = re.compile(r"-webkit-datetime-edit-(\w+)-field")
COLOR = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)
# The smallest part last: until it is there, the field holds nothing, and the page hears nothing.
ORDER = ("year", "month", "week", "hour", "minute", "second", "millisecond", "day", "ampm")
PICKER_MS = 300.0
PICKER_TRIES = 4
TO_RED = 3


def spelled(control: Control, wanted: list[str]) -> str:
    """The value as the field holds it, checked against its bounds.

    Raises:
        InputError: it is not of this kind, or not within them.
    """
    given = one_of(control, wanted).strip()
    shape, example = SHAPES[control.facts["type"]]
    if not given:
        return ""
    if shape.fullmatch(given) is None:
        raise refused(
            control, f"takes a {control.facts['type']}, not {given!r}", f"For example {example!r}."
        )
    value = given.replace(" ", "T")
    low, high = control.facts["min"], control.facts["max"]
    if (low and value < low) or (high and value > high):
        words = [f"from {low}"] if low else []
        words += [f"to {high}"] if high else []
        raise refused(control, f"cannot be {value}", f"It goes {' '.join(words)}.")
    return value


def already(control: Control, wanted: list[str]) -> bool:
    """Whether it holds this moment."""
    return _plain(control.value) == _plain(spelled(control, wanted))


def _plain(value: str) -> str:
    """Without seconds that say nothing."""
    return re.sub(r"(:\d{2}):00(?:\.0+)?$", r"\1", value)


async def read(hand: Hand, control: Control, wanted: list[str]) -> Reading:
    """What it holds."""
    now = await hand.again(control)
    if now is None:
        return Reading("", None)
    return Reading(now.value, _plain(now.value) == _plain(spelled(control, wanted)))


async def operate(hand: Hand, control: Control, wanted: list[str]) -> None:
    """Type each part into its field, in whatever order the browser's language has them."""
    value = spelled(control, wanted)
    if control.facts["readonly"]:
        raise blocked(control, "readonly", "read-only", "Choose a field that can be edited.")
    await hand.must_focus(control)
    fields = await _fields(hand, control)
    if not fields:
        raise blocked(control, "kind", "without fields to type into", "Use `evaluate`.")
    given = SHAPES[control.facts["type"]][0].fullmatch(value)
    parts = {name: part for name, part in (given.groupdict() if given else {}).items() if part}
    _period(parts, fields)
    ordered = [name for name in ORDER if name in fields]
    if control.value:
        await _clear(hand, [fields[ordered[-1]]] if value else list(fields.values()))
    if not value:
        hand.did("cleared its fields")
        return
    for name in ordered:
        await _enter(hand, control, name, fields[name], parts)
    hand.did("typed into its fields")


def _period(parts: dict[str, str], fields: dict[str, dict[str, Any]]) -> None:
    """The hour as the field counts it: by 12 with a half of the day, from 0 or from 1."""
    if "hour" not in parts:
        return
    hour, low = int(parts["hour"]), fields.get("hour", {}).get("low", 0)
    if "ampm" in fields:
        parts["ampm"] = "2" if hour >= 12 else "1"
        hour %= 12
        hour = 12 if hour == 0 and low == 1 else hour
    elif low == 1 and hour == 0:
        hour = 24
    parts["hour"] = f"{hour:02}"


async def _fields(hand: Hand, control: Control) -> dict[str, dict[str, Any]]:
    """The fields inside, which only the browser can show: their names, bounds and nodes."""
    target = await hand.frame.handle(f"tabwright.byRef({control.ref[1:]})")
    found: dict[str, dict[str, Any]] = {}
    described = await hand.frame.send(
        "DOM.describeNode", {"objectId": target, "depth": -1, "pierce": True}
    )

    def walk(node: dict[str, Any]) -> None:
        flat = node.get("attributes", [])
        attributes = dict(zip(flat[::2], flat[1::2], strict=True))
        match = FIELD.fullmatch(attributes.get("pseudo", ""))
        if match:
            now = attributes.get("aria-valuenow")
            found[match[1]] = {
                "node": node["backendNodeId"],
                "low": int(attributes.get("aria-valuemin", 0)),
                "high": int(attributes.get("aria-valuemax", 0)),
                "now": int(now) if now else None,
                "fixed": "disabled" in attributes or "readonly" in attributes,
                "words": bool(now) and not (attributes.get("aria-valuetext") or "0").isdigit(),
            }
        for child in (*node.get("shadowRoots", ()), *node.get("children", ())):
            walk(child)

    walk(described["node"])
    return found


async def _clear(hand: Hand, fields: list[dict[str, Any]]) -> None:
    for field in fields:
        if not field["fixed"] and await _focus(hand, field):
            await hand.press("Backspace")


async def _focus(hand: Hand, field: dict[str, Any]) -> bool:
    try:
        await hand.frame.send("DOM.focus", {"backendNodeId": field["node"]})
    except ProtocolError:
        # A part that the bounds leave no choice of takes no focus.
        return False
    return True


async def _enter(
    hand: Hand, control: Control, name: str, field: dict[str, Any], parts: dict[str, str]
) -> None:
    """Put one part in: digits are typed, words are gone through with the arrow key."""
    wanted = int(parts.get(name, "0"))
    if (field["fixed"] and field["now"] == wanted) or not await _focus(hand, field):
        return
    if name == "ampm" or (name == "month" and control.facts["type"] == "month"):
        await _turn(hand, control, name, field, wanted)
        return
    width = 3 if name == "millisecond" else 4 if name == "year" else 2
    digits = parts.get(name, "0")
    await hand.type(digits.ljust(3, "0") if name == "millisecond" else digits.rjust(width, "0"))


async def _turn(
    hand: Hand, control: Control, name: str, field: dict[str, Any], wanted: int
) -> None:
    """Bring a part that is shown as a word to its number: by its first letters, or by arrows."""
    if name == "month" and (word := str(await hand.ask("monthWord", wanted))).isascii():
        await hand.type(word)
        field = await _field(hand, control, name, field)
    for _ in range(2):
        now, count = field["now"], field["high"] - field["low"] + 1
        if now == wanted:
            return
        if now is None:
            # From nothing, one arrow leads to the first word and the other to the last.
            await hand.press("ArrowUp" if wanted - field["low"] < count / 2 else "ArrowDown")
        else:
            ahead = (wanted - now) % count
            back = count - ahead
            await hand.press(*(("ArrowUp", ahead) if ahead <= back else ("ArrowDown", back)))
        field = await _field(hand, control, name, field)


async def _field(hand: Hand, control: Control, name: str, before: dict[str, Any]) -> dict[str, Any]:
    field = (await _fields(hand, control)).get(name, before)
    await _focus(hand, field)
    return field


def color(control: Control, wanted: list[str]) -> str:
    """The colour as the field holds it.

    Raises:
        InputError: it is no colour.
    """
    given = one_of(control, wanted).strip().lower()
    if not COLOR.fullmatch(given):
        raise refused(control, f"takes a colour, not {given!r}", "For example '#ff8800'.")
    digits = given[1:] if len(given) == 7 else "".join(2 * digit for digit in given[1:])
    return f"#{digits}"


def already_colored(control: Control, wanted: list[str]) -> bool:
    """Whether it holds this colour."""
    return control.value == color(control, wanted)


async def read_color(hand: Hand, control: Control, wanted: list[str]) -> Reading:
    """The colour that it holds."""
    now = await hand.again(control)
    if now is None:
        return Reading("", None)
    return Reading(now.value, now.value == color(control, wanted))


async def operate_color(hand: Hand, control: Control, wanted: list[str]) -> None:
    """Type red, green and blue into the browser's own picker; if it takes no keys, say so."""
    value = color(control, wanted)
    if await _picked(hand, control, value):
        hand.did("typed red, green and blue into the browser's picker")
        return
    await hand.ask("paint", control.ref, value)
    hand.how[:] = ["set by script: the browser's own picker cannot be operated"]


async def _picked(hand: Hand, control: Control, value: str) -> bool:
    """Whether the picker took the colour. Keys that come before it is drawn are lost."""
    for _ in range(PICKER_TRIES):
        if not await _open_picker(hand, control):
            return False
        for at in (1, 3, 5):
            await hand.press("Control+A")
            await hand.type(str(int(value[at : at + 2], 16)))
            if at < 5:
                await hand.press("Tab")
        facts = await hand.wait_for("awaitControl", control.ref, None, "value", value, ms=PICKER_MS)
        if facts is None:
            raise not_done(control, "was taken off the page meanwhile")
        # Escape gives the old colour back.
        await hand.press("Enter" if facts["value"] == value else "Escape")
        if facts["value"] == value:
            # The picker tells of the change when it has closed.
            await hand.wait_for("awaitHeard", "change", ms=PICKER_MS)
            return True
    return False


async def _open_picker(hand: Hand, control: Control) -> bool:
    """Open the picker and go to its field for red; whether it is the picker that has the keys."""
    await hand.focus(control.ref)
    await hand.click(control.ref)
    for _ in range(TO_RED):
        # What the page hears of, the picker did not: then nothing may be typed.
        before = await hand.ask("keysHeard")
        await hand.press("Tab")
        if await hand.ask("keysHeard") != before:
            await hand.focus(control.ref)
            return False
    return True
