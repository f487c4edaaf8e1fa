"""The program `tabwright`: its verbs by subject, then the commands that set things up."""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from itertools import groupby
from typing import TYPE_CHECKING

import click

from tabwright.errors import TabwrightError
from tabwright.faces.cli.page import ASKED_BY
from tabwright.faces.cli.shared import shared_options

if TYPE_CHECKING:
    from tabwright.verb import Verb

PROGRAM = "tabwright"

OTHERS = {
    "Several commands": {"batch": "batch", "shell": "shell"},
    "The server and its sessions": {
        "status": "status",
        "close": "ending:close",
        "stop": "ending:stop",
    },
    "For agents and programs": {"mcp": "mcp", "serve": "serve", "launch": "launch"},
    "Setting up": {
        "onboard": "onboard",
        "doctor": "doctor",
        "install": "install",
        "config": "configure",
        "completion": "completion",
    },
}
"""Commands that are no verbs, and the modules in which they stand, under `command` or a name."""
_PLACES = {name: place for group in OTHERS.values() for name, place in group.items()}


class Program(click.Group):
    """Loads the verbs only when one is asked for, or all of them are listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every name, as completion and help need them."""
        del ctx
        from tabwright.argv.command import names

        return [*names(), *_PLACES]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name."""
        del ctx
        if cmd_name in _PLACES:
            module, _, name = _PLACES[cmd_name].partition(":")
            home = import_module(f"tabwright.faces.cli.{module}")
            command: click.Command = getattr(home, name or "command")
            return command
        from tabwright.faces.cli.verb_command import command_of

        return command_of(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant; a misspelt one is refused with the one it resembles."""
        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            from tabwright.argv.command import nearest

            meant = nearest(args[0], self.list_commands(ctx))
            asked = f" Did you mean {meant!r}?" if meant else ""
            ctx.fail(f"There is no command {args[0]!r}.{asked}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; an error says which one it was."""
        try:
            return super().invoke(ctx)
        except TabwrightError as error:
            raise error.about(action=ctx.invoked_subcommand) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The verbs under the subjects of their modules, then the rest."""
        from tabwright.argv.command import FIND, OTHER_NAMES, verbs_by_command

        for subject, verbs in groupby(
            verbs_by_command().items(), key=lambda each: _subject(each[1])
        ):
            with formatter.section(subject):
                formatter.write_dl([(name, verb.summary) for name, verb in verbs])
        for subject, group in OTHERS.items():
            with formatter.section(subject):
                rows = [(name, _short_help(self.get_command(ctx, name))) for name in group]
                formatter.write_dl(rows)
        with formatter.section("Other names"):
            formatter.write_dl([*OTHER_NAMES.items(), (FIND, "snapshot --find")])


def _subject(verb: Verb) -> str:
    """What the verb's module is about: its first sentence, up to a colon."""
    about = inspect.cleandoc(sys.modules[verb.function.__module__].__doc__ or "").splitlines()[0]
    return about.partition(":")[0].rstrip(".")


def _short_help(command: click.Command | None) -> str:
    return command.get_short_help_str(limit=100) if command else ""


@click.command(
    cls=Program,
    params=shared_options(),
    invoke_without_command=True,
    context_settings={"help_option_names": [*ASKED_BY], "max_content_width": 100},
)
@click.version_option(package_name=PROGRAM, prog_name=PROGRAM, message="%(prog)s %(version)s")
@click.pass_context
def program(ctx: click.Context) -> None:
    """A real browser for agents and people.

    Commands share a browser: what one opens the next one sees. A server in the background holds
    it, with a session for each directory, or for each name that --session gives.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
