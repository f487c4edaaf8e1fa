"""The raw protocol client, on a real browser and before peers that are none."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict, replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from support.engine import do, session_of
from tabwright.engine.cdp import BrowserVersion, CDPClient, ProtocolError, Target
from tabwright.engine.ledger import Run
from tabwright.engine.process import BrowserProcess
from tabwright.errors import DriverCrashError, TargetClosed

CONSOLE = "Runtime.consoleAPICalled"
NEVER = {"expression": "new Promise(() => {})", "awaitPromise": True}


def held() -> tuple[int, int]:
    """How many tasks and descriptors this process has."""
    return len(asyncio.all_tasks()), len(list(Path("/proc/self/fd").iterdir()))


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110  # a list has no event to wait for
            await asyncio.sleep(0)


async def assert_no_more_than(before: tuple[int, int]) -> None:
    """The peer's end of a closed connection stands in this process too, and goes a moment later."""
    await until(lambda: all(now <= then for now, then in zip(held(), before, strict=True)))


@pytest.fixture
async def endpoint(manager) -> str:
    return (await manager.launch_browser()).cdp_endpoint


@pytest.fixture
async def client(endpoint) -> AsyncIterator[CDPClient]:
    joined = CDPClient()
    await joined.connect(endpoint)
    yield joined
    await joined.disconnect()


async def attach(client: CDPClient, target_id: str) -> str:
    params = {"targetId": target_id, "flatten": True}
    return (await client.send_command("Target.attachToTarget", params))["sessionId"]


@pytest.fixture
async def page(client) -> AsyncIterator[str]:
    """The session id of a page that reports its console."""
    target_id = await client.create_target("about:blank")
    session_id = await attach(client, target_id)
    await client.send_command("Runtime.enable", session_id=session_id)
    yield session_id
    await client.close_target(target_id)


async def run(client: CDPClient, session_id: str, script: str) -> None:
    await client.send_command("Runtime.evaluate", {"expression": script}, session_id)


@pytest.mark.proves("S3-CDP-01", "S3-1.2")
async def test_a_client_connects_by_websocket_address_and_by_the_http_address_that_names_it(
    endpoint,
):
    for address in (endpoint, f"http://{urlsplit(endpoint).netloc}"):
        client = CDPClient()
        assert not client.is_connected
        await client.connect(address)
        assert client.is_connected
        assert client.endpoint == endpoint
        assert (await client.get_browser_version()).browser
        await client.disconnect()
        assert not client.is_connected


@pytest.mark.proves("S3-CDP-01")
async def test_a_client_can_disconnect_twice_and_connect_again(endpoint):
    client = CDPClient()
    await client.disconnect()
    await client.connect(endpoint)
    await client.disconnect()
    await client.disconnect()
    with pytest.raises(DriverCrashError):
        await client.send_command("Browser.getVersion")
    await client.connect(endpoint)
    assert await client.get_targets() is not None
    await client.disconnect()


@pytest.mark.proves("S3-CDP-02", "S3-CDP-01")
async def test_the_browser_version_has_all_its_fields(client):
    version = await client.get_browser_version()
    assert isinstance(version, BrowserVersion)
    assert set(asdict(version)) == {
        "browser",
        "protocol_version",
        "user_agent",
        "v8_version",
        "webkit_version",
    }
    raw = await client.send_command("Browser.getVersion")
    assert version.browser == raw["product"]
    assert "Chrome/" in version.browser
    assert version.user_agent == raw["userAgent"]
    assert version.user_agent.startswith("Mozilla/5.0")
    assert version.v8_version == raw["jsVersion"]
    assert version.webkit_version == f"537.36 ({raw['revision']})"


@pytest.mark.proves("S3-1.6")
async def test_the_browser_speaks_protocol_1_3_or_later(client):
    version = (await client.get_browser_version()).protocol_version
    assert tuple(map(int, version.split("."))) >= (1, 3)


@pytest.mark.proves("S3-CDP-01", "S3-CDP-02")
async def test_a_target_is_created_listed_with_all_its_fields_and_closed(client, site):
    loaded: list[str | None] = []
    destroyed: list[str] = []
    client.on("Page.loadEventFired", lambda _, session_id: loaded.append(session_id))
    client.on("Target.targetDestroyed", lambda p, _: destroyed.append(p["targetId"]))
    await client.send_command("Target.setDiscoverTargets", {"discover": True})
    target_id = await client.create_target("about:blank")
    session_id = await attach(client, target_id)
    await client.send_command("Page.enable", session_id=session_id)
    url = site.page("/cdp-target", "here", title="Target of mine")
    await client.send_command("Page.navigate", {"url": url}, session_id)
    await until(lambda: session_id in loaded)
    found = next(t for t in await client.get_targets() if t.target_id == target_id)
    assert isinstance(found, Target)
    assert (found.type, found.title, found.url) == ("page", "Target of mine", url)
    assert found.attached is True
    await client.close_target(target_id)
    await until(lambda: target_id in destroyed)
    assert target_id not in [t.target_id for t in await client.get_targets()]


@pytest.mark.proves("S3-CDP-01")
async def test_a_target_opens_in_the_context_that_is_named(client):
    context_id = (await client.send_command("Target.createBrowserContext"))["browserContextId"]
    target_id = await client.create_target("about:blank", browser_context_id=context_id)
    found = next(t for t in await client.get_targets() if t.target_id == target_id)
    assert found.browser_context_id == context_id
    await client.send_command("Target.disposeBrowserContext", {"browserContextId": context_id})


@pytest.mark.proves("S3-P02")
async def test_a_connection_has_complete_metadata(manager, context):
    await do(context, "tabs")
    version = manager.get_active_browser().version
    assert all(asdict(version).values())
    session = await session_of(context)
    metrics = await session.current.send("Page.getLayoutMetrics")
    seen = metrics["cssVisualViewport"]
    assert (seen["clientWidth"], seen["clientHeight"]) == (1280, 720)
    assert (session.current.viewport.width, session.current.viewport.height) == (1280, 720)


@pytest.mark.proves("S3-CDP-01")
async def test_ten_thousand_concurrent_commands_each_get_their_own_answer_out_of_order(
    client, page
):
    count = 10_000
    arrived: list[int] = []
    answers: list[asyncio.Future] = []
    for number in range(count):
        later = (count - number) // 50
        script = f"new Promise(done => setTimeout(done, {later}, {number}))"
        params = {"expression": script, "awaitPromise": True, "returnByValue": True}
        future = client.post("Runtime.evaluate", params, page)
        future.add_done_callback(lambda _, number=number: arrived.append(number))
        answers.append(future)
    values = [done["result"]["value"] for done in await asyncio.gather(*answers)]
    assert values == list(range(count))
    assert sorted(arrived) == values
    assert arrived != values
    assert client._pending == {}


@pytest.mark.proves("S3-CDP-01")
async def test_commands_are_pipelined_in_the_order_of_their_posting(client, page):
    client.post("Runtime.evaluate", {"expression": "window.steps = []"}, page)
    for number in range(100):
        client.post("Runtime.evaluate", {"expression": f"steps.push({number})"}, page)
    last = client.post("Runtime.evaluate", {"expression": "steps.join()"}, page)
    assert (await last)["result"]["value"] == ",".join(map(str, range(100)))


async def test_a_command_that_was_given_up_does_not_disturb_the_others(client, page):
    forgotten = client.post("Runtime.evaluate", {"expression": "1"}, page)
    forgotten.cancel()
    assert await client.send_command("Runtime.evaluate", {"expression": "2"}, page)
    assert client._pending == {}


async def test_text_beyond_ascii_and_messages_of_megabytes_pass_both_ways(client, page):
    text = "ß→\U0001f40d\u2028\0" * 400_000
    params = {"expression": f"({text!r}).length", "returnByValue": True}
    answered = await client.send_command("Runtime.evaluate", params, page)
    assert answered["result"]["value"] == 6 * 400_000
    script = "'ß→\U0001f40d'.repeat(500_000)"
    back = await client.send_command("Runtime.evaluate", {"expression": script}, page)
    assert back["result"]["value"] == "ß→\U0001f40d" * 500_000


@pytest.mark.proves("S3-CDP-01")
async def test_events_reach_every_handler_in_order_also_when_one_of_them_raises(
    client, page, caplog
):
    first: list[int] = []
    last: list[int] = []

    def fail(params, session_id) -> None:
        raise ZeroDivisionError("the handler's own defect")

    client.on(CONSOLE, lambda params, _: first.append(params["args"][0]["value"]))
    client.on(CONSOLE, fail)
    client.on(CONSOLE, lambda params, _: last.append(params["args"][0]["value"]))
    with caplog.at_level(logging.CRITICAL, "tabwright.cdp"):
        await run(client, page, "for (let i = 0; i < 500; i++) console.log(i)")
        await until(lambda: len(last) == 500)
    assert first == last == list(range(500))
    assert client.is_connected
    assert await client.get_browser_version()


async def test_a_failing_handler_is_logged_with_the_event_and_its_traceback(client, page, caplog):
    def fail(params, session_id) -> None:
        raise ZeroDivisionError("the handler's own defect")

    client.on(CONSOLE, fail)
    await run(client, page, "console.log('x')")
    await until(lambda: bool(caplog.records))
    assert caplog.records[0].getMessage() == f"a handler of {CONSOLE} failed"
    assert caplog.records[0].exc_info[0] is ZeroDivisionError


@pytest.mark.proves("S3-CDP-01")
async def test_a_removed_handler_is_not_called_again_and_the_others_are(client, page):
    removed: list[int] = []
    once: list[int] = []
    kept: list[int] = []

    def hear(params, session_id) -> None:
        removed.append(1)

    def hear_once(params, session_id) -> None:
        once.append(1)
        client.off(CONSOLE, hear_once)

    client.on(CONSOLE, hear)
    client.on(CONSOLE, hear, session_id=page)
    client.on(CONSOLE, hear_once)
    client.on(CONSOLE, lambda *_: kept.append(1))
    await run(client, page, "console.log('all')")
    await until(lambda: len(kept) == 1)
    assert len(removed) == 2
    client.off(CONSOLE, hear)
    client.off(CONSOLE, hear, session_id=page)
    client.off(CONSOLE, hear)
    client.off("No.suchEvent", hear)
    await run(client, page, "console.log('fewer')")
    await until(lambda: len(kept) == 2)
    assert (len(removed), len(once)) == (2, 1)


@pytest.mark.proves("S3-CDP-01")
async def test_a_handler_of_one_session_hears_only_that_session(client, page):
    other_target = await client.create_target("about:blank")
    other = await attach(client, other_target)
    await client.send_command("Runtime.enable", session_id=other)
    mine: list[tuple[str, str | None]] = []
    everyones: list[tuple[str, str | None]] = []
    client.on(CONSOLE, lambda p, s: mine.append((p["args"][0]["value"], s)), session_id=page)
    client.on(CONSOLE, lambda p, s: everyones.append((p["args"][0]["value"], s)))
    await run(client, other, "console.log('theirs')")
    await run(client, page, "console.log('mine')")
    await until(lambda: len(everyones) == 2)
    assert mine == [("mine", page)]
    assert everyones == [("theirs", other), ("mine", page)]
    await client.close_target(other_target)


async def test_the_end_of_a_session_answers_its_commands_only_and_drops_its_handlers(client, page):
    heard: list[int] = []
    client.on(CONSOLE, lambda *_: heard.append(1), session_id=page)
    stuck = client.post("Runtime.evaluate", NEVER, page)
    general = client.post("Browser.getVersion")
    client.end_session(page, TargetClosed("The tab was closed."))
    with pytest.raises(TargetClosed):
        await stuck
    assert (await general)["product"]
    await run(client, page, "console.log('unheard')")
    assert heard == []


@pytest.mark.proves("S3-CDP-01")
@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("Nothing.atAll", {}, -32601),
        ("Target.createTarget", {}, -32602),
        ("Target.closeTarget", {"targetId": "none"}, -32602),
    ],
)
async def test_a_refused_command_is_a_protocol_error_that_names_it(client, method, params, code):
    with pytest.raises(ProtocolError) as caught:
        await client.send_command(method, params)
    assert caught.value.method == method
    assert caught.value.protocol_code == code
    assert caught.value.reason
    assert client.is_connected


async def test_a_command_to_a_session_that_is_gone_is_target_closed(client):
    target_id = await client.create_target("about:blank")
    session_id = await attach(client, target_id)
    await client.send_command("Target.detachFromTarget", {"sessionId": session_id})
    with pytest.raises(TargetClosed):
        await run(client, session_id, "1")
    await client.close_target(target_id)


@pytest.mark.proves("S3-CDP-01")
async def test_a_lost_connection_answers_every_open_command_and_leaves_nothing_behind(
    manager, tmp_path
):
    shared = await manager.launch_browser()
    books = Run(tmp_path / "runs", tmp_path / "profiles", tmp_path / "artifacts")
    plan = replace(shared.process.plan, user_data_dir=books.profiles / "own", run=books)
    before = held()
    process = await BrowserProcess.launch(plan)
    client = CDPClient()
    await client.connect(process.endpoint)
    session_id = await attach(client, await client.create_target("about:blank"))
    stuck = [client.post("Runtime.evaluate", NEVER, session_id) for _ in range(50)]
    os.kill(process.pid, signal.SIGKILL)
    outcomes = await asyncio.gather(*stuck, return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} == {DriverCrashError}
    assert outcomes[0].details["kind"] == "driver_crash"
    await client.closed.wait()
    assert not client.is_connected
    with pytest.raises(DriverCrashError):
        await client.get_targets()
    await client.disconnect()
    await process.close()
    await assert_no_more_than(before)


@pytest.mark.proves("S3-CDP-01")
def test_the_client_works_without_playwright(endpoint):
    script = """
import asyncio, sys
from tabwright import CDPClient

async def main():
    client = CDPClient()
    await client.connect(sys.argv[1])
    print((await client.get_browser_version()).browser)
    await client.disconnect()

asyncio.run(main())
print("playwright" in sys.modules)
"""
    command = [sys.executable, "-c", script, endpoint]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    product, loaded = done.stdout.split()
    assert "Chrome/" in product
    assert loaded == "False"
