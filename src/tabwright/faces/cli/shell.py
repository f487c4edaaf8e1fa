"""`tabwright shell`: commands typed one after the other, without the program's name."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator

import click

from tabwright.config import places
from tabwright.faces.cli import client
from tabwright.faces.cli.entry import main
from tabwright.faces.cli.output import print_text
from tabwright.faces.cli.shared import Shared, shared, shared_options

PROMPT = "tabwright> "
ENDED_BY = ("exit", "quit")
REMEMBERED = 1000
WELCOME = "Commands as `tabwright COMMAND`, without `tabwright`. Tab completes; exit ends it."


@click.command("shell", params=shared_options())
def command() -> int:
    """Type commands one after the other: with a history and completion on a terminal.

    From a pipe, each line is run when it comes. The exit code is that of the last command.
    """
    said = shared()
    options = _options(said)
    code = 0
    for line in _typed() if sys.stdin.isatty() else sys.stdin:
        try:
            words = shlex.split(line, comments=True)
        except ValueError as error:
            print_text(f"Error: {error}.", err=True)
            code = 2
            continue
        if words and words[0] in ENDED_BY:
            break
        if words:
            code = _run([*options, *words])
    return code


def _run(args: list[str]) -> int:
    if client.command_of(args) == "shell":
        print_text("Error: This is a shell already.", err=True)
        return 2
    try:
        return main(args)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1


def _options(said: Shared) -> list[str]:
    """What was said for the whole shell, for each of its commands."""
    named = {"--profile": said.profile, "--session": said.session}
    given = [word for name, value in named.items() if value for word in (name, value)]
    changes = [word for pair in said.overrides.items() for word in ("--set", "=".join(pair))]
    return [*(["--json"] if said.json else []), *given, *changes]


def _typed() -> Iterator[str]:
    """The lines that somebody types, kept for the next time."""
    import readline

    history = places().state / "history"
    if history.exists():
        readline.read_history_file(history)
    readline.set_completer(_Completer())
    readline.set_completer_delims(" \t\n")
    readline.parse_and_bind("tab: complete")
    print_text(WELCOME)
    try:
        while True:
            try:
                yield input(PROMPT)
            except KeyboardInterrupt:
                print_text("^C")
            except EOFError:
                print_text("exit")
                return
    finally:
        readline.set_history_length(REMEMBERED)
        history.parent.mkdir(parents=True, exist_ok=True)
        readline.write_history_file(history)
        history.chmod(0o600)


class _Completer:
    """Asks for all completions of a word once, and hands them out one by one."""

    def __init__(self) -> None:
        self._found: list[str] = []

    def __call__(self, begun: str, number: int) -> str | None:
        """The completion of that number, as readline asks for it."""
        import readline

        from tabwright.faces.cli.completion import complete

        if number == 0:
            before = readline.get_line_buffer()[: readline.get_begidx()].split()
            self._found = [f"{word} " for word in complete(before, begun)]
        return self._found[number] if number < len(self._found) else None
