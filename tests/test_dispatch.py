"""The one door: what every call has, whatever it does."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from support.engine import do, make_settings, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager
from tabwright.verbs import VERBS


async def test_an_outcome_tells_what_was_done_and_when(context: ToolContext):
    body = (await call(context, "evaluate", {"expression": "({a: 1})"})).as_dict()
    assert body["success"] is True
    assert body["action"] == "evaluate"
    assert body["result"]["value"] == {"a": 1}
    assert body["executionTime"] > 0
    assert body["timestamp"].endswith("Z")
    assert "error" not in body


@pytest.mark.proves("U-05")
def test_parameters_are_camel_case_on_the_wire_and_snake_case_in_python():
    for verb in VERBS.values():
        for name, field in verb.params.model_fields.items():
            head, *rest = name.split("_")
            wire = head + "".join(part.capitalize() for part in rest)
            assert field.alias == ("await" if name == "await_promise" else wire)
            assert name == name.lower()


@pytest.mark.proves("U-05")
@pytest.mark.parametrize(
    ("verb", "wire", "python"),
    [
        ("screenshot", {"fullPage": True}, {"full_page": True}),
        ("navigate", {"url": "about:blank", "waitUntil": "load"}, {"wait_until": "load"}),
        ("evaluate", {"expression": "1", "await": False}, {"await_promise": False}),
        ("pdf", {"printBackground": True}, {"print_background": True}),
    ],
)
def test_both_spellings_mean_the_same(verb: str, wire: dict[str, Any], python: dict[str, Any]):
    read = VERBS[verb].read
    shared = {key: given for key, given in wire.items() if key in ("url", "expression")}
    assert read(wire) == read({**shared, **python})


@pytest.mark.proves("U-05")
async def test_results_are_camel_case_on_the_wire(context: ToolContext):
    body = (await call(context, "screenshot", {})).as_dict()
    assert {"id", "path", "mimeType", "sizeBytes", "width", "height", "data"} <= set(body["result"])
    assert not any("_" in name for name in body["result"])


@pytest.mark.parametrize("given", [300, 300.0, "300ms", "0.3s", "300000us"])
async def test_a_time_limit_is_milliseconds_or_a_duration(context: ToolContext, given: float | str):
    outcome = await call(
        context, "evaluate", {"expression": "await new Promise(() => {})", "timeout": given}
    )
    assert outcome.error is not None
    assert (outcome.error.code, outcome.error.details["waitedMs"]) == ("TIMEOUT", 300)


async def test_an_unknown_verb_is_refused_with_those_there_are(context: ToolContext):
    outcome = await call(context, "fly", {})
    assert outcome.error is not None
    assert outcome.error.code == "VALIDATION_ERROR"
    assert all(name in str(outcome.error) for name in VERBS)


async def test_a_browser_that_is_switched_off_is_not_started(tmp_path: Path):
    settings = make_settings(tmp_path, **{"tools.browser.enabled": False})
    manager = BrowserManager(settings)
    outcome = await call(manager.context(), "tabs", {})
    assert outcome.error is not None
    assert outcome.error.code == "PERMISSION_DENIED"
    assert "tools.browser.enabled" in str(outcome.error)
    assert manager.sessions() == []


async def test_a_call_that_its_caller_gives_up_ends_and_the_next_one_works(
    manager: BrowserManager, context: ToolContext, site: Site
):
    asked = threading.Event()
    url = site.route("/given-up/asked", lambda request: asked.set())
    await do(context, "navigate", url=site.page("/given-up", "patience"))
    cancel = asyncio.Event()
    impatient = manager.context(context.conversation_id, cancel=cancel)
    source = f"fetch({url!r}); await new Promise(() => {{}})"
    running = asyncio.create_task(call(impatient, "evaluate", {"expression": source}))
    await asyncio.to_thread(asked.wait, 30)
    cancel.set()
    outcome = await running
    assert outcome.error is not None
    assert outcome.error.code == "CANCELLED"
    assert await value(context, "1 + 1") == 2


async def test_calls_of_one_conversation_take_turns(context: ToolContext):
    await do(context, "evaluate", expression="window.log = []; 0")
    step = "(n) => new Promise(done => { log.push(n); setTimeout(() => { log.push(n); done() }) })"
    await asyncio.gather(
        *(call(context, "evaluate", {"expression": step, "args": [n]}) for n in range(5))
    )
    log = await value(context, "log")
    assert log == [n for n in log[::2] for _ in range(2)]
    assert sorted(log[::2]) == [0, 1, 2, 3, 4]


async def test_conversations_do_not_wait_for_each_other(
    manager: BrowserManager, context: ToolContext, site: Site
):
    gate = threading.Event()
    slow = asyncio.create_task(
        call(context, "navigate", {"url": site.silent("/turn", gate), "timeout": 20_000})
    )
    other = manager.context(f"{context.conversation_id}-other")
    try:
        assert await value(other, "1 + 1") == 2
        assert not slow.done()
    finally:
        gate.set()
        await slow
        await manager.close_session(other.conversation_id)


async def test_a_defect_becomes_an_answer_and_not_a_crash(
    context: ToolContext, monkeypatch: pytest.MonkeyPatch
):
    async def broken(*args: Any, **options: Any) -> None:
        raise ZeroDivisionError("secret internals")

    monkeypatch.setattr("tabwright.engine.script.evaluate", broken)
    outcome = await call(context, "evaluate", {"expression": "1"})
    assert outcome.error is not None
    assert outcome.error.code == "UNKNOWN_ERROR"
    assert "secret internals" not in outcome.text()
    monkeypatch.undo()
    assert await value(context, "1 + 1") == 2


async def test_secrets_are_masked_in_what_an_error_says(context: ToolContext):
    url = "http://user:hunter2hunter2@no-such-host.invalid/?token=hunter2hunter2"
    outcome = await call(context, "navigate", {"url": url})
    assert outcome.error is not None
    assert "hunter2hunter2" not in str(outcome.as_dict())
    assert "hunter2hunter2" not in outcome.text()


async def test_files_that_a_call_made_are_named_in_its_outcome(context: ToolContext):
    outcome = await call(context, "screenshot", {})
    [artifact] = outcome.as_dict()["artifacts"]
    assert artifact["mimeType"] == "image/png"
    assert Path(artifact["path"]).stat().st_size == artifact["sizeBytes"]
