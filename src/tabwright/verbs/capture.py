"""Pictures and prints of the page."""

import base64
import math
import re
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from tabwright.engine import capture
from tabwright.engine.artifacts import Artifact
from tabwright.engine.capture import PAPER_INCHES, Box, ImageType, Picture, Print
from tabwright.engine.tab import Tab
from tabwright.errors import InputError
from tabwright.verb import Params, Positional, Result, Selector, Text, Timeout, verb

_LENGTH = re.compile(r"^(\d+(?:\.\d+)?)(px|in|cm|mm)?$")
UNITS_INCHES = {"px": 1 / 96, "in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4}
MAX_INCHES = 200.0


def _box(given: Any) -> Any:
    wrong = ValueError("must be 'x,y,width,height' in CSS pixels, as '0,0,300,200'")
    try:
        sides = _sides(given)
    except (ValueError, TypeError, KeyError):
        raise wrong from None
    box = Box(*sides)
    if not (0 < box.width <= 100_000 and 0 < box.height <= 100_000 and box.x >= 0 and box.y >= 0):
        raise ValueError("must lie in the page, with a width and a height above 0")
    return box


def _sides(given: Any) -> list[float]:
    if isinstance(given, str):
        values: list[Any] = [float(part) for part in given.split(",")]
    else:
        names = ("x", "y", "width", "height")
        values = [given[name] for name in names if len(given) == len(names)]
    if len(values) != 4 or any(isinstance(v, bool) or not math.isfinite(v) for v in values):
        raise ValueError
    return values


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


Clip = Annotated[Any, BeforeValidator(_box), WithJsonSchema({"type": "string"})]
Length = Annotated[Any, BeforeValidator(_paper), WithJsonSchema({"type": "string"})]
Margins = Annotated[Any, BeforeValidator(_margins), WithJsonSchema({"type": "string"})]
Encoding = Literal["base64", "path"]


class Screenshot(Params):
    """Of what, and how."""

    example: ClassVar[dict[str, Any]] = {"fullPage": True, "path": "page.png"}

    path: Annotated[Text | None, Positional] = None
    """File to write; by default one of our own."""

    selector: Selector | None = None
    """Only this element: CSS or XPath."""

    clip: Clip | None = None
    """Only this part of the document: 'x,y,width,height' in CSS pixels."""

    full_page: bool = False
    """The whole page instead of what the window shows."""

    type: ImageType | None = None
    """png, or jpeg; by default what the path's ending says, else png."""

    quality: Annotated[int, Field(ge=0, le=100)] | None = None
    """0 to 100, for jpeg."""

    encoding: Encoding | None = None
    """base64: the picture also in the reply; path: only the file. Default: path if one is given."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        chosen = [self.selector is not None, self.clip is not None, self.full_page]
        if sum(chosen) > 1:
            raise ValueError("at most one of `selector`, `clip` and `fullPage` can be given")
        if self.quality is not None and self.kind != "jpeg":
            raise ValueError("`quality` goes with type 'jpeg' only")
        return self

    @property
    def kind(self) -> ImageType:
        """The type that is asked for, by word or by the file's ending."""
        if self.type is not None:
            return self.type
        jpeg = bool(self.path) and Path(str(self.path)).suffix.lower() in (".jpg", ".jpeg")
        return "jpeg" if jpeg else "png"


class Saved(Result):
    """A file that was written."""

    path: str
    """Where it is."""

    mime_type: str
    """What it is."""

    size_bytes: int
    """How large it is."""

    data: str | None = None
    """The file as base64, when asked for."""

    def files(self) -> list[Artifact]:
        """The file."""
        return [Artifact(Path(self.path), self.mime_type, self.size_bytes)]


class Shot(Saved):
    """A picture."""

    width: int
    """Pixels of the picture."""

    height: int
    """Pixels of the picture."""

    def text(self) -> str:
        """Where the picture is."""
        return f"{self.width} x {self.height} px {self.mime_type} in {self.path}"


@verb(effect="read")
async def screenshot(tab: Tab, params: Screenshot) -> Shot:
    """Take a picture of the window, the whole page, an element, or a part."""
    target = _target(tab, params.path)
    picture = await _picture(tab, params)
    artifact = tab.session.artifacts.write(
        picture.data,
        suffix=".jpg" if picture.type == "jpeg" else ".png",
        mime_type=f"image/{picture.type}",
        path=target or tab.session.picture_path(".jpg" if picture.type == "jpeg" else ".png"),
    )
    inline = params.encoding == "base64" or (params.encoding is None and params.path is None)
    return Shot(
        path=str(artifact.path),
        mime_type=artifact.mime_type,
        size_bytes=artifact.size_bytes,
        data=base64.b64encode(picture.data).decode("ascii") if inline else None,
        width=picture.width,
        height=picture.height,
    )


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
    target = _target(tab, params.path)
    width, height = params.paper
    data = await capture.pdf(
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


async def _picture(tab: Tab, params: Screenshot) -> Picture:
    kind, quality = params.kind, params.quality
    if params.selector is not None:
        return await capture.element_picture(tab, params.selector, kind, quality)
    if params.clip is not None:
        return await capture.box_picture(tab, params.clip, kind, quality)
    if params.full_page:
        return await capture.page_picture(tab, kind, quality)
    return await capture.viewport_picture(tab, kind, quality)


def _target(tab: Tab, given: str | None) -> Path | None:
    if given is None:
        return None
    path = tab.session.caller.path(given)
    if path.is_dir():
        raise InputError(f"{given!r} is a directory.", hint="Give the name of a file in it.")
    return path
