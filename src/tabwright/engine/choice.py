"""Choices in forms: options of a select, checkboxes and radios, files."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabwright.engine.act import Act
from tabwright.engine.aim import Aim, Aimed, Needs
from tabwright.engine.evidence import Kind
from tabwright.engine.place import in_page
from tabwright.engine.pointer import MODIFIERS
from tabwright.engine.receipt import Receipt
from tabwright.errors import (
    DialogOpen,
    ElementBlocked,
    ElementNotFound,
    ElementNotVisible,
    InputError,
    NotDone,
    TargetClosed,
)

if TYPE_CHECKING:
    from tabwright.engine.tab import Tab

logger = logging.getLogger("tabwright.choice")

CONTROL = Needs(shown=True, enabled=True)
PRESSABLE = Needs(point=True, enabled=True)
# A checkbox of three states may need two clicks to come to the one that is wanted.
MOST_CLICKS = 2
# How long an element that the page may have drawn anew is looked for.
AGAIN_MS = 1000.0
SHOWN_OPTIONS = 20


@dataclass(frozen=True)
class Option:
    """One option of a select."""

    index: int
    value: str
    label: str
    selected: bool
    disabled: bool


async def select(
    tab: Tab, selector: str, wanted: list[str], *, wait: bool, timeout_ms: float
) -> tuple[Receipt, list[str]]:
    """Choose options of a `<select>` by value, label or index, with real keys or clicks.

    Returns the receipt and the labels that are chosen afterwards.

    Raises:
        ElementBlocked: it is not a `<select>`, or the option is disabled.
        ElementNotFound: there is no such option.
        NotDone: other options are chosen than were asked for.
    """
    picked: list[Option] = []

    async def deliver(aimed: Aimed) -> None:
        found = aimed.facts["select"]
        if found is None:
            raise ElementBlocked(
                str(aimed.element),
                "kind",
                "not a <select>",
                hint="Use `set`: it knows lists and comboboxes that the page made itself.",
                selector=selector,
            )
        options = _options(found["options"])
        picked.extend(_pick(options, name, selector) for name in wanted)
        if len(picked) > 1 and not found["multiple"]:
            raise InputError(f"{aimed.element} takes one option, not {len(picked)}.")
        if found["multiple"] or found["size"] > 1:
            await _click_options(tab, aimed, options, picked)
        else:
            await _walk_to(tab, options, picked[0])

    aim = Aim.at(
        selector, CONTROL, timeout_ms, wait=wait, prepare="choose", watch=f"select {wanted}"
    )
    act = Act(tab, Kind("select", ("input", "change", "keydown", "mousedown"), passive=True), aim)
    receipt = await act.run(deliver)
    assert act.aimed is not None
    after = await act.aimed.frame.call("chosen")
    chosen = [option for option in _options(after or []) if option.selected]
    if {option.index for option in chosen} != {option.index for option in picked}:
        raise NotDone(
            f"{receipt.element} has {[one.label for one in chosen]} chosen, not "
            f"{[one.label for one in picked]}.",
            hint="The page changed the choice back; look at what it says.",
            receipt=receipt.as_dict(),
        )
    receipt.verdict, receipt.why = "effective", ""
    if all(option.selected for option in picked) and not receipt.changed():
        receipt.why = "it was so already"
    return receipt, [option.label for option in chosen]


async def check(tab: Tab, selector: str, wanted: bool, *, wait: bool, timeout_ms: float) -> Receipt:
    """Bring a checkbox, radio or switch to a state by clicking it.

    Raises:
        ElementBlocked: it has no such state, or cannot be clicked; nothing was done.
        NotDone: it was clicked, and does not come to the state.
    """
    first = Aim.at(selector, PRESSABLE, timeout_ms, wait=wait, prepare="state")
    aimed = await first.take(tab)
    state = _checked(aimed.facts["state"])
    _checkable(aimed, selector, state, wanted)
    if state == wanted:
        return Receipt("check", aimed.element, "effective", "it was so already")
    ref, clicks = aimed.element.ref, 0
    while True:
        receipt, before = await _click(tab, ref, timeout_ms), state
        if receipt.verdict == "misdirected":
            return receipt
        state = await _state_after(tab, ref, selector, timeout_ms)
        if state is None:
            receipt.verdict = "unknown"
            receipt.why = f"whether it is {_word(wanted)} cannot be told now"
            return receipt
        if state == wanted:
            receipt.verdict, receipt.why = "effective", ""
            return receipt
        # One that a click did not move is not clicked again: it may be late, and would turn back.
        if state == before:
            raise _not_checked(receipt, wanted, "it kept its state.")
        clicks += 1
        if clicks == MOST_CLICKS:
            raise _not_checked(receipt, wanted, f"it went through {clicks} other states.")


async def _state_after(tab: Tab, ref: str, selector: str, timeout_ms: float) -> bool | str | None:
    """The state of an element after a click; None if it cannot be told.

    The page may have put another element in its place; or it is left, or a dialog holds it up.
    """
    try:
        for name in (ref, selector):
            again = Aim.at(name, Needs(), min(timeout_ms, AGAIN_MS), prepare="state")
            try:
                return _checked((await again.take(tab)).facts["state"])
            except (ElementNotFound, ElementBlocked, ElementNotVisible) as error:
                logger.debug("no state of %s: %r", name, error)
    except (DialogOpen, TargetClosed) as error:
        logger.debug("no state: %r", error)
    return None


def _checkable(aimed: Aimed, selector: str, state: bool | str | None, wanted: bool) -> None:
    if state is None:
        what, hint = "not something that can be checked", "Choose a checkbox, radio or switch."
    elif not wanted and aimed.element.role == "radio" and state is True:
        what = "a radio button, which cannot be unchecked"
        hint = "Check another one of its group instead."
    else:
        return
    raise ElementBlocked(str(aimed.element), "kind", what, hint=hint, selector=selector)


def _word(wanted: bool) -> str:
    return "checked" if wanted else "unchecked"


def _not_checked(receipt: Receipt, wanted: bool, why: str) -> NotDone:
    return NotDone(
        f"{receipt.element} did not become {_word(wanted)}: {why}",
        hint="Look at what the page says.",
        receipt=receipt.as_dict(),
    )


async def upload(
    tab: Tab, selector: str | None, files: list[Path], *, wait: bool, timeout_ms: float
) -> tuple[Receipt | None, list[str]]:
    """Give files to a file input, or to the chooser that a click on the element opens.

    Returns the receipt of the click, if one was needed, and the names that the input then holds.
    """
    paths = [str(path) for path in files]
    if selector is None:
        if tab.chooser is None:
            raise InputError(
                "No file chooser is open.", hint="Name the file input or its button: `selector`."
            )
        return None, await _give(tab, paths)
    aim = Aim.at(selector, Needs(enabled=True), timeout_ms, wait=wait, prepare="state", watch="up")
    aimed = await aim.take(tab)
    if aimed.facts["native"] == "input" and aimed.facts["type"] == "file":
        target = await aimed.frame.handle("tabwright.target()")
        await aimed.frame.send("DOM.setFileInputFiles", {"files": paths, "objectId": target})
        facts = await aimed.frame.call("report", "", 1000)
        names = await aimed.frame.call("fileNames", None)
        _arrived(names, files, str(aimed.element))
        receipt = Receipt("upload", aimed.element, "effective", matches=aimed.count)
        receipt.delivered = {name: seen[1] for name, seen in facts["events"].items() if seen[1]}
        return receipt, names
    receipt = await _click(tab, aimed.element.ref, timeout_ms)
    if tab.chooser is None:
        raise NotDone(
            f"A click on {aimed.element} opened no file chooser.",
            hint="Name the file input itself, or the button that opens the chooser.",
            receipt=receipt.as_dict(),
        )
    return receipt, await _give(tab, paths)


async def _give(tab: Tab, paths: list[str]) -> list[str]:
    chooser = tab.chooser
    assert chooser is not None
    if len(paths) > 1 and "Multiple" not in chooser.mode:
        raise InputError(f"The file chooser takes one file, not {len(paths)}.")
    tab.chooser = None
    frame = tab.frames.get(chooser.frame_id) or tab.frames.main
    await frame.send("DOM.setFileInputFiles", {"files": paths, "backendNodeId": chooser.node})
    names = await frame.on_node(chooser.node, "fileNames")
    _arrived(names, [Path(path) for path in paths], "The file chooser")
    return names


def _arrived(names: list[str], files: list[Path], what: str) -> None:
    if names != [path.name for path in files]:
        raise NotDone(
            f"{what} holds {names}, not {[path.name for path in files]}.",
            hint="The page took the files away again; look at what it says.",
        )


async def _click(tab: Tab, ref: str, timeout_ms: float) -> Receipt:
    async def deliver(aimed: Aimed) -> None:
        await tab.mouse.click(aimed.x, aimed.y)

    kind = Kind("click", ("click",), expect="click")
    aim = Aim.at(ref, PRESSABLE, timeout_ms, watch="click")
    return await Act(tab, kind, aim).run(deliver)


def _checked(state: dict[str, Any]) -> bool | str | None:
    for name in ("checked", "pressed", "selected"):
        if name in state:
            return state[name]
    return None


def _options(given: list[dict[str, Any]]) -> list[Option]:
    return [Option(index, **one) for index, one in enumerate(given)]


def _pick(options: list[Option], wanted: str, selector: str) -> Option:
    """The option of this value, or else of this label, or else at this place."""
    folded = wanted.strip().casefold()
    tests: tuple[Callable[[Option], bool], ...] = (
        lambda o: o.value == wanted,
        lambda o: o.label == wanted,
        lambda o: o.label.casefold() == folded,
        lambda o: wanted.isdigit() and o.index == int(wanted),
    )
    for test in tests:
        found = [option for option in options if test(option)]
        if found:
            usable = next((option for option in found if not option.disabled), None)
            if usable is not None:
                return usable
            raise ElementBlocked(
                f"The option {wanted!r}", "disabled", "disabled", hint="Choose another one."
            )
    near = sorted(options, key=lambda o: _distance(o.label, wanted))
    labels = [f"{option.label!r}" for option in near[:SHOWN_OPTIONS]]
    error = ElementNotFound(f"{selector} option {wanted!r}", near=labels)
    error.hint = f"The options are {', '.join(labels)}."
    raise error


def _distance(label: str, wanted: str) -> float:
    return 1 - SequenceMatcher(None, label.casefold(), wanted.casefold()).ratio()


async def _walk_to(tab: Tab, options: list[Option], wanted: Option) -> None:
    """Open the list, walk to the option and take it: one `input` and one `change`, as by hand."""
    if wanted.selected:
        return
    usable = [option for option in options if not option.disabled]
    await tab.keyboard.press("Space")
    await tab.keyboard.press("Home")
    for _ in range(usable.index(wanted)):
        await tab.keyboard.press("ArrowDown")
    await tab.keyboard.press("Enter")


async def _click_options(
    tab: Tab, aimed: Aimed, options: list[Option], wanted: list[Option]
) -> None:
    """Click the options of a list that is open on the page."""
    goal = {option.index for option in wanted}
    for option in options:
        if option.selected == (option.index in goal):
            continue
        spot = await aimed.frame.call("optionPoint", option.index)
        where = await in_page(aimed.frame, spot["x"], spot["y"])
        if isinstance(where, tuple):
            await tab.mouse.click(*where, modifiers=MODIFIERS["Control"])
