"""What differs between pictures: how much, where, and what is only smoothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from tabwright.engine.difference import MAX_BOXES, _merged, compare, marked
from tabwright.engine.picture import Box

DEFAULT = 0.1


def page(width: int = 300, height: int = 200) -> Image.Image:
    image = Image.new("RGB", (width, height), "white")
    ImageDraw.Draw(image).text(
        (20, 20), "Some words", fill="black", font=ImageFont.load_default(20)
    )
    return image


def filled(image: Image.Image, *boxes: tuple[int, int, int, int], colour: str = "red"):
    changed = image.copy()
    for left, top, width, height in boxes:
        changed.paste(colour, (left, top, left + width, top + height))
    return changed


def test_the_same_is_the_same():
    found = compare(page(), page(), 0)
    assert (found.ratio, found.boxes, found.resized) == (0, [], False)


@settings(max_examples=60)
@given(
    left=st.integers(0, 290),
    top=st.integers(0, 190),
    width=st.integers(1, 300),
    height=st.integers(1, 200),
)
def test_what_changed_is_found_to_the_pixel(left: int, top: int, width: int, height: int):
    width, height = min(width, 300 - left), min(height, 200 - top)
    plain = Image.new("RGB", (300, 200), "white")
    found = compare(plain, filled(plain, (left, top, width, height)), DEFAULT)
    assert found.boxes == [Box(left, top, width, height)]
    assert found.ratio == pytest.approx(width * height / 60_000)


def test_a_single_pixel_is_found_on_a_large_picture():
    before = Image.new("RGB", (1280, 20_000), "white")
    after = filled(before, (700, 15_001, 1, 1), (3, 4, 1, 1))
    found = compare(before, after, DEFAULT)
    assert sorted((box.x, box.y) for box in found.boxes) == [(3, 4), (700, 15_001)]


def test_changes_that_are_near_are_one_and_those_that_are_far_are_not():
    near = compare(page(), filled(page(), (100, 100, 10, 10), (112, 100, 10, 10)), DEFAULT)
    assert near.boxes == [Box(100, 100, 22, 10)]
    far = compare(page(), filled(page(), (10, 100, 10, 10), (200, 150, 20, 20)), DEFAULT)
    assert far.boxes == [Box(200, 150, 20, 20), Box(10, 100, 10, 10)]


def test_a_line_that_came_or_went_is_found():
    line = filled(page(), (0, 150, 300, 1), colour="black")
    assert compare(page(), line, DEFAULT).boxes == [Box(0, 150, 300, 1)]
    assert compare(line, page(), DEFAULT).boxes == [Box(0, 150, 300, 1)]


def smoothed(offset: float) -> Image.Image:
    """Words and a slanted line, drawn large at an offset and reduced: with soft edges."""
    large = Image.new("RGB", (2400, 800), "white")
    pen = ImageDraw.Draw(large)
    shift = offset * 8
    font = ImageFont.load_default(160)
    pen.text((160 + shift, 80 + shift), "Soft edges", fill="black", font=font)
    pen.line((100 + shift, 500, 2200 + shift, 700), fill="navy", width=24)
    return large.resize((300, 100), Image.Resampling.BOX)


@pytest.mark.parametrize("offset", [0.125, 0.25, 0.375, 0.5])
def test_smoothed_edges_are_tolerated_by_the_threshold_and_not_without(offset: float):
    still, moved = smoothed(0), smoothed(offset)
    exactly = compare(still, moved, 0).ratio
    assert exactly > 0.01
    assert compare(still, moved, DEFAULT).ratio < exactly / 30


def test_another_word_is_not_smoothing():
    other = Image.new("RGB", (300, 200), "white")
    words = ImageFont.load_default(20)
    ImageDraw.Draw(other).text((20, 20), "Same words", fill="black", font=words)
    found = compare(page(), other, DEFAULT)
    assert found.ratio > 0
    assert all(box.meet(Box(20, 20, 110, 25)) for box in found.boxes)


@pytest.mark.parametrize(("by", "seen"), [(20, False), (30, True)])
def test_colours_may_differ_by_the_threshold(by: int, seen: bool):
    before = Image.new("RGB", (50, 50), (100, 100, 100))
    after = Image.new("RGB", (50, 50), (100, 100 + by, 100))
    assert bool(compare(before, after, DEFAULT).ratio) is seen
    assert compare(before, after, 0).ratio == 1
    assert compare(before, after, 1).ratio == 0


@pytest.mark.parametrize("size", [(300, 260), (300, 150), (360, 200), (200, 260), (1, 1)])
def test_other_sizes_are_said_and_what_only_one_has_counts(size: tuple[int, int]):
    found = compare(page(), page(*size), DEFAULT)
    assert found.resized
    assert found.sizes == ((300, 200), size)
    union = max(300, size[0]) * max(200, size[1])
    common = min(300, size[0]) * min(200, size[1])
    assert found.ratio == pytest.approx((union - common) / union)
    assert marked(page(*size), found).size == size


def test_many_changes_are_bounded():
    dots = [(x, y, 2, 2) for x in range(0, 1200, 60) for y in range(0, 700, 60)]
    found = compare(page(1280, 720), filled(page(1280, 720), *dots), DEFAULT)
    assert len(found.boxes) == MAX_BOXES


def test_many_small_changes_are_not_each_held_against_all_others(monkeypatch: pytest.MonkeyPatch):
    met = 0
    meet = Box.meet

    def counted(self: Box, other: Box) -> Box | None:
        nonlocal met
        met += 1
        return meet(self, other)

    monkeypatch.setattr(Box, "meet", counted)
    dots = [(x, y, 2, 2) for x in range(0, 1280, 64) for y in range(0, 2000, 64)]
    found = compare(page(1280, 2000), filled(page(1280, 2000), *dots), DEFAULT)
    assert len(found.boxes) == MAX_BOXES
    assert met < 25 * len(dots)


boxes = st.builds(Box, st.integers(0, 60), st.integers(0, 60), st.integers(1, 9), st.integers(1, 9))


@given(st.lists(boxes, min_size=1, max_size=40))
def test_boxes_are_merged_until_none_overlap_and_no_further(given_boxes: list[Box]):
    merged = _merged(given_boxes)
    assert not any(a.meet(b) for a in merged for b in merged if a is not b)
    naive = list(given_boxes)
    while pair := next(((a, b) for a in naive for b in naive if a is not b and a.meet(b)), None):
        naive = [box for box in naive if box is not pair[0] and box is not pair[1]]
        left, top = min(box.x for box in pair), min(box.y for box in pair)
        right, bottom = max(box.right for box in pair), max(box.bottom for box in pair)
        naive.append(Box(left, top, right - left, bottom - top))
    assert sorted(map(repr, merged)) == sorted(map(repr, naive))


def test_the_marked_picture_frames_what_changed_and_pales_the_rest():
    after = filled(page(), (100, 100, 40, 30), (10, 150, 20, 20), colour="blue")
    found = compare(filled(page(), (10, 150, 20, 20), colour="blue"), after, DEFAULT)
    picture = marked(after, found)
    assert picture.getpixel((120, 115)) == (0, 0, 255)
    assert picture.getpixel((99, 99)) == picture.getpixel((140, 130)) == (255, 0, 90)
    assert picture.getpixel((20, 160)) == (153, 153, 255)
