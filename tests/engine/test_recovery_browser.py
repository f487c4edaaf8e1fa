"""The browser process really killed or stopped, in the middle of calls."""

from __future__ import annotations

import asyncio
import os
import signal
import threading

import psutil
import pytest

from support.crash import (
    assert_state_is_back,
    journalled,
    kill_and_wait,
    kill_browser,
    stateful_page,
)
from support.download import begin, held_back
from support.engine import browser_processes, do, make_settings, session_of, value
from tabwright.dispatch import DOOR_GRACE_MS, call
from tabwright.engine.manager import BrowserManager
from tabwright.engine.process import BrowserProcess, LaunchPlan
from tabwright.errors import DriverCrashError, LaunchFailed, TimedOut


@pytest.mark.proves("S3-P33", "R-5", "S3-P38")
async def test_a_killed_browser_comes_back_with_cookies_storage_and_page(own_manager, site):
    context = own_manager.context("a")
    url = await stateful_page(context, site, "/killed-idle")
    before = own_manager.get_active_browser()
    directory = before.process.plan.user_data_dir

    pid = kill_browser(own_manager)

    await assert_state_is_back(context, url)
    after = own_manager.get_active_browser()
    assert after.process.pid != pid
    assert after.process.plan.user_data_dir == directory
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


@pytest.mark.proves("S3-P33")
async def test_a_killed_browser_is_restarted_before_anyone_calls(own_manager, site):
    context = own_manager.context("a")
    await stateful_page(context, site, "/killed-unseen")
    first = own_manager.get_active_browser()
    again = journalled(own_manager, "connect")
    kill_browser(own_manager)
    async with asyncio.timeout(10):
        entry = await again
    assert entry["pid"] != first.process.pid
    assert "crash" in [entry["event"] for entry in own_manager.journal.entries]


@pytest.mark.proves("S0-26", "S0-35")
async def test_a_browser_killed_during_navigate_is_restarted_and_navigate_is_repeated_once(
    own_manager, site
):
    context = own_manager.context("a")
    await do(context, "navigate", url=site.page("/before", "before"))
    arrived = threading.Event()

    def kill_at_first(request) -> None:
        if not arrived.is_set():
            arrived.set()
            kill_and_wait(own_manager)
            request.close_connection = True
            return
        body = b"<title>second</title>"
        request.send_response(200)
        request.send_header("content-type", "text/html")
        request.send_header("content-length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    url = site.route("/kills-once", kill_at_first)
    outcome = await call(context, "navigate", {"url": url})
    assert outcome.unwrap().title == "second"
    assert site.hits["/kills-once"] == 2
    assert [e for e in own_manager.journal.entries if e["event"] == "retry"]


@pytest.mark.proves("S0-26", "S0-33")
async def test_a_second_crash_of_the_same_call_is_reported_and_not_tried_a_third_time(
    own_manager, site
):
    context = own_manager.context("a")
    await do(context, "navigate", url=site.page("/calm", "calm"))

    def kill_always(request) -> None:
        kill_and_wait(own_manager)
        request.close_connection = True

    url = site.route("/kills-always", kill_always)
    outcome = await call(context, "navigate", {"url": url})
    assert isinstance(outcome.error, DriverCrashError)
    assert outcome.error.code == "BROWSER_DISCONNECTED"
    assert outcome.error.details["kind"] == "driver_crash"
    assert site.hits["/kills-always"] == 2
    assert (await do(context, "navigate", url=site.url("/calm"))).title == "Test"


@pytest.mark.proves("S0-27", "S0-28", "S0-34")
@pytest.mark.parametrize(
    ("verb", "params", "repeated"),
    [
        ("screenshot", {"fullPage": True}, True),
        ("pdf", {}, True),
        ("evaluate", {"expression": "new Promise(() => {})"}, False),
        ("reload", {}, True),
    ],
)
async def test_a_crash_during_each_verb_is_typed_or_repeated(
    own_manager, site, verb, params, repeated, monkeypatch
):
    context = own_manager.context("a")
    await do(context, "navigate", url=site.page("/victim", "<p>victim</p>"))
    session = await session_of(context)
    sent = session.current.post
    kills: list[int] = []

    def kill_when_sent(method, given=None):
        future = sent(method, given)
        if method in KILL_AT[verb] and not kills:
            kills.append(kill_browser(own_manager))
        return future

    monkeypatch.setattr(session.current, "post", kill_when_sent)
    outcome = await call(context, verb, params)
    assert kills
    assert outcome.success == repeated
    if not repeated:
        assert isinstance(outcome.error, DriverCrashError)
    assert await value(context, "1 + 1") == 2


KILL_AT = {
    "screenshot": {"Page.captureScreenshot"},
    "pdf": {"Page.printToPDF"},
    "evaluate": {"Runtime.evaluate"},
    "reload": {"Page.reload"},
}


@pytest.mark.proves("S0-29", "S0-32")
async def test_a_crash_while_a_session_starts_is_forgiven_once(own_manager, site):
    await do(own_manager.context("first"), "navigate", url=site.page("/first", "first"))
    browser = own_manager.get_active_browser()
    posted = browser.client.post
    creations: list[str] = []

    def kill_at_context(method, params=None, session_id=None):
        future = posted(method, params, session_id)
        if method == "Target.createBrowserContext":
            creations.append(method)
            kill_browser(own_manager)
        return future

    browser.client.post = kill_at_context
    assert (await call(own_manager.context("second"), "tabs")).success
    assert len(creations) == 1
    assert own_manager.get_active_browser() is not browser


@pytest.mark.proves("S0-33", "U-17")
async def test_two_crashes_while_a_session_starts_give_the_second_error(tmp_path):
    spawned: list[int] = []

    async def launch_then_die(plan: LaunchPlan) -> BrowserProcess:
        process = await BrowserProcess.launch(plan)
        spawned.append(process.pid)
        return process

    manager = BrowserManager(make_settings(tmp_path), launch=launch_then_die)
    deaths: list[int] = []

    def die(entry) -> None:
        if entry["event"] == "connect":
            deaths.append(entry["pid"])
            os.kill(entry["pid"], signal.SIGKILL)

    manager.journal.listen(die)
    outcome = await call(manager.context("a"), "tabs")
    assert isinstance(outcome.error, DriverCrashError)
    assert len(deaths) == 2
    assert len([e for e in manager.journal.entries if e["event"] == "retry"]) == 1
    await manager.stop()
    assert browser_processes(tmp_path) == []


@pytest.mark.proves("S0-30", "S3-P36")
async def test_stopping_with_a_dead_browser_raises_nothing_and_leaves_nothing(tmp_path, site):
    manager = BrowserManager(make_settings(tmp_path))
    for name in ("a", "b"):
        await do(manager.context(name), "navigate", url=site.page("/stop", "stop"))
    kill_browser(manager)
    await manager.stop()
    assert browser_processes(tmp_path) == []
    assert list((tmp_path / "profiles").glob("run-*")) == []
    assert list((tmp_path / "artifacts").glob("*")) == []


@pytest.mark.proves("S3-P36")
async def test_stopping_with_a_hung_renderer_and_an_open_download_leaves_nothing(
    tmp_path, site, gate
):
    manager = BrowserManager(make_settings(tmp_path))
    context = manager.context("a")
    await do(context, "navigate", url=site.page("/before-drip", "begin"))
    download = await begin(context, held_back(gate, "/drip", "slow.bin").url)
    assert download.state == "in_progress"
    session = await session_of(context)
    session.current.post("Runtime.evaluate", {"expression": "while (true) {}"})
    await manager.stop()
    assert browser_processes(tmp_path) == []
    assert list((tmp_path / "artifacts").glob("*")) == []


async def test_a_stopped_browser_is_ended_and_the_next_call_works(own_manager, site):
    context = own_manager.context("a")
    url = await stateful_page(context, site, "/stopped")
    pid = own_manager.get_active_browser().process.pid
    os.kill(pid, signal.SIGSTOP)
    outcome = await call(context, "evaluate", {"expression": "1", "timeout": 300})
    assert isinstance(outcome.error, TimedOut)
    await assert_state_is_back(context, url)
    assert own_manager.get_active_browser().process.pid != pid


async def test_a_browser_that_answers_late_lives_on_and_the_call_says_what_its_verb_said(
    own_manager, site, monkeypatch
):
    context = own_manager.context("a")
    await do(context, "navigate", url=site.page("/late", "late"))
    await value(context, "mark = 7")
    browser = own_manager.get_active_browser()
    pid, post = browser.process.pid, browser.client.post

    def wake_late(method, params=None, session_id=None):
        if method == "Browser.getVersion":
            late_s = DOOR_GRACE_MS / 1000
            asyncio.get_running_loop().call_later(late_s, os.kill, pid, signal.SIGCONT)
        return post(method, params, session_id)

    monkeypatch.setattr("tabwright.engine.browser.SILENT_S", 30)
    monkeypatch.setattr(browser.client, "post", wake_late)
    os.kill(pid, signal.SIGSTOP)
    outcome = await call(context, "evaluate", {"expression": "1", "timeout": 100})
    assert isinstance(outcome.error, TimedOut)
    assert "being made ready" not in str(outcome.error.hint)
    assert await value(context, "mark") == 7
    assert own_manager.get_active_browser().process.pid == pid


@pytest.mark.proves("S3-P33", "S3-ERR-04")
async def test_three_failed_restarts_make_the_profile_unavailable_until_it_is_launched_by_hand(
    tmp_path, site
):
    broken = False
    tries: list[str] = []

    async def launch(plan: LaunchPlan) -> BrowserProcess:
        if broken:
            tries.append("launch")
            raise LaunchFailed("It does not start any more.")
        return await BrowserProcess.launch(plan)

    manager = BrowserManager(make_settings(tmp_path), launch=launch)
    context = manager.context("a")
    url = await stateful_page(context, site, "/unavailable")
    broken = True
    given_up = journalled(manager, "unavailable")
    kill_browser(manager)
    await given_up
    outcome = await call(context, "tabs")
    assert outcome.error.code == "BROWSER_UNAVAILABLE"
    assert outcome.error.details["state"] == "unavailable"
    assert len(tries) == 3

    broken = False
    await manager.launch_browser()
    await assert_state_is_back(context, url)
    await manager.stop()
