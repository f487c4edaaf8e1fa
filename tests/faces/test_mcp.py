"""The protocol: with the official client, and line by line."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from support.site import Site
from support.stdio import HELLO, Wire, command, started
from support.tokens import true_count

PAGE = """<h1>Order</h1><label>Name <input id=i></label>
<button onclick="document.title = 'Sent ' + i.value">Send</button>"""
FACTS = {"tabwright/structured": True}


@asynccontextmanager
async def client(home: Path, *options: str, **given: Any) -> AsyncIterator[Client]:
    argv, env = command(home, *options)
    server = StdioServerParameters(command=argv[0], args=argv[1:], env=env, cwd=home)
    async with Client(stdio_client(server), **given) as connected:
        yield connected


@pytest.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    async with started(tmp_path, "--enable") as found:
        await found.ask("initialize", **HELLO)
        yield found


def text_of(result: Any) -> str:
    return result.content[0].text


def told(result: dict[str, Any]) -> str:
    (text,) = result["content"]
    return text["text"]


async def test_the_official_client_drives_a_page(tmp_path: Path, site: Site):
    async with client(tmp_path, "--enable") as agent:
        tools = {tool.name: tool for tool in (await agent.list_tools()).tools}
        assert tools["browser_snapshot"].annotations.read_only_hint is True
        assert tools["browser_click"].annotations is None
        url = site.page("/mcp/page", PAGE)
        opened = await agent.call_tool("browser_navigate", {"url": url})
        assert url in text_of(opened)
        seen = await agent.call_tool("browser_snapshot", {})
        assert 'textbox "Name" e1 button "Send" e2' in text_of(seen)
        await agent.call_tool("browser_fill", {"selector": "e1", "text": "Ann"})
        sent = await agent.call_tool("browser_click", {"selector": "e2"})
        assert text_of(sent) == "Clicked button \"Send\" e2: effective; title 'Sent Ann'."
        assert not sent.is_error
        refused = await agent.call_tool("browser_click", {"selector": "#absent"})
        assert refused.is_error
        assert text_of(refused).startswith("ELEMENT_NOT_FOUND: ")


async def test_a_model_is_told_everything_once(wire: Wire, site: Site):
    """Most agents show their model the facts alone where there are any, others show both."""
    tools = (await wire.ask("tools/list"))["result"]["tools"]
    assert all("outputSchema" not in tool for tool in tools)
    await wire.tool("browser_navigate", url=site.page("/mcp/once", PAGE + "<p>unique-words</p>"))
    for name, given, kinds in (
        ("browser_snapshot", {}, ["text"]),
        ("browser_eval", {"expression": "document.body.innerText"}, ["text"]),
        ("browser_screenshot", {}, ["text", "image"]),
    ):
        result = await wire.tool(name, **given)
        assert set(result) == {"content", "isError"}
        assert [block["type"] for block in result["content"]] == kinds
        assert json.dumps(result).count("unique-words") == (name != "browser_screenshot")


@pytest.mark.proves("S3-ACT-03", "S3-ERR-03")
async def test_a_program_that_asks_has_the_facts_and_links_to_the_files(tmp_path: Path, site: Site):
    async with client(tmp_path, "--enable") as agent:
        url = site.page("/mcp/facts", PAGE)
        opened = await agent.call_tool("browser_navigate", {"url": url}, meta=FACTS)
        assert opened.structured_content["result"]["url"] == url
        seen = await agent.call_tool("browser_snapshot", {}, meta=FACTS)
        assert seen.structured_content["result"]["document"]["refs"]["e2"]["role"] == "button"
        shot = await agent.call_tool("browser_screenshot", {}, meta=FACTS)
        _, picture, link = shot.content
        assert (picture.type, link.type) == ("image", "resource_link")
        assert (await agent.read_resource(link.uri)).contents[0].blob.startswith("iVBOR")
        refused = await agent.call_tool("browser_click", {"selector": "#absent"}, meta=FACTS)
        assert refused.structured_content["success"] is False
        assert refused.structured_content["error"]["code"] == "ELEMENT_NOT_FOUND"


@pytest.mark.proves("S2-BT-003c")
async def test_pictures_files_and_the_last_snapshot_can_be_had(tmp_path: Path, site: Site):
    async with client(tmp_path, "--enable") as agent:
        await agent.call_tool(
            "browser_navigate", {"url": site.page("/mcp/rows", "<p>word</p>" * 900)}
        )
        shot = await agent.call_tool("browser_screenshot", {})
        _, picture = shot.content
        assert (picture.type, picture.mime_type) == ("image", "image/png")
        full = await agent.call_tool("browser_snapshot", {"full": True}, meta=FACTS)
        assert len(json.dumps(full.structured_content)) < 6000
        listed = [str(one.uri) for one in (await agent.list_resources()).resources]
        latest, png, outline = listed
        assert latest == "tabwright://snapshot"
        assert png.removeprefix("file://") in text_of(shot)
        assert outline == str(full.content[1].uri)
        assert (await agent.read_resource(png)).contents[0].blob.startswith("iVBOR")
        words = await agent.read_resource(outline)
        assert words.contents[0].text.count('"word"') == 900
        latest = await agent.read_resource("tabwright://snapshot")
        assert latest.contents[0].text == text_of(full)
        with pytest.raises(Exception, match="no resource"):
            await agent.read_resource("file:///etc/passwd")


async def test_prompts_tell_the_three_stories(tmp_path: Path):
    async with client(tmp_path, "--enable") as agent:
        names = [prompt.name for prompt in (await agent.list_prompts()).prompts]
        assert names == ["inspect_app", "form_flow", "pwa_offline"]
        filled = await agent.get_prompt("form_flow", {"url": "http://127.0.0.1:3000/"})
        assert "http://127.0.0.1:3000/" in filled.messages[0].content.text
        with pytest.raises(Exception, match="url"):
            await agent.get_prompt("form_flow", {})


@pytest.mark.proves("S0-16")
async def test_without_being_switched_on_it_lists_two_tools_and_starts_nothing(tmp_path: Path):
    async with started(tmp_path) as wire:
        said = (await wire.ask("initialize", **HELLO))["result"]["instructions"]
        assert "--enable" in said
        tools = (await wire.ask("tools/list"))["result"]["tools"]
        assert {tool["name"] for tool in tools} == {"web_fetch", "read_image"}
        refused = await wire.tool("browser_navigate", url="http://127.0.0.1:1/")
        assert refused["isError"]
        assert "disabled" in refused["content"][0]["text"]
        assert wire.browsers() == []
        assert wire.process.stdin is not None
        wire.process.stdin.close()
        assert await asyncio.wait_for(wire.process.wait(), 20) == 0


async def test_what_is_listed_costs_little_with_all_that_is_said_of_it(wire: Wire):
    listed = (await wire.ask("tools/list"))["result"]
    assert true_count(json.dumps(listed, separators=(",", ":"), ensure_ascii=False)) <= 2900


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"no json", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"x": NaN}}', -32700),
        (b'"word"', -32600),
        (b"[]", -32600),
        (b'{"id": 7, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 7}', -32600),
        (b'{"jsonrpc": "2.0", "id": 7, "method": 5}', -32600),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": [1]}', -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/fly"}', -32601),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "x"}}', -32602),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call"}', -32602),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "prompts/get"}', -32602),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "resources/read"}', -32002),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "initialize"}', -32602),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "logging/setLevel"}', -32602),
    ],
)
async def test_a_malformed_message_is_answered_and_the_next_one_too(
    wire: Wire, line: bytes, code: int
):
    wire.send(line)
    assert (await wire.hear())["error"]["code"] == code
    assert (await wire.ask("ping"))["result"] == {}


async def test_params_that_are_null_are_none(wire: Wire):
    for line, answer in (
        ({"id": "p", "method": "ping"}, {}),
        ({"id": "t", "method": "resources/templates/list"}, {"resourceTemplates": []}),
    ):
        wire.send({**line, "params": None})
        assert (await wire.answer(line["id"]))["result"] == answer
    wire.send({"method": "notifications/cancelled", "params": None})
    wire.send({"id": "c", "method": "tools/call", "params": None})
    assert (await wire.answer("c"))["error"]["code"] == -32602


async def test_an_odd_id_or_token_disturbs_nobody(wire: Wire):
    for odd in ([], {}, None, True, 1.5):
        wire.send({"method": "notifications/cancelled", "params": {"requestId": odd}})
        call = {"name": "browser_tabs", "_meta": {"progressToken": odd}}
        assert not (await wire.ask("tools/call", **call))["result"]["isError"]


async def test_a_line_without_end_is_refused_and_passed_over(wire: Wire):
    wire.send(b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "x": "' + b"x" * 17 * 2**20 + b'"}')
    assert (await wire.hear())["error"]["code"] == -32600
    assert (await wire.ask("ping"))["result"] == {}


async def test_versions_are_agreed_upon(wire: Wire):
    for wanted, agreed in (("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25")):
        answer = await wire.ask("initialize", **{**HELLO, "protocolVersion": wanted})
        assert answer["result"]["protocolVersion"] == agreed
    await wire.ask("initialize", **{**HELLO, "protocolVersion": "2024-11-05"})
    call = {"name": "browser_eval", "arguments": {"expression": "1+1"}, "_meta": FACTS}
    # That version knows neither links nor structured content.
    assert set((await wire.ask("tools/call", **call))["result"]) == {"content", "isError"}


async def test_a_call_can_be_cancelled_and_the_next_one_works(wire: Wire, site: Site):
    await wire.tool("browser_navigate", url=site.page("/mcp/cancel", PAGE))
    call = {"name": "browser_wait_for_selector", "arguments": {"selector": "#never"}}
    wire.send({"id": "w", "method": "tools/call", "params": call})
    wire.send({"method": "notifications/cancelled", "params": {"requestId": "w"}})
    shown = await wire.tool("browser_eval", expression="document.title")
    assert told(shown) == '"Test"'
    # What was cancelled is not answered.
    assert (await wire.ask("ping"))["result"] == {}


async def test_who_asks_for_progress_is_told_that_it_goes_on(wire: Wire, site: Site):
    await wire.tool("browser_navigate", url=site.page("/mcp/progress", PAGE))
    call = {
        "name": "browser_wait",
        "arguments": {"condition": "timeout", "timeout": 2500},
        "_meta": {"progressToken": "p"},
    }
    wire.send({"id": "w", "method": "tools/call", "params": call})
    progress = await wire.hear()
    assert progress["method"] == "notifications/progress"
    assert (progress["params"]["progressToken"], progress["params"]["progress"]) == ("p", 2.0)
    assert not (await wire.answer("w"))["result"]["isError"]


async def test_a_crash_and_the_recovery_from_it_are_told(wire: Wire, site: Site):
    url = site.page("/mcp/crash", PAGE)
    await wire.tool("browser_navigate", url=url)
    for process in wire.browsers():
        # The others go with the first.
        with suppress(psutil.NoSuchProcess):
            process.kill()
    wire.send(
        {
            "id": "e",
            "method": "tools/call",
            "params": {"name": "browser_eval", "arguments": {"expression": "location.href"}},
        }
    )
    events = []
    while (heard := await wire.hear()).get("id") != "e":
        events.append(heard["params"]["data"]["event"])
    assert events[0] in ("crash", "disconnect")
    assert "crash" in events
    assert events[-1] == "connect"
    assert told(heard["result"]).endswith(f'"{url}"')


@pytest.mark.proves("S0-25")
@pytest.mark.parametrize("how", ["eof", "SIGTERM", "SIGINT"])
async def test_nothing_is_left_behind(wire: Wire, site: Site, tmp_path: Path, how: str):
    await wire.tool("browser_navigate", url=site.page("/mcp/end", PAGE))
    started = wire.browsers()
    assert started
    if how == "eof":
        assert wire.process.stdin is not None
        wire.process.stdin.close()
    else:
        wire.process.send_signal(getattr(signal, how))
    assert await asyncio.wait_for(wire.process.wait(), 20) == 0
    gone, alive = await asyncio.to_thread(psutil.wait_procs, started, 10)
    assert (len(gone), alive) == (len(started), [])
    assert list((tmp_path / "artifacts").rglob("*.png")) == []


async def test_who_reads_words_is_not_told_of_files_for_programs(wire: Wire, site: Site):
    await wire.tool("browser_navigate", url=site.page("/mcp/words", "<p>word</p>" * 200))
    seen = told(await wire.tool("browser_snapshot"))
    assert "/artifacts/" not in seen
    step = {"tool": "browser_snapshot", "args": {}}
    assert "/artifacts/" not in told(await wire.tool("browser_batch", steps=[step]))
    asked = told(await wire.tool("browser_snapshot", format="json"))
    assert "As JSON: " in asked
