"""The bearer token: made once, in a file that only its owner can read."""

from __future__ import annotations

import os
import re
import secrets
import stat
import tempfile
from pathlib import Path

from tabwright.errors import ConfigError

_TOKEN = re.compile(r"[A-Za-z0-9_-]{32,512}")


def bearer_token(file: Path) -> str:
    """The token in the file, which is made when there is none.

    Raises:
        ConfigError: the file cannot be had, others can read it, or it holds something else.
    """
    try:
        if not file.exists() and not file.is_symlink():
            _make(file)
        return _read(file)
    except OSError as error:
        raise ConfigError(
            f"The token file {str(file)!r} cannot be used: {error.strerror}.",
            hint="The control server needs it; make its directory yours and writable.",
        ) from error


def _make(file: Path) -> None:
    """Write it aside and link it into place: never half a token, never in place of another."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as draft:
            draft.write(secrets.token_urlsafe(32) + "\n")
            draft.flush()
            os.fsync(draft.fileno())
        os.link(name, file)
    except FileExistsError:
        pass  # Another server was first; its token is as good.
    finally:
        Path(name).unlink()


def _read(file: Path) -> str:
    descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(descriptor, encoding="ascii", errors="replace") as opened:
        facts = os.fstat(opened.fileno())
        if os.name != "nt" and (facts.st_mode & 0o077 or facts.st_uid != os.geteuid()):
            raise ConfigError(
                f"The token file {str(file)!r} is not private: its mode is "
                f"{stat.S_IMODE(facts.st_mode):04o}, and it belongs to user {facts.st_uid}.",
                hint=f"Delete it, and a new token is made; or run `chmod 600 {file}`.",
            )
        token = opened.read(1024).strip()
    if not _TOKEN.fullmatch(token):
        raise ConfigError(
            f"The token file {str(file)!r} holds no token.",
            hint="Delete it, and a new one is made.",
        )
    return token
