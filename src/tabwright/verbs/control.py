"""One verb for every form control: set."""

from dataclasses import replace
from typing import Annotated, Any, ClassVar, Self, cast

from pydantic import BeforeValidator

from tabwright.engine.control import Setting, set_control
from tabwright.engine.tab import Tab
from tabwright.verb import Positional, verb
from tabwright.verbs.acting import Acted, OnElement

MOST_CHARACTERS = 100_000
SHOWN_CHARACTERS = 80


def _value(given: object) -> object:
    texts = cast("list[object]", given) if isinstance(given, list) else [given]
    if not all(isinstance(text, str) and len(text) <= MOST_CHARACTERS for text in texts):
        raise ValueError(f"must be a text, or a list of texts, of {MOST_CHARACTERS} characters")
    return cast("object", given)


class Set(OnElement):
    """Which control, and what it shall hold."""

    example: ClassVar[dict[str, Any]] = {"selector": "label=Country", "value": "Norway"}

    value: Annotated[str | list[str], BeforeValidator(_value), Positional]
    """Text, number, option's label, true/false/mixed, ISO date, 'Fruits > Apple' in a tree; a list
    where several can be chosen."""


class ControlSet(Acted):
    """What was done to the control, and what it holds now."""

    kind: str
    """Which pattern it follows: text, slider, combobox, calendar …"""

    how: str
    """What was done, in short words."""

    value: str | list[str]
    """What it holds, read back; a password is as many bullets."""

    @classmethod
    def of_setting(cls, done: Setting) -> Self:
        """The result of setting a control."""
        made = cls.of("Set", done.receipt, kind=done.kind, how=done.how, value=done.value)
        made._said = _words(done)  # noqa: SLF001  # its own
        return made


@verb(effect="act")
async def set_(tab: Tab, params: Set) -> ControlSet:
    """Set any form control, native or made by the page, and read the value back.

    Knows text and number fields, checkboxes, switches, radios, lists, comboboxes, sliders, dates,
    calendars, colours, trees, tabs, menus and disclosures, and groups of them by their label.
    Operates them with real clicks and keys, and fails when the value read back differs.
    """
    wanted = [params.value] if isinstance(params.value, str) else params.value
    done = await set_control(
        tab, params.selector, wanted, wait=params.wait, timeout_ms=params.timeout
    )
    return ControlSet.of_setting(done)


def _words(done: Setting) -> str:
    """What was done, shortly: of all that changed, only what an agent would not expect."""
    receipt = done.receipt
    value = done.value if isinstance(done.value, str) else ", ".join(done.value)
    held = f"{value!r:.{SHOWN_CHARACTERS}}"
    which = f" (1st shown of {receipt.matches})" if receipt.matches > 1 else ""
    if receipt.why == "it was so already":
        return f"{receipt.element}{which} holds {held} already: nothing was done"
    verdict = receipt.verdict + (f" ({receipt.why})" if receipt.why else "")
    telling = [line for line in receipt.seen if line.startswith("says ")]
    rest = replace(receipt, state={}, seen=telling, focus=None, scrolled=None, title=None).lines()
    to = f" to {held}" if receipt.verdict == "effective" else ""
    words = [f"Set {receipt.element}{which}{to}: {verdict}", done.how, *rest]
    return "; ".join(word for word in words if word)
