"""Whether this Python is new enough."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata

from tabwright.doctor.finding import Finding, failure, ok
from tabwright.doctor.machine import Machine

SUBJECT = "runtime"


def check(machine: Machine) -> Iterator[Finding]:
    """The version of Python against the one that the package asks for."""
    del machine
    floor = _floor()
    version, system = platform.python_version(), f"{platform.system()} {platform.machine()}"
    if sys.version_info[: len(floor)] >= floor:
        yield ok(SUBJECT, f"Python {version} on {system}.")
        return
    wanted = ".".join(map(str, floor))
    told = f"Python {version} is too old: Tabwright needs {wanted}."
    yield failure(SUBJECT, told, f"uv tool install --python {wanted} tabwright")


def _floor() -> tuple[int, ...]:
    try:
        written = metadata("tabwright")["Requires-Python"]
    except (PackageNotFoundError, KeyError):
        return ()
    found = re.search(r">=\s*([\d.]+)", written or "")
    return tuple(map(int, found[1].split("."))) if found else ()
