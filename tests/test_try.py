"""What `scripts/try` shows is true, and is found out when it is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from pypdf import PdfReader

from support.engine import browser_processes
from support.machine import Machine
from tabwright.config import Settings
from tabwright.demo import tour


def test_the_demo_does_the_main_job_and_keeps_its_files(tmp_path: Path, settings: Settings):
    machine = Machine(tmp_path, settings.paths.cache_dir)
    out, err = machine.run("--out", "kept", module="tabwright.demo")
    assert err == ""
    assert tour.RECEIPT in out
    assert (tmp_path / "kept/page.png").read_bytes().startswith(b"\x89PNG")
    (page,) = PdfReader(tmp_path / "kept/page.pdf").pages
    assert tour.RECEIPT in " ".join(page.extract_text().split())
    assert machine.leftovers() == []
    assert browser_processes(tmp_path) == []


def test_a_directory_that_cannot_be_written_is_refused(tmp_path: Path, settings: Settings):
    machine = Machine(tmp_path, settings.paths.cache_dir)
    (tmp_path / "file").touch()
    _, err = machine.run("--out", "file/below", module="tabwright.demo", code=2)
    assert "'file/below' cannot be written" in err


async def test_a_step_that_comes_out_otherwise_is_told(
    tmp_path: Path,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    for name, text in Machine(tmp_path, settings.paths.cache_dir).env.items():
        monkeypatch.setenv(name, text)
    monkeypatch.setattr(tour, "RECEIPT", "Sold out.")
    with pytest.raises(tour.Unexpected, match=r"the receipt is 'Order 1: .*'Sold out.'"):
        await tour.take(tmp_path)
    assert "failed  click on Order" in capsys.readouterr().out
    assert browser_processes(tmp_path) == []
