"""Setting a control: its pattern is known, operated with real input, and read back.

Each module knows a family of patterns by three functions: `already` (is it so, and may it be
asked for), `operate` (bring it there) and `read` (what it holds now).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabwright.engine.act import Act
from tabwright.engine.aim import Aim, Aimed, Needs
from tabwright.engine.cdp import ProtocolError
from tabwright.engine.control import calendar, field, item, moment, popup, scale, toggle, tree
from tabwright.engine.control.hand import BUSY_S, Control, Hand, Reading, refused
from tabwright.engine.evidence import Kind
from tabwright.engine.receipt import Receipt
from tabwright.errors import (
    ActionError,
    DialogOpen,
    ElementBlocked,
    NextAction,
    NotDone,
    TargetClosed,
    TimedOut,
)

if TYPE_CHECKING:
    from tabwright.engine.tab import Tab

EVENTS = ("keydown", "input", "change", "click", "mousedown", "focusin")
SHOWN = 200
FIND_MS = 500.0
# What is one act already.
ALONE = ("text", "select")
# What can hold several values, and none at all.
SEVERAL = ("checks", "toggles", "listbox", "option", "select", "menu")


@dataclass(frozen=True)
class Pattern:
    """How a family of controls is set."""

    words: str
    already: Callable[[Control, list[str]], bool]
    operate: Callable[[Hand, Control, list[str]], Awaitable[None]]
    read: Callable[[Hand, Control, list[str]], Awaitable[Reading]]


def _items(words: str) -> Pattern:
    return Pattern(words, item.already, item.operate, item.read)


_TEXT = Pattern("text", field.already, field.operate, field.read)
_SCALE = (scale.already, scale.operate, scale.read)
_TOGGLE = (toggle.already, toggle.operate, toggle.read)
_POPUP = (popup.already, popup.operate, popup.read)
_TREE = Pattern("tree", tree.already, tree.operate, tree.read)
PATTERNS = {
    "text": _TEXT,
    "number": Pattern("number", *_SCALE),
    "spin": Pattern("spin button", *_SCALE),
    "slider": Pattern("slider", *_SCALE),
    "sliders": Pattern("sliders", field.already_several, field.operate_several, field.read_several),
    "check": Pattern("toggle", *_TOGGLE),
    "disclosure": Pattern("disclosure", *_TOGGLE),
    "radio": _items("radio buttons"),
    "radios": _items("radio buttons"),
    "checks": _items("checkboxes"),
    "toggles": _items("toggle buttons"),
    "tabs": _items("tabs"),
    "tab": _items("tabs"),
    "option": _items("list"),
    "listbox": _items("list"),
    "menu": _items("menu"),
    "select": Pattern(
        "native list", field.already_selected, field.operate_select, field.read_select
    ),
    "combobox": Pattern("combobox", *_POPUP),
    "popup": Pattern("popup", *_POPUP),
    "tree": _TREE,
    "treeitem": _TREE,
    "calendar": Pattern("calendar", calendar.already, calendar.operate, calendar.read),
    "moment": Pattern("date or time", moment.already, moment.operate, moment.read),
    "color": Pattern("color", moment.already_colored, moment.operate_color, moment.read_color),
    "parts": Pattern("date in parts", field.already_parted, field.operate_parts, field.read_parts),
}


@dataclass(frozen=True)
class Setting:
    """What came of setting a control."""

    receipt: Receipt
    kind: str
    how: str
    value: str | list[str]


async def set_control(
    tab: Tab, selector: str, wanted: list[str], *, wait: bool, timeout_ms: float
) -> Setting:
    """Bring a control to a value, and read it back.

    Raises:
        ElementBlocked: it is no control, or cannot be operated.
        ElementNotFound: it does not offer the value.
        InputError: it can never have the value.
        NotDone: it was operated, and holds something else.
        TimedOut: the page does not answer.
    """
    hand = Hand(tab, tab.frames.main, timeout_ms, selector, wait=wait)
    try:
        return await _set(hand, wanted)
    except TimeoutError:
        raise TimedOut(f"Setting {selector!r}", BUSY_S * 1000) from None


async def _set(hand: Hand, wanted: list[str]) -> Setting:
    aim = Aim.at(hand.selector, Needs(enabled=True), hand.timeout_ms, wait=hand.wait)
    aimed = await aim.take(hand.tab)
    hand.frame, hand.document = aimed.frame, aimed.frame.documents
    control = _control(aimed, hand.selector, await hand.ask("controlAt", aimed.element.ref))
    pattern = PATTERNS[control.kind]
    if not wanted and not (control.kind in SEVERAL and control.facts.get("multiple")):
        raise refused(control, "takes a value, not an empty list", "Give at least one.")
    if pattern.already(control, wanted):
        receipt = Receipt("set", control.element, "effective", "it was so already")
        receipt.matches = aimed.count
        return Setting(receipt, pattern.words, "nothing was done", _plain(control, wanted))
    receipt = await _operated(hand, pattern, control, wanted)
    receipt.matches, receipt.element = aimed.count, control.element
    reading = await _read_back(hand, pattern, control, wanted, receipt)
    how = ", ".join(hand.how) or "nothing was done"
    return Setting(receipt, pattern.words, how, reading.value)


async def _operated(hand: Hand, pattern: Pattern, control: Control, wanted: list[str]) -> Receipt:
    """Operate a control as one act, of one receipt."""
    if control.kind in ALONE and not control.facts.get("date"):
        try:
            await pattern.operate(hand, control, wanted)
        except (DialogOpen, ProtocolError, TargetClosed):
            # It was done already, and led to something; that is told, not raised.
            if hand.receipt is None:
                raise
        assert hand.receipt is not None
        return hand.receipt

    async def deliver(_: Aimed) -> None:
        await pattern.operate(hand, control, wanted)

    kind = Kind("set", EVENTS, passive=True, takes_s=hand.timeout_ms / 1000)
    aim = Aim.at(control.ref, Needs(), hand.timeout_ms, watch=f"set {wanted}")
    return await Act(hand.tab, kind, aim).run(deliver)


def _control(aimed: Aimed, selector: str, facts: dict[str, Any] | None) -> Control:
    if facts is None:
        raise ElementBlocked(
            str(aimed.element),
            "kind",
            "not a control that holds a value",
            hint="Name the field, list, slider, box or group itself; use `click` for a button.",
            selector=selector,
        )
    if facts["kind"] == "file":
        error = ElementBlocked(
            str(aimed.element),
            "kind",
            "for files, which `set` does not choose",
            hint="Use `upload`.",
            selector=selector,
        )
        error.next_actions = [
            NextAction("upload", {"selector": selector, "files": ["…"]}, "gives it files")
        ]
        raise error
    return Control.of(facts)


def _plain(control: Control, wanted: list[str]) -> str | list[str]:
    if control.kind in item.MEMBERS and item.own_state(control, wanted) is not None:
        return str(control.facts["own"])
    return control.value if len(wanted) == 1 else list(wanted)


async def _read_back(
    hand: Hand, pattern: Pattern, control: Control, wanted: list[str], receipt: Receipt
) -> Reading:
    """Compare what the control holds with what was asked for.

    Raises:
        NotDone: it is something else.
    """
    gone, reading = _why_gone(hand, receipt), Reading("", None)
    if not gone:
        gone = "the page does not tell what it holds"
        try:
            reading, there = await _reading(hand, pattern, control, wanted)
            gone = gone if there else "it was taken off the page"
        except (DialogOpen, ProtocolError, TargetClosed) as error:
            if isinstance(error, ProtocolError) and not error.moved:
                raise
    if reading.holds is False:
        how = f" ({', '.join(hand.how)})" if hand.how else ""
        raise NotDone(
            f"{control.element} holds {_shown(reading.value)}, not {_asked(control, wanted)}{how}.",
            hint="The page did not keep it; look at what it says.",
            receipt=receipt.as_dict(),
        )
    receipt.verdict = "effective" if reading.holds else "unknown"
    receipt.why = "" if reading.holds else gone
    return reading


async def _reading(
    hand: Hand, pattern: Pattern, control: Control, wanted: list[str]
) -> tuple[Reading, bool]:
    """What the control holds, and whether it is there; one that was drawn anew is found again."""
    reading = await pattern.read(hand, control, wanted)
    if reading.holds is not None or await hand.again(control) is not None:
        return reading, True
    patience = min(hand.left_ms(), FIND_MS)
    try:
        aimed = await Aim.at(hand.selector, Needs(), patience).take(hand.tab)
    except ActionError:
        return reading, False
    hand.frame = aimed.frame
    facts = await hand.ask("controlAt", aimed.element.ref)
    if facts is None or facts["kind"] != control.kind:
        return reading, False
    return await pattern.read(hand, Control.of(facts), wanted), True


def _why_gone(hand: Hand, receipt: Receipt) -> str:
    """Why a control cannot be asked any more; nothing when it can."""
    if hand.tab.dialogs.open is not None:
        return "a dialog is open, so that it cannot be read back"
    if hand.frame.documents != hand.document or hand.tab.closed:
        return "the page was left before it could be read back"
    if "a script that runs on" in receipt.pending:
        return "the page is busy with a script that does not come back"
    return ""


def _shown(value: str | list[str]) -> str:
    return f"{value!r:.{SHOWN}}" if isinstance(value, str) else f"{', '.join(value)!r:.{SHOWN}}"


def _asked(control: Control, wanted: list[str]) -> str:
    return (
        "what was asked for"
        if control.facts.get("secret")
        else _shown(wanted if len(wanted) > 1 else wanted[0])
    )


__all__ = ["Setting", "set_control"]
