"""Frames that do not answer: what is elsewhere in the page can still be used."""

from __future__ import annotations

import re

from support.engine import do, session_of, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.frame import Frame
from tabwright.engine.tab import Tab

HANG = "for (;;);"
BUSY = "for (const end = performance.now() + 1000; performance.now() < end;);"


async def show(context: ToolContext, site: Site) -> tuple[Tab, Frame]:
    """A page with a button, beside two frames of other processes with one each."""
    hung = f"http://hung.localhost:{site.port}"
    well = f"http://well.localhost:{site.port}"
    site.page("/hung/far", "<button onclick='top.postMessage(1, \"*\")'>Far</button><b>Both</b>")
    site.page("/hung/well", "<button onclick='top.postMessage(2, \"*\")'>Well</button>")
    body = f"""<button onclick="got.push(0)">Near</button><b>Both</b>
    <iframe src="{hung}/hung/far"></iframe><iframe src="{well}/hung/well"></iframe>
    <script>got = []; onmessage = (event) => got.push(event.data)</script>"""
    await do(context, "navigate", url=site.page("/hung/top", body))
    tab = (await session_of(context)).current
    assert tab is not None
    assert len(tab.frames.sessions()) == 3
    return tab, next(frame for frame in tab.frames if "hung.localhost" in frame.url)


async def test_a_frame_that_hangs_keeps_nothing_else_from_being_clicked(
    isolated: ToolContext, site: Site
):
    _, frame = await show(isolated, site)
    frame.post("Runtime.evaluate", {"expression": HANG})
    for name in ("Near", "Well"):
        assert (await do(isolated, "click", selector=f"text={name}")).verdict == "effective"
    assert await value(isolated, "got") == [0, 2]


async def test_what_is_not_found_may_be_in_the_frame_that_did_not_answer(
    isolated: ToolContext, site: Site
):
    _, frame = await show(isolated, site)
    frame.post("Runtime.evaluate", {"expression": HANG})
    for params in ({}, {"wait": True, "timeout": 3000}):
        outcome = await call(isolated, "click", {"selector": "text=Far", **params})
        assert outcome.error is not None
        assert outcome.error.code == ("TIMEOUT" if params else "ELEMENT_NOT_FOUND")
        assert outcome.error.details["silent"] == [frame.url]
        assert f"no answer from {frame.url}." in outcome.error.message


async def test_a_part_of_a_page_is_seen_or_missed_without_the_frame_that_hangs(
    isolated: ToolContext, site: Site
):
    _, frame = await show(isolated, site)
    frame.post("Runtime.evaluate", {"expression": HANG})
    assert 'button "Well"' in (await do(isolated, "snapshot", selector="text=Well")).content
    outcome = await call(isolated, "snapshot", {"selector": "text=Far"})
    assert outcome.error is not None
    assert outcome.error.code == "ELEMENT_NOT_FOUND"
    assert f"no answer from {frame.url}." in outcome.error.message


async def test_a_frame_that_is_busy_for_a_moment_is_waited_for(isolated: ToolContext, site: Site):
    _, frame = await show(isolated, site)
    frame.post("Runtime.evaluate", {"expression": BUSY})
    assert (await do(isolated, "click", selector="text=Far", wait=True)).verdict == "effective"
    assert await value(isolated, "got") == [1]


async def test_elements_of_two_frames_never_have_the_same_ref(isolated: ToolContext, site: Site):
    await show(isolated, site)
    outcome = await call(isolated, "click", {"selector": "css=button"})
    assert outcome.result is not None
    seen = (await do(isolated, "snapshot")).content
    refs = re.findall(r'button "\w+" (e\d+)', seen)
    assert len(set(refs)) == 3
    for ref, number in zip(refs, (0, 1, 2), strict=True):
        await do(isolated, "click", selector=ref)
        assert (await value(isolated, "got"))[-1] == number
