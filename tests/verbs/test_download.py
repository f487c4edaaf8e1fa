"""Downloads through the door: listed, waited for, canceled, and never called done too early."""

from __future__ import annotations

import hashlib
import stat
from pathlib import Path

import pytest

from support.crash import kill_browser
from support.download import DATA, FIRST, attachment, begin, held_back
from support.engine import do, session_of, value
from support.gate import MakeGate
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager

SAVE = """
    function save(blob, name) {
        const link = document.createElement('a');
        link.href = URL.createObjectURL(blob), link.download = name, link.click();
    }
"""
DIGEST = hashlib.sha256(DATA).hexdigest()


@pytest.fixture
async def page(context: ToolContext, site: Site) -> str:
    url = site.page("/downloads", "<p>the page that downloads begin in</p>")
    await do(context, "navigate", url=url)
    return url


async def test_without_downloads_the_list_is_empty(context: ToolContext):
    outcome = await call(context, "downloads")
    assert outcome.unwrap().downloads == []
    assert outcome.text() == "Nothing was downloaded."


@pytest.mark.proves("S3-DL-01", "S3-6.8")
async def test_a_download_is_listed_under_way_waited_for_and_found_whole(
    context: ToolContext, page: str, gate: MakeGate
):
    file = held_back(gate, "/dl/report", "report.bin")
    await begin(context, file.url)
    outcome = await call(context, "downloads")
    (under_way,) = outcome.unwrap().downloads
    assert under_way.model_dump() == {
        "id": "d1",
        "state": "in_progress",
        "suggested_filename": "report.bin",
        "path": None,
        "size_bytes": FIRST,
        "received_bytes": FIRST,
        "total_bytes": len(DATA),
        "sha256": None,
        "reason": None,
        "url": file.url,
    }
    assert outcome.text() == "d1 report.bin 1,000 of 300,000 bytes in_progress"
    assert outcome.artifacts == []

    file.open()
    outcome = await call(context, "downloads", {"action": "wait"})
    (whole,) = outcome.unwrap().downloads
    path = Path(whole.path)
    assert path.read_bytes() == DATA
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (whole.id, whole.state, whole.sha256) == ("d1", "completed", DIGEST)
    assert whole.size_bytes == whole.received_bytes == whole.total_bytes == len(DATA)
    digest = DIGEST[:12]
    assert outcome.text() == f"d1 report.bin 300,000 bytes sha256 {digest}… completed {path}"
    assert [(file.path, file.size_bytes) for file in outcome.artifacts] == [(path, len(DATA))]
    assert (await do(context, "downloads")).downloads == [whole]
    assert await value(context, "location.href") == page


@pytest.mark.proves("S3-DL-01")
async def test_a_wait_that_is_too_long_says_how_far_it_is(
    context: ToolContext, page: str, gate: MakeGate
):
    file = held_back(gate, "/dl/slow", "slow.bin")
    download = await begin(context, file.url)
    outcome = await call(context, "downloads", {"action": "wait", "id": "d1", "timeout": 100})
    error = outcome.error
    assert error is not None
    assert outcome.text() == (
        "TIMEOUT: The download d1 of 'slow.bin' was not done within 100 ms. It has 1,000 of "
        "300,000 bytes; wait again with a longer `timeout`, or cancel it."
    )
    seen = error.details["download"]
    assert (seen["state"], seen["receivedBytes"], seen["path"]) == ("in_progress", FIRST, None)
    assert download.state == "in_progress"
    file.open()
    (whole,) = (await do(context, "downloads", action="wait", id="d1")).downloads
    assert whole.sha256 == DIGEST


@pytest.mark.proves("S3-DL-01")
async def test_a_canceled_download_leaves_no_file(context: ToolContext, page: str, gate: MakeGate):
    file = held_back(gate, "/dl/unwanted", "unwanted.bin")
    await begin(context, file.url)
    outcome = await call(context, "downloads", {"action": "cancel", "id": "d1"})
    (gone,) = outcome.unwrap().downloads
    assert (gone.state, gone.path, gone.sha256) == ("canceled", None, None)
    assert gone.received_bytes == FIRST
    assert outcome.text() == "d1 unwanted.bin canceled: canceled on request"
    directory = (await session_of(context)).artifacts.directory
    assert [path for path in directory.rglob("*") if path.is_file()] == []
    again = await do(context, "downloads", action="cancel", id="d1")
    assert again.downloads == [gone]
    assert (await do(context, "downloads", action="wait", id="d1")).downloads == [gone]


async def test_a_whole_download_cannot_be_canceled_any_more(
    context: ToolContext, page: str, site: Site
):
    await do(context, "navigate", url=attachment(site, "/dl/whole", "whole.bin"))
    (still,) = (await do(context, "downloads", action="cancel", id="d1")).downloads
    assert still.state == "completed"
    assert Path(still.path).read_bytes() == DATA


@pytest.mark.proves("S3-DL-01")
async def test_downloads_of_one_name_are_numbered(context: ToolContext, page: str, gate: MakeGate):
    files = [held_back(gate, f"/dl/same/{n}", "same.bin", DATA + bytes([n])) for n in range(3)]
    for file in files:
        await begin(context, file.url)
    for file in reversed(files):
        file.open()
    for n in range(3):
        await do(context, "downloads", action="wait", id=f"d{n + 1}")
    listed = (await do(context, "downloads")).downloads
    assert sorted(Path(d.path).name for d in listed) == ["same (1).bin", "same (2).bin", "same.bin"]
    assert [Path(d.path).read_bytes()[-1] for d in listed] == [0, 1, 2]
    assert len({d.sha256 for d in listed}) == 3


async def test_waiting_takes_the_newest_under_way_and_else_the_next(
    context: ToolContext, page: str, gate: MakeGate, site: Site
):
    older = held_back(gate, "/dl/older", "older.bin")
    newer = held_back(gate, "/dl/newer", "newer.bin")
    await begin(context, older.url)
    await begin(context, newer.url)
    newer.open()
    assert [d.id for d in (await do(context, "downloads", action="wait")).downloads] == ["d2"]
    older.open()
    assert [d.id for d in (await do(context, "downloads", action="wait")).downloads] == ["d1"]

    url = attachment(site, "/dl/next", "next.bin")
    await value(context, f"void setTimeout(() => {{ location.href = '{url}' }}, 200)")
    (following,) = (await do(context, "downloads", action="wait")).downloads
    assert (following.id, following.suggested_filename) == ("d3", "next.bin")


async def test_a_download_that_was_whole_before_the_wait_is_not_missed(
    context: ToolContext, page: str, site: Site
):
    download = await begin(context, attachment(site, "/dl/quick", "quick.bin"), len(DATA))
    session = await session_of(context)
    await session.downloads.changed.until(lambda: download.over)
    (quick,) = (await do(context, "downloads", action="wait")).downloads
    assert (quick.id, quick.state) == ("d1", "completed")
    outcome = await call(context, "downloads", {"action": "wait", "timeout": 50})
    assert outcome.text() == (
        "TIMEOUT: A download was not done within 50 ms. None has begun; do what starts it, or "
        "raise `timeout`."
    )


async def test_what_navigate_has_told_is_not_waited_for_again(
    context: ToolContext, page: str, site: Site
):
    found = await do(context, "navigate", url=attachment(site, "/dl/told", "told.bin"))
    assert (found.download["id"], found.download["sha256"]) == ("d1", DIGEST)
    outcome = await call(context, "downloads", {"action": "wait", "timeout": 50})
    assert outcome.error is not None
    assert outcome.error.code == "TIMEOUT"


@pytest.mark.parametrize(
    "start",
    [
        "window.open('URL')",
        "Object.assign(document.createElement('a'), {href: 'URL', target: '_blank'}).click()",
        "document.body.append(Object.assign(document.createElement('iframe'), {src: 'URL'}))",
        "fetch('URL').then(r => r.blob()).then(blob => save(blob, 'way.bin'))",
    ],
)
@pytest.mark.proves("S3-6.8")
async def test_downloads_that_begin_in_other_ways_are_found_too(
    context: ToolContext, page: str, site: Site, start: str
):
    url = attachment(site, "/dl/way", "way.bin")
    await value(context, SAVE)
    await value(context, f"void {start.replace('URL', url)}")
    (found,) = (await do(context, "downloads", action="wait")).downloads
    assert (found.suggested_filename, found.sha256) == ("way.bin", DIGEST)
    assert Path(found.path).read_bytes() == DATA


@pytest.mark.parametrize("action", ["wait", "cancel"])
async def test_an_unknown_download_is_refused_with_those_there_are(
    context: ToolContext, page: str, site: Site, action: str
):
    outcome = await call(context, "downloads", {"action": action, "id": "d7"})
    assert outcome.text() == ("VALIDATION_ERROR: There is no download 'd7'. Downloads: none.")
    await do(context, "navigate", url=attachment(site, "/dl/known", "known.bin"))
    outcome = await call(context, "downloads", {"action": action, "id": "known.bin"})
    assert outcome.text() == (
        "VALIDATION_ERROR: There is no download 'known.bin'. Downloads: d1 (known.bin)."
    )


async def test_conversations_do_not_see_each_others_downloads(
    context: ToolContext, manager: BrowserManager, page: str, site: Site
):
    await do(context, "navigate", url=attachment(site, "/dl/mine", "mine.bin"))
    other = manager.context("another")
    try:
        assert (await do(other, "downloads")).downloads == []
    finally:
        await manager.close_session("another")


@pytest.mark.proves("S3-DL-01")
async def test_a_download_that_a_crash_cut_off_is_never_completed(
    own_manager: BrowserManager, site: Site, gate: MakeGate
):
    context = own_manager.context("a")
    await do(context, "navigate", url=site.page("/downloads", "begin"))
    whole = await do(context, "navigate", url=attachment(site, "/dl/before", "before.bin"))
    file = held_back(gate, "/dl/cut", "cut.bin")
    download = await begin(context, file.url)
    kill_browser(own_manager)
    outcome = await call(context, "downloads", {"action": "wait", "id": "d2"})
    file.open()
    (cut,) = outcome.unwrap().downloads
    assert (cut.state, cut.path, cut.received_bytes) == ("interrupted", None, FIRST)
    assert outcome.text().splitlines()[-1] == (
        "d2 cut.bin interrupted: the browser or the connection to it was lost"
    )
    assert not [*download.received.parent.iterdir()]
    listed = (await do(context, "downloads")).downloads
    assert [(d.id, d.state) for d in listed] == [("d1", "completed"), ("d2", "interrupted")]
    assert Path(whole.download["path"]).read_bytes() == DATA
    after = await do(context, "navigate", url=attachment(site, "/dl/after", "after.bin"))
    assert (after.download["id"], after.download["state"]) == ("d3", "completed")
