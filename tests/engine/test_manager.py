"""One browser for everyone: started once, when needed, and given back whole."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from support.engine import browser_processes, do, make_settings, session_of, value
from tabwright.dispatch import call
from tabwright.engine.manager import BrowserManager
from tabwright.engine.process import BrowserProcess, LaunchPlan
from tabwright.errors import InputError, LaunchFailed


class Counted:
    """The real launcher, counted."""

    def __init__(self) -> None:
        self.launches = 0
        self.hold: asyncio.Event | None = None
        self.begun = asyncio.Event()

    async def __call__(self, plan: LaunchPlan) -> BrowserProcess:
        self.launches += 1
        self.begun.set()
        if self.hold is not None:
            await self.hold.wait()
        return await BrowserProcess.launch(plan)


def main_processes(directory: Path) -> list[int]:
    """The browsers below a directory, their helper processes left out."""
    return [p.pid for p in browser_processes(directory) if "--type=" not in " ".join(p.cmdline())]


@pytest.mark.proves("S0-02", "S2-BT-010b")
async def test_nothing_runs_before_the_first_call_and_one_browser_serves_twenty(tmp_path):
    launch = Counted()
    manager = BrowserManager(make_settings(tmp_path), launch=launch)
    await manager.start()
    context = manager.context("a")
    assert main_processes(tmp_path) == []
    assert await value(context, "document.body.innerText + location.href") == "about:blank"
    for number in range(20):
        assert await value(context, str(number)) == number
        assert len(main_processes(tmp_path)) == 1
    assert launch.launches == 1
    await manager.stop()


@pytest.mark.proves("S0-03")
async def test_twenty_cold_calls_at_once_launch_one_browser(tmp_path, site):
    launch = Counted()
    manager = BrowserManager(make_settings(tmp_path), launch=launch)
    url = site.page("/cold", "cold", title="Cold")
    calls = [call(manager.context(f"c{n % 7}"), "navigate", {"url": url}) for n in range(20)]
    outcomes = await asyncio.gather(*calls)
    assert [outcome.unwrap().title for outcome in outcomes] == ["Cold"] * 20
    assert launch.launches == 1
    assert len(main_processes(tmp_path)) == 1
    await manager.stop()


@pytest.mark.proves("S0-03")
async def test_calls_from_another_thread_and_loop_use_the_same_browser(tmp_path):
    launch = Counted()
    manager = BrowserManager(make_settings(tmp_path), launch=launch)
    there: list[object] = []

    def elsewhere() -> None:
        there.append(asyncio.run(value(manager.context("thread"), "6 * 7")))

    threads = [threading.Thread(target=elsewhere) for _ in range(3)]
    here = asyncio.create_task(value(manager.context("here"), "1 + 1"))
    await asyncio.sleep(0)
    for thread in threads:
        thread.start()
    assert await here == 2
    for thread in threads:
        await asyncio.to_thread(thread.join)
    assert there == [42, 42, 42]
    assert launch.launches == 1
    await manager.stop()


@pytest.mark.proves("S0-04", "S0-22", "S0-24")
async def test_a_failed_start_is_tried_again_by_the_next_call(tmp_path, manager):
    await value(manager.context("working"), "1")
    binary = manager.get_active_browser().process.plan
    missing = tmp_path / "bin" / "browser"
    own = BrowserManager(make_settings(tmp_path, **{"tools.browser.browserBin": str(missing)}))
    context = own.context("a")
    outcomes = await asyncio.gather(*(call(context, "tabs") for _ in range(5)))
    for outcome in outcomes:
        assert isinstance(outcome.error, LaunchFailed)
        assert str(missing) in outcome.error.message
    assert own.get_active_browser() is None

    missing.parent.mkdir()
    libraries = binary.env.get("LD_LIBRARY_PATH", "")
    missing.write_text(
        f'#!/bin/sh\nexport LD_LIBRARY_PATH="{libraries}"\nexec "{binary.executable}" "$@"\n',
        encoding="utf-8",
    )
    missing.chmod(0o755)
    assert await value(context, "1 + 1") == 2
    assert own.get_active_browser() is not None
    await own.stop()


@pytest.mark.proves("S0-05")
async def test_a_browser_that_drops_its_socket_is_never_handed_out(tmp_path):
    """A stand-in for the browser: it says that it listens, accepts, and hangs up."""
    fake = tmp_path / "fake-browser"
    fake.write_text(
        "#!/usr/bin/env python3\n"
        "import socket, sys\n"
        "server = socket.create_server(('127.0.0.1', 0))\n"
        "port = server.getsockname()[1]\n"
        "print(f'DevTools listening on ws://127.0.0.1:{port}/devtools/browser/x',"
        " file=sys.stderr, flush=True)\n"
        "while True:\n"
        "    server.accept()[0].close()\n",
        encoding="utf-8",
    )
    fake.chmod(0o755)
    manager = BrowserManager(make_settings(tmp_path, **{"browser.executablePath": str(fake)}))
    outcomes = await asyncio.gather(*(call(manager.context(f"c{n}"), "tabs") for n in range(4)))
    assert [type(outcome.error) for outcome in outcomes] == [LaunchFailed] * 4
    assert manager.get_active_browser() is None
    assert browser_processes(tmp_path) == []
    await manager.stop()


@pytest.mark.proves("S0-06", "S3-BM-04", "S3-12.5")
async def test_closing_resets_everything_and_the_next_call_starts_anew(own_manager, tmp_path):
    context = own_manager.context("a")
    await value(context, "1")
    first = own_manager.get_active_browser()
    await own_manager.close_browser()
    assert own_manager.get_active_browser() is None
    assert browser_processes(tmp_path) == []

    assert await value(context, "1 + 1") == 2
    second = own_manager.get_active_browser()
    assert second.process.pid != first.process.pid
    launched = await own_manager.launch_browser()
    assert launched is second


@pytest.mark.proves("S0-06")
async def test_closing_during_a_start_waits_for_it_and_leaves_nothing(tmp_path):
    launch = Counted()
    launch.hold = asyncio.Event()
    manager = BrowserManager(make_settings(tmp_path), launch=launch)
    starting = asyncio.create_task(manager.launch_browser())
    await launch.begun.wait()
    closing = asyncio.create_task(manager.close_browser())
    await asyncio.sleep(0)
    assert not closing.done()
    launch.hold.set()
    await starting
    await closing
    assert manager.get_active_browser() is None
    assert browser_processes(tmp_path) == []
    await manager.stop()


@pytest.mark.proves("S3-P03")
async def test_stopping_gives_back_every_process_task_descriptor_and_file(tmp_path, site):
    def descriptors() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    tasks, files = len(asyncio.all_tasks()), descriptors()
    for _ in range(2):
        manager = BrowserManager(make_settings(tmp_path))
        for name in ("a", "b", "c"):
            await do(manager.context(name), "navigate", url=site.page("/gone", "gone"))
            await do(manager.context(name), "screenshot")
        await manager.stop()
        assert len(asyncio.all_tasks()) <= tasks
        assert descriptors() <= files
        assert browser_processes(tmp_path) == []
        assert [p for p in (tmp_path / "profiles").rglob("*") if p.is_file()] == []
        assert list((tmp_path / "artifacts").iterdir()) == []


@pytest.mark.proves("S3-BM-02", "S3-9.4")
async def test_the_browser_is_started_on_a_port_of_its_own_with_a_directory_of_its_own(manager):
    await value(manager.context("argv"), "1")
    argv = manager.get_active_browser().process.plan.argv
    assert "--remote-debugging-port=0" in argv
    assert "--no-first-run" in argv
    assert "--no-default-browser-check" in argv
    assert any(arg.startswith("--user-data-dir=") for arg in argv)
    assert not any(arg.startswith("--remote-debugging-address") for arg in argv)
    assert manager.get_active_browser().cdp_endpoint.startswith("ws://127.0.0.1:")


async def test_a_record_of_the_browser_names_its_profile_endpoint_and_times(manager):
    await value(manager.context("record"), "1")
    browser = manager.get_active_browser()
    assert browser.profile == "isolated" == manager.get_current_profile().name
    assert browser.id.startswith("browser-")
    assert browser.created_at <= browser.last_used_at


async def test_profiles_that_cannot_be_used_yet_are_refused_before_anything_starts(own_manager):
    names = {profile.name for profile in own_manager.list_profiles()}
    assert {"isolated", "chrome-extension", "remote"} <= names
    with pytest.raises(InputError, match="remote"):
        await own_manager.launch_browser("remote")
    with pytest.raises(InputError, match="nowhere"):
        await own_manager.switch_profile("nowhere")
    assert own_manager.get_active_browser() is None


async def test_switching_profiles_closes_the_browser_of_the_first(tmp_path):
    manager = BrowserManager(make_settings(tmp_path, **{"profiles.work.type": "isolated"}))
    await value(manager.context("a"), "window.first = 1")
    first = manager.get_active_browser()
    await manager.switch_profile("work")
    assert first.state == "gone"
    assert await value(manager.context("a"), "window.first === undefined")
    assert manager.get_active_browser().profile == "work"
    await manager.stop()


async def test_an_action_can_be_run_by_its_name(manager):
    outcome = await manager.execute_action("evaluate", {"expression": "2 + 2"})
    assert outcome.unwrap().value == 4


async def test_auto_start_launches_at_start(tmp_path):
    manager = BrowserManager(make_settings(tmp_path, **{"browser.autoStart": True}))
    await manager.start()
    assert manager.get_active_browser() is not None
    await manager.stop()


async def test_an_explicit_no_refuses_every_call_and_starts_nothing(tmp_path):
    launch = Counted()
    settings = make_settings(tmp_path, **{"tools.browser.enabled": False})
    manager = BrowserManager(settings, launch=launch)
    outcome = await call(manager.context("a"), "tabs")
    assert outcome.error.code == "PERMISSION_DENIED"
    assert "config set tools.browser.enabled true" in outcome.error.hint
    assert launch.launches == 0


async def test_a_browser_that_takes_too_long_to_start_answers_by_the_deadline(tmp_path):
    launch = Counted()
    launch.hold = asyncio.Event()
    manager = BrowserManager(make_settings(tmp_path), launch=launch)
    outcome = await call(manager.context("a"), "evaluate", {"expression": "1", "timeout": 50})
    assert outcome.error.code == "TIMEOUT"
    launch.hold.set()
    assert await value(manager.context("a"), "1 + 1") == 2
    assert launch.launches == 1
    await manager.stop()


async def test_a_session_that_is_closed_leaves_the_others(own_manager, site):
    for name in ("a", "b"):
        await do(own_manager.context(name), "navigate", url=site.page(f"/{name}", name))
    session = await session_of(own_manager.context("a"))
    assert await own_manager.close_session("a")
    assert not await own_manager.close_session("a")
    assert not session.artifacts.directory.exists()
    assert await value(own_manager.context("b"), "document.body.innerText") == "b"


async def test_what_is_done_to_browsers_and_state_is_counted_whichever_face_asked(own_manager):
    await own_manager.launch_browser()
    state = await own_manager.get_state()
    await own_manager.set_state(state)
    await own_manager.clear_state()
    await own_manager.close_browser()
    with pytest.raises(InputError):
        await own_manager.launch_browser("no-such-profile")
    verbs = own_manager.journal.metrics.as_dict()["verbs"]
    assert {name: (one["total"], one["errors"]) for name, one in verbs.items()} == {
        "launch": (2, 1),
        "get_state": (1, 0),
        "set_state": (1, 0),
        "clear_state": (1, 0),
        "close": (1, 0),
    }
    assert all(one["averageTime"] > 0 for one in verbs.values())
