"""Waiting for a page: each state is waited for, and no longer than that."""

from __future__ import annotations

import itertools
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.engine import do, value
from support.site import Site
from tabwright.engine.context import ToolContext
from tabwright.errors import TimedOut

NEEDED = {
    "domcontentloaded": {"script"},
    "load": {"script", "image"},
    "networkidle": {"script", "image", "fetch"},
}
PAGE = """
<script src="{path}/script"></script>
<img src="{path}/image">
<script>
  onload = () => fetch("{path}/fetch").then(r => r.text()).then(() => {{
    window.quietSince = performance.now();
  }});
</script>
"""
numbers = itertools.count()


@dataclass
class SlowPage:
    """A page whose script, picture and late request are answered when they may be."""

    site: Site
    path: str
    delays_s: dict[str, float]
    sent: set[str] = field(default_factory=set[str])
    end: threading.Event = field(default_factory=threading.Event)

    def serve(self) -> str:
        for name in ("script", "image", "fetch"):
            self.site.route(f"{self.path}/{name}", self._answer(name))
        return self.site.page(self.path, PAGE.format(path=self.path))

    def _answer(self, name: str):
        def handle(request: BaseHTTPRequestHandler) -> None:
            # What the state does not need is held back until the call has returned.
            if not self.end.wait(self.delays_s.get(name, 60)):
                self.sent.add(name)
            request.send_response(200)
            request.send_header("content-type", "text/javascript")
            request.send_header("content-length", "0")
            request.end_headers()

        return handle


# Feature: browser-automation, Property 6: Navigation wait condition
@pytest.mark.proves("S3-P06", "U-23")
@settings(max_examples=100)
@given(
    state=st.sampled_from(["load", "domcontentloaded", "load", "domcontentloaded", "networkidle"]),
    delays=st.tuples(*[st.integers(0, 20)] * 3),
)
async def test_each_state_is_reached_after_its_own_time_and_waits_for_nothing_more(
    context: ToolContext, site: Site, state: str, delays: tuple[int, int, int]
):
    wait = {name: ms / 1000 for name, ms in zip(("script", "image", "fetch"), delays, strict=True)}
    needed = NEEDED[state]
    page = SlowPage(site, f"/wait/{next(numbers)}", {k: s for k, s in wait.items() if k in needed})
    try:
        await do(context, "navigate", url=page.serve(), waitUntil=state)
        assert page.sent == needed
        if state == "networkidle":
            assert await value(context, "performance.now() - quietSince") >= 500
    finally:
        page.end.set()


@pytest.mark.proves("U-23")
async def test_without_a_word_navigate_waits_for_load(context: ToolContext, site: Site):
    page = SlowPage(site, "/wait/default", {"script": 0.0, "image": 0.02})
    try:
        await do(context, "navigate", url=page.serve())
        assert page.sent == {"script", "image"}
    finally:
        page.end.set()


async def test_a_page_that_is_not_ready_in_time_says_how_far_it_came(
    context: ToolContext, site: Site
):
    page = SlowPage(site, "/wait/late", {"script": 0.0})
    try:
        outcome = await do(context, "navigate", url=page.serve(), waitUntil="domcontentloaded")
        assert outcome.status == 200
        with pytest.raises(TimedOut, match="1500 ms") as caught:
            await do(context, "reload", timeout=1500)
        assert caught.value.code == "TIMEOUT"
        assert caught.value.details["reached"] == ["DOMContentLoaded"]
        assert caught.value.details["currentUrl"] == site.url("/wait/late")
    finally:
        page.end.set()


@pytest.mark.parametrize(
    "script",
    ["location.href = '/stop/204'", "location.href = 'mailto:a@b.c'", "window.stop()"],
)
async def test_a_page_that_stops_loading_for_good_has_arrived(
    context: ToolContext, site: Site, script: str
):
    site.content("/stop/204", b"", status=204)
    url = site.page("/stop", f"<p>first</p><script>{script}</script><p>second</p>")
    found = await do(context, "navigate", url=url, timeout=5000)
    assert found.snippet == "first"
