"""The processes we started, on disk, so that the next start can end what outlived us."""

from __future__ import annotations

import json
import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path

import psutil

EXIT_WAIT_S = 3.0


def _directory(state_dir: Path) -> Path:
    return state_dir / "processes"


def add(state_dir: Path, pid: int, temporary_dir: Path | None) -> None:
    """Write down a process. Its birth time tells it from a later one with the same number."""
    directory = _directory(state_dir)
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    entry = {
        "owner": os.getpid(),
        "ownerBorn": _born(os.getpid()),
        "born": _born(pid),
        "temporaryDir": str(temporary_dir) if temporary_dir else None,
    }
    (directory / f"{pid}.json").write_text(json.dumps(entry), encoding="utf-8")


def remove(state_dir: Path, pid: int) -> None:
    """Strike a process off: it is gone."""
    (_directory(state_dir) / f"{pid}.json").unlink(missing_ok=True)


def reap(state_dir: Path) -> list[int]:
    """End the processes whose owner is dead, and remove what they left. Returns their pids."""
    reaped: list[int] = []
    for file in _directory(state_dir).glob("*.json"):
        try:
            entry = json.loads(file.read_text(encoding="utf-8"))
            pid = int(file.stem)
        except (OSError, ValueError):
            file.unlink(missing_ok=True)
            continue
        if _alive(entry["owner"], entry["ownerBorn"]):
            continue
        if _alive(pid, entry["born"]):
            _end_group(pid)
            reaped.append(pid)
        if entry["temporaryDir"]:
            shutil.rmtree(entry["temporaryDir"], ignore_errors=True)
        file.unlink(missing_ok=True)
    return reaped


def _end_group(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    with suppress(psutil.NoSuchProcess, psutil.TimeoutExpired):
        psutil.Process(pid).wait(EXIT_WAIT_S)


def _born(pid: int) -> float | None:
    with suppress(psutil.Error):
        return psutil.Process(pid).create_time()
    return None


def _alive(pid: int, born: float | None) -> bool:
    if born is None:
        return False
    found = _born(pid)
    return found is not None and abs(found - born) < 1
