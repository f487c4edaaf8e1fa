"""Every verb does its work beside a frame of another process that never answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from support.engine import do, make_settings, session_of
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager
from tabwright.verbs import VERBS

# Far below the thirty seconds that most verbs may take, far above what any needs here.
LIMIT_S = 10
BODY = """<title>Beside</title><h1>Head</h1><button onclick="this.textContent = 'done'">Go</button>
<input aria-label=Field autofocus><input type=checkbox aria-label=Box>
<input type=file aria-label=File>
<select aria-label=Pick><option>one</option><option>two</option></select>
<p id=card draggable=true>card</p>
<div id=zone ondragover="event.preventDefault()" ondrop="event.preventDefault()">zone</div>
<div id=long style="height:50px;overflow:auto"><div style="height:500px">long</div></div>"""
CASES: list[tuple[str, dict[str, Any]]] = [
    ("audit", {}),
    ("audit", {"selector": "button"}),
    ("blur", {"selector": "label=Field"}),
    ("check", {"selector": "label=Box"}),
    ("click", {"selector": "text=Go"}),
    ("conditions", {"latency": 1}),
    ("console", {}),
    ("cookies", {"action": "get"}),
    ("dialog", {"action": "status"}),
    ("downloads", {"action": "list"}),
    ("drag", {"selector": "#card", "to": "#zone"}),
    ("drop", {"selector": "#zone", "files": ["file.txt"]}),
    ("evaluate", {"expression": "document.title"}),
    ("fill", {"selector": "label=Field", "text": "x"}),
    ("focus", {"selector": "label=Field"}),
    ("geolocation", {"latitude": 1, "longitude": 1}),
    ("get", {"what": "text", "selector": "h1"}),
    ("hover", {"selector": "h1"}),
    ("info", {"selector": "h1"}),
    ("insert", {"text": "x"}),
    ("interrupt", {}),
    ("is", {"what": "visible", "selector": "h1"}),
    ("key", {"action": "down", "key": "Shift"}),
    ("network", {}),
    ("pdf", {}),
    ("press", {"key": "Tab"}),
    ("reload", {}),
    ("resize", {"width": 900, "height": 700}),
    ("route", {"action": "list"}),
    ("screenshot", {}),
    ("screenshot", {"annotate": True}),
    ("screenshot", {"fullPage": True}),
    ("screenshot", {"selector": "h1"}),
    ("scroll", {}),
    ("scroll", {"selector": "#long", "to": "bottom"}),
    ("select", {"selector": "label=Pick", "options": ["two"]}),
    ("service_workers", {"action": "list"}),
    ("set", {"selector": "label=Pick", "value": "two"}),
    ("snapshot", {}),
    ("snapshot", {"diff": True}),
    ("snapshot", {"format": "json"}),
    ("snapshot", {"format": "markdown"}),
    ("snapshot", {"selector": "h1"}),
    ("storage", {"action": "get"}),
    ("tabs", {"action": "close"}),
    ("tabs", {"action": "list"}),
    ("type", {"selector": "label=Field", "text": "x"}),
    ("uncheck", {"selector": "label=Box"}),
    ("upload", {"selector": "label=File", "files": ["file.txt"]}),
    ("vitals", {}),
    ("wait", {"selector": "h1"}),
    ("wait", {"selector": "h1", "state": "visible"}),
    ("wait", {"text": "Head"}),
]
# What they are about is elsewhere, or stands in a test of its own.
OTHERS = {"fetch", "read_image", "navigate", "back", "forward"}


@pytest.fixture(scope="module")
async def isolating(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[BrowserManager]:
    """A browser with a process for each site."""
    args = {"browser.args": ["--site-per-process"]}
    settings = make_settings(tmp_path_factory.mktemp("isolating"), **args)
    own = BrowserManager(settings, execute=call)
    yield own
    await own.stop()


@pytest.fixture
async def beside(
    isolating: BrowserManager, site: Site, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncIterator[ToolContext]:
    """A conversation at a page that was seen before a frame in it hung."""
    (tmp_path / "file.txt").write_text("x", encoding="utf-8")
    context = isolating.context(request.node.name, working_dir=tmp_path)
    site.page("/beside/far", "<button>Far</button>")
    frame = f'<iframe src="http://hung.localhost:{site.port}/beside/far"></iframe>'
    await do(context, "navigate", url=site.page("/beside/top", BODY + frame))
    await do(context, "snapshot")
    tab = (await session_of(context)).current
    assert tab is not None
    hung = next(frame for frame in tab.frames if "hung.localhost" in frame.url)
    assert hung.session_id != tab.frames.main.session_id
    hung.post("Runtime.evaluate", {"expression": "for (;;);"})
    yield context
    await isolating.close_session(request.node.name)


@pytest.mark.parametrize(("verb", "params"), CASES, ids=[f"{v} {p}" for v, p in CASES])
@pytest.mark.proves("S1-18")
async def test_a_verb_is_not_held_up_by_a_frame_that_hangs(
    beside: ToolContext, verb: str, params: dict[str, Any]
):
    async with asyncio.timeout(LIMIT_S):
        outcome = await call(beside, verb, params)
    assert outcome.success, outcome.error


@pytest.mark.proves("S1-18")
async def test_a_page_with_a_frame_that_hangs_is_left_and_come_back_to(
    beside: ToolContext, site: Site
):
    async with asyncio.timeout(LIMIT_S):
        await do(beside, "navigate", url=site.page("/beside/next", "<h1>Next</h1>"))
        await do(beside, "back")
        await do(beside, "forward")
        assert (await do(beside, "get", what="text", selector="h1")).value == "Next"


def test_each_verb_is_tried():
    assert {verb for verb, _ in CASES} | OTHERS == set(VERBS)
