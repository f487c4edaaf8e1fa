"""`python -m tabwright.demo`: see Tabwright at work."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import click

from tabwright.demo.tour import Unexpected, take
from tabwright.errors import TabwrightError
from tabwright.faces.cli.signals import until_signal


@click.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory for the picture and the PDF; by default tabwright-try in this one.",
)
def main(out: Path | None) -> None:
    """Open a page that comes with Tabwright, order tea in it, and keep a picture and a PDF."""
    directory = _directory(out)
    try:
        until_signal(lambda: take(directory))
    except (Unexpected, TabwrightError) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(1)


def _directory(given: Path | None) -> Path:
    wanted = (given or Path("tabwright-try")).absolute()
    try:
        wanted.mkdir(parents=True, exist_ok=True)
        # Only writing shows whether a directory can be written: root may do what modes forbid.
        with tempfile.TemporaryFile(dir=wanted):
            return wanted
    except OSError as error:
        if given is None:
            return Path(tempfile.mkdtemp(prefix="tabwright-try-"))
        raise click.BadParameter(
            f"{str(given)!r} cannot be written: {error.strerror}.", param_hint="--out"
        ) from error


if __name__ == "__main__":
    main(prog_name="python -m tabwright.demo")
