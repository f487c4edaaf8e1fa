"""What is said of a picture that was taken."""

from pathlib import Path
from typing import Self

from tabwright.engine.artifacts import Artifact
from tabwright.engine.mark import Mark
from tabwright.engine.outline import quoted
from tabwright.engine.picture import Box
from tabwright.errors import NextAction
from tabwright.verb import Result

READABLE_SCALE = 0.5


def in_words(box: Box) -> str:
    """A box as parameters take it."""
    return ",".join(f"{round(side)}" for side in (box.x, box.y, box.width, box.height))


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


class Shown(Result):
    """A picture as a model sees it, when it had to be reduced."""

    width: int
    """Pixels of `data`; these are the ones that count in `s3@120,45`."""

    height: int
    """Pixels of `data`."""

    scale: float
    """How much smaller than the file it is."""

    size_bytes: int
    """How large `data` is."""


class Tile(Result):
    """A part of a tall picture."""

    id: str
    """Its name, for points of it."""

    path: str
    """Where it is."""

    top: int
    """Where it begins in the whole picture, in pixels of that."""

    width: int
    """Pixels of the tile."""

    height: int
    """Pixels of the tile."""

    def text(self) -> str:
        """One line."""
        return f"{self.id}: {self.width} x {self.height} px from {self.top} px on in {self.path}"


class Marked(Result):
    """Something that can be used, with a box around it on the picture."""

    ref: str
    """Its name for other calls, as it stands on the picture."""

    role: str
    """What it is."""

    name: str
    """What it is called."""

    box: str
    """Where it is on the picture that is shown: 'x,y,width,height'."""

    @classmethod
    def of(cls, mark: Mark) -> Self:
        """The facts of a mark."""
        return cls(ref=mark.ref, role=mark.role, name=mark.name, box=in_words(mark.box))

    def text(self) -> str:
        """One line."""
        name = f" {quoted(self.name)}" if self.name else ""
        return f"{self.ref} {self.role}{name}"


class Changes(Result):
    """What differs from the baseline."""

    ratio: float
    """Changed pixels among all: 0 to 1."""

    boxes: list[str]
    """Where, in pixels of the file: 'x,y,width,height', the largest first."""

    path: str | None
    """The picture with what changed marked; null when nothing did."""

    size: str | None
    """Size of the baseline, when it is another: what only one of them has counts as changed."""

    def text(self) -> str:
        """How much, and where."""
        if not self.path:
            return "same as the baseline"
        size = f" (the baseline is {self.size} px)" if self.size else ""
        where = "; ".join(self.boxes[:10])
        return f"{self.ratio:.2%} changed{size} at {where}, marked in {self.path}"


class Shot(Saved):
    """A picture."""

    id: str
    """Its name: `s3@120,45` is a pixel of it that can be clicked."""

    width: int
    """Pixels of the file."""

    height: int
    """Pixels of the file."""

    shown: Shown | None = None
    """What `data` has of it, when the file is too large to be shown."""

    tiles: list[Tile] | None = None
    """The parts of a tall picture; `id` and `data` are those of the first."""

    marks: list[Marked] | None = None
    """What is marked on the picture, when asked for."""

    left_out: int | None = None
    """How many more could have been marked."""

    difference: Changes | None = None
    """What changed since the baseline, when one was given."""

    def text(self) -> str:
        """Where the picture is, and what is to be known of it."""
        said = f"{self.id}: {self.width} x {self.height} px {self.mime_type} in {self.path}"
        if self.shown:
            said += f", shown as {self.shown.width} x {self.shown.height} px (x {self.shown.scale})"
        if self.difference:
            said += f"; {self.difference.text()}"
        lines = [said, *(each.text() for each in [*(self.tiles or ()), *(self.marks or ())])]
        if self.left_out:
            lines.append(f"… and {self.left_out} more")
        return "\n".join(lines)

    def files(self) -> list[Artifact]:
        """The picture, its tiles, and the marked one."""
        more = [tile.path for tile in self.tiles or ()]
        if self.difference and self.difference.path:
            more.append(self.difference.path)
        sizes = ((Path(path), Path(path).stat().st_size) for path in more)
        return [*super().files(), *(Artifact(path, self.mime_type, size) for path, size in sizes)]

    def pictures(self) -> list[tuple[str, str]]:
        """What is shown."""
        return [(self.mime_type, self.data)] if self.data else []

    def next_actions(self) -> list[NextAction]:
        """Tiles, when it was reduced beyond reading."""
        if self.shown is None or self.tiles or self.shown.scale >= READABLE_SCALE:
            return []
        return [NextAction("", {"tiles": True}, "shows it in parts that can be read")]
