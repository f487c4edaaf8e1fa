"""Choosing among items: radios, checkboxes in a group, toggle buttons, tabs, lists, open menus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tabwright.engine.control.hand import (
    REDRAWN,
    Control,
    Hand,
    Reading,
    blocked,
    folded,
    not_offered,
    one_of,
)
from tabwright.engine.control.toggle import state_of
from tabwright.engine.pointer import MODIFIERS
from tabwright.errors import ElementBlocked, ElementNotVisible, StaleRef

NOUNS = {
    "radios": "radio button",
    "checks": "checkbox",
    "toggles": "button",
    "tabs": "tab",
    "listbox": "option",
    "menu": "item",
    "tree": "item",
    "popup": "option",
}
MEMBERS = ("radio", "tab", "option", "treeitem")
CHANGE_MS = 1000.0
# A list that is filled late, and how much later it may be with `wait`.
LATE_MS = 1500.0
WAITING = 4
# One that stands on the page is there already, but may be about to be drawn anew.
SOON_MS = 400.0
MOST_KEYS = 500


@dataclass(frozen=True)
class Item:
    """One thing that can be chosen."""

    ref: str
    label: str
    on: str
    """`true`, `false`, `mixed`, or nothing when it does not say."""
    disabled: bool
    partly: bool = False
    """What was asked for is only part of its label."""

    @classmethod
    def of(cls, facts: dict[str, Any], *, partly: bool = False) -> Item:
        """As the page script gives it."""
        return cls(facts["ref"], facts["label"], facts["on"], facts["disabled"], partly)


def already(control: Control, wanted: list[str]) -> bool:
    """Whether these, and no others, are chosen."""
    own = own_state(control, wanted)
    if own is not None:
        return control.facts["own"] == own
    chosen = {folded(label) for label in control.facts["chosen"]}
    return chosen == {folded(label) for label in wanted}


def own_state(control: Control, wanted: list[str]) -> str | None:
    """The state that a single member shall have, if the value is a state and no label."""
    if control.kind not in MEMBERS or len(wanted) != 1:
        return None
    return state_of(wanted[0]) if folded(wanted[0]) not in ("yes", "no", "1", "0") else None


async def operate(hand: Hand, control: Control, wanted: list[str]) -> None:
    """Click what shall be chosen."""
    own = own_state(control, wanted)
    if own is not None:
        await _own(hand, control, own)
    elif control.facts["multiple"]:
        await _several(hand, control, wanted)
    else:
        await _one(hand, control, one_of(control, wanted))


async def read(hand: Hand, control: Control, wanted: list[str]) -> Reading:
    """Which items are chosen now."""
    now = await hand.again(control)
    if now is None:
        return Reading("", None)
    own = own_state(control, wanted)
    if own is not None:
        return Reading(now.facts["own"], now.facts["own"] == own)
    items = [await look(hand, control, hand.chose.get(label, label)) for label in wanted]
    found = [item for item in items if item is not None]
    others = set(now.facts["chosen"]) - {item.label for item in found}
    value = [item.label for item in found if item.on == "true"] + sorted(others)
    shown = value if control.facts["multiple"] else ", ".join(value)
    if len(found) == len(wanted) and any(item.on == "" for item in found):
        return Reading(shown, None)
    holds = len(found) == len(wanted) and all(item.on == "true" for item in found)
    return Reading(shown, holds and not (others and control.facts["multiple"]))


async def look(hand: Hand, control: Control, label: str, ref: str = "") -> Item | None:
    """The item of this label, if it is there."""
    kind = control.kind if not ref else "popup"
    found = await hand.wait_for("seek", ref or control.ref, kind, label, 0.0, ms=LATE_MS * 4)
    return Item.of(found["item"]) if found.get("item") else None


async def find(hand: Hand, control: Control, label: str, ref: str = "") -> Item:
    """The item of this label: there already, after a scroll, or when it comes.

    Raises:
        ElementNotFound: there is none; the error has those that are near.
        ElementBlocked: it is disabled.
    """
    kind = control.kind if not ref else "popup"
    late = (LATE_MS if ref else SOON_MS) * (WAITING if hand.wait else 1)
    found = await hand.wait_for("seek", ref or control.ref, kind, label, late, ms=hand.left_ms())
    if not found.get("item"):
        raise not_offered(control, label, found.get("near", []))
    item = Item.of(found["item"], partly=found["partly"])
    if item.disabled:
        raise ElementBlocked(
            f"The option {item.label!r} of {control.element}",
            "disabled",
            "disabled",
            hint="Choose another one.",
        )
    hand.chose[label] = item.label
    return item


async def _one(hand: Hand, control: Control, label: str, redrawn: int = REDRAWN) -> None:
    """Click an item, or go to it with keys where a click does not reach it."""
    item = await find(hand, control, label)
    if item.on == "true":
        return
    try:
        await hand.click(item.ref)
    except StaleRef:
        if not redrawn:
            raise
        await _one(hand, control, label, redrawn - 1)
        return
    except (ElementBlocked, ElementNotVisible):
        if not await by_keys(hand, control, item):
            raise
        return
    hand.did(f"clicked the {NOUNS[control.facts['members']]}")
    if item.on == "":
        return
    now = await hand.wait_for("awaitItem", item.ref, "true", ms=CHANGE_MS)
    if now is not None and now["on"] == item.on:
        # To choose is not to toggle: once more, in another way, does no harm.
        await by_keys(hand, control, item)


async def by_keys(hand: Hand, control: Control, item: Item) -> bool:
    """Choose an item with the keyboard; whether the keyboard got to it."""
    if await hand.focus(item.ref):
        await hand.press("Space")
        hand.did(f"pressed Space on the {NOUNS[control.facts.get('members', 'popup')]}")
        return True
    if not await hand.focus(control.ref) or not await walk_to(hand, control, item):
        return False
    await hand.press("Enter")
    hand.did("went there with the arrow keys and pressed Enter")
    return True


async def walk_to(hand: Hand, control: Control, item: Item) -> bool:
    """Bring the active item to the one that is wanted; whether it got there."""
    for key in ("ArrowDown", "ArrowUp"):
        seen: set[str] = set()
        for _ in range(MOST_KEYS):
            active = await hand.ask("activeItem", control.ref)
            if active is not None and active["label"] == item.label:
                return True
            if active is not None and active["ref"] in seen:
                break
            if active is not None:
                seen.add(active["ref"])
            elif seen:
                return False
            await hand.press(key)
            if not seen and await hand.ask("activeItem", control.ref) is None:
                return False
    return False


async def _own(hand: Hand, control: Control, goal: str) -> None:
    if goal != "true" and control.kind in ("radio", "tab"):
        what = "a radio button" if control.kind == "radio" else "a tab"
        raise blocked(
            control, "kind", f"{what}, which is only left for another", "Choose the other one."
        )
    await hand.click(control.ref)
    hand.did("clicked it")
    await hand.wait_for("awaitItem", control.ref, goal, ms=CHANGE_MS)


async def _several(hand: Hand, control: Control, wanted: list[str]) -> None:
    """Bring each item to its state. Some lists need Control held to keep the others."""
    goal = [(await find(hand, control, label)).label for label in wanted if label]
    held, clicks = 0, 0
    most = 2 * len(goal) + len(control.facts["chosen"]) + 2
    while clicks < most:
        now = await hand.again(control)
        chosen: list[str] = now.facts["chosen"] if now else []
        label = await _next(hand, control, goal, chosen) if now else None
        if label is None:
            break
        item = await find(hand, control, label)
        await hand.click(item.ref, modifiers=held)
        clicks += 1
        turned = "false" if item.on == "true" else "true"
        state = await hand.wait_for("awaitItem", item.ref, turned, ms=CHANGE_MS)
        after = await hand.again(control)
        lost = set(chosen) - set(after.facts["chosen"]) - {label} if after else set[str]()
        if lost and not held:
            held = MODIFIERS["Control"]
        elif state is not None and state["on"] == item.on:
            break
    noun = NOUNS[control.facts["members"]]
    hand.did(f"clicked {clicks} {noun}{'' if clicks == 1 else 'es' if noun[-1] == 'x' else 's'}")


async def _next(hand: Hand, control: Control, goal: list[str], chosen: list[str]) -> str | None:
    """The next item whose state is not as it shall be."""
    for label in goal:
        if label in chosen:
            continue
        item = await look(hand, control, label)
        if item is None or item.on != "true":
            return label
    return next((label for label in chosen if label not in goal), None)
