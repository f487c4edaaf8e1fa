"""How the server runs a command line that a client brought."""

from __future__ import annotations

from typing import cast

import click

from tabwright.faces.cli.client import command_of, needs_no_server
from tabwright.faces.cli.failure import error_of
from tabwright.faces.cli.output import print_error
from tabwright.faces.cli.program import PROGRAM, program
from tabwright.faces.cli.terminal import at
from tabwright.faces.cli.visit import Visit, Work


async def answer(args: list[str], visit: Visit) -> int:
    """Run it, print what came of it to the client, and return the exit code."""
    with at(visit.terminal):
        try:
            return await read(args)(visit)
        except Exception as wrong:  # noqa: BLE001  # the edge: whatever it was, it is told
            error = error_of(wrong)
        print_error(error, as_json="--json" in args)
        return error.exit_code


def read(args: list[str]) -> Work:
    """What a command line wants of the server.

    Raises:
        click.ClickException: it cannot be read, or it is not for the server.
    """
    if needs_no_server(args):
        raise click.UsageError(f"`{PROGRAM} {command_of(args)}` does not run in the server.")
    wanted = program.main(args, prog_name=PROGRAM, standalone_mode=False)
    if not callable(wanted):
        raise click.UsageError("There is nothing to do.")
    return cast("Work", wanted)
