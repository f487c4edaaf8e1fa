"""Where `python -m tabwright` begins: as the installed program does, in one process."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tabwright.faces.cli import client


def main(args: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    from tabwright.faces.cli.here import run

    return client.main(list(sys.argv[1:] if args is None else args), run)
