"""Pictures and prints at the edge of what is possible."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.engine import do, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.errors import InputError


async def test_a_picture_leaves_the_page_as_it_was(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/tall", "<div style='height: 3000px'></div>"))
    measure = "[document.documentElement.clientWidth, document.body.offsetWidth]"
    before = await value(context, measure)
    shots = [await do(context, "screenshot", fullPage=True) for _ in range(2)]
    assert await value(context, measure) == before
    assert shots[0].width == shots[1].width


@pytest.mark.proves("S3-P17")
async def test_a_jpeg_of_a_very_high_page_has_the_quality_that_was_asked_for(
    context: ToolContext, site: Site
):
    text = "".join(
        f"<p style='color: hsl({n * 37} 90% 50%)'>{'word ' * 40}</p>" for n in range(300)
    )
    await do(context, "navigate", url=site.page("/high", text))
    shots = [
        await do(
            context, "screenshot", fullPage=True, type="jpeg", quality=quality, encoding="path"
        )
        for quality in (0, 80)
    ]
    assert shots[0].height > 8192
    assert shots[0].size_bytes < shots[1].size_bytes


@pytest.mark.parametrize("asked", [{"width": "0mm"}, {"height": "0"}, {"width": "0.0in"}])
async def test_paper_without_a_size_is_refused(context: ToolContext, asked: dict[str, str]):
    with pytest.raises(InputError):
        await do(context, "pdf", **asked)


async def test_a_clip_with_an_unknown_side_is_refused(context: ToolContext):
    box = {"x": 0, "y": 0, "width": 10, "height": 10, "depth": 3}
    with pytest.raises(InputError, match="clip"):
        await do(context, "screenshot", clip=box)


@pytest.mark.proves("S3-ERR-01")
@pytest.mark.parametrize(
    ("verb", "asked"),
    [
        ("pdf", {"format": "A6", "margin": "10in"}),
        ("screenshot", {"selector": "head"}),
        ("screenshot", {"clip": "0,0,90000,90000"}),
        ("screenshot", {"path": "~nosuchuser/x.png"}),
        ("screenshot", {"path": f"{'a' * 300}.png"}),
        ("screenshot", {"path": f"{'a' * 245}.png"}),
        ("screenshot", {"path": "file/x.png"}),
        ("screenshot", {"path": "loop/x.png"}),
        ("screenshot", {"path": "loop"}),
    ],
)
async def test_a_known_cause_has_a_known_code(
    context: ToolContext, tmp_path: Path, verb: str, asked: dict[str, Any]
):
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    outcome = await call(context, verb, asked)
    assert outcome.error is not None
    assert outcome.error.code != "UNKNOWN_ERROR"
