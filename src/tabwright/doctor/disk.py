"""Whether there is room, and whether we may write where we have to."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from tabwright.doctor.finding import Finding, failure, ok, warning
from tabwright.doctor.machine import Machine

SUBJECT = "disk"
MB = 10**6
# A browser that is being obtained needs its archive and what is in it at the same time.
LITTLE_MB = 1000
TOO_LITTLE_MB = 100


def check(machine: Machine) -> Iterator[Finding]:
    """Each directory of `paths`; those on one disk are told once."""
    paths = machine.settings.paths
    keys = {
        "paths.cacheDir": paths.cache_dir,
        "paths.userDataBaseDir": paths.user_data_base_dir,
        "paths.artifactDir": paths.artifact_dir,
        "paths.screenshotDir": paths.screenshot_dir,
        "paths.downloadDir": paths.download_dir,
    }
    disks: dict[int, Path] = {}
    for key, path in keys.items():
        there = _existing(path)
        if there is None or not os.access(there, os.W_OK | os.X_OK):
            yield failure(SUBJECT, f"{key} cannot be written: {path}.", _own(there or path))
        elif not there.is_dir():
            told = f"{key} cannot be made, because {there} is no directory."
            yield failure(SUBJECT, told, f"tabwright config set {key} DIRECTORY")
        else:
            disks.setdefault(there.stat().st_dev, there)
    for place in disks.values():
        yield _room(place)


def _existing(path: Path) -> Path | None:
    """The directory itself, or the nearest one above in which it would be made."""
    for each in (path, *path.parents):
        try:
            if each.exists():
                return each
        except OSError:
            return None
    return None


def _own(path: Path) -> str:
    return f"sudo chown -R $(id -un) {path}"


def _room(place: Path) -> Finding:
    free = shutil.disk_usage(place).free // MB
    told = f"{free} MB are free where {place} is."
    if free >= LITTLE_MB:
        return ok(SUBJECT, told)
    mend = f"Free some space: du -xh {place} | sort -h | tail"
    return warning(SUBJECT, told, mend) if free >= TOO_LITTLE_MB else failure(SUBJECT, told, mend)
