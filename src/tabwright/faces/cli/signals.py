"""Ending in good order when told to."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import click

T = TypeVar("T")

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def until_signal(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run the work. A signal cancels it, so that it closes what it opened, and ends the program.

    Raises:
        click.exceptions.Exit: a signal came; the code is 128 and its number.
    """
    received: list[signal.Signals] = []

    async def guarded() -> T:
        task = asyncio.current_task()
        assert task is not None

        def cancel(number: signal.Signals) -> None:
            # Only once: another cancellation would cut the closing short.
            if not received:
                task.cancel()
            received.append(number)

        for number in ENDING:
            asyncio.get_running_loop().add_signal_handler(number, cancel, number)
        return await work()

    try:
        return asyncio.run(guarded())
    except asyncio.CancelledError:
        if not received:
            raise
        raise click.exceptions.Exit(128 + received[0]) from None
