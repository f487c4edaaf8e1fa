"""Whether there is a browser, and whether it starts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

from tabwright.config import resolve_profile
from tabwright.doctor.finding import Finding, failure, ok, warning
from tabwright.doctor.machine import Machine
from tabwright.engine.launch import wanted_kind
from tabwright.engine.obtain import Browser, find_browser
from tabwright.engine.obtain.binary import smoke
from tabwright.engine.obtain.source import SourceFailed
from tabwright.errors import LaunchFailed

SUBJECT = "browser"


def check(machine: Machine) -> Iterator[Finding]:
    """Find the browser that a call would start, and ask it for its version."""
    profile = resolve_profile(machine.settings)
    if profile.type != "isolated":
        yield ok(SUBJECT, f"None is started: the default profile is of type {profile.type}.")
        return
    wanted = wanted_kind(profile, machine.settings)
    try:
        found = browser_of(machine)
    except LaunchFailed as error:
        yield failure(SUBJECT, error.message, "tabwright config set browser.executablePath ''")
        return
    install = "tabwright install" if wanted == "shell" else "tabwright install --full"
    if found is None:
        yield warning(SUBJECT, "There is none; the first call obtains one.", install)
        return
    yield _started(found, f"{install} --force")
    if found.kind != wanted:
        told = "A full browser stands in for the headless shell, which is several times cheaper."
        yield warning(SUBJECT, told, "tabwright install --shell --force")


def browser_of(machine: Machine) -> Browser | None:
    """The browser of the default profile.

    Raises:
        LaunchFailed: one is configured that cannot be used.
    """
    settings, profile = machine.settings, resolve_profile(machine.settings)
    named = profile.launch_options.executable_path or settings.browser.executable_path
    return find_browser(
        wanted_kind(profile, settings),
        executable=Path(named).expanduser() if named else None,
        cache=settings.paths.cache_dir,
    )


def _started(found: Browser, install: str) -> Finding:
    name = "Headless shell" if found.kind == "shell" else "Full browser"
    try:
        version = asyncio.run(smoke(found.path, found.env)) or found.version
    except SourceFailed as error:
        return failure(SUBJECT, f"{found.path} is there, but {error}.", install)
    where = found.source.removeprefix("cache:")
    return ok(SUBJECT, f"{name} {version or 'of unknown version'} ({where}) at {found.path}")
