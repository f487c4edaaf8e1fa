"""apt-get with lists and caches of our own: it knows the mirrors, signatures and checksums."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from tabwright.engine.obtain.process import Ran, run
from tabwright.engine.obtain.source import PAUSES_S, Progress, Sleep, SourceFailed
from tabwright.engine.obtain.worker import Stop, in_thread

UPDATE_S = 120.0
PLAN_S = 60.0
DOWNLOAD_S = 900.0
LOCALE = {"LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}

_URI = re.compile(r"^'[^']+' (?P<file>\S+\.deb) (?P<size>\d+) ?(?:(?P<hash>\w+):(?P<digest>\w+))?$")
_PERCENT = re.compile(r"^dlstatus:\d+:([\d.]+):")


@dataclass(frozen=True)
class Package:
    """A package to download, as apt-get names it."""

    file: str
    size: int
    algorithm: str
    digest: str

    @property
    def name(self) -> str:
        """The package's name."""
        return self.file.split("_")[0]

    @property
    def version(self) -> str:
        """The version, with the epoch if it has one."""
        return unquote(self.file.split("_")[1])


@dataclass(frozen=True)
class Apt:
    """One private state of apt-get below a directory."""

    root: Path
    sleep: Sleep = asyncio.sleep

    @property
    def debs(self) -> Path:
        """Where downloaded packages lie."""
        return self.root / "debs"

    async def update(self) -> None:
        """Read the package lists anew. One broken repository of many is no reason to give up."""
        for directory in ("lists/partial", "cache/archives/partial", "debs"):
            (self.root / directory).mkdir(parents=True, exist_ok=True)
        options = ("Acquire::Retries=1", "Acquire::http::Timeout=5", "Acquire::https::Timeout=5")
        ran = await self._get("update", options=options, timeout_s=UPDATE_S)
        if ran.code or not any((self.root / "lists").glob("*_Packages*")):
            raise SourceFailed(f"apt-get update: {_why(ran)}")

    async def plan(self, wanted: str) -> list[Package]:
        """The package and everything it needs that is not installed here."""
        arguments = ("--print-uris", "--no-install-recommends", "-y", "--reinstall")
        ran = await self._get(
            *arguments,
            "install",
            wanted,
            options=("Acquire::ForceHash=sha256",),
            timeout_s=PLAN_S,
        )
        packages = [_package(match) for line in ran.out.splitlines() if (match := _URI.match(line))]
        if ran.code or not any(package.name == wanted for package in packages):
            raise SourceFailed(f"apt-get install {wanted}: {_why(ran)}")
        return packages

    async def download(self, packages: Sequence[Package], progress: Progress) -> None:
        """Download and verify packages; those that failed are tried again."""
        missing = list(packages)
        for pause in (*PAUSES_S, None):
            ran = await self._download(missing, progress)
            missing = await in_thread(lambda stop, these=missing: self._unfit(these, stop))
            if not missing:
                return
            if pause is None:
                raise SourceFailed(f"apt-get download {missing[0].name}: {_why(ran)}")
            await self.sleep(pause)

    async def _download(self, packages: Sequence[Package], progress: Progress) -> Ran:
        total = sum(package.size for package in packages)

        def report(line: str) -> None:
            if match := _PERCENT.match(line):
                progress(round(total * float(match[1]) / 100), total, "Debian packages")

        names = [f"{package.name}={package.version}" for package in packages]
        options = ("APT::Status-Fd=1", "Acquire::Retries=3")
        return await self._get(
            "download", *names, options=options, timeout_s=DOWNLOAD_S, on_line=report
        )

    def _unfit(self, packages: Sequence[Package], stop: Stop) -> list[Package]:
        """The packages that did not arrive, or arrived damaged."""
        unfit: list[Package] = []
        for package in packages:
            stop.check()
            file = self.debs / package.file
            if file.is_file() and _matches(file, package):
                continue
            file.unlink(missing_ok=True)
            unfit.append(package)
        return unfit

    async def _get(
        self,
        *arguments: str,
        options: Sequence[str],
        timeout_s: float,
        on_line: Callable[[str], None] | None = None,
    ) -> Ran:
        settings = (
            f"Dir::State::lists={self.root / 'lists'}",
            f"Dir::Cache={self.root / 'cache'}",
            "Debug::NoLocking=1",
            "APT::Sandbox::User=",
            *options,
        )
        flags = [part for setting in settings for part in ("-o", setting)]
        command = ("apt-get", "-q", *flags, *arguments)
        return await run(*command, cwd=self.debs, env=LOCALE, timeout_s=timeout_s, on_line=on_line)


def _package(match: re.Match[str]) -> Package:
    algorithm = (match["hash"] or "").lower().removesuffix("sum")
    return Package(match["file"], int(match["size"]), algorithm, (match["digest"] or "").lower())


def _matches(file: Path, package: Package) -> bool:
    if not package.digest:
        # apt-get compared it with the signed list before it let go of it.
        return file.stat().st_size == package.size
    with file.open("rb") as content:
        return hashlib.file_digest(content, package.algorithm).hexdigest() == package.digest


def _why(ran: Ran) -> str:
    return ran.reason("E:") if "E:" in ran.err else ran.reason("W:")
