"""Silence on the network, frames in other processes, and what is remembered for how long."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.engine import do, make_settings, value
from support.gate import MakeGate
from support.site import Site
from support.traffic import ended, listening, paths, possible, tab_of, until
from tabwright.engine.cdp import CDPClient, Params
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager
from tabwright.engine.tab import Tab
from tabwright.engine.traffic import LEFT, REMEMBERED, SLOW_BODY_S, URL_CHARACTERS, Traffic

milliseconds = st.integers(1, 400)


class Delays:
    """Answers `/delay/N` after so many milliseconds, and knows when the last answer was sent."""

    def __init__(self, site: Site) -> None:
        self.sent = 0.0
        self._never = threading.Event()
        self._site = site

    def urls(self, delays: list[int]) -> list[str]:
        for delay in delays:
            self._site.route(f"/delay/{delay}", lambda request, ms=delay: self._answer(request, ms))
        return [f"/delay/{delay}?{at}" for at, delay in enumerate(delays)]

    def _answer(self, request: BaseHTTPRequestHandler, delay: int) -> None:
        self._never.wait(delay / 1000)
        request.send_response(200)
        request.send_header("content-length", "0")
        # Before it goes out: the browser may have it before we are told that it went.
        self.sent = max(self.sent, time.monotonic())
        request.end_headers()


# Feature: browser-automation, Property 56: Network idle detection
@given(quiet=milliseconds, delays=st.lists(milliseconds, max_size=5))
@settings(max_examples=15)
async def test_silence_is_never_told_earlier_than_asked(
    context: ToolContext, site: Site, quiet: int, delays: list[int]
):
    tab = await tab_of(context)
    if "/quiet" not in tab.url:
        await do(context, "navigate", url=site.page("/quiet", "quiet"))
    server = Delays(site)
    with listening(tab) as traffic:
        asked = time.monotonic()
        await value(context, f"void {server.urls(delays)}.map(url => fetch(url))")
        await traffic.idle(quiet, possible=tab.check, after=asked)
        silence_s = time.monotonic() - max(server.sent, asked)
        assert traffic.pending() == []
        assert sum(row.ended is not None for row in traffic.since(0)) == len(delays)
    assert silence_s >= quiet / 1000


async def test_silence_may_be_counted_from_a_moment_that_is_past(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/quiet", "quiet"))
    with listening(await tab_of(context)) as traffic:
        long_ms = 3_600_000
        async with asyncio.timeout(20):
            await traffic.idle(long_ms, possible=possible, after=time.monotonic() - long_ms / 1000)
        waiting = asyncio.ensure_future(traffic.idle(long_ms, possible=possible))
        await value(context, "fetch('/quiet').then(r => r.text())")
        await ended(traffic, "/quiet")
        assert not waiting.done()
        waiting.cancel()


async def test_a_body_that_stays_open_becomes_a_stream(
    context: ToolContext, site: Site, gate: MakeGate
):
    time_ = 100.0
    slow = gate("/slow/body", first=1)
    await do(context, "navigate", url=site.page("/slow", "slow"))
    with listening(await tab_of(context), Traffic(lambda: time_)) as traffic:
        await value(context, "void fetch('/slow/body')")
        time_ += SLOW_BODY_S * 2
        (row,) = traffic.pending()
        slow.head.set()
        await until(traffic, lambda: row.responded is not None)
        time_ += SLOW_BODY_S - 0.001
        assert traffic.pending() == [row]
        time_ += 0.001
        assert traffic.pending() == []
        assert traffic.streams() == [row]
        assert row.stream == "body open for 3 s"
        slow.body.set()
        await ended(traffic, "/slow/body")
        assert traffic.last_end == time_


async def test_silence_is_noticed_when_a_body_becomes_a_stream_without_any_event(
    context: ToolContext, site: Site, gate: MakeGate
):
    """The real clock, put forward by almost as long as it takes."""
    put_forward = 0.0
    gate("/slow/still", first=1).head.set()
    await do(context, "navigate", url=site.page("/slow", "slow"))
    traffic = Traffic(lambda: time.monotonic() + put_forward)
    with listening(await tab_of(context), traffic):
        await value(context, "fetch('/slow/still').then(r => r.status)")
        await until(traffic, lambda: traffic.since(0)[0].status == 200)
        put_forward = SLOW_BODY_S - 0.1
        async with asyncio.timeout(20):
            await traffic.idle(1, possible=possible)
        assert paths(traffic.streams()) == ["/slow/still"]


class Told:
    """A ledger that is told of requests by the test itself."""

    def __init__(self) -> None:
        self.traffic = Traffic()
        self._client = CDPClient()
        self.traffic.listen(self._client, "page")

    def tell(self, method: str, **params: object) -> None:
        self._client._receive({"method": method, "params": params, "sessionId": "page"})

    def begin(self, number: int, url: str = "http://h/", *, navigates: str = "") -> None:
        self.tell(
            "Network.requestWillBeSent",
            requestId=navigates or f"1.{number}",
            loaderId=navigates or "L",
            frameId="F",
            type="Fetch",
            initiator={"type": "script"},
            request={"url": url, "method": "GET", "headers": {}},
        )

    def end(self, number: int) -> None:
        self.tell("Network.loadingFinished", requestId=f"1.{number}")


def test_what_ended_is_remembered_up_to_a_bound_and_what_is_open_for_ever():
    told = Told()
    told.begin(0)
    begun = told.traffic.mark()
    for number in range(1, REMEMBERED * 2):
        told.begin(number)
        told.end(number)
    mark = told.traffic.mark()
    told.begin(REMEMBERED * 2)
    assert [row.id for row in told.traffic.since(mark)] == [f"1.{REMEMBERED * 2}"]
    assert len(told.traffic.since(begun)) == REMEMBERED + 1
    assert [row.id for row in told.traffic.pending()] == ["1.0", f"1.{REMEMBERED * 2}"]
    assert [row.id for row in told.traffic.pending(since=mark)] == [f"1.{REMEMBERED * 2}"]
    told.end(0)
    assert told.traffic.since(0)[0].id == "1.0"


def test_a_long_address_is_cut():
    told = Told()
    told.begin(1, "data:" + "x" * 5_000_000)
    assert len(told.traffic.since(0)[0].url) == URL_CHARACTERS + 1


def test_a_document_that_arrives_does_not_end_the_navigation_that_goes_on_from_it():
    told = Told()
    told.begin(1)
    told.begin(0, navigates="M")
    told.begin(0, navigates="N")
    told.tell("Page.frameNavigated", frame={"id": "F", "loaderId": "M"})
    assert [row.id for row in told.traffic.pending()] == ["M", "N"]


def test_events_of_requests_that_were_never_seen_to_begin_are_passed_over():
    told = Told()
    told.end(1)
    told.tell("Network.loadingFailed", requestId="1.1", errorText="net::ERR_FAILED")
    told.tell("Network.responseReceived", requestId="1.1", type="Fetch", response={})
    told.tell("Network.requestServedFromCache", requestId="1.1")
    assert told.traffic.since(0) == []


def test_a_session_that_is_forgotten_is_heard_no_more():
    told = Told()
    told.begin(1)
    told.traffic.forget("page")
    assert told.traffic.pending() == []
    told.begin(2)
    assert len(told.traffic.since(0)) == 1
    told.traffic.forget("page")


@pytest.fixture
async def isolated(tmp_path: Path) -> AsyncIterator[ToolContext]:
    """A browser in which frames of other sites have processes of their own."""
    args = {"browser.args": ["--site-per-process"]}
    manager = BrowserManager(make_settings(tmp_path, **args))
    yield manager.context("isolated", working_dir=tmp_path)
    await manager.stop()


def follow_frames(tab: Tab, traffic: Traffic) -> None:
    """Listen to the sessions of the tab's frames too, as they come and go."""
    client = tab._client
    assert client is not None

    def came(params: Params, _: str | None) -> None:
        session_id = params["sessionId"]
        traffic.listen(client, session_id)
        for command in ("Network.enable", "Page.enable", "Runtime.runIfWaitingForDebugger"):
            client.post(command, session_id=session_id)

    client.on("Target.attachedToTarget", came, session_id=tab._session_id)
    client.on(
        "Target.detachedFromTarget",
        lambda params, _: traffic.forget(params["sessionId"]),
        session_id=tab._session_id,
    )
    attach = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
    tab.post("Target.setAutoAttach", attach)


async def test_a_frame_may_change_its_process_in_the_middle_of_a_request(
    isolated: ToolContext, site: Site, gate: MakeGate
):
    gate("/oopif/api")
    site.page("/oopif/inner", "<script>void fetch('/oopif/api?inner')</script>")
    site.page(
        "/oopif/child",
        "<iframe src=/oopif/inner></iframe><script>void fetch('/oopif/api?child')</script>",
    )
    site.page("/oopif/after", "after")
    elsewhere = site.origin.replace("127.0.0.1", "localhost")
    tab = await tab_of(isolated)
    with listening(tab) as traffic:
        follow_frames(tab, traffic)
        body = f"<iframe id=it src={elsewhere}/oopif/child></iframe>"
        await do(isolated, "navigate", url=site.page("/oopif", body))
        both = ["/oopif/api?child", "/oopif/api?inner"]
        await until(traffic, lambda: sorted(paths(traffic.pending())) == both)
        document = await ended(traffic, "/oopif/child")
        assert (document.status, document.failure) == (200, "")
        assert document.session_id != tab._session_id

        for origin, path in ((elsewhere, "/oopif/after"), (site.origin, "/oopif/after?back")):
            await value(isolated, f"void (document.getElementById('it').src = '{origin}{path}')")
            document = await ended(traffic, path)
            assert (document.status, document.failure) == (200, "")
            await until(traffic, lambda: not traffic.pending())
        assert {row.failure for row in traffic.since(0) if "api" in row.url} == {LEFT}
        assert document.session_id == tab._session_id
