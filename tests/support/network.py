"""Looking at the network log."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from support.engine import do, session_of, value
from tabwright.engine.context import ToolContext
from tabwright.engine.network.record import Record

EVENT_S = 10


async def rows(context: ToolContext, **filters: Any) -> list[Any]:
    """The rows of a list, newest first."""
    found = (await do(context, "network", **filters)).requests
    assert found is not None
    return found


async def row(context: ToolContext, url: str, **filters: Any) -> Any:
    """The one row whose address has this part."""
    (found,) = await rows(context, url=url, **filters)
    return found


async def ended(context: ToolContext, url: str) -> Any:
    """The newest request of an address, once it is over."""

    def over(record: Record) -> bool:
        return url in record.url and not record.pending

    await recorded(context, over)
    return (await rows(context, url=url))[0]


async def recorded(context: ToolContext, wanted: Callable[[Record], bool]) -> None:
    """Wait until the log has a record like this."""
    log = (await session_of(context)).network.log
    async with asyncio.timeout(EVENT_S):
        while not any(map(wanted, log)):
            # The page tells of a request's end after its script knows of it.
            await value(context, "new Promise((done) => setTimeout(done, 10)).then(() => 1)")


async def tried(context: ToolContext, url: str, options: str = "{}") -> str:
    """Have the page fetch something; returns the text of the answer, or the error's name."""
    return await value(
        context, f"fetch('{url}', {options}).then((r) => r.text(), (error) => error.name)"
    )
