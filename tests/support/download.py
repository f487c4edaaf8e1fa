"""Files that a server sends, at once or bit by bit."""

from __future__ import annotations

import random

from support.gate import Gate, MakeGate
from support.site import Site

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
