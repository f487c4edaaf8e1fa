"""A headless shell from the npm registry, by the machine's own npm and node."""

from __future__ import annotations

import base64
import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from pydantic import BaseModel, Field, ValidationError

from tabwright.engine.obtain.binary import font_env
from tabwright.engine.obtain.browser import Kind, machine
from tabwright.engine.obtain.process import run
from tabwright.engine.obtain.source import Job, Parcel, SourceFailed
from tabwright.engine.obtain.unpack import unpack
from tabwright.engine.obtain.worker import in_thread

PACKAGE = "@sparticuz/chromium"
VIEW_S = 30.0
PACK_S = 600.0
INFLATE_S = 120.0

INFLATE = (
    "const [, from, to] = process.argv;"
    "require('stream').pipeline("
    "require('fs').createReadStream(from), require('zlib').createBrotliDecompress(),"
    "require('fs').createWriteStream(to),"
    "error => { if (error) { console.error(error.message); process.exit(1); } });"
)


class Release(BaseModel):
    """What the registry says about the newest version."""

    version: str
    integrity: str = Field(validation_alias="dist.integrity")


@dataclass(frozen=True)
class Npm:
    """Unpacks `@sparticuz/chromium`, which carries its own NSS and SwiftShader.

    Its package suggests `--single-process`, which breaks the driver: never start it so.
    """

    name: ClassVar[str] = "npm"
    kinds: ClassVar[frozenset[Kind]] = frozenset({"shell"})

    def unfit(self) -> str:
        """It needs the two programs, and is built for one platform."""
        if machine() != "linux64":
            return "its build is for Linux on x64 only"
        missing = [client for client in ("npm", "node") if not shutil.which(client)]
        return f"there is no {' and no '.join(missing)} on PATH" if missing else ""

    async def fetch(self, job: Job) -> Parcel:
        """Download the package, compare its checksum, and decompress what it holds."""
        release = await self._newest(job)
        tarball = await self._pack(release, job)
        digest = await in_thread(lambda _: _verify(tarball, release.integrity))
        package = job.work / "unpacked"
        await in_thread(lambda stop: unpack(tarball, package, stop))
        path = job.tree / "chrome-headless-shell"
        held = package / "package" / "bin"
        await _inflate(held / "chromium.br", path)
        path.chmod(0o755)
        for name in ("al2023", "swiftshader", "fonts"):
            await self._untar(held / f"{name}.tar.br", job)
        return Parcel(
            path=path,
            kind="shell",
            version=release.version,
            env={"LD_LIBRARY_PATH": ["lib"], **font_env(job.tree, "fonts")},
            sha256={tarball.name: digest},
            note="verified by its SHA-512; never start it with --single-process",
        )

    async def _newest(self, job: Job) -> Release:
        fields = ("version", "dist.integrity")
        text = await _npm(job, "view", PACKAGE, *fields, "--json", timeout_s=VIEW_S)
        try:
            return Release.model_validate_json(text)
        except ValidationError as error:
            raise SourceFailed(f"npm view {PACKAGE} names no version and checksum") from error

    async def _pack(self, release: Release, job: Job) -> Path:
        job.progress(0, 0, f"{PACKAGE} {release.version}")
        spec = f"{PACKAGE}@{release.version}"
        await _npm(job, "pack", spec, "--ignore-scripts", timeout_s=PACK_S)
        tarball = next(job.work.glob("*.tgz"), None)
        if tarball is None:
            raise SourceFailed(f"npm pack {spec} left no file")
        size = tarball.stat().st_size
        job.progress(size, size, f"{PACKAGE} {release.version}")
        return tarball

    async def _untar(self, compressed: Path, job: Job) -> None:
        if not compressed.exists():
            return
        tar = job.work / compressed.stem
        await _inflate(compressed, tar)
        await in_thread(lambda stop: unpack(tar, job.tree, stop))


async def _npm(job: Job, *arguments: str, timeout_s: float) -> str:
    quick = ("--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--loglevel=error")
    options = (*quick, f"--cache={job.work / 'npm'}", "--update-notifier=false")
    ran = await run("npm", *arguments, *options, cwd=job.work, timeout_s=timeout_s)
    if ran.code:
        raise SourceFailed(f"npm {arguments[0]}: {ran.reason('npm error')}")
    return ran.out


def _verify(tarball: Path, integrity: str) -> str:
    """Compare with the registry's checksum; npm did so too, but for its own list."""
    expected = [each for each in integrity.split() if each.startswith("sha512-")]
    with tarball.open("rb") as content:
        digest = hashlib.file_digest(content, "sha512").digest()
        content.seek(0)
        sha256 = hashlib.file_digest(content, "sha256").hexdigest()
    actual = f"sha512-{base64.b64encode(digest).decode()}"
    if actual not in expected:
        raise SourceFailed(f"{tarball.name}: its checksum is {actual}, and should be {integrity}")
    return sha256


async def _inflate(compressed: Path, to: Path) -> None:
    if not compressed.is_file():
        raise SourceFailed(f"the package holds no {compressed.name}")
    ran = await run("node", "-e", INFLATE, compressed, to, timeout_s=INFLATE_S)
    if ran.code:
        raise SourceFailed(f"{compressed.name} cannot be decompressed: {ran.reason()}")
