"""What a source of browsers is, and what it is given and gives back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Protocol

from tabwright.engine.obtain.browser import Kind

Progress = Callable[[int, int, str], None]
"""Called with the bytes done, the bytes in all (0 when unknown), and what is being done."""

Sleep = Callable[[float], Awaitable[None]]

PAUSES_S = (0.5, 2.0)
"""Waits between the tries of one file; there is one try more than there are waits."""


class SourceFailed(Exception):
    """A source could not give a browser; the message says why."""


@dataclass(frozen=True)
class Job:
    """One order to a source."""

    kind: Kind
    tree: Path
    """Empty directory that becomes the cache entry."""
    work: Path
    """Empty directory that is thrown away."""
    progress: Progress


@dataclass(frozen=True)
class Parcel:
    """What a source has put into the tree."""

    path: Path
    """The executable."""
    kind: Kind
    version: str = ""
    env: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """Variables and their paths, relative to the tree."""
    sha256: dict[str, str] = field(default_factory=dict[str, str])
    """Every file that was downloaded."""
    note: str = ""


class Source(Protocol):
    """A place that browsers come from."""

    name: ClassVar[str]
    """The name under which people choose it."""
    kinds: ClassVar[frozenset[Kind]]
    """What it can give."""

    def unfit(self) -> str:
        """Why it cannot work on this machine; empty if it may."""
        ...

    async def fetch(self, job: Job) -> Parcel:
        """Put a browser into the tree of the job.

        Raises:
            SourceFailed: it could not.
        """
        ...
