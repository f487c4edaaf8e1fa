"""Files a session makes."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from support.engine import do
from tabwright.engine.artifacts import SPILL_BYTES, Artifacts, spills
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager
from tabwright.errors import PathRefused


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_a_file_is_private_whatever_the_umask_says(tmp_path: Path, umask: int):
    before = os.umask(umask)
    try:
        own = Artifacts(tmp_path / "s").write(b"data", suffix=".bin", mime_type="x/y")
        named = Artifacts(tmp_path / "s").write(
            b"data", suffix="", mime_type="x/y", path=tmp_path / "given/name.bin"
        )
    finally:
        os.umask(before)
    assert [mode(own.path), mode(named.path)] == [0o600, 0o600]


def test_a_file_tells_what_it_is(tmp_path: Path):
    made = Artifacts(tmp_path).write(b"four", suffix=".bin", mime_type="x/y")
    assert made.as_dict() == {"path": str(made.path), "mimeType": "x/y", "sizeBytes": 4}
    assert made.path.suffix == ".bin"
    assert made.path.read_bytes() == b"four"


def test_a_file_that_cannot_be_written_leaves_nothing_and_keeps_the_old_one(tmp_path: Path):
    (tmp_path / "taken").mkdir()
    with pytest.raises(PathRefused, match="directory"):
        Artifacts(tmp_path).write(b"x", suffix="", mime_type="", path=tmp_path / "taken")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_long_text_is_measured_in_bytes():
    assert [spills("é" * (SPILL_BYTES // 2)), spills("é" * (SPILL_BYTES // 2) + "x")] == [
        False,
        True,
    ]


def test_spilled_text_is_whole_even_where_it_is_not_proper_unicode(tmp_path: Path):
    text = "half a pair: \ud800"
    made = Artifacts(tmp_path).spill(text)
    assert made.path.read_text(encoding="utf-8", errors="surrogatepass") == text


def test_files_go_with_the_session_unless_they_are_kept(tmp_path: Path):
    artifacts = Artifacts(tmp_path / "s")
    made = artifacts.spill("text")
    artifacts.kept = True
    artifacts.remove()
    assert made.path.exists()
    artifacts.kept = False
    artifacts.remove()
    assert not (tmp_path / "s").exists()


async def test_the_files_of_a_conversation_are_gone_when_it_is_closed(
    manager: BrowserManager, context: ToolContext, tmp_path: Path
):
    own = Path((await do(context, "screenshot")).path)
    named = Path((await do(context, "screenshot", path="mine.png")).path)
    await manager.close_session(context.conversation_id)
    assert (own.exists(), own.parent.exists(), named.exists()) == (False, False, True)


async def test_two_conversations_write_into_directories_of_their_own(
    manager: BrowserManager, context: ToolContext
):
    other = manager.context(f"{context.conversation_id}/../other")
    try:
        files = [Path((await do(each, "screenshot")).path) for each in (context, other)]
        root = manager.settings.paths.artifact_dir
        assert files[0].parent != files[1].parent
        assert all(file.is_relative_to(root) for file in files)
    finally:
        await manager.close_session(other.conversation_id)
