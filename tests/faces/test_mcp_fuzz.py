"""Whatever a client says: an answer that is one, no defect of ours, and a server that goes on."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.nonsense import anything, arguments, example_of, fields, short
from support.site import Site
from support.stdio import HELLO, Wire, started
from tabwright.surfaces.compact import COMPACT
from tabwright.surfaces.granular import GRANULAR
from tabwright.surfaces.native import NATIVE

PAGE = "<button id=x>x</button><input><a href='#y'>y</a>"
FACTS = {"tabwright/structured": True}
INTERNAL = -32603
METHODS = [
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
    "logging/setLevel",
    "notifications/initialized",
    "notifications/cancelled",
]
PARAMS = ["name", "arguments", "_meta", "uri", "level", "protocolVersion", "requestId"]
TOOLS = (*GRANULAR, *COMPACT, *NATIVE)
parts = {
    "jsonrpc": st.just("2.0") | anything,
    "id": st.integers() | anything,
    "method": st.sampled_from(METHODS) | anything,
    "params": fields(PARAMS) | anything,
    "result": anything,
}
proper = st.fixed_dictionaries(
    {
        "jsonrpc": st.just("2.0"),
        "method": st.sampled_from(METHODS),
        "params": st.dictionaries(st.sampled_from(PARAMS), anything, min_size=1),
    },
    optional={"id": st.text()},
)
"""Messages that the protocol knows, with parameters that it does not."""
RUN = settings(max_examples=250, derandomize=True)


@pytest.fixture(scope="module")
async def wire(tmp_path_factory: pytest.TempPathFactory, site: Site) -> AsyncIterator[Wire]:
    """One server for all: what is said to it must not matter to who comes next."""
    short_limits = ("--set", "browser.defaultTimeout=5s", "--set", "browser.dialogs=dismiss")
    home = tmp_path_factory.mktemp("fuzz")
    async with started(home, "--enable", "--surface", "all", *short_limits) as found:
        await found.ask("initialize", **HELLO)
        await found.tool("browser_navigate", url=site.page("/mcp/fuzz", PAGE))
        yield found


async def holds(wire: Wire, name: str, arguments: Any) -> bool:
    """Call a tool, look at all that it answers, and say whether the server still answers."""
    answer = await wire.ask("tools/call", name=name, arguments=arguments, _meta=FACTS)
    asked = f"{name} {arguments!r:.500}: {answer!r:.2000}"
    assert "result" in answer, asked
    result = answer["result"]
    told = result["structuredContent"]
    assert told["success"] is not result["isError"], asked
    text = result["content"][0]["text"]
    if result["isError"]:
        error = told["error"]
        assert {"code", "message", "timestamp"} <= error.keys(), asked
        assert error.keys() <= {"code", "message", "details", "timestamp", "context"}, asked
        assert error["code"] != "UNKNOWN_ERROR", asked
        assert f"{error['code']}: {error['message']}" in text, asked
    return (await wire.ask("ping"))["result"] == {}


@pytest.mark.proves("S3-ERR-03")
@RUN
@given(drawn=st.data())
async def test_no_arguments_of_any_tool_find_a_defect(wire: Wire, drawn: st.DataObject):
    tool = drawn.draw(st.sampled_from(TOOLS))
    schema, example = tool.parameters, example_of(tool)
    given_ = drawn.draw(
        arguments(schema, example) | arguments(schema) | fields([*schema["properties"]]) | anything
    )
    assert await holds(wire, tool.name, short(tool, given_))


@pytest.mark.proves("S3-ERR-03")
async def test_every_tool_takes_nothing_and_nonsense(wire: Wire):
    """What hypothesis may never draw: each of them, with no arguments and with wrong ones."""
    for given_ in (None, {}, [], "x", {"nonsense": 1}, {"selector": []}, {"selector": "#none"}):
        for tool in TOOLS:
            assert await holds(wire, tool.name, short(tool, given_))


@RUN
@given(message=proper | st.fixed_dictionaries({}, optional=parts) | anything)
async def test_no_message_ends_the_conversation(wire: Wire, message: Any):
    wire.send(json.dumps(message).encode())
    await goes_on(wire)


@RUN
@given(line=st.binary(max_size=60) | st.text(alphabet='{}[]":,0aeN-\\ "', max_size=60))
async def test_no_line_ends_the_conversation(wire: Wire, line: bytes | str):
    wire.send(line.encode() if isinstance(line, str) else line)
    await goes_on(wire)


@pytest.mark.parametrize("depth", [70, 500, 900, 100_000])
async def test_what_is_nested_deeply_is_refused(wire: Wire, depth: int):
    deep = b"[" * depth + b"]" * depth
    call = b'"method":"tools/call","params":{"name":"browser_eval","arguments":{"args":%s}}' % deep
    wire.send(b'{"jsonrpc":"2.0","id":"deep",%s}' % call)
    assert (await wire.hear())["error"]["code"] in (-32700, -32600)
    await goes_on(wire)


async def goes_on(wire: Wire) -> None:
    """It answers a request, and what it answered before was no defect."""
    wire.numbers += 1
    number = f"ping {wire.numbers}"
    wire.send({"id": number, "method": "ping"})
    while (heard := await wire.hear()).get("id") != number:
        assert "method" in heard or "result" in heard or heard["error"]["code"] != INTERNAL, heard
    assert heard["result"] == {}
