"""Scrolling to a place lands there, or at the end, whatever is scrolled."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.engine import do, value
from support.site import Site
from tabwright.engine.context import ToolContext

NEAR_PX = 10

sizes = st.integers(0, 6000)
places = st.integers(0, 8000)
boxes = st.tuples(st.integers(40, 500), st.integers(40, 500), sizes, sizes)
"""Width and height of a container, and of what is in it."""


def nested(levels: list[tuple[int, int, int, int]], style: str) -> str:
    """Containers that scroll, each inside the one before it."""
    page = "<p>innermost</p>"
    for number, (width, height, inner_width, inner_height) in reversed(list(enumerate(levels))):
        inside = f"width:{inner_width}px; height:{inner_height}px; padding:{number * 7}px"
        box = f"overflow:auto; width:{width}px; height:{height}px; {style}"
        page = f'<div id="box{number}" style="{box}"><div style="{inside}">{page}</div></div>'
    return page


async def ends(context: ToolContext, element: str) -> dict[str, Any]:
    return await value(
        context,
        f"""(() => {{ const box = {element}; return {{
            x: box.scrollLeft, y: box.scrollTop,
            maxX: box.scrollWidth - box.clientWidth, maxY: box.scrollHeight - box.clientHeight,
        }}; }})()""",
    )


@pytest.mark.proves("S3-P09")
@settings(max_examples=60)
@given(
    page=st.tuples(sizes, sizes),
    levels=st.lists(boxes, max_size=3),
    style=st.sampled_from(
        ["", "scroll-behavior:smooth", "zoom:1.5", "transform:scale(.7)", "border:9px solid"]
    ),
    target=st.integers(-1, 2),
    x=places,
    y=places,
)
async def test_scrolling_to_a_place_lands_there_or_at_the_end(
    context: ToolContext,
    site: Site,
    page: tuple[int, int],
    levels: list[tuple[int, int, int, int]],
    style: str,
    target: int,
    x: int,
    y: int,
):
    size = f"width:{page[0]}px; height:{page[1]}px"
    body = f'<style>html {{ {style} }} </style><div style="{size}">{nested(levels, style)}</div>'
    await do(context, "navigate", url=site.page("/scroll-property", body))
    boxed = 0 <= target < len(levels)
    selector = {"selector": f"#box{target}"} if boxed else {}
    element = f"document.getElementById('box{target}')" if boxed else "document.scrollingElement"
    room = await ends(context, element)
    if boxed and not (room["maxX"] > 1 or room["maxY"] > 1):
        # What does not scroll itself is scrolled by what is around it.
        return
    said = await do(context, "scroll", x=x, y=y, **selector)
    there = await ends(context, element)
    assert abs(there["x"] - min(x, there["maxX"])) <= NEAR_PX
    assert abs(there["y"] - min(y, there["maxY"])) <= NEAR_PX
    assert (said.x, said.y) == pytest.approx((there["x"], there["y"]), abs=1)
    assert said.moved == ((room["x"], room["y"]) != (there["x"], there["y"]))
