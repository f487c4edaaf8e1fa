"""Fields for text, the browser's own lists, and values that are entered in parts."""

from __future__ import annotations

import re
from contextlib import suppress

from tabwright.engine import choice, text
from tabwright.engine.control import calendar, scale
from tabwright.engine.control.hand import (
    USABLE,
    Control,
    Hand,
    Reading,
    blocked,
    folded,
    not_offered,
    one_of,
    refused,
)
from tabwright.engine.control.item import look
from tabwright.errors import ElementNotFound, NotDone

LEFT_MS = 300.0
LETTERS = re.compile(r"[\W_]+")
DATE_TIME = re.compile(
    r"(?:(?P<year>\d{4})-(?P<month>\d{2})(?:-(?P<day>\d{2}))?)?[T ]?"
    r"(?:(?P<hour>\d{2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?)?"
)


def _is_date(control: Control, wanted: list[str]) -> bool:
    return bool(control.facts.get("date")) and calendar.is_iso(wanted[0])


def already(control: Control, wanted: list[str]) -> bool:
    """Whether the field holds this text. Of a password nothing is known but its length."""
    given = one_of(control, wanted)
    return not control.facts["secret"] and control.value == given


async def operate(hand: Hand, control: Control, wanted: list[str]) -> None:
    """Replace the text; where the page rewrites what is put in at once, type it."""
    given = one_of(control, wanted)
    if _is_date(control, wanted):
        await calendar.fill_date(hand, control, given)
        return
    if control.facts["readonly"]:
        raise blocked(control, "readonly", "read-only", "Choose a field that can be edited.")
    await _fill(hand, control, given)
    if control.facts["search"] or hand.ended():
        return
    if control.facts["commits"]:
        await _leave(hand, control)
    elif await hand.ask("popupNow", control.ref):
        await _with_popup(hand, control, given)


async def _fill(hand: Hand, control: Control, given: str) -> None:
    try:
        receipt = hand.receipt = await text.fill(
            hand.tab, control.ref, given, wait=False, timeout_ms=hand.left_ms()
        )
        if receipt.value is None or same(control, receipt.value, given):
            hand.did("filled it")
            return
        if hand.ended():
            hand.did("filled it")
            return
    except NotDone:
        # Its message has both texts, and one may be a password.
        pass
    hand.receipt = await text.type_(
        hand.tab, control.ref, given, clear=True, wait=False, timeout_ms=hand.left_ms()
    )
    hand.did("typed it")


async def _leave(hand: Hand, control: Control) -> None:
    """Take the focus away: the page hears of the change, and may take it back."""
    await hand.aim(control.ref, USABLE, prepare="blur")


async def _with_popup(hand: Hand, control: Control, given: str) -> None:
    """Something came up with the text: a suggestion to take, or a panel that wants an answer."""
    popup = await hand.ask("popupNow", control.ref)
    found = await look(hand, control, given, popup["ref"]) if popup["inside"] == "items" else None
    if found is not None and folded(found.label) == folded(given):
        await hand.click(found.ref)
        hand.did("clicked the suggestion")
        return
    await _leave(hand, control)
    now = await hand.wait_for("awaitChange", control.ref, None, "value", given, ms=LEFT_MS)
    if now is not None and not same(control, str(now["value"]), given):
        await _fill(hand, control, given)
        await hand.press("Enter")
        hand.did("pressed Enter")


async def read(hand: Hand, control: Control, wanted: list[str]) -> Reading:
    """What the field holds."""
    if _is_date(control, wanted):
        return await calendar.read_date(hand, control, wanted[0])
    now = await hand.again(control)
    if now is None:
        return Reading("", None)
    return Reading(now.value, same(control, now.value, wanted[0]))


def same(control: Control, held: str, asked: str) -> bool:
    """Whether a field holds a text, also where it adds the marks of a mask."""
    if control.facts["secret"]:
        return len(held) == len(asked)
    if held.replace("\r\n", "\n") == asked.replace("\r\n", "\n"):
        return True
    letters = LETTERS.sub("", held).casefold()
    return bool(letters) and letters == LETTERS.sub("", asked).casefold()


def already_selected(control: Control, wanted: list[str]) -> bool:
    """Whether these options, and no others, are chosen."""
    chosen = control.facts["values"]
    if len(chosen) != len(wanted):
        return False
    for name in wanted:
        known = [
            option
            for option in chosen
            if option["value"] == name or folded(option["label"]) == folded(name)
        ]
        if not known:
            return False
    return True


async def operate_select(hand: Hand, control: Control, wanted: list[str]) -> None:
    """Choose options of a native list."""
    try:
        hand.receipt, chosen = await choice.select(
            hand.tab, control.ref, wanted, wait=False, timeout_ms=hand.left_ms()
        )
    except ElementNotFound as error:
        near: list[str] = [name.strip("'\"") for name in error.details.get("near", [])]
        chosen = [name for name in wanted if folded(name) not in map(folded, near)]
        raise not_offered(control, (chosen or wanted)[0], near) from None
    hand.chose["select"] = ", ".join(chosen)
    hand.did("clicked the options" if control.facts["multiple"] else "chose it in its list")


async def read_select(hand: Hand, control: Control, wanted: list[str]) -> Reading:
    """The labels that are chosen."""
    del wanted
    now = await hand.again(control)
    if now is None:
        return Reading("", None)
    labels = [str(option["label"]) for option in now.facts["values"]]
    holds = ", ".join(labels) == hand.chose.get("select", now.value)
    return Reading(labels if control.facts["multiple"] else ", ".join(labels), holds)


def _split(control: Control, wanted: list[str]) -> dict[str, str]:
    """A moment by its parts, as far as the control has a field for them.

    Raises:
        InputError: the value is no moment, or lacks a part.
    """
    given = one_of(control, wanted).strip()
    found = DATE_TIME.fullmatch(given)
    parts = {name: part for name, part in (found.groupdict() if found else {}).items() if part}
    fields = set(control.facts["parts"])
    if "dayPeriod" in fields and "hour" in parts:
        hour = int(parts["hour"])
        parts["dayPeriod"] = "PM" if hour >= 12 else "AM"
        parts["hour"] = f"{hour % 12 or 12:02}"
    missing = sorted(fields - set(parts))
    if not parts or missing:
        raise refused(
            control,
            f"takes {', '.join(sorted(fields))}, not {given!r}",
            "Give a moment such as '2024-03-15' or '2024-03-15T14:30'.",
        )
    return {name: parts[name] for name in control.facts["parts"]}


def _part(control: Control, name: str) -> Control:
    return Control.of(control.facts["parts"][name])


def _part_holds(part: Control, value: str) -> bool:
    now = part.facts.get("now")
    held = str(part.facts.get("text") or part.value)
    if value.isdigit():
        number = now if now is not None else scale.amount(held)
        return number is not None and float(number) == float(value)
    return folded(held) == folded(value)


def already_parted(control: Control, wanted: list[str]) -> bool:
    """Whether each part is so."""
    parts = _split(control, wanted)
    return all(_part_holds(_part(control, name), value) for name, value in parts.items())


async def operate_parts(hand: Hand, control: Control, wanted: list[str]) -> None:
    """Set each part on its own; segments that look like one field take the keys themselves."""
    for name, value in _split(control, wanted).items():
        part = _part(control, name)
        if part.kind == "select":
            await _select_part(hand, part, value)
        elif part.kind == "spin" and not part.facts["editable"]:
            await scale.operate(hand, part, [value])
        else:
            await _type_part(hand, part, value)
    hand.how[:] = [f"entered {len(control.facts['parts'])} parts"]


async def _select_part(hand: Hand, part: Control, value: str) -> None:
    names = list(dict.fromkeys([value.lstrip("0") or "0", value]))
    for name in names:
        with suppress(*([ElementNotFound] if name != names[-1] else [])):
            await choice.select(hand.tab, part.ref, [name], wait=False, timeout_ms=hand.left_ms())
            return


async def _type_part(hand: Hand, part: Control, value: str) -> None:
    await hand.click(part.ref)
    aimed = await hand.aim(part.ref, prepare="replace")
    if not aimed.facts["focused"]:
        await hand.must_focus(part)
    await hand.type(value)


async def read_parts(hand: Hand, control: Control, wanted: list[str]) -> Reading:
    """What the parts hold."""
    now = await hand.again(control)
    if now is None:
        return Reading("", None)
    asked = _split(control, wanted)
    if set(now.facts["parts"]) != set(asked):
        return Reading("", None)
    held = {name: _part(now, name) for name in asked}
    value = ", ".join(f"{name} {part.value}" for name, part in held.items())
    return Reading(value, all(_part_holds(held[name], asked[name]) for name in asked))


def already_several(control: Control, wanted: list[str]) -> bool:
    """Whether each slider of several stands where it shall."""
    sliders = _sliders(control, wanted)
    return all(scale.already(one, [value]) for one, value in zip(sliders, wanted, strict=True))


def _sliders(control: Control, wanted: list[str]) -> list[Control]:
    sliders = [Control.of(facts) for facts in control.facts["parts"]]
    if len(sliders) != len(wanted):
        raise refused(
            control,
            f"has {len(sliders)} sliders and takes as many values, not {len(wanted)}",
            "Give a list, the lowest first, or name one of the sliders.",
        )
    return sliders


async def operate_several(hand: Hand, control: Control, wanted: list[str]) -> None:
    """Move each slider; the upper one first when the lower one has to pass it."""
    pairs = list(zip(_sliders(control, wanted), wanted, strict=True))
    goals = [scale.amount(value) or 0.0 for value in wanted]
    if goals[0] > float(pairs[-1][0].facts["now"]):
        pairs.reverse()
    for slider, value in pairs:
        now = await hand.again(slider)
        if now is not None and not scale.is_at(now, [value], scale.amount(value)):
            await scale.operate(hand, now, [value])


async def read_several(hand: Hand, control: Control, wanted: list[str]) -> Reading:
    """Where each slider stands."""
    now = await hand.again(control)
    if now is None:
        return Reading("", None)
    sliders = _sliders(now, wanted)
    holds = [
        scale.is_at(one, [value], scale.amount(value))
        for one, value in zip(sliders, wanted, strict=True)
    ]
    return Reading([one.value for one in sliders], all(holds))
