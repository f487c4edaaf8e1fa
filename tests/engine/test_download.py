"""Files that a page sends: whole, private, named safely, and never called done too early."""

from __future__ import annotations

import asyncio
import stat
import threading
from hashlib import sha256
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.crash import kill_browser
from support.download import DATA, attachment, begin, held_back
from support.engine import do, make_settings, session_of, value
from support.gate import MakeGate
from support.proxy import Proxy
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine import download
from tabwright.engine.context import ToolContext
from tabwright.engine.download import NAME_BYTES, REMEMBERED, URL_CHARACTERS, keep, safe_name
from tabwright.engine.manager import BrowserManager
from tabwright.errors import DriverCrashError


@pytest.mark.proves("S2-BT-001c", "U-22")
async def test_an_address_that_is_a_file_is_downloaded_and_the_page_stays(
    context: ToolContext, site: Site
):
    before = site.page("/files", "the page before", title="Before")
    await do(context, "navigate", url=before)
    outcome = await call(context, "navigate", {"url": attachment(site, "/files/get", "report.bin")})
    found = outcome.unwrap()
    path = Path(found.download["path"])
    assert path.is_absolute()
    assert path.read_bytes() == DATA
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert found.download["suggestedFilename"] == path.name == "report.bin"
    assert (found.download["sizeBytes"], found.download["state"]) == (len(DATA), "completed")
    assert outcome.text() == f"Downloaded report.bin ({len(DATA)} bytes) to {path}"
    assert (found.url, found.title) == (before, "Before")
    assert await value(context, "location.href") == before


@pytest.mark.proves("U-22")
async def test_a_download_may_come_after_a_redirect(context: ToolContext, site: Site):
    attachment(site, "/moved/file", "moved.bin")
    found = await do(context, "navigate", url=site.redirect("/moved", "/moved/file"))
    assert Path(found.download["path"]).read_bytes() == DATA


async def test_an_empty_file_is_a_download_too(context: ToolContext, site: Site):
    found = await do(context, "navigate", url=attachment(site, "/nil", "nil.bin", b""))
    assert found.download["state"] == "completed"
    assert Path(found.download["path"]).read_bytes() == b""


async def test_files_of_one_name_are_numbered(context: ToolContext, site: Site):
    paths = []
    for n in range(3):
        url = attachment(site, f"/same/{n}", "same.tar.gz", str(n).encode())
        paths.append(Path((await do(context, "navigate", url=url)).download["path"]))
    names = ["same.tar.gz", "same (1).tar.gz", "same (2).tar.gz"]
    assert [path.name for path in paths] == names
    assert [path.read_bytes() for path in paths] == [b"0", b"1", b"2"]


@pytest.mark.parametrize(
    "name", ["../../evil.sh", "..%2f..%2fevil.sh", "/etc/evil.sh", "..\\evil.sh"]
)
async def test_a_server_cannot_choose_where_the_file_goes(
    context: ToolContext, site: Site, name: str
):
    found = await do(context, "navigate", url=attachment(site, f"/evil/{len(name)}", name))
    session = await session_of(context)
    assert Path(found.download["path"]).parent == session.artifacts.directory / "downloads"


async def test_a_download_that_is_not_whole_in_time_is_not_called_done(
    context: ToolContext, site: Site
):
    gate = threading.Event()

    def slow(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("content-type", "application/octet-stream")
        request.send_header("content-disposition", 'attachment; filename="slow.bin"')
        request.send_header("content-length", str(len(DATA)))
        request.end_headers()
        request.wfile.write(DATA[:1000])
        request.wfile.flush()
        gate.wait(60)
        request.wfile.write(DATA[1000:])

    try:
        await do(context, "navigate", url=site.page("/slow/before", "before"))
        url = site.route("/slow", slow)
        outcome = await call(context, "navigate", {"url": url, "timeout": 3000})
        found = outcome.unwrap()
        assert (found.download["state"], found.download["path"]) == ("in_progress", None)
        assert "under way" in outcome.text()
        assert "Downloaded" not in outcome.text()
    finally:
        gate.set()
    session = await session_of(context)
    slow_one = session.downloads.all["d1"]
    await session.downloads.changed.until(lambda: slow_one.state == "completed")
    assert slow_one.path.read_bytes() == DATA


async def test_a_download_is_told_although_the_page_behind_it_hangs(
    context: ToolContext, site: Site, gate: MakeGate
):
    await do(context, "navigate", url=site.page("/hangs", "hangs", title="Hangs"))
    session = await session_of(context)
    tab = session.current
    assert tab is not None
    file = held_back(gate, "/hangs/file", "file.bin")
    going = asyncio.ensure_future(do(context, "navigate", url=file.url, timeout=3000))
    await session.downloads.changed.until(lambda: bool(session.downloads.all))
    tab.post("Runtime.evaluate", {"expression": "for (;;);"})
    found = await going
    assert (found.download["id"], found.download["state"]) == ("d1", "in_progress")
    assert (found.url, found.title) == (site.url("/hangs"), "")
    await do(context, "interrupt")
    file.open()
    (whole,) = (await do(context, "downloads", action="wait", id="d1")).downloads
    assert whole.state == "completed"


async def test_a_download_that_breaks_off_has_no_file(context: ToolContext, site: Site):
    def broken(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("content-disposition", 'attachment; filename="broken.bin"')
        request.send_header("content-length", str(len(DATA)))
        request.end_headers()
        request.wfile.write(DATA[:1000])
        request.close_connection = True

    outcome = await call(context, "navigate", {"url": site.route("/broken-off", broken)})
    found = outcome.unwrap()
    assert (found.download["state"], found.download["path"]) == ("canceled", None)
    assert "there is no file" in outcome.text()


async def test_files_go_to_the_configured_directory_and_stay(tmp_path: Path, site: Site):
    chosen = tmp_path / "chosen"
    manager = BrowserManager(make_settings(tmp_path, **{"paths.downloadDir": str(chosen)}))
    try:
        url = attachment(site, "/chosen", "kept.bin")
        found = await do(manager.context("one"), "navigate", url=url)
    finally:
        await manager.stop()
    assert Path(found.download["path"]) == chosen / "kept.bin"
    assert (chosen / "kept.bin").read_bytes() == DATA


async def test_a_whole_file_that_cannot_be_kept_has_failed_and_says_why(tmp_path: Path, site: Site):
    chosen = tmp_path / "chosen"
    manager = BrowserManager(make_settings(tmp_path, **{"paths.downloadDir": str(chosen)}))
    chosen.write_text("a file where a directory should be", encoding="utf-8")
    try:
        url = attachment(site, "/unkept", "unkept.bin")
        outcome = await call(manager.context("one"), "navigate", {"url": url})
    finally:
        await manager.stop()
    found = outcome.unwrap().download
    assert (found["state"], found["path"], found["sha256"]) == ("failed", None, None)
    assert outcome.text() == (
        "The download of unkept.bin failed: the file could not be kept: File exists; "
        "there is no file."
    )


@pytest.mark.parametrize("defect", [None, RuntimeError("a defect")])
async def test_a_file_that_is_all_here_is_not_completed_before_it_is_kept(
    context: ToolContext,
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    defect: Exception | None,
):
    begun, go_on, keep = threading.Event(), threading.Event(), download.keep

    def slowly(*args: Any) -> Any:
        begun.set()
        go_on.wait(60)
        if defect:
            raise defect
        return keep(*args)

    monkeypatch.setattr(download, "keep", slowly)
    await do(context, "navigate", url=site.page("/kept-slowly/before", "before"))
    url = attachment(site, "/kept-slowly", "slow.bin")
    found = await do(context, "navigate", url=url, timeout=3000)
    assert begun.is_set()
    assert (found.download["state"], found.download["receivedBytes"]) == ("in_progress", len(DATA))
    assert (found.download["path"], found.download["sha256"]) == (None, None)
    outcome = await call(context, "downloads", {"action": "cancel", "id": "d1", "timeout": 50})
    assert outcome.error is not None
    go_on.set()
    (kept,) = (await do(context, "downloads", action="wait", id="d1")).downloads
    if defect is None:
        assert (kept.state, Path(kept.path).read_bytes()) == ("completed", DATA)
    else:
        assert (kept.state, kept.path) == ("failed", None)
        assert kept.reason == "the file could not be kept: RuntimeError"
        assert "d1 could not be kept" in caplog.text


async def test_a_download_is_interrupted_when_the_connection_is_cut(
    tmp_path: Path, site: Site, gate: MakeGate
):
    proxy = Proxy()
    manager = BrowserManager(make_settings(tmp_path), launch=proxy.launch)
    context = manager.context("a")
    file = held_back(gate, "/cut-off", "cut.bin")
    try:
        await do(context, "navigate", url=site.page("/cut", "begin"))
        assert (await begin(context, file.url)).state == "in_progress"
        session = await session_of(context)
        waiting = asyncio.ensure_future(session.downloads.wait("d1", timeout_ms=30_000))
        await asyncio.sleep(0)
        proxy.cut()
        assert (await waiting).state == "interrupted"
        (cut,) = (await do(context, "downloads")).downloads
        assert (cut.id, cut.state, cut.path) == ("d1", "interrupted", None)
        file.open()
        (still,) = (await do(context, "downloads")).downloads
        assert still == cut
    finally:
        await manager.stop()
        await proxy.close()


async def test_waiting_for_a_next_download_ends_with_the_connection(
    own_manager: BrowserManager, site: Site
):
    context = own_manager.context("a")
    await do(context, "navigate", url=site.page("/none", "no file here"))
    session = await session_of(context)
    waiting = asyncio.ensure_future(session.downloads.wait(None, timeout_ms=30_000))
    await asyncio.sleep(0)
    kill_browser(own_manager)
    with pytest.raises(DriverCrashError):
        await waiting


async def test_files_of_one_name_that_come_at_once_do_not_meet(tmp_path: Path):
    received = [tmp_path / f"guid-{n}" for n in range(20)]
    for n, path in enumerate(received):
        path.write_bytes(bytes([n]) * 1000)
    target = tmp_path / "to"
    target.mkdir()
    kept = await asyncio.gather(
        *(asyncio.to_thread(keep, path, lambda: target, "a.txt") for path in received)
    )
    assert [file.path.read_bytes()[0] for file in kept] == list(range(20))
    assert sorted(target.iterdir()) == sorted(file.path for file in kept)
    assert [*tmp_path.iterdir()] == [target]
    assert all(file.sha256 == sha256(file.path.read_bytes()).hexdigest() for file in kept)


async def test_downloads_that_ended_long_ago_are_forgotten(context: ToolContext):
    session = await session_of(context)
    for n in range(REMEMBERED + 50):
        began = {"guid": f"g{n}", "url": "data:," + "x" * 9000, "suggestedFilename": "x"}
        session.downloads.began(began, "t1")
        if n != 3:
            over = {"guid": f"g{n}", "totalBytes": 9, "receivedBytes": 0, "state": "canceled"}
            session.downloads.went_on(over)
    listed = session.downloads.listed()
    assert len(listed) == REMEMBERED + 2
    assert [listed[0].id, listed[-1].id] == ["d4", f"d{REMEMBERED + 50}"]
    assert max(len(each.url) for each in listed) == URL_CHARACTERS


@given(name=st.text() | st.text("./\\ a\0é\U0001d11e", max_size=400))
@settings(max_examples=300)
def test_any_name_becomes_a_plain_one(name: str):
    safe = safe_name(name)
    assert safe
    assert safe not in {".", ".."}
    assert not set(safe) & {"/", "\\", "\0"}
    assert safe.isprintable()
    assert len(safe.encode("utf-8")) <= NAME_BYTES


@pytest.mark.parametrize("name", ["report.pdf", "Größe (1).tar.gz", "报告.docx", "a b.c"])
def test_an_ordinary_name_stays(name: str):
    assert safe_name(name) == name
