"""Scrolling the page, containers and elements; no movement is reported as such."""

from __future__ import annotations

import pytest

from support.engine import do, value
from support.site import Site
from tabwright.engine.context import ToolContext

PAGE = """<style>body { margin: 0 } #box { height: 100px; width: 200px; overflow: auto }
  #in { height: 1000px; width: 900px }</style>
<div id=box><div id=in><p id=deep style="margin-top: 800px">deep</p></div></div>
<div id=map style="width: 200px; height: 100px">map</div><div style="height: 3000px"></div>
<button id=far>far</button><script>turned = 0; map.onwheel = (e) => {
  if (e.isTrusted) turned += e.deltaY; e.preventDefault(); }</script>"""


@pytest.mark.proves("S3-6.5", "S3-ACT-01")
async def test_top_bottom_a_place_and_by_an_amount(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/scroll", PAGE))
    end = await value(context, "document.scrollingElement.scrollHeight - innerHeight")
    for params, expected in (
        ({"to": "bottom"}, end),
        ({"to": "top"}, 0),
        ({"x": 0, "y": 700}, 700),
        ({"to": "down", "amount": 55}, 755),
        ({"to": "up", "amount": 5}, 750),
        ({"y": 10_000}, end),
    ):
        found = await do(context, "scroll", **params)
        assert (found.y, await value(context, "scrollY")) == (expected, expected)
        assert (found.moved, found.max_y) == (True, end)
    await do(context, "scroll", to="top")
    await do(context, "scroll")
    assert 400 < await value(context, "scrollY") < 720


async def test_no_movement_is_reported(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/scroll/still", PAGE))
    found = await do(context, "scroll", to="top")
    assert (found.moved, found.verdict) == (False, "no_effect")
    assert "did not move" in found.text()
    await do(context, "navigate", url=site.page("/scroll/short", "short"))
    assert (await do(context, "scroll", to="down")).verdict == "no_effect"


@pytest.mark.proves("S3-6.5")
async def test_containers_and_elements(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/scroll/box", PAGE))
    found = await do(context, "scroll", selector="#box", x=30, y=300)
    assert (found.x, found.y, found.container) == (30, 300, '<div id="box">')
    assert await value(context, "[box.scrollLeft, box.scrollTop, scrollY]") == [30, 300, 0]
    await do(context, "scroll", selector="#box", to="bottom")
    assert await value(context, "box.scrollTop + box.clientHeight >= box.scrollHeight - 1")
    await do(context, "scroll", selector="#box", to="left", amount=10)
    assert await value(context, "box.scrollLeft") == 20
    for name in ("far", "deep"):
        found = await do(context, "scroll", selector=f"#{name}")
        assert found.verdict == "effective"
        box = await value(context, f"{name}.getBoundingClientRect().toJSON()")
        assert box["top"] >= 0
        assert box["bottom"] <= 720


async def test_what_only_listens_to_the_wheel_gets_it(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/scroll/map", PAGE))
    await do(context, "scroll", selector="#map", to="down", amount=120)
    assert await value(context, "[turned, scrollY]") == [120, 0]


async def test_what_scrolling_brings_is_in_the_receipt(context: ToolContext, site: Site):
    body = (
        PAGE
        + """<script>addEventListener("scroll", () => document.body.insertAdjacentHTML(
      "beforeend", "<div role=status>more rows</div>"), { once: true })</script>"""
    )
    await do(context, "navigate", url=site.page("/scroll/endless", body))
    found = await do(context, "scroll", to="bottom")
    assert any('status "more rows"' in change for change in found.receipt["changes"])
