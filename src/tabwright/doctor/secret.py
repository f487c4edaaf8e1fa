"""Whether files that hold secrets can be read by their owner only."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from tabwright.config.replacing import PRIVATE
from tabwright.doctor.finding import Finding, failure, ok
from tabwright.doctor.machine import Machine

SUBJECT = "secrets"
_TOKEN = re.compile(r"authToken", re.IGNORECASE)


def check(machine: Machine) -> Iterator[Finding]:
    """The mode of the server's token, and of configuration files that hold one."""
    if os.name == "nt":
        yield ok(SUBJECT, "Windows keeps other users out of a profile by itself.")
        return
    files = [machine.places.token_file, *filter(_holds_token, machine.config_files)]
    there = [file for file in files if _there(file)]
    wrong = [finding for file in there for finding in _wrong(file)]
    yield from wrong
    if not wrong:
        names = " and ".join(map(str, there))
        told = f"Only you can read {names}." if there else "There is no token yet."
        yield ok(SUBJECT, told)


def _there(file: Path) -> bool:
    try:
        return file.exists()
    except OSError:
        return False


def _wrong(file: Path) -> Iterator[Finding]:
    facts = file.stat()
    if facts.st_uid != os.geteuid():
        yield failure(SUBJECT, f"{file} belongs to another user.", f"sudo chown $(id -u) {file}")
    elif facts.st_mode & 0o077:
        told = f"Others can read {file}: its mode is {stat.S_IMODE(facts.st_mode):04o}."
        yield failure(SUBJECT, told, f"chmod 600 {file}", fix=lambda: _close(file))


def _close(file: Path) -> str:
    file.chmod(PRIVATE)
    return f"{file} has mode 0600 now."


def _holds_token(file: Path) -> bool:
    try:
        return bool(_TOKEN.search(file.read_text(encoding="utf-8", errors="replace")))
    except OSError:
        return False
