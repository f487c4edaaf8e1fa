"""Every error has a code, a class, a next step and one shape."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import threading
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from support.engine import do
from support.site import Site
from tabwright import errors
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager
from tabwright.errors import TabwrightError

CLASSES = {"connection", "action", "validation", "security", "configuration", "state"}
KNOWN_CODES = {
    *("ELEMENT_NOT_FOUND", "TIMEOUT", "NAVIGATION_FAILED", "BROWSER_DISCONNECTED"),
    *("INVALID_SELECTOR", "SCRIPT_ERROR", "NETWORK_ERROR", "PERMISSION_DENIED", "UNKNOWN_ERROR"),
    *("VALIDATION_ERROR", "CONFIG_ERROR", "STATE_INVALID", "TARGET_CLOSED", "BROWSER_UNAVAILABLE"),
    *("CANCELLED", "ELEMENT_NOT_VISIBLE", "ELEMENT_NOT_ACTIONABLE", "MISDIRECTED", "NOT_DONE"),
    "DIALOG_OPEN",
}


def all_errors(kind: type[TabwrightError] = TabwrightError) -> Iterator[type[TabwrightError]]:
    for child in kind.__subclasses__():
        if child.__module__ == errors.__name__:
            yield child
        yield from all_errors(child)


def example_of(kind: type[TabwrightError]) -> TabwrightError:
    arguments: dict[type[TabwrightError], tuple[Any, ...]] = {
        errors.ConnectFailed: ("ws://127.0.0.1:1", "refused"),
        errors.ElementNotVisible: ("#x", "it has no area"),
        errors.InvalidSelector: ("#[", "it ends too soon"),
        errors.StaleRef: ("e1", "it was taken off the page"),
        errors.ElementBlocked: ("button e1", "covered", "covered by a dialog"),
        errors.DialogOpen: ("t1", "confirm", "Sure?"),
        errors.TimedOut: ("Waiting", 300.0),
    }
    return kind(*arguments.get(kind, ("It failed.",)))


@pytest.mark.parametrize(
    ("verb", "params", "code", "kind"),
    [
        ("screenshot", {"selector": "#none"}, "ELEMENT_NOT_FOUND", "action"),
        ("screenshot", {"selector": "#["}, "INVALID_SELECTOR", "action"),
        (
            "evaluate",
            {"expression": "await new Promise(() => {})", "timeout": 100},
            "TIMEOUT",
            "action",
        ),
        ("evaluate", {"expression": "throw 1"}, "SCRIPT_ERROR", "action"),
        ("navigate", {"url": "http://no-such-host.invalid/"}, "NETWORK_ERROR", "action"),
        (
            "screenshot",
            {"path": "../../../../../../../../etc/x.png"},
            "PERMISSION_DENIED",
            "security",
        ),
        ("resize", {"width": 0, "height": 0}, "VALIDATION_ERROR", "validation"),
    ],
)
async def test_each_cause_has_its_code_and_class(
    context: ToolContext, verb: str, params: dict[str, Any], code: str, kind: str
):
    error = (await call(context, verb, params)).as_dict()["error"]
    assert (error["code"], error["details"]["class"]) == (code, kind)


async def test_an_error_page_is_a_failed_navigation(context: ToolContext, site: Site):
    url = site.page("/errors/gone", "gone", status=410)
    error = (await call(context, "navigate", {"url": url})).as_dict()["error"]
    assert (error["code"], error["details"]["status"]) == ("NAVIGATION_FAILED", 410)


async def test_a_browser_that_dies_during_a_call_is_a_lost_connection(
    own_manager: BrowserManager, site: Site
):
    asked = threading.Event()
    url = site.route("/errors/asked", lambda request: asked.set())
    context = own_manager.context()
    await do(context, "navigate", url=site.page("/errors/dies", "dies"))
    source = f"fetch({url!r}); await new Promise(() => {{}})"
    running = asyncio.create_task(call(context, "evaluate", {"expression": source}))
    await asyncio.to_thread(asked.wait, 30)
    os.killpg(own_manager.get_active_browser().process.pid, signal.SIGKILL)
    error = (await running).as_dict()["error"]
    assert (error["code"], error["details"]["class"]) == ("BROWSER_DISCONNECTED", "connection")


@pytest.mark.proves("S3-ERR-02")
def test_every_error_belongs_to_one_of_six_classes():
    seen = {example_of(kind).as_dict()["details"]["class"] for kind in all_errors()}
    assert seen == CLASSES


def test_every_error_has_a_code_that_is_listed():
    assert {kind.code for kind in all_errors()} == KNOWN_CODES


def test_every_class_of_error_answers_with_a_status_and_an_exit_code():
    for kind in all_errors():
        assert 400 <= kind.status <= 599
        assert kind.exit_code >= 1
        assert kind.advice in ("retry", "adapt", "stop")


@pytest.mark.proves("U-18")
async def test_a_failure_has_one_shape(context: ToolContext, site: Site):
    url = site.page("/shape", "<p>x</p>")
    await do(context, "navigate", url=url)
    body = (await call(context, "screenshot", {"selector": "#none"})).as_dict()
    assert body["success"] is False
    assert "result" not in body
    error = body["error"]
    assert set(error) == {"code", "message", "details", "timestamp", "context"}
    assert error["message"] == "No element matches '#none'."
    assert datetime.fromisoformat(error["timestamp"]).tzinfo is not None
    assert error["context"] == {"action": "screenshot", "selector": "#none", "url": url}
    assert json.loads(json.dumps(body)) == body


@pytest.mark.proves("S3-ACT-03")
async def test_an_error_keeps_its_stack_in_the_log(context: ToolContext):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}/"
    outcome = await call(context, "navigate", {"url": url})
    body = outcome.as_dict()
    assert {"code", "message", "details"} <= set(body["error"])
    assert body["executionTime"] > 0
    assert "Traceback" not in json.dumps(body)
    assert "stack" not in body["error"]
    logged = [entry for entry in context.journal.entries if entry["event"] == "error"]
    assert "Traceback" in logged[-1]["stack"]


def test_an_error_says_what_to_do_next():
    error = errors.TimedOut("Opening 'x'", 300)
    assert str(error) == (
        "Opening 'x' was not done within 300 ms. "
        "Raise `timeout`, or look at what the page is waiting for."
    )


def test_what_is_known_of_the_call_is_not_overwritten():
    error = errors.InputError("It failed.").about(action="a", url=None).about(action="b", url="u")
    assert error.context == {"action": "a", "url": "u"}
