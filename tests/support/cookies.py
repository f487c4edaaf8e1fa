"""Cookies for tests, and what a caller gets of them."""

from __future__ import annotations

from typing import Any

from support.engine import session_of
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext

DAY_S = 86_400
DOMAINS = ["a.test", ".a.test", "b.a.test", "c.test", "127.0.0.1", "localhost"]
PATHS = ["/", "/x", "/x/y%20z"]
Given = dict[str, Any]


async def clear(context: ToolContext) -> None:
    session = await session_of(context)
    given = {"browserContextId": session.context_id}
    await session.browser_command("Storage.clearCookies", given)


async def got(context: ToolContext, **params: Any) -> list[Given]:
    """The cookies as a caller gets them on the wire."""
    outcome = await call(context, "cookies", params)
    return outcome.as_dict()["result"]["cookies"]


def plain(found: list[Given]) -> list[Given]:
    """In an order of their own, moments to the millisecond: the browser counts microseconds."""
    rounded = [{**each, "expires": round(each["expires"], 3)} for each in found]
    return sorted(rounded, key=lambda each: (each["name"], each["domain"], each["path"]))
