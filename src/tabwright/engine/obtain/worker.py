"""Work that blocks, in a thread that stops when its task is cancelled."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Stopped(Exception):
    """The task that wanted this work was cancelled."""


class Stop:
    """Asked now and then by work in a thread."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        """Ask the work to end."""
        self._event.set()

    def check(self) -> None:
        """End the work here if nobody waits for it any more."""
        if self._event.is_set():
            raise Stopped


async def in_thread(work: Callable[[Stop], T]) -> T:
    """Run blocking work; a cancelled caller leaves only once the thread has let go."""
    stop = Stop()
    future = asyncio.ensure_future(asyncio.to_thread(work, stop))
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        stop.set()
        await asyncio.wait([future])
        if not future.cancelled():
            future.exception()
        raise
