"""Whatever is sent to whichever address: an answer, no 500, and a server that goes on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.control import Served, served
from support.engine import make_settings
from support.nonsense import SHORT, anything, fields, wire_names
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.manager import BrowserManager
from tabwright.faces.http.app import ENDPOINTS
from tabwright.surfaces.action import KINDS
from tabwright.surfaces.registry import ToolRegistry
from tabwright.verbs import VERBS

ANSWER_S = 20
CODES = {200, 400, 403, 404, 405, 408, 409, 410, 413, 415, 422, 499, 502, 503, 504}


def names_of(schema: dict[str, Any]) -> list[str]:
    return [name for name in schema.get("properties", {}) if name != "timeout"]


@st.composite
def verb_calls(draw: st.DrawFn) -> tuple[str, str, Any]:
    verb = draw(st.sampled_from(sorted(VERBS)))
    params = draw(fields(wire_names(verb)))
    if "timeout" in wire_names(verb):
        params |= SHORT
    return "POST", "/browser/action", {"verb": verb, "params": params}


@st.composite
def actions(draw: st.DrawFn) -> tuple[str, str, Any]:
    kind = draw(st.sampled_from(sorted(KINDS)))
    known = [name for name in wire_names(kind) if kind in VERBS] if kind in VERBS else ["selector"]
    extra = {"condition", "target", "x", "y", "script", "values"}
    return "POST", "/browser/action", {**draw(fields([*known, *extra])), **SHORT, "type": kind}


@st.composite
def tool_calls(draw: st.DrawFn, registry: ToolRegistry) -> tuple[str, str, Any]:
    tool = draw(st.sampled_from(registry.listed()))
    given_ = draw(fields(names_of(tool.parameters)))
    if "timeout" in wire_names(tool.verb):
        given_ |= SHORT
    return "POST", f"/tools/{tool.name}", given_


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, str, Any]:
    method, path, _ = draw(st.sampled_from(ENDPOINTS))
    word = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    path = path.replace("{name}", quote(draw(word), safe="") or "x")
    method = draw(st.sampled_from([method, method, method, "GET", "POST", "DELETE", "PUT", "HEAD"]))
    names = st.sampled_from(["profile", "fullPage", "quality", "format", "path", "budget", "find"])
    query = draw(st.dictionaries(names | word, word, max_size=3))
    asked = "&".join(
        f"{quote(name, safe='')}={quote(text, safe='')}" for name, text in query.items()
    )
    known = ["profileName", "browserId", "type", "verb", "cookies", "localStorage", "version"]
    body = draw(st.one_of(fields(known), anything, st.binary(max_size=30)))
    return method, f"{path}?{asked}" if asked else path, body


@pytest.fixture(scope="module")
async def control(tmp_path_factory: pytest.TempPathFactory, site: Site) -> AsyncIterator[Served]:
    """A server of its own: what is fuzzed closes browsers and routes requests."""
    directory: Path = tmp_path_factory.mktemp("fuzz")
    short = {"browser.defaultTimeout": "5s", "browser.dialogs": "dismiss"}
    manager = BrowserManager(make_settings(directory, **short), execute=call)
    async with served(manager, directory) as found:
        page = site.page("/fuzz", "<button id=x>x</button><input><a href='#y'>y</a>")
        await found.act("navigate", "fuzz", url=page)
        yield found
    await manager.stop()


async def ask(control: Served, method: str, path: str, body: Any) -> httpx.Response:
    headers = {"content-type": "application/json", "X-Tabwright-Conversation": "fuzz"}
    content = body if isinstance(body, bytes) else json.dumps(body).encode("ascii")
    return await asyncio.wait_for(
        control.client.request(method, path, content=content, headers=headers), ANSWER_S
    )


async def survives(control: Served, method: str, path: str, body: Any) -> bool:
    """Ask, look at the answer, and say whether the server still answers others."""
    reply = await ask(control, method, path, body)
    assert reply.status_code in CODES, (method, path, body, reply.text)
    if method != "HEAD" and reply.headers["content-type"] == "application/json":
        told = reply.json()
        if "openapi" not in told:
            assert told["success"] is (reply.status_code == 200)
            assert told["success"] or {"code", "message", "timestamp"} <= told["error"].keys()
    return await control.alive()


RUN = settings(max_examples=60, derandomize=True)


@pytest.mark.proves("S3-CS-02")
@RUN
@given(asked=requests())
async def test_no_request_to_any_endpoint_breaks_the_server(
    control: Served, asked: tuple[str, str, Any]
):
    assert await survives(control, *asked)


@pytest.mark.proves("S3-CS-02")
@RUN
@given(asked=verb_calls() | actions())
async def test_no_action_breaks_the_server(control: Served, asked: tuple[str, str, Any]):
    assert await survives(control, *asked)


@pytest.mark.proves("S3-CS-02")
@RUN
@given(drawn=st.data())
async def test_no_call_of_any_tool_breaks_the_server(control: Served, drawn: st.DataObject):
    registry = ToolRegistry(control.manager.settings, surface="all")
    assert await survives(control, *drawn.draw(tool_calls(registry)))


async def test_every_tool_takes_nothing_and_nonsense(control: Served):
    """What hypothesis may never draw: each of them, with no arguments and with wrong ones."""
    registry = ToolRegistry(control.manager.settings, surface="all")
    for body in ({}, {"nonsense": 1}, {"selector": []}, {"selector": "#none"}):
        for tool in registry.listed():
            given_ = {**SHORT, **body} if "timeout" in wire_names(tool.verb) else body
            assert await survives(control, "POST", f"/tools/{tool.name}", given_)
