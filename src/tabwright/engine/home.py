"""The one event loop on which the engine lives, however many threads call it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from tabwright.errors import BrowserError

T = TypeVar("T")


class Home:
    """Binds the engine to the first loop that uses it; calls from other loops are carried there."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._binding = threading.Lock()

    async def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run `work` on the home loop and return what it returns."""
        here = asyncio.get_running_loop()
        with self._binding:
            if self._loop is None:
                self._loop = here
            home = self._loop
        if home is here:
            return await work()
        if not home.is_running():
            raise BrowserError(
                "The event loop that started the browser has ended.",
                hint="Make a new Tabwright in the loop that runs now.",
            )
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work(), home))
