"""What was there comes back whole, whenever the blow falls; what was stopped stays stopped."""

from __future__ import annotations

import asyncio
import os
import signal
import threading

import pytest

from support.crash import assert_state_is_back, kill_browser, stateful_page
from support.engine import browser_processes, do, make_settings, session_of, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.manager import BrowserManager


@pytest.mark.proves("R-5")
async def test_a_restore_that_is_cut_off_is_begun_again_by_the_next_call(own_manager, site):
    context = own_manager.context("a")
    url = await stateful_page(context, site, "/half-way")
    gate, slow = threading.Event(), site.page("/slow-to-return", "slow", title="Slow")
    await do(context, "tabs", action="new", url=slow)
    await do(context, "tabs", action="select", tab="t1")
    site.silent("/slow-to-return", gate)
    kill_browser(own_manager)
    outcome = await call(context, "evaluate", {"expression": "1", "timeout": 300})
    assert outcome.error.code == "TIMEOUT"
    gate.set()
    site.page("/slow-to-return", "slow", title="Slow")

    await assert_state_is_back(context, url)
    assert [tab.url for tab in (await do(context, "tabs")).tabs] == [url, slow]


@pytest.mark.proves("R-5")
async def test_storage_of_an_origin_that_no_tab_shows_comes_back_too(own_manager, site):
    other = Site()
    context = own_manager.context("a")
    url = await stateful_page(context, site, "/elsewhere")
    await do(context, "navigate", url=other.page("/", "other"))
    kill_browser(own_manager)
    assert await value(context, "location.origin") == other.origin
    await do(context, "navigate", url=url)
    assert await value(context, "localStorage.getItem('cart')") == "three"
    other.close()


@pytest.mark.proves("R-5")
async def test_an_address_that_could_not_be_shown_is_kept_and_tried_again(own_manager, site):
    context = own_manager.context("a")
    url = site.page("/comes-and-goes", "there", title="There")
    await do(context, "navigate", url=url)
    site.broken("/comes-and-goes")
    outcome = await call(context, "reload")
    assert outcome.error.code == "NETWORK_ERROR"
    kill_browser(own_manager)
    assert [tab.url for tab in (await do(context, "tabs")).tabs] == [url]
    site.page("/comes-and-goes", "there", title="There")
    kill_browser(own_manager)
    assert await value(context, "document.title") == "There"


async def test_what_a_busy_page_tells_of_its_storage_late_is_not_lost(own_manager, site):
    context = own_manager.context("a")
    await do(context, "navigate", url=site.page("/busy-storage", "busy"))
    session = await session_of(context)
    tab, begun = session.current, asyncio.Event()
    tab.on("Runtime.consoleAPICalled", lambda *_: begun.set())
    stores = "localStorage.k = 'far'; sessionStorage.k = 'near'; console.log('hangs'); for (;;);"
    tab.post("Runtime.evaluate", {"expression": stores})
    await begun.wait()
    await session.save()
    assert session.checkpoint.local_items[site.url("/").rstrip("/")] == []
    await tab.interrupt()
    await tab.send("Runtime.evaluate", {"expression": "0"})
    kill_browser(own_manager)
    assert await value(context, "[localStorage.k, sessionStorage.k]") == ["far", "near"]


@pytest.mark.proves("S3-P36")
async def test_stopping_ends_a_browser_that_is_stopped(tmp_path, site):
    manager = BrowserManager(make_settings(tmp_path))
    await do(manager.context("a"), "navigate", url=site.page("/frozen", "frozen"))
    os.kill(manager.get_active_browser().process.pid, signal.SIGSTOP)
    async with asyncio.timeout(30):
        await manager.stop()
    assert browser_processes(tmp_path) == []


async def test_a_frozen_browser_is_ended_by_the_first_call_that_finds_it_so(own_manager):
    await value(own_manager.context("known"), "1")
    pid = own_manager.get_active_browser().process.pid
    os.kill(pid, signal.SIGSTOP)
    outcome = await call(
        own_manager.context("new"), "evaluate", {"expression": "1", "timeout": 200}
    )
    assert outcome.error.code == "TIMEOUT"
    assert await value(own_manager.context("newer"), "1 + 1") == 2
    assert own_manager.get_active_browser().process.pid != pid


@pytest.mark.proves("S0-25")
async def test_calls_that_wait_while_everything_stops_are_refused_and_start_nothing(tmp_path):
    manager = BrowserManager(make_settings(tmp_path))
    context = manager.context("a")
    await value(context, "1")
    waiting = [
        asyncio.create_task(call(context, "evaluate", {"expression": "new Promise(() => {})"}))
        for _ in range(3)
    ]
    await asyncio.sleep(0)
    await manager.stop()
    outcomes = await asyncio.gather(*waiting)
    assert not any(outcome.success for outcome in outcomes)
    assert (await call(context, "tabs")).error.message == "Tabwright was stopped."
    assert browser_processes(tmp_path) == []
    await manager.start()
    assert await value(context, "1 + 1") == 2
    await manager.stop()


async def test_a_crashed_tab_in_the_background_can_be_listed_chosen_and_closed(own_manager, site):
    context = own_manager.context("a")
    url = await stateful_page(context, site, "/background")
    session = await session_of(context)
    first = session.current
    await do(context, "tabs", action="new")
    first.post("Page.crash")
    await first.changed.until(lambda: first.crashed)
    assert [tab.url for tab in (await do(context, "tabs")).tabs] == [url, "about:blank"]
    await do(context, "tabs", action="select", tab="t1")
    await assert_state_is_back(context, url)
    await do(context, "tabs", action="select", tab="t2")
    first.post("Page.crash")
    await first.changed.until(lambda: first.crashed)
    assert len((await do(context, "tabs", action="close", tab="t1")).tabs) == 1


@pytest.mark.parametrize(
    "onward",
    [
        "<meta http-equiv=refresh content='0; url=/onward-end'>",
        "<script>onload = () => setTimeout(() => location.href = '/onward-end', 0)</script>",
    ],
)
async def test_a_page_that_goes_on_by_itself_is_never_mixed_with_the_next(context, site, onward):
    end = site.page("/onward-end", "end", title="End")
    start = site.page("/onward", f"{onward}start", title="Start")
    for _ in range(5):
        arrived = await do(context, "navigate", url=start)
        told = (arrived.url, arrived.title, arrived.snippet)
        assert told in ((end, "End", "end"), (start, "Start", "start"))
