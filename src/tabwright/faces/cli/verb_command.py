"""The command of a verb: made from its declaration, run in a browser of its own."""

from __future__ import annotations

from typing import Any

import click

from tabwright.engine.launch import wanted_kind
from tabwright.engine.obtain import ensure, shown
from tabwright.errors import TabwrightError
from tabwright.faces.cli.output import print_outcome
from tabwright.faces.cli.parameter import DescribedArgument, command_line, kebab, parameters_of
from tabwright.faces.cli.shared import Shared, shared, shared_options
from tabwright.faces.cli.signals import until_signal
from tabwright.faces.python import Tabwright
from tabwright.outcome import Outcome
from tabwright.verb import Verb
from tabwright.verbs import VERBS


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


def verbs_by_command() -> dict[str, Verb]:
    """Every verb under the name of its command."""
    return {kebab(name): verb for name, verb in VERBS.items()}


def command_of(verb: Verb) -> click.Command:
    """The command of a verb."""

    def callback(at: str | None = None, **values: Any) -> int:
        given = {name: value for name, value in values.items() if value is not None}
        try:
            outcome = until_signal(lambda: _one_shot(verb, given, at, shared()))
        except TabwrightError as error:
            outcome = Outcome(action=verb.name, error=error)
        return print_outcome(outcome, as_json=shared().json)

    example = command_line(verb, verb.params.example)
    return VerbCommand(
        kebab(verb.name),
        callback=callback,
        params=[*parameters_of(verb.params), *_at(verb), *shared_options()],
        help=f"{verb.summary}\n\n{verb.description}".rstrip(),
        short_help=verb.summary,
        epilog=f"Example: {example}" if verb.params.example else None,
    )


def _at(verb: Verb) -> list[click.Parameter]:
    """A verb that is told where to go needs no page to begin with."""
    url = verb.params.model_fields.get("url")
    if url is not None and url.is_required():
        return []
    return [click.Option(["--at"], metavar="URL", help="Page to open first.")]


async def _one_shot(verb: Verb, given: dict[str, Any], at: str | None, shared: Shared) -> Outcome:
    # Wrong input is refused before a browser is looked for, let alone obtained.
    verb.read(given)
    async with Tabwright(shared.settings()) as page:
        if shared.profile is not None:
            await page.manager.switch_profile(shared.profile)
        await bring_browser(page)
        if at is not None:
            opened = await page.call("navigate", url=at)
            if not opened.success:
                return opened
        outcome = await page.call(verb.name, **given)
        _keep_files(page, outcome)
        return outcome


async def bring_browser(page: Tabwright) -> None:
    """Obtain a missing browser where its progress can be seen, and no call's deadline runs."""
    settings = page.manager.settings
    profile = page.manager.get_current_profile()
    named = profile.launch_options.executable_path or settings.browser.executable_path
    if named or profile.type != "isolated" or settings.tools.browser.enabled is False:
        return
    with shown() as progress:
        await ensure(
            wanted_kind(profile, settings),
            cache=settings.paths.cache_dir,
            sources=settings.browser.sources or None,
            progress=progress,
        )


def _keep_files(page: Tabwright, outcome: Outcome) -> None:
    """A file that the reply names must be there when the command has ended."""
    for session in page.manager.sessions():
        own = session.artifacts.directory
        if any(artifact.path.is_relative_to(own) for artifact in outcome.artifacts):
            session.artifacts.kept = True
