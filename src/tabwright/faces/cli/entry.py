"""Where `python -m tabwright` begins: as the installed program does, in one process."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from tabwright.faces.cli import client


def main(args: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    given = list(sys.argv[1:] if args is None else args)
    return client.main(given, _runs("here"), _runs("starting"))


def _runs(module: str) -> client.Run:
    """Runs a command line in a module that is imported when it is needed."""
    return lambda args: import_module(f"tabwright.faces.cli.{module}").run(args)
