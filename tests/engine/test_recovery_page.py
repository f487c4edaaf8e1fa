"""One page, or a driver beside us, that crashes or hangs: the rest goes on."""

from __future__ import annotations

import asyncio
import threading

import psutil
import pytest

from support.crash import assert_state_is_back, stateful_page
from support.engine import do, session_of, value
from tabwright.dispatch import call
from tabwright.engine.driver import PlaywrightAdapter
from tabwright.errors import DriverCrashError, TimedOut


@pytest.mark.proves("S0-31")
@pytest.mark.parametrize(
    ("verb", "params", "code"),
    [
        ("evaluate", {"expression": "throw new Error('x')"}, "SCRIPT_ERROR"),
        ("evaluate", {"expression": "new Promise(() => {})", "timeout": 50}, "TIMEOUT"),
        ("screenshot", {"selector": "#absent"}, "ELEMENT_NOT_FOUND"),
        ("screenshot", {"selector": "##"}, "INVALID_SELECTOR"),
    ],
)
async def test_ordinary_errors_are_not_called_crashes(context, verb, params, code):
    outcome = await call(context, verb, params)
    assert outcome.error.code == code
    assert not isinstance(outcome.error, DriverCrashError)


@pytest.mark.proves("S3-P33")
async def test_a_crashed_renderer_is_replaced_and_other_tabs_stay(own_manager, site):
    context = own_manager.context("a")
    url = await stateful_page(context, site, "/renderer")
    await do(context, "tabs", action="new", url=site.page("/neighbour", "n", title="Neighbour"))
    await do(context, "tabs", action="select", tab="t1")
    pid = own_manager.get_active_browser().process.pid
    session = await session_of(context)
    session.current.post("Page.crash")

    outcome = await call(context, "evaluate", {"expression": "new Promise(() => {})"})
    assert isinstance(outcome.error, DriverCrashError)
    assert outcome.error.details["process"] == "renderer"

    await assert_state_is_back(context, url)
    assert own_manager.get_active_browser().process.pid == pid
    listed = await do(context, "tabs")
    assert [tab.title for tab in listed.tabs] == ["Kept", "Neighbour"]


async def test_a_page_that_loops_for_ever_does_not_block_calls_or_other_conversations(
    own_manager, site
):
    context, other = own_manager.context("a"), own_manager.context("b")
    await do(context, "navigate", url=site.page("/loop", "loop"))
    await do(other, "navigate", url=site.page("/free", "free"))
    session = await session_of(context)
    session.current.post("Runtime.evaluate", {"expression": "while (true) {}"})

    outcome = await call(context, "screenshot", {"timeout": 400})
    assert isinstance(outcome.error, TimedOut)
    assert [action.verb for action in outcome.next_actions] == ["interrupt", "reload", "tabs"]
    assert await value(other, "document.body.innerText") == "free"
    assert (await do(context, "interrupt")).responsive
    assert await value(context, "1 + 1") == 2


async def test_a_looping_page_can_be_reloaded_or_closed(own_manager, site):
    context = own_manager.context("a")
    calm = site.page("/calm-after", "calm")
    for way_out in ("reload", "close", "navigate"):
        url = site.page("/loops", "loops")
        await do(context, "navigate", url=url)
        session = await session_of(context)
        session.current.post("Runtime.evaluate", {"expression": "while (true) {}"})
        if way_out == "reload":
            assert (await do(context, "reload", timeout=5000)).url == url
        elif way_out == "close":
            await do(context, "tabs", action="close", timeout=5000)
        else:
            assert (await do(context, "navigate", url=calm, timeout=5000)).url == calm
        assert await value(context, "1 + 1") == 2


@pytest.mark.proves("S0-26", "S3-PW-01")
async def test_a_killed_playwright_driver_is_a_typed_crash_and_the_engine_goes_on(
    own_manager, site
):
    context = own_manager.context("a")
    url = site.page("/driver", "driver")
    await do(context, "navigate", url=url)
    session = await session_of(context)
    endpoint = own_manager.get_active_browser().cdp_endpoint
    adapter = PlaywrightAdapter()
    await adapter.initialize(endpoint, target_id=session.current.target_id)
    node = next(p for p in psutil.Process().children() if "run-driver" in p.cmdline())
    gate = threading.Event()
    running = asyncio.create_task(adapter.navigate(site.silent("/never", gate)))
    await asyncio.to_thread(site.arrived("/never").wait, 10)
    node.kill()
    with pytest.raises(DriverCrashError):
        await running
    gate.set()
    await adapter.close()
    assert await value(context, "1 + 1") == 2

    again = PlaywrightAdapter()
    await again.initialize(endpoint, target_id=session.current.target_id)
    assert (await again.navigate(url)).status == 200
    await again.close()


@pytest.mark.proves("U-40")
async def test_each_event_is_told_once_also_while_playwright_looks_on(own_manager, site):
    context = own_manager.context("a")
    await do(context, "navigate", url=site.page("/alone", "alone"))
    session = await session_of(context)
    browser = own_manager.get_active_browser()
    adapter = PlaywrightAdapter()
    await adapter.initialize(browser.cdp_endpoint, target_id=session.current.target_id)
    seen: list[str] = []
    own_manager.journal.listen(lambda e: seen.append(e["url"]) if "url" in e else None)
    url = site.page("/watched", "watched")
    await do(context, "navigate", url=url)
    assert seen == [url]
    await adapter.page.wait_for_url(url)  # It hears of it over a connection of its own.
    await adapter.close()
