"""Addresses and histories at the edge."""

from __future__ import annotations

import asyncio
import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from support.engine import do, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager
from tabwright.errors import InputError, NetworkFailed, PathRefused


@pytest.mark.proves("S0-01")
async def test_a_long_page_of_wide_characters_is_cut_at_1000_characters(
    context: ToolContext, site: Site
):
    wide = await do(context, "navigate", url=site.page("/cut/wide", "\U0001d11e" * 1001))
    assert wide.snippet == "\U0001d11e" * 1000 + "…"


@pytest.mark.proves("S3-PW-02")
async def test_an_address_without_a_server_has_no_status(context: ToolContext, tmp_path: Path):
    assert (await do(context, "navigate", url="data:text/html,hi")).status is None
    (tmp_path / "page.html").write_text("hi", encoding="utf-8")
    assert (await do(context, "navigate", url=(tmp_path / "page.html").as_uri())).status is None


@pytest.mark.parametrize(
    "url",
    [
        "localhost:99999",
        "127.0.0.1:0",
        "#save",
        "?q",
        "http://exa mple.com/",
        "http://%zz/",
        "http://a<b/",
    ],
)
async def test_what_is_no_address_is_refused(context: ToolContext, url: str):
    with pytest.raises(InputError):
        await do(context, "navigate", url=url)


@pytest.mark.proves("U-24")
@pytest.mark.parametrize("url", ["file:etc/hostname", "file:\\etc\\hostname"])
async def test_a_file_outside_the_roots_is_refused_however_it_is_written(
    context: ToolContext, url: str
):
    with pytest.raises(PathRefused):
        await do(context, "navigate", url=url)
    assert await value(context, "location.href") == "about:blank"


@pytest.mark.proves("U-24")
async def test_a_new_tab_does_not_open_a_file_outside_the_roots(context: ToolContext):
    with pytest.raises(PathRefused):
        await do(context, "tabs", action="new", url="file:///etc/hostname")


async def test_back_also_works_between_entries_of_the_same_address(
    context: ToolContext, site: Site
):
    await do(context, "navigate", url=site.page("/same", "same"))
    await do(context, "evaluate", expression="history.pushState({step: 2}, '', location.href)")
    await do(context, "back", timeout=3000)
    assert await value(context, "history.state") is None


async def test_back_works_at_once_after_an_address_that_cannot_be_reached(
    own_manager: BrowserManager, tmp_path: Path, site: Site
):
    # The first error page of a browser takes longest.
    context = own_manager.context("back", working_dir=tmp_path)
    url = site.page("/edge/reached", "here")
    await do(context, "navigate", url=url)
    failed = await call(context, "navigate", {"url": "http://127.0.0.1:1/"})
    assert isinstance(failed.error, NetworkFailed)
    assert (await do(context, "back")).url == url


async def test_a_navigation_that_its_caller_gives_up_ends_and_the_next_call_works(
    manager: BrowserManager, context: ToolContext, site: Site
):
    asked, gate = threading.Event(), threading.Event()

    def slow(request: BaseHTTPRequestHandler) -> None:
        asked.set()
        gate.wait(60)

    cancel = asyncio.Event()
    impatient = manager.context(context.conversation_id, cancel=cancel)
    url = site.route("/given-up", slow)
    try:
        running = asyncio.create_task(call(impatient, "navigate", {"url": url}))
        await asyncio.to_thread(asked.wait, 30)
        cancel.set()
        outcome = await running
    finally:
        gate.set()
    assert outcome.error is not None
    assert outcome.error.code == "CANCELLED"
    assert await value(context, "1 + 1") == 2


async def test_a_form_whose_fields_shadow_its_properties_is_read(context: ToolContext, site: Site):
    url = site.page(
        "/edges/clobbered",
        "<form><input name=checkVisibility><input name=childNodes><input name=nodeType>"
        "<input name=tagName><input name=shadowRoot><p>inside</p></form>"
        "<img name=body><img name=title>",
        title="Whole",
    )
    found = await do(context, "navigate", url=url)
    assert (found.title, found.snippet) == ("Whole", "inside")
