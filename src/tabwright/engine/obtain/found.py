"""Finding a browser that is already here: configured, installed, or in our cache."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from tabwright.engine.obtain.browser import Browser, Kind, kind_of, names, startable
from tabwright.engine.obtain.cache import Cache
from tabwright.engine.obtain.places import places
from tabwright.errors import LaunchFailed


def find_browser(
    kind: Kind, *, executable: Path | None = None, cache: Path, system: bool = True
) -> Browser | None:
    """Find a browser without downloading or starting anything.

    A configured executable is the only one considered. Otherwise a headless shell is looked for
    first when one is wanted, and a full browser stands in for it; never the other way round.

    Raises:
        LaunchFailed: the configured executable cannot be used.
    """
    if executable is not None:
        return _configured(kind, executable)
    wanted: tuple[Kind, ...] = ("shell", "full") if kind == "shell" else ("full",)
    store = Cache(cache)
    for each in wanted:
        if browser := (_system(each) if system else None) or store.find(each):
            return browser
    return None


def _configured(kind: Kind, executable: Path) -> Browser:
    path = _on_path(executable)
    if not path.exists():
        raise _unusable(path, "does not exist")
    if not startable(path):
        raise _unusable(path, "is not an executable file")
    actual = kind_of(path)
    if kind == "full" and actual == "shell":
        raise _unusable(path, "is a headless shell, and this needs a full browser")
    return Browser(path=path, kind=actual, source="configured")


def _on_path(executable: Path) -> Path:
    """A bare name such as `chromium` is looked up the way a command line would."""
    if len(executable.parts) == 1 and not executable.exists():
        return Path(shutil.which(str(executable)) or executable)
    return executable.expanduser()


def _unusable(path: Path, reason: str) -> LaunchFailed:
    return LaunchFailed(
        f"The configured browser {str(path)!r} {reason}.",
        hint="Correct `browser.executablePath`, or remove it to have a browser found.",
        path=str(path),
    )


def _system(kind: Kind) -> Browser | None:
    for path in _installed(kind):
        if startable(path) and kind_of(path) == kind:
            return Browser(path=path, kind=kind, source="system")
    return None


def _installed(kind: Kind) -> Iterator[Path]:
    for name in names(kind):
        if path := shutil.which(name):
            yield Path(path)
    yield from places(kind)
