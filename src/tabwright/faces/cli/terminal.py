"""Where the words of a command go: this process's streams, or those of a client."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TextIO


@dataclass(frozen=True)
class Terminal:
    """The streams of one command."""

    out: TextIO
    err: TextIO
    columns: int = 0
    """How wide it is; 0 if nobody knows."""
    env: Mapping[str, str] = field(default_factory=lambda: os.environ)


_current: ContextVar[Terminal | None] = ContextVar("terminal", default=None)


def terminal() -> Terminal:
    """That of the command under way."""
    return _current.get() or Terminal(sys.stdout, sys.stderr)


@contextmanager
def at(other: Terminal) -> Generator[None]:
    """Print to another one meanwhile."""
    before = _current.set(other)
    try:
        yield
    finally:
        _current.reset(before)
