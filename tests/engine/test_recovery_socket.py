"""The connection cut while the browser lives."""

from __future__ import annotations

import asyncio

import pytest

from support.engine import browser_processes, do, make_settings, value
from support.proxy import Proxy
from tabwright.dispatch import call
from tabwright.engine.browser import RECONNECT_DELAYS_S
from tabwright.engine.manager import BrowserManager
from tabwright.engine.process import BrowserProcess, LaunchPlan
from tabwright.errors import DriverCrashError


@pytest.mark.proves("S3-P34", "S3-P03")
async def test_a_cut_socket_is_connected_again_and_the_pages_are_still_there(tmp_path, site):
    proxy = Proxy()

    async def launch_behind_proxy(plan: LaunchPlan) -> BrowserProcess:
        process = await BrowserProcess.launch(plan)
        process.endpoint = await proxy.before(process.endpoint)
        return process

    manager = BrowserManager(make_settings(tmp_path), launch=launch_behind_proxy)
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

    async def launch_behind_proxy(plan: LaunchPlan) -> BrowserProcess:
        process = await BrowserProcess.launch(plan)
        process.endpoint = await proxy.before(process.endpoint)
        return process

    slept: list[float] = []

    class ImpatientClock:
        def now(self) -> float:
            return asyncio.get_running_loop().time()

        async def sleep(self, seconds: float) -> None:
            if seconds >= 60:
                await asyncio.Event().wait()
            slept.append(seconds)

    manager = BrowserManager(
        make_settings(tmp_path), launch=launch_behind_proxy, clock=ImpatientClock()
    )
    await do(manager.context("a"), "navigate", url=site.page("/gone", "gone"))
    browser = manager.get_active_browser()
    proxy.refuse()
    proxy.cut()
    await browser.until_gone()
    assert tuple(slept) == RECONNECT_DELAYS_S == (1, 2, 4, 8, 16)
    assert len(browser.attempts) == 5
    assert "attempt 5 after 16 s" in browser.attempts[-1]
    await manager.stop()
    await proxy.close()
    assert browser_processes(tmp_path) == []


@pytest.mark.proves("S3-P34")
async def test_reconnecting_stops_at_the_first_success(tmp_path, site):
    proxy = Proxy()

    async def launch_behind_proxy(plan: LaunchPlan) -> BrowserProcess:
        process = await BrowserProcess.launch(plan)
        process.endpoint = await proxy.before(process.endpoint)
        return process

    slept: list[float] = []

    class OpeningClock:
        def now(self) -> float:
            return asyncio.get_running_loop().time()

        async def sleep(self, seconds: float) -> None:
            if seconds >= 60:
                await asyncio.Event().wait()
            slept.append(seconds)
            if len(slept) == 3:
                proxy.allow()

    manager = BrowserManager(
        make_settings(tmp_path), launch=launch_behind_proxy, clock=OpeningClock()
    )
    context = manager.context("a")
    await do(context, "navigate", url=site.page("/again", "again"))
    proxy.refuse()
    proxy.cut()
    await manager.get_active_browser().client.closed.wait()
    assert await value(context, "document.body.innerText") == "again"
    assert slept == [1, 2, 4]
    await manager.stop()
    await proxy.close()
