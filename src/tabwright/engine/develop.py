"""From a picture that was taken to the files that are written and the one that is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tabwright.engine.difference import Difference, compare, marked
from tabwright.engine.label import Labelled, draw
from tabwright.engine.mark import Mark
from tabwright.engine.picture import (
    Box,
    Limits,
    Picture,
    encoded,
    fitted,
    resized,
    tile_boxes,
)

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True)
class Developed:
    """A picture, or a part of one, as it is written and as it is shown."""

    file: Picture
    shown: Picture
    marks: list[Mark]
    """Where they are on the picture that is shown."""
    part: Box
    """What it has of the picture that was taken."""


@dataclass(frozen=True)
class Making:
    """A picture that was taken, and what is to be made of it.

    Everything here takes time, and belongs into a thread.
    """

    taken: Picture
    limits: Limits
    marks: Sequence[Mark] = ()
    quality: int | None = None
    device_scale: float = 1.0
    decoded: Image | None = None

    @cached_property
    def pixels(self) -> Image:
        """The picture, decoded once."""
        return self.taken.opened() if self.decoded is None else self.decoded

    @property
    def all(self) -> Box:
        """The picture as a part of itself."""
        return Box(0, 0, self.taken.width, self.taken.height)

    def whole(self) -> Developed:
        """The file with every pixel, and the whole of it as it can be shown."""
        file = self.taken
        if self.marks:
            drawn = self._drawn(self.pixels, self.marks, self.device_scale)
            file = encoded(drawn, file.type, self.quality)
        if self.limits.hold(file):
            return Developed(file, file, list(self.marks), self.all)
        return Developed(file, *self._shown(self.pixels, self.all), self.all)

    def tiles(self) -> list[Developed]:
        """The picture in parts from top to bottom; none when it can be shown as it is."""
        parts = tile_boxes(self.taken.width, self.taken.height, self.limits)
        if len(parts) == 1:
            return []
        made: list[Developed] = []
        for part in parts:
            cut = self.pixels.crop((int(part.x), int(part.y), int(part.right), int(part.bottom)))
            shown, marks = self._shown(cut, part)
            made.append(Developed(shown, shown, marks, part))
        return made

    def compared(self, before: Image, threshold: float) -> tuple[Difference, Developed | None]:
        """What changed since an earlier picture, and the picture of it if anything did."""
        difference = compare(before, self.pixels, threshold)
        if not difference.ratio:
            return difference, None
        image = marked(self.pixels, difference)
        file = encoded(image, self.taken.type, self.quality)
        shown = file
        if not self.limits.hold(file):
            shown = fitted(image, file.type, self.limits, self.quality)
        return difference, Developed(file, shown, [], self.all)

    def _shown(self, image: Image, part: Box) -> tuple[Picture, list[Mark]]:
        """A part as it can be shown. Marks are drawn after it was reduced, to be readable."""
        kind = self.taken.type
        small = resized(image, self.limits.size(image.width, image.height))
        marks = self._marks_on(part, small.width / image.width)
        drawn = self._drawn(small, marks, max(1.0, self.device_scale * small.width / image.width))
        picture = fitted(drawn, kind, self.limits, self.quality)
        if picture.width != small.width:
            marks = self._marks_on(part, picture.width / image.width)
        return picture, marks

    def _marks_on(self, part: Box, factor: float) -> list[Mark]:
        placed = (mark.on(part, factor) for mark in self.marks)
        return [mark for mark in placed if mark is not None]

    def _drawn(self, image: Image, marks: Sequence[Mark], scale: float) -> Image:
        if not marks:
            return image
        return draw(image, [Labelled(mark.ref, mark.box) for mark in marks], scale=scale)
