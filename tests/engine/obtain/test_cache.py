"""Once per machine, whole or not at all; `mirror.py` says what is served."""

import asyncio
import json
import subprocess
import sys

import pytest

from tabwright.engine.obtain import find_browser, obtain
from tabwright.engine.obtain.cft import ChromeForTesting
from tabwright.engine.obtain.process import run

from .mirror import VERSION

CHILD = """
import asyncio, sys
from pathlib import Path
from tabwright.engine.obtain import obtain
from tabwright.engine.obtain.cft import ChromeForTesting

async def main():
    print("started", flush=True)
    source = ChromeForTesting(index=sys.argv[1])
    browser = await obtain("shell", cache=Path(sys.argv[2]), sources=[source])
    print(browser.path, flush=True)

asyncio.run(main())
"""


def child(mirror, cache) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", CHILD, mirror.index, str(cache)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def partials(cache) -> list[str]:
    return [path.name for path in (cache / "browsers").glob(".partial-*")]


def found(cache):
    return find_browser("shell", cache=cache, system=False)


@pytest.mark.proves("S2-BT-007b")
async def test_ten_processes_at_once_download_once(mirror, tmp_path):
    path = mirror.offer("shell")
    hold = mirror.hold(path)
    children = [child(mirror, tmp_path) for _ in range(10)]
    assert {each.stdout.readline() for each in children} == {"started\n"}
    assert await asyncio.to_thread(hold.reached.wait, 30)
    hold.released.set()
    answers = {(await asyncio.to_thread(each.communicate))[0] for each in children}
    assert answers == {f"{found(tmp_path).path}\n"}
    assert mirror.count(path) == 1
    assert partials(tmp_path) == []


@pytest.mark.proves("S2-BT-007b")
async def test_ten_tasks_at_once_download_once(mirror, tmp_path):
    path = mirror.offer("shell")
    hold = mirror.hold(path)
    waiting = asyncio.Semaphore(0)

    def progress(done: int, total: int, label: str) -> None:
        if label.startswith("waiting"):
            waiting.release()

    sources = [ChromeForTesting(index=mirror.index)]
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(obtain("shell", cache=tmp_path, sources=sources, progress=progress))
            for _ in range(10)
        ]
        for _ in range(9):
            await waiting.acquire()
        hold.released.set()
    assert {task.result().path for task in tasks} == {found(tmp_path).path}
    assert mirror.count(path) == 1


@pytest.mark.proves("S2-BT-007b")
async def test_a_killed_download_leaves_nothing_that_would_be_taken(mirror, tmp_path):
    path = mirror.offer("shell")
    hold = mirror.hold(path)
    killed = child(mirror, tmp_path)
    assert await asyncio.to_thread(hold.reached.wait, 30)
    killed.kill()
    await asyncio.to_thread(killed.communicate)
    hold.released.set()
    assert len(partials(tmp_path)) == 1
    assert found(tmp_path) is None
    sources = [ChromeForTesting(index=mirror.index)]
    assert (await obtain("shell", cache=tmp_path, sources=sources)).version == VERSION
    assert partials(tmp_path) == []


async def test_a_cancelled_download_removes_what_it_had(mirror, tmp_path):
    hold = mirror.hold(mirror.offer("shell"))
    sources = [ChromeForTesting(index=mirror.index)]
    task = asyncio.create_task(obtain("shell", cache=tmp_path, sources=sources))
    assert await asyncio.to_thread(hold.reached.wait, 30)
    assert len(partials(tmp_path)) == 1
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    hold.released.set()
    assert partials(tmp_path) == []
    assert found(tmp_path) is None
    assert (await obtain("shell", cache=tmp_path, sources=sources)).version == VERSION


@pytest.mark.proves("S2-BT-007c")
async def test_the_second_run_needs_no_network(mirror, tmp_path):
    mirror.offer("shell")
    sources = [ChromeForTesting(index=mirror.index)]
    first = await obtain("shell", cache=tmp_path, sources=sources)
    mirror.seen.clear()
    mirror.files.clear()
    assert await obtain("shell", cache=tmp_path, sources=sources) == first
    assert found(tmp_path) == first
    assert mirror.seen == []
    assert (await run(first.path, "--version", timeout_s=20)).out == f"Chromium {VERSION}\n"


async def test_the_manifest_says_what_was_obtained(mirror, tmp_path):
    mirror.offer("shell")
    browser = await obtain("shell", cache=tmp_path, sources=[ChromeForTesting(index=mirror.index)])
    [file] = tmp_path.glob(f"browsers/shell-{VERSION}-cft/manifest.json")
    manifest = json.loads(file.read_text(encoding="utf-8"))
    assert file.parent / manifest["path"] == browser.path
    assert (manifest["kind"], manifest["version"], manifest["source"]) == ("shell", VERSION, "cft")
    assert [len(digest) for digest in manifest["sha256"].values()] == [64]
    assert manifest["obtainedAt"].endswith("Z")


@pytest.mark.parametrize("damage", ["manifest", "binary", "platform"])
async def test_a_damaged_entry_is_not_taken_and_is_replaced(damage, mirror, tmp_path):
    mirror.offer("shell")
    sources = [ChromeForTesting(index=mirror.index)]
    browser = await obtain("shell", cache=tmp_path, sources=sources)
    [manifest] = tmp_path.glob("browsers/*/manifest.json")
    match damage:
        case "manifest":
            manifest.write_text("{", encoding="utf-8")
        case "binary":
            browser.path.unlink()
        case _:
            text = manifest.read_text(encoding="utf-8")
            manifest.write_text(text.replace('"platform": "', '"platform": "x'), encoding="utf-8")
    assert found(tmp_path) is None
    assert await obtain("shell", cache=tmp_path, sources=sources) == browser
