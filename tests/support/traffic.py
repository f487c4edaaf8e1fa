"""Looking at the ledger of a tab's requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from support.engine import session_of
from tabwright.engine.context import ToolContext
from tabwright.engine.tab import Tab
from tabwright.engine.traffic import Request, Traffic


async def tab_of(context: ToolContext) -> Tab:
    tab = (await session_of(context)).current
    assert tab is not None
    return tab


@contextmanager
def listening(tab: Tab, traffic: Traffic | None = None) -> Iterator[Traffic]:
    """A ledger that hears what the tab's page tells."""
    kept = traffic or Traffic()
    assert tab._client is not None
    session_id = tab._session_id
    kept.listen(tab._client, session_id)
    yield kept
    kept.forget(session_id)


async def until(traffic: Traffic, condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        await traffic.changed.until(condition)


async def ended(traffic: Traffic, path: str) -> Request:
    """The newest request of a path, once it has ended."""

    def found() -> list[Request]:
        return [row for row in traffic.since(0) if row.url.endswith(path) and row.ended]

    await until(traffic, lambda: bool(found()))
    return found()[-1]


def paths(rows: list[Request]) -> list[str]:
    return ["/" + row.url.split("/", 3)[3] for row in rows]


def possible() -> None:
    """Nothing is lost."""
