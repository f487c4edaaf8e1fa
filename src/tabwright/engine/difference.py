"""What differs between two pictures: how much, and where."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from tabwright.engine.picture import Box

if TYPE_CHECKING:
    from PIL.Image import Image

CELL_PX = 16
BAND_PX = 256
MAX_CELLS = 20_000
MAX_BOXES = 50
MARK = (255, 0, 90)


@dataclass(frozen=True)
class Difference:
    """How a picture differs from another."""

    ratio: float
    """Changed pixels among all, from 0 to 1; what only one of them has counts as changed."""
    boxes: list[Box]
    """Where, in pixels: the largest first."""
    sizes: tuple[tuple[int, int], tuple[int, int]]
    """Of the other picture, and of this one."""

    @property
    def resized(self) -> bool:
        """Whether the two have different sizes."""
        return self.sizes[0] != self.sizes[1]


def compare(before: Image, after: Image, threshold: float) -> Difference:
    """Compare two pictures.

    A threshold of 0 counts each pixel that is not the same. Above it, colours may differ by that
    part of the range, and edges by one pixel, as smoothed letters and lines do.
    """
    from PIL import Image

    before, after = before.convert("RGB"), after.convert("RGB")
    width, height = max(before.width, after.width), max(before.height, after.height)
    common = Box(0, 0, min(before.width, after.width), min(before.height, after.height))
    both = (0, 0, int(common.width), int(common.height))
    mask = _changed(before.crop(both), after.crop(both), threshold)
    if (width, height) != mask.size:
        whole = Image.new("L", (width, height), 255)
        whole.paste(mask, (0, 0))
        mask = whole
    ratio = mask.histogram()[255] / (width * height)
    return Difference(ratio, _boxes(mask) if ratio else [], (before.size, after.size))


def marked(after: Image, difference: Difference) -> Image:
    """The picture with what changed framed, and all else paled."""
    from PIL import Image, ImageDraw

    pale = Image.blend(after.convert("RGB"), Image.new("RGB", after.size, (255, 255, 255)), 0.6)
    pen = ImageDraw.Draw(pale)
    picture = Box(0, 0, after.width, after.height)
    for box in difference.boxes:
        part = box.meet(picture)
        if part is None:
            continue
        edges = (int(part.x), int(part.y), int(part.right), int(part.bottom))
        pale.paste(after.crop(edges), edges[:2])
        frame = (edges[0] - 2, edges[1] - 2, edges[2] + 1, edges[3] + 1)
        pen.rectangle(frame, outline=MARK, width=2)
    return pale


def _changed(before: Image, after: Image, threshold: float) -> Image:
    """A mask of the pixels that differ: 255 where they do."""
    from PIL import Image, ImageChops

    most = min(254, math.floor(threshold * 255))
    mask = _above(_strongest(ImageChops.difference(before, after)), most)
    if threshold == 0:
        return mask
    # Neighbours are looked at only where something differs at all: band by band, to stay near it.
    for top in range(0, mask.height, BAND_PX):
        band = mask.crop((0, top, mask.width, min(top + BAND_PX, mask.height)))
        box = band.getbbox()
        if box is None:
            continue
        left, right = max(0, box[0] - 1), min(mask.width, box[2] + 1)
        wide = (left, max(0, top + box[1] - 1), right, min(mask.height, top + box[3] + 1))
        one, two = before.crop(wide), after.crop(wide)
        beyond = _strongest(ImageChops.lighter(_beyond(one, two), _beyond(two, one)))
        sure = Image.new("L", band.size)
        sure.paste(_above(beyond, most), (left, wide[1] - top))
        mask.paste(ImageChops.darker(band, sure), (0, top))
    return mask


def _beyond(image: Image, other: Image) -> Image:
    """How far each pixel is out of the range of colours that the other has around it."""
    from PIL import ImageChops

    high, low = other, other
    for across, down in ((1, 0), (0, 1)):
        high = _spread(high, across, down, ImageChops.lighter)
        low = _spread(low, across, down, ImageChops.darker)
    over, under = ImageChops.subtract(image, high), ImageChops.subtract(low, image)
    return ImageChops.lighter(over, under)


def _spread(image: Image, across: int, down: int, choose: Callable[[Image, Image], Image]) -> Image:
    """Each pixel becomes the lightest, or darkest, of itself and its two neighbours."""
    spread = image
    for way in (1, -1):
        moved = image.copy()
        moved.paste(image, (across * way, down * way))
        spread = choose(spread, moved)
    return spread


def _strongest(image: Image) -> Image:
    from PIL import ImageChops

    red, green, blue = image.split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue)


def _above(image: Image, most: int) -> Image:
    table = [0 if value <= most else 255 for value in range(256)]
    return image.point(table)  # pyright: ignore[reportUnknownMemberType]  # Pillow names numpy


def _boxes(mask: Image) -> list[Box]:
    """The regions that changed, the largest first: what touches, or nearly does, is one."""
    coarser = math.ceil(math.sqrt(mask.width * mask.height / MAX_CELLS) / CELL_PX)
    # In two steps, each with its own threshold: in one, a lone pixel would be averaged away.
    cells = _above(mask.reduce(CELL_PX), 0)
    if coarser > 1:
        cells = _above(cells.reduce(coarser), 0)
    side = CELL_PX * max(1, coarser)
    found = [_tight(mask, region, side) for region in _regions(cells)]
    return sorted(_merged(found), key=lambda box: box.width * box.height, reverse=True)[:MAX_BOXES]


def _regions(cells: Image) -> list[set[tuple[int, int]]]:
    """The cells that are not empty, in groups of neighbours."""
    wide = cells.width
    left = {(at % wide, at // wide) for at, value in enumerate(cells.tobytes()) if value}
    regions: list[set[tuple[int, int]]] = []
    while left:
        region, edge = set[tuple[int, int]](), [left.pop()]
        while edge:
            x, y = edge.pop()
            region.add((x, y))
            near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & left
            left -= near
            edge += near
        regions.append(region)
    return regions


def _tight(mask: Image, region: set[tuple[int, int]], side: int) -> Box:
    """The smallest box around what changed in a group of cells."""
    across, down = [x for x, _ in region], [y for _, y in region]
    left, top = min(across) * side, min(down) * side
    right, bottom = (max(across) + 1) * side, (max(down) + 1) * side
    inner = mask.crop((left, top, min(right, mask.width), min(bottom, mask.height))).getbbox()
    assert inner is not None
    return Box(left + inner[0], top + inner[1], inner[2] - inner[0], inner[3] - inner[1])


def _merged(boxes: list[Box]) -> list[Box]:
    """Boxes that overlap become one, until none do."""
    while len(fewer := _swept(boxes)) < len(boxes):
        boxes = fewer
    return boxes


def _swept(boxes: list[Box]) -> list[Box]:
    """One pass over the picture, in which each box is held against those that it is level with.

    What a box meets by having grown is left to the next pass.
    """
    tall = max(box.bottom for box in boxes) > max(box.right for box in boxes)
    begin, end = ("y", "bottom") if tall else ("x", "right")
    done: list[Box] = []
    level: list[Box] = []
    for box in sorted(boxes, key=attrgetter(begin)):
        at, beside = getattr(box, begin), list[Box]()
        grown = box
        for other in level:
            if getattr(other, end) <= at:
                done.append(other)
            elif grown.meet(other):
                grown = _around(grown, other)
            else:
                beside.append(other)
        level = [*beside, grown]
    return done + level


def _around(one: Box, other: Box) -> Box:
    left, top = min(one.x, other.x), min(one.y, other.y)
    right, bottom = max(one.right, other.right), max(one.bottom, other.bottom)
    return Box(left, top, right - left, bottom - top)
