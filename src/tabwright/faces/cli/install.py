"""`tabwright install`: a browser on this machine, found or obtained."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from tabwright.config import Settings
from tabwright.engine.obtain import SOURCES, Browser, Kind, ensure, find_browser, obtain, shown
from tabwright.engine.obtain.binary import smoke
from tabwright.engine.obtain.source import SourceFailed
from tabwright.errors import InputError, LaunchFailed
from tabwright.faces.cli.output import print_json, print_text
from tabwright.faces.cli.shared import shared, shared_options
from tabwright.faces.cli.signals import until_signal

NAMES: dict[Kind, str] = {"shell": "Headless shell", "full": "Full browser"}


@dataclass(frozen=True)
class Order:
    """What the command line asks for."""

    kinds: list[Kind]
    archive: Path | None
    source: str | None
    force: bool


@dataclass(frozen=True)
class Delivery:
    """A browser that is there, and how it came."""

    wanted: Kind
    browser: Browser
    version: str
    already: bool

    def as_dict(self) -> dict[str, Any]:
        """As --json prints it."""
        return {
            "kind": self.browser.kind,
            "version": self.version,
            "path": str(self.browser.path),
            "source": self.browser.source,
            "alreadyThere": self.already,
            "note": self.browser.note,
        }

    def text(self) -> str:
        """For a person."""
        browser = self.browser
        stands_in = "" if browser.kind == self.wanted else " (stands in for the headless shell)"
        came = "already there" if self.already else "installed"
        note = f" ({browser.note})" if browser.note else ""
        return (
            f"{NAMES[browser.kind]} {self.version or 'of unknown version'}, {came}{stands_in}\n"
            f"  {browser.path}\n"
            f"  from {browser.source.removeprefix('cache:')}{note}"
        )


@click.command("install", params=shared_options())
@click.option("--shell", is_flag=True, help="The headless shell, small and fast. The default.")
@click.option("--full", is_flag=True, help="A full browser, for windows and extensions.")
@click.option(
    "--from",
    "archive",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Install from this zip, tar or directory instead of downloading.",
)
@click.option("--source", type=click.Choice(SOURCES), help="Download from this source only.")
@click.option("--force", is_flag=True, help="Obtain one even if there is one already.")
def command(shell: bool, full: bool, archive: Path | None, source: str | None, force: bool) -> None:
    """Obtain a browser, unless this machine has one.

    Browsers of this machine count, and so do those obtained before; nothing is downloaded then.
    """
    if archive is not None and source is not None:
        raise InputError(
            "--from and --source exclude each other.", hint="A file needs no other source."
        )
    kinds: list[Kind] = ["shell"] if shell or not full else []
    order = Order([*kinds, "full"] if full else kinds, archive, source, force)
    settings = shared().settings()
    delivered = until_signal(lambda: _deliver(order, settings))
    if shared().json:
        print_json([delivery.as_dict() for delivery in delivered])
        return
    for delivery in delivered:
        print_text(delivery.text())


async def _deliver(order: Order, settings: Settings) -> list[Delivery]:
    return [await _one(kind, order, settings) for kind in order.kinds]


async def _one(kind: Kind, order: Order, settings: Settings) -> Delivery:
    cache = settings.paths.cache_dir
    named = [order.source] if order.source else None
    sources = named or settings.browser.sources or None
    before = find_browser(kind, cache=cache, system=named is None)
    with shown() as progress:
        if order.archive or order.force or named:
            browser = await obtain(
                kind,
                cache=cache,
                sources=sources,
                progress=progress,
                archive=order.archive,
                fresh=order.force,
            )
        else:
            browser = await ensure(kind, cache=cache, sources=sources, progress=progress)
    already = browser == before and not (order.archive or order.force)
    return Delivery(kind, browser, browser.version or await _version(browser), already)


async def _version(browser: Browser) -> str:
    try:
        return await smoke(browser.path, browser.env)
    except SourceFailed as error:
        raise LaunchFailed(
            f"The browser {str(browser.path)!r} is installed, but {error}.",
            hint="Repair it; or run `tabwright install --force` to obtain one, "
            "and name that one in `browser.executablePath`.",
        ) from error
