"""The command of a verb, and what a command line of it asks for."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

import click

from tabwright.argv.parameter import (
    DescribedArgument,
    command_line,
    kebab,
    parameters_of,
    words_of,
)
from tabwright.errors import InputError
from tabwright.verb import Verb
from tabwright.verbs import VERBS

OTHER_NAMES = {
    "open": "navigate",
    "goto": "navigate",
    "eval": "evaluate",
    "tab": "tabs",
}
"""What people and other tools call some of them."""
FIND = "find"
"""A snapshot of what matches a text, under a name of its own."""
DASHES = ' Put "--" before what begins with "-" and is no option.'
LONGEST = 300
Given = dict[str, Any]


class VerbCommand(click.Command):
    """A command whose help also describes its arguments."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The arguments, then the options."""
        arguments = [each for each in self.params if isinstance(each, DescribedArgument)]
        rows = [(str(each.metavar), each.description) for each in arguments]
        if rows:
            with formatter.section("Arguments"):
                formatter.write_dl(rows)
        super().format_options(ctx, formatter)


@cache
def verbs_by_command() -> dict[str, Verb]:
    """Every verb under the name of its command."""
    return {kebab(name): verb for name, verb in VERBS.items()}


def verb_called(name: str) -> Verb | None:
    """The verb of a command, also by another name of it."""
    if name == FIND:
        return VERBS["snapshot"]
    return verbs_by_command().get(OTHER_NAMES.get(name, name))


def names() -> list[str]:
    """All that a command of a verb can be called."""
    return [*verbs_by_command(), FIND, *OTHER_NAMES]


def nearest(name: str, known: Iterable[str]) -> str:
    """The name that was meant, if one is like it."""
    return next(iter(difflib.get_close_matches(name, known, n=1)), "")


def make(
    name: str,
    callback: Callable[..., object] | None = None,
    more: Sequence[click.Parameter] = (),
    **attributes: Any,
) -> click.Command:
    """The command of a name, which `verb_called` knows; `more` are options besides the verb's."""
    verb = verb_called(name)
    assert verb is not None
    if name == FIND:
        return _find(callback, more, **attributes)
    example = command_line(verb, verb.params.example)
    return VerbCommand(
        kebab(verb.name),
        callback=callback,
        params=[*parameters_of(verb.params), *more],
        help=f"{verb.summary}\n\n{verb.description}".rstrip(),
        short_help=verb.summary,
        epilog=f"Example: {example}" if verb.params.example else None,
        **attributes,
    )


def _find(
    callback: Callable[..., object] | None, more: Sequence[click.Parameter], **attributes: Any
) -> click.Command:
    options = parameters_of(VERBS["snapshot"].params)
    text = DescribedArgument([FIND], metavar="TEXT", description="What to look for.")
    return VerbCommand(
        FIND,
        callback=callback,
        params=[text, *(each for each in options if each.name in ("role", "selector")), *more],
        help="Find what has a text or a name, in the whole page, with refs to act on.",
        epilog="Example: tabwright find 'Add to cart'",
        **attributes,
    )


def given_by(values: Given) -> Given:
    """What was given of a command's parameters."""
    return {name: value for name, value in values.items() if value is not None}


def read(words: Sequence[str]) -> tuple[str, Given]:
    """The verb that a command line calls, and its parameters.

    Raises:
        InputError: there is no such command, or it does not take what is given.
    """
    name, *rest = words
    verb = verb_called(name)
    if verb is None:
        meant = nearest(name, names())
        raise InputError(
            f"There is no command {name!r:.80}.",
            hint=f"Did you mean {meant!r}?" if meant else f"There are {', '.join(names())}.",
        )
    # Help would be printed, and our output may be somebody else's protocol.
    command = make(name, add_help_option=False)
    try:
        context = command.make_context(name, rest)
    except click.UsageError as error:
        dashes = isinstance(error, click.NoSuchOption)
        hint = f"{_taken(name, verb, command)}{DASHES if dashes else ''}"
        # Not `name: …`: what follows `cookies:` reads like a cookie, and would be masked.
        raise InputError(
            f"{name} was refused: {error.format_message()[:LONGEST]}", hint=hint
        ) from None
    return verb.name, given_by(context.params)


def _taken(name: str, verb: Verb, command: click.Command) -> str:
    arguments = [str(each.metavar) for each in command.params if isinstance(each, click.Argument)]
    options = [each.opts[0] for each in command.params if isinstance(each, click.Option)]
    example = ["Add to cart"] if name == FIND else words_of(verb, verb.params.example)[1:]
    takes = ", ".join((*arguments, *options)) or "nothing"
    return f"It takes {takes}. Example: {json.dumps([name, *example], ensure_ascii=False)}."
