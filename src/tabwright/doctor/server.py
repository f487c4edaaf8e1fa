"""The server that commands share: whether it runs, of which version, in a directory of ours."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from tabwright.doctor.finding import Finding, failure, ok, warning
from tabwright.doctor.machine import Machine

SUBJECT = "server"


def check(machine: Machine) -> Iterator[Finding]:
    """Its directory, and who holds its lock."""
    home = machine.places.server
    if os.name == "nt" or not home.exists():
        yield ok(SUBJECT, "None runs; the first command starts it.")
        return
    facts = home.stat()
    if facts.st_uid != os.geteuid():
        told = f"{home} belongs to another user, so no command can use it."
        yield failure(SUBJECT, told, f"sudo chown -R $(id -u) {home}")
        return
    if facts.st_mode & 0o077:
        told = f"Others may enter {home}: its mode is {stat.S_IMODE(facts.st_mode):04o}."
        yield failure(SUBJECT, told, f"chmod 700 {home}", fix=lambda: _close(home))
        return
    holder = _holder(home / "lock")
    if holder is None:
        yield ok(SUBJECT, "None runs; the next command starts it.")
        return
    pid, _, running = holder.partition(" ")
    if running == version("tabwright"):
        yield ok(SUBJECT, f"Version {running} runs (pid {pid}).")
    else:
        told = f"Version {running or 'unknown'} runs (pid {pid}), not {version('tabwright')}."
        yield warning(SUBJECT, told, "tabwright stop")


def _holder(lock: Path) -> str | None:
    """What the server that runs wrote into its lock."""
    import fcntl

    try:
        with lock.open(encoding="ascii", errors="replace") as opened:
            try:
                fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return opened.read().strip()
    except FileNotFoundError:
        return None
    return None


def _close(home: Path) -> str:
    home.chmod(0o700)
    return f"{home} has mode 0700 now."
