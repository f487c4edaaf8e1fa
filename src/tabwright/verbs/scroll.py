"""Scrolling."""

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from tabwright.engine import scroll as engine
from tabwright.engine.scroll import Wish
from tabwright.engine.tab import Tab
from tabwright.verb import Params, Positional, Selector, Timeout, verb
from tabwright.verbs.acting import Acted

Pixels = Annotated[float, Field(ge=0, le=10_000_000)]


class Scroll(Params):
    """What to scroll, and where to."""

    example: ClassVar[dict[str, Any]] = {"to": "bottom"}

    to: Annotated[
        Literal["view", "top", "bottom", "up", "down", "left", "right"] | None, Positional
    ] = None
    """view: bring the element into view (default with a selector); down: default without one."""

    selector: Selector | None = None
    """Element to bring into view, or container to scroll; default: the page."""

    amount: Pixels | None = None
    """Pixels for up, down, left, right; default: most of what is visible."""

    x: Pixels | None = None
    """Scroll to this place from the left."""

    y: Pixels | None = None
    """Scroll to this place from the top."""

    wait: bool = False
    """Wait up to `timeout` for the element, instead of a moment."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        point = self.x is not None or self.y is not None
        if point and (self.to is not None or self.amount is not None):
            raise ValueError("`x` and `y` do not go with `to` or `amount`")
        if self.amount is not None and self.to in ("view", "top", "bottom"):
            raise ValueError("`amount` goes with up, down, left and right only")
        if self.to == "view" and self.selector is None:
            raise ValueError("`selector` is required to bring an element into view")
        return self


class Scrolled(Acted):
    """Where it is scrolled to."""

    x: float
    """From the left, in pixels."""

    y: float
    """From the top, in pixels."""

    max_x: float
    """As far as it goes to the right."""

    max_y: float
    """As far as it goes down."""

    container: str
    """What was scrolled."""

    moved: bool
    """Whether it moved at all."""


@verb(effect="act")
async def scroll(tab: Tab, params: Scroll) -> Scrolled:
    """Scroll the page or a container, or bring an element into view; says when nothing moved."""
    if params.x is not None or params.y is not None:
        wish = Wish("point", x=params.x or 0.0, y=params.y or 0.0)
    else:
        wish = Wish(params.to or ("view" if params.selector else "down"), params.amount)
    receipt, where = await engine.scroll(
        tab, params.selector, wish, wait=params.wait, timeout_ms=params.timeout
    )
    place = f"{where['container']} at {where['x']:g},{where['y']:g}"
    return Scrolled.of(
        "Scrolled" if where["moved"] else "Did not scroll",
        receipt,
        f"{place} of {where['maxX']:g},{where['maxY']:g}",
        x=where["x"],
        y=where["y"],
        max_x=where["maxX"],
        max_y=where["maxY"],
        container=where["container"],
        moved=where["moved"],
    )
