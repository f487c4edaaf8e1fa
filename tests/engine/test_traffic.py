"""The ledger of a tab's requests, kept from what a real Chromium tells."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from http.server import BaseHTTPRequestHandler
from itertools import pairwise

import pytest
from inline_snapshot import snapshot

from support.engine import do, value
from support.gate import MakeGate
from support.site import Site
from support.socket import answer_socket
from support.traffic import ended, listening, paths, possible, tab_of, until
from tabwright.engine.context import ToolContext
from tabwright.engine.tab import Tab
from tabwright.engine.traffic import LEFT, UNHEARD, Request, Traffic
from tabwright.errors import InputError, TargetClosed

# An event each, and a part each.
EVENTS = b"--b\r\ncontent-type: image/png\r\ndata: 1\r\n\r\n" * 2


@pytest.fixture
async def tab(context: ToolContext, site: Site) -> Tab:
    await do(context, "navigate", url=site.page("/traffic", "<p>here</p>"))
    return await tab_of(context)


@pytest.fixture
async def traffic(tab: Tab) -> AsyncIterator[Traffic]:
    with listening(tab) as kept:
        yield kept


async def test_a_request_is_pending_until_its_body_is_whole(
    context: ToolContext, traffic: Traffic, gate: MakeGate
):
    api = gate("/pending/api", first=2)
    mark = traffic.mark()
    await value(context, "void fetch('/pending/api', {method: 'POST', body: 'x'})")
    (row,) = traffic.pending()
    assert (row.method, row.type, row.responded, row.status) == ("POST", "Fetch", None, None)
    api.head.set()
    await until(traffic, lambda: row.responded is not None)
    assert (row.status, row.mime_type, row.ended) == (200, "text/plain", None)
    assert traffic.pending() == [row]
    api.body.set()
    await until(traffic, lambda: row.ended is not None)
    assert traffic.pending() == []
    assert traffic.since(mark) == [row]
    assert row.started <= row.responded <= row.ended == traffic.last_end
    assert (row.failure, row.stream) == ("", "")
    assert traffic.since(traffic.mark()) == []
    assert row.loader_id
    assert not row.navigates


async def test_a_redirect_ends_one_row_and_begins_another(
    context: ToolContext, traffic: Traffic, site: Site
):
    site.redirect("/hop/1", "/hop/2")
    site.redirect("/hop/2", "/hop/3", status=307)
    site.content("/hop/3", b"there")
    assert await value(context, "fetch('/hop/1').then(r => r.text())") == "there"
    await ended(traffic, "/hop/3")
    rows = [row for row in traffic.since(0) if "/hop/" in row.url]
    assert [(row.url[-1], row.status) for row in rows] == [("1", 302), ("2", 307), ("3", 200)]
    assert len({row.id for row in rows}) == 1
    assert all(row.ended and not row.failure for row in rows)
    assert [a.ended <= b.started for a, b in pairwise(rows)] == [True, True]


async def test_requests_that_fail_say_why(
    context: ToolContext, traffic: Traffic, site: Site, gate: MakeGate
):
    site.broken("/fails/broken")
    gate("/fails/aborted")
    await value(context, "fetch('/fails/broken').catch(String)")
    await value(
        context,
        """{
            const given_up = new AbortController();
            const asked = fetch('/fails/aborted', {signal: given_up.signal}).catch(String);
            given_up.abort();
            asked;
        }""",
    )
    await value(context, "fetch('/fails/missing').then(r => r.text())")
    found = {path: await ended(traffic, path) for path in ("broken", "aborted", "missing")}
    assert {path: (row.status, row.failure) for path, row in found.items()} == snapshot(
        {
            "broken": (None, "net::ERR_EMPTY_RESPONSE"),
            "aborted": (None, "net::ERR_ABORTED"),
            "missing": (404, ""),
        }
    )
    assert traffic.pending() == []


@pytest.mark.parametrize(
    ("script", "mime", "reason"),
    [
        ("new EventSource(PATH)", "text/event-stream", "EventSource"),
        ("fetch(PATH)", "text/event-stream", "text/event-stream"),
        ("fetch(PATH)", "application/x-ndjson; charset=utf-8", "application/x-ndjson"),
        (
            "new Image().src = PATH",
            "multipart/x-mixed-replace; boundary=b",
            "multipart/x-mixed-replace",
        ),
    ],
)
async def test_a_stream_is_open_but_nothing_waits_for_it(
    context: ToolContext, traffic: Traffic, gate: MakeGate, script: str, mime: str, reason: str
):
    path = f"/stream/{reason}"
    source = gate(path, EVENTS, first=len(EVENTS) // 2, mime=mime)
    source.head.set()
    await value(context, f"void ({script.replace('PATH', repr(path))})")
    await until(traffic, lambda: bool(traffic.streams()))
    (row,) = traffic.streams()
    assert (row.stream, row.ended) == (reason, None)
    assert traffic.pending() == []
    before = traffic.last_end
    async with asyncio.timeout(20):
        await traffic.idle(1, possible=possible)
    assert row.ended is None
    source.body.set()
    await ended(traffic, path)
    assert traffic.last_end == before


async def test_a_socket_is_a_stream_from_its_beginning_to_its_end(
    context: ToolContext, traffic: Traffic, site: Site
):
    hang_up = threading.Event()
    site.route("/socket", lambda request: answer_socket(request, hang_up))
    await value(
        context, f"new Promise(d => new WebSocket('{site.url('/socket')}').onopen = () => d(1))"
    )
    await until(traffic, lambda: [row.status for row in traffic.streams()] == [101])
    (row,) = traffic.streams()
    assert (row.stream, row.type, row.ended) == ("WebSocket", "WebSocket", None)
    assert traffic.pending() == []
    hang_up.set()
    assert (await ended(traffic, "/socket")) is row
    assert traffic.streams() == []


async def test_a_request_without_an_answer_holds_up_silence(
    context: ToolContext, tab: Tab, traffic: Traffic, gate: MakeGate
):
    poll = gate("/poll")
    await value(context, "void fetch('/poll')")
    waiting = asyncio.ensure_future(traffic.idle(1, possible=tab.check))
    await value(context, "fetch('/traffic').then(r => r.text())")
    await ended(traffic, "/traffic")
    await tab.send("Runtime.evaluate", {"expression": "0"})
    assert not waiting.done()
    assert paths(traffic.pending()) == ["/poll"]
    poll.open()
    await waiting
    assert traffic.pending() == []


async def test_what_the_page_only_sends_or_keeps_for_later_is_not_waited_for(
    context: ToolContext, traffic: Traffic, gate: MakeGate, site: Site
):
    gate("/later/beacon")
    gate("/later/prefetch")
    await value(
        context,
        """
        navigator.sendBeacon('/later/beacon', 'x');
        const link = document.createElement('link');
        link.rel = 'prefetch', link.href = '/later/prefetch', document.head.append(link);
        """,
    )
    await until(traffic, lambda: len(traffic.since(0)) == 2)
    types = {row.url.rsplit("/", 1)[1]: row.type for row in traffic.since(0)}
    assert types == {"beacon": "Ping", "prefetch": "Prefetch"}
    assert traffic.pending() == traffic.streams() == []
    # Another origin, so that Chromium asks there first whether it may.
    elsewhere = site.url("/traffic").replace("127.0.0.1", "localhost")
    await value(context, f"fetch('{elsewhere}', {{headers: {{'x-a': '1'}}}}).catch(String)")
    await ended(traffic, "/traffic")
    rows = [row for row in traffic.since(0) if row.url == elsewhere]
    assert {row.type: row.counted for row in rows} == {"Preflight": False, "Fetch": True}


async def test_a_workers_script_is_not_waited_for_though_its_end_is_not_told(
    context: ToolContext, traffic: Traffic, site: Site
):
    site.content("/worker.js", b"postMessage('runs')", mime="text/javascript")
    runs = "new Promise(d => new Worker('/worker.js').onmessage = e => d(e.data))"
    assert await value(context, runs) == "runs"
    assert paths(traffic.since(0)) == ["/worker.js"]
    assert traffic.pending() == []


async def test_an_answer_from_the_cache_is_marked(
    context: ToolContext, traffic: Traffic, site: Site
):
    headers = {"cache-control": "max-age=1000"}
    site.content("/cached.css", b"p {}", mime="text/css", headers=headers)
    site.content("/cached.json", b"{}", mime="application/json", headers=headers)
    url = site.page("/cached", "<link rel=stylesheet href=/cached.css>")
    for _ in range(2):
        await do(context, "navigate", url=url)
        await value(context, "fetch('/cached.json').then(r => r.text())")
    await until(traffic, lambda: not traffic.pending())
    rows = [row for row in traffic.since(0) if "/cached." in row.url]
    assert [row.cached for row in rows if row.type == "Stylesheet"] == [False, True]
    assert [row.cached for row in rows if row.type == "Fetch"] == [False, True]
    assert all(row.ended for row in rows)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_navigation_ends_what_the_document_before_had_open(
    context: ToolContext, traffic: Traffic, site: Site, gate: MakeGate, host: str
):
    gate("/left/api")
    gate("/left/half", first=1).head.set()
    gate("/left/events", EVENTS, first=9, mime="text/event-stream").head.set()
    site.page("/left/child", "<script>void fetch('/left/api?child')</script>")
    await do(context, "navigate", url=site.page("/left", "<iframe src=/left/child></iframe>"))
    await value(
        context,
        "void fetch('/left/api'); void fetch('/left/half'); void new EventSource('/left/events')",
    )
    await until(traffic, lambda: bool(traffic.streams()))
    before = traffic.mark()
    assert sorted(paths(traffic.pending())) == ["/left/api", "/left/api?child", "/left/half"]
    await do(context, "navigate", url=site.page("/next", "next").replace("127.0.0.1", host))
    async with asyncio.timeout(20):
        await traffic.idle(1, possible=possible)
    assert traffic.pending() == traffic.streams() == []
    cut = {row.url.rsplit("/", 1)[1] for row in traffic.since(0) if row.failure == LEFT}
    assert cut == {"api", "api?child", "half", "events"}
    (document,) = traffic.since(before)
    assert (document.navigates, document.status, document.failure) == (True, 200, "")


async def test_a_navigation_that_brings_no_document_leaves_the_present_ones_requests(
    context: ToolContext, traffic: Traffic, site: Site, gate: MakeGate
):
    api = gate("/stays/api")
    await value(context, "void fetch('/stays/api')")

    def nothing(request: BaseHTTPRequestHandler) -> None:
        request.send_response(204)
        request.end_headers()

    site.route("/stays/204", nothing)
    await value(context, "void (location.href = '/stays/204')")
    document = await ended(traffic, "/stays/204")
    assert (document.type, document.status) == ("Document", 204)
    assert paths(traffic.pending()) == ["/stays/api"]
    api.open()
    assert (await ended(traffic, "/stays/api")).status == 200


async def test_a_frame_that_is_removed_takes_its_requests_along(
    context: ToolContext, traffic: Traffic, site: Site, gate: MakeGate
):
    gate("/removed/api")
    gate("/removed/document")
    site.page("/removed/child", "<script>void fetch('/removed/api')</script>")
    body = "<iframe src=/removed/child></iframe>"
    await do(context, "navigate", url=site.page("/removed", body))
    await value(
        context,
        "void (document.body.append(document.createElement('iframe')),"
        " document.querySelectorAll('iframe')[1].src = '/removed/document')",
    )
    await until(traffic, lambda: len(traffic.pending()) == 2)
    await value(context, "document.querySelectorAll('iframe').forEach(frame => frame.remove())")
    await until(traffic, lambda: not traffic.pending())
    assert all(row.failure for row in traffic.since(0) if row.url.endswith(("api", "document")))


async def test_a_request_is_found_by_its_address_method_and_status(
    context: ToolContext, tab: Tab, traffic: Traffic, gate: MakeGate
):
    api = gate("/found/api")
    mark = traffic.mark()

    def wait(pattern: str, **how: object) -> asyncio.Future[Request]:
        return asyncio.ensure_future(
            traffic.request(pattern, possible=tab.check, since=mark, **how)
        )

    begun, posted = wait("**/found/api?*"), wait("/found/", method="post")
    answered, missing = wait("found/api?1", status=200), wait("found", status=404)
    await value(context, "void fetch('/found/api?1')")
    row = await begun
    assert row.status is None
    assert not answered.done()
    assert not posted.done()
    api.open()
    assert await answered is row
    await value(context, "fetch('/found/none', {method: 'POST'}).then(r => r.status)")
    assert (await posted).url.endswith("/found/none")
    assert await missing is await posted
    assert await traffic.request("found/api", possible=tab.check) is row
    late = wait("found")
    assert await late is row
    with pytest.raises(InputError):
        await traffic.request("/(/", possible=tab.check)


async def test_waiting_ends_with_the_tab(
    context: ToolContext, tab: Tab, traffic: Traffic, gate: MakeGate
):
    gate("/lost")
    await value(context, "void fetch('/lost')")
    (row,) = traffic.pending()
    waits = [
        asyncio.ensure_future(traffic.idle(1, possible=tab.check)),
        asyncio.ensure_future(traffic.request("**/never-asked-for", possible=tab.check)),
    ]
    await asyncio.sleep(0)
    await do(context, "tabs", action="close")
    traffic.forget_all()
    for wait in waits:
        with pytest.raises(TargetClosed):
            await wait
    assert traffic.pending() == []
    assert row.failure == UNHEARD
