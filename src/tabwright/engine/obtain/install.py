"""Obtaining a browser: one source after the other, once per machine."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from pathlib import Path
from typing import Literal, get_args

from tabwright.engine.obtain.binary import smoke
from tabwright.engine.obtain.browser import Browser, Kind
from tabwright.engine.obtain.cache import Cache, Manifest, environment
from tabwright.engine.obtain.found import find_browser
from tabwright.engine.obtain.progress import silent
from tabwright.engine.obtain.source import Job, Progress, Source, SourceFailed
from tabwright.errors import InputError, NoBrowser

logger = logging.getLogger(__name__)

SourceName = Literal["cft", "playwright", "debian", "npm"]
SOURCES: tuple[SourceName, ...] = get_args(SourceName)
"""The sources, in the order in which they are tried."""


async def ensure(
    kind: Kind,
    *,
    executable: Path | None = None,
    cache: Path,
    system: bool = True,
    sources: Sequence[str | Source] | None = None,
    progress: Progress | None = None,
) -> Browser:
    """Find a browser, or obtain one.

    Raises:
        LaunchFailed: the configured executable cannot be used.
        NoBrowser: none was found, and no source gave one.
    """
    found = find_browser(kind, executable=executable, cache=cache, system=system)
    return found or await obtain(kind, cache=cache, sources=sources, progress=progress)


async def obtain(
    kind: Kind,
    *,
    cache: Path,
    sources: Sequence[str | Source] | None = None,
    progress: Progress | None = None,
    archive: Path | None = None,
    sha256: str = "",
    fresh: bool = False,
) -> Browser:
    """Put a browser into the cache and return it.

    What the cache already has from these sources is returned as it is, unless `fresh` asks for
    the newest. An `archive` is used instead of any source, and compared with `sha256` if given.

    Raises:
        InputError: a source is not known, or there is no such archive.
        NoBrowser: no source gave one; the message says why, for each.
    """
    report = progress or silent
    chosen = _chosen(sources, archive, sha256)
    accepted = None if sources is None else {source.name for source in chosen}
    store = Cache(cache)
    async with _locked(store, kind, lambda: report(0, 0, "waiting for another download")):
        cached = None if fresh or archive else store.find(kind, accepted)
        if cached:
            return cached
        store.sweep(kind)
        return await _first(chosen, kind, store, report)


def _chosen(
    sources: Sequence[str | Source] | None, archive: Path | None, sha256: str
) -> list[Source]:
    if archive is not None:
        return [_archive(archive, sha256)]
    given = SOURCES if sources is None else sources
    return [_named(each) if isinstance(each, str) else each for each in given]


def _archive(path: Path, sha256: str) -> Source:
    from tabwright.engine.obtain.archive import Archive

    source = Archive(path.expanduser(), sha256)
    if reason := source.unfit():
        raise InputError(f"The archive {reason}.", hint="Name a zip, a tar or a directory.")
    return source


def _named(name: str) -> Source:
    # httpx and its like are only needed when something is really downloaded.
    from tabwright.engine.obtain.cft import ChromeForTesting
    from tabwright.engine.obtain.debian import Debian
    from tabwright.engine.obtain.npm import Npm
    from tabwright.engine.obtain.playwright_builds import PlaywrightBuilds

    known: dict[str, Callable[[], Source]] = {
        "cft": ChromeForTesting,
        "playwright": PlaywrightBuilds,
        "debian": Debian,
        "npm": Npm,
    }
    if name not in known:
        raise InputError(f"No source is called {name!r}.", hint=f"Use one of {', '.join(known)}.")
    return known[name]()


@contextlib.asynccontextmanager
async def _locked(store: Cache, kind: Kind, waiting: Callable[[], None]) -> AsyncGenerator[None]:
    async with contextlib.AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(store.locked(kind, waiting))
        except OSError as error:
            raise NoBrowser(
                f"No browser was found, and {str(store.directory)!r} cannot be written: {error}.",
                hint="Set a cache directory that can, or `browser.executablePath`.",
            ) from error
        yield


async def _first(
    sources: Sequence[Source], kind: Kind, store: Cache, progress: Progress
) -> Browser:
    tried: dict[str, str] = {}
    for source in sources:
        reason = "it has no full browser" if kind not in source.kinds else source.unfit()
        if not reason:
            try:
                return await _from(source, kind, store, progress)
            except (SourceFailed, OSError) as error:
                reason = str(error)
        tried[source.name] = reason
        logger.info("No browser from %s: %s", source.name, reason)
    reasons = "; ".join(f"{name}: {reason}" for name, reason in tried.items())
    raise NoBrowser(
        f"No browser could be obtained. Tried {reasons}.",
        hint="Install Chromium or Chrome, bring one along with `tabwright install --from FILE`, "
        "or name one in `browser.executablePath`.",
        tried=tried,
    )


async def _from(source: Source, kind: Kind, store: Cache, progress: Progress) -> Browser:
    async with store.room(kind) as room:
        job = Job(kind, tree=room / "tree", work=room / "work", progress=progress)
        job.tree.mkdir()
        job.work.mkdir()
        parcel = await source.fetch(job)
        version = await smoke(parcel.path, environment(job.tree, parcel.env)) or parcel.version
        manifest = Manifest.of(parcel, job.tree, source=source.name, version=version or "unknown")
        return store.keep(job.tree, manifest)
