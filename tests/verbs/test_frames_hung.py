"""Frames that do not answer: what is elsewhere in the page can still be used."""

from __future__ import annotations

import re
from typing import Any

import pytest

from support.engine import do, session_of, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.frame import Frame
from tabwright.engine.glance import MOMENT_S
from tabwright.engine.tab import Tab
from tabwright.errors import TabwrightError

HANG = "for (;;);"
BUSY = "for (const end = performance.now() + 1000; performance.now() < end;);"
LONG_MOMENT_S = 1.0
"""A frame that is well answers within it, also beside one that takes a whole processor."""


def let_moment_last(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    for name in ("glance", "wait", "read", "aim"):
        monkeypatch.setattr(f"tabwright.engine.{name}.MOMENT_S", seconds)


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames that are well, and verbs at their limit, have time to speak on a busy machine."""
    let_moment_last(monkeypatch, LONG_MOMENT_S)
    monkeypatch.setattr("tabwright.dispatch.VERB_GRACE_MS", 5000)
    monkeypatch.setattr("tabwright.dispatch.DOOR_GRACE_MS", 10_000)


async def show(context: ToolContext, site: Site) -> tuple[Tab, Frame]:
    """A page with a button, beside two frames of other processes with one each."""
    hung = f"http://hung.localhost:{site.port}"
    well = f"http://well.localhost:{site.port}"
    far = "<button onclick='top.postMessage(1, \"*\")'>Far</button><b>Both</b><p>Far text</p>"
    site.page("/hung/far", far)
    site.page("/hung/well", "<button onclick='top.postMessage(2, \"*\")'>Well</button>")
    body = f"""<button onclick="got.push(0)">Near</button><b>Both</b>
    <iframe src="{hung}/hung/far"></iframe><iframe src="{well}/hung/well"></iframe>
    <script>got = []; onmessage = (event) => got.push(event.data)</script>"""
    await do(context, "navigate", url=site.page("/hung/top", body))
    tab = (await session_of(context)).current
    assert tab is not None
    assert len(tab.frames.sessions()) == 3
    return tab, next(frame for frame in tab.frames if "hung.localhost" in frame.url)


async def hang(context: ToolContext, site: Site) -> tuple[Tab, Frame]:
    """The same, the first of the frames hanging."""
    tab, frame = await show(context, site)
    frame.post("Runtime.evaluate", {"expression": HANG})
    return tab, frame


async def wake(tab: Tab, frame: Frame) -> None:
    """End what a frame hangs in, and see that it is trusted again."""
    await frame.send("Runtime.terminateExecution")
    await frame.send("Runtime.evaluate", {"expression": "0"})
    assert tab.frames.silence.left_s(frame, MOMENT_S) == MOMENT_S


async def refused(context: ToolContext, verb: str, **params: Any) -> TabwrightError:
    outcome = await call(context, verb, params)
    assert outcome.error is not None, outcome.text()
    return outcome.error


async def test_a_frame_that_hangs_keeps_nothing_else_from_being_clicked(
    isolated: ToolContext, site: Site
):
    _, frame = await show(isolated, site)
    frame.post("Runtime.evaluate", {"expression": HANG})
    for name in ("Near", "Well"):
        assert (await do(isolated, "click", selector=f"text={name}")).verdict == "effective"
    assert await value(isolated, "got") == [0, 2]


async def test_what_is_not_found_may_be_in_the_frame_that_did_not_answer(
    isolated: ToolContext, site: Site
):
    _, frame = await show(isolated, site)
    frame.post("Runtime.evaluate", {"expression": HANG})
    for params in ({}, {"wait": True, "timeout": 3000}):
        outcome = await call(isolated, "click", {"selector": "text=Far", **params})
        assert outcome.error is not None
        assert outcome.error.code == ("TIMEOUT" if params else "ELEMENT_NOT_FOUND")
        assert outcome.error.details["silent"] == [frame.url]
        assert f"no answer from {frame.url}." in outcome.error.message


async def test_a_part_of_a_page_is_seen_or_missed_without_the_frame_that_hangs(
    isolated: ToolContext, site: Site
):
    _, frame = await show(isolated, site)
    frame.post("Runtime.evaluate", {"expression": HANG})
    assert 'button "Well"' in (await do(isolated, "snapshot", selector="text=Well")).content
    outcome = await call(isolated, "snapshot", {"selector": "text=Far"})
    assert outcome.error is not None
    assert outcome.error.code == "ELEMENT_NOT_FOUND"
    assert f"no answer from {frame.url}." in outcome.error.message


async def test_a_frame_that_is_busy_for_a_moment_is_waited_for(isolated: ToolContext, site: Site):
    _, frame = await show(isolated, site)
    frame.post("Runtime.evaluate", {"expression": BUSY})
    assert (await do(isolated, "click", selector="text=Far", wait=True)).verdict == "effective"
    assert await value(isolated, "got") == [1]


async def test_elements_of_two_frames_never_have_the_same_ref(isolated: ToolContext, site: Site):
    await show(isolated, site)
    outcome = await call(isolated, "click", {"selector": "css=button"})
    assert outcome.result is not None
    seen = (await do(isolated, "snapshot")).content
    refs = re.findall(r'button "\w+" (e\d+)', seen)
    assert len(set(refs)) == 3
    for ref, number in zip(refs, (0, 1, 2), strict=True):
        await do(isolated, "click", selector=ref)
        assert (await value(isolated, "got"))[-1] == number


@pytest.mark.parametrize(
    "condition",
    [
        {"selector": "text=Near"},
        {"selector": "text=Near", "state": "visible"},
        {"text": "Near"},
        {"selector": "text=Well"},
        {"text": "Well"},
    ],
    ids=str,
)
async def test_a_wait_ends_as_soon_as_a_frame_that_answers_has_it(
    isolated: ToolContext, site: Site, condition: dict[str, Any]
):
    await hang(isolated, site)
    found = (await do(isolated, "wait", **condition, timeout=5000)).found
    assert re.fullmatch(r'button "(Near|Well)" e\d+', found)


@pytest.mark.parametrize(
    "condition",
    [
        {"selector": "#never", "state": "detached"},
        {"selector": "#never", "state": "hidden"},
        {"textGone": "never"},
    ],
    ids=str,
)
@pytest.mark.usefixtures("patience")
async def test_nothing_is_called_gone_while_a_frame_does_not_answer(
    isolated: ToolContext, site: Site, condition: dict[str, Any]
):
    tab, frame = await hang(isolated, site)
    error = await refused(isolated, "wait", **condition, timeout=2500)
    assert error.code == "TIMEOUT"
    assert error.details["silent"] == [frame.url]
    assert f"no answer from {frame.url}." in error.message
    assert "Now: absent where there was an answer, at " in error.hint
    await wake(tab, frame)
    await do(isolated, "wait", **condition)


async def test_a_wait_outlasts_a_frame_that_is_busy(isolated: ToolContext, site: Site):
    _, frame = await show(isolated, site)
    frame.post("Runtime.evaluate", {"expression": BUSY})
    await do(isolated, "wait", selector="#never", state="detached")
    assert (await do(isolated, "wait", selector="text=Far")).found.startswith('button "Far"')


@pytest.mark.parametrize(
    ("moment_s", "timeout"),
    [(10.0, 1000), (LONG_MOMENT_S, 2500)],
    ids=["in the middle of a look", "after one"],
)
async def test_a_wait_in_vain_tells_what_it_saw_and_who_was_silent(
    isolated: ToolContext,
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
    moment_s: float,
    timeout: int,
):
    let_moment_last(monkeypatch, moment_s)
    _, frame = await hang(isolated, site)
    await value(isolated, "document.querySelector('button').hidden = true")
    error = await refused(isolated, "wait", selector="text=Near", state="visible", timeout=timeout)
    assert error.details["state"]["count"] == 1
    assert "Now: present but hidden" in error.hint
    assert error.details["silent"] == [frame.url]


@pytest.mark.parametrize(
    ("verb", "params"),
    [("get", {"what": "text"}), ("is", {"what": "visible"}), ("info", {})],
    ids=["get", "is", "info"],
)
@pytest.mark.usefixtures("patience")
async def test_what_cannot_be_read_may_be_in_the_frame_that_did_not_answer(
    isolated: ToolContext, site: Site, verb: str, params: dict[str, Any]
):
    _, frame = await hang(isolated, site)
    assert (await call(isolated, verb, {"selector": "text=Well", **params})).success
    for limit in ({}, {"timeout": 200}):
        error = await refused(isolated, verb, selector="#never", **params, **limit)
        assert error.code == "ELEMENT_NOT_FOUND"
        assert error.details["silent"] == [frame.url]


@pytest.mark.usefixtures("patience")
async def test_a_count_that_leaves_a_frame_out_is_not_told_as_the_whole(
    isolated: ToolContext, site: Site
):
    tab, frame = await hang(isolated, site)
    for limit in ({}, {"timeout": 1000}):
        error = await refused(isolated, "get", what="count", selector="button", **limit)
        assert error.code == "TIMEOUT"
        assert (error.details["counted"], error.details["silent"]) == (2, [frame.url])
        assert error.hint == "2 in the frames that answered."
    await wake(tab, frame)
    assert (await do(isolated, "get", what="count", selector="button")).value == 3


async def test_a_ref_of_a_frame_that_hangs_is_neither_found_nor_called_stale(
    isolated: ToolContext, site: Site
):
    tab, frame = await show(isolated, site)
    ref = re.search(r'"Far" (e\d+)', (await do(isolated, "snapshot")).content)
    assert ref is not None
    frame.post("Runtime.evaluate", {"expression": HANG})
    for verb, params in (
        ("click", {}),
        ("get", {"what": "text"}),
        ("wait", {"timeout": 500}),
        ("snapshot", {}),
        ("audit", {}),
        ("screenshot", {}),
    ):
        error = await refused(isolated, verb, selector=ref[1], **params)
        assert (error.code, error.details["silent"]) == ("TIMEOUT", [frame.url])
    await wake(tab, frame)
    assert (await do(isolated, "get", what="text", selector=ref[1])).value == "Far"


async def test_a_frame_that_hangs_is_not_asked_again_and_trusted_once_it_answers(
    isolated: ToolContext, site: Site, monkeypatch: pytest.MonkeyPatch
):
    tab, frame = await show(isolated, site)
    await do(isolated, "get", what="count", selector="button")
    frame.post("Runtime.evaluate", {"expression": HANG})
    await do(isolated, "click", selector="text=Well")
    asked: list[str] = []
    post = tab.frames.post

    def note(method: str, params: Any, session_id: str) -> Any:
        asked.append(session_id)
        return post(method, params, session_id)

    monkeypatch.setattr(tab.frames, "post", note)
    for _ in range(3):
        await do(isolated, "click", selector="text=Near")
        await do(isolated, "click", selector="text=Well")
        await do(isolated, "wait", text="Well")
    assert tab.frames.main.session_id in asked
    assert frame.session_id not in asked
    await wake(tab, frame)
    assert (await do(isolated, "click", selector="text=Far")).verdict == "effective"
    assert (await value(isolated, "got"))[-1] == 1


async def test_the_silence_of_a_frame_is_forgotten_with_it(isolated: ToolContext, site: Site):
    tab, frame = await hang(isolated, site)
    await refused(isolated, "click", selector="#never")
    assert tab.frames.silence.left_s(frame, MOMENT_S) == 0
    await value(isolated, "document.querySelector('iframe').remove()")
    assert (await do(isolated, "get", what="count", selector="button")).value == 2
    assert tab.frames.silence.left_s(frame, MOMENT_S) == MOMENT_S


async def test_what_is_in_a_frame_that_hangs_is_not_told_as_gone(isolated: ToolContext, site: Site):
    tab, frame = await show(isolated, site)
    await do(isolated, "snapshot")
    frame.post("Runtime.evaluate", {"expression": HANG})
    await value(isolated, "document.querySelector('button').textContent = 'Changed'")
    seen = (await do(isolated, "snapshot", diff=True)).content
    assert "no answer from 1 frame" in seen
    assert 'button "Changed"' in seen
    assert "Far" not in seen
    assert "- " not in seen
    await wake(tab, frame)
    assert '+ button "Far"' in (await do(isolated, "snapshot", diff=True)).content


async def test_an_element_inside_of_a_frame_that_hangs_has_no_place_but_can_be_used(
    isolated: ToolContext, site: Site
):
    well, hung = (f"http://{name}.localhost:{site.port}" for name in ("well", "hung"))
    site.page("/deep/in", "<button>Deep</button><input aria-label=Field>")
    site.page("/deep/around", f'<iframe src="{well}/deep/in"></iframe>')
    body = f'<button>Near</button><iframe src="{hung}/deep/around"></iframe>'
    await do(isolated, "navigate", url=site.page("/deep/top", body))
    await do(isolated, "wait", selector="text=Deep")
    shot = await do(isolated, "screenshot")
    tab = (await session_of(isolated)).current
    assert tab is not None
    frame = next(frame for frame in tab.frames if "hung.localhost" in frame.url)
    frame.post("Runtime.evaluate", {"expression": HANG})
    for verb, params, code in (
        ("click", {"selector": "text=Deep"}, "ELEMENT_NOT_ACTIONABLE"),
        ("click", {"selector": "text=Deep", "wait": True, "timeout": 1000}, "TIMEOUT"),
        ("drag", {"selector": "text=Near", "to": "text=Deep"}, "ELEMENT_NOT_ACTIONABLE"),
        ("screenshot", {"selector": "text=Deep"}, "ELEMENT_NOT_ACTIONABLE"),
        ("click", {"selector": f"{shot.id}@100,100"}, "NOT_DONE"),
    ):
        error = await refused(isolated, verb, **params)
        assert (error.code, error.details["silent"]) == (code, [frame.url])
        assert frame.url in error.message
    await do(isolated, "type", selector="label=Field", text="x", timeout=5000)
    assert (await do(isolated, "get", what="value", selector="label=Field")).value == "x"
