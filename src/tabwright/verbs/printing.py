"""The page on paper."""

import base64
import re
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from tabwright.engine import printing
from tabwright.engine.printing import PAPER_INCHES, Print
from tabwright.engine.tab import Tab
from tabwright.verb import Params, Positional, Text, Timeout, verb
from tabwright.verbs.capture import Encoding
from tabwright.verbs.picture import Saved

_LENGTH = re.compile(r"^(\d+(?:\.\d+)?)(px|in|cm|mm)?$")
UNITS_INCHES = {"px": 1 / 96, "in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4}
MAX_INCHES = 200.0


def _inches(given: Any) -> Any:
    found = _LENGTH.match(given.strip()) if isinstance(given, str) else None
    if found is None:
        raise ValueError("must be a length such as '210mm', '21cm', '8.5in' or '800px'")
    inches = float(found[1]) * UNITS_INCHES[found[2] or "px"]
    if inches > MAX_INCHES:
        raise ValueError(f"must not be more than {MAX_INCHES:g} inches")
    return inches


def _paper(given: Any) -> Any:
    inches = _inches(given)
    if inches <= 0:
        raise ValueError("must be more than 0")
    return inches


def _margins(given: Any) -> Any:
    if isinstance(given, dict):
        sides = ("top", "right", "bottom", "left")
        if not set(given) <= set(sides):  # pyright: ignore[reportUnknownArgumentType]  # checked here
            raise ValueError("has the sides top, right, bottom and left")
        return tuple(_inches(given.get(side, "0")) for side in sides)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    values = [_inches(part) for part in given.split()] if isinstance(given, str) else []
    if not 1 <= len(values) <= 4:
        raise ValueError("must be one to four lengths, as in CSS: '1cm' or '1cm 2cm'")
    top, right, bottom, left = (values * 4)[:4] if len(values) != 3 else (*values, values[1])
    return (top, right, bottom, left)


Length = Annotated[Any, BeforeValidator(_paper), WithJsonSchema({"type": "string"})]
Margins = Annotated[Any, BeforeValidator(_margins), WithJsonSchema({"type": "string"})]


class Pdf(Params):
    """How the page is put on paper."""

    example: ClassVar[dict[str, Any]] = {"path": "page.pdf", "format": "A4"}

    path: Annotated[Text | None, Positional] = None
    """File to write; by default one of our own."""

    format: Literal[
        "Letter", "Legal", "Tabloid", "Ledger", "A0", "A1", "A2", "A3", "A4", "A5", "A6"
    ] = "Letter"
    """Paper size."""

    width: Length | None = None
    """Paper width such as '210mm'; wins over format."""

    height: Length | None = None
    """Paper height such as '297mm'; wins over format."""

    margin: Annotated[Margins, Field(validate_default=True)] = "0.4in"
    """Margins as in CSS: '1cm', '1cm 2cm'. Default 0.4in."""

    landscape: bool = False
    """Turn the paper."""

    print_background: bool = False
    """Print background colours and pictures."""

    header_template: str = ""
    """HTML at the top of each page; classes date, title, url, pageNumber, totalPages are filled."""

    footer_template: str = ""
    """HTML at the bottom of each page."""

    encoding: Encoding = "path"
    """base64: the document also in the reply."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""

    @property
    def paper(self) -> tuple[float, float]:
        """Width and height in inches, before the paper is turned."""
        width, height = PAPER_INCHES[self.format]
        return self.width or width, self.height or height

    @model_validator(mode="after")
    def _leaves_room(self) -> Self:
        width, height = reversed(self.paper) if self.landscape else self.paper
        top, right, bottom, left = self.margin
        if top + bottom >= height or left + right >= width:
            raise ValueError("`margin` leaves no room on the paper")
        return self


class Printed(Saved):
    """A PDF document."""

    def text(self) -> str:
        """Where the document is."""
        return f"PDF ({self.size_bytes} bytes) in {self.path}"


@verb(effect="read")
async def pdf(tab: Tab, params: Pdf) -> Printed:
    """Print the page to a PDF file."""
    target = tab.session.caller.writable(params.path)
    width, height = params.paper
    data = await printing.pdf(
        tab,
        Print(
            width=width,
            height=height,
            margins=params.margin,
            landscape=params.landscape,
            background=params.print_background,
            header=params.header_template,
            footer=params.footer_template,
        ),
    )
    artifact = tab.session.artifacts.write(
        data, suffix=".pdf", mime_type="application/pdf", path=target
    )
    inline = params.encoding == "base64"
    return Printed(
        path=str(artifact.path),
        mime_type=artifact.mime_type,
        size_bytes=artifact.size_bytes,
        data=base64.b64encode(data).decode("ascii") if inline else None,
    )
