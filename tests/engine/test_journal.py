"""What happened is written down: calls, errors, connections, counts; secrets are not."""

from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.engine import do, make_settings
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager
from tabwright.engine.metrics import Metrics

relaxed = settings(max_examples=100)
CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("evaluate", {"expression": "1 + 1"}, "success"),
    ("evaluate", {"expression": "throw new Error('no')"}, "SCRIPT_ERROR"),
    ("evaluate", {"expression": ""}, "VALIDATION_ERROR"),
    ("tabs", {}, "success"),
    ("tabs", {"action": "select", "tab": "t99"}, "VALIDATION_ERROR"),
    ("screenshot", {"selector": "#["}, "INVALID_SELECTOR"),
    ("screenshot", {"selector": "#none"}, "ELEMENT_NOT_FOUND"),
    ("screenshot", {"path": "../../../../../../etc/x.png"}, "PERMISSION_DENIED"),
    ("resize", {"width": 300, "height": 200}, "success"),
    ("fly", {}, "VALIDATION_ERROR"),
]


def is_time(text: str) -> bool:
    return datetime.fromisoformat(text).tzinfo is not None


# Feature: browser-automation, Property 35: Error logging completeness
@pytest.mark.proves("S3-P35")
@relaxed
@given(chosen=st.sampled_from([item for item in CALLS if item[2] != "success"]))
async def test_every_error_is_logged_with_its_code_and_stack(
    context: ToolContext, chosen: tuple[str, dict[str, Any], str]
):
    context.journal.entries.clear()
    verb, params, code = chosen
    outcome = await call(context, verb, params)
    logged = [entry for entry in context.journal.entries if entry["event"] == "error"]
    assert len(logged) == 1
    entry = logged[0]
    assert is_time(entry["timestamp"])
    assert (entry["level"], entry["code"], entry["message"]) == (
        "error",
        code,
        str(outcome.error.message),
    )
    assert entry["stack"].startswith("Traceback")
    assert "line " in entry["stack"]


@pytest.mark.proves("S3-P35")
async def test_a_defect_of_ours_is_logged_with_its_own_stack(
    context: ToolContext, monkeypatch: pytest.MonkeyPatch
):
    async def broken(*args: Any, **options: Any) -> None:
        raise KeyError("a defect")

    monkeypatch.setattr("tabwright.engine.script.evaluate", broken)
    outcome = await call(context, "evaluate", {"expression": "1"})
    assert outcome.error.code == "UNKNOWN_ERROR"
    entry = next(entry for entry in reversed(context.journal.entries) if entry["event"] == "error")
    assert (entry["code"], entry["message"]) == ("UNKNOWN_ERROR", "KeyError: 'a defect'")
    assert "in broken" in entry["stack"]


# Feature: browser-automation, Property 40: Action logging completeness
@pytest.mark.proves("S3-P40")
@relaxed
@given(chosen=st.sampled_from(CALLS))
async def test_every_call_is_logged_with_what_came_of_it(
    context: ToolContext, chosen: tuple[str, dict[str, Any], str]
):
    context.journal.entries.clear()
    verb, params, status = chosen
    outcome = await call(context, verb, params)
    logged = [entry for entry in context.journal.entries if entry["event"] == "action"]
    assert len(logged) == 1
    entry = logged[0]
    assert is_time(entry["timestamp"])
    assert (entry["action"], entry["parameters"], entry["status"]) == (verb, params, status)
    assert entry["executionTime"] == round(outcome.execution_time, 1)


@pytest.mark.proves("S3-P40")
async def test_secrets_are_masked_in_the_log(
    context: ToolContext, caplog: pytest.LogCaptureFixture
):
    secret = "hunter2hunter2"
    url = f"http://user:{secret}@no-such-host.invalid/?token={secret}"
    await call(context, "navigate", {"url": url})
    await call(context, "evaluate", {"expression": f"const password = '{secret}'; 1"})
    await call(context, "evaluate", {"expression": "(a) => 1", "args": [{"password": secret}]})
    await call(context, "navigate", {"url": f"javascript:password='{secret}'", "secret": secret})
    assert len([e for e in context.journal.entries if e["event"] == "action"]) >= 4
    assert secret not in json.dumps(list(context.journal.entries), default=str)
    assert secret not in caplog.text


# Feature: browser-automation, Property 42: Performance metrics availability
@pytest.mark.proves("S3-P42")
@relaxed
@given(
    calls=st.lists(
        st.tuples(st.sampled_from(["navigate", "click"]), st.floats(0, 1e5), st.booleans())
    )
)
def test_counts_add_up(calls: list[tuple[str, float, bool]]):
    metrics = Metrics()
    for verb, duration_ms, failed in calls:
        metrics.count(verb, duration_ms, failed=failed)
    seen = metrics.as_dict()
    errors = sum(failed for *_, failed in calls)
    assert (seen["total"], seen["errors"]) == (len(calls), errors)
    if calls:
        average = sum(duration for _, duration, _ in calls) / len(calls)
        assert seen["averageTime"] == pytest.approx(average, abs=0.001)
        assert seen["errorRate"] == pytest.approx(errors / len(calls), abs=0.0001)
    assert sum(each["total"] for each in seen["verbs"].values()) == len(calls)
    assert prometheus_total(metrics.prometheus()) == len(calls)


def prometheus_total(text: str) -> int:
    """Read Prometheus' text format strictly; returns the sum of all calls."""
    sample = re.compile(r'^([a-z_]+)\{([a-z]+="[^"\\\n]*"(?:,[a-z]+="[^"\\\n]*")*)\} (\S+)$')
    assert text.endswith("\n")
    typed: set[str] = set()
    total = 0
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            typed.add(line.split()[2])
        elif not line.startswith("# HELP "):
            found = sample.match(line)
            assert found, line
            assert found[1] in typed
            total += int(float(found[3])) if found[1] == "tabwright_calls_total" else 0
    return total


@pytest.mark.proves("S3-P42")
async def test_calls_are_counted_with_their_errors_and_times(tmp_path: Path):
    manager = BrowserManager(make_settings(tmp_path))
    context = manager.context()
    times = [(await call(context, "resize", {"width": n})).execution_time for n in range(7)]
    seen = manager.journal.metrics.as_dict()
    assert (seen["total"], seen["errors"], seen["errorRate"]) == (7, 7, 1.0)
    assert seen["averageTime"] == pytest.approx(sum(times) / 7, abs=0.001)
    assert seen["verbs"]["resize"]["total"] == 7
    assert prometheus_total(manager.journal.metrics.prometheus()) == 7


async def test_lines_go_to_the_file_as_json_and_to_listeners(tmp_path: Path):
    file = tmp_path / "logs/tabwright.log"
    journal = BrowserManager(make_settings(tmp_path, **{"logging.file": str(file)})).journal
    heard: list[dict[str, Any]] = []
    stop = journal.listen(heard.append)
    journal.event("connect", {"browser": "é\ud800"})
    stop()
    journal.event("disconnect", {})
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [line["event"] for line in lines] == ["connect", "disconnect"]
    assert [entry["event"] for entry in heard] == ["connect"]


@pytest.mark.parametrize(
    ("level", "events"),
    [("debug", ["connect", "crash"]), ("warning", ["crash"]), ("error", [])],
)
def test_only_what_is_severe_enough_is_written(tmp_path: Path, level: str, events: list[str]):
    journal = BrowserManager(make_settings(tmp_path, **{"logging.level": level})).journal
    journal.event("connect", {})
    journal.event("crash", {})
    assert [entry["event"] for entry in journal.entries] == events


async def test_calls_and_errors_can_be_left_out_of_the_log_but_not_out_of_the_counts(
    tmp_path: Path,
):
    off = {"logging.logActions": False, "logging.logErrors": False}
    manager = BrowserManager(make_settings(tmp_path, **off))
    await call(manager.context(), "resize", {})
    assert list(manager.journal.entries) == []
    assert manager.journal.metrics.as_dict()["total"] == 1


async def test_a_connection_is_logged_with_what_the_browser_is(own_manager: BrowserManager):
    await do(own_manager.context(), "tabs")
    entry = next(entry for entry in own_manager.journal.entries if entry["event"] == "connect")
    assert is_time(entry["timestamp"])
    assert "Chrome/" in entry["browser"]
    assert (entry["protocol"], entry["profile"]) == ("1.3", "isolated")
    assert entry["pid"] == own_manager.get_active_browser().process.pid
