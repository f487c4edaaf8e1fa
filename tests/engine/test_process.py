"""A Chromium process: what it is started with, and that nothing of it is left behind."""

from __future__ import annotations

import asyncio
import ctypes
import ipaddress
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from support.engine import browser_processes, make_settings
from tabwright.dispatch import call
from tabwright.engine.ledger import Run
from tabwright.engine.manager import BrowserManager
from tabwright.engine.process import BrowserProcess, LaunchPlan
from tabwright.errors import LaunchFailed

GONE_WITHIN_S = 10
PR_SET_CHILD_SUBREAPER = 36

OWNER = """
import asyncio, json, sys
from pathlib import Path
from support.engine import do, make_settings
from tabwright.engine.manager import BrowserManager

async def main():
    manager = BrowserManager(make_settings(Path(sys.argv[1])))
    context = manager.context("a")
    await do(context, "navigate", url="data:text/html,<title>owned</title>")
    await do(context, "screenshot")
    print(json.dumps({"browser": manager.get_active_browser().process.pid}), flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""
"""A program that holds a browser until it is killed."""


@pytest.fixture
async def plan(manager, tmp_path) -> LaunchPlan:
    """How the run's browser was started, with directories of the test's own."""
    shared = await manager.launch_browser()
    run = Run(tmp_path / "runs", tmp_path / "profiles", tmp_path / "artifacts")
    return replace(shared.process.plan, user_data_dir=run.profiles / "own", run=run)


def stand_in(directory: Path, script: str) -> Path:
    """A shell script in the place of a browser."""
    path = directory / "stand-in"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def held() -> tuple[int, int]:
    """How many tasks and descriptors this process has."""
    return len(asyncio.all_tasks()), len(list(Path("/proc/self/fd").iterdir()))


async def assert_no_more_than(before: tuple[int, int]) -> None:
    """A transport closes its descriptor a turn of the loop after it was told to."""
    async with asyncio.timeout(10):
        while any(  # noqa: ASYNC110  # a closed descriptor sends no event
            now > then for now, then in zip(held(), before, strict=True)
        ):
            await asyncio.sleep(0)


def family(pid: int) -> dict[int, int]:
    """Descriptors that tell when the process and each of its children have ended."""
    parent = psutil.Process(pid)
    watched: dict[int, int] = {}
    for process in (parent, *parent.children(recursive=True)):
        with suppress(ProcessLookupError):
            watched[process.pid] = os.pidfd_open(process.pid)
    return watched


def survivors(watched: dict[int, int]) -> list[int]:
    """Who still runs after the time; a test that fails leaves them no longer."""
    poll = select.poll()
    left = {fd: pid for pid, fd in watched.items()}
    for fd in left:
        poll.register(fd, select.POLLIN)
    deadline = time.monotonic() + GONE_WITHIN_S
    while left and (remaining := deadline - time.monotonic()) > 0:
        for fd, _ in poll.poll(remaining * 1000):
            poll.unregister(fd)
            del left[fd]
    for fd in left:
        signal.pidfd_send_signal(fd, signal.SIGKILL)
    for fd in watched.values():
        os.close(fd)
    return sorted(left.values())


@pytest.fixture
def adopts_orphans() -> Iterator[None]:
    """The kernel wakes a stopped process when its parent dies, unless its session adopts it."""
    libc = ctypes.CDLL(None)
    assert libc.prctl(PR_SET_CHILD_SUBREAPER, 1) == 0
    yield
    libc.prctl(PR_SET_CHILD_SUBREAPER, 0)


def bury(pids: Iterable[int]) -> None:
    """Take the exit codes of the adopted, who would stay as zombies."""
    for pid in pids:
        with suppress(ChildProcessError):
            os.waitpid(pid, 0)


def start_owner(directory: Path) -> tuple[subprocess.Popen[str], int]:
    tests = str(Path(__file__).parents[1])
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(directory)],
        env={**os.environ, "PYTHONPATH": tests},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert owner.stdout is not None
    return owner, json.loads(owner.stdout.readline())["browser"]


@pytest.mark.proves("S3-BM-02", "S3-9.4")
async def test_a_browser_gets_a_dynamic_loopback_port_and_a_directory_of_its_own(plan):
    process = await BrowserProcess.launch(plan)
    argv = psutil.Process(process.pid).cmdline()
    assert argv == plan.argv
    assert "--remote-debugging-port=0" in argv
    assert f"--user-data-dir={plan.user_data_dir}" in argv
    assert "--no-first-run" in argv
    assert "--no-default-browser-check" in argv
    assert not any(arg.startswith("--remote-debugging-address") for arg in argv)
    assert plan.user_data_dir.stat().st_mode & 0o777 == 0o700
    await process.close()


@pytest.mark.proves("S3-9.4", "S3-BM-02")
async def test_the_debugging_port_listens_on_loopback_only(plan):
    process = await BrowserProcess.launch(plan)
    root = psutil.Process(process.pid)
    listening = [
        connection.laddr
        for each in (root, *root.children(recursive=True))
        for connection in each.net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    ]
    port = int(process.endpoint.removeprefix("ws://127.0.0.1:").partition("/")[0])
    assert port in [address.port for address in listening]
    assert all(ipaddress.ip_address(address.ip).is_loopback for address in listening)
    await process.close()


async def test_two_browsers_get_two_ports(plan):
    other = replace(plan, user_data_dir=plan.user_data_dir.with_name("other"))
    first, second = await asyncio.gather(*map(BrowserProcess.launch, (plan, other)))
    assert first.endpoint != second.endpoint
    await asyncio.gather(first.close(), second.close())


async def test_closing_twice_ends_every_process_and_gives_everything_back(plan):
    before = held()
    process = await BrowserProcess.launch(plan)
    everyone = family(process.pid)
    assert len(everyone) > 1
    await process.close()
    await process.close()
    assert process.exited.is_set()
    assert survivors(everyone) == []
    assert plan.run.processes == {}
    await assert_no_more_than(before)


async def test_a_stopped_browser_is_closed_all_the_same(plan):
    process = await BrowserProcess.launch(plan)
    everyone = family(process.pid)
    os.kill(process.pid, signal.SIGSTOP)
    await process.close(grace_s=0)
    assert survivors(everyone) == []


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel is asked through /proc")
async def test_a_killed_browser_is_known_to_be_dying_before_it_is_gone(plan):
    process = await BrowserProcess.launch(plan)
    assert not process.dying
    os.kill(process.pid, signal.SIGKILL)
    assert process.dying
    await process.exited.wait()
    assert process.dying
    await process.close()


async def assert_fails_and_leaves_nothing(plan: LaunchPlan) -> LaunchFailed:
    before = held()
    with pytest.raises(LaunchFailed) as caught:
        await BrowserProcess.launch(plan)
    await assert_no_more_than(before)
    assert plan.run.processes == {}
    assert browser_processes(plan.user_data_dir) == []
    assert caught.value.code == "BROWSER_UNAVAILABLE"
    assert caught.value.details["executable"] == str(plan.executable)
    return caught.value


async def test_a_browser_that_does_not_exist_fails_to_launch(plan, tmp_path):
    plan = replace(plan, executable=tmp_path / "nowhere")
    error = await assert_fails_and_leaves_nothing(plan)
    assert "No such file" in error.message
    assert "browser.executablePath" in error.hint


async def test_a_browser_that_is_not_executable_fails_to_launch(plan, tmp_path):
    path = tmp_path / "text"
    path.write_text("hello", encoding="utf-8")
    error = await assert_fails_and_leaves_nothing(replace(plan, executable=path))
    assert "Permission denied" in error.message


async def test_a_file_that_is_no_program_fails_to_launch(plan, tmp_path):
    path = tmp_path / "text"
    path.write_text("hello", encoding="utf-8")
    path.chmod(0o755)
    error = await assert_fails_and_leaves_nothing(replace(plan, executable=path))
    assert "Exec format error" in error.message


async def test_a_stand_in_that_exits_at_once_fails_with_what_it_said(plan, tmp_path):
    script = "echo 'libnss3.so: cannot open shared object file' >&2; exit 127"
    plan = replace(plan, executable=stand_in(tmp_path, script))
    error = await assert_fails_and_leaves_nothing(plan)
    assert "ended before it listened" in error.message
    assert error.details["stderr"] == ["libnss3.so: cannot open shared object file"]
    assert "tabwright install" in error.hint


async def test_a_stand_in_that_never_listens_fails_at_its_deadline(plan, tmp_path, monkeypatch):
    said = tmp_path / "said"
    executable = stand_in(tmp_path, f"echo waiting >&2; : > '{said}'; sleep 1000")
    listen = BrowserProcess._listen

    async def listen_once_it_spoke(process: BrowserProcess) -> None:
        while not said.exists():  # noqa: ASYNC110  # a file sends no event
            await asyncio.sleep(0)
        await listen(process)

    monkeypatch.setattr(BrowserProcess, "_listen", listen_once_it_spoke)
    plan = replace(plan, executable=executable, timeout_s=0.5)
    error = await assert_fails_and_leaves_nothing(plan)
    assert "did not listen within 0.5 s" in error.message
    assert error.details["stderr"] == ["waiting"]


async def test_a_launch_that_is_cancelled_leaves_nothing(plan, tmp_path):
    before = held()
    executable = stand_in(tmp_path, "sleep 1000")
    launching = asyncio.create_task(BrowserProcess.launch(replace(plan, executable=executable)))
    while not plan.run.processes:  # noqa: ASYNC110  # the ledger has no event
        await asyncio.sleep(0)
    launching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await launching
    await assert_no_more_than(before)
    assert browser_processes(plan.user_data_dir) == []


async def test_a_browser_that_talks_without_end_is_not_blocked_and_only_its_last_words_are_kept(
    plan, tmp_path
):
    script = "i=0; while [ $i -lt 5000 ]; do echo line $i >&2; i=$((i+1)); done"
    plan = replace(plan, executable=stand_in(tmp_path, script))
    error = await assert_fails_and_leaves_nothing(plan)
    assert error.details["stderr"] == [f"line {number}" for number in range(4995, 5000)]


@pytest.mark.proves("S0-25")
async def test_when_we_are_killed_the_browser_ends_by_itself_and_the_next_start_clears_up(
    tmp_path,
):
    owner, browser = await asyncio.to_thread(start_owner, tmp_path)
    everyone = family(browser)
    assert list((tmp_path / "profiles").glob("run-*"))
    owner.kill()
    owner.communicate()
    assert await asyncio.to_thread(survivors, everyone) == []

    manager = BrowserManager(make_settings(tmp_path), execute=call)
    await manager.start()
    assert list((tmp_path / "profiles").glob("run-*")) == []
    assert list((tmp_path / "profiles/.runs").glob("*")) == []
    assert list((tmp_path / "artifacts").glob("*")) == []
    assert (await manager.execute_action("tabs", {})).success
    await manager.stop()


@pytest.mark.proves("S0-25")
async def test_a_browser_that_was_stopped_when_we_were_killed_is_reaped_by_the_next_start(
    tmp_path, adopts_orphans
):
    owner, browser = await asyncio.to_thread(start_owner, tmp_path)
    everyone = family(browser)
    os.kill(browser, signal.SIGSTOP)
    owner.kill()
    owner.communicate()
    assert psutil.Process(browser).status() == psutil.STATUS_STOPPED

    manager = BrowserManager(make_settings(tmp_path))
    await manager.start()
    assert await asyncio.to_thread(survivors, everyone) == []
    bury(everyone)
    assert [e["pid"] for e in manager.journal.entries if e["event"] == "reaped"] == [browser]
    assert list((tmp_path / "profiles").glob("run-*")) == []
    assert list((tmp_path / "artifacts").glob("*")) == []
    await manager.stop()


@pytest.mark.proves("S0-25")
async def test_a_stopped_page_of_a_browser_that_is_gone_is_reaped_by_the_next_start(
    tmp_path, adopts_orphans
):
    owner, browser = await asyncio.to_thread(start_owner, tmp_path)
    children = psutil.Process(browser).children(recursive=True)
    renderer = next(child for child in children if "--type=renderer" in child.cmdline())
    watched = {renderer.pid: os.pidfd_open(renderer.pid)}
    renderer.suspend()
    owner.kill()
    owner.communicate()
    bury([browser])

    manager = BrowserManager(make_settings(tmp_path))
    await manager.start()
    assert await asyncio.to_thread(survivors, watched) == []
    bury(child.pid for child in children)
    await manager.stop()


async def test_the_next_start_leaves_the_browser_of_a_living_run_alone(tmp_path):
    owner, browser = await asyncio.to_thread(start_owner, tmp_path)
    manager = BrowserManager(make_settings(tmp_path))
    await manager.start()
    await manager.stop()
    assert psutil.Process(browser).is_running()
    assert len(list((tmp_path / "profiles").glob("run-*"))) == 1
    everyone = family(browser)
    owner.kill()
    owner.communicate()
    assert await asyncio.to_thread(survivors, everyone) == []


async def test_a_process_that_got_the_number_of_a_dead_browser_is_not_reaped(tmp_path):
    stranger = await asyncio.create_subprocess_exec("sleep", "1000", start_new_session=True)
    entry = {
        "owner": 2**22,
        "ownerBorn": 1.0,
        "processes": {str(stranger.pid): 1.0},
        "directories": [],
    }
    runs = tmp_path / "profiles/.runs"
    runs.mkdir(parents=True)
    (runs / "run-dead.json").write_text(json.dumps(entry), encoding="utf-8")
    manager = BrowserManager(make_settings(tmp_path))
    await manager.start()
    assert stranger.returncode is None
    assert psutil.Process(stranger.pid).status() != psutil.STATUS_ZOMBIE
    assert list(runs.iterdir()) == []
    await manager.stop()
    stranger.kill()
    await stranger.wait()
