"""Waiting: until it is so and no longer, or an error that says how things are instead."""

from __future__ import annotations

import asyncio
import threading
import time
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.engine import do, session_of, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext


async def later(context: ToolContext, script: str, ms: int = 300) -> None:
    await value(context, f"setTimeout(() => {{ {script} }}, {ms}); 1")


async def timed_out(context: ToolContext, **params: object):
    began = time.monotonic()
    outcome = await call(context, "wait", params)
    took = (time.monotonic() - began) * 1000
    assert outcome.error is not None
    assert outcome.error.code == "TIMEOUT", outcome.text()
    return outcome.error, took


@pytest.mark.proves("S2-BT-013a", "S3-6.9", "S3-ACT-01")
async def test_an_element_is_waited_for_until_it_is_there(
    context: ToolContext, site: Site, monkeypatch: pytest.MonkeyPatch
):
    await do(context, "navigate", url=site.page("/wait/a", "<p id=p>here</p>"))
    tab = (await session_of(context)).current
    assert tab is not None
    post, looks, looked = tab.frames.post, [], asyncio.Event()

    def note(method: str, params: Any, session_id: str) -> Any:
        if '"await"' in str(params):
            looks.append(method)
            # It looks again: it was not content with what it saw.
            if len(looks) == 2:
                looked.set()
        return post(method, params, session_id)

    monkeypatch.setattr(tab.frames, "post", note)
    come = "document.body.insertAdjacentHTML('beforeend', '<i id=i>x</i>')"
    for state, change in (
        ("attached", come),
        ("detached", "document.getElementById('i').remove()"),
    ):
        looks.clear()
        looked.clear()
        waiting = asyncio.ensure_future(do(context, "wait", selector="#i", state=state))
        waiting.add_done_callback(lambda _: looked.set())
        await looked.wait()
        assert not waiting.done()
        await tab.send("Runtime.evaluate", {"expression": change})
        found = await waiting
        assert found.waited_ms > 0
        assert (found.found is None) == (state == "detached")


@pytest.mark.parametrize(
    "style", ["display:none", "visibility:hidden", "opacity:0", "width:0;height:0;overflow:hidden"]
)
@pytest.mark.proves("S2-BT-013b")
async def test_hidden_in_any_way_is_not_visible(context: ToolContext, site: Site, style: str):
    body = f"<div id=d style='{style}'>x</div>"
    await do(context, "navigate", url=site.page("/wait/hidden", body))
    await do(context, "wait", selector="#d")
    await do(context, "wait", selector="#d", state="hidden")
    error, _ = await timed_out(context, selector="#d", visible=True, timeout=150)
    assert "present but hidden" in str(error)
    await later(context, "d.style = ''", 100)
    await do(context, "wait", selector="#d", visible=True)


@pytest.mark.proves("S2-BT-013c", "S3-P57", "S3-P10")
async def test_a_timeout_says_condition_time_and_present_state(context: ToolContext, site: Site):
    gate = threading.Event()
    slow = site.silent("/wait/pending", gate)
    url = site.page("/wait/state", f"<p hidden>x</p><script>fetch('{slow}')</script>")
    await do(context, "navigate", url=url)
    try:
        error, _ = await timed_out(context, selector="#never", timeout=200)
    finally:
        gate.set()
    assert "'#never' to be attached" in error.message
    assert error.details["waitedMs"] == 200
    state = error.details["state"]
    assert (state["element"], state["count"], state["url"]) == ("absent", 0, url)
    assert any("/wait/pending" in one for one in state["pendingRequests"])
    assert "load" in state["reached"]
    error, _ = await timed_out(context, selector="p", state="visible", timeout=150)
    assert error.details["state"]["count"] == 1
    assert "display: none" in str(error)


@pytest.mark.proves("S3-P54", "S3-P55", "S3-6.9")
@settings(max_examples=8)
@given(
    limit=st.integers(50, 900), state=st.sampled_from(["attached", "visible", "detached", "hidden"])
)
async def test_a_wait_in_vain_ends_at_its_limit(
    context: ToolContext, site: Site, limit: int, state: str
):
    await do(context, "navigate", url=site.page("/wait/limit", "<p id=p>x</p>"))
    selector = "#p" if state in ("detached", "hidden") else "#none"
    error, took = await timed_out(context, selector=selector, state=state, timeout=limit)
    assert error.details["waitedMs"] == limit
    assert took >= limit - 1
    assert took <= limit + 1000


async def test_text_and_its_going(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/wait/text", "<p id=p>Loading…</p>"))
    await later(context, "p.innerHTML = 'All <b>done</b>'")
    await do(context, "wait", textGone="Loading")
    await do(context, "wait", text="all done")
    error, _ = await timed_out(context, text="never said", timeout=100)
    assert "'never said'" in error.message


async def test_an_address_by_glob_and_by_regex(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/wait/url", "x"))
    site.page("/wait/next", "next")
    await later(context, "location.href = '/wait/next?step=2'", 150)
    assert (await do(context, "wait", url="**/wait/next*")).found.endswith("step=2")
    await later(context, "history.pushState({}, '', '/wait/pushed')", 50)
    await do(context, "wait", url="/pushed$/")
    error, _ = await timed_out(context, url="**/elsewhere", timeout=100)
    assert error.details["state"]["url"].endswith("/wait/pushed")


@pytest.mark.proves("S3-18.5", "S3-WAIT-01", "S3-ACT-01")
async def test_load_states(context: ToolContext, site: Site):
    gate = threading.Event()
    image = site.silent("/wait/image", gate)
    url = site.page("/wait/load", f"<img src='{image}'>")
    await do(context, "navigate", url=url, waitUntil="domcontentloaded")
    await do(context, "wait", loadState="domcontentloaded")
    try:
        error, _ = await timed_out(context, loadState="load", timeout=150)
        assert "load" not in error.details["state"]["reached"]
    finally:
        gate.set()
    await do(context, "wait", loadState="load")
    await do(context, "wait", loadState="networkidle")


@pytest.mark.proves("S3-P56")
async def test_silence_is_counted_from_the_last_request_and_streams_are_named(
    context: ToolContext, site: Site
):
    ends: list[float] = []
    gate = threading.Event()

    def slow(request: BaseHTTPRequestHandler) -> None:
        time.sleep(0.15)
        ends.append(time.monotonic())
        request.send_response(200)
        request.send_header("content-length", "0")
        request.end_headers()

    def stream(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("content-type", "text/event-stream")
        request.end_headers()
        request.wfile.write(b"data: 1\n\n")
        request.wfile.flush()
        gate.wait(30)
        request.close_connection = True

    api, sse = site.route("/wait/api", slow), site.route("/wait/sse", stream)
    await do(context, "navigate", url=site.page("/wait/idle", "x"))
    await value(context, f"new EventSource('{sse}'); 1")
    try:
        for quiet in (40, 230, 610):
            await value(
                context, f"fetch('{api}').then(() => setTimeout(() => fetch('{api}'), 20)); 1"
            )
            found = await do(context, "wait", networkIdle=quiet)
            assert (time.monotonic() - ends[-1]) * 1000 >= quiet
            assert found.left_out == [sse]
    finally:
        gate.set()
    assert len(ends) == 6


@pytest.mark.proves("S3-18.4", "S3-WAIT-01")
async def test_a_request_by_address_method_and_status(context: ToolContext, site: Site):
    site.content("/wait/data", b"{}", mime="application/json")
    await do(
        context,
        "navigate",
        url=site.page(
            "/wait/request",
            "<button id=b onclick=\"fetch('/wait/data?n=1', {method: 'POST'})\">x</button>",
        ),
    )
    await do(context, "click", selector="#b")
    found = await do(context, "wait", request="**/wait/data*", method="POST", status=200)
    assert found.found["url"].endswith("/wait/data?n=1")
    error, _ = await timed_out(context, request="**/wait/data*", status=500, timeout=100)
    assert "with status 500" in error.message
    await timed_out(context, request="**/other", timeout=100)
    await timed_out(context, request="**/wait/data*", method="GET", timeout=100)
    await later(context, "fetch('/wait/data?n=2')")
    found = await do(context, "wait", request="/n=2$/", method="GET")
    assert found.found["url"].endswith("/wait/data?n=2")


@pytest.mark.proves("S3-18.6", "S3-WAIT-01")
async def test_a_script_and_what_it_throws(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/wait/script", "x"))
    await later(context, "window.ready = { count: 2 }")
    assert (await do(context, "wait", expression="window.ready")).found == {"count": 2}
    await do(context, "wait", expression="new Promise((r) => setTimeout(() => r(true), 50))")
    await timed_out(context, expression="false", timeout=100)
    outcome = await call(context, "wait", {"expression": "nothing.here"})
    assert outcome.error is not None
    assert outcome.error.code == "SCRIPT_ERROR"
    assert "nothing is not defined" in outcome.error.message


async def test_a_download_and_mere_time(context: ToolContext, site: Site):
    url = site.content(
        "/wait/file",
        b"12345",
        mime="application/octet-stream",
        headers={"content-disposition": "attachment; filename=w.bin"},
    )
    await do(context, "navigate", url=site.page("/wait/dl", f"<a id=a href='{url}'>x</a>"))
    await do(context, "click", selector="#a")
    assert (await do(context, "wait", download=True)).found["sizeBytes"] == 5
    assert (await do(context, "wait", time=120)).waited_ms >= 120


@pytest.mark.proves("S3-ERR-05", "S1-18")
async def test_after_a_timeout_the_next_call_works_at_once(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/wait/next-call", "<button id=b>x</button>"))
    error, _ = await timed_out(context, selector="#never", timeout=100)
    assert error.advice == "retry"
    outcome = await call(context, "click", {"selector": "#b", "timeout": 1000})
    assert outcome.success


@pytest.mark.proves("S1-18")
async def test_every_act_on_a_page_that_never_answers_ends_in_time(
    context: ToolContext, site: Site
):
    await do(context, "navigate", url=site.page("/wait/hung", "<input id=i><button id=b>x"))
    await value(context, "setTimeout(() => { for (;;); }); 1")
    asked = {"what": "text", "selector": "#b", "timeout": 100}
    while (await call(context, "get", asked)).success:
        pass
    for verb, params in (
        ("click", {"selector": "#b"}),
        ("type", {"selector": "#i", "text": "x"}),
        ("get", {"what": "text", "selector": "#b"}),
        ("wait", {"selector": "#b"}),
        ("scroll", {}),
    ):
        began = time.monotonic()
        outcome = await call(context, verb, {**params, "timeout": 500})
        assert outcome.error is not None
        assert outcome.error.code == "TIMEOUT"
        assert time.monotonic() - began < 2.5
        assert outcome.next_actions[0].verb == "interrupt"
    assert (await do(context, "interrupt")).responsive
