"""What must never leak, break out or break: paths, secrets, modes, metrics."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from support.engine import do, make_settings, session_of
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.download import safe_name
from tabwright.engine.manager import BrowserManager
from tabwright.engine.policy import PathPolicy
from tabwright.engine.redact import redact, redact_text
from tabwright.errors import PathRefused


@pytest.mark.proves("S3-P41")
async def test_connections_that_come_and_go_are_logged_with_the_browser(tmp_path: Path):
    manager = BrowserManager(make_settings(tmp_path))
    await do(manager.context(), "tabs")
    pid = manager.get_active_browser().process.pid
    await manager.stop()
    events = [e for e in manager.journal.entries if e["event"] in ("connect", "disconnect")]
    assert [entry["event"] for entry in events] == ["connect", "disconnect"]
    for entry in events:
        assert entry["timestamp"].endswith("Z")
        assert "Chrome/" in entry["browser"]
        assert (entry["pid"], entry["profile"]) == (pid, "isolated")


@pytest.mark.parametrize(
    "text",
    [
        "const token = 'hunter2hunter2'",
        '{"token": "hunter2hunter2"}',
        '{"password": "correct horse hunter2"}',
        "password='it is \\'hunter2\\''",
        '{"password": 12345678}',
        "https://example.com/#access_token=hunter2hunter2",
        "https://hunter2hunter2@example.com/",
        "X-Api-Key: hunter2hunter2",
        "postgres://u:p@ss-hunter2@host/db",
    ],
)
def test_a_secret_in_running_text_is_masked_whole(text: str):
    masked = redact_text(text)
    assert "hunter2" not in masked
    assert "12345678" not in masked


def test_a_number_under_a_telling_name_is_masked():
    assert "4711" not in json.dumps(redact({"pin": 4711, "otp": 4711, "password": 4711}))


@pytest.mark.proves("S3-P42")
async def test_unknown_verbs_do_not_spoil_the_metrics(tmp_path: Path):
    manager = BrowserManager(make_settings(tmp_path))
    for n in range(50):
        await call(manager.context(), f'no"such\n{n}', {})
    lines = manager.journal.metrics.prometheus().splitlines()
    assert all(line.startswith(("#", "tabwright_")) for line in lines)
    assert len(lines) < 30


@pytest.mark.proves("S3-P31")
@pytest.mark.parametrize("given", [["url"], "url", 3, [("url", "about:blank")]])
async def test_parameters_that_are_no_object_are_refused(tmp_path: Path, given: Any):
    manager = BrowserManager(make_settings(tmp_path))
    outcome = await call(manager.context(), "navigate", given)
    assert outcome.error.code == "VALIDATION_ERROR"


@pytest.mark.proves("S3-P31")
@pytest.mark.parametrize("name", [[], {}, None, 3])
async def test_a_verb_that_is_no_word_is_refused(tmp_path: Path, name: Any):
    manager = BrowserManager(make_settings(tmp_path))
    outcome = await call(manager.context(), name, {})
    assert outcome.error.code == "VALIDATION_ERROR"
    assert manager.journal.metrics.prometheus()


@pytest.mark.parametrize("path", ["//dev/null", "/./dev/null", "LINK/null"])
def test_a_person_does_not_write_over_a_device_either(tmp_path: Path, path: str):
    (tmp_path / "link").symlink_to("/dev")
    policy = PathPolicy([tmp_path / "root"], allow_absolute=True)
    with pytest.raises(PathRefused):
        policy.resolve(path.replace("LINK", str(tmp_path / "link")), base=tmp_path)


@pytest.mark.parametrize("path", ["~nosuchuser/x.png", "loop/x.png", "loop"])
def test_a_path_that_leads_nowhere_is_refused(tmp_path: Path, path: str):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(PathRefused):
        PathPolicy([tmp_path]).resolve(path, base=tmp_path)


async def test_the_directory_of_a_session_is_private(context: ToolContext):
    await do(context, "screenshot")
    directory = (await session_of(context)).artifacts.directory
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700


def test_a_long_name_does_not_become_a_hidden_file():
    assert not safe_name("a" * 10 + "." + "b" * 199).startswith(".")


@pytest.mark.skipif(
    not Path("/dev/shm").exists() or Path("/dev/shm").stat().st_dev == Path("/tmp").stat().st_dev,
    reason="needs two file systems",
)
async def test_downloads_can_go_to_another_file_system(tmp_path: Path, site: Site):
    import tempfile

    with tempfile.TemporaryDirectory(dir="/dev/shm") as chosen:
        manager = BrowserManager(make_settings(tmp_path, **{"paths.downloadDir": chosen}))
        try:
            url = site.content(
                "/other-fs", b"data", mime="x/y", headers={"content-disposition": "attachment"}
            )
            found = await do(manager.context(), "navigate", url=url, timeout=5000)
            assert found.download["state"] == "completed"
            assert Path(found.download["path"]).read_bytes() == b"data"
        finally:
            await manager.stop()
