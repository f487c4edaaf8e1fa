"""Going to pages: navigate, back, forward, reload."""

import re
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator

from tabwright.engine import navigation
from tabwright.engine.artifacts import Artifact
from tabwright.engine.navigation import Arrival, WaitUntil
from tabwright.engine.tab import Tab
from tabwright.verb import Params, Positional, Result, Timeout, verb

MAX_URL = 2_000_000
_SCHEME = re.compile(
    r"^(?:([a-z][a-z0-9+.-]*)://|(about|data|blob|javascript|mailto|file):)", re.IGNORECASE
)
_LOCAL = re.compile(r"^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)(:|/|$)", re.IGNORECASE)
_HOST = re.compile(r"^(\[[0-9a-fA-F:.]+\]|[^\s/:@?#]+)(:\d+)?([/?#]|$)")
_NO_HOST = re.compile(r"[\s<>\"{}|\\^`]|%(?![0-9a-fA-F]{2})")
ALLOWED = ("http", "https", "about", "data", "blob", "file")


def address(given: str) -> str:
    """A whole address: `example.com` gets https, `localhost:3000` gets http."""
    text = given.strip()
    if not text or len(text) > MAX_URL or any(ord(c) < 32 for c in text):
        raise ValueError("must be an address such as 'https://example.com/'")
    found = _SCHEME.match(text)
    if found is None:
        if not _HOST.match(text):
            raise ValueError("must be an address such as 'https://example.com/'")
        whole = f"{'http' if _LOCAL.match(text) else 'https'}://{text}"
        _check_host(whole, "http")
        return whole
    scheme = (found[1] or found[2]).lower()
    if scheme not in ALLOWED:
        raise ValueError(f"must not be a {scheme}: address; allowed are {', '.join(ALLOWED)}")
    _check_host(text, scheme)
    return text


def _check_host(text: str, scheme: str) -> None:
    if scheme not in ("http", "https"):
        return
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise ValueError(f"is not a valid address ({error})") from None
    if not parts.hostname or port == 0:
        raise ValueError("needs a host, as in 'https://example.com/'")
    if _NO_HOST.search(parts.hostname):
        raise ValueError("has a host with characters that no host can have")


Url = Annotated[str, AfterValidator(address), Positional]


class Loading(Params):
    """How long to wait for a page, and for what."""

    wait_until: WaitUntil = "load"
    """load: all resources; domcontentloaded: the document; networkidle: 500 ms of silence."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""


class Navigate(Loading):
    """Where to go."""

    example: ClassVar[dict[str, Any]] = {"url": "https://example.com/"}

    url: Url
    """Address to open."""


class Arrived(Result):
    """Where the tab is now."""

    url: str
    """Address after redirects."""

    status: int | None
    """HTTP status; null for addresses without one, such as about:blank."""

    title: str
    """Title of the document."""

    snippet: str
    """Beginning of the visible text."""

    load_time: float
    """Milliseconds until the awaited state."""

    download: dict[str, Any] | None = None
    """Set when the address was a file: id, path, suggestedFilename, sizeBytes, sha256, state."""

    @classmethod
    def of(cls, arrival: Arrival) -> Self:
        """The result of a navigation."""
        return cls(
            url=arrival.url,
            status=arrival.status,
            title=arrival.title,
            snippet=arrival.snippet,
            load_time=arrival.load_time,
            download=arrival.download.tell() if arrival.download else None,
        )

    def files(self) -> list[Artifact]:
        """The file, when the address was one and it is whole."""
        if self.download is None or self.download["path"] is None:
            return []
        path = Path(self.download["path"])
        return [Artifact(path, "application/octet-stream", self.download["sizeBytes"])]

    def text(self) -> str:
        """One line for the address, then the beginning of the page."""
        if self.download is not None:
            return _download_text(self.download)
        status = "" if self.status in (None, 200) else f" (HTTP {self.status})"
        return f"{self.title or 'Untitled'} - {self.url}{status}\n{self.snippet}".rstrip()


@verb(effect="act", repeatable=True)
async def navigate(tab: Tab, params: Navigate) -> Arrived:
    """Open an address in the current tab and wait until the page is there.

    Fails with the cause when the server is not reached, answers with an error status, or takes
    too long. An address that is a file is downloaded, and the reply says where it is.
    """
    return Arrived.of(
        await navigation.go_to(
            tab, params.url, wait_until=params.wait_until, timeout_ms=params.timeout
        )
    )


@verb(effect="act")
async def back(tab: Tab, params: Loading) -> Arrived:
    """Go back to the page before in the tab's history."""
    return Arrived.of(
        await navigation.step(tab, -1, wait_until=params.wait_until, timeout_ms=params.timeout)
    )


@verb(effect="act")
async def forward(tab: Tab, params: Loading) -> Arrived:
    """Go forward to the next page in the tab's history."""
    return Arrived.of(
        await navigation.step(tab, 1, wait_until=params.wait_until, timeout_ms=params.timeout)
    )


@verb(effect="act", repeatable=True)
async def reload(tab: Tab, params: Loading) -> Arrived:
    """Load the current page again, also one whose script hangs."""
    return Arrived.of(
        await navigation.reload(tab, wait_until=params.wait_until, timeout_ms=params.timeout)
    )


def _download_text(download: dict[str, Any]) -> str:
    name = download["suggestedFilename"]
    if download["state"] == "completed":
        return f"Downloaded {name} ({download['sizeBytes']} bytes) to {download['path']}"
    if download["state"] == "in_progress":
        return f"The download of {name} is under way: {download['sizeBytes']} bytes so far."
    ended = "failed" if download["state"] == "failed" else f"was {download['state']}"
    return f"The download of {name} {ended}: {download['reason']}; there is no file."
