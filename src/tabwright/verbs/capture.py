"""Pictures of the page."""

import asyncio
import base64
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from tabwright.engine import capture
from tabwright.engine.artifacts import Artifact
from tabwright.engine.capture import ShotType, Subject, Taken
from tabwright.engine.develop import Developed, Making
from tabwright.engine.image import pixels
from tabwright.engine.mark import marks_of
from tabwright.engine.picture import Box, Limits, Picture
from tabwright.engine.tab import Tab
from tabwright.verb import Params, Positional, Selector, Text, Timeout, verb
from tabwright.verbs.picture import Changes, Marked, Shot, Shown, Tile, in_words

if TYPE_CHECKING:
    from PIL.Image import Image

DEFAULT_THRESHOLD = 0.1


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


Clip = Annotated[Any, BeforeValidator(_box), WithJsonSchema({"type": "string"})]
Encoding = Literal["base64", "path"]


class Screenshot(Params):
    """Of what, and how."""

    example: ClassVar[dict[str, Any]] = {"fullPage": True, "path": "page.png"}

    path: Annotated[Text | None, Positional] = None
    """File to write; by default one of our own."""

    selector: Selector | None = None
    """Only this element: ref (`e12`), CSS, XPath, text=, label=, role=button "Save"."""

    clip: Clip | None = None
    """Only this part of the document: 'x,y,width,height' in CSS pixels."""

    full_page: bool = False
    """The whole page instead of what the window shows."""

    type: ShotType | None = None
    """png, or jpeg; by default what the path's ending says, else png."""

    quality: Annotated[int, Field(ge=0, le=100)] | None = None
    """0 to 100, for jpeg."""

    encoding: Encoding | None = None
    """base64: the picture also in the reply; path: only the file. Default: path if one is given."""

    annotate: bool = False
    """Draw boxes with refs on what can be used, and list them."""

    tiles: bool = False
    """A page too tall to be read as one picture: also as parts from top to bottom, a file each."""

    baseline: Text | None = None
    """An earlier picture to compare with: says what changed, and shows it marked."""

    threshold: Annotated[float, Field(ge=0, le=1)] | None = None
    """How far colours may differ from the baseline's, 0 to 1; 0: not at all. Default 0.1."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        chosen = [self.selector is not None, self.clip is not None, self.full_page]
        if sum(chosen) > 1:
            raise ValueError("at most one of `selector`, `clip` and `fullPage` can be given")
        if self.baseline is not None and (self.annotate or self.tiles):
            raise ValueError("`baseline` does not go with `annotate` or `tiles`")
        if self.threshold is not None and self.baseline is None:
            raise ValueError("`threshold` goes with `baseline` only")
        if self.quality is not None and self.kind != "jpeg":
            raise ValueError("`quality` goes with type 'jpeg' only")
        return self

    @property
    def kind(self) -> ShotType:
        """The type that is asked for, by word or by the file's ending."""
        if self.type is not None:
            return self.type
        jpeg = bool(self.path) and Path(str(self.path)).suffix.lower() in (".jpg", ".jpeg")
        return "jpeg" if jpeg else "png"


@verb(effect="read")
async def screenshot(tab: Tab, params: Screenshot) -> Shot:
    """Take a picture of the window, the whole page, an element, or a part.

    The file has every pixel; the reply shows it reduced to what a model can take. A pixel of what
    is shown can be clicked by the picture's id, as `s3@120,45`.
    """
    target = tab.session.caller.writable(params.path)
    before = await _before(tab, params.baseline)
    taken = await capture.take(tab, _subject(params))
    marks, left_out = await marks_of(tab, taken) if params.annotate else ([], 0)
    making = Making(
        taken.picture,
        Limits.of(tab.session.settings),
        marks=marks,
        quality=params.quality,
        device_scale=tab.viewport.scale,
        decoded=taken.pixels,
    )
    made = await asyncio.to_thread(making.whole)
    file = _written(tab, made.file, target)
    tiles, shown = [], made
    if params.tiles and (parts := await asyncio.to_thread(making.tiles)):
        tiles, shown = _tiles(tab, taken, parts, target), parts[0]
    difference, changed = None, None
    if before is not None:
        difference, changed = await _compared(tab, making, before, params, target)
    inline = params.encoding == "base64" or (params.encoding is None and params.path is None)
    seen = (changed or shown).shown
    return Shot(
        id=tiles[0].id if tiles else _named(tab, taken, made),
        path=str(file.path),
        mime_type=file.mime_type,
        size_bytes=file.size_bytes,
        data=base64.b64encode(seen.data).decode("ascii") if inline else None,
        width=made.file.width,
        height=made.file.height,
        shown=_reduced(shown, seen) if seen.data != made.file.data else None,
        tiles=tiles or None,
        marks=[Marked.of(mark) for mark in shown.marks] if params.annotate else None,
        left_out=left_out or None,
        difference=difference,
    )


def _subject(params: Screenshot) -> Subject:
    return Subject(
        type=params.kind,
        quality=params.quality,
        selector=params.selector,
        clip=params.clip,
        full_page=params.full_page,
        timeout_ms=params.timeout,
    )


async def _before(tab: Tab, baseline: str | None) -> "Image | None":
    if baseline is None:
        return None
    return await asyncio.to_thread(pixels, tab.session.caller.file(baseline), baseline)


def _named(tab: Tab, taken: Taken, made: Developed) -> str:
    """Remember what is shown, so that its pixels are found again."""
    area, part, whole = taken.area, made.part, taken.picture
    across, down = area.width / whole.width, area.height / whole.height
    shown = Box(
        area.x + part.x * across, area.y + part.y * down, part.width * across, part.height * down
    )
    picture = made.shown
    return tab.session.shots.add(taken.view, shown, picture.width, picture.height).id


def _written(tab: Tab, picture: Picture, path: Path | None) -> Artifact:
    return tab.session.artifacts.write(
        picture.data,
        suffix=picture.suffix,
        mime_type=picture.mime_type,
        path=path or tab.session.picture_path(picture.suffix),
    )


def _tiles(tab: Tab, taken: Taken, parts: list[Developed], path: Path | None) -> list[Tile]:
    tiles: list[Tile] = []
    for number, made in enumerate(parts, 1):
        file = _written(tab, made.file, path and path.with_stem(f"{path.stem}-{number}"))
        tiles.append(
            Tile(
                id=_named(tab, taken, made),
                path=str(file.path),
                top=int(made.part.y),
                width=made.file.width,
                height=made.file.height,
            )
        )
    return tiles


async def _compared(
    tab: Tab, making: Making, before: "Image", params: Screenshot, path: Path | None
) -> tuple[Changes, Developed | None]:
    threshold = DEFAULT_THRESHOLD if params.threshold is None else params.threshold
    found, made = await asyncio.to_thread(making.compared, before, threshold)
    file = (
        _written(tab, made.file, path and path.with_stem(f"{path.stem}-changes")) if made else None
    )
    width, height = found.sizes[0]
    changes = Changes(
        ratio=round(found.ratio, 6),
        boxes=[in_words(box) for box in found.boxes],
        path=str(file.path) if file else None,
        size=f"{width} x {height}" if found.resized else None,
    )
    return changes, made


def _reduced(made: Developed, seen: Picture) -> Shown | None:
    if (seen.width, seen.height) == (made.part.width, made.part.height):
        return None
    return Shown(
        width=seen.width,
        height=seen.height,
        scale=round(seen.width / made.part.width, 4),
        size_bytes=len(seen.data),
    )
