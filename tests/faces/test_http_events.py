"""Events over WebSocket: in order, filtered, and never in the way of anybody."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus

from support.control import Served, data, served
from support.engine import make_settings
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.journal import CHATTER
from tabwright.engine.manager import BrowserManager
from tabwright.faces.http.event import CLIENTS, EVENT_CHARACTERS, KEPT_EVENTS

DEADLINE_S = 30


@pytest.fixture(scope="module")
async def control(
    manager: BrowserManager, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Served]:
    async with served(manager, tmp_path_factory.mktemp("events")) as found:
        yield found


async def heard(client: ClientConnection, until: str, **facts: Any) -> list[dict[str, Any]]:
    """Everything up to the first event of this name and these facts."""
    found: list[dict[str, Any]] = []
    while True:
        found.append(json.loads(await asyncio.wait_for(client.recv(), DEADLINE_S)))
        last = found[-1]
        if last["event"] == until and facts.items() <= last.items():
            return found


@pytest.mark.proves("S3-CS-03")
async def test_what_a_page_does_is_told_in_its_order(control: Served, site: Site):
    site.content("/events/data", b"{}", mime="application/json")
    site.content(
        "/events/file", b"file", headers={"content-disposition": "attachment; filename=f.txt"}
    )
    url = site.page(
        "/events/page",
        """<script>
        async function go() {
          console.warn("before");
          await (await fetch("/events/data")).text();
          console.log("after");
          alert("stop");
          location.href = "/events/file";
        }
        </script><button onclick="go()">Go</button>""",
    )
    async with control.events("?conversation=order") as client:
        await control.act("navigate", "order", url=url)
        opened = await heard(client, "action")
        body = {"type": "click", "selector": "button"}
        await control.post("/browser/action", body, "order")
        clicked = await heard(client, "action", action="click")
        answer = {"verb": "dialog", "params": {"action": "accept"}}
        data(await control.post("/browser/action", answer, "order"))
        ended = await heard(client, "download", state="completed")
        # Chromium tells the end of a request when its reader has long gone on.
        if not _answers(site, clicked, ended):
            ended += await heard(client, "response", url=site.url("/events/data"))
    assert {each["conversation"] for each in (*opened, *clicked, *ended)} == {"order"}
    names = [each["event"] for each in opened]
    assert names.index("request") < names.index("navigation") < names.index("action")
    (response,) = _answers(site, clicked, ended)
    told = [each for each in clicked if each is not response]
    assert [each["event"] for each in told] == ["console", "request", "console", "dialog", "action"]
    assert (told[0]["text"], told[0]["severity"]) == ("before", "warning")
    assert (told[1]["url"], told[1]["id"]) == (response["url"], response["id"])
    assert response["status"] == 200
    assert (told[2]["text"], told[3]["type"]) == ("after", "alert")
    states = [each["state"] for each in ended if each["event"] == "download"]
    assert states == ["in_progress", "completed"]
    stamps = [each["timestamp"] for each in (*opened, *clicked, *ended)]
    assert stamps == sorted(stamps)


def _answers(site: Site, *heard_so_far: list[dict[str, Any]]) -> list[dict[str, Any]]:
    url = site.url("/events/data")
    told = [each for events in heard_so_far for each in events]
    return [each for each in told if each["event"] == "response" and each["url"] == url]


@pytest.mark.proves("S3-CS-03")
async def test_connections_and_crashes_are_told(
    own_manager: BrowserManager, tmp_path: Path, site: Site
):
    async with served(own_manager, tmp_path) as own, own.events() as client:
        await own.act("navigate", url=site.page("/events/crash", "crash"))
        assert (await heard(client, "connect"))[-1]["profile"] == "isolated"
        (session,) = own_manager.sessions()
        assert session.current is not None
        session.current.post("Page.crash")
        crashed = (await heard(client, "crash"))[-1]
        assert (crashed["process"], crashed["tab"]) == ("renderer", "t1")
        browser = own_manager.get_active_browser()
        assert browser is not None
        os.kill(browser.process.pid, signal.SIGKILL)
        lost = (await heard(client, "disconnect"))[-1]
        assert lost["reason"] == "process ended"
        assert (await heard(client, "crash"))[-1]["process"] == "browser"
        await heard(client, "connect")


@pytest.mark.proves("S3-CS-03")
async def test_a_filter_leaves_the_rest_out(control: Served, site: Site):
    url = site.page("/events/filter", "<script>console.log('said')</script>")
    async with (
        control.events("?events=console,action&conversation=one") as client,
        control.events("?events=navigation") as other,
    ):
        await control.act("navigate", "two", url=url)
        await control.act("navigate", "one", url=url)
        seen = await heard(client, "action")
        assert {each["conversation"] for each in seen} == {"one"}
        assert [each["event"] for each in seen] == ["console", "action"]
        moved = await heard(other, "navigation", conversation="one")
        assert {each["event"] for each in moved} == {"navigation"}


@pytest.mark.parametrize("query", ["?events=weather", "?event=console", "?events=console,%00"])
async def test_a_filter_that_names_what_there_is_not_is_400(control: Served, query: str):
    with pytest.raises(InvalidStatus) as refused:
        async with control.events(query):
            pass
    assert refused.value.response.status_code == 400
    assert json.loads(refused.value.response.body)["error"]["code"] == "VALIDATION_ERROR"


async def test_there_is_no_other_socket_and_no_room_for_endless_clients(control: Served):
    with pytest.raises(InvalidStatus) as refused:
        async with control.events("x"):
            pass
    assert refused.value.response.status_code == 404
    clients = [await control.events() for _ in range(CLIENTS)]
    with pytest.raises(InvalidStatus) as refused:
        async with control.events():
            pass
    assert refused.value.response.status_code == 503
    for client in clients:
        await client.close()
    async with control.events():
        pass


@pytest.mark.proves("S3-CS-03")
async def test_a_client_that_reads_nothing_holds_nobody_up_and_is_told_what_it_missed(
    control: Served, site: Site
):
    small = socket.socket()
    small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    small.setblocking(False)
    await asyncio.get_running_loop().sock_connect(small, ("127.0.0.1", control.port))
    async with control.events("?events=hung", sock=small, max_queue=1) as slow:
        total = 0
        padding = "x" * 10_000
        # More than all buffers on the way can hold, with pauses in which they fill.
        for _ in range(20):
            for _ in range(300):
                total += 1
                control.manager.journal.event("hung", {"number": total, "padding": padding})
            assert await control.alive()
        url = site.page("/events/slow", "slow")
        assert (await control.act("navigate", "slow", url=url))["url"] == url
        got, missed = 0, 0
        while got + missed < total:
            told = json.loads(await asyncio.wait_for(slow.recv(), DEADLINE_S))
            if told["event"] == "missed":
                missed += told["count"]
            else:
                got += 1
                assert told["number"] == got + missed
        assert missed > 0
        assert got >= KEPT_EVENTS
    small.close()


async def test_an_event_that_is_too_long_is_cut_and_says_so(control: Served):
    async with control.events("?events=hung") as client:
        control.manager.journal.event("hung", {"reason": "x" * 2 * EVENT_CHARACTERS, "pid": 7})
        (told,) = await heard(client, "hung")
    assert (told["cut"], told["pid"]) == (True, 7)
    assert "reason" not in told


async def test_no_stack_and_no_secret_leaves_the_machine(control: Served, site: Site):
    secret = "hunter2-hunter2"
    url = site.page("/events/secret", "<script>console.log('password=hunter2-hunter2')</script>")
    async with control.events("?conversation=secret") as client:
        await control.post(
            "/browser/action", {"type": "navigate", "url": f"{url}?token={secret}"}, "secret"
        )
        seen = await heard(client, "action")
    async with control.events("?events=error") as client:
        await control.post("/browser/action", {"type": "click", "password": secret}, "secret")
        seen += await heard(client, "error")
    assert [each for each in seen if each["event"] == "console"]
    assert "stack" not in seen[-1]
    assert secret not in json.dumps(seen)


async def test_what_pages_do_is_not_in_the_log_and_the_log_s_level_is_no_filter(
    tmp_path: Path, site: Site
):
    quiet = {"logging.level": "error", "logging.logActions": False}
    manager = BrowserManager(make_settings(tmp_path, **quiet), execute=call)
    url = site.page("/events/quiet", "<script>console.log('said')</script>")
    async with served(manager, tmp_path) as own, own.events() as client:
        await own.act("navigate", url=url)
        names = {each["event"] for each in await heard(client, "action")}
    await manager.stop()
    assert {"connect", "navigation", "request", "console", "action"} <= names
    assert not CHATTER & {entry["event"] for entry in manager.journal.entries}
    assert list(manager.journal.entries) == []


async def test_a_client_is_told_when_the_server_goes_and_may_say_what_it_likes(
    own_manager: BrowserManager, tmp_path: Path
):
    async with served(own_manager, tmp_path) as own, own.events() as client:
        await client.send("hello")
        await client.send(b"\x00" * 1000)
        own_manager.journal.event("hung", {})
        await heard(client, "hung")
        await own.server.stop()
        with pytest.raises(ConnectionClosed) as closed:
            await client.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1001
    assert own_manager.journal._eager == []
