"""Dialogs never block a call: the outcome carries them, and a policy or the caller answers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from support.engine import do, make_settings, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager

ASK = """<button id=b onclick="window.got = confirm('Delete it?')">x</button>
<button id=p onclick="window.got = prompt('Name?', 'Ada')">y</button>
<button id=a onclick="alert('Hello'); window.got = 'on'">z</button>"""


async def test_the_outcome_of_an_act_carries_the_dialog_and_the_answer_goes_on(
    context: ToolContext, site: Site
):
    await do(context, "navigate", url=site.page("/dialog/ask", ASK))
    outcome = await call(context, "click", {"selector": "#b"})
    acted = outcome.unwrap()
    assert acted.verdict == "effective"
    assert acted.receipt["dialog"] == {
        "type": "confirm",
        "message": "Delete it?",
        "accepted": None,
    }
    assert [(a.verb, a.params["action"]) for a in outcome.next_actions] == [
        ("dialog", "accept"),
        ("dialog", "dismiss"),
    ]
    answered = await do(context, "dialog", action="accept")
    assert (answered.type, answered.accepted, answered.open) == ("confirm", True, False)
    assert await value(context, "got") is True


async def test_until_it_is_answered_other_calls_say_so_at_once(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/dialog/held", ASK))
    await do(context, "click", selector="#a")
    for verb, params in (
        ("evaluate", {"expression": "1"}),
        ("click", {"selector": "#b"}),
        ("screenshot", {}),
        ("navigate", {"url": site.page("/dialog/other", "other")}),
        ("wait", {"selector": "#b"}),
        ("get", {"what": "text", "selector": "#b"}),
    ):
        outcome = await call(context, verb, params)
        assert outcome.error is not None
        assert outcome.error.code == "DIALOG_OPEN"
        assert "'Hello'" in outcome.error.message
        assert outcome.next_actions[0].verb == "dialog"
    assert (await do(context, "dialog")).message == "Hello"
    await do(context, "dialog", action="accept")
    assert await value(context, "got") == "on"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"action": "accept", "text": "Grace"}, "Grace"),
        ({"action": "accept"}, "Ada"),
        ({"action": "accept", "text": ""}, ""),
        ({"action": "dismiss"}, None),
    ],
)
async def test_a_prompt_is_given_its_text(
    context: ToolContext, site: Site, given: dict[str, str], expected: str | None
):
    await do(context, "navigate", url=site.page("/dialog/prompt", ASK))
    acted = await do(context, "click", selector="#p")
    assert acted.receipt["dialog"]["default"] == "Ada"
    await do(context, "dialog", **given)
    assert await value(context, "got") == expected


async def test_other_tabs_go_on_meanwhile(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/dialog/first", ASK))
    await do(context, "click", selector="#b")
    await do(context, "tabs", action="new", url=site.page("/dialog/second", ASK))
    assert (await do(context, "click", selector="#a")).verdict == "effective"
    await do(context, "dialog", action="accept")
    assert await value(context, "got") == "on"
    await do(context, "tabs", action="select", tab="t1")
    assert (await do(context, "dialog", action="dismiss")).message == "Delete it?"
    assert await value(context, "got") is False


async def test_a_dialog_that_a_script_or_a_load_opens_is_told_as_well(
    context: ToolContext, site: Site
):
    outcome = await call(context, "evaluate", {"expression": "alert('from a script')"})
    assert outcome.error is not None
    assert outcome.error.code == "DIALOG_OPEN"
    await do(context, "dialog", action="accept")
    url = site.page("/dialog/load", "<h1>Hi</h1><script>window.a = confirm('Load?')</script>after")
    outcome = await call(context, "navigate", {"url": url})
    assert outcome.error is not None
    assert outcome.error.details["dialog"]["message"] == "Load?"
    await do(context, "dialog", action="accept")
    assert (await do(context, "wait", text="after")).found
    assert await value(context, "a") is True


async def test_a_page_is_whole_after_a_dialog_that_came_while_it_was_made_ready(
    context: ToolContext, site: Site
):
    url = site.page("/dialog/early", "<script>alert('Early')</script><button id=b>x</button>")
    # Whether our own preparations are done when the dialog opens differs from time to time.
    for _ in range(12):
        assert not (await call(context, "navigate", {"url": url})).success
        await do(context, "dialog", action="accept")
        await do(context, "wait", selector="#b")
        assert (await do(context, "get", what="text", selector="#b")).value == "x"


@pytest.mark.parametrize(("policy", "answer"), [("accept", True), ("dismiss", False)])
async def test_a_policy_answers_at_once_and_the_receipt_says_so(
    context: ToolContext, site: Site, policy: str, answer: bool
):
    await do(context, "navigate", url=site.page("/dialog/policy", ASK))
    await do(context, "dialog", policy=policy)
    acted = await do(context, "click", selector="#b")
    assert acted.receipt["dialog"]["accepted"] is answer
    assert await value(context, "got") is answer
    outcome = await call(context, "evaluate", {"expression": "alert('A'); confirm('B')"})
    assert outcome.unwrap().value is answer
    assert any("'B'" in notice for notice in outcome.notices)


async def test_leaving_a_page_that_objects_asks_too(context: ToolContext, site: Site):
    first = site.page(
        "/dialog/leave",
        "<input id=i><script>onbeforeunload = (e) => { e.preventDefault(); }</script>",
    )
    await do(context, "navigate", url=first)
    await do(context, "type", selector="#i", text="unsaved")
    second = site.page("/dialog/away", "away", title="Away")
    outcome = await call(context, "navigate", {"url": second})
    assert outcome.error is not None
    assert outcome.error.details["dialog"]["type"] == "beforeunload"
    await do(context, "dialog", action="dismiss")
    assert await value(context, "document.querySelector('#i').value") == "unsaved"
    assert (await call(context, "navigate", {"url": second})).error is not None
    await do(context, "dialog", action="accept")
    await do(context, "wait", url="**/dialog/away")
    assert await value(context, "document.title") == "Away"


async def test_answering_when_nothing_is_open_changes_nothing(context: ToolContext):
    outcome = await call(context, "dialog", {"action": "accept"})
    assert outcome.error is not None
    assert outcome.error.code == "VALIDATION_ERROR"
    assert (await do(context, "dialog")).open is False


@pytest.fixture
async def impatient(tmp_path: Path) -> AsyncIterator[ToolContext]:
    settings = make_settings(tmp_path, **{"browser.dialogTimeout": 200})
    own = BrowserManager(settings, execute=call)
    yield own.context("impatient", working_dir=tmp_path)
    await own.stop()


async def test_a_dialog_that_nobody_answers_is_dismissed_after_its_time(
    impatient: ToolContext, site: Site
):
    await do(impatient, "navigate", url=site.page("/dialog/alone", ASK))
    await do(impatient, "click", selector="#b")
    await do(impatient, "tabs", action="new")
    await do(impatient, "wait", time=400)
    outcome = await call(impatient, "tabs", {"action": "select", "tab": "t1"})
    assert outcome.success
    assert await value(impatient, "got") is False


async def test_the_journal_has_what_a_dialog_said_without_secrets_and_not_for_ever(
    context: ToolContext, site: Site
):
    body = """<script>alert("Your password: hunter2")
    alert("x".repeat(980) + " Bearer abcdefgh12345")
    alert("y".repeat(5000)); confirm("Sure?")</script>"""
    await do(context, "dialog", policy="accept")
    heard: list[dict[str, object]] = []
    stop = context.journal.listen(heard.append)
    await do(context, "navigate", url=site.page("/dialog/journal", body))
    stop()
    told = [(one["type"], one["message"]) for one in heard if one["event"] == "dialog"]
    assert told == [
        ("alert", "Your password: [redacted]"),
        ("alert", "x" * 980 + " Bearer [redacted]"),
        ("alert", "y" * 1000),
        ("confirm", "Sure?"),
    ]
