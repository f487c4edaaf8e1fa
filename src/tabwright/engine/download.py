"""Downloads of a session: begun, under way, whole. A partial file is never called done."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tabwright.engine.cdp import CDPClient, Params, ProtocolError
from tabwright.engine.waiters import Signal
from tabwright.errors import DriverCrashError, InputError, TimedOut

if TYPE_CHECKING:
    from tabwright.engine.session import Session

logger = logging.getLogger("tabwright.download")

DownloadState = Literal["in_progress", "completed", "canceled", "interrupted", "failed"]
NAME_BYTES = 200
URL_CHARACTERS = 2000
REMEMBERED = 200
# What a click began may be whole before the next call asks for it.
JUST_NOW_S = 10.0
BROKE_OFF = "the transfer broke off, or the browser refused the file"
UNWANTED = "canceled on request"
LOST = "the browser or the connection to it was lost"


@dataclass(eq=False)
class Download:
    """One file on its way."""

    id: str
    """Its name in the session: d1, d2 …"""
    guid: str
    """Its name in the browser."""
    tab_id: str
    url: str
    suggested_filename: str
    received: Path
    """Where the browser puts it; until it has all of it, with the ending `.crdownload`."""
    source: CDPClient | None = None
    """The connection that tells of it; another one would not."""
    state: DownloadState = "in_progress"
    reason: str = ""
    """Why there is no file."""
    received_bytes: int = 0
    total_bytes: int = 0
    """0 while unknown."""
    path: Path | None = None
    """Where the whole file is; None until it is whole."""
    sha256: str = ""
    arrived: bool = False
    """Whether the browser has all of it; it is then being kept."""
    unwanted: bool = False
    """Whether it was asked to be given up."""
    ended: float = 0.0
    """Monotonic time."""
    told: bool = False
    """Whether a reply has said how it ended."""

    @property
    def over(self) -> bool:
        """Whether nothing more happens to it."""
        return self.state != "in_progress"

    def as_dict(self) -> dict[str, Any]:
        """As replies carry it."""
        known = bool(self.total_bytes) or self.state == "completed"
        return {
            "id": self.id,
            "path": str(self.path) if self.path else None,
            "suggestedFilename": self.suggested_filename,
            "sizeBytes": self.received_bytes,
            "receivedBytes": self.received_bytes,
            "totalBytes": self.total_bytes if known else None,
            "sha256": self.sha256 or None,
            "state": self.state,
            "reason": self.reason or None,
            "url": self.url,
        }

    def tell(self) -> dict[str, Any]:
        """As replies carry it; an end that is told here is not waited for again."""
        self.told = self.over
        return self.as_dict()


class Downloads:
    """The downloads of one session, newest last."""

    def __init__(
        self, session: Session, incoming: Callable[[], Path], directory: Callable[[], Path]
    ) -> None:
        self.all: dict[str, Download] = {}
        """By id; those that ended long ago are left out."""
        self.changed = Signal()
        self._session = session
        self._incoming = incoming
        self._directory = directory
        self._by_guid: dict[str, Download] = {}
        self._numbers = 0

    def began(self, params: Params, tab_id: str) -> Download:
        """The browser began to receive a file."""
        self._numbers += 1
        download = Download(
            id=f"d{self._numbers}",
            guid=params["guid"],
            tab_id=tab_id,
            url=params["url"][:URL_CHARACTERS],
            suggested_filename=safe_name(params["suggestedFilename"]),
            received=self._incoming() / params["guid"],
            source=self._connection(),
        )
        self.all[download.id] = self._by_guid[download.guid] = download
        self._forget_old()
        self._told(download)
        self.changed.fire()
        return download

    def went_on(self, params: Params) -> None:
        """More of the file is here, or all of it, or it was given up."""
        download = self._by_guid.get(params["guid"])
        if download is None or download.over or download.arrived:
            return
        download.total_bytes = int(params["totalBytes"])
        if params["state"] == "canceled":
            # Chromium forgets how much had come; we do not.
            self._give_up(download, "canceled", UNWANTED if download.unwanted else BROKE_OFF)
            return
        download.received_bytes = int(params["receivedBytes"])
        if params["state"] == "completed":
            self._keep(download)
        self.changed.fire()

    def of_tab(self, tab_id: str) -> list[Download]:
        """The downloads that a tab began, oldest first."""
        return [download for download in self.all.values() if download.tab_id == tab_id]

    def listed(self) -> list[Download]:
        """All downloads as they are now, oldest first."""
        self._look()
        return list(self.all.values())

    def get(self, download_id: str) -> Download:
        """The download of this id.

        Raises:
            InputError: there is none.
        """
        self._look()
        download = self.all.get(download_id)
        if download is None:
            known = ", ".join(f"{d.id} ({d.suggested_filename})" for d in self.all.values())
            raise InputError(
                f"There is no download {download_id!r}.",
                hint=f"Downloads: {known or 'none'}.",
                download=download_id,
            )
        return download

    async def wait(self, download_id: str | None, *, timeout_ms: float) -> Download:
        """Wait until a download is over: whole, or without hope.

        Without an id it is the newest one under way, else the newest that ended just now and that
        no reply has told of, else the next one that begins.

        Raises:
            TimedOut: it is still under way, or none began.
        """
        download = self.get(download_id) if download_id else self._expected()
        try:
            async with asyncio.timeout(timeout_ms / 1000):
                if download is None:
                    download = await self._next()
                await self._until_over(download)
        except TimeoutError:
            raise self._too_late(download, timeout_ms) from None
        return download

    async def cancel(self, download_id: str, *, timeout_ms: float) -> Download:
        """Give a download up; its partial file is removed. One that is over stays as it is.

        Raises:
            TimedOut: the browser did not confirm it.
        """
        download = self.get(download_id)
        if download.over:
            return download
        download.unwanted = True
        params = {"guid": download.guid, "browserContextId": self._session.context_id}
        try:
            async with asyncio.timeout(timeout_ms / 1000):
                try:
                    await self._session.browser_command("Browser.cancelDownload", params)
                except ProtocolError as error:
                    logger.debug("%s is over in the browser already: %r", download.id, error)
                await self._until_over(download)
        except TimeoutError:
            raise self._too_late(download, timeout_ms) from None
        return download

    async def _next(self) -> Download:
        number = self._numbers + 1
        await self.changed.until(lambda: self._numbers >= number, possible=self._check)
        return self.all[f"d{number}"]

    async def _until_over(self, download: Download) -> None:
        def over() -> bool:
            self._look()
            return download.over

        await self.changed.until(over)

    def _expected(self) -> Download | None:
        newest_first = self.listed()[::-1]
        under_way = (d for d in newest_first if not d.over)
        since = time.monotonic() - JUST_NOW_S
        untold = (d for d in newest_first if not d.told and d.ended > since)
        return next(under_way, None) or next(untold, None)

    def _too_late(self, download: Download | None, timeout_ms: float) -> TimedOut:
        if download is None:
            return TimedOut(
                "A download",
                timeout_ms,
                hint="None has begun; do what starts it, or raise `timeout`.",
            )
        got = amount(download.received_bytes, download.total_bytes or None)
        return TimedOut(
            f"The download {download.id} of {download.suggested_filename!r}",
            timeout_ms,
            hint=f"It has {got}; wait again with a longer `timeout`, or cancel it.",
            download=download.as_dict(),
        )

    def _connection(self) -> CDPClient | None:
        try:
            client = self._session.browser.client
        except DriverCrashError:
            return None
        return client if client.is_connected else None

    def _check(self) -> None:
        if self._connection() is None:
            raise DriverCrashError("The connection to the browser was lost.")

    def _look(self) -> None:
        """See which downloads will not be heard of again."""
        heard = self._connection()
        for download in list(self.all.values()):
            if not (download.over or download.arrived or download.source is heard):
                self._give_up(download, "interrupted", LOST)

    def _give_up(self, download: Download, state: DownloadState, reason: str) -> None:
        whole = download.received
        for path in (whole, whole.with_name(f"{whole.name}.crdownload")):
            path.unlink(missing_ok=True)
        self._end(download, state, reason)

    def _end(self, download: Download, state: DownloadState, reason: str = "") -> None:
        download.state, download.reason, download.ended = state, reason, time.monotonic()
        self._told(download)
        self.changed.fire()

    def _told(self, download: Download) -> None:
        """Tell those who listen to everything."""
        self._session.report("download", {"tab": download.tab_id, **download.as_dict()})

    def _keep(self, download: Download) -> None:
        """Move and hash the file elsewhere than on the event loop: it may be large."""
        download.arrived = True
        work = asyncio.get_running_loop().run_in_executor(
            None, keep, download.received, self._directory, download.suggested_filename
        )
        work.add_done_callback(lambda done: self._kept(download, done))

    def _kept(self, download: Download, done: asyncio.Future[Kept]) -> None:
        error = asyncio.CancelledError() if done.cancelled() else done.exception()
        if error is None:
            kept = done.result()
            download.path, download.sha256 = kept.path, kept.sha256
            download.received_bytes = download.total_bytes = kept.size
            self._end(download, "completed")
            return
        if not isinstance(error, OSError):
            logger.error("%s could not be kept", download.id, exc_info=error)
        words = getattr(error, "strerror", None) or type(error).__name__
        self._end(download, "failed", f"the file could not be kept: {words}")

    def _forget_old(self) -> None:
        over = [download for download in self.all.values() if download.over]
        for download in over[: max(0, len(over) - REMEMBERED)]:
            del self.all[download.id], self._by_guid[download.guid]


@dataclass(frozen=True)
class Kept:
    """A whole file in its place."""

    path: Path
    size: int
    sha256: str


def keep(received: Path, directory: Callable[[], Path], name: str) -> Kept:
    """Put a whole file into a directory, under its name or a numbered one."""
    # Hashed where it is first: without it, no directory is made and no name is taken.
    with received.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    target = _free_name(directory(), name)
    part = target.with_name(f".{received.name}.part")
    try:
        # To another file system it is copied; the name shows it only when that is done.
        shutil.move(received, part)
        part.chmod(0o600)
        size = part.stat().st_size
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        target.unlink(missing_ok=True)
        raise
    return Kept(target, size, sha256)


def amount(received: int, total: int | None) -> str:
    """How much of a file is here, in words."""
    return f"{received:,} of {total:,} bytes" if total else f"{received:,} bytes"


def safe_name(suggested: str) -> str:
    """The server's file name, reduced to a plain name."""
    name = suggested.replace("\\", "/").rsplit("/", 1)[-1]
    name = "".join(c for c in name if c.isprintable()).strip(" .")
    while len(name.encode("utf-8")) > NAME_BYTES:
        name = name[1:].lstrip(" .")
    return name or "download"


def _free_name(directory: Path, name: str) -> Path:
    """Claim the first free of name, name (1), name (2) …; the claim is an empty file."""
    stem, dot, suffix = name.partition(".")
    number = 0
    while True:
        path = directory / (f"{stem} ({number}){dot}{suffix}" if number else name)
        try:
            path.touch(mode=0o600, exist_ok=False)
        except FileExistsError:
            number += 1
            continue
        return path
