"""Offline and slow: in force for pages, new tabs and workers of every kind, and taken back."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from support.crash import kill_browser
from support.engine import do, session_of, value
from support.network import ended, tried
from support.pwa import App
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager

ASK = """onmessage = (e) => fetch(e.data).then(
    (r) => r.text(), (error) => error.name).then((said) => postMessage(said))"""
SHARED = """onconnect = (c) => { c.ports[0].onmessage = (e) => fetch(e.data).then(
    (r) => r.text(), (error) => error.name).then((said) => c.ports[0].postMessage(said)) }"""
ASKING = """new Promise((done) => {
    const port = WORKER;
    port.onmessage = (e) => done(e.data);
    port.postMessage('ADDRESS');
})"""


def asking(worker: str, url: str) -> str:
    return ASKING.replace("WORKER", worker).replace("ADDRESS", url)


@pytest.fixture
def data(site: Site) -> str:
    site.hits["/cond/data"] = 0
    return site.content(
        "/cond/data", b"data", mime="text/plain", headers={"cache-control": "no-store"}
    )


@pytest.mark.proves("S2-BT-022")
async def test_offline_the_server_sees_nothing_and_false_restores(
    context: ToolContext, site: Site, data: str
):
    await do(context, "navigate", url=site.page("/cond/page", "page"))
    outcome = await call(context, "conditions", {"offline": True})
    assert outcome.text() == "Conditions: offline."
    assert await value(context, "navigator.onLine") is False
    assert await tried(context, data) == "TypeError"
    found = await ended(context, "/cond/data")
    assert found.failure == "offline: there is no network (net::ERR_INTERNET_DISCONNECTED)"
    assert site.hits["/cond/data"] == 0
    refused = await call(context, "navigate", {"url": site.url("/cond/page")})
    assert refused.error is not None
    assert refused.error.code == "NETWORK_ERROR"
    assert site.hits["/cond/page"] == 1
    outcome = await call(context, "conditions", {"offline": False})
    assert outcome.text() == "Conditions: online, full speed."
    await do(context, "navigate", url=site.url("/cond/page"))
    assert await tried(context, data) == "data"
    assert await value(context, "navigator.onLine") is True


@pytest.mark.proves("S2-BT-022")
async def test_what_a_service_worker_has_cached_loads_and_the_worker_is_offline_too(
    context: ToolContext, site: Site
):
    app = App(site, "/cond/app")
    await app.open(context)
    assert await app.ask_worker(context, "data") == '{"served": 1}'
    hits = dict(site.hits)
    await do(context, "conditions", offline=True)
    await do(context, "navigate", url=app.url)
    assert await value(context, "[document.title, window.ran]") == ["App", True]
    assert await tried(context, f"{app.base}/data") == "TypeError"
    assert await app.ask_worker(context, "data") == "TypeError: Failed to fetch"
    assert await tried(context, f"{app.base}/made") == "made"
    assert dict(site.hits) == hits
    await do(context, "conditions", offline=False)
    assert await app.ask_worker(context, "data") == '{"served": 1}'
    assert await tried(context, f"{app.base}/data") == '{"served": 1}'


@pytest.mark.proves("S2-BT-022")
async def test_a_service_worker_that_is_started_again_is_still_offline(
    context: ToolContext, site: Site
):
    app = App(site, "/cond/restarted")
    await app.open(context)
    await do(context, "conditions", offline=True)
    tab = (await session_of(context)).current
    assert tab is not None
    await tab.send("ServiceWorker.enable")
    await tab.send("ServiceWorker.stopAllWorkers")
    before = site.hits[f"{app.base}/data"]
    assert await app.ask_worker(context, "data") == "TypeError: Failed to fetch"
    assert site.hits[f"{app.base}/data"] == before


@pytest.mark.proves("S2-BT-022")
async def test_new_tabs_popups_and_workers_are_offline(context: ToolContext, site: Site, data: str):
    site.content("/cond/worker.js", ASK.encode(), mime="text/javascript")
    site.content("/cond/shared.js", SHARED.encode(), mime="text/javascript")
    outer = """const w = new Worker('/cond/worker.js');
        w.onmessage = (e) => postMessage(e.data); onmessage = (e) => w.postMessage(e.data);"""
    site.content("/cond/outer.js", outer.encode(), mime="text/javascript")
    workers = {
        "own": "window.own ??= new Worker('/cond/worker.js')",
        "nested": "window.nested ??= new Worker('/cond/outer.js')",
        "shared": "(window.shared ??= new SharedWorker('/cond/shared.js')).port",
    }
    site.page("/cond/popup", "popup")
    await do(context, "navigate", url=site.page("/cond/workers", "page"))
    for worker in workers.values():
        assert await value(context, asking(worker, data)) == "data"
    hits = dict(site.hits)
    await do(context, "conditions", offline=True)
    for name, worker in workers.items():
        assert await value(context, asking(worker, data)) == "TypeError", name
    made = "new Worker(URL.createObjectURL(new Blob([CODE])))".replace("CODE", f"`{ASK}`")
    assert await value(context, asking(made, data)) == "TypeError"
    await value(context, "void open('/cond/popup')")
    outcome = await call(context, "tabs", {"action": "new", "url": site.url("/cond/popup")})
    assert outcome.error is not None
    assert outcome.error.code == "NETWORK_ERROR"
    assert dict(site.hits) == hits


@pytest.mark.proves("S2-BT-022")
async def test_offline_holds_after_the_browser_was_started_again(
    own_manager: BrowserManager, site: Site, data: str
):
    context = own_manager.context("a")
    await do(context, "navigate", url="about:blank")
    await do(context, "conditions", offline=True, cpu=3)
    kill_browser(own_manager)
    outcome = await call(context, "conditions")
    assert outcome.text().splitlines()[-1] == "Conditions: offline, processor 3 times slower."
    refused = await call(context, "navigate", {"url": data})
    assert refused.error is not None
    assert refused.error.code == "NETWORK_ERROR"
    assert site.hits["/cond/data"] == 0


async def test_conversations_have_conditions_of_their_own(
    context: ToolContext, manager: BrowserManager, data: str
):
    await do(context, "conditions", offline=True)
    other = manager.context("online")
    try:
        await do(other, "navigate", url=data)
    finally:
        await manager.close_session("online")


async def told(context: ToolContext, **params: Any) -> str:
    return (await do(context, "conditions", **params)).text().removeprefix("Conditions: ")


async def test_a_slow_network_has_a_name_or_numbers(context: ToolContext, site: Site, data: str):
    await do(context, "navigate", url=site.page("/cond/slow", "page"))
    assert await told(context, network="slow-3g") == (
        "latency 2000 ms, download 400 kbit/s, upload 400 kbit/s."
    )
    assert await told(context, latency=300) == (
        "latency 300 ms, download 400 kbit/s, upload 400 kbit/s."
    )
    assert await tried(context, data) == "data"
    slow = await ended(context, "/cond/data")
    assert slow.duration_ms >= 300
    assert await told(context) == "latency 300 ms, download 400 kbit/s, upload 400 kbit/s."
    assert await told(context, network="none") == "online, full speed."


async def test_a_slow_download_takes_as_long_as_its_size_says(context: ToolContext, site: Site):
    site.content("/cond/large", b"x" * 20_000, mime="text/plain")
    await do(context, "navigate", url=site.page("/cond/loading", "page"))
    await do(context, "conditions", download=400)
    await tried(context, "/cond/large")
    assert (await ended(context, "/cond/large")).duration_ms >= 300


async def test_every_page_gets_a_slow_processor_and_the_browser_agrees(
    own_manager: BrowserManager, site: Site, monkeypatch: pytest.MonkeyPatch
):
    context = own_manager.context("a")
    await do(context, "navigate", url=site.page("/cond/busy", "page"))
    client = own_manager.get_active_browser().client
    post, given = client.post, list[tuple[Any, asyncio.Future[Any]]]()

    def noted(method: str, params: Any = None, session_id: str | None = None) -> Any:
        answer = post(method, params, session_id)
        if method == "Emulation.setCPUThrottlingRate":
            given.append((params["rate"], answer))
        return answer

    monkeypatch.setattr(client, "post", noted)
    assert await told(context, cpu=20) == "processor 20 times slower."
    await do(context, "tabs", action="new", url=site.url("/cond/busy"))
    assert await told(context, cpu=20) == "processor 20 times slower."
    assert await told(context, cpu=1) == "online, full speed."
    assert [rate for rate, _ in given] == [20, 20, 1, 1]
    assert [await answer for _, answer in given] == [{}] * 4
