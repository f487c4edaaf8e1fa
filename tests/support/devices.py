"""Pages that write down what input devices do to them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from support.engine import do, session_of
from support.site import Site
from tabwright.engine.context import ToolContext
from tabwright.engine.keyboard import Keyboard
from tabwright.engine.mouse import Mouse
from tabwright.engine.tab import Tab

MOUSE_RECORDER = """
<style>
  body { margin: 0 }
  .box { position: absolute; top: 10px; width: 100px; height: 100px }
</style>
<script>
  window.log = [];
  const pointers = ["over", "move", "down", "up"].flatMap(
    (what) => ["pointer" + what, "mouse" + what]);
  const drags = ["start", "enter", "over", "leave", "end"].map((what) => "drag" + what);
  const clicks = ["click", "dblclick", "auxclick", "contextmenu"];
  for (const type of [...pointers, ...drags, ...clicks, "drop", "wheel"])
    addEventListener(type, (e) => log.push({
      type, at: e.target.id ?? "", trusted: e.isTrusted, x: e.clientX, y: e.clientY,
      button: e.button, buttons: e.buttons, detail: e.detail,
      keys: [e.altKey, e.ctrlKey, e.metaKey, e.shiftKey], delta: [e.deltaX, e.deltaY],
      effect: e.dataTransfer?.dropEffect,
    }), true);
  const next = (type) => new Promise((r) => addEventListener(type, () => r(type), true));
</script>
"""
BUTTON = "<div id=go class=box style='left: 10px'>go</div>"


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


async def mouse_on(context: ToolContext, site: Site, body: str) -> tuple[Mouse, Keyboard, Tab]:
    """Open a page that writes down its mouse events; gives devices of the test's own on it."""
    tab = await open_page(context, site, "/mouse", MOUSE_RECORDER + body)
    keyboard = Keyboard(tab)
    return Mouse(tab, keyboard), keyboard, tab


async def log(tab: Tab) -> list[dict[str, Any]]:
    """What the page has written down since the last time."""
    return await whole(tab, "log.splice(0)")


async def kinds(tab: Tab, *wanted: str) -> list[str]:
    """The types of those events that are wanted, in their order."""
    return [e["type"] for e in await log(tab) if e["type"] in wanted]


async def cancel_once(tab: Tab, happened: str, act: Awaitable[None]) -> None:
    """Start something, cancel it once the page has seen an event, and see it end."""
    task = asyncio.ensure_future(act)
    assert await whole(tab, "seen") == happened
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def answered(tab: Tab) -> None:
    """Answer the open dialog and see it go."""
    tab.dialogs.answer(accept=True)
    await tab.until(lambda: tab.dialogs.open is None)
