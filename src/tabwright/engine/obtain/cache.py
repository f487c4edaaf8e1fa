"""The browsers we obtained: one directory each, complete or not there at all."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import tempfile
from collections.abc import AsyncGenerator, Callable, Collection
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from tabwright.engine.obtain.browser import Browser, Kind, machine, startable
from tabwright.engine.obtain.source import Parcel
from tabwright.errors import now_iso

MANIFEST = "manifest.json"
LOCK_POLL_S = 0.1


class Manifest(BaseModel):
    """What a cache entry says about itself; written last, so its presence means complete."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    path: str
    """The executable, relative to the entry, as are the paths in `env`."""
    kind: Kind
    version: str
    source: str
    platform: str
    env: dict[str, list[str]]
    sha256: dict[str, str]
    obtained_at: str
    note: str = ""

    @classmethod
    def of(cls, parcel: Parcel, tree: Path, *, source: str, version: str) -> Manifest:
        """Describe what a source has put into a tree."""
        return cls(
            path=parcel.path.relative_to(tree).as_posix(),
            kind=parcel.kind,
            version=version,
            source=source,
            platform=machine(),
            env=parcel.env,
            sha256=parcel.sha256,
            obtained_at=now_iso(),
            note=parcel.note,
        )

    def age(self) -> tuple[list[int], str]:
        """Sorts newer browsers behind older ones."""
        return [int(part) for part in self.version.split(".") if part.isdigit()], self.obtained_at


def environment(tree: Path, env: dict[str, list[str]]) -> dict[str, str]:
    """Variables with absolute paths; the libraries the user added stay behind ours."""
    resolved: dict[str, str] = {}
    for name, paths in env.items():
        values = [str(tree / path) for path in paths]
        if name == "LD_LIBRARY_PATH" and (inherited := os.environ.get(name)):
            values.append(inherited)
        resolved[name] = os.pathsep.join(values)
    return resolved


class Cache:
    """The directory `browsers` below a cache root."""

    def __init__(self, root: Path) -> None:
        self.directory = root.absolute() / "browsers"

    def find(self, kind: Kind, sources: Collection[str] | None = None) -> Browser | None:
        """The newest complete browser of exactly this kind, from any of these sources."""
        entries = [
            (manifest, entry)
            for entry in self.directory.glob(f"{kind}-*")
            if (manifest := _read(entry)) and (sources is None or manifest.source in sources)
        ]
        if not entries:
            return None
        return _browser(*max(entries, key=lambda each: each[0].age()))

    @contextlib.asynccontextmanager
    async def locked(self, kind: Kind, waiting: Callable[[], None]) -> AsyncGenerator[None]:
        """Hold the lock under which browsers of a kind are obtained, across processes."""
        # Its import costs 20 ms, and a browser that is there needs no lock.
        from filelock import FileLock, Timeout

        self.directory.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.directory / f".lock-{kind}", thread_local=False)
        told = False
        # Polled, because a thread blocked in flock could not be cancelled.
        while True:
            try:
                lock.acquire(blocking=False)
                break
            except Timeout:
                if not told:
                    waiting()
                told = True
                await asyncio.sleep(LOCK_POLL_S)
        try:
            yield
        finally:
            lock.release()

    @contextlib.asynccontextmanager
    async def room(self, kind: Kind) -> AsyncGenerator[Path]:
        """A directory to prepare an entry in; it is gone afterwards, whatever happens."""
        room = Path(tempfile.mkdtemp(prefix=f".partial-{kind}-", dir=self.directory))
        try:
            yield room
        finally:
            await asyncio.shield(asyncio.to_thread(shutil.rmtree, room, ignore_errors=True))

    def sweep(self, kind: Kind) -> None:
        """Remove what dead processes left; only the holder of the lock may."""
        for leftover in self.directory.glob(f".partial-{kind}-*"):
            shutil.rmtree(leftover, ignore_errors=True)

    def keep(self, tree: Path, manifest: Manifest) -> Browser:
        """Turn a prepared tree into an entry, at once and whole."""
        entry = self.directory / f"{manifest.kind}-{manifest.version}-{manifest.source}"
        if (present := _read(entry)) and present.sha256 and present.sha256 == manifest.sha256:
            return _browser(present, entry)
        text = manifest.model_dump_json(by_alias=True, indent=2)
        (tree / MANIFEST).write_text(text, encoding="utf-8")
        if entry.exists():
            # Moved aside, not deleted in place: a reader sees the old one, none, or the new one.
            entry.rename(tree.parent / "replaced")
        tree.rename(entry)
        return _browser(manifest, entry)


def _read(entry: Path) -> Manifest | None:
    try:
        text = (entry / MANIFEST).read_text(encoding="utf-8")
        manifest = Manifest.model_validate_json(text)
    except (OSError, ValidationError):
        return None
    usable = manifest.platform == machine() and startable(entry / manifest.path)
    return manifest if usable else None


def _browser(manifest: Manifest, entry: Path) -> Browser:
    return Browser(
        path=entry / manifest.path,
        kind=manifest.kind,
        source=f"cache:{manifest.source}",
        version=manifest.version,
        env=environment(entry, manifest.env),
        note=manifest.note,
    )
