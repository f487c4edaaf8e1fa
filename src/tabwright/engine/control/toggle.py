"""What is on or off, or open or closed: checkboxes, switches, toggle buttons, disclosures."""

from __future__ import annotations

from tabwright.engine.control.hand import Control, Hand, Reading, one_of, refused

ON = ("true", "on", "yes", "checked", "pressed", "open", "1")
OFF = ("false", "off", "no", "unchecked", "closed", "0")
MIXED = ("mixed", "indeterminate")
# A state that an answer of the server brings may take a moment.
CHANGE_MS = 1000.0
STATES = 3


def word(control: Control, wanted: list[str]) -> str:
    """The state that a word stands for.

    Raises:
        InputError: it is no such word.
    """
    given = one_of(control, wanted).strip().casefold()
    state = state_of(given)
    if state is None or (state == "mixed" and control.kind == "disclosure"):
        more = "" if control.kind == "disclosure" else " or 'mixed'"
        raise refused(
            control, f"cannot be {one_of(control, wanted)!r}", f"Give 'true', 'false'{more}."
        )
    return state


def state_of(given: str) -> str | None:
    """`true`, `false` or `mixed` for the words that mean them."""
    folded = given.strip().casefold()
    for state, words in (("true", ON), ("false", OFF), ("mixed", MIXED)):
        if folded in words:
            return state
    return None


def already(control: Control, wanted: list[str]) -> bool:
    """Whether it is so."""
    return control.value == word(control, wanted)


async def operate(hand: Hand, control: Control, wanted: list[str]) -> None:
    """Click it; one of three states may need a second click, but never one that did nothing."""
    goal, now = word(control, wanted), control
    for _ in range(STATES - 1):
        hand.did("clicked it" if "clicked it" not in hand.how else "clicked it again")
        await hand.click(control.ref)
        facts = await hand.wait_for(
            "awaitChange",
            control.ref,
            control.facts["group"] or None,
            "value",
            now.value,
            ms=CHANGE_MS,
        )
        if facts is None or str(facts["value"]) in (goal, now.value):
            return
        now = Control.of(facts)


async def read(hand: Hand, control: Control, wanted: list[str]) -> Reading:
    """Its state."""
    facts = await hand.wait_for(
        "awaitControl",
        control.ref,
        control.facts["group"] or None,
        "value",
        word(control, wanted),
        ms=CHANGE_MS / 2,
    )
    if facts is None:
        return Reading("", None)
    return Reading(facts["value"], facts["value"] == word(control, wanted))
