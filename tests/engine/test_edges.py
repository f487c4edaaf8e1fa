"""The connection, the ledger and the adapter at the edge of what may come."""

from __future__ import annotations

import asyncio
import inspect
import os

import psutil
import pytest
from websockets.asyncio.server import serve

from support.engine import do, make_settings, session_of
from tabwright.config import resolve_profile
from tabwright.engine.cdp import CDPClient
from tabwright.engine.clock import SystemClock
from tabwright.engine.driver import PlaywrightAdapter
from tabwright.engine.launch import start_browser
from tabwright.engine.ledger import Run
from tabwright.engine.manager import BrowserManager
from tabwright.errors import (
    ConnectFailed,
    DriverCrashError,
    InvalidSelector,
    LaunchFailed,
    ScriptError,
)


#    in an ExceptionGroup; a JSON list is a TypeError. S3-P04.
@pytest.mark.parametrize(
    "endpoint", ["http://a\0b", "http://127.0.0.1:1:1", "http://127.0.0.1:99999999"]
)
async def test_an_http_address_that_is_malformed_is_a_connect_error(endpoint):
    with pytest.raises(ConnectFailed):
        await CDPClient().connect(endpoint, timeout=1)


@pytest.mark.parametrize("body", [b"[]", b"null", b"7", b'"x"'])
async def test_json_that_is_no_object_is_a_connect_error(site, body):
    site.content("/list/json/version", body, mime="application/json")
    with pytest.raises(ConnectFailed):
        await CDPClient().connect(site.url("/list"), timeout=1)


@pytest.mark.parametrize("endpoint", ["\n", "\x85", "\u2028x"])
async def test_the_reason_is_never_empty(endpoint):
    with pytest.raises(ConnectFailed) as caught:
        await CDPClient().connect(endpoint, timeout=1)
    assert caught.value.details["reason"].strip()


async def test_a_command_while_the_peer_closes_is_a_driver_crash():
    async def leave(connection) -> None:
        await connection.recv()
        await connection.close()

    async with serve(leave, "127.0.0.1", 0) as server:
        client = CDPClient()
        await client.connect(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
        posted = []
        while client.is_connected:
            posted.append(client.post("Browser.getVersion"))
            await asyncio.sleep(0)
        outcomes = await asyncio.gather(*posted, return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {DriverCrashError}
        await client.disconnect()


async def test_connecting_twice_leaves_no_first_connection():
    async def stay(connection) -> None:
        async for _ in connection:
            pass

    async with serve(stay, "127.0.0.1", 0) as server:
        address = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        client = CDPClient()
        await client.connect(address)
        await client.connect(address)
        await client.disconnect()
        readers = [t for t in asyncio.all_tasks() if t.get_name() == "tabwright cdp reader"]
        mine = [t for t in readers if t.get_coro().cr_frame.f_locals["self"] is client]
        assert mine == []


async def test_params_that_are_no_json_leave_no_pending_command(manager):
    client = CDPClient()
    await client.connect((await manager.launch_browser()).cdp_endpoint)
    with pytest.raises(TypeError):
        client.post("Browser.getVersion", {"x": object()})
    left = dict(client._pending)
    client._pending.clear()
    await client.disconnect()
    assert left == {}


async def test_a_profile_without_stealth_hides_nothing_although_the_others_do(tmp_path):
    settings = make_settings(
        tmp_path, **{"browser.stealth": True, "profiles.isolated.stealth": False}
    )
    argv: list[str] = []

    async def plan_only(plan):
        argv.extend(plan.argv)
        raise LaunchFailed("planned")

    with pytest.raises(LaunchFailed):
        await start_browser(
            resolve_profile(settings, "isolated"),
            settings,
            Run(tmp_path / "r", tmp_path / "p", tmp_path / "a"),
            launch=plan_only,
            clock=SystemClock(),
            report=lambda *_: None,
        )
    assert "--disable-blink-features=AutomationControlled" not in argv


@pytest.mark.parametrize("text", ["{}", "[]", "null", '{"owner": 1}'])
async def test_a_damaged_ledger_entry_does_not_stop_the_start(tmp_path, text):
    runs = tmp_path / "profiles/.runs"
    runs.mkdir(parents=True)
    (runs / "run-damaged.json").write_text(text)
    manager = BrowserManager(make_settings(tmp_path))
    await manager.start()
    await manager.stop()


@pytest.fixture
async def adapter(context):
    await do(context, "tabs")
    session = await session_of(context)
    joined = PlaywrightAdapter()
    await joined.initialize(session.browser.cdp_endpoint, target_id=session.current.target_id)
    yield joined
    await joined.close()


@pytest.mark.parametrize(
    "words", ["no driver for this printer", "the shop has been closed", "net::ERR_MADE_UP"]
)
async def test_what_a_page_throws_is_a_script_error_whatever_it_says(adapter, words):
    with pytest.raises(ScriptError):
        await adapter.evaluate(f"() => {{ throw new Error('{words}'); }}")


async def test_a_selector_error_inside_a_script_is_a_script_error(adapter):
    with pytest.raises(ScriptError):
        await adapter.evaluate("document.querySelector('p[')")


async def test_an_invalid_selector_names_the_selector(adapter):
    with pytest.raises(InvalidSelector) as caught:
        await adapter.click("p[", timeout=2000)
    assert caught.value.details["selector"] == "p["


async def test_a_bad_xpath_is_an_invalid_selector(adapter):
    with pytest.raises(InvalidSelector):
        await adapter.click("//p[", timeout=2000)


async def test_initializing_twice_leaves_no_driver_behind(adapter, context):
    session = await session_of(context)
    await adapter.initialize(session.browser.cdp_endpoint, target_id=session.current.target_id)
    await adapter.close()
    left = [
        p
        for p in psutil.process_iter(["ppid", "cmdline"])
        if p.info["ppid"] == os.getpid() and "run-driver" in (p.info["cmdline"] or ())
    ]
    for process in left:
        process.kill()
    assert left == []


@pytest.mark.proves("S3-PW-03")
def test_the_adapter_has_every_option_of_screenshot_and_pdf():
    shot = inspect.signature(PlaywrightAdapter.screenshot).parameters
    pdf = inspect.signature(PlaywrightAdapter.pdf).parameters
    assert {"type", "quality", "full_page", "clip", "path"} <= set(shot)
    assert {"path", "format", "width", "height", "margin", "print_background"} <= set(pdf)
