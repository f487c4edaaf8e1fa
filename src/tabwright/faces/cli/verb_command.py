"""The command of a verb: made from its declaration, done in a session of the server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import click

from tabwright.argv.command import given_by, make, verb_called
from tabwright.config import Settings
from tabwright.dispatch import GIVEN_UP, call
from tabwright.engine.journal import LEVELS, Entry, Journal, line_of
from tabwright.engine.launch import wanted_kind
from tabwright.engine.manager import BrowserManager
from tabwright.engine.obtain import ensure, shown
from tabwright.errors import BrowserError, Cancelled, TabwrightError
from tabwright.faces.cli.output import print_outcome
from tabwright.faces.cli.page import ASKED_BY
from tabwright.faces.cli.shared import Shared, shared, shared_options
from tabwright.faces.cli.terminal import terminal
from tabwright.faces.cli.visit import Visit
from tabwright.outcome import Outcome
from tabwright.verb import Verb


@dataclass(frozen=True)
class VerbCall:
    """What a command line of a verb asks for."""

    verb: Verb
    given: dict[str, Any]
    at: str | None
    said: Shared

    async def __call__(self, visit: Visit) -> int:
        """Do it and print what came of it; returns the exit code."""
        return print_outcome(await self.outcome(visit), as_json=self.said.json)

    async def outcome(self, visit: Visit) -> Outcome:
        """Do it. Never raises an error of ours."""
        try:
            # Wrong input is refused before a browser is looked for, let alone obtained.
            self.verb.read(self.given)
            outcome = await self._do(visit)
        except TabwrightError as error:
            outcome = Outcome(action=self.verb.name, error=error)
        if isinstance(outcome.error, Cancelled) and visit.server.ending:
            outcome.error = BrowserError(
                "The server was stopped before it was done.",
                hint="Run the command again; that starts a new server.",
            )
        return outcome

    async def _do(self, visit: Visit) -> Outcome:
        settings = visit.settings(self.said)
        manager = await visit.server.managers.of(settings, visit.env)
        context = visit.context(manager, self.said)
        with _overheard(settings, context.journal):
            await _unless_left(visit, bring_browser(manager))
            if self.at is not None:
                opened = await call(context, "navigate", {"url": self.at})
                if not opened.success:
                    return opened
            return await call(context, self.verb.name, self.given)


def command_of(name: str) -> click.Command | None:
    """The command of a verb, by any of its names."""
    verb = verb_called(name)
    return _command(name, verb) if verb else None


@cache
def _command(name: str, verb: Verb) -> click.Command:
    more = [*_at(verb), *shared_options()]
    return make(name, _calling(verb), more, context_settings={"help_option_names": [*ASKED_BY]})


def _calling(verb: Verb) -> Callable[..., VerbCall]:
    def callback(at: str | None = None, **values: Any) -> VerbCall:
        return VerbCall(verb, given_by(values), at, shared())

    return callback


def _at(verb: Verb) -> list[click.Parameter]:
    """A verb that is told where to go needs no page to begin with."""
    url = verb.params.model_fields.get("url")
    if url is not None and url.is_required():
        return []
    return [click.Option(["--at"], metavar="URL", help="Page to open first.")]


async def _unless_left(visit: Visit, work: Coroutine[Any, Any, None]) -> None:
    """Wait for work that passes no door of its own, for as long as the caller does."""
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(visit.gone.wait())
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            working.cancel()
            raise Cancelled(GIVEN_UP)
        working.result()
    finally:
        leaving.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


@contextmanager
def _overheard(settings: Settings, journal: Journal) -> Generator[None]:
    """Show the log meanwhile to somebody who asked for it by setting its level."""
    if settings.origin("logging.level") == "default":
        yield
        return
    least, errors = LEVELS[settings.logging.level], terminal().err

    def tell(entry: Entry) -> None:
        if LEVELS[entry["level"]] >= least:
            print(line_of(entry), file=errors)

    stop = journal.listen(tell)
    try:
        yield
    finally:
        stop()


async def bring_browser(manager: BrowserManager) -> None:
    """Obtain a missing browser where its progress can be seen, and no call's deadline runs."""
    settings = manager.settings
    profile = manager.get_current_profile()
    named = profile.launch_options.executable_path or settings.browser.executable_path
    if (
        named
        or profile.type != "isolated"
        or settings.tools.browser.enabled is False
        or manager.get_active_browser() is not None
    ):
        return
    with shown(terminal().err) as progress:
        await ensure(
            wanted_kind(profile, settings),
            cache=settings.paths.cache_dir,
            sources=settings.browser.sources or None,
            progress=progress,
        )
