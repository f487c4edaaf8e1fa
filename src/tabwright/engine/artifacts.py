"""Files a session makes: private, in one directory, gone with the session unless kept."""

from __future__ import annotations

import os
import shutil
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabwright.errors import PathRefused

SPILL_BYTES = 4096


@dataclass(frozen=True)
class Artifact:
    """A file that a reply names."""

    path: Path
    mime_type: str
    size_bytes: int

    def as_dict(self) -> dict[str, Any]:
        """As replies carry it."""
        return {
            "path": str(self.path),
            "mimeType": self.mime_type,
            "sizeBytes": self.size_bytes,
        }


class Artifacts:
    """The directory of one session."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.kept = False

    def write(
        self, data: bytes, *, suffix: str, mime_type: str, path: Path | None = None
    ) -> Artifact:
        """Write a file, whole or not at all: at `path`, or under a name of our own."""
        target = path or self.directory / f"{uuid.uuid4()}{suffix}"
        try:
            return self._write(target, data, mime_type)
        except OSError as error:
            raise PathRefused(
                f"Cannot write {str(target)!r:.300}: {error.strerror}.",
                hint="Give another path, or leave it out.",
                path=str(target),
            ) from error

    def _write(self, target: Path, data: bytes, mime_type: str) -> Artifact:
        self._make(target.parent)
        part = target.with_name(f".{target.name}.{uuid.uuid4().hex[:8]}.part")
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
            part.replace(target)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        return Artifact(target, mime_type, len(data))

    def spill(self, text: str, *, suffix: str = ".txt", mime_type: str = "text/plain") -> Artifact:
        """Put text that is too long for a reply into a file."""
        return self.write(text.encode("utf-8", "surrogatepass"), suffix=suffix, mime_type=mime_type)

    def subdirectory(self, name: str) -> Path:
        """A private directory of the session, made when asked for."""
        directory = self.directory / name
        self._make(directory)
        return directory

    def remove(self) -> None:
        """Remove the directory, unless the session's files are kept."""
        if not self.kept:
            shutil.rmtree(self.directory, ignore_errors=True)

    def _make(self, directory: Path) -> None:
        if not directory.is_relative_to(self.directory):
            directory.mkdir(parents=True, exist_ok=True)
            return
        # mkdir(parents=True) gives its mode to the last directory only.
        for parent in reversed([directory, *directory.parents]):
            if not parent.exists():
                parent.mkdir(exist_ok=True, mode=0o700)


def spills(text: str) -> bool:
    """Whether text is too long for a reply: measured in bytes of UTF-8."""
    return len(text.encode("utf-8", "surrogatepass")) > SPILL_BYTES
