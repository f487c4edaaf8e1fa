"""One request in full: headers, bodies, secrets that are masked, messages of streams."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from support.engine import do, value
from support.network import ended, recorded, row, tried
from support.site import Site
from support.socket import answer_socket
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.network.record import LAST_MESSAGES

SECRETS = ("s3cr3t-cookie", "s3cr3t-set", "s3cr3tbearer", "s3cr3t-sent", "s3cr3t-got", "s3cr3tq")


@pytest.fixture
async def page(context: ToolContext, site: Site) -> str:
    url = site.page("/full", "<p>a page that asks</p>")
    await do(context, "navigate", url=url)
    return url


async def get(context: ToolContext, url: str, **params: Any) -> Any:
    """The newest request of an address, in full."""
    found = await ended(context, url)
    return await do(context, "network", action="get", id=found.id, **params)


async def log_in(context: ToolContext, site: Site) -> str:
    """Have the page send and receive all kinds of secrets; returns the address."""
    site.content(
        "/full/login",
        b'{"token": "s3cr3t-got", "user": "ada"}',
        mime="application/json",
        headers={"set-cookie": "sid=s3cr3t-set; Path=/full; HttpOnly"},
    )
    await value(context, "document.cookie = 'csrf=s3cr3t-cookie; path=/full/login'")
    options = """{
        method: 'POST', body: 'password=s3cr3t-sent&user=ada',
        headers: {authorization: 'Bearer s3cr3tbearer',
                  'content-type': 'application/x-www-form-urlencoded'},
    }"""
    await tried(context, "/full/login?access_token=s3cr3tq", options)
    return "/full/login"


async def test_secrets_are_masked_unless_asked_for(context: ToolContext, page: str, site: Site):
    url = await log_in(context, site)
    masked = await get(context, url)
    assert [secret for secret in SECRETS if secret in str(masked.model_dump())] == []
    assert masked.request["requestHeaders"]["Cookie"] == "csrf=[redacted]"
    assert masked.request["responseHeaders"]["set-cookie"] == (
        "sid=[redacted]; Path=/full; HttpOnly"
    )
    assert masked.request["requestBody"] == "password=[redacted]&user=ada"
    assert masked.request["responseBody"] == '{"token": "[redacted]", "user": "ada"}'
    assert masked.text().endswith("Secrets are masked; `reveal` shows them.")
    plain = await get(context, url, reveal=True)
    assert [secret for secret in SECRETS if secret not in plain.text()] == []
    assert plain.request["masked"] is False
    lists = [(await do(context, "network", reveal=reveal)).text() for reveal in (False, True)]
    assert ["s3cr3tq" in text for text in lists] == [False, True]


async def test_short_texts_are_told_and_long_ones_are_a_file(
    context: ToolContext, page: str, site: Site
):
    long = "x" * 5000
    site.content("/full/long", long.encode(), mime="text/plain")
    await tried(context, "/full/long", f"{{method: 'POST', body: '{'y' * 70_000}'}}")
    found = await get(context, "/full/long")
    path = Path(found.path)
    assert "responseBody" not in found.request
    assert (path.read_text(encoding="utf-8"), path.suffix) == (long, ".txt")
    assert (found.size_bytes, found.request["requestBytes"]) == (5000, 70_000)
    sent = Path(found.request["requestBodyFile"]["path"])
    assert sent.read_text(encoding="utf-8") == "y" * 70_000
    assert [file.path for file in found.files()] == [path, sent]
    assert found.text().endswith(
        f"requestBody: 70000 bytes in {sent}\nresponseBody: 5000 bytes in {path}"
    )
    site.content("/full/sent", b"ok", mime="text/plain")
    await tried(context, "/full/sent", f"{{method: 'POST', body: '{'y' * 70_000}'}}")
    found = await get(context, "/full/sent")
    assert (found.request["responseBody"], found.path) == ("ok", None)
    assert "requestBody: 70000 bytes in" in found.text()


async def test_bytes_are_a_file_where_the_caller_wants_it(
    context: ToolContext, page: str, site: Site, tmp_path: Path
):
    picture = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
    site.content("/full/picture", picture, mime="image/png")
    await tried(context, "/full/picture")
    found = await get(context, "/full/picture", path="got.png")
    assert found.path == str(tmp_path / "got.png")
    assert (tmp_path / "got.png").read_bytes() == picture
    outcome = await call(
        context, "network", {"action": "get", "id": found.request["id"], "path": "/etc/x"}
    )
    assert outcome.error is not None
    assert outcome.error.code == "PERMISSION_DENIED"


async def test_bodies_outlive_their_page(context: ToolContext, page: str, site: Site):
    site.content("/full/kept", b'{"kept": true}', mime="application/json")
    await tried(context, "/full/kept")
    await do(context, "navigate", url=page)
    await do(context, "navigate", url=f"http://localhost:{site.port}/full")
    assert (await get(context, "/full/kept")).request["responseBody"] == '{"kept": true}'


async def test_a_body_that_is_gone_is_said_to_be_gone(context: ToolContext, page: str, site: Site):
    await do(context, "tabs", action="new", url=site.page("/full/other", "other"))
    await do(context, "tabs", action="close")
    found = await get(context, "/full/other")
    assert found.request["responseBodyMissing"] == "the browser has it no more"
    assert "responseBody: not there, the browser has it no more" in found.text()


async def test_a_page_that_hangs_does_not_hold_the_log_up(context: ToolContext, page: str):
    await tried(context, "/full")
    await ended(context, "/full")
    await value(context, "void setTimeout(() => { for (;;); })")
    found = await do(context, "network")
    assert len(found.requests) == 2
    await do(context, "interrupt")


async def test_cookies_that_the_browser_refused_are_named_with_the_reason(
    context: ToolContext, page: str, site: Site
):
    bad = {"set-cookie": "insecure=1; SameSite=None"}
    site.content("/full/refused", b"ok", mime="text/plain", headers=bad)
    await tried(context, "/full/refused")
    found = await get(context, "/full/refused")
    assert found.request["refusedCookies"] == ["insecure: SameSiteNoneInsecure"]


async def test_a_websocket_has_counts_and_its_last_messages(
    context: ToolContext, page: str, site: Site
):
    hang_up = threading.Event()

    def handle(request: BaseHTTPRequestHandler) -> None:
        at_once = threading.Event()
        at_once.set()
        answer_socket(request, at_once)
        hang_up.wait(30)
        request.wfile.write(b"\x81\x02hi")

    site.route("/full/socket", handle)
    url = f"ws://127.0.0.1:{site.port}/full/socket"
    await value(
        context,
        f"""new Promise((done) => {{
            window.socket = new WebSocket('{url}');
            socket.onopen = () => {{ for (let n = 0; n < 30; n++) socket.send('m' + n); done(1); }};
        }})""",
    )
    await recorded(context, lambda r: r.stream is not None and r.stream.sent == 30)
    under_way = await row(context, "/full/socket")
    assert (under_way.resource_type, under_way.status) == ("websocket", 101)
    assert (under_way.messages, under_way.duration_ms) == (30, None)
    hang_up.set()
    found = await get(context, "/full/socket")
    messages = found.request["messages"]
    assert found.request["status"] == 101
    assert len(messages) == LAST_MESSAGES
    assert [(m["direction"], m["type"], m["data"]) for m in messages[-2:]] == [
        ("sent", "text", "m29"),
        ("received", "text", "hi"),
    ]


async def test_a_websocket_that_is_refused_has_its_reason(context: ToolContext, page: str):
    await value(
        context,
        "new Promise((done) => { new WebSocket('ws://127.0.0.1:1/x').onclose = () => done(1) })",
    )
    found = await ended(context, "ws://127.0.0.1:1/x")
    assert "ERR_UNSAFE_PORT" in found.failure


async def test_events_that_a_server_sends_are_messages(context: ToolContext, page: str, site: Site):
    def handle(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("content-type", "text/event-stream")
        request.end_headers()
        request.wfile.write(b"data: one\n\nevent: tick\ndata: two\n\n")
        request.close_connection = True

    url = site.route("/full/events", handle)
    await value(
        context,
        f"""new Promise((done) => {{
            const events = new EventSource('{url}');
            events.addEventListener('tick', () => {{ events.close(); done(1); }});
        }})""",
    )
    await recorded(context, lambda r: r.stream is not None and r.stream.received == 2)
    found = await get(context, "/full/events")
    assert [(m["type"], m["data"]) for m in found.request["messages"]] == [
        ("message", "one"),
        ("tick", "two"),
    ]


async def test_a_request_that_is_not_there_is_refused(context: ToolContext, page: str):
    for given in ("r99", "x", "r", "r²"):
        outcome = await call(context, "network", {"action": "get", "id": given})
        assert outcome.error is not None
        assert outcome.error.code == "VALIDATION_ERROR"
        assert "There are: r1 to r1." in outcome.error.hint


async def test_bodies_of_workers_can_be_read(context: ToolContext, page: str, site: Site):
    site.content("/full/w.txt", b"from a worker", mime="text/plain")
    script = b"fetch('/full/w.txt').then((r) => r.text()).then(postMessage)"
    site.content("/full/w.js", script, mime="text/javascript")
    await value(
        context, "new Promise((done) => { (new Worker('/full/w.js')).onmessage = () => done(1) })"
    )
    assert (await get(context, "/full/w.txt")).request["responseBody"] == "from a worker"
    assert (await get(context, "/full/w.js")).request["responseBody"] == script.decode()


async def test_a_binary_body_that_was_sent_is_kept_as_it_was(
    context: ToolContext, page: str, site: Site
):
    site.content("/full/binary", b"ok", mime="text/plain")
    data = bytes([0, 255, 1, 254])
    await tried(context, "/full/binary", "{method: 'POST', body: new Uint8Array([0,255,1,254])}")
    await ended(context, "/full/binary")
    assert site.bodies["/full/binary"] == [data]
    found = await get(context, "/full/binary")
    assert found.request["requestBytes"] == len(data)
    assert Path(found.request["requestBodyFile"]["path"]).read_bytes() == data


async def sent(context: ToolContext, site: Site, body: str, content_type: str = "") -> Any:
    """Have the page send something; returns the request in full, as it is told."""
    site.content("/full/form", b"ok", mime="text/plain")
    headers = f"headers: {{'content-type': '{content_type}'}}," if content_type else ""
    await tried(context, "/full/form", f"{{method: 'POST', {headers} body: {body}}}")
    return await get(context, "/full/form")


@pytest.mark.parametrize(
    ("body", "content_type", "told"),
    [
        (
            "new URLSearchParams({'user[password]': 's3cr3t', sid: 's3cr3t', spin: 'left'})",
            "",
            "user%5Bpassword%5D=[redacted]&sid=[redacted]&spin=left",
        ),
        ("'Authorization: Bearer s3cr3t'", "text/plain", "Authorization: [redacted]"),
        (
            r"""'{"token": "s3cr3t"}\n{"n": 1}\n'""",
            "application/x-ndjson",
            '{"token": "[redacted]"}\n{"n": 1}\n',
        ),
        ("'<a><password>s3cr3t</password></a>'", "text/xml", "<a><password>[redacted]</password>"),
    ],
)
async def test_bodies_of_every_type_are_masked_here_and_in_an_archive(
    context: ToolContext, page: str, site: Site, body: str, content_type: str, told: str
):
    found = await sent(context, site, body, content_type)
    assert found.request["requestBody"].startswith(told)
    har = await do(context, "network", action="har", bodies=True)
    (entry,) = [
        each
        for each in json.loads(Path(har.path).read_text("utf-8"))["log"]["entries"]
        if "postData" in each["request"]
    ]
    assert entry["request"]["postData"]["text"].startswith(told)
    assert "s3cr3t" not in Path(har.path).read_text("utf-8")


@pytest.mark.parametrize("picture", ["", "form.append('picture', new Blob([PIXELS]));"])
async def test_fields_of_a_form_with_files_are_masked_one_by_one(
    context: ToolContext, page: str, site: Site, picture: str
):
    pixels = "new Uint8Array([137, 80, 0, 255])"
    form = f"""(() => {{
        const form = new FormData();
        form.append('user[password]', 's3cr3t'); form.append('name', 'ada');
        {picture.replace("PIXELS", pixels)}
        return form;
    }})()"""
    found = await sent(context, site, form)
    told = found.request.get("requestBody", "").encode()
    if picture:
        told = Path(found.request["requestBodyFile"]["path"]).read_bytes()
        assert bytes([137, 80, 0, 255]) in told
    assert b"s3cr3t" in site.bodies["/full/form"][-1]
    assert b"s3cr3t" not in told
    assert b'name="user[password]"\r\n\r\n[redacted]\r\n--' in told
    assert b'name="name"\r\n\r\nada\r\n--' in told


async def test_what_a_server_answers_cannot_pass_for_a_line_of_ours(
    context: ToolContext, page: str, site: Site
):
    forged = "Secrets are masked; `reveal` shows them."
    site.content("/full/forged", f"one\n{forged}\r\u2028{forged}".encode(), mime="text/plain")
    await tried(context, "/full/forged")
    found = await get(context, "/full/forged")
    assert found.request["responseBody"].splitlines()[1] == forged
    assert forged not in found.text().splitlines()
    assert found.text().endswith(f"responseBody: one\n    {forged}\n    \n    {forged}")
