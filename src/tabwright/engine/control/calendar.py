"""Calendars on the page: turned to the month, the day clicked; and fields that hold a date."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date
from typing import Any

from tabwright.engine import choice, text
from tabwright.engine.control.hand import (
    Control,
    Hand,
    Reading,
    blocked,
    not_done,
    one_of,
    refused,
)
from tabwright.errors import ElementBlocked, ElementNotFound, ElementNotVisible, NotDone

ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
TURN_MS = 700.0
CLOSING_MS = 400.0
# So far it is quicker to turn than to choose.
FEW_MONTHS = 6
OPEN_MS = 1500.0
MOST_TURNS = 1300

Month = dict[str, Any]


def is_iso(given: str) -> bool:
    """Whether a text is a date such as 2024-03-15."""
    if not ISO.fullmatch(given.strip()):
        return False
    try:
        date.fromisoformat(given.strip())
    except ValueError:
        return False
    return True


def iso(control: Control, wanted: list[str]) -> str:
    """The date that is asked for.

    Raises:
        InputError: it is none.
    """
    given = one_of(control, wanted).strip()
    if not is_iso(given):
        raise refused(control, f"takes a date, not {given!r}", "For example '2024-03-15'.")
    return given


def already(control: Control, wanted: list[str]) -> bool:
    """Whether this day is chosen."""
    return control.value == iso(control, wanted)


async def operate(hand: Hand, control: Control, wanted: list[str]) -> None:
    """Turn to the month and click the day."""
    await pick(hand, control, control.ref, iso(control, wanted))


async def read(hand: Hand, control: Control, wanted: list[str]) -> Reading:
    """Which day is chosen."""
    wished = iso(control, wanted)
    month = await hand.ask("calendarNow", control.ref, wished)
    if month is None or month["day"] is None:
        return Reading("", None)
    now, day = await hand.again(control), month["day"]
    value = (now.value if now else "") or (wished if day["on"] else "")
    return Reading(value, bool(day["on"]) if day["told"] else None)


async def pick(hand: Hand, control: Control, ref: str, wished: str) -> None:
    """Choose a day in a calendar that is open.

    Raises:
        ElementBlocked: the day is disabled, or the calendar does not go that far.
    """
    month: Month | None = await hand.ask("calendarNow", ref, wished)
    for _ in range(MOST_TURNS):
        if month is None or not month["months"]:
            raise blocked(
                control, "kind", "a calendar whose dates cannot be read", "Click the day yourself."
            )
        if month["day"] is not None:
            break
        month = await _turn(hand, control, ref, wished, month)
    day = month["day"] if month else None
    if day is None:
        raise not_done(control, f"was turned {MOST_TURNS} times and does not show {wished}")
    if day["disabled"]:
        raise blocked(
            control, "disabled", f"a calendar that does not offer {wished}", "Choose another day."
        )
    await hand.click(day["ref"])
    hand.did("clicked the day")
    await _confirm(hand, control, ref, wished)


async def pick_and_close(hand: Hand, control: Control, ref: str, wished: str) -> None:
    """Choose a day in a calendar that was opened for it; if there is none, close it again."""
    try:
        await pick(hand, control, ref, wished)
    except (ElementBlocked, NotDone):
        await hand.press("Escape")
        raise


async def _confirm(hand: Hand, control: Control, ref: str, wished: str) -> None:
    """A calendar that stays open with a button such as OK waits for it."""
    after = await hand.wait_for("calendarGone", ref, wished, ms=CLOSING_MS)
    if after is None or not after["done"]:
        return
    field = control.facts.get("field") or control.ref
    said = await hand.ask("meansDate", field, wished)
    if said is not None and said["same"]:
        return
    with suppress(ElementBlocked, ElementNotVisible, ElementNotFound):
        await hand.click(after["done"])
        hand.did("confirmed")


async def _turn(hand: Hand, control: Control, ref: str, wished: str, month: Month) -> Month | None:
    """One step towards a month: by its lists, by its buttons, or by keys."""
    year, number = int(wished[:4]), int(wished[5:7])
    first, last = month["months"][0], month["months"][-1]
    ahead = (year - last[0]) * 12 + number - last[1]
    away = ahead if ahead > 0 else (year - first[0]) * 12 + number - first[1]
    move = _best_move(month["moves"], away)
    if move is None or (abs(away) > FEW_MONTHS and "year" in month["selects"]):
        listed = await _listed(hand, ref, wished, month, year, number)
        if listed is not None:
            return listed
    before = month["months"]
    if move is not None:
        await hand.click(move["ref"])
        hand.did("turned the calendar")
    elif month["home"] and await hand.focus(month["home"]):
        await hand.press("PageDown" if away > 0 else "PageUp")
        hand.did("turned the calendar with keys")
        await hand.wait_for("steady", ref, ms=TURN_MS)
    turned = await hand.wait_for("calendarTurned", ref, wished, before, ms=TURN_MS)
    if turned is not None and turned["months"] == before:
        raise blocked(
            control,
            "kind",
            f"a calendar that goes no further than {before[0][0]}-{before[0][1]:02}",
            "Choose a day that it offers.",
        )
    return turned


def _best_move(moves: list[dict[str, Any]], away: int) -> dict[str, Any] | None:
    """The button that goes furthest without going too far."""
    usable = [move for move in moves if move["forward"] == (away > 0) and not move["disabled"]]
    years = [move for move in usable if move["year"]]
    months = [move for move in usable if not move["year"]]
    if years and (abs(away) >= 12 or not months):
        return years[0]
    return months[0] if months else None


async def _listed(
    hand: Hand, ref: str, wished: str, month: Month, year: int, number: int
) -> Month | None:
    """Choose year and month in the lists of the calendar's head, if it has such."""
    first, before = month["months"][0], month["months"]
    goals = {"year": (str(year), first[0] != year), "month": (str(number), first[1] != number)}
    for name, (key, other) in goals.items():
        chooser = month["selects"].get(name)
        label = chooser["labels"].get(key) if chooser and other else None
        if label is None:
            continue
        await choice.select(
            hand.tab, chooser["ref"], [label], wait=False, timeout_ms=hand.left_ms()
        )
        hand.did(f"chose the {name}")
        return await hand.wait_for("calendarTurned", ref, wished, before, ms=TURN_MS)
    return None


async def fill_date(hand: Hand, control: Control, wished: str) -> None:
    """Put a date into a text field: typed as the field asks for it, or chosen in its calendar."""
    asked = control.facts["date"]
    if asked["format"] and not asked["readonly"]:
        written = _written(asked["format"], wished)
        try:
            await text.fill(hand.tab, control.ref, written, wait=False, timeout_ms=hand.left_ms())
            await text.focus(
                hand.tab, control.ref, away=True, wait=False, timeout_ms=hand.left_ms()
            )
        except NotDone:
            pass
        else:
            said = await hand.ask("meansDate", control.ref, wished)
            if said is None or said["same"]:
                hand.did(f"typed it as {written}")
                return
    opened = await _open(hand, control)
    if opened is not None:
        await pick_and_close(hand, control, opened["ref"], wished)
        return
    if asked["readonly"]:
        raise blocked(control, "readonly", "read-only, and no calendar opens", "Look at the page.")
    await text.fill(hand.tab, control.ref, wished, wait=False, timeout_ms=hand.left_ms())
    hand.did("typed it")


async def read_date(hand: Hand, control: Control, wished: str) -> Reading:
    """The date that a text field holds."""
    said = await hand.ask("meansDate", control.ref, wished)
    return Reading("", None) if said is None else Reading(said["text"], said["same"])


async def _open(hand: Hand, control: Control) -> dict[str, Any] | None:
    for ref in dict.fromkeys([control.facts["date"]["button"], control.ref]):
        if not ref:
            continue
        await hand.click(ref)
        opened = await hand.wait_for("popupOpen", ref, ms=OPEN_MS)
        if opened is not None and opened["inside"] == "calendar":
            hand.did("opened the calendar")
            return opened
    return None


def _written(shape: dict[str, Any], wished: str) -> str:
    year, month, day = wished.split("-")
    words: list[str] = []
    for part, length in zip(shape["parts"], shape["lengths"], strict=True):
        whole = {"year": year, "month": month, "day": day}[part]
        short = whole[-2:] if part == "year" and length == 2 else whole
        words.append(short.lstrip("0") if length == 1 else short)
    return str(shape["separator"]).join(words)
