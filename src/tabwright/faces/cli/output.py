"""What a command prints: results on standard output, errors on standard error."""

from __future__ import annotations

import json
import logging
import re
from typing import TYPE_CHECKING, Any

from tabwright.errors import TabwrightError
from tabwright.faces.cli.terminal import terminal

if TYPE_CHECKING:
    from tabwright.config import Settings
    from tabwright.outcome import NextAction, Outcome

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def print_outcome(outcome: Outcome, *, as_json: bool) -> int:
    """Print what came of a call; returns the exit code."""
    if as_json:
        print_json(outcome.as_dict())
    elif outcome.error is None:
        print_text(outcome.text())
    else:
        print_text("\n".join(outcome.notices), err=True)
        _print_refusal(outcome.error, _example_line(outcome))
        print_text("\n".join(map(_next_line, outcome.next_actions)), err=True)
    return outcome.error.exit_code if outcome.error else 0


def print_error(error: TabwrightError, *, as_json: bool) -> None:
    """Print an error that came before there was a call."""
    if not as_json:
        _print_refusal(error)
        return
    from tabwright.outcome import Outcome

    print_json(Outcome(action=error.context.get("action", ""), error=error).as_dict())


def print_json(value: object) -> None:
    """Print JSON: readable on a terminal, one line elsewhere."""
    stream = terminal().out
    indent = 2 if stream.isatty() else None
    print(json.dumps(value, ensure_ascii=False, indent=indent), file=stream)


def print_text(text: str, *, err: bool = False, end: str = "\n") -> None:
    """Print text, unless there is none. A page's words cannot move the cursor of a terminal."""
    if text:
        print(plain(text), file=terminal().err if err else terminal().out, end=end)


def plain(text: str) -> str:
    """Text without what moves the cursor of a terminal."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def log_to_stderr(settings: Settings) -> None:
    """Show the log to somebody who asked for it by setting its level."""
    if settings.origin("logging.level") == "default":
        return
    log = logging.getLogger("tabwright")
    log.setLevel(settings.logging.level.upper())
    log.addHandler(logging.StreamHandler())


def _print_refusal(error: TabwrightError, example: str = "") -> None:
    print_text(f"Error: {error.message.strip()}", err=True)
    hint = example or error.hint
    if hint:
        print_text(f"Hint: {hint}", err=True)


def _example_line(outcome: Outcome) -> str:
    """The example of a refused call as a person types it, not as JSON has it."""
    params: dict[str, Any] | None = outcome.error.details.get("example") if outcome.error else None
    return f"Example: `{_typed_call(outcome.action, params)}`." if params else ""


def _next_line(step: NextAction) -> str:
    return f"Next: `{_typed_call(step.verb, step.params)}` {step.why}."


def _typed_call(verb: str, params: dict[str, Any]) -> str:
    from tabwright.argv.parameter import command_line
    from tabwright.verbs import VERBS

    return command_line(VERBS[verb], params)
