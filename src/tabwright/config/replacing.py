"""Writing a file whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

PRIVATE = 0o600


def replace_file(path: Path, text: str, *, mode: int | None = None) -> None:
    """Put the text in the place of a file, which keeps its mode; a new one is private."""
    target = path.resolve()
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if mode is None:
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else PRIVATE
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    written = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        written.chmod(mode)
        written.replace(target)
    except BaseException:
        written.unlink(missing_ok=True)
        raise
