"""Comboboxes of every shape, and buttons that open a list, a menu, a tree or a calendar."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from tabwright.engine.control import calendar, tree
from tabwright.engine.control.hand import (
    REDRAWN,
    USABLE,
    Control,
    Hand,
    Reading,
    folded,
    not_offered,
    says,
)
from tabwright.engine.control.item import LATE_MS, Item, find, look, walk_to
from tabwright.errors import ElementBlocked, ElementNotFound, ElementNotVisible, StaleRef

Popup = dict[str, Any]

# How long a list may take to open before another way is tried.
OPEN_MS = 1500.0
HINT_MS = 250.0
TAKEN_MS = 1000.0
# What fades out is still there for a moment.
CLOSING_MS = 400.0
SHORT_FILTER = 3
OPENING = ("ArrowDown", "Alt+ArrowDown", "Space")


def already(control: Control, wanted: list[str]) -> bool:
    """Whether it shows these, and nothing else."""
    shown = {folded(part) for part in control.facts["around"].split(", ") if part}
    asked = {folded(label) for label in wanted}
    return (len(wanted) == 1 and folded(control.value) in asked) or (
        len(asked) > 1 and shown == asked
    )


async def operate(hand: Hand, control: Control, wanted: list[str]) -> None:
    """Open it, find each option, click it, and see that the popup closes."""
    editable = control.facts["editable"]
    popup = await _open(hand, control, patience=HINT_MS if editable else OPEN_MS)
    if popup is not None and popup["inside"] == "calendar":
        await calendar.pick_and_close(hand, control, popup["ref"], calendar.iso(control, wanted))
        return
    try:
        if popup is not None and popup["inside"] == "tree":
            for path in wanted:
                await tree.pick(hand, control, popup["ref"], path)
        else:
            await _choose(hand, control, wanted, many=bool(popup and popup["multiple"]))
    except (ElementBlocked, ElementNotFound):
        await _close(hand, control)
        raise
    await _close(hand, control, CLOSING_MS if len(wanted) == 1 else 0.0)


async def _choose(hand: Hand, control: Control, wanted: list[str], *, many: bool) -> None:
    many = many or len(wanted) > 1
    for label in wanted:
        if not await _take(hand, control, label, many=many):
            return
    if many:
        await _drop_others(hand, control, wanted)


async def read(hand: Hand, control: Control, wanted: list[str]) -> Reading:
    """What it shows now; one that shows nothing is opened again to look."""
    now = await hand.again(control)
    if now is None:
        return Reading("", None)
    if control.facts["date"] or calendar.is_iso(wanted[0]):
        said = await hand.ask("meansDate", control.facts["field"] or control.ref, wanted[0])
        if said and said["same"]:
            return Reading(said["text"], True)
    if all(_shows(hand, now, label) for label in wanted):
        return Reading(_parted(now, wanted), True)
    if now.facts["typed"] or (control.facts["editable"] and len(wanted) == 1):
        return Reading(now.value, False)
    return await _reopened(hand, now, wanted)


def _parted(now: Control, wanted: list[str]) -> str | list[str]:
    return now.value if len(wanted) == 1 else now.value.split(", ")


def _shows(hand: Hand, now: Control, label: str) -> bool:
    """Whether a control shows a choice, also where it shortens or adds to the option's label."""
    taken = folded(hand.chose.get(label, label))
    typed, beside = folded(now.facts["typed"]), folded(now.facts["around"])
    if typed:
        if typed in (taken, folded(label)):
            return True
        own = typed != folded(hand.chose.get("", ""))
        return own and (says(taken, typed) or says(typed, taken) or says(beside, taken))
    return says(folded(now.value) if not now.facts["field"] else beside, taken)


async def _open(hand: Hand, control: Control, patience: float) -> Popup | None:
    """Open the popup by a click, or else by keys.

    Raises:
        ElementBlocked: neither does it, and nothing can be typed either.
    """
    popup = await hand.ask("popupNow", control.ref)
    if _is_filled(popup):
        return popup
    editable, problem = control.facts["editable"], _closed(control)
    try:
        await hand.click(control.facts["press"])
        popup = await hand.wait_for("popupOpen", control.ref, ms=patience)
    except (ElementBlocked, ElementNotVisible) as error:
        # A field under its own drawn value: keys open it as well.
        problem = error
    for key in () if popup is not None or editable else OPENING:
        if not await hand.focus(control.facts["field"] or control.ref):
            break
        await hand.press(key)
        popup = await hand.wait_for("popupOpen", control.ref, ms=LATE_MS / 2)
        if popup is not None:
            hand.did(f"pressed {key}")
            break
    if popup is None and not editable:
        raise problem
    if popup is not None:
        hand.did(f"opened the {_noun(control, popup)}")
    return popup


def _closed(control: Control) -> ElementBlocked | ElementNotVisible:
    return ElementBlocked(
        str(control.element),
        "kind",
        "closed, and neither a click nor keys open it",
        hint="Look at what opens it, and choose the option there.",
    )


def _is_filled(popup: Popup | None) -> bool:
    return popup is not None and (popup["inside"] != "items" or bool(popup["count"]))


def _noun(control: Control, popup: Popup) -> str:
    if popup["inside"] != "items":
        return str(popup["inside"])
    return "menu" if _is_menu(control) else "list"


def _is_menu(control: Control) -> bool:
    return control.kind == "popup" and control.facts["haspopup"] == "menu"


async def _take(
    hand: Hand, control: Control, label: str, *, many: bool, redrawn: int = REDRAWN
) -> bool:
    """Find an option and choose it; False when there is no list and the text has to do."""
    item = await _option(hand, control, label)
    if item is None:
        await hand.aim(control.facts["field"], USABLE, prepare="blur")
        return False
    if many and item.on == "true":
        return True
    before = await hand.again(control)
    try:
        await hand.click(item.ref)
        hand.did("clicked the item" if _is_menu(control) else "clicked the option")
    except StaleRef:
        if not redrawn:
            raise
        return await _take(hand, control, label, many=many, redrawn=redrawn - 1)
    except (ElementBlocked, ElementNotVisible):
        if not await _by_keys(hand, control, item):
            raise
        return True
    if many:
        await hand.wait_for("awaitItem", item.ref, "true", ms=TAKEN_MS / 2)
        return True
    taken = before is None or await _taken(hand, control, before, label)
    # An option is chosen again without harm; an item of a menu may be turned off again.
    if not taken and not _is_menu(control):
        await _by_keys(hand, control, item)
    return True


async def _taken(hand: Hand, control: Control, before: Control, label: str) -> bool:
    """Whether a click on an option did something: another value is shown, or the popup closed."""
    facts = await hand.wait_for("awaitTaken", control.ref, before.value, ms=TAKEN_MS)
    if facts is None:
        return True
    now = Control.of(facts)
    if control.facts["editable"]:
        # A list may close without a choice when its field loses the focus to the click.
        return _shows(hand, now, label)
    return now.value != before.value or not _is_filled(await hand.ask("popupNow", control.ref))


async def _by_keys(hand: Hand, control: Control, item: Item) -> bool:
    """Walk to an option with the arrow keys and take it; whether that was possible."""
    field = control.facts["field"]
    if not await hand.focus(field or control.ref):
        return False
    popup = await hand.wait_for("popupOpen", control.ref, ms=HINT_MS)
    now = await hand.again(control)
    if popup is None and field and control.facts["editable"] and now and not now.facts["typed"]:
        await hand.type(item.label)
        popup = await hand.wait_for("popupOpen", control.ref, ms=LATE_MS)
    elif popup is None:
        await hand.press("ArrowDown")
        popup = await hand.wait_for("popupOpen", control.ref, ms=LATE_MS / 2)
    if popup is None or not await walk_to(hand, control, item):
        return False
    await hand.press("Enter")
    hand.did("went to it with the arrow keys and pressed Enter")
    return True


async def _option(hand: Hand, control: Control, label: str) -> Item | None:
    """The option of this label: in the list as it is, or as typing filters it."""
    popup = await hand.ask("popupNow", control.ref)
    if not control.facts["editable"]:
        if popup is None:
            popup = await _open(hand, control, OPEN_MS)
        return await find(hand, control, label, popup["ref"] if popup else control.ref)
    item = await look(hand, control, label, popup["ref"]) if _is_filled(popup) else None
    if item is not None and folded(item.label) == folded(label):
        hand.chose[label] = item.label
        return item
    return await _filtered(hand, control, label)


async def _filtered(hand: Hand, control: Control, label: str) -> Item | None:
    """Type, so that the list shows what is wanted, less and less of it."""
    before = await hand.again(control)
    near: list[str] = []
    patience = LATE_MS
    for text in dict.fromkeys([label, label.partition(" ")[0], label[:SHORT_FILTER], ""]):
        aimed = await hand.aim(control.facts["field"], USABLE, prepare="replace")
        if not aimed.facts["focused"]:
            break
        await _type(hand, text)
        hand.chose[""] = text
        popup = await hand.wait_for("popupOpen", control.ref, ms=patience)
        patience = LATE_MS / 3
        if popup is None or not popup["count"]:
            continue
        try:
            return await find(hand, control, label, popup["ref"])
        except ElementNotFound as error:
            near += [name for name in error.details.get("near", []) if name not in near]
    if near:
        await _restore(hand, control, before)
        error = not_offered(control, label, [name.strip("'\"") for name in near])
        error.hint += " If it takes other words as well, use `fill`."
        raise error
    await hand.aim(control.facts["field"], USABLE, prepare="replace")
    await hand.type(label)
    hand.how[:] = ["typed it; it offered no list"]
    return None


async def _type(hand: Hand, text: str) -> None:
    """Type a filter; without one, ask for the whole list."""
    if text:
        await hand.type(text)
        hand.did("typed to filter the list")
    else:
        await hand.press("Delete")
        await hand.press("ArrowDown")


async def _restore(hand: Hand, control: Control, before: Control | None) -> None:
    """Leave no filter behind in a field whose list had nothing to offer."""
    aimed = await hand.aim(control.facts["field"], USABLE, prepare="replace")
    if aimed.facts["focused"]:
        if not aimed.facts["empty"]:
            await hand.press("Delete")
        if before is not None and before.facts["typed"]:
            await hand.type(before.facts["typed"])
    await _close(hand, control)


async def _drop_others(hand: Hand, control: Control, wanted: list[str]) -> None:
    """Take back what is chosen in an open list of several and was not asked for."""
    popup = await hand.ask("popupNow", control.ref)
    if popup is None:
        return
    listed = await hand.ask("controlNow", popup["ref"], "listbox")
    keep = {folded(hand.chose.get(label, label)) for label in wanted}
    chosen: list[str] = listed["chosen"] if listed else []
    for label in chosen:
        if folded(label) in keep:
            continue
        item = await look(hand, control, label, popup["ref"])
        if item is not None:
            await hand.click(item.ref)
            await hand.wait_for("awaitItem", item.ref, "false", ms=TAKEN_MS / 2)


async def _close(hand: Hand, control: Control, patience: float = 0.0) -> None:
    """Close a popup that stays open, as one of several choices does.

    Escape would also close a dialog around it.
    """
    if await hand.wait_for("popupClosed", control.ref, ms=patience):
        return
    if not control.facts["modal"]:
        await hand.press("Escape")
    elif control.facts["field"]:
        await hand.aim(control.facts["field"], USABLE, prepare="blur")
    if control.facts["editable"] or await hand.wait_for("popupClosed", control.ref, ms=HINT_MS):
        return
    with suppress(ElementBlocked, ElementNotVisible, ElementNotFound):
        await hand.click(control.ref)


async def _reopened(hand: Hand, control: Control, wanted: list[str]) -> Reading:
    """Open it once more and read which items are on."""
    said = list(hand.how)
    popup = await _open(hand, control, OPEN_MS)
    hand.how[:] = [*said, "opened it again to look"]
    if popup is None or popup["inside"] != "items":
        return Reading(control.value, None)
    items = [await look(hand, control, hand.chose.get(w, w), popup["ref"]) for w in wanted]
    on = [item.label for item in items if item is not None and item.on == "true"]
    told = all(item is not None and item.on != "" for item in items)
    await _close(hand, control)
    value = on if len(wanted) > 1 else ", ".join(on) or control.value
    return Reading(value, len(on) == len(wanted) if told else None)
