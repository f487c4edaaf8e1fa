"""Pictures: the limits hold, tiles leave nothing out, labels keep out of each other's way."""

from __future__ import annotations

import io
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tabwright.config import load
from tabwright.engine.label import Labelled, _Places, draw
from tabwright.engine.picture import Box, Limits, encoded, fitted, measured, tile_boxes

sizes = st.integers(1, 3000)


def noise(width: int, height: int) -> Image.Image:
    return Image.merge("RGB", [Image.effect_noise((width, height), 120) for _ in range(3)])


def test_the_limits_are_what_models_take_unless_configured():
    assert Limits.of(load()) == Limits(1568, 5 * 1024 * 1024)
    own = load({"browser.screenshots.maxSide": 800, "browser.screenshots.maxBytes": 100_000})
    assert Limits.of(own) == Limits(800, 100_000)


@settings(max_examples=30)
@given(
    width=st.integers(1, 900),
    height=st.integers(1, 900),
    side=st.integers(64, 600),
    most=st.integers(16_384, 200_000),
    kind=st.sampled_from(["png", "jpeg"]),
)
def test_what_is_shown_is_within_the_limits(width: int, height: int, side: int, most: int, kind):
    picture = fitted(noise(width, height), kind, Limits(side, most))
    assert max(picture.width, picture.height) <= side
    assert -(-len(picture.data) // 3) * 4 <= most
    with Image.open(io.BytesIO(picture.data)) as image:
        assert (image.format, image.size) == (kind.upper(), (picture.width, picture.height))


def test_many_bytes_cost_colours_before_they_cost_pixels():
    picture = fitted(noise(1500, 1500), "png", Limits(1568, 5 << 20))
    assert (picture.width, picture.height) == (1500, 1500)


def test_a_picture_on_the_limit_is_held_and_one_beyond_is_not():
    at = encoded(Image.new("RGB", (1568, 10)), "png")
    assert Limits(1568, 5 << 20).hold(at)
    assert not Limits(1567, 5 << 20).hold(at)
    as_text = -(-len(at.data) // 3) * 4
    assert Limits(1568, as_text).hold(at)
    assert not Limits(1568, as_text - 1).hold(at)


@given(width=sizes, height=st.integers(1, 60_000), side=st.integers(64, 2000))
def test_tiles_leave_nothing_out_and_fit(width: int, height: int, side: int):
    limits = Limits(side, 5 << 20)
    boxes = tile_boxes(width, height, limits)
    assert boxes[0].y == 0
    assert boxes[-1].bottom == height
    assert all(one.bottom == other.y for one, other in pairwise(boxes))
    shown = [limits.size(int(box.width), int(box.height)) for box in boxes]
    assert all(max(size) <= side for size in shown)
    assert all(size[0] == min(width, side) for size in shown[:-1])


@pytest.mark.parametrize("kind", ["png", "jpeg"])
@given(width=sizes, height=st.integers(1, 400))
@settings(max_examples=30)
def test_a_size_is_read_from_the_head_of_a_file(kind, width: int, height: int):
    data = encoded(Image.new("RGB", (width, height)), kind).data
    assert measured(data, kind).width == width
    assert measured(data, kind).height == height


def test_labels_of_a_grid_do_not_cover_each_other():
    boxes = [Box(20 + 60 * (n % 15), 40 + 50 * (n // 15), 40, 20) for n in range(150)]
    places = _Places(1000, 700, boxes)
    labels = [places.take(box, 28, 15) for box in boxes]
    for number, label in enumerate(labels):
        assert not any(label.meet(other) for other in labels[:number])
        assert not any(label.meet(other) for other in boxes)


@given(
    boxes=st.lists(
        st.builds(Box, st.floats(0, 500), st.floats(0, 400), st.floats(1, 300), st.floats(1, 200)),
        min_size=1,
        max_size=20,
    )
)
def test_each_label_is_on_the_picture_and_by_its_box(boxes: list[Box]):
    places = _Places(500, 400, boxes)
    for box in boxes:
        label = places.take(box, 28, 15)
        assert label.x >= 0
        assert label.y >= 0
        assert label.right <= 500
        assert label.bottom <= 400
        near = Box(label.x - 2, label.y - 2, label.width + 4, label.height + 4)
        cut = box.meet(Box(0, 0, 500, 400))
        assert cut is None or near.meet(cut)


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_a_label_is_drawn_in_a_size_that_can_be_read(scale: int):
    plain = Image.new("RGB", (200 * scale, 100 * scale), "white")
    box = Box(50 * scale, 50 * scale, 80 * scale, 30 * scale)
    drawn = draw(plain, [Labelled("e12", box)], scale=scale)
    above = drawn.crop((0, 0, drawn.width, int(box.y)))
    left, top, right, bottom = above.convert("L").point(lambda v: 255 * (v < 250)).getbbox()
    assert 9 * scale <= bottom - top <= 20 * scale
    assert 18 * scale <= right - left <= 40 * scale
    inside = drawn.crop((int(box.x) + 6, int(box.y) + 6, int(box.right) - 6, int(box.bottom) - 6))
    assert inside.getcolors() == [(inside.width * inside.height, (255, 255, 255))]
    assert plain.getcolors() == [(plain.width * plain.height, (255, 255, 255))], "not on a copy"
