"""Images in files, for a model to see."""

import asyncio
import base64
from typing import Annotated, Any, ClassVar

from tabwright.engine import image
from tabwright.engine.context import ToolContext
from tabwright.engine.picture import Limits
from tabwright.verb import Params, Positional, Result, Text, Timeout, verb


class ReadImage(Params):
    """Which file."""

    example: ClassVar[dict[str, Any]] = {"path": "page.png"}

    path: Annotated[Text, Positional]
    """The image file: PNG, JPEG, GIF or WebP, whatever its name ends in."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""


class ImageRead(Result):
    """An image as a model can see it."""

    path: str
    """Where the file is."""

    type: str
    """What the file is, by its content."""

    width: int
    """Pixels of the file's image, upright."""

    height: int
    """Pixels of the file's image, upright."""

    size_bytes: int
    """How large the file is."""

    mime_type: str
    """What `data` is: an animation is shown by its first picture."""

    shown_width: int
    """Pixels of `data`."""

    shown_height: int
    """Pixels of `data`."""

    scale: float
    """How much smaller `data` is than the file's image."""

    data: str
    """The image as base64."""

    def text(self) -> str:
        """What it is, and how it is shown."""
        said = f"{self.width} x {self.height} px {self.type} {self.path}"
        if self.scale == 1:
            return said
        return f"{said}, shown as {self.shown_width} x {self.shown_height} px (x {self.scale})"

    def pictures(self) -> list[tuple[str, str]]:
        """The image."""
        return [(self.mime_type, self.data)]


@verb(effect="read")
async def read_image(context: ToolContext, params: ReadImage) -> ImageRead:
    """See an image file: PNG, JPEG, GIF or WebP, known by its content.

    It is turned upright and reduced to what a model can take. No browser is needed.
    """
    file = context.caller.file(params.path)
    limits = Limits.of(context.settings)
    seen = await asyncio.to_thread(image.read, file, params.path, limits)
    shown = seen.shown
    return ImageRead(
        path=str(file),
        type=seen.type,
        width=seen.width,
        height=seen.height,
        size_bytes=seen.size_bytes,
        mime_type=shown.mime_type,
        shown_width=shown.width,
        shown_height=shown.height,
        scale=round(shown.width / seen.width, 4),
        data=base64.b64encode(shown.data).decode("ascii"),
    )
