"""Killing browsers, and looking at what came back."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from typing import Any

import psutil

from support.engine import do, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager


def kill_browser(manager: BrowserManager) -> int:
    browser = manager.get_active_browser()
    assert browser is not None
    os.kill(browser.process.pid, signal.SIGKILL)
    return browser.process.pid


def kill_and_wait(manager: BrowserManager) -> None:
    """For a server's thread: a request cut off before the kill is done would be sent again."""
    with suppress(psutil.NoSuchProcess):
        psutil.Process(kill_browser(manager)).wait(10)


def journalled(manager: BrowserManager, event: str) -> asyncio.Future[dict[str, Any]]:
    """The next journal entry of this name."""
    future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()

    def look(entry: dict[str, Any]) -> None:
        if entry["event"] == event and not future.done():
            future.set_result(entry)

    manager.journal.listen(look)
    return future


async def stateful_page(context: ToolContext, site: Site, path: str) -> str:
    url = site.page(path, "<p>here</p>", title="Kept")
    await do(context, "navigate", url=url)
    await value(context, "document.cookie = 'login=yes; max-age=3600; path=/'")
    await value(
        context, "localStorage.setItem('cart', 'three'); sessionStorage.setItem('step', '2')"
    )
    return url


async def assert_state_is_back(context: ToolContext, url: str) -> None:
    outcome = await call(context, "evaluate", {"expression": "location.href"})
    assert outcome.unwrap().value == url
    assert "login=yes" in await value(context, "document.cookie")
    assert await value(context, "localStorage.getItem('cart')") == "three"
    assert await value(context, "sessionStorage.getItem('step')") == "2"
