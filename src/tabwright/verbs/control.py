"""One verb for every form control: set."""

from typing import Annotated, Any, ClassVar

from pydantic import Field

from tabwright.engine.control import set_control
from tabwright.engine.tab import Tab
from tabwright.verb import Positional, verb
from tabwright.verbs.acting import Acted, OnElement

MOST_CHARACTERS = 100_000
Value = Annotated[str, Field(max_length=MOST_CHARACTERS)]


class Set(OnElement):
    """Which control, and what it shall hold."""

    example: ClassVar[dict[str, Any]] = {"selector": "label=Country", "value": "Norway"}

    value: Annotated[Value | list[Value], Positional]
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
    acted = Acted.of("Set", done.receipt)
    return ControlSet(
        verdict=acted.verdict,
        element=acted.element,
        receipt=acted.receipt,
        said=_said(done, acted),
        kind=done.kind,
        how=done.how,
        value=done.value,
    )
