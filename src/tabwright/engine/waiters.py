"""Something changed: wake everyone who waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Signal:
    """Wakes its waiters each time it fires; a waiter looks for itself whether its hour has come."""

    def __init__(self) -> None:
        self._waiters: set[asyncio.Future[None]] = set()

    def fire(self) -> None:
        """Wake every waiter."""
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)
        self._waiters.clear()

    async def until(
        self, condition: Callable[[], bool], *, possible: Callable[[], None] | None = None
    ) -> None:
        """Return once `condition` holds, checking again at each fire.

        `possible` raises when it can hold no more: what was waited for is gone.
        """
        while not condition():
            if possible is not None:
                possible()
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiters.add(waiter)
            try:
                await waiter
            finally:
                self._waiters.discard(waiter)
