"""Pages that write down what input devices do to them."""

from __future__ import annotations

from typing import Any

from support.engine import do, session_of
from support.site import Site
from tabwright.engine.context import ToolContext
from tabwright.engine.tab import Tab


async def open_page(context: ToolContext, site: Site, path: str, body: str) -> Tab:
    """Serve a page and go there."""
    await do(context, "navigate", url=site.page(path, body))
    return (await session_of(context)).current


async def whole(tab: Tab, expression: str) -> Any:
    """A value from the page, of any size: the door would put a large one into a file."""
    params = {"expression": expression, "returnByValue": True, "awaitPromise": True}
    answer = await tab.send("Runtime.evaluate", params)
    assert "exceptionDetails" not in answer, answer
    return answer["result"].get("value")
