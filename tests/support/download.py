"""Files that a server sends, at once or bit by bit."""

from __future__ import annotations

import random
from typing import Any

from support.engine import session_of, value
from support.gate import Gate, MakeGate
from support.site import Site
from tabwright.engine.context import ToolContext

DATA = random.Random(1).randbytes(300_000)
FIRST = 1000


def disposition(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}


def attachment(site: Site, path: str, name: str, data: bytes = DATA) -> str:
    mime = "application/octet-stream"
    return site.content(path, data, mime=mime, headers=disposition(name))


def held_back(gate: MakeGate, path: str, name: str, data: bytes = DATA) -> Gate:
    """A file of which only the first bytes come until its gate is opened."""
    made: Gate = gate(path, data, first=FIRST, headers=disposition(name))
    made.head.set()
    return made


async def begin(context: ToolContext, url: str, received: int = FIRST) -> Any:
    """Have the page go to a file; returns its download once the first bytes are here."""
    downloads = (await session_of(context)).downloads
    known = set(downloads.all)
    await value(context, f"void (location.href = '{url}')")

    def begun() -> list[Any]:
        return [d for d in downloads.all.values() if d.id not in known]

    await downloads.changed.until(lambda: bool(begun()) and begun()[-1].received_bytes >= received)
    return begun()[-1]
