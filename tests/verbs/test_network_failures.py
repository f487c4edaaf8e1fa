"""Requests that fail: the log has the reason in plain words, and Chromium's name for it."""

from __future__ import annotations

import socket
import threading

import pytest

from support.download import attachment
from support.engine import do, session_of, value
from support.gate import MakeGate
from support.network import ended, recorded, row, rows, tried
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.network.failure import failure_by_name


@pytest.fixture
async def page(context: ToolContext, site: Site) -> str:
    url = site.page("/fails", "<p>a page whose requests fail</p>")
    await do(context, "navigate", url=url)
    return url


def closed_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@pytest.mark.proves("S2-BT-024c")
async def test_a_refused_connection_is_called_so(context: ToolContext, page: str):
    url = f"http://127.0.0.1:{closed_port()}/refused"
    assert await tried(context, url) == "TypeError"
    found = await ended(context, "/refused")
    assert (found.url, found.method, found.status, found.source) == (url, "GET", None, None)
    assert found.failure == (
        "refused: nothing listens at this address (net::ERR_CONNECTION_REFUSED)"
    )
    assert found.duration_ms is not None
    outcome = await call(context, "network", {"status": "failed"})
    assert outcome.text().endswith(f" - GET fetch {url} {found.duration_ms:.0f}ms {found.failure}")


@pytest.mark.proves("S2-BT-024c")
async def test_names_that_do_not_exist_and_servers_that_hang_up(
    context: ToolContext, page: str, site: Site
):
    await tried(context, "http://nowhere.invalid/dns")
    await tried(context, site.broken("/fails/hangs-up"))
    assert (await ended(context, "/dns")).failure == (
        "dns: the name of the server was not found (net::ERR_NAME_NOT_RESOLVED)"
    )
    assert (await ended(context, "/hangs-up")).failure == (
        "reset: the server hung up without an answer (net::ERR_EMPTY_RESPONSE)"
    )


@pytest.mark.proves("S2-BT-024c")
async def test_what_cors_forbids_has_its_status_and_its_reason(
    context: ToolContext, page: str, site: Site
):
    site.content("/fails/cors", b"{}", mime="application/json")
    other = f"http://localhost:{site.port}/fails/cors"
    assert await tried(context, other) == "TypeError"
    found = await ended(context, "/fails/cors")
    assert found.failure == (
        "cors: the other origin does not allow it: missing Allow-Origin header "
        "(MissingAllowOriginHeader)"
    )
    # The server did answer; only the page may not know.
    assert (found.status, site.hits["/fails/cors"]) == (200, 1)


@pytest.mark.proves("S2-BT-024c")
async def test_a_preflight_is_marked_and_not_the_request_itself(
    context: ToolContext, page: str, site: Site
):
    site.content("/fails/preflight", b"{}", mime="application/json")
    await tried(context, f"http://localhost:{site.port}/fails/preflight", "{method: 'PUT'}")
    await ended(context, "/fails/preflight")
    found = await rows(context, url="/fails/preflight")
    preflight, asked = sorted(found, key=lambda each: each.method)
    assert (preflight.method, preflight.resource_type) == ("OPTIONS", "preflight")
    assert (asked.method, asked.resource_type, asked.status) == ("PUT", "fetch", None)
    assert "PreflightMissingAllowOriginHeader" in asked.failure
    assert len(site.headers["/fails/preflight"]) == 1


@pytest.mark.proves("S2-BT-024c")
async def test_what_the_page_gives_up_is_aborted(
    context: ToolContext, page: str, gate: MakeGate, site: Site
):
    held = gate("/fails/aborted")
    aborting = f"""(() => {{
        const giving = new AbortController();
        const asked = fetch('{held.url}', {{ signal: giving.signal }}).catch((e) => e.name);
        window.giveUp = () => {{ giving.abort(); return asked; }};
    }})()"""
    await value(context, aborting)
    assert (await row(context, "/fails/aborted")).duration_ms is None
    assert (await rows(context, status="pending"))[0].url == held.url
    assert await value(context, "giveUp()") == "AbortError"
    found = await ended(context, "/fails/aborted")
    assert found.failure == "aborted: the page gave it up (net::ERR_ABORTED)"


@pytest.mark.proves("S2-BT-024c")
@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("timeout", "timeout: no answer came in time (net::ERR_TIMED_OUT)"),
        (
            "blocked",
            (
                "blocked: a route or a rule of ours forbids it "
                "(net::ERR_BLOCKED_BY_CLIENT.Inspector inspector)"
            ),
        ),
    ],
)
async def test_what_is_stopped_on_its_way_has_the_reason_that_it_was_stopped_for(
    context: ToolContext, page: str, site: Site, error: str, told: str
):
    # A server that only keeps silent is waited for by Chromium for minutes.
    await do(context, "route", action="abort", url="/fails/told", error=error)
    assert await tried(context, "/fails/told") == "TypeError"
    assert (await ended(context, "/fails/told")).failure == told
    assert site.hits["/fails/told"] == 0


@pytest.mark.proves("S2-BT-024c")
async def test_a_request_whose_time_limit_the_page_itself_set_is_given_up(
    context: ToolContext, page: str, gate: MakeGate
):
    held = gate("/fails/late")
    asking = f"""new Promise((done) => {{
        const asked = Object.assign(new XMLHttpRequest(), {{ ontimeout: () => done('late') }});
        asked.open('GET', '{held.url}');
        asked.timeout = 50;
        asked.send();
    }})"""
    assert await value(context, asking) == "late"
    found = await ended(context, "/fails/late")
    assert found.failure == "aborted: the page gave it up (net::ERR_ABORTED)"


@pytest.mark.proves("S2-BT-024c")
async def test_what_a_content_policy_forbids_is_blocked(context: ToolContext, site: Site):
    policy = {"content-security-policy": "script-src 'none'"}
    page = b"<!doctype html><script src=/fails/forbidden.js></script>"
    await do(context, "navigate", url=site.content("/fails/csp", page, headers=policy))
    found = await ended(context, "/forbidden.js")
    assert found.failure == "blocked: the page's content security policy forbids it (csp)"
    assert site.hits["/fails/forbidden.js"] == 0


async def test_requests_of_a_page_that_is_left_do_not_stay_pending(
    context: ToolContext, page: str, gate: MakeGate, site: Site
):
    held, framed = gate("/fails/left"), gate("/fails/left-in-frame")
    site.page("/fails/frame", f"<script>fetch('{framed.url}')</script>")
    await value(context, f"void fetch('{held.url}')")
    await value(context, "void (document.body.innerHTML = '<iframe src=/fails/frame></iframe>')")
    await recorded(context, lambda record: record.url == framed.url)
    await do(context, "navigate", url=page)
    for name in ("/fails/left", "/fails/left-in-frame"):
        found = await ended(context, f"{name}")
        assert found.failure == "left: the page was left, or closed, before it ended"
    assert await rows(context, status="pending") == []


async def test_requests_of_a_tab_that_is_closed_do_not_stay_pending(
    context: ToolContext, page: str, gate: MakeGate
):
    held = gate("/fails/closed")
    await do(context, "tabs", action="new", url=page)
    await value(context, f"void fetch('{held.url}')")
    await do(context, "tabs", action="close")
    assert (await row(context, "/fails/closed")).failure.startswith("left: ")


async def test_a_navigation_that_brings_a_file_says_so(context: ToolContext, page: str, site: Site):
    await do(context, "navigate", url=attachment(site, "/fails/file", "file.bin"))
    found = await ended(context, "/fails/file")
    assert (found.status, found.resource_type) == (200, "document")
    assert found.failure.startswith("download: ")


async def test_an_error_that_the_server_answers_is_an_answer(context: ToolContext, site: Site):
    site.content("/fails/error", b"no", status=503, mime="text/plain")
    body = "<script src=/fails/no.js></script><link rel=stylesheet href=/fails/no.css>"
    await do(context, "navigate", url=site.page("/fails/errors", body))
    await tried(context, "/fails/error")
    await ended(context, "/fails/error")
    found = await rows(context, status="failed")
    assert sorted((each.status, each.failure) for each in found) == [
        (404, None),
        (404, None),
        (503, None),
    ]


async def test_a_log_survives_a_browser_that_does_not(context: ToolContext, page: str, site: Site):
    silence = threading.Event()
    url = site.silent("/fails/lost", silence)
    await value(context, f"void fetch('{url}')")
    session = await session_of(context)
    session.sources.clear()
    silence.set()
    assert (await row(context, "/fails/lost")).failure.startswith("left: ")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("net::ERR_CONNECTION_TIMED_OUT", "timeout"),
        ("net::ERR_CERT_AUTHORITY_INVALID", "tls"),
        ("net::ERR_CONNECTION_RESET", "reset"),
        ("net::ERR_ADDRESS_UNREACHABLE", "unreachable"),
        ("net::ERR_HTTP2_PROTOCOL_ERROR", "other"),
    ],
)
def test_errors_that_are_hard_to_provoke_are_known_by_name(name: str, kind: str):
    failure = failure_by_name(name)
    assert (failure.kind, failure.error) == (kind, name)
