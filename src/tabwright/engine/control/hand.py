"""The hand that operates a control: real clicks and keys, the page asked in between."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tabwright.engine.aim import Aim, Aimed, Element, Needs
from tabwright.errors import ElementBlocked, ElementNotFound, InputError, NotDone, TimedOut
from tabwright.page import controls

if TYPE_CHECKING:
    from tabwright.engine.frame import Frame
    from tabwright.engine.receipt import Receipt
    from tabwright.engine.tab import Tab

PRESSABLE = Needs(point=True, enabled=True)
USABLE = Needs(enabled=True)
# A page that does not answer for so long runs a script that does not come back.
BUSY_S = 3.0
# What is kept of the time limit so that the reply is the verb's own.
MARGIN_MS = 100.0
# Keys that are on the way at once: enough to hide the way there and back.
KEYS_AT_ONCE = 50
SHOWN_OPTIONS = 20
# How often an item that the page draws anew, just when it is to be clicked, is looked for again.
REDRAWN = 2


@dataclass(frozen=True)
class Control:
    """A control: which pattern it follows, and what it holds."""

    kind: str
    element: Element
    value: str
    facts: dict[str, Any]
    """What else the page says of it; the keys depend on the kind."""

    @classmethod
    def of(cls, facts: dict[str, Any]) -> Control:
        """As the page script gives it."""
        return cls(facts["kind"], Element.of(facts), str(facts.get("value", "")), facts)

    @property
    def ref(self) -> str:
        """Its ref."""
        return self.element.ref


@dataclass(frozen=True)
class Reading:
    """What a control holds after it was operated."""

    value: str | list[str]
    holds: bool | None
    """Whether it is what was asked for; None when the page does not tell."""


@dataclass
class Hand:
    """Operates one control."""

    tab: Tab
    frame: Frame
    timeout_ms: float
    selector: str
    """What the caller named the control by."""
    wait: bool = False
    document: int = 0
    """Which document of its frame the control is in."""
    how: list[str] = field(default_factory=list[str])
    """What was done, in short words."""
    chose: dict[str, str] = field(default_factory=dict[str, str])
    """What was asked for, and the label of the item that was taken for it."""
    receipt: Receipt | None = None
    """Of an act that another module did."""
    began: float = field(default_factory=lambda: asyncio.get_running_loop().time())

    def left_ms(self) -> float:
        """What is left of the time limit.

        Raises:
            TimedOut: nothing is.
        """
        passed = (asyncio.get_running_loop().time() - self.began) * 1000
        left = self.timeout_ms - MARGIN_MS - passed
        if left <= 0:
            done = f" ({', '.join(self.how)})" if self.how else ""
            raise TimedOut(f"Setting the control{done}", self.timeout_ms)
        return left

    def ended(self) -> bool:
        """Whether an act led to where the page cannot be asked any more."""
        receipt = self.receipt
        if receipt is None:
            return False
        left = self.frame.documents != self.document
        busy = "a script that runs on" in receipt.pending
        return busy or left or self.tab.dialogs.open is not None

    def did(self, words: str) -> None:
        """Say what was done, once."""
        if not self.how or self.how[-1] != words:
            self.how.append(words)

    async def ask(self, name: str, *args: Any) -> Any:
        """Call a function of the page script."""
        async with asyncio.timeout(BUSY_S):
            await self.frame.learn(controls())
            return await self.frame.call(name, *args)

    async def wait_for(self, name: str, *args: Any, ms: float) -> Any:
        """Call a function of the page script that waits; `ms` is its last argument."""
        patience = min(ms, self.left_ms())
        async with asyncio.timeout(patience / 1000 + BUSY_S):
            await self.frame.learn(controls())
            return await self.frame.call(name, *args, patience)

    async def again(self, control: Control) -> Control | None:
        """The control as it is now; None when it is gone."""
        facts = await self.ask("controlNow", control.ref, control.facts["group"] or None)
        return Control.of(facts) if facts else None

    async def aim(self, ref: str, needs: Needs = PRESSABLE, **more: Any) -> Aimed:
        """Wait until an element is ready."""
        return await Aim.at(ref, needs, self.left_ms(), **more).take(self.tab)

    async def click(
        self, ref: str, *, modifiers: int = 0, position: dict[str, float] | None = None
    ) -> None:
        """Click an element where it is free."""
        aimed = await self.aim(ref, position=position)
        async with asyncio.timeout(BUSY_S):
            await self.tab.mouse.click(aimed.x, aimed.y, modifiers=modifiers)

    async def focus(self, ref: str) -> bool:
        """Give an element the focus; whether it took it."""
        aimed = await self.aim(ref, USABLE, prepare="focus")
        return bool(aimed.facts["focused"])

    async def must_focus(self, control: Control) -> None:
        """Give a control the focus.

        Raises:
            ElementBlocked: it does not take it, so that keys would go elsewhere.
        """
        if not await self.focus(control.ref):
            raise blocked(control, "focus", "not able to take the focus", "Click it first.")

    async def press(self, key: str, times: int = 1) -> None:
        """Press a key, many times if need be."""
        for done in range(0, times, KEYS_AT_ONCE):
            self.left_ms()
            async with asyncio.timeout(BUSY_S):
                await asyncio.gather(
                    *(self.tab.keyboard.press(key) for _ in range(min(KEYS_AT_ONCE, times - done)))
                )

    async def type(self, text: str) -> None:
        """Type with real keys."""
        async with asyncio.timeout(BUSY_S + len(text) / 100):
            await self.tab.keyboard.type(text)


def blocked(control: Control, reason: str, text: str, hint: str) -> ElementBlocked:
    """The error for a control that cannot be set like this."""
    return ElementBlocked(str(control.element), reason, text, hint=hint)


def refused(control: Control, text: str, hint: str) -> InputError:
    """The error for a value that the control cannot have."""
    return InputError(f"{control.element} {text}.", hint=hint, element=str(control.element))


def not_offered(control: Control, wanted: str, near: list[str]) -> ElementNotFound:
    """The error for an option that there is not."""
    shown = [f"{label!r}" for label in near[:SHOWN_OPTIONS]]
    error = ElementNotFound(f"{control.element} option {wanted!r}", near=shown)
    error.message = f"{control.element} offers no {wanted!r}."
    error.hint = f"It offers {', '.join(shown)}." if shown else "It offers nothing; look at it."
    return error


def not_done(control: Control, text: str, hint: str = "Look at what the page says.") -> NotDone:
    """The error for a control that did not take its value."""
    return NotDone(f"{control.element} {text}.", hint=hint)


def one_of(control: Control, wanted: list[str]) -> str:
    """The one value that a control takes.

    Raises:
        InputError: there are several.
    """
    if len(wanted) != 1:
        raise refused(control, f"takes one value, not {len(wanted)}", "Give one value.")
    return wanted[0]


def folded(text: str) -> str:
    """A text as texts are compared: without case and superfluous spaces."""
    return " ".join(text.split()).casefold()


def says(text: str, words: str) -> bool:
    """Whether a text has these words, and not only their letters."""
    return bool(words) and re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None
