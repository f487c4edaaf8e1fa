"""Drawing on pictures: boxes with labels that keep out of each other's way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tabwright.engine.picture import Box

if TYPE_CHECKING:
    from PIL.Image import Image

Colour = tuple[int, int, int]

FONT_PX = 13
PAD_PX = 2
# Dark enough for white letters, and far enough apart to tell neighbours.
COLOURS: tuple[Colour, ...] = (
    (200, 30, 30),
    (20, 90, 200),
    (0, 120, 60),
    (150, 40, 170),
    (180, 80, 0),
    (0, 110, 130),
)
WHITE: Colour = (255, 255, 255)
# How bad it is for each pixel of a label to lie there.
OVER_OWN, OVER_OTHER, OVER_LABEL, OUTSIDE = 1.0, 3.0, 20.0, 1000.0


@dataclass(frozen=True)
class Labelled:
    """A box to be drawn, and what stands at it."""

    text: str
    box: Box


def draw(image: Image, wanted: Sequence[Labelled], *, scale: float = 1.0) -> Image:
    """The picture with boxes and labels on it; `scale` makes them larger, for many small pixels."""
    from PIL import ImageDraw, ImageFont

    drawn = image.convert("RGB") if image.mode != "RGB" else image.copy()
    pen = ImageDraw.Draw(drawn)
    font = ImageFont.load_default(FONT_PX * scale)
    line, pad = max(1, round(scale * 1.5)), PAD_PX * scale
    places = _Places(drawn.width, drawn.height, [one.box for one in wanted])
    for number, one in enumerate(wanted):
        colour = COLOURS[number % len(COLOURS)]
        box = one.box
        # The box is drawn inside its edges, so that one at the picture's edge is whole.
        right, bottom = max(box.x, box.right - 1), max(box.y, box.bottom - 1)
        pen.rectangle((box.x, box.y, right, bottom), outline=colour, width=line)
    for number, one in enumerate(wanted):
        colour = COLOURS[number % len(COLOURS)]
        left, top, right, bottom = font.getbbox(one.text)
        size = right - left + 2 * pad, bottom - top + 2 * pad
        place = places.take(one.box, *size)
        pen.rectangle((place.x, place.y, place.right, place.bottom), fill=colour)
        pen.text((place.x + pad - left, place.y + pad - top), one.text, fill=WHITE, font=font)
    return drawn


class _Places:
    """Where labels can go: by a box, on the picture, on as little as can be."""

    def __init__(self, width: int, height: int, boxes: list[Box]) -> None:
        self._picture = Box(0, 0, width, height)
        self._boxes = boxes
        self._taken: list[Box] = []

    def take(self, box: Box, width: float, height: float) -> Box:
        """The best place for the label of a box; it is taken from now on."""
        reach = Box(
            box.x - width - 2,
            box.y - height - 2,
            box.width + 2 * width + 4,
            box.height + 2 * height + 4,
        )
        labels = [other for other in self._taken if reach.meet(other)]
        boxes = [other for other in self._boxes if other is not box and reach.meet(other)]

        def hidden(place: Box) -> int:
            # Its own box a label may hide a little: what that holds is in the legend.
            cost = OUTSIDE * (_area(place) - _common(place, self._picture))
            cost += OVER_OWN * _common(place, box)
            cost += OVER_OTHER * sum(_common(place, other) for other in boxes)
            cost += OVER_LABEL * sum(_common(place, other) for other in labels)
            # Rounded, so that the first of equals is taken.
            return round(cost)

        best = self._brought_in(min(_around(box, width, height), key=hidden))
        self._taken.append(best)
        return best

    def _brought_in(self, place: Box) -> Box:
        x = min(max(place.x, 0), max(0, self._picture.width - place.width - 1))
        y = min(max(place.y, 0), max(0, self._picture.height - place.height - 1))
        return Box(x, y, place.width, place.height)


def _around(box: Box, width: float, height: float) -> Iterator[Box]:
    """Places for a label, the ones where the eye looks first before the others."""
    across = (box.x, box.right - width, box.x + (box.width - width) / 2)
    for y in (box.y - height - 1, box.bottom + 1):
        for x in across:
            yield Box(x, y, width, height)
    for x in (box.x - width - 1, box.right + 1):
        for y in (box.y, box.bottom - height, box.y + (box.height - height) / 2):
            yield Box(x, y, width, height)
    for y in (box.y, box.bottom - height):
        for x in across:
            yield Box(x, y, width, height)


def _common(one: Box, other: Box) -> float:
    both = one.meet(other)
    return _area(both) if both else 0.0


def _area(box: Box) -> float:
    return box.width * box.height
