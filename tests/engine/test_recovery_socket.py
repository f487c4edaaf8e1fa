"""The connection cut while the browser lives."""

from __future__ import annotations

import asyncio

import pytest

from support.engine import RushedClock, browser_processes, do, make_settings, value
from support.proxy import Proxy
from tabwright.dispatch import call
from tabwright.engine.browser import RECONNECT_DELAYS_S
from tabwright.engine.manager import BrowserManager
from tabwright.errors import DriverCrashError


@pytest.mark.proves("S3-P34", "S3-P03")
async def test_a_cut_socket_is_connected_again_and_the_pages_are_still_there(tmp_path, site):
    proxy = Proxy()

    manager = BrowserManager(make_settings(tmp_path), launch=proxy.launch)
    context = manager.context("a")
    await do(context, "navigate", url=site.page("/cut", "cut", title="Survivor"))
    await value(context, "window.memory = 'kept'")
    pid = manager.get_active_browser().process.pid

    slow = asyncio.create_task(call(context, "evaluate", {"expression": "new Promise(() => {})"}))
    await proxy.busy()
    proxy.cut()

    outcome = await slow
    assert isinstance(outcome.error, DriverCrashError)
    assert await value(context, "window.memory") == "kept"
    assert manager.get_active_browser().process.pid == pid
    await manager.stop()
    await proxy.close()
    assert browser_processes(tmp_path) == []


@pytest.mark.proves("S3-P34")
async def test_reconnecting_waits_1_2_4_8_16_seconds_then_gives_up_and_lists_the_attempts(
    tmp_path, site
):
    proxy = Proxy()

    clock = RushedClock()
    manager = BrowserManager(make_settings(tmp_path), launch=proxy.launch, clock=clock)
    await do(manager.context("a"), "navigate", url=site.page("/gone", "gone"))
    browser = manager.get_active_browser()
    proxy.refuse()
    proxy.cut()
    await browser.until_gone()
    assert tuple(clock.slept) == RECONNECT_DELAYS_S == (1, 2, 4, 8, 16)
    assert len(browser.attempts) == 5
    assert "attempt 5 after 16 s" in browser.attempts[-1]
    await manager.stop()
    await proxy.close()
    assert browser_processes(tmp_path) == []


@pytest.mark.proves("S3-P34")
async def test_reconnecting_stops_at_the_first_success(tmp_path, site):
    proxy = Proxy()

    clock = RushedClock(lambda sleeps: proxy.allow() if sleeps == 3 else None)
    manager = BrowserManager(make_settings(tmp_path), launch=proxy.launch, clock=clock)
    context = manager.context("a")
    await do(context, "navigate", url=site.page("/again", "again"))
    proxy.refuse()
    proxy.cut()
    await manager.get_active_browser().client.closed.wait()
    assert await value(context, "document.body.innerText") == "again"
    assert clock.slept == [1, 2, 4]
    await manager.stop()
    await proxy.close()
