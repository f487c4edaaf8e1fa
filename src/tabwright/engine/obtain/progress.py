"""Showing how a download goes on."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Generator
from typing import TextIO

from tabwright.engine.obtain.source import Progress


def silent(done: int, total: int, label: str) -> None:
    """Show nothing."""
    del done, total, label


@contextlib.contextmanager
def shown(stream: TextIO | None = None) -> Generator[Progress]:
    """A moving bar on a terminal; elsewhere one line, once there is something to wait for."""
    target = stream or sys.stderr
    if target is None:
        yield silent
    elif target.isatty():
        with _bar(target) as progress:
            yield progress
    else:
        yield _line(target)


def _line(stream: TextIO) -> Progress:
    told = False

    def progress(done: int, total: int, label: str) -> None:
        nonlocal told
        del done
        if not told:
            size = f" ({total / 1e6:.0f} MB)" if total else ""
            stream.write(f"Obtaining a browser: {label}{size}\n")
            stream.flush()
        told = True

    return progress


@contextlib.contextmanager
def _bar(stream: TextIO) -> Generator[Progress]:
    # rich takes 0.1 s to import; only a terminal needs it.
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        TaskID,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=Console(file=stream)) as bars:
        looking = bars.add_task("looking for a browser", total=None)
        tasks: dict[str, TaskID] = {}

        def progress(done: int, total: int, label: str) -> None:
            if label not in tasks:
                tasks[label] = bars.add_task(label, total=None)
                bars.update(looking, visible=False)
            bars.update(tasks[label], completed=done, total=total or None)

        yield progress
