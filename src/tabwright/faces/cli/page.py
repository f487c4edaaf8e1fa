"""The pages of help: made beforehand, since making them takes half a second of imports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabwright.faces.cli.client import words_of

if TYPE_CHECKING:
    import click

    Context = click.Context

FILE = Path(__file__).with_name("help.json")
COLUMNS = 80
ASKED_BY = ("-h", "--help")


def page_of(args: list[str]) -> str | None:
    """The page that is asked for; none if no page is, or there is none of that name."""
    options = args[: args.index("--")] if "--" in args else args
    if options and not any(word in ASKED_BY for word in options):
        return None
    pages: dict[str, str] = json.loads(FILE.read_text(encoding="utf-8"))
    words = list(words_of(options))
    names = [" ".join(words[:count]) for count in range(len(words), 0, -1)]
    return next((pages[name] for name in names if name in pages), None if words else pages[""])


def make_pages() -> dict[str, str]:
    """The page of every command."""
    from tabwright.faces.cli.program import PROGRAM, program

    return dict(sorted(_pages(program, PROGRAM, None).items()))


def _pages(command: click.Command, name: str, above: Context | None) -> dict[str, str]:
    import click

    context: Any = click.Context(
        command, above, name, terminal_width=COLUMNS, help_option_names=list(ASKED_BY)
    )
    pages = {context.command_path.partition(" ")[2]: command.get_help(context)}
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            assert found is not None
            pages |= _pages(found, child, context)
    return pages
