"""An agent that joins the server of the command line, and one that wants data."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import jsonschema
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from support.machine import Machine
from support.site import Site
from tabwright.faces.mcp.connection import HARMLESS, REPEATABLE
from tabwright.verbs import VERBS

PROGRAM = Path(sys.executable).with_name("tabwright")


@asynccontextmanager
async def agent(machine: Machine, *options: str) -> AsyncIterator[Client]:
    server = StdioServerParameters(
        command=str(PROGRAM),
        args=["mcp", "--enable", *options],
        env=machine.env,
        cwd=machine.home,
    )
    async with Client(stdio_client(server)) as client:
        yield client


async def test_an_agent_that_attaches_shares_a_session_with_a_person(machine: Machine, site: Site):
    url = site.page("/attach/shared", "<button>Go</button>", title="Shared")
    machine.run("open", url, "--session", "both")
    async with agent(machine, "--attach", "--session", "both") as client:
        seen = await client.call_tool("browser_snapshot", {})
        assert 'button "Go" e1' in seen.content[0].text
        await client.call_tool("browser_eval", {"expression": "document.title = 'Changed'"})
    assert machine.run("eval", "document.title", "--session", "both")[0] == '"Changed"\n'


async def test_a_conversation_that_nobody_named_ends_with_its_client(machine: Machine, site: Site):
    machine.run("eval", "1", "--session", "mine")
    async with agent(machine, "--attach") as client:
        await client.call_tool("browser_navigate", {"url": site.page("/attach/own", "own")})
        names = [each["session"] for each in machine.json("status")["sessions"]]
        assert len(names) == 2
    while len(machine.json("status")["sessions"]) > 1:
        pass  # The client left; the server hears of it.
    assert [each["session"] for each in machine.json("status")["sessions"]] == ["mine"]


async def test_a_server_that_ends_ends_the_agents_line(machine: Machine):
    async with agent(machine, "--attach") as client:
        await client.call_tool("browser_eval", {"expression": "1"})
        machine.run("stop")
        with pytest.raises(Exception, match=r"(?i)closed"):
            await client.call_tool("browser_eval", {"expression": "1"})


async def test_who_wants_data_gets_it_as_it_is_described(machine: Machine, site: Site):
    async with agent(machine, "--structured", "--surface", "all") as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        for name, given in {
            "browser_navigate": {"url": site.page("/attach/data", "<button>Go</button>")},
            "browser_click": {"selector": "text=Go"},
            "browser_snapshot": {},
            "browser_screenshot": {},
            "browser_tabs": {},
            "browser_batch": {"steps": [{"tool": "browser_eval", "args": {"expression": "1"}}]},
            "browser_hover": {"selector": "#none", "timeout": 50},
        }.items():
            answer = await client.call_tool(name, given)
            schema = tools[name].output_schema
            assert schema is not None
            jsonschema.validate(answer.structured_content, schema)
            assert answer.structured_content["success"] is not answer.is_error


async def test_clients_are_told_truly_what_a_tool_may_do(machine: Machine):
    assert {*VERBS} >= HARMLESS | REPEATABLE
    async with agent(machine, "--surface", "all") as client:
        tools = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
    reading = {name for name, hints in tools.items() if hints and hints.read_only_hint}
    assert {"browser_snapshot", "browser_get_cookies", "browser_get_service_workers"} <= reading
    for name in (
        "browser_clear_console_logs",
        "browser_export_har",
        "browser_click",
        "browser_set_cookies",
        "browser_delete_cookies",
        "browser_storage",
    ):
        assert name not in reading
    assert tools["browser_fill"].idempotent_hint is True
    assert tools["browser_hover"].destructive_hint is False
    assert tools["browser_click"] is None
