"""Several commands in one."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from support.commands import shell, steps
from support.machine import Machine
from tabwright.faces.cli.answer import answer
from tabwright.faces.cli.terminal import Terminal
from tabwright.faces.cli.verb_command import VerbCall
from tabwright.faces.cli.visit import Visit
from tabwright.outcome import Outcome

if TYPE_CHECKING:
    from tabwright.faces.cli.server import Server


def test_a_batch_comes_as_arguments_lines_or_json(machine: Machine):
    out, _ = machine.run("batch", "eval 'window.n = 1'", "eval 'n + 1'")
    assert out == "1. 1\n2. 2\n"
    lines = steps(machine, "# a note\neval n\n\neval 'n + 2'\n")
    assert [each["result"]["value"] for each in lines["steps"]] == [1, 3]
    words = [["eval", "n"], "eval 5", {"action": "evaluate", "params": {"expression": "n + 6"}}]
    data = steps(machine, json.dumps(words))
    assert [each["result"]["value"] for each in data["steps"]] == [1, 5, 7]


def test_a_batch_stops_where_it_fails_unless_it_is_told_to_go_on(machine: Machine):
    machine.run("eval", "1")
    given = ("eval 1", "click #none --timeout 50", "eval 3")
    out, err = machine.run("batch", *given, code=1)
    assert out == "1. 1\n"
    assert err.startswith("2. Error: ")
    assert err.endswith("1 not done.\n")
    out, err = machine.run("batch", "--no-bail", *given, code=1)
    assert out == "1. 1\n3. 3\n"
    failed = steps(machine, "\n".join(given), code=1)
    assert (failed["success"], len(failed["steps"]), failed["notDone"]) == (False, 2, 1)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("fly away", "There is no command 'fly'"),
        ("resize a b", "'a' is not a valid integer"),
        ("screenshot --quality 5", "`quality` goes with type 'jpeg' only"),
        ("config set browser.headless false", "does not run in the server"),
        ("status", "not something to be done to a page"),
        ("eval 'a", "No closing quotation"),
        ('[{"action": "fly"}]', "An object must have `action`"),
        ("[7]", "neither a line nor a list of words"),
        ("[", "begin as JSON, but are none"),
        ("", "1 to 1000 steps, not 0"),
    ],
)
def test_a_wrong_step_is_refused_before_anything_is_done(machine: Machine, wrong: str, says: str):
    given = wrong if wrong.startswith("[") or not wrong else f"eval 'window.did = 1'\n{wrong}"
    refused = steps(machine, given, code=2)
    assert says in refused["error"]["message"]
    assert machine.json("status")["sessions"] == []


def test_after_an_interrupt_no_further_step_is_done(machine: Machine):
    machine.run("eval", "window.n = 0")
    hang = "eval 'new Promise(() => 0)'"
    shell(machine, f'timeout -s INT 1 tabwright batch --no-bail "{hang}" "eval window.n=5"')
    assert machine.run("eval", "window.n")[0] == "0\n"


async def test_a_batch_that_is_cut_between_two_steps_is_not_done(monkeypatch: pytest.MonkeyPatch):
    terminal = Terminal(io.StringIO(), io.StringIO())
    visit = Visit(Path.cwd(), {}, terminal, cast("Server", None), cast("Any", None))

    async def last(call: VerbCall, visit: Visit) -> Outcome:
        visit.gone.set()
        return Outcome(call.verb.name)

    # A step that ends just as the server is told to: no real one can be timed so.
    monkeypatch.setattr(VerbCall, "outcome", last)
    assert await answer(["batch", "--json", "reload", "eval 2"], visit) == 3
    told = json.loads(cast("io.StringIO", terminal.out).getvalue())
    assert (told["success"], len(told["steps"]), told["notDone"]) == (False, 1, 1)
