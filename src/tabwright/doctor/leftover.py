"""Browsers and directories of runs that died before they could clear up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tabwright.doctor.finding import Finding, ok, warning
from tabwright.doctor.machine import Machine
from tabwright.engine import ledger
from tabwright.wording import many

SUBJECT = "leftovers"


def check(machine: Machine) -> Iterator[Finding]:
    """What the ledger names of runs that are over."""
    directory = ledger.ledger_dir(machine.settings.paths.user_data_base_dir)
    dead = ledger.dead_runs(directory)
    if not dead:
        yield ok(SUBJECT, "There are none.")
        return
    processes = sum(len(run.processes) for run in dead)
    directories = sum(len(run.directories) for run in dead)
    told = (
        f"{many(len(dead), 'run')} ended without clearing up: {many(processes, 'browser')} still "
        f"running, {many(directories, 'directory')} left. The next start clears them up."
    )
    yield warning(
        SUBJECT, told, "tabwright doctor --fix", fix=lambda: _reap(directory, directories)
    )


def _reap(directory: Path, directories: int) -> str:
    ended = ledger.reap(directory)
    left = len(ledger.dead_runs(directory))
    if left:
        raise PermissionError(13, f"{many(left, 'run')} cannot be cleared up by this user")
    return f"{many(len(ended), 'browser')} ended, {many(directories, 'directory')} removed."
