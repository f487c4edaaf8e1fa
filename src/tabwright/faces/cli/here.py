"""Commands that run in this process: help, and what needs no server."""

from __future__ import annotations

import sys
from io import TextIOWrapper

from tabwright.faces.cli.client import INTERRUPTED
from tabwright.faces.cli.page import page_of


def run(args: list[str]) -> int:
    """Run a command line and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A page may hold what no encoding has, such as half of a surrogate pair.
            stream.reconfigure(errors="backslashreplace")
    page = page_of(args)
    if page is not None:
        print(page)
        return 0
    return _run(args)


def _run(args: list[str]) -> int:
    import click

    from tabwright.faces.cli.failure import error_of
    from tabwright.faces.cli.output import print_error
    from tabwright.faces.cli.program import PROGRAM, program

    try:
        code = program.main(args, prog_name=PROGRAM, standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.Abort:
        return INTERRUPTED
    except Exception as wrong:  # noqa: BLE001  # the edge: whatever it was, it is told
        error = error_of(wrong)
    print_error(error, as_json="--json" in args)
    return error.exit_code


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
