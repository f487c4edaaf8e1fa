"""Downloads of a session: begun, under way, whole. A partial file is never called done."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tabwright.engine.cdp import Params
from tabwright.engine.waiters import Signal

DownloadState = Literal["in_progress", "completed", "canceled"]
STATES: dict[str, DownloadState] = {
    "inProgress": "in_progress",
    "completed": "completed",
    "canceled": "canceled",
}
NAME_BYTES = 200


@dataclass
class Download:
    """One file on its way."""

    id: str
    tab_id: str
    url: str
    suggested_filename: str
    state: DownloadState = "in_progress"
    received_bytes: int = 0
    total_bytes: int = 0
    path: Path | None = None
    """Where the whole file is; None until it is whole."""

    def as_dict(self) -> dict[str, Any]:
        """As replies carry it."""
        return {
            "path": str(self.path) if self.path else None,
            "suggestedFilename": self.suggested_filename,
            "sizeBytes": self.received_bytes,
            "state": self.state,
            "url": self.url,
        }


class Downloads:
    """The downloads of one session, newest last."""

    def __init__(self, incoming: Callable[[], Path], directory: Callable[[], Path]) -> None:
        self.all: dict[str, Download] = {}
        self.changed = Signal()
        self._incoming = incoming
        self._directory = directory

    def began(self, params: Params, tab_id: str) -> Download:
        """The browser began to receive a file."""
        download = Download(
            params["guid"], tab_id, params["url"], safe_name(params["suggestedFilename"])
        )
        self.all[download.id] = download
        self.changed.fire()
        return download

    def went_on(self, params: Params) -> None:
        """More of the file is here, or all of it, or it was given up."""
        download = self.all.get(params["guid"])
        if download is None:
            return
        download.received_bytes = int(params["receivedBytes"])
        download.total_bytes = int(params["totalBytes"])
        state = STATES[params["state"]]
        if state == "completed" and download.state != "completed":
            self._finish(download)
        download.state = state
        self.changed.fire()

    def of_tab(self, tab_id: str) -> list[Download]:
        """The downloads that a tab began, oldest first."""
        return [download for download in self.all.values() if download.tab_id == tab_id]

    def _finish(self, download: Download) -> None:
        received = self._incoming() / download.id
        target = _free_name(self._directory(), download.suggested_filename)
        shutil.move(received, target)
        target.chmod(0o600)
        download.path = target
        download.received_bytes = target.stat().st_size


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
