"""Choices in forms: select, check, uncheck, upload, focus, blur."""

from typing import Annotated, Any, ClassVar

from pydantic import Field

from tabwright.engine import choice, text
from tabwright.engine.tab import Tab
from tabwright.verb import Params, Positional, Result, Selector, Text, Timeout, verb
from tabwright.verbs.acting import Acted, OnElement


class Select(OnElement):
    """Which options."""

    example: ClassVar[dict[str, Any]] = {"selector": "label=Country", "options": ["Norway"]}

    options: Annotated[list[str], Field(min_length=1), Positional]
    """Value, label or index (from 0) of each option that shall be chosen."""


@verb(effect="act")
async def select(tab: Tab, params: Select) -> Acted:
    """Choose options of a native select list, and read the choice back.

    `set` also knows lists and comboboxes that a page made itself.
    """
    receipt, chosen = await choice.select(
        tab, params.selector, params.options, wait=params.wait, timeout_ms=params.timeout
    )
    return Acted.of("Selected in", receipt, f"chosen: {', '.join(chosen)}")


class Check(OnElement):
    """What to check."""

    example: ClassVar[dict[str, Any]] = {"selector": "label=I agree"}


@verb(effect="act")
async def check(tab: Tab, params: Check) -> Acted:
    """Check a checkbox, radio button or switch; one that is checked already is left alone."""
    receipt = await choice.check(
        tab, params.selector, wanted=True, wait=params.wait, timeout_ms=params.timeout
    )
    return Acted.of("Checked", receipt)


class Uncheck(OnElement):
    """What to uncheck."""

    example: ClassVar[dict[str, Any]] = {"selector": "label=Newsletter"}


@verb(effect="act")
async def uncheck(tab: Tab, params: Uncheck) -> Acted:
    """Uncheck a checkbox or switch, also one of mixed state."""
    receipt = await choice.check(
        tab, params.selector, wanted=False, wait=params.wait, timeout_ms=params.timeout
    )
    return Acted.of("Unchecked", receipt)


class Focus(OnElement):
    """What to focus."""

    example: ClassVar[dict[str, Any]] = {"selector": "#search"}


@verb(effect="act")
async def focus(tab: Tab, params: Focus) -> Acted:
    """Give an element the keyboard focus."""
    receipt = await text.focus(tab, params.selector, wait=params.wait, timeout_ms=params.timeout)
    return Acted.of("Focused", receipt)


class Blur(OnElement):
    """What to take the focus from."""

    example: ClassVar[dict[str, Any]] = {"selector": "#search"}


@verb(effect="act")
async def blur(tab: Tab, params: Blur) -> Acted:
    """Take the keyboard focus away from an element, so that it reports its change."""
    receipt = await text.focus(
        tab, params.selector, away=True, wait=params.wait, timeout_ms=params.timeout
    )
    return Acted.of("Blurred", receipt)


class Upload(Params):
    """Which files, and to which input."""

    example: ClassVar[dict[str, Any]] = {"selector": "input[type=file]", "files": ["cv.pdf"]}

    files: Annotated[list[Text], Field(min_length=1)]
    """Paths of the files."""

    selector: Selector | None = None
    """File input, or the button that opens the chooser; default: a chooser that is open."""

    wait: bool = False
    """Wait up to `timeout` for the element, instead of a moment."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""


class Uploaded(Result):
    """What the input holds now."""

    names: list[str]
    """Names of the files, as the page sees them."""

    element: str | None = None
    """The element that was named."""

    def text(self) -> str:
        """The names."""
        where = f" into {self.element}" if self.element else ""
        return f"Uploaded {', '.join(self.names)}{where}: effective."


@verb(effect="act")
async def upload(tab: Tab, params: Upload) -> Uploaded:
    """Give files to a file input, or to the file chooser that a button opens."""
    files = [tab.session.caller.file(path) for path in params.files]
    receipt, names = await choice.upload(
        tab, params.selector, files, wait=params.wait, timeout_ms=params.timeout
    )
    return Uploaded(names=names, element=str(receipt.element) if receipt else None)
