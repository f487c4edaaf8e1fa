"""What a tab remembers of its frames and of the refs that were given out in them."""

from __future__ import annotations

import gc
import weakref

from tabwright.engine.frame import Frame
from tabwright.engine.frames import MOST_RANGES, Frames


def fresh() -> Frames:
    return Frames("main", lambda _session, _kind, _url: None, lambda _: None, lambda: None)


def add(frames: Frames, frame_id: str) -> Frame:
    frames._attached({"frameId": frame_id, "parentFrameId": "main"}, "s")  # pyright: ignore[reportPrivateUsage]  # as the browser tells it
    frame = frames.get(frame_id)
    assert frame is not None
    return frame


def give(frames: Frames, frame: Frame) -> int:
    """Give out one ref in a frame."""
    ref = frames.next_ref
    frames.issued(frame, ref, ref + 1, [])
    return ref


def test_refs_of_frames_that_went_are_forgotten_and_those_of_living_ones_are_not():
    frames = fresh()
    first = give(frames, frames.main)
    gone: list[weakref.ref[Frame]] = []
    for number in range(MOST_RANGES):
        frame = add(frames, f"f{number}")
        assert frames.owner_of(give(frames, frame)) == (frame, True)
        frames._detached({"frameId": frame.id}, "s")  # pyright: ignore[reportPrivateUsage]  # as the browser tells it
        gone.append(weakref.ref(frame))
    gc.collect()
    assert sum(one() is not None for one in gone) < 10
    assert frames.owner_of(first) == (frames.main, True)


def test_of_living_frames_the_newest_refs_are_remembered():
    frames = fresh()
    inner = add(frames, "inner")
    refs = [
        (owner, give(frames, owner)) for _ in range(MOST_RANGES) for owner in (frames.main, inner)
    ]
    assert frames.owner_of(refs[0][1]) is None
    for owner, ref in refs[-MOST_RANGES // 4 :]:
        assert frames.owner_of(ref) == (owner, True)
