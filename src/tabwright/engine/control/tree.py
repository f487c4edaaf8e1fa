"""Trees: a name, or a path such as 'Fruits > Apple', whose branches are opened on the way."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from tabwright.engine.control.hand import (
    REDRAWN,
    Control,
    Hand,
    Reading,
    not_done,
    not_offered,
)
from tabwright.engine.control.item import CHANGE_MS, Item, own_state
from tabwright.engine.control.item import already as _already
from tabwright.engine.control.item import operate as _operate_item
from tabwright.engine.control.item import read as _read_item
from tabwright.errors import ElementBlocked, StaleRef

SEPARATOR = re.compile(r"\s*[>\u203a\u2192\u00bb]\s*")
MOST_BRANCHES = 300
# Branches of one name may be many, but not this many.
MOST_TRIES = 20
KEY_MS = 300.0
# The children of a branch may come from a server.
CHILDREN_MS = 3000.0


def parts(path: str) -> list[str]:
    """The names on the way."""
    return [part for part in SEPARATOR.split(path.strip()) if part]


def already(control: Control, wanted: list[str]) -> bool:
    """Whether these, and no others, are chosen. Where in the tree a name is, is not known yet."""
    return all(len(parts(path)) == 1 for path in wanted) and _already(control, wanted)


async def operate(hand: Hand, control: Control, wanted: list[str]) -> None:
    """Open the branches, click the item."""
    if own_state(control, wanted) is not None:
        await _operate_item(hand, control, wanted)
        return
    for path in wanted:
        await pick(hand, control, control.ref, path)


async def read(hand: Hand, control: Control, wanted: list[str]) -> Reading:
    """Which item is chosen."""
    if own_state(control, wanted) is not None:
        return await _read_item(hand, control, wanted)
    labels: list[str] = []
    told = True
    for path in wanted:
        step = await hand.ask("treeStep", control.ref, parts(path), True)
        item = Item.of(step["item"]) if step.get("item") else None
        told = told and item is not None and item.on != ""
        if item is not None and item.on == "true":
            labels.append(step["item"]["label"])
    now = await hand.again(control)
    if now is None:
        return Reading("", None)
    value = labels if len(wanted) > 1 else ", ".join(labels) or now.value
    return Reading(value, len(labels) == len(wanted) if told else None)


async def pick(hand: Hand, control: Control, ref: str, path: str, redrawn: int = REDRAWN) -> None:
    """Open the branches on the way to an item and choose it.

    Raises:
        ElementNotFound: the way ends before it.
    """
    item = await _reach(hand, control, ref, parts(path))
    hand.chose[path] = item["label"]
    if item["disabled"]:
        raise ElementBlocked(
            f"The item {item['label']!r} of {control.element}",
            "disabled",
            "disabled",
            hint="Choose another one.",
        )
    if item["on"] == "true":
        return
    if hand.how:
        # Rows slide into their places when a branch opens.
        await hand.wait_for("steady", item["ref"], ms=CHANGE_MS)
    try:
        await _click_text(hand, item)
    except StaleRef:
        if not redrawn:
            raise
        await pick(hand, control, ref, path, redrawn - 1)
        return
    hand.did("clicked the item")
    if item["on"] != "false" or await _is_on(hand, ref, path, item):
        return
    if redrawn and not item["toggles"]:
        # A row that slid away under the mouse; to choose is not to toggle.
        await pick(hand, control, ref, path, redrawn - 1)
    else:
        await _by_keys(hand, item)


async def _is_on(hand: Hand, ref: str, path: str, item: dict[str, Any]) -> bool:
    """Whether an item is chosen, also where it was drawn anew or went with its popup."""
    now = await hand.wait_for("awaitItem", item["ref"], "true", ms=CHANGE_MS)
    if now is not None and now["on"] == "true":
        return True
    step = await hand.ask("treeStep", ref, parts(path), True)
    return not step.get("item") or step["item"]["on"] == "true"


async def _by_keys(hand: Hand, item: dict[str, Any]) -> None:
    for key in ("Enter", "Space"):
        if not await hand.focus(item["ref"]):
            return
        await hand.press(key)
        hand.did(f"pressed {key}")
        now = await hand.wait_for("awaitItem", item["ref"], "true", ms=CHANGE_MS)
        if now is None or now["on"] == "true":
            return


async def _reach(hand: Hand, control: Control, ref: str, path: list[str]) -> dict[str, Any]:
    tries: Counter[str] = Counter()
    for _ in range(MOST_BRANCHES):
        step = await hand.ask("treeStep", ref, path, not tries)
        if step.get("item"):
            return step["item"]
        branch = step.get("branch")
        if not branch:
            raise not_offered(control, step.get("missing", path[-1]), step.get("near", []))
        tries[branch["ref"]] += 1
        tries[branch["label"]] += 1
        if tries[branch["label"]] > MOST_TRIES:
            break
        await _open(hand, control, ref, branch, opened=step["open"])
    raise not_done(control, f"did not open its branches on the way to {path[-1]!r}")


async def _open(
    hand: Hand, control: Control, ref: str, branch: dict[str, Any], *, opened: bool
) -> None:
    """Open a branch: with the arrow key, by its toggle, or by a click on it."""
    wait = ("branchOpen", ref, branch["ref"])
    if opened:
        if await hand.wait_for(*wait, ms=CHILDREN_MS) is False:
            raise not_done(control, f"shows nothing below {branch['label']!r}")
        return
    if branch["focusable"] and await hand.focus(branch["ref"]):
        await hand.press("ArrowRight")
        if await hand.wait_for(*wait, ms=KEY_MS) is not False:
            hand.did("opened the branches on the way")
            return
    if branch["toggle"]:
        await hand.click(branch["toggle"])
    else:
        await _click_text(hand, branch)
    # A branch that was drawn anew is found again by its name.
    if await hand.wait_for(*wait, ms=CHILDREN_MS) is False:
        raise not_done(control, f"did not open its branch {branch['label']!r}")
    hand.did("opened the branches on the way")


async def _click_text(hand: Hand, item: dict[str, Any]) -> None:
    if item["press"]:
        await hand.click(item["press"])
    else:
        await hand.click(item["ref"], position=item["place"])
