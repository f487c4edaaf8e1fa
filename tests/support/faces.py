"""The same call over every face: the door, Python, the command line, HTTP and MCP."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from support.control import served
from support.machine import DEADLINE_S, Machine
from tabwright.argv.parameter import command_line
from tabwright.config import Settings
from tabwright.dispatch import call
from tabwright.engine.manager import BrowserManager
from tabwright.errors import InputError, TabwrightError
from tabwright.faces.python import Conversation
from tabwright.surfaces.granular import GRANULAR
from tabwright.surfaces.tool import Tool
from tabwright.verbs import VERBS

Reply = dict[str, Any]
Call = Callable[[str, dict[str, Any]], Awaitable[Reply]]
"""Makes a call; the reply has `result`, or `error` with its code and message."""
Face = Callable[[BrowserManager, Path], AbstractAsyncContextManager[Call]]


@asynccontextmanager
async def door(manager: BrowserManager, directory: Path) -> AsyncIterator[Call]:
    context = manager.context("door", working_dir=directory)

    async def make(verb: str, params: dict[str, Any]) -> Reply:
        return (await call(context, verb, params)).as_dict()

    yield make


@asynccontextmanager
async def python(manager: BrowserManager, directory: Path) -> AsyncIterator[Call]:
    page = Conversation(manager.context("python", working_dir=directory))

    async def make(verb: str, params: dict[str, Any]) -> Reply:
        names = {field.alias: name for name, field in VERBS[verb].params.model_fields.items()}
        given = {names[key]: value for key, value in params.items()}
        try:
            result = await getattr(page, VERBS[verb].python_name)(**given)
        except TabwrightError as error:
            return {"error": error.as_dict()}
        return {"result": result.model_dump(mode="json", by_alias=True)}

    yield make


@asynccontextmanager
async def http(manager: BrowserManager, directory: Path) -> AsyncIterator[Call]:
    async with served(manager, directory, enabled=True) as control:

        async def make(verb: str, params: dict[str, Any]) -> Reply:
            body = {"verb": verb, "params": params}
            if VERBS[verb].on == "context":
                tool, given = tool_for(verb, params)
                reply = (await control.post(f"/tools/{tool.name}", given, "http")).json()
            else:
                reply = (await control.post("/browser/action", body, "http")).json()
            return reply["data"] if reply["success"] else reply

        yield make


@asynccontextmanager
async def mcp(manager: BrowserManager, directory: Path) -> AsyncIterator[Call]:
    machine = machine_of(manager.settings, directory)
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "tabwright", "mcp", "--enable", "--surface", "all"],
        env=machine.env,
        cwd=directory,
    )
    async with stdio_client(server) as (reader, writer), ClientSession(reader, writer) as session:
        await session.initialize()

        async def make(verb: str, params: dict[str, Any]) -> Reply:
            tool, given = tool_for(verb, params)
            answer = await session.call_tool(tool.name, given, meta={"tabwright/structured": True})
            assert answer.structured_content is not None
            return answer.structured_content

        yield make


@asynccontextmanager
async def cli(manager: BrowserManager, directory: Path) -> AsyncIterator[Call]:
    machine = machine_of(manager.settings, directory)

    async def make(verb: str, params: dict[str, Any]) -> Reply:
        _, *words = shlex.split(command_line(VERBS[verb], params))
        process = await asyncio.create_subprocess_exec(
            Path(sys.executable).with_name("tabwright"),
            *words,
            "--json",
            cwd=directory,
            env=machine.env,
            stdout=asyncio.subprocess.PIPE,
        )
        out, _ = await asyncio.wait_for(process.communicate(), DEADLINE_S)
        return json.loads(out)

    try:
        yield make
    finally:
        await asyncio.to_thread(machine.stop)


FACES: dict[str, Face] = {"python": python, "http": http, "mcp": mcp, "cli": cli}


def machine_of(settings: Settings, directory: Path) -> Machine:
    home = directory / "home"
    home.mkdir(exist_ok=True)
    return Machine(home, settings.paths.cache_dir)


def tool_for(verb: str, params: dict[str, Any]) -> tuple[Tool, dict[str, Any]]:
    """A tool that makes just this call, and what to give it."""
    known = VERBS[verb]
    for tool in GRANULAR:
        if tool.verb != verb or tool.several:
            continue
        names = {own: other for other, own in tool.names.items()}
        given = {
            names.get(key, key): value for key, value in params.items() if key not in tool.fixed
        }
        try:
            _, made = tool.translate(given)
            same = known.read(made) == known.read(params)
        except InputError:
            same = made_wrong(tool, given)
        if same:
            return tool, given
    raise AssertionError(f"no tool makes {verb} {params}")


def made_wrong(tool: Tool, given: dict[str, Any]) -> bool:
    """Whether the call is refused for its values, which is as good as any other call."""
    return not tool.names and not tool.fixed and tool.make is None and bool(given)
