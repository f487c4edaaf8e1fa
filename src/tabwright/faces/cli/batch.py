"""`tabwright batch`: several commands in one, for those who know what comes next."""

from __future__ import annotations

import json
import shlex
from typing import Any, cast

import click

from tabwright.errors import BrowserError, InputError, TabwrightError
from tabwright.faces.cli.output import print_json, print_outcome, print_text
from tabwright.faces.cli.shared import Shared, shared, shared_options
from tabwright.faces.cli.verb_command import VerbCall
from tabwright.faces.cli.visit import Visit, Work
from tabwright.outcome import Outcome
from tabwright.verbs import VERBS

MOST_STEPS = 1000
LARGEST_INPUT = 16 * 2**20


@click.command("batch", params=shared_options())
@click.argument("steps", nargs=-1, metavar="[STEP]...")
@click.option("--bail/--no-bail", default=True, help="Stop at the first one that fails.")
def command(steps: tuple[str, ...], bail: bool) -> Work:
    """Run several commands, one after the other, in one session.

    A step is a command line without `tabwright`, in quotes. Without steps they are read from
    standard input: a line each, or one JSON list of lines, of lists of words, or of objects with
    `action` and `params`. They are all read before the first one is done, so that a wrong one
    changes nothing. The exit code is that of the first one that failed.

    Example: tabwright batch 'open example.org' 'click text=More' snapshot
    """
    said = shared()

    async def work(visit: Visit) -> int:
        given: list[Any] = list(steps) or _split(await _piped(visit))
        if not 0 < len(given) <= MOST_STEPS:
            raise InputError(
                f"A batch has 1 to {MOST_STEPS} steps, not {len(given)}.",
                hint="Example: `tabwright batch 'open example.org' snapshot`.",
            )
        calls = [_read(number, step, said) for number, step in enumerate(given, 1)]
        return await _run(calls, visit, said, bail=bail)

    return work


async def _run(calls: list[VerbCall], visit: Visit, said: Shared, *, bail: bool) -> int:
    made: list[Outcome] = []
    code = 0
    for number, one in enumerate(calls, 1):
        if visit.gone.is_set():
            break
        outcome = await one.outcome(visit)
        made.append(outcome)
        if not said.json:
            print_text(f"{number}. ", end="", err=not outcome.success)
            print_outcome(outcome, as_json=False)
        code = code or (outcome.error.exit_code if outcome.error else 0)
        if bail and code:
            break
    left = len(calls) - len(made)
    if left and not code:
        code = BrowserError.exit_code
    if said.json:
        steps = [outcome.as_dict() for outcome in made]
        print_json({"success": not code, "steps": steps, "notDone": left})
    elif left:
        print_text(f"{left} not done.", err=True)
    return code


async def _piped(visit: Visit) -> str:
    parts: list[bytes] = []
    async for part in visit.input():
        parts.append(part)
        if sum(map(len, parts)) > LARGEST_INPUT:
            raise InputError(f"A batch has at most {LARGEST_INPUT // 2**20} MiB.")
    return b"".join(parts).decode("utf-8", "replace")


def _split(text: str) -> list[Any]:
    """The steps in what was piped."""
    if text.lstrip().startswith("["):
        try:
            steps = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InputError(f"The steps begin as JSON, but are none: {error}.") from None
        return cast("list[Any]", steps)
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _read(number: int, step: Any, said: Shared) -> VerbCall:
    """What a step asks for; wrong input is refused here, before anything is done."""
    from tabwright.faces.cli.answer import read
    from tabwright.faces.cli.failure import error_of

    try:
        if isinstance(step, dict):
            call = _named(cast("dict[str, Any]", step), said)
        else:
            wanted = read(_words(step))
            if not isinstance(wanted, VerbCall):
                raise InputError("It is not something to be done to a page.")
            # What is said for the batch holds for every step that says nothing else.
            call = VerbCall(wanted.verb, wanted.given, wanted.at, wanted.said.within(said))
        call.verb.read(call.given)
    except (click.ClickException, TabwrightError) as wrong:
        error = error_of(wrong)
        raise InputError(
            f"Step {number}, {_shown(step)}: {error.message}", hint=error.hint
        ) from None
    return call


def _named(step: dict[str, Any], said: Shared) -> VerbCall:
    name, params = step.get("action"), step.get("params", {})
    verb = VERBS.get(name) if isinstance(name, str) else None
    if verb is None or not isinstance(params, dict) or step.keys() - {"action", "params"}:
        raise InputError(
            "An object must have `action`, the name of a verb, and may have `params`.",
            hint='For example {"action": "click", "params": {"selector": "text=More"}}.',
        )
    return VerbCall(verb, cast("dict[str, Any]", params), None, said)


def _words(step: Any) -> list[str]:
    if isinstance(step, str):
        try:
            return shlex.split(step)
        except ValueError as error:
            raise InputError(f"{error}.", hint="Close what you quote.") from None
    words: list[Any] = cast("list[Any]", step) if isinstance(step, list) else [None]
    if not all(isinstance(word, str) for word in words):
        raise InputError("It is neither a line nor a list of words.")
    return words


def _shown(step: Any) -> str:
    return repr(step if isinstance(step, str) else json.dumps(step))[:100]
