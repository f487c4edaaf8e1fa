"""Files that a page sends: whole, private, named safely, and never called done too early."""

from __future__ import annotations

import random
import stat
import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.engine import do, make_settings, session_of, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.download import NAME_BYTES, safe_name
from tabwright.engine.manager import BrowserManager

DATA = random.Random(1).randbytes(300_000)


def attachment(site: Site, path: str, name: str, data: bytes = DATA) -> str:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return site.content(path, data, mime="application/octet-stream", headers=headers)


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
        url = site.route("/slow", slow)
        outcome = await call(context, "navigate", {"url": url, "timeout": 1500})
        found = outcome.unwrap()
        assert (found.download["state"], found.download["path"]) == ("in_progress", None)
        assert "under way" in outcome.text()
        assert "Downloaded" not in outcome.text()
    finally:
        gate.set()
    session = await session_of(context)
    download = session.downloads.all[next(iter(session.downloads.all))]
    await session.downloads.changed.until(lambda: download.state == "completed")
    assert download.path.read_bytes() == DATA


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


@given(name=st.text() | st.text("./\\ a\0é\U0001d11e", max_size=400))
@settings(max_examples=300, deadline=None)
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
