"""A browser that somebody brought along: a zip, a tar, or a directory."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tabwright.engine.obtain.binary import font_env, library_paths, locate
from tabwright.engine.obtain.browser import Kind
from tabwright.engine.obtain.source import Job, Parcel, SourceFailed
from tabwright.engine.obtain.unpack import unpack
from tabwright.engine.obtain.worker import Stop, in_thread


@dataclass(frozen=True)
class Archive:
    """Takes the browser out of a local file, for machines without a network."""

    path: Path
    sha256: str = ""
    """What the file's SHA-256 must be; not for directories."""

    name: ClassVar[str] = "archive"
    kinds: ClassVar[frozenset[Kind]] = frozenset({"shell", "full"})

    def unfit(self) -> str:
        """The file must be there."""
        if not self.path.exists():
            return f"{str(self.path)!r} does not exist"
        if self.sha256 and self.path.is_dir():
            return f"{str(self.path)!r} is a directory, and has no SHA-256"
        return ""

    async def fetch(self, job: Job) -> Parcel:
        """Unpack or copy, and look for the executable within."""
        digest = await in_thread(lambda stop: self._bring(job.tree, stop))
        kind, path = _either(job)
        libraries = library_paths(job.tree)
        return Parcel(
            path=path,
            kind=kind,
            env={
                **({"LD_LIBRARY_PATH": libraries} if libraries else {}),
                **font_env(job.tree, "usr/share/fonts"),
            },
            sha256={self.path.name: digest} if digest else {},
            note="verified by the SHA-256 given" if self.sha256 else "brought along, not verified",
        )

    def _bring(self, tree: Path, stop: Stop) -> str:
        if self.path.is_dir():
            shutil.copytree(self.path, tree, symlinks=True, dirs_exist_ok=True)
            return ""
        with self.path.open("rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
        if self.sha256 and digest != self.sha256.lower():
            raise SourceFailed(f"its SHA-256 is {digest}, and should be {self.sha256}")
        unpack(self.path, tree, stop)
        return digest


def _either(job: Job) -> tuple[Kind, Path]:
    """The kind wanted; a full browser may stand in for a shell."""
    try:
        return job.kind, locate(job.tree, job.kind)
    except SourceFailed:
        if job.kind == "full":
            raise
        return "full", locate(job.tree, "full")
