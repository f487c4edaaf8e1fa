"""What a mouse does: click, hover, drag, drop files."""

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from tabwright.engine import pointer
from tabwright.engine.pointer import MODIFIERS, Modifier, Press
from tabwright.engine.selector import parse
from tabwright.engine.tab import Tab
from tabwright.verb import Positional, Target, Text, verb
from tabwright.verbs.acting import Acted, OnElement


def _point(given: str) -> str:
    try:
        x, y = (float(part) for part in given.split(","))
    except ValueError:
        raise ValueError("must be two numbers such as '10,5'") from None
    if not (0 <= x < 1e6 and 0 <= y < 1e6):
        raise ValueError("must lie inside the element, so not below 0")
    return given


def _modifiers(given: str) -> str:
    for name in given.split("+"):
        if name not in MODIFIERS:
            raise ValueError(f"must be of {', '.join(MODIFIERS)}, joined by '+'")
    return given


Point = Annotated[str, AfterValidator(_point)]
Modifiers = Annotated[str, AfterValidator(_modifiers)]


class OnPlace(OnElement):
    """Which element, or which point of a picture."""

    selector: Target
    """Ref (`e12`), CSS, XPath, text=, label=, role=button "Save"; a screenshot's pixel `s3@9,9`."""


class Click(OnPlace):
    """What to click, and how."""

    example: ClassVar[dict[str, Any]] = {"selector": 'role=button "Save"'}

    button: Literal["left", "right", "middle"] = "left"
    """Mouse button to press."""

    click_count: Annotated[int, Field(ge=1, le=3)] = 1
    """2 for a double click, 3 for a triple click."""

    modifiers: Modifiers | None = None
    """Keys held meanwhile: Alt, Control, Meta, Shift, joined by '+'."""

    position: Point | None = None
    """Where in the element: 'x,y' in pixels from its top left corner. Default: where it is free."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.position is not None and parse(self.selector).spot is not None:
            raise ValueError("`position` does not go with a point of a picture")
        return self


@verb(effect="act")
async def click(tab: Tab, params: Click) -> Acted:
    """Click an element and say what came of it.

    Waits until it is shown, enabled, still and not covered; takes another point of it when its
    centre is covered.
    """
    held: list[Modifier] = params.modifiers.split("+") if params.modifiers else []  # pyright: ignore[reportAssignmentType]  # checked by _modifiers
    at = params.position.split(",") if params.position else None
    press = Press(
        button=params.button,
        count=params.click_count,
        modifiers=tuple(held),
        position={"x": float(at[0]), "y": float(at[1])} if at else None,
    )
    receipt = await pointer.click(
        tab, params.selector, press, wait=params.wait, timeout_ms=params.timeout
    )
    return Acted.of("Clicked", receipt)


class Hover(OnPlace):
    """What to hover over."""

    example: ClassVar[dict[str, Any]] = {"selector": "text=Products"}


@verb(effect="act")
async def hover(tab: Tab, params: Hover) -> Acted:
    """Bring the mouse over an element, to open a menu or a tooltip."""
    receipt = await pointer.hover(tab, params.selector, wait=params.wait, timeout_ms=params.timeout)
    return Acted.of("Hovering over", receipt)


class Drag(OnPlace):
    """What to drag, and where."""

    example: ClassVar[dict[str, Any]] = {"selector": "#card", "to": "#done"}

    to: Target
    """The element to drop it on, named as `selector` is."""


@verb(effect="act")
async def drag(tab: Tab, params: Drag) -> Acted:
    """Drag an element onto another, by mouse or as drag-and-drop, as the page wants it."""
    receipt = await pointer.drag(
        tab, params.selector, params.to, wait=params.wait, timeout_ms=params.timeout
    )
    return Acted.of("Dragged", receipt)


class Drop(OnPlace):
    """Which files to drop, and where."""

    example: ClassVar[dict[str, Any]] = {"selector": "#dropzone", "files": ["report.pdf"]}

    files: Annotated[list[Text], Field(min_length=1), Positional]
    """Paths of the files."""


@verb(effect="act")
async def drop(tab: Tab, params: Drop) -> Acted:
    """Drop files on an element, as from a file manager."""
    files = [tab.session.caller.file(path) for path in params.files]
    receipt = await pointer.drop_files(
        tab, params.selector, files, wait=params.wait, timeout_ms=params.timeout
    )
    return Acted.of(f"Dropped {len(files)} file{'s' if len(files) > 1 else ''} on", receipt)
