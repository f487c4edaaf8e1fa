"""The external `agent-browser`, which one of our tools can use where it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator

from tabwright.doctor.finding import Finding, failure, ok
from tabwright.doctor.machine import Machine

SUBJECT = "agent-browser"
BASELINE = "0.41.0"
"""The version that was tested; no other one is supported."""

ANSWER_S = 20


def check(machine: Machine) -> Iterator[Finding]:
    """Whether it is on PATH, in the version that was tested."""
    path = shutil.which("agent-browser", path=machine.env.get("PATH"))
    if path is None:
        yield ok(SUBJECT, "It is not on PATH, and not needed: Tabwright has a back end of its own.")
        return
    install = f"npm install --global agent-browser@{BASELINE}"
    version = _version(path)
    if version == BASELINE:
        yield ok(SUBJECT, f"{path} has version {version}, which was tested.")
    elif version:
        told = f"{path} has version {version}, but {BASELINE} was tested."
        yield failure(SUBJECT, told, install)
    else:
        yield failure(SUBJECT, f"{path} does not say its version.", install)


def _version(path: str) -> str:
    try:
        ran = subprocess.run(
            [path, "--version"],
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=ANSWER_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = re.search(r"\d+\.\d+\.\d+\S*", ran.stdout)
    return found[0] if found and ran.returncode == 0 else ""
