"""Text into elements, and keys: type, fill, press, insert, focus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from tabwright.engine.act import Act
from tabwright.engine.aim import Aim, Aimed, Element, Needs, Prepare
from tabwright.engine.evidence import Kind
from tabwright.engine.receipt import Receipt
from tabwright.engine.selector import Selector
from tabwright.errors import ElementBlocked, NotDone

if TYPE_CHECKING:
    from tabwright.engine.tab import Tab

EDITABLE = Needs(shown=True, enabled=True, editable=True)
TYPEABLE = Needs(shown=True, enabled=True, typeable=True)
FOCUSABLE = Needs(shown=True, enabled=True)
# More than a key takes on a machine that is busy.
KEY_S = 0.01
TYPED = ("keydown", "input", "beforeinput")


class NotText(Exception):
    """The field takes no text as it is; `control` knows how to set it."""


async def type_(
    tab: Tab,
    selector: str,
    text: str,
    *,
    clear: bool = False,
    delay_ms: float = 0.0,
    wait: bool = False,
    timeout_ms: float,
) -> Receipt:
    """Type with real keys, after what is there already or in its place."""

    async def deliver(aimed: Aimed) -> None:
        _focused(aimed, selector)
        if clear and not aimed.facts["empty"]:
            await tab.keyboard.press("Delete")
        await tab.keyboard.type(text, delay_ms)

    prepare: Prepare = "replace" if clear else "append"
    aim = Aim.at(
        selector, TYPEABLE, timeout_ms, wait=wait, prepare=prepare, watch=f"type {clear} {text}"
    )
    takes_s = len(text) * (delay_ms / 1000 + KEY_S)
    return await Act(tab, Kind("type", TYPED, takes_s=takes_s), aim).run(deliver)


async def fill(tab: Tab, selector: str, text: str, *, wait: bool, timeout_ms: float) -> Receipt:
    """Replace what a field holds, at once, and read it back.

    Raises:
        NotText: a date, a colour or the like; nothing was done.
        NotDone: the field holds what it held before.
    """

    async def deliver(aimed: Aimed) -> None:
        if aimed.facts["special"]:
            raise NotText
        _focused(aimed, selector)
        if text:
            await tab.keyboard.insert(text)
        elif not aimed.facts["empty"]:
            await tab.keyboard.press("Delete")

    aim = Aim.at(selector, EDITABLE, timeout_ms, wait=wait, prepare="replace", watch=f"fill {text}")
    receipt = await Act(tab, Kind("fill", TYPED, expect="input"), aim).run(deliver)
    if receipt.value is not None and _same(receipt.value, text):
        receipt.verdict, receipt.why = "effective", ""
    elif receipt.value is not None and "value" not in receipt.state:
        raise NotDone(
            f"{receipt.element} holds {receipt.value!r:.200} as before, not what was filled in.",
            hint="The page refused the text; look at what the field takes.",
            receipt=receipt.as_dict(),
        )
    return receipt


async def press(
    tab: Tab, key: str, selector: str | None, *, wait: bool, timeout_ms: float
) -> Receipt:
    """Press a key or a combination, at an element or at what has the focus."""

    async def deliver(aimed: Aimed) -> None:
        if selector is not None:
            _focused(aimed, selector)
        await tab.keyboard.press(key)

    kind = Kind("press", ("keydown", "keyup", "keypress"))
    prepare: Prepare = "focus" if selector is not None else ""
    aim = Aim.at(
        selector or FOCUSED,
        FOCUSABLE if selector is not None else Needs(),
        timeout_ms,
        wait=wait,
        prepare=prepare,
        watch=f"press {key}",
    )
    return await Act(tab, kind, aim).run(deliver)


async def key(tab: Tab, name: str, action: Literal["down", "up"], *, timeout_ms: float) -> Receipt:
    """Hold a key down, or let it go."""

    async def deliver(_: Aimed) -> None:
        await (tab.keyboard.down(name) if action == "down" else tab.keyboard.up(name))

    event = "keydown" if action == "down" else "keyup"
    aim = Aim.at(FOCUSED, Needs(), timeout_ms, watch=f"key {action} {name}")
    return await Act(tab, Kind("key", (event,), passive=True), aim).run(deliver)


async def insert(tab: Tab, text: str, *, timeout_ms: float) -> Receipt:
    """Insert text where the caret is, without key events."""

    async def deliver(_: Aimed) -> None:
        await tab.keyboard.insert(text)

    aim = Aim.at(FOCUSED, Needs(), timeout_ms, watch=f"insert {text}")
    return await Act(tab, Kind("insert", TYPED, expect="input"), aim).run(deliver)


async def focus(
    tab: Tab, selector: str, *, away: bool = False, wait: bool, timeout_ms: float
) -> Receipt:
    """Give an element the focus, or take it away.

    Raises:
        NotDone: it did not take the focus, or kept it.
    """

    async def deliver(_: Aimed) -> None:
        return

    verb = "blur" if away else "focus"
    aim = Aim.at(
        selector,
        Needs() if away else FOCUSABLE,
        timeout_ms,
        wait=wait,
        prepare="blur" if away else "focus",
        watch=verb,
    )
    act = Act(tab, Kind(verb, ("focusin", "focusout"), passive=True), aim)
    receipt = await act.run(deliver)
    if act.aimed is not None and act.aimed.facts.get("focused") is away:
        raise NotDone(
            f"{receipt.element} {'kept' if away else 'did not take'} the focus.",
            hint="Only controls, links and elements with a tabindex can have it.",
            receipt=receipt.as_dict(),
        )
    receipt.verdict, receipt.why = "effective", ""
    return receipt


FOCUSED = Selector("the element with the focus", ({"by": "focused"},))


def _focused(aimed: Aimed, selector: str) -> None:
    """Keys go to what has the focus: without it they would land elsewhere."""
    if not aimed.facts.get("focused"):
        element: Element = aimed.element
        raise ElementBlocked(
            str(element),
            "focus",
            "not able to take the focus",
            hint="Click it first, or choose the field inside it.",
            selector=selector,
        )


def _same(held: str, asked: str) -> bool:
    if held and set(held) == {"•"}:
        # A password: the page script tells no more than its length.
        return len(held) == len(asked)
    return held.replace("\r\n", "\n") == asked.replace("\r\n", "\n")
