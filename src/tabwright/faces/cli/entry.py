"""Where the command line begins and ends: one exit code, whatever happened."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from io import TextIOWrapper

import click

from tabwright.errors import InputError, InternalError, TabwrightError
from tabwright.faces.cli.output import print_error
from tabwright.faces.cli.program import PROGRAM, program

logger = logging.getLogger(__name__)

INTERRUPTED = 130


def main(args: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    given = list(sys.argv[1:] if args is None else args)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A page may hold what no encoding has, such as half of a surrogate pair.
            stream.reconfigure(errors="backslashreplace")
    return _run(given)


def _run(given: list[str]) -> int:
    try:
        code = program.main(given, prog_name=PROGRAM, standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.Abort:
        return INTERRUPTED
    except click.ClickException as wrong:
        error: TabwrightError = _refusal(wrong)
    except TabwrightError as known:
        error = known
    except Exception as unknown:
        logger.exception("the command line failed")
        error = InternalError(
            f"It failed for a reason that Tabwright does not know: {unknown!r}.",
            hint="Run it again with `--set logging.level=debug`, and please report it.",
        )
    print_error(error, as_json="--json" in given)
    return error.exit_code


def _refusal(wrong: click.ClickException) -> TabwrightError:
    context = wrong.ctx if isinstance(wrong, click.UsageError) else None
    if context is None:
        return InputError(wrong.format_message())
    error = InputError(wrong.format_message(), hint=f"Run `{context.command_path} --help`.")
    return error.about(action=context.command_path.partition(" ")[2] or None)
