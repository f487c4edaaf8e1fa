"""Conversations: their own cookies, tabs, files and time; no way to another's."""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path
from typing import Any

import pytest

import tabwright.verbs
from support.engine import ManualClock, do, make_settings, session_of, value
from tabwright.dispatch import call
from tabwright.engine.cdp import CDPClient, ProtocolError
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager

HALF_HOUR_S = 30 * 60


@pytest.mark.proves("S2-BT-010a", "S2-BT-011a")
async def test_cookies_cache_and_page_persist_from_call_to_call(context, site):
    login = site.content("/login", b"<input id=q>", headers={"set-cookie": "sid=abc; path=/"})
    cached = site.content(
        "/cached.js",
        b"window.cached = 1",
        mime="text/javascript",
        headers={"cache-control": "max-age=600"},
    )
    page = site.page("/uses-cache", f"<script src={cached}></script>")
    await do(context, "navigate", url=login)
    await value(context, "document.querySelector('#q').value = 'typed'; 0")
    assert await value(context, "document.querySelector('#q').value") == "typed"
    await do(context, "navigate", url=page)
    await do(context, "navigate", url=page + "?again")
    assert await value(context, "window.cached") == 1
    assert site.hits["/cached.js"] == 1
    assert [h.get("Cookie") for h in site.headers["/uses-cache"]] == ["sid=abc", "sid=abc"]


@pytest.mark.proves("S2-BT-010d", "U-16")
async def test_conversations_share_no_cookie_storage_tab_or_download(manager, site, tmp_path):
    a, b = manager.context("iso-a"), manager.context("iso-b")
    url = site.page("/iso", "iso")
    file = site.content(
        "/iso-file",
        b"data",
        mime="application/octet-stream",
        headers={"content-disposition": "attachment; filename=f.bin"},
    )
    for context in (a, b):
        await do(context, "navigate", url=url)
    await value(a, "document.cookie = 'who=a'; localStorage.setItem('who', 'a')")
    downloaded = (await do(a, "navigate", url=file)).download
    assert await value(b, "document.cookie + localStorage.getItem('who')") == "null"
    assert (await session_of(b)).downloads.all == {}
    await do(a, "tabs", action="new")
    assert len((await do(b, "tabs")).tabs) == 1

    assert Path(downloaded["path"]).exists()
    await manager.close_session("iso-a")
    assert not Path(downloaded["path"]).exists()
    assert await value(b, "document.body.innerText") == "iso"
    await manager.close_session("iso-b")


@pytest.mark.proves("S2-BT-010e", "S2-BT-012a")
def test_no_verb_can_name_another_conversation():
    directory = Path(tabwright.verbs.__file__).parent
    for file in directory.glob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        imported = {
            name.name if isinstance(node, ast.Import) else f"{node.module}.{name.name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in node.names
        }
        assert not {name for name in imported if "manager" in name.lower()}, file
    public = {name for name in dir(ToolContext) if not name.startswith("_")}
    assert "browser" in public
    assert "manager" not in " ".join(public).lower()


@pytest.mark.proves("S2-BT-010c", "S3-P37")
async def test_a_session_is_closed_after_thirty_idle_minutes_and_not_before(tmp_path, site):
    clock = ManualClock()
    manager = BrowserManager(make_settings(tmp_path), clock=clock)
    context = manager.context("a")
    await do(context, "navigate", url=site.page("/idle", "idle"))
    await clock.advance(HALF_HOUR_S - 1)
    await manager.reap_idle()
    assert manager.get_active_browser() is not None
    assert max(clock.slept) <= 60

    await clock.advance(2)
    await manager.reap_idle()
    assert manager.get_active_browser() is None
    assert [e["event"] for e in manager.journal.entries if e["event"] == "idle_close"]
    await manager.stop()


@pytest.mark.proves("S3-P37", "S2-BT-011b")
async def test_activity_starts_the_idle_time_again(tmp_path):
    clock = ManualClock()
    manager = BrowserManager(make_settings(tmp_path), clock=clock)
    context = manager.context("a")
    for _ in range(3):
        await value(context, "1")
        clock.time += HALF_HOUR_S - 1
        await manager.reap_idle()
        assert manager.get_active_browser() is not None
    await manager.stop()


@pytest.mark.proves("S2-BT-011b", "S2-BT-012c", "S3-P37")
async def test_a_session_in_use_is_never_reaped_and_its_guard_marks_both_ends(tmp_path):
    clock = ManualClock()
    manager = BrowserManager(make_settings(tmp_path), clock=clock)
    context = manager.context("a")
    async with context.browser() as session:
        assert session.last_activity == 0
        clock.time = 40 * 60.0
        await manager.reap_idle()
        assert manager.get_active_browser() is not None
        assert session.entered
    assert session.last_activity == 40 * 60.0
    clock.time += HALF_HOUR_S + 1
    await manager.reap_idle()
    assert not session.entered
    await manager.stop()


@pytest.mark.proves("S3-P37")
async def test_the_idle_check_ticks_by_itself(tmp_path):
    clock = ManualClock()
    manager = BrowserManager(make_settings(tmp_path), clock=clock)
    await value(manager.context("a"), "1")
    browser = manager.get_active_browser()
    await clock.advance(HALF_HOUR_S + 61)
    async with asyncio.timeout(10):
        await browser.until_gone()
    assert manager.get_active_browser() is None
    await manager.stop()


@pytest.mark.proves("S3-P38", "R-5")
async def test_the_call_after_an_idle_close_finds_its_page_and_cookies_again(tmp_path, site):
    clock = ManualClock()
    manager = BrowserManager(make_settings(tmp_path), clock=clock)
    context = manager.context("a")
    url = site.page("/asleep", "asleep", title="Asleep")
    await do(context, "navigate", url=url)
    await value(context, "document.cookie = 'kept=yes'")
    clock.time += HALF_HOUR_S + 1
    await manager.reap_idle()
    assert manager.get_active_browser() is None

    outcome = await call(context, "tabs")
    assert [(tab.id, tab.url, tab.title) for tab in outcome.unwrap().tabs] == [
        ("t1", url, "Asleep")
    ]
    assert "1 open page were put back" in outcome.notices[0]
    assert await value(context, "document.cookie") == "kept=yes"
    await manager.stop()


@pytest.mark.proves("S2-BT-012b")
async def test_two_conversations_at_once_do_not_cross(manager, site):
    urls = {name: site.page(f"/cross-{name}", name, title=name) for name in "abcdef"}
    contexts = {name: manager.context(f"cross-{name}") for name in urls}

    async def work(name: str) -> list[str]:
        await do(contexts[name], "navigate", url=urls[name])
        return [await value(contexts[name], "document.title") for _ in range(10)]

    seen = await asyncio.gather(*(work(name) for name in urls))
    assert seen == [[name] * 10 for name in urls]
    for name in urls:
        await manager.close_session(f"cross-{name}")


async def test_calls_of_one_conversation_take_turns(context, site):
    url = site.page("/turns", "<script>window.log = []</script>")
    await do(context, "navigate", url=url)
    slow = """new Promise(resolve => {
        log.push('slow in');
        setTimeout(() => { log.push('slow out'); resolve(); }, 100);
    })"""
    await asyncio.gather(value(context, slow), value(context, "log.push('next')"))
    assert await value(context, "log") == ["slow in", "slow out", "next"]


@pytest.mark.proves("S2-BT-012a")
async def test_a_call_can_be_given_up_by_its_caller(manager, site):
    cancel = asyncio.Event()
    context = manager.context("cancel", cancel=cancel)
    await value(context, "1")
    running = asyncio.create_task(
        call(context, "evaluate", {"expression": "new Promise(() => {})"})
    )
    await asyncio.sleep(0)
    cancel.set()
    outcome = await running
    assert outcome.error.code == "CANCELLED"
    again = manager.context("cancel")
    assert await value(again, "1 + 1") == 2
    await manager.close_session("cancel")


@pytest.mark.proves("U-37")
async def test_a_popup_is_adopted_and_named(context, site):
    url = site.page("/opener", "opener")
    popup = site.page("/popup", "popup", title="Popup")
    await do(context, "navigate", url=url)
    await value(context, f"window.open({popup!r}) && 0")
    session = await session_of(context)
    await session.changed.until(lambda: len(session.tabs) == 2)
    await session.tabs["t2"].ready()
    listed = (await do(context, "tabs")).tabs
    assert [(tab.id, tab.opener, tab.current) for tab in listed] == [
        ("t1", None, True),
        ("t2", "t1", False),
    ]


async def test_a_page_that_the_browser_refused_to_make_is_asked_for_again(context, monkeypatch):
    """The refusal cannot be had at will, so it is made up."""
    send = CDPClient.send_command
    refused: list[str] = []

    async def once(client: CDPClient, method: str, *args: Any) -> Any:
        if method == "Target.createTarget" and not refused:
            refused.append(method)
            raise ProtocolError(method, -32000, "Not supported")
        return await send(client, method, *args)

    monkeypatch.setattr(CDPClient, "send_command", once)
    opened = await do(context, "tabs", action="new")
    assert refused
    assert opened.tabs
