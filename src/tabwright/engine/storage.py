"""Local and session storage of the current page's origin."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from tabwright.engine.tab import Tab
from tabwright.errors import InputError, NotDone
from tabwright.page import script
from tabwright.wording import many

Kind = Literal["local", "session"]
Action = Literal["get", "set", "delete"]


@dataclass(frozen=True)
class Stored:
    """Items of a storage: those that were read, set or removed."""

    origin: str
    keys: list[str]
    items: dict[str, str]
    """Only of those that were read."""


async def read(tab: Tab, kind: Kind, keys: list[str] | None = None) -> Stored:
    """What is stored, all of it or under some keys."""
    return await _do(tab, kind, "get", keys)


async def put(tab: Tab, kind: Kind, items: dict[str, str]) -> Stored:
    """Store all items, or none of them.

    Raises:
        NotDone: they do not fit; everything is as it was.
    """
    return await _do(tab, kind, "set", [list(item) for item in items.items()])


async def remove(tab: Tab, kind: Kind, keys: list[str] | None = None) -> Stored:
    """Remove what is stored under some keys, or all of it. Tells what was there."""
    return await _do(tab, kind, "delete", keys)


async def _do(tab: Tab, kind: Kind, action: Action, given: list[Any] | None) -> Stored:
    said = json.dumps((kind, action, given), ensure_ascii=False)
    answer = json.loads(await tab.run(script("storage.js"), said))
    if answer.get("refused"):
        raise InputError(
            f"The page at {tab.url!r:.200} has no {kind} storage: its origin is not a site's.",
            hint="Open a page of the site first, with `navigate`.",
        )
    if answer.get("full"):
        size = sum(len(text) for item in given or () for text in item)
        raise NotDone(
            f"The {kind} storage of {answer['origin']} has no room for "
            f"{many(len(given or ()), 'item')} of {size} characters; none of them was stored.",
            hint="Delete what is not needed, or store less: Chromium keeps about 5 million "
            "characters for each origin.",
            reason="quota",
        )
    if action != "get":
        # Before the reply is given, the checkpoint has it.
        tab.stirred = True
    items = dict(answer.get("entries", ()))
    return Stored(answer["origin"], answer.get("keys", [*items]), items)
