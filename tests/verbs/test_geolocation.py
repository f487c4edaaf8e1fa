"""Where pages are told that they are: in every tab, through navigations, until it is cleared."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.crash import kill_browser
from support.engine import do, value
from support.site import Site
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager

ASK = """new Promise((done) => navigator.geolocation.getCurrentPosition(
    ({ coords: c }) => done([c.latitude, c.longitude, c.accuracy]), (error) => done(error.code)))"""
ALLOWED = "navigator.permissions.query({ name: 'geolocation' }).then((found) => found.state)"
PAGE = f"<script>window.asked = {ASK}</script>"
BERLIN = {"latitude": 52.52, "longitude": 13.405}
DENIED = 1


async def where(context: ToolContext) -> Any:
    return await value(context, ASK)


# Feature: browser-automation, Property 22: Geolocation override
@pytest.mark.proves("S3-P22")
@settings(max_examples=40)
@given(
    latitude=st.floats(-90, 90) | st.sampled_from([-90, 0, 90]),
    longitude=st.floats(-180, 180) | st.sampled_from([-180, 0, 180]),
    accuracy=st.floats(0, 1e6),
)
async def test_the_page_reads_the_position_that_was_set(
    context: ToolContext, site: Site, latitude: float, longitude: float, accuracy: float
):
    await do(context, "navigate", url=site.page("/geo/any", "page"))
    given = {"latitude": latitude, "longitude": longitude, "accuracy": accuracy}
    await do(context, "geolocation", **given)
    assert await where(context) == [latitude, longitude, accuracy]


@pytest.mark.proves("S3-P22")
async def test_it_holds_through_navigations_in_new_tabs_and_for_the_first_script(
    context: ToolContext, site: Site
):
    told = (await do(context, "geolocation", **BERLIN)).text()
    assert told == "Position 52.52, 13.405, within 1 m."
    place = [52.52, 13.405, 1]
    await do(context, "navigate", url=site.page("/geo/first", PAGE))
    assert await value(context, "asked") == place
    assert await value(context, ALLOWED) == "granted"
    other = f"http://localhost:{site.port}/geo/first"
    await do(context, "navigate", url=other)
    assert await value(context, "asked") == place
    await do(context, "reload")
    assert await value(context, "asked") == place
    await do(context, "tabs", action="new", url=site.url("/geo/first"))
    assert await value(context, "asked") == place
    assert await value(context, f"open({other!r}), 0") == 0
    await do(context, "tabs", action="select", tab="t3")
    await do(context, "wait", loadState="load")
    assert await value(context, "asked") == place


@pytest.mark.proves("S3-P22")
async def test_a_frame_of_another_site_reads_it_too(isolated: ToolContext, site: Site):
    inner = f"<script>{ASK}.then((found) => parent.postMessage(found, '*'))</script>"
    site.page("/geo/inner", inner)
    body = f"""<script>window.told = new Promise((done) => {{ onmessage = (e) => done(e.data) }})
        </script><iframe allow=geolocation src="http://localhost:{site.port}/geo/inner"></iframe>"""
    await do(isolated, "geolocation", **BERLIN)
    await do(isolated, "navigate", url=site.page("/geo/outer", body))
    assert await value(isolated, "told") == [52.52, 13.405, 1]


@pytest.mark.proves("S3-P22")
async def test_clear_restores_what_was_before(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/geo/cleared", "page"))
    before = [await value(context, ALLOWED), await where(context)]
    assert before[1] == DENIED
    await do(context, "geolocation", **BERLIN)
    assert await where(context) == [52.52, 13.405, 1]
    assert (await do(context, "geolocation", action="clear")).text() == "No position is set."
    assert [await value(context, ALLOWED), await where(context)] == before
    await do(context, "tabs", action="new", url=site.url("/geo/cleared"))
    assert [await value(context, ALLOWED), await where(context)] == before


@pytest.mark.proves("S3-P22")
async def test_a_page_that_watches_is_told_of_a_move(context: ToolContext, site: Site):
    body = """<script>window.seen = []; addEventListener('load', () =>
        navigator.geolocation.watchPosition(({ coords: c }) => seen.push(c.latitude)))</script>"""
    await do(context, "geolocation", **BERLIN)
    await do(context, "navigate", url=site.page("/geo/watch", body))
    await do(context, "wait", expression="seen.includes(52.52)")
    await do(context, "geolocation", latitude=-33.5, longitude=151)
    await do(context, "wait", expression="seen.includes(-33.5)")
    assert (await value(context, "seen"))[-1] == -33.5


async def test_other_conversations_are_where_they_were(
    context: ToolContext, manager: BrowserManager, site: Site
):
    await do(context, "geolocation", **BERLIN)
    other = manager.context("elsewhere")
    try:
        await do(other, "navigate", url=site.page("/geo/other", "page"))
        assert await where(other) == DENIED
    finally:
        await manager.close_session("elsewhere")


async def test_it_holds_after_the_browser_was_started_again(
    own_manager: BrowserManager, site: Site
):
    context = own_manager.context("a")
    await do(context, "navigate", url=site.page("/geo/again", PAGE))
    await do(context, "geolocation", **BERLIN)
    kill_browser(own_manager)
    assert await where(context) == [52.52, 13.405, 1]
    assert await value(context, "asked") == [52.52, 13.405, 1]
