"""A conversation's state as data."""

from __future__ import annotations

import asyncio
import inspect

import pytest

from support.engine import do, value
from tabwright.engine.manager import BrowserManager
from tabwright.engine.state import BrowserState
from tabwright.errors import StateError


@pytest.mark.proves("S3-BM-01")
async def test_every_method_of_the_manager_is_there_and_typed(manager):
    wanted = (
        *("start", "stop", "switch_profile", "launch_browser", "close_browser"),
        *("execute_action", "get_state", "set_state", "clear_state"),
    )
    for name in wanted:
        method = getattr(BrowserManager, name)
        assert inspect.iscoroutinefunction(method), name
        assert inspect.signature(method).return_annotation is not inspect.Signature.empty
    for name in ("get_current_profile", "list_profiles", "get_active_browser"):
        assert callable(getattr(BrowserManager, name))
    await value(manager.context("record"), "1")
    browser = manager.get_active_browser()
    record = (browser.id, browser.profile, browser.cdp_endpoint, browser.created_at)
    assert all(record)
    assert browser.last_used_at >= browser.created_at


async def test_state_goes_from_one_conversation_to_another_without_asking_the_server(manager, site):
    one, other = manager.context("state-one"), manager.context("state-other")
    await do(one, "navigate", url=site.page("/state", "state"))
    await value(one, "document.cookie = 'sid=1; path=/'")
    await value(one, "localStorage.setItem('__proto__', 'kept'); localStorage.setItem('', 'x')")
    state = await manager.get_state("state-one")
    again = BrowserState.model_validate_json(state.model_dump_json(by_alias=True))
    assert again == state

    before = site.hits["/"]
    await manager.set_state(again, "state-other")
    assert site.hits["/"] == before
    assert len((await do(other, "tabs")).tabs) == 1
    await do(other, "navigate", url=site.url("/state"))
    assert await value(other, "document.cookie") == "sid=1"
    assert await value(other, "localStorage.getItem('__proto__')") == "kept"
    await asyncio.gather(*(manager.close_session(f"state-{n}") for n in ("one", "other")))


async def test_cleared_state_is_gone(manager, site):
    context = manager.context("state-clear")
    url = site.page("/clear", "clear")
    await do(context, "navigate", url=url)
    await value(context, "document.cookie = 'sid=1; path=/'; localStorage.setItem('a', 'b')")
    await value(context, "caches.open('c').then(() => 1)")
    await manager.clear_state("state-clear")
    assert await value(context, "location.href") == "about:blank"
    await do(context, "navigate", url=url)
    assert await value(context, "document.cookie + localStorage.length") == "0"
    assert await value(context, "caches.keys()") == []
    await manager.close_session("state-clear")


async def test_a_state_of_another_version_is_refused_and_changes_nothing(manager):
    context = manager.context("state-old")
    await value(context, "1")
    with pytest.raises(StateError, match="version 99"):
        await manager.set_state(BrowserState(version=99), "state-old")
    assert (await manager.get_state("state-old")).cookies == []
    await manager.close_session("state-old")
