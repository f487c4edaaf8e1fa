"""Locks that a browser left in a profile's directory: the next one would refuse to start."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

from tabwright.config import profile_dir
from tabwright.doctor.finding import Finding, ok, warning
from tabwright.doctor.machine import Machine

SUBJECT = "profile locks"
LOCK = "SingletonLock"


def check(machine: Machine) -> Iterator[Finding]:
    """Each profile's lock, and whether who holds it still lives."""
    settings = machine.settings
    found = [
        finding
        for name, profile in settings.profiles.items()
        if profile.type == "isolated"
        for finding in _locked(name, profile_dir(settings, name) / LOCK)
    ]
    yield from found or [ok(SUBJECT, "No profile is locked.")]


def _locked(name: str, lock: Path) -> Iterator[Finding]:
    try:
        holder = str(lock.readlink())
    except OSError:
        return
    host, _, number = holder.rpartition("-")
    if host != socket.gethostname():
        told = f"Profile {name!r} is locked by a browser on {host!r}."
        yield warning(SUBJECT, told, f"rm {lock}  # if no browser there uses it any more")
    elif number.isdigit() and _lives(int(number)):
        yield ok(SUBJECT, f"Profile {name!r} is in use by pid {number}.")
    else:
        told = f"Profile {name!r} is locked by pid {number}, which is gone."
        yield warning(SUBJECT, told, f"rm {lock}", fix=lambda: _unlock(lock, holder))


def _unlock(lock: Path, holder: str) -> str:
    # Somebody may have started a browser, or cleared up, since it was looked at.
    if not lock.is_symlink():
        return f"{lock} is gone already."
    if str(lock.readlink()) != holder:
        return f"{lock} was left: another browser holds it now."
    lock.unlink()
    return f"{lock} was removed."


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
