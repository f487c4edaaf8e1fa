"""The runs of Tabwright, on disk, so that the next one can clear up after one that died."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# /proc/PID/stat after the state: ppid is 0, the start time in clock ticks is 18.
STARTED = 18


@dataclass
class Run:
    """This process's own entry: its browsers, and the directories that go with it."""

    ledger_dir: Path
    profile_base: Path
    artifact_base: Path
    id: str = field(default_factory=lambda: f"run-{uuid.uuid4().hex[:12]}")
    processes: dict[int, float | None] = field(default_factory=dict[int, float | None])

    @property
    def profiles(self) -> Path:
        """Where this run's browsers keep their data."""
        return self.profile_base / self.id

    @property
    def artifacts(self) -> Path:
        """Where this run's sessions keep their files."""
        return self.artifact_base / self.id

    def started(self, pid: int) -> None:
        """Write a browser process down. Its birth tells it from a later one of the same number."""
        self.processes[pid] = _born(pid)
        self._write()

    def ended(self, pid: int) -> None:
        """Strike a browser process off."""
        self.processes.pop(pid, None)
        self._write()

    def close(self) -> None:
        """Remove what belongs to the run. Files that were kept stay."""
        shutil.rmtree(self.profiles, ignore_errors=True)
        with suppress(OSError):
            self.artifacts.rmdir()
        self._file.unlink(missing_ok=True)

    @property
    def _file(self) -> Path:
        return self.ledger_dir / f"{self.id}.json"

    def _write(self) -> None:
        self.ledger_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        entry = {
            "owner": os.getpid(),
            "ownerBorn": _born(os.getpid()),
            "processes": self.processes,
            "directories": [str(self.profiles), str(self.artifacts)],
        }
        part = self._file.with_suffix(".part")
        part.write_text(json.dumps(entry), encoding="utf-8")
        part.replace(self._file)


@dataclass(frozen=True)
class DeadRun:
    """A run that ended without clearing up."""

    processes: list[int]
    """Its browsers that still live."""
    directories: list[Path]
    """Its directories that are still there."""


def ledger_dir(profile_base: Path) -> Path:
    """Where the runs are written down."""
    return profile_base / ".runs"


def dead_runs(ledger_dir: Path) -> list[DeadRun]:
    """What `reap` would clear up; nothing is touched."""
    found: list[DeadRun] = []
    for file in ledger_dir.glob("run-*.json"):
        try:
            entry: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
            if not _alive(entry["owner"], entry["ownerBorn"]):
                directories = [Path(each) for each in entry["directories"]]
                there = [each for each in directories if each.exists()]
                found.append(DeadRun(_living(entry), there))
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            # Being written just now, of another user, or not ours.
            continue
    return found


def reap(ledger_dir: Path) -> list[int]:
    """End the browsers of dead runs and remove what they left. Returns the pids that were ended."""
    reaped: list[int] = []
    for file in ledger_dir.glob("run-*.json"):
        try:
            entry: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
            if not _alive(entry["owner"], entry["ownerBorn"]):
                reaped += _clear(entry)
                file.unlink(missing_ok=True)
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            # Not an entry of ours, or one cut off in the writing: it names nothing to clear.
            file.unlink(missing_ok=True)
    return reaped


def _clear(entry: dict[str, Any]) -> list[int]:
    living = _living(entry)
    for pid in living:
        _end_group(pid)
    for directory in entry["directories"]:
        shutil.rmtree(directory, ignore_errors=True)
    return living


def _living(entry: dict[str, Any]) -> list[int]:
    return [int(pid) for pid, born in entry["processes"].items() if _ours(int(pid), born)]


def _ours(pid: int, born: float | None) -> bool:
    """Whether the browser, or only a child it left in its group, is still there.

    A number is not given to a new process while a group of that number exists.
    """
    if _born(pid) is not None:
        return _alive(pid, born)
    try:
        os.killpg(pid, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _end_group(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _born(pid: int) -> float | None:
    """When a process was started, on a clock that only compares with itself."""
    if sys.platform == "linux":
        try:
            stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None
        state, *fields = stat.rpartition(")")[2].split()
        return None if state == "Z" else float(fields[STARTED])
    import psutil

    with suppress(psutil.Error):
        return psutil.Process(pid).create_time()
    return None


def _alive(pid: int, born: float | None) -> bool:
    found = _born(pid)
    return found is not None and born is not None and abs(found - born) < 1
