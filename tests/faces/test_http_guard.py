"""Who may speak to the control server: programs with the token, and no web page."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from typing import Any

import httpx
import psutil
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from support.control import Served, data, error, served
from support.engine import make_settings
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.manager import BrowserManager

PATHS = [
    ("GET", "/browser/state"),
    ("GET", "/browser/screenshot"),
    ("GET", "/browser/snapshot"),
    ("GET", "/tabs"),
    ("GET", "/sessions"),
    ("GET", "/profiles"),
    ("GET", "/metrics"),
    ("GET", "/metrics.json"),
    ("GET", "/openapi.json"),
    ("GET", "/tools"),
    ("GET", "/artifacts/x"),
    ("GET", "/nowhere"),
    ("POST", "/browser/launch"),
    ("POST", "/browser/close"),
    ("POST", "/browser/action"),
    ("POST", "/browser/state"),
    ("POST", "/browser/pdf"),
    ("POST", "/tools/browser_navigate"),
    ("OPTIONS", "/browser/action"),
]


@pytest.fixture(scope="module")
async def control(
    manager: BrowserManager, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Served]:
    async with served(manager, tmp_path_factory.mktemp("guard")) as found:
        yield found


@pytest.fixture(scope="module")
async def bare(control: Served) -> AsyncIterator[httpx.AsyncClient]:
    """A client without the token."""
    address = control.server.get_address()
    async with httpx.AsyncClient(base_url=address, trust_env=False) as client:
        yield client


@pytest.mark.proves("S3-CS-04")
@pytest.mark.parametrize("method_path", PATHS, ids=" ".join)
async def test_without_the_token_every_address_is_401(
    control: Served, bare: httpx.AsyncClient, method_path: tuple[str, str]
):
    wrong = control.token[:-1] + ("A" if control.token[-1] != "A" else "B")
    given = ["", "Bearer", f"Bearer {wrong}", f"Basic {control.token}", control.token]
    for value in given:
        reply = await control.client.request(*method_path, headers={"Authorization": value})
        error(reply, 401, "UNAUTHORIZED")
        assert reply.headers["www-authenticate"] == "Bearer"
        assert control.token not in reply.text
    twice = [("Authorization", f"Bearer {control.token}")] * 2
    error(await bare.request(*method_path), 401, "UNAUTHORIZED")
    error(await bare.request(*method_path, headers=twice), 401, "UNAUTHORIZED")
    token_in_query = await bare.request(*method_path, params={"token": control.token})
    error(token_in_query, 401, "UNAUTHORIZED")


@pytest.mark.proves("S3-CS-04")
async def test_only_health_answers_without_the_token_and_says_no_more_than_who_we_are(
    bare: httpx.AsyncClient,
):
    told = data(await bare.get("/health"))
    assert {*told} == {"name", "version", "pid", "status"}


@pytest.mark.proves("S3-P26")
@pytest.mark.parametrize("method_path", [*PATHS, ("GET", "/health")], ids=" ".join)
async def test_a_foreign_host_or_any_origin_is_403(control: Served, method_path: tuple[str, str]):
    port = control.port
    hosts = (
        f"evil.test:{port}",
        "127.0.0.1",
        f"127.0.0.1:{port + 1}",
        f"127.0.0.1.evil.test:{port}",
    )
    foreign = [{"Host": host} for host in (*hosts, "", f"user@127.0.0.1:{port}", "0.0.0.0")]
    here = f"http://127.0.0.1:{port}"
    origins = ("https://evil.test", "null", here, "", "chrome-extension://abc")
    pages = [{"Origin": origin} for origin in origins]
    sites = [{"Sec-Fetch-Site": site} for site in ("cross-site", "same-site", "same-origin")]
    for headers in (*foreign, *pages, *sites):
        reply = await control.client.request(*method_path, headers=headers)
        error(reply, 403, "PERMISSION_DENIED")
        assert not [name for name in reply.headers if name.startswith("access-control-")]
        assert reply.headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.proves("S3-P26")
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
async def test_each_name_of_this_machine_is_right(control: Served, host: str):
    reply = await control.client.get("/profiles", headers={"Host": f"{host}:{control.port}"})
    assert data(reply)["profiles"]
    assert reply.headers["cache-control"] == "no-store"
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert "server" not in reply.headers


@pytest.mark.proves("S3-P26", "S3-CS-04")
@pytest.mark.parametrize(
    ("host", "headers", "status"),
    [
        ("127.0.0.1", {"Authorization": "Bearer wrong"}, 401),
        ("127.0.0.1", {"Authorization": ""}, 401),
        ("127.0.0.1", {"Origin": "https://evil.test"}, 403),
        ("127.0.0.1", {"Origin": "null"}, 403),
        ("evil.test", {}, 403),
    ],
)
async def test_events_are_guarded_likewise(
    control: Served, host: str, headers: dict[str, str], status: int
):
    port = control.port
    given = {**control.bearer, **headers}
    opening = connect(
        f"ws://{host}:{port}/events", host="127.0.0.1", port=port, additional_headers=given
    )
    with pytest.raises(InvalidStatus) as refused:
        async with opening:
            pass
    assert refused.value.response.status_code == status
    assert json.loads(refused.value.response.body)["success"] is False


@pytest.mark.proves("S3-P26")
async def test_a_request_without_a_host_or_with_two_is_refused(control: Served):
    async def status(text: str) -> int:
        reader, writer = await asyncio.open_connection("127.0.0.1", control.port)
        writer.write(text.encode("latin-1"))
        line = await reader.readline()
        writer.close()
        await writer.wait_closed()
        return int(line.split()[1])

    bearer = f"Authorization: Bearer {control.token}\r\nConnection: close\r\n\r\n"
    host = f"Host: 127.0.0.1:{control.port}\r\n"
    assert await status(f"GET /profiles HTTP/1.1\r\n{host}{bearer}") == 200
    assert await status(f"GET /profiles HTTP/1.0\r\n{bearer}") == 403
    assert await status(f"GET /profiles HTTP/1.1\r\n{bearer}") == 400
    assert await status(f"GET /profiles HTTP/1.1\r\n{host}Host: evil.test\r\n{bearer}") in (
        400,
        403,
    )
    absolute = f"GET http://evil.test/profiles HTTP/1.1\r\n{host}{bearer}"
    assert await status(absolute) in (400, 403, 404)
    assert await control.alive()


def other_addresses() -> list[str]:
    """IPv4 addresses of this machine that others may reach."""
    found = [each for part in psutil.net_if_addrs().values() for each in part]
    return [
        each.address
        for each in found
        if each.family == socket.AF_INET and not each.address.startswith("127.")
    ]


@pytest.mark.proves("S3-P26")
async def test_no_other_address_of_this_machine_connects(control: Served):
    addresses = other_addresses()
    if not addresses:
        pytest.skip("this machine has no address but the loopback one")
    for address in addresses:
        with pytest.raises(OSError):  # noqa: PT011  # refused or filtered, by the system
            await asyncio.wait_for(asyncio.open_connection(address, control.port), 5)


ATTACK = """<iframe name=frame></iframe>
<form id=form target=frame method=post enctype="text/plain"></form>
<script>
async function attack(base, tries, token) {
  const told = {}, note = (name, text) => { told[name] = String(text).slice(0, 300); };
  const json = JSON.stringify({type: "navigate", url: tries});
  const get = async (name, path, options) => {
    try {
      const reply = await fetch(base + path, options);
      note(name, reply.type + " " + reply.status + " " + await reply.text());
    } catch (error) { note(name, "failed"); }
  };
  await get("read", "/browser/state", {});
  await get("health", "/health", {});
  await get("blind", "/health", {mode: "no-cors"});
  await get("simple", "/browser/action", {method: "POST", mode: "no-cors", body: json});
  await get("credentials", "/sessions", {credentials: "include", mode: "no-cors"});
  await get("json", "/browser/action", {method: "POST", body: json,
    headers: {"content-type": "application/json"}});
  await get("token", "/browser/action", {method: "POST", body: json,
    headers: {"content-type": "application/json", authorization: "Bearer " + token}});
  await get("beacon", "/health", {});
  navigator.sendBeacon(base + "/browser/action", json);
  const field = document.createElement("input");
  field.name = json.slice(0, -1) + ',"x":"'; field.value = '"}';
  form.append(field); form.action = base + "/browser/action";
  const sent = new Promise((done) => { document.querySelector("iframe").onload = done; });
  form.submit();
  await sent;
  try { note("frame", frames[0].document.body.innerText); } catch (e) { note("frame", "closed"); }
  const socket = new WebSocket(base.replace("http", "ws") + "/events");
  note("socket", await new Promise((done) => {
    socket.onopen = () => done("open"); socket.onmessage = (e) => done(e.data);
    socket.onerror = () => done("failed"); }));
  for (const [name, tag] of [["image", "img"], ["script", "script"]]) {
    const element = document.createElement(tag);
    const loaded = new Promise((done) => {
      element.onload = () => done("loaded"); element.onerror = () => done("failed"); });
    element.src = base + "/health"; document.body.append(element);
    note(name, await loaded);
  }
  return told;
}
</script>"""


@pytest.mark.proves("S3-P26", "S3-CS-04")
@pytest.mark.parametrize("name", ["127.0.0.1", "rebound.test"])
async def test_a_page_in_the_very_browser_under_control_gets_nothing_and_does_nothing(
    name: str, tmp_path: Any, site: Site
):
    """The page even knows the token. By another name for this machine, the server is of its own
    origin: that is DNS rebinding, where only the Host header tells."""
    rules = ["--host-resolver-rules=MAP rebound.test 127.0.0.1"]
    manager = BrowserManager(make_settings(tmp_path, **{"browser.args": rules}), execute=call)
    site.page("/guard/attack", ATTACK)
    harm = site.page("/guard/harm", "harm")
    before = site.hits["/guard/harm"]
    async with served(manager, tmp_path) as own:
        page = f"http://{name}:{site.port}/guard/attack"
        await own.act("navigate", "victim", url=page)
        base = f"http://{name}:{own.port}"
        script = f"await attack({base!r}, {harm!r}, {own.token!r})"
        told = (await own.act("execute_js", "victim", script=script))["value"]
        sessions = {each["conversation"] for each in data(await own.get("/sessions"))["sessions"]}
        calls = data(await own.get("/metrics.json"))["total"]
        # A page whose own origin is the server, as after rebinding while it is open.
        there = {"type": "navigate", "url": f"{base}/health"}
        await own.post("/browser/action", there, "victim")
        read = "document.body.innerText"
        shown = (await own.act("execute_js", "victim", script=read))["value"]
        same = (
            "await fetch('/browser/state', {headers: {authorization: 'Bearer " + own.token + "'}})"
            ".then(r => r.text())"
        )
        inside = (await own.act("execute_js", "victim", script=same))["value"]
    await manager.stop()
    assert told.pop("frame") in ("closed", "failed")
    assert told.pop("blind") == "failed"
    assert {*told.values()} == {"failed"}, told
    assert sessions == {"victim"}
    assert calls == 2
    assert site.hits["/guard/harm"] == before
    assert "PERMISSION_DENIED" in inside
    assert ("PERMISSION_DENIED" in shown) == (name == "rebound.test")
