"""The protocol over HTTP: with the official client, and request by request."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from support.control import Served, error, served
from support.gate import MakeGate
from support.site import Site
from tabwright.engine.manager import BrowserManager

PAGE = "<h1>Order</h1><button onclick=\"document.title = 'Sent'\">Send</button>"
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


@pytest.fixture
async def control(manager: BrowserManager, tmp_path: Path) -> AsyncIterator[Served]:
    async with served(manager, tmp_path, surface="granular", enabled=True) as running:
        yield running


class Agent:
    """A client that sends one request at a time."""

    def __init__(self, control: Served) -> None:
        self.control = control
        self.headers: dict[str, str] = {"Accept": "application/json, text/event-stream"}
        self.number = 0

    async def post(self, **message: Any) -> httpx.Response:
        body = {"jsonrpc": "2.0", **message}
        return await self.control.client.post("/mcp", json=body, headers=self.headers)

    async def ask(self, method: str, **params: Any) -> Any:
        self.number += 1
        reply = await self.post(id=self.number, method=method, params=params)
        assert reply.status_code == 200, reply.text
        return reply.json()["result"]

    async def begin(self) -> Agent:
        reply = await self.post(id=0, method="initialize", params=HELLO)
        self.headers["Mcp-Session-Id"] = reply.headers["mcp-session-id"]
        told = await self.post(method="notifications/initialized")
        assert (told.status_code, told.content) == (202, b"")
        return self

    async def tool(self, name: str, **given: Any) -> Any:
        return await self.ask("tools/call", name=name, arguments=given)


async def test_the_official_client_drives_a_page(control: Served, site: Site):
    async with (
        httpx.AsyncClient(headers=control.bearer, timeout=60) as http,
        Client(
            streamable_http_client(f"{control.server.get_address()}/mcp", http_client=http)
        ) as agent,
    ):
        assert "browser_click" in {tool.name for tool in (await agent.list_tools()).tools}
        await agent.call_tool("browser_navigate", {"url": site.page("/http-mcp", PAGE)})
        sent = await agent.call_tool("browser_click", {"selector": "text=Send"})
        assert "title 'Sent'" in sent.content[0].text


async def test_a_client_comes_back_to_its_browser_by_its_session(control: Served, site: Site):
    first = await Agent(control).begin()
    url = site.page("/http-mcp/back", PAGE)
    await first.tool("browser_navigate", url=url)
    second = Agent(control)
    second.headers = dict(first.headers)
    async with httpx.AsyncClient(
        base_url=control.server.get_address(), headers=control.bearer, timeout=60
    ) as other:
        second.control = Served(control.server, control.manager, other, control.token)
        shown = await second.tool("browser_eval", expression="location.href")
    assert shown["content"][0]["text"] == f'"{url}"'
    stranger = await Agent(control).begin()
    apart = await stranger.tool("browser_eval", expression="location.href")
    assert apart["content"][0]["text"] == '"about:blank"'


async def test_a_session_ends_with_its_browser(control: Served, site: Site):
    agent = await Agent(control).begin()
    await agent.tool("browser_navigate", url=site.page("/http-mcp/end", PAGE))
    before = control.manager.sessions()
    gone = await control.client.delete("/mcp", headers=agent.headers)
    assert gone.status_code == 204
    (ended,) = [one for one in before if one not in control.manager.sessions()]
    assert ended.key.conversation.startswith("mcp-")
    error(await agent.post(id=9, method="ping"), 404, "NOT_FOUND")


async def test_requests_without_a_session_or_sense_are_refused(control: Served):
    lost = Agent(control)
    error(await lost.post(id=1, method="ping"), 400, "VALIDATION_ERROR")
    lost.headers["Mcp-Session-Id"] = "nobody"
    error(await lost.post(id=1, method="ping"), 404, "NOT_FOUND")
    agent = await Agent(control).begin()
    for message, code in (
        ({"id": 1}, -32600),
        ({"id": None, "method": "ping"}, -32600),
        ({"id": 1, "method": "fly"}, -32601),
    ):
        reply = await agent.post(**message)
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, code)
    array = await control.client.post("/mcp", json=[], headers=agent.headers)
    error(array, 400, "VALIDATION_ERROR")
    stranger = await control.client.post("/mcp", json={}, headers={"Authorization": "Bearer no"})
    error(stranger, 401, "UNAUTHORIZED")
    assert await agent.ask("ping") == {}


async def test_who_asks_for_progress_gets_a_stream(control: Served, site: Site):
    agent = await Agent(control).begin()
    await agent.tool("browser_navigate", url=site.page("/http-mcp/progress", PAGE))
    wait = {"condition": "timeout", "timeout": 2500}
    params = {"name": "browser_wait", "arguments": wait, "_meta": {"progressToken": 7}}
    reply = await agent.post(id="w", method="tools/call", params=params)
    assert reply.headers["content-type"].startswith("text/event-stream")
    lines = [line[6:] for line in reply.text.splitlines() if line.startswith("data: ")]
    progress, answer = (json.loads(line) for line in lines)
    assert (progress["params"]["progressToken"], progress["params"]["progress"]) == (7, 2.0)
    assert answer["id"] == "w"


async def test_what_nobody_asked_for_comes_over_a_stream_of_its_own(control: Served):
    agent = await Agent(control).begin()
    heard: list[str] = []
    listening = asyncio.Event()

    async def listen() -> None:
        async with control.client.stream("GET", "/mcp", headers=agent.headers) as reply:
            async for line in reply.aiter_lines():
                listening.set()
                if line.startswith("data: "):
                    heard.append(json.loads(line[6:])["params"]["data"]["event"])

    task = asyncio.create_task(listen())
    await asyncio.wait_for(listening.wait(), 20)
    control.manager.journal.event("crash", {"tab": "t1", "process": "renderer"})
    await control.client.delete("/mcp", headers=agent.headers)
    # The stream ends with the session.
    await asyncio.wait_for(task, 20)
    assert heard == ["crash"]


async def test_a_beginning_that_is_refused_leaves_nothing_behind(control: Served):
    before = list(control.manager.journal._listeners)
    for message, status in (
        ({"id": 1, "params": {}}, 200),
        ({"id": 1, "params": {"protocolVersion": 5}}, 200),
        ({"id": 1, "params": None}, 200),
        ({"id": 1, "params": []}, 400),
        ({"id": None, "params": HELLO}, 400),
        ({"params": HELLO}, 400),
    ):
        reply = await Agent(control).post(method="initialize", **message)
        assert reply.status_code == status
        assert reply.json()["error"]["code"] in (-32602, -32600)
        assert "mcp-session-id" not in reply.headers
    assert control.manager.journal._listeners == before
    await Agent(control).begin()
    assert len(control.manager.journal._listeners) == len(before) + 1


@pytest.mark.parametrize("meta", [{}, {"progressToken": "t"}], ids=["json", "stream"])
async def test_a_client_that_leaves_gives_its_call_up(
    control: Served, gate: MakeGate, site: Site, meta: dict[str, str]
):
    path = f"/http-mcp/left/{len(meta)}"
    gate(path)
    agent = await Agent(control).begin()
    heard: asyncio.Queue[str] = asyncio.Queue()
    deaf = control.manager.journal.listen(
        lambda entry: entry["event"] == "action" and heard.put_nowait(entry["status"])
    )
    params = {"name": "browser_navigate", "arguments": {"url": site.url(path)}, "_meta": meta}
    waiting = asyncio.create_task(agent.post(id="w", method="tools/call", params=params))
    await asyncio.to_thread(site.arrived(path).wait, 30)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert await asyncio.wait_for(heard.get(), 30) == "CANCELLED"
    deaf()
    assert await agent.ask("ping") == {}


async def test_an_odd_token_gets_no_stream_and_no_error(control: Served):
    agent = await Agent(control).begin()
    for odd in ([], {}, None):
        params = {"name": "browser_tabs", "_meta": {"progressToken": odd}}
        reply = await agent.post(id=1, method="tools/call", params=params)
        assert reply.json()["result"]["isError"] is False
        cancelled = {"requestId": odd}
        told = await agent.post(method="notifications/cancelled", params=cancelled)
        assert told.status_code == 202


async def test_two_calls_of_one_token_are_both_answered(control: Served):
    agent = await Agent(control).begin()
    params = {"name": "browser_tabs", "_meta": {"progressToken": 7}}
    replies = await asyncio.gather(
        *(agent.post(id=number, method="tools/call", params=params) for number in (1, 2))
    )
    assert all('"isError": false' in reply.text for reply in replies)
