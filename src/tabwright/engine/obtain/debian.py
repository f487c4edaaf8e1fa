"""Debian's packages, unpacked into the cache by the machine's own clients, without root."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tabwright.engine.obtain.apt import Apt, Package
from tabwright.engine.obtain.binary import font_env, library_paths
from tabwright.engine.obtain.browser import Kind
from tabwright.engine.obtain.process import run
from tabwright.engine.obtain.source import Job, Parcel, Sleep, SourceFailed

PACKAGES: dict[Kind, str] = {"shell": "chromium-headless-shell", "full": "chromium"}
UNPACK_S = 120.0

# The C library works only with the loader of its own version, and that is the machine's.
OF_THE_MACHINE = {"libc6", "libc-bin", "libc-l10n", "locales"}


@dataclass(frozen=True)
class Debian:
    """Asks apt-get which packages are missing here, and keeps them to itself."""

    sleep: Sleep = asyncio.sleep

    name: ClassVar[str] = "debian"
    kinds: ClassVar[frozenset[Kind]] = frozenset({"shell", "full"})

    def unfit(self) -> str:
        """It needs the clients of Debian or of a system made from it."""
        if sys.platform != "linux":
            return "this is not Linux"
        missing = [client for client in ("apt-get", "dpkg-deb") if not shutil.which(client)]
        return f"there is no {' and no '.join(missing)} on PATH" if missing else ""

    async def fetch(self, job: Job) -> Parcel:
        """Download and unpack the package with everything this machine lacks for it."""
        wanted = PACKAGES[job.kind]
        apt = Apt(job.work, sleep=self.sleep)
        await apt.update()
        packages = [each for each in await apt.plan(wanted) if each.name not in OF_THE_MACHINE]
        await apt.download(packages, job.progress)
        await _unpack(packages, apt.debs, job)
        path = job.tree / "usr" / "lib" / "chromium" / wanted
        if not path.is_file():
            raise SourceFailed(f"the package {wanted} of this system holds no browser")
        return Parcel(
            path=path,
            kind=job.kind,
            version=next(each.version for each in packages if each.name == wanted),
            env={
                "LD_LIBRARY_PATH": library_paths(job.tree),
                **font_env(job.tree, "usr/share/fonts"),
            },
            sha256={each.file: each.digest for each in packages if each.algorithm == "sha256"},
            note="verified by apt",
        )


async def _unpack(packages: Sequence[Package], debs: Path, job: Job) -> None:
    total = sum(package.size for package in packages)
    slots = asyncio.Semaphore(min(os.cpu_count() or 1, 4))
    done = 0

    async def one(package: Package) -> None:
        nonlocal done
        async with slots:
            ran = await run("dpkg-deb", "-x", debs / package.file, job.tree, timeout_s=UNPACK_S)
        if ran.code:
            raise SourceFailed(f"{package.file} cannot be unpacked: {ran.reason()}")
        done += package.size
        job.progress(done, total, "unpacking")

    try:
        async with asyncio.TaskGroup() as group:
            for package in packages:
                group.create_task(one(package))
    except* SourceFailed as failures:
        raise SourceFailed(str(failures.exceptions[0])) from failures
