"""Playwright on a page of ours: every method, its options, and its errors in our words."""

from __future__ import annotations

import asyncio
import io
import os
import socket
import threading
from collections.abc import AsyncIterator, Iterator

import psutil
import pytest
from PIL import Image
from pypdf import PdfReader

from support.engine import do, session_of, value
from tabwright.engine.driver import NavigateResult, PlaywrightAdapter
from tabwright.errors import (
    ConnectFailed,
    DriverCrashError,
    InputError,
    InvalidSelector,
    NetworkFailed,
    ScriptError,
    TimedOut,
)

RECORD = """
<button>go</button>
<script>
  window.seen = [];
  for (const name of ["mousedown", "mouseup", "click", "dblclick", "auxclick", "contextmenu"])
    document.querySelector("button").addEventListener(name, e => {
      seen.push(`${e.type} ${e.button} ${e.detail}${e.isTrusted ? "" : " forged"}`);
      if (e.type === "mousedown") window.down = e.timeStamp;
      if (e.type === "mouseup") window.held = e.timeStamp - down;
    });
</script>
"""


def children(word: str) -> set[int]:
    """The processes that we started ourselves with an argument that begins so."""
    return {
        process.pid
        for process in psutil.process_iter(["ppid", "cmdline"])
        if process.info["ppid"] == os.getpid()
        and any(arg.startswith(word) for arg in process.info["cmdline"] or ())
    }


@pytest.fixture
async def target(context) -> tuple[str, str]:
    """The endpoint of the run's browser, and the page of the test's own session in it."""
    await do(context, "tabs")
    session = await session_of(context)
    return session.browser.cdp_endpoint, session.current.target_id


@pytest.fixture
async def adapter(target) -> AsyncIterator[PlaywrightAdapter]:
    joined = PlaywrightAdapter()
    await joined.initialize(target[0], target_id=target[1])
    yield joined
    await joined.close()


@pytest.fixture
def unused_port() -> Iterator[int]:
    """A port that is taken, and at which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@pytest.mark.proves("S3-PW-01")
async def test_the_adapter_takes_our_own_page_and_both_see_what_the_other_does(
    adapter, context, site
):
    await do(context, "navigate", url=site.page("/pw-shared", "shared", title="Shared"))
    assert await adapter.evaluate("document.title") == "Shared"
    await adapter.evaluate("document.title = 'Changed'")
    assert await value(context, "document.title") == "Changed"


@pytest.mark.proves("S3-PW-01")
async def test_the_adapter_launches_no_browser_and_closing_it_leaves_ours_alone(
    target, context, site, manager
):
    url = site.page("/pw-kept", "kept")
    await do(context, "navigate", url=url)
    before = children("--user-data-dir=")
    assert manager.get_active_browser().process.pid in before
    adapter = PlaywrightAdapter()
    await adapter.initialize(target[0], target_id=target[1])
    await adapter.evaluate("window.memory = 'kept'")
    assert children("--user-data-dir=") == before
    assert children("run-driver")
    await adapter.close()
    await adapter.close()
    assert manager.get_active_browser().process.pid in children("--user-data-dir=")
    assert await value(context, "location.href + memory") == f"{url}kept"
    assert children("run-driver") == set()


async def test_without_a_target_the_first_page_is_taken(target, context):
    adapter = PlaywrightAdapter()
    await adapter.initialize(target[0])
    assert await adapter.evaluate("1 + 1") == 2
    await adapter.close()


async def test_a_page_that_is_not_there_is_an_input_error_and_the_driver_ends(target):
    adapter = PlaywrightAdapter()
    with pytest.raises(InputError):
        await adapter.initialize(target[0], target_id="no such page")
    assert children("run-driver") == set()


async def test_an_endpoint_without_a_browser_is_a_connect_error_and_the_driver_ends(site):
    adapter = PlaywrightAdapter()
    endpoint = f"ws://127.0.0.1:{site.port}/nothing"
    with pytest.raises(ConnectFailed) as caught:
        await adapter.initialize(endpoint)
    assert caught.value.details["endpoint"] == endpoint
    assert caught.value.details["reason"]
    assert children("run-driver") == set()


async def test_before_it_is_connected_and_after_it_is_closed_every_use_is_a_driver_crash(target):
    adapter = PlaywrightAdapter()
    with pytest.raises(DriverCrashError):
        await adapter.evaluate("1")
    await adapter.initialize(target[0], target_id=target[1])
    await adapter.close()
    with pytest.raises(DriverCrashError):
        await adapter.evaluate("1")


@pytest.mark.proves("S3-PW-02", "S3-PW-01")
async def test_navigating_back_forward_and_again_returns_url_status_title_and_load_time(
    adapter, site
):
    one = site.page("/pw-one", "one", title="One")
    two = site.page("/pw-two", "two", title="Two", status=404)
    three = site.redirect("/pw-three", one)

    def check(result: NavigateResult, url: str, status: int, title: str) -> None:
        assert (result.url, result.status, result.title) == (url, status, title)
        assert result.load_time > 0

    check(await adapter.navigate(one), one, 200, "One")
    check(await adapter.navigate(two), two, 404, "Two")
    check(await adapter.go_back(), one, 200, "One")
    check(await adapter.go_forward(), two, 404, "Two")
    hits = site.hits["/pw-two"]
    check(await adapter.reload(), two, 404, "Two")
    assert site.hits["/pw-two"] == hits + 1
    check(await adapter.navigate(three), one, 200, "One")


@pytest.mark.proves("S3-PW-01")
async def test_wait_until_decides_how_much_of_a_page_is_waited_for(adapter, site):
    gate = threading.Event()
    picture = site.silent("/pw-slow.png", gate)
    url = site.page("/pw-slow", f"<img src='{picture}'>")
    await adapter.navigate(url, wait_until="domcontentloaded")
    await adapter.wait_for_load_state("domcontentloaded")
    with pytest.raises(TimedOut):
        await adapter.wait_for_load_state("load", timeout=200)
    with pytest.raises(TimedOut) as caught:
        await adapter.navigate(url, timeout=300)
    assert caught.value.details["waitedMs"] == 300
    gate.set()
    await adapter.navigate(url)
    await adapter.wait_for_load_state("load")
    assert await adapter.evaluate("document.readyState") == "complete"


@pytest.mark.proves("S3-PW-01")
async def test_button_count_and_delay_of_a_click_are_what_the_page_sees(adapter, site):
    await adapter.navigate(site.page("/pw-click", RECORD))
    await adapter.click("button")
    assert await adapter.evaluate("seen.splice(0)") == [
        "mousedown 0 1",
        "mouseup 0 1",
        "click 0 1",
    ]
    await adapter.click("button", button="right")
    assert "contextmenu 2 0" in await adapter.evaluate("seen.splice(0)")
    await adapter.click("button", button="middle")
    assert "auxclick 1 1" in await adapter.evaluate("seen.splice(0)")
    await adapter.click("button", click_count=2)
    assert (await adapter.evaluate("seen.splice(0)"))[-1] == "dblclick 0 2"
    await adapter.click("button", delay=150)
    assert await adapter.evaluate("held") >= 140


@pytest.mark.proves("S3-PW-01")
async def test_type_sends_keys_fill_replaces_select_chooses_and_hover_moves_the_mouse(
    adapter, site
):
    body = """
    <input onkeydown="(window.at ??= []).push(event.timeStamp)">
    <select multiple><option>x<option>y<option>z</select>
    <p onmouseenter="this.textContent = event.isTrusted ? 'over' : 'forged'">out</p>
    """
    await adapter.navigate(site.page("/pw-form", body))
    await adapter.type("input", "abc", delay=100)
    assert await adapter.evaluate("document.querySelector('input').value") == "abc"
    assert await adapter.evaluate("at[1] - at[0]") >= 90
    await adapter.fill("input", "new")
    shown = "[document.querySelector('input').value, at.length]"
    assert await adapter.evaluate(shown) == ["new", 3]
    assert await adapter.select("select", "x", "z") == ["x", "z"]
    chosen = "[...document.querySelector('select').selectedOptions].map(o => o.value)"
    assert await adapter.evaluate(chosen) == ["x", "z"]
    await adapter.hover("p")
    assert await adapter.evaluate("document.querySelector('p').textContent") == "over"


@pytest.mark.proves("S3-PW-01")
async def test_type_quality_full_page_and_path_of_a_screenshot_change_the_picture(
    adapter, site, tmp_path
):
    body = """<body style="margin:0;height:2000px;background:linear-gradient(45deg,red,blue)">"""
    await adapter.navigate(site.page("/pw-picture", body))
    path = tmp_path / "picture.png"
    png = await adapter.screenshot(path=str(path))
    assert path.read_bytes() == png
    assert (opened(png).format, opened(png).size) == ("PNG", (1280, 720))
    fine = await adapter.screenshot(type="jpeg", quality=95)
    coarse = await adapter.screenshot(type="jpeg", quality=5)
    assert opened(fine).format == opened(coarse).format == "JPEG"
    assert len(coarse) < len(fine)
    assert opened(await adapter.screenshot(full_page=True)).size == (1280, 2000)


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


@pytest.mark.proves("S3-PW-01")
async def test_path_format_and_background_of_a_print_change_the_pages(adapter, site, tmp_path):
    body = "<body style='background:red'>printed words"
    await adapter.navigate(site.page("/pw-print", body))
    path = tmp_path / "page.pdf"
    letter = await adapter.pdf(path=str(path), format="Letter")
    assert path.read_bytes() == letter
    assert sheet(letter) == pytest.approx((612, 792), abs=2)
    a4 = await adapter.pdf(format="A4")
    assert sheet(a4) == pytest.approx((595, 842), abs=2)
    assert "printed words" in PdfReader(io.BytesIO(a4)).pages[0].extract_text()
    assert red(await adapter.pdf(print_background=True))
    assert not red(a4)


def sheet(data: bytes) -> tuple[float, float]:
    box = PdfReader(io.BytesIO(data)).pages[0].mediabox
    return float(box.width), float(box.height)


def red(data: bytes) -> bool:
    """Whether the page's drawing sets a pure red."""
    return b"1 0 0 rg" in PdfReader(io.BytesIO(data)).pages[0].get_contents().get_data()


@pytest.mark.proves("S3-PW-01")
async def test_the_snapshot_names_what_a_reader_of_the_page_would_hear(adapter, site):
    body = "<h1>Shop</h1><button>Buy</button><a href='/x'>More</a>"
    await adapter.navigate(site.page("/pw-snapshot", body))
    snapshot = await adapter.snapshot()
    assert 'heading "Shop" [level=1]' in snapshot
    assert 'button "Buy"' in snapshot
    assert 'link "More"' in snapshot


@pytest.mark.proves("S3-PW-01")
async def test_evaluate_returns_values_and_evaluate_handle_keeps_them_in_the_page(adapter, site):
    await adapter.navigate(site.page("/pw-script", "<p>text</p>"))
    assert await adapter.evaluate("x => ({twice: x * 2})", 21) == {"twice": 42}
    assert await adapter.evaluate("Promise.resolve([1, null])") == [1, None]
    handle = await adapter.evaluate_handle("x => { window.it = {x}; return it; }", "given")
    assert await adapter.evaluate("same => same === window.it", handle) is True
    assert await handle.json_value() == {"x": "given"}


@pytest.mark.proves("S3-PW-01")
async def test_waiting_for_a_selector_knows_all_four_states(adapter, site):
    await adapter.navigate(site.page("/pw-wait", "<p id=a>a</p><p id=b hidden>b</p>"))
    await adapter.wait_for_selector("#a")
    await adapter.wait_for_selector("#b", state="attached")
    await adapter.wait_for_selector("#b", state="hidden")
    await adapter.wait_for_selector("#c", state="detached")
    with pytest.raises(TimedOut):
        await adapter.wait_for_selector("#b", timeout=100)
    waiting = asyncio.create_task(adapter.wait_for_selector("#b"))
    await adapter.evaluate("document.querySelector('#b').hidden = false")
    await waiting
    assert await adapter.evaluate("document.querySelector('#b').hidden") is False


@pytest.mark.proves("S3-PW-01")
async def test_waiting_for_a_navigation_ends_at_the_address_that_matches(adapter, site):
    await adapter.navigate(site.page("/pw-from", "from"))
    to = site.page("/pw-to", "to", title="To")
    with pytest.raises(TimedOut):
        await adapter.wait_for_navigation("**/pw-to", timeout=100)
    waiting = asyncio.create_task(adapter.wait_for_navigation("**/pw-to"))
    await adapter.evaluate("url => { location.href = url; }", to)
    assert await waiting == to
    assert await adapter.evaluate("document.title") == "To"


@pytest.mark.proves("S3-PW-01")
async def test_cookies_and_local_storage_are_set_and_read_in_the_session_of_the_page(
    adapter, context, site
):
    url = site.page("/pw-storage", "storage")
    await adapter.navigate(url)
    await adapter.set_cookies([{"name": "login", "value": "yes", "url": url}])
    await adapter.set_local_storage({"cart": "three", "ünï": "✓"})
    assert await adapter.evaluate("document.cookie") == "login=yes"
    assert [(c["name"], c["value"]) for c in await adapter.get_cookies()] == [("login", "yes")]
    assert await adapter.get_local_storage() == {"cart": "three", "ünï": "✓"}
    assert await value(context, "localStorage.getItem('cart')") == "three"
    await adapter.reload()
    assert site.headers["/pw-storage"][-1]["Cookie"] == "login=yes"


async def test_a_click_that_finds_nothing_by_its_deadline_is_timed_out(adapter, site):
    await adapter.navigate(site.page("/pw-none", "none"))
    for act in (adapter.click, adapter.hover):
        with pytest.raises(TimedOut) as caught:
            await act("#nothing", timeout=100)
        assert caught.value.code == "TIMEOUT"
        assert caught.value.details["waitedMs"] == 100


@pytest.mark.parametrize("selector", ["p[", "p >> nosuch=engine", "p:nth-child("])
async def test_a_selector_that_cannot_be_parsed_is_an_invalid_selector(adapter, site, selector):
    await adapter.navigate(site.page("/pw-selector", "<p>p</p>"))
    with pytest.raises(InvalidSelector):
        await adapter.click(selector, timeout=2000)


async def test_what_a_script_throws_is_a_script_error_with_its_words(adapter, site):
    await adapter.navigate(site.page("/pw-throws", "throws"))
    for run in (adapter.evaluate, adapter.evaluate_handle):
        with pytest.raises(ScriptError) as caught:
            await run("() => { throw new RangeError('out of cheese'); }")
        assert "RangeError: out of cheese" in caught.value.message


async def test_a_server_that_refuses_is_a_network_error_with_its_name(adapter, unused_port):
    with pytest.raises(NetworkFailed) as caught:
        await adapter.navigate(f"http://127.0.0.1:{unused_port}/")
    assert caught.value.details["netError"] == "net::ERR_CONNECTION_REFUSED"


async def test_a_page_closed_under_the_adapter_is_a_driver_crash(adapter, context, site):
    await adapter.navigate(site.page("/pw-closed", "closed"))
    waiting = asyncio.create_task(adapter.wait_for_selector("#never"))
    await adapter.evaluate("1")
    await do(context, "tabs", action="close")
    with pytest.raises(DriverCrashError):
        await waiting
