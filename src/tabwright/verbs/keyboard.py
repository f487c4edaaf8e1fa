"""What a keyboard does: type, fill, press, hold keys."""

from typing import Annotated, Any, ClassVar, Literal, TypedDict

from pydantic import AfterValidator, Field

from tabwright.engine import control, text
from tabwright.engine.keys import parse_combination, parse_key
from tabwright.engine.tab import Tab
from tabwright.errors import InputError
from tabwright.verb import Params, Positional, Selector, Text, Timeout, verb
from tabwright.verbs.acting import Acted, OnElement

MOST_CHARACTERS = 100_000


class Limits(TypedDict):
    """How long to wait, as the engine takes it."""

    wait: bool
    timeout_ms: float


Typed = Annotated[str, Field(max_length=MOST_CHARACTERS), Positional]


def _combination(given: str) -> str:
    try:
        parse_combination(given)
    except InputError as error:
        raise ValueError(str(error)) from None
    return given


def _key(given: str) -> str:
    try:
        parse_key(given)
    except InputError as error:
        raise ValueError(str(error)) from None
    return given


class Type(OnElement):
    """What to type, and where."""

    example: ClassVar[dict[str, Any]] = {"selector": "label=Search", "text": "blue shoes"}

    text: Typed
    """What to type; a line break is Enter, a tab is Tab."""

    clear: bool = False
    """Empty the field first."""

    delay: Annotated[float, Field(ge=0, le=10_000)] = 0.0
    """Milliseconds between keys."""


@verb(effect="act")
async def type_(tab: Tab, params: Type) -> Acted:
    """Type with real keys into a field, after what it holds.

    For plain form fields `fill` is faster; `set` knows every kind of control.
    """
    receipt = await text.type_(
        tab,
        params.selector,
        params.text,
        clear=params.clear,
        delay_ms=params.delay,
        wait=params.wait,
        timeout_ms=params.timeout,
    )
    return Acted.of("Typed into", receipt, *_held(receipt.value))


class Fill(OnElement):
    """What the field shall hold."""

    example: ClassVar[dict[str, Any]] = {"selector": "label=Email", "text": "ada@example.com"}

    text: Typed
    """The whole new text; empty to clear the field."""


@verb(effect="act")
async def fill(tab: Tab, params: Fill) -> Acted:
    """Replace the text of a field at once, and read it back."""
    limits: Limits = {"wait": params.wait, "timeout_ms": params.timeout}
    try:
        receipt = await text.fill(tab, params.selector, params.text, **limits)
    except text.NotText:
        setting = await control.set_control(tab, params.selector, [params.text], **limits)
        return Acted.of("Filled", setting.receipt, setting.how)
    different = receipt.value is not None and receipt.value != params.text
    return Acted.of("Filled", receipt, *(_held(receipt.value) if different else ()))


class Press(Params):
    """Which key, and where."""

    example: ClassVar[dict[str, Any]] = {"key": "Control+A"}

    key: Annotated[Text, AfterValidator(_combination), Positional]
    """Key or combination: Enter, Escape, ArrowDown, a, Control+Shift+K."""

    selector: Selector | None = None
    """Element to give the focus first; default: what has it."""

    wait: bool = False
    """Wait up to `timeout` for the element, instead of a moment."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""


@verb(effect="act")
async def press(tab: Tab, params: Press) -> Acted:
    """Press a key or a combination of keys."""
    receipt = await text.press(
        tab, params.key, params.selector, wait=params.wait, timeout_ms=params.timeout
    )
    return Acted.of(f"Pressed {params.key} at", receipt)


class Key(Params):
    """Which key, and whether it goes down or up."""

    example: ClassVar[dict[str, Any]] = {"action": "down", "key": "Shift"}

    action: Annotated[Literal["down", "up"], Positional]
    """down holds the key until up; clicks meanwhile count with it."""

    key: Annotated[Text, AfterValidator(_key), Positional]
    """Name of the key."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""


@verb(effect="act")
async def key(tab: Tab, params: Key) -> Acted:
    """Hold a key down, or let it go."""
    receipt = await text.key(tab, params.key, params.action, timeout_ms=params.timeout)
    return Acted.of(f"{params.key} is {params.action} at", receipt)


class Insert(Params):
    """What to insert."""

    example: ClassVar[dict[str, Any]] = {"text": "pasted"}

    text: Typed
    """Goes in where the caret is, as if it were pasted: no key events."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""


@verb(effect="act")
async def insert(tab: Tab, params: Insert) -> Acted:
    """Insert text where the caret is, without key events."""
    receipt = await text.insert(tab, params.text, timeout_ms=params.timeout)
    return Acted.of("Inserted text into", receipt, *_held(receipt.value))


def _held(value: str | None) -> tuple[str, ...]:
    return () if value is None else (f"it holds {value!r:.120}",)
