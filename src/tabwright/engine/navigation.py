"""Going somewhere: what happened, told truly. A page, a refusal, an error answer or a download."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from tabwright.engine.cdp import Params, ProtocolError
from tabwright.engine.document import DocumentResponse
from tabwright.engine.download import Download
from tabwright.engine.tab import Tab
from tabwright.errors import InputError, NavigationFailed, NetworkFailed, TimedOut
from tabwright.page import snippet

WaitUntil = Literal["load", "domcontentloaded", "networkidle"]
LIFECYCLE: dict[WaitUntil, str] = {
    "load": "load",
    "domcontentloaded": "DOMContentLoaded",
    "networkidle": "networkIdle",
}
SNIPPET_CHARACTERS = 1000
NOT_YET = "Not attached to an active page"
"""What the browser says while it changes to another page, such as its own for an error."""
RETRY_S = 0.02
ERROR_PAGE_S = 1.0
ABORTED = "net::ERR_ABORTED"
UNSEEN = {"title": "", "snippet": ""}
# How a network error of Chromium is called in a reply.
REASONS = {
    "ERR_NAME_NOT_RESOLVED": ("dns", "the host name does not resolve"),
    "ERR_CONNECTION_REFUSED": ("refused", "nothing listens there"),
    "ERR_CONNECTION_RESET": ("reset", "the server broke the connection"),
    "ERR_CONNECTION_CLOSED": ("closed", "the server closed the connection"),
    "ERR_EMPTY_RESPONSE": ("empty", "the server sent no answer"),
    "ERR_CONNECTION_TIMED_OUT": ("timeout", "the server could not be reached in time"),
    "ERR_TIMED_OUT": ("timeout", "the server did not answer in time"),
    "ERR_ADDRESS_UNREACHABLE": ("unreachable", "there is no route to the host"),
    "ERR_INTERNET_DISCONNECTED": ("offline", "the browser is offline"),
    "ERR_TOO_MANY_REDIRECTS": ("redirects", "the server redirects in a circle"),
    "ERR_BLOCKED_BY_CLIENT": ("blocked", "the request was blocked"),
    "ERR_UNSAFE_PORT": ("blocked", "Chromium refuses this port"),
    "ERR_INVALID_URL": ("url", "Chromium cannot read the address"),
    "ERR_UNKNOWN_URL_SCHEME": ("url", "Chromium does not know this kind of address"),
}


@dataclass
class Arrival:
    """Where a navigation ended."""

    url: str
    status: int | None
    """HTTP status of the document; None where there is none, as for about:blank."""
    title: str
    snippet: str
    load_time: float
    """Milliseconds."""
    download: Download | None = None


async def go_to(tab: Tab, url: str, *, wait_until: WaitUntil, timeout_ms: float) -> Arrival:
    """Open an address and wait until the page is there.

    Raises:
        NetworkFailed: the server was not reached.
        NavigationFailed: the server answered with an error status; the page is loaded.
        TimedOut: not there in time.
    """
    check_local(tab, url)
    journey = _Journey(tab, url, wait_until, timeout_ms)
    return await journey.run(journey.navigate)


def check_local(tab: Tab, url: str) -> None:
    """Refuse a `file:` address outside the caller's directories.

    Read as Chromium reads it: slashes either way, as many as there are, always from the root.
    """
    scheme, _, rest = url.partition(":")
    if scheme.strip().lower() != "file":
        return
    path = unquote(rest.partition("?")[0].partition("#")[0]).replace("\\", "/")
    tab.session.caller.path("/" + path.lstrip("/"))


async def reload(tab: Tab, *, wait_until: WaitUntil, timeout_ms: float) -> Arrival:
    """Load the present address again."""
    journey = _Journey(tab, tab.url, wait_until, timeout_ms)
    return await journey.run(journey.reload)


async def _history(tab: Tab, timeout_ms: float) -> Params:
    deadline = time.monotonic() + timeout_ms / 1000
    while True:
        try:
            return await tab.send("Page.getNavigationHistory")
        except ProtocolError as error:
            if error.reason != NOT_YET or time.monotonic() > deadline:
                raise
        await asyncio.sleep(RETRY_S)


async def step(tab: Tab, by: int, *, wait_until: WaitUntil, timeout_ms: float) -> Arrival:
    """Go back (-1) or forward (1) in the tab's history."""
    history = await _history(tab, timeout_ms)
    index = history["currentIndex"] + by
    if not 0 <= index < len(history["entries"]):
        where = "back" if by < 0 else "forward"
        raise InputError(
            f"There is no page to go {where} to.",
            hint=f"The history of tab {tab.id} has {len(history['entries'])} entries and is at "
            f"{history['currentIndex'] + 1}.",
        )
    entry = history["entries"][index]
    journey = _Journey(tab, entry["url"], wait_until, timeout_ms)
    return await journey.run(lambda: journey.to_entry(entry["id"]))


class _Journey:
    """One navigation from its first command to its end."""

    def __init__(self, tab: Tab, url: str, wait_until: WaitUntil, timeout_ms: float) -> None:
        self.tab = tab
        self.url = url
        self.wait_until: WaitUntil = wait_until
        self.timeout_ms = timeout_ms
        self.began = time.perf_counter()
        self.known = set(tab.session.downloads.all)
        self.loaders = len(tab.loaders)
        self.download: Download | None = None
        tab.begin_act()

    async def run(self, travel: Callable[[], Awaitable[Download | None]]) -> Arrival:
        try:
            async with asyncio.timeout(self.timeout_ms / 1000):
                await self.tab.ready()
                if not await self.tab.is_free():
                    # A page that loops for ever would hold up its own replacement.
                    await self.tab.interrupt()
                return await self._arrived(await travel())
        except TimeoutError:
            if self.download is not None:
                # It has begun, whatever the page behind it is busy with.
                return self._told(self.download, UNSEEN)
            raise await self._too_late() from None
        except asyncio.CancelledError:
            self.tab.post("Page.stopLoading")
            raise

    async def navigate(self) -> Download | None:
        moves = self.tab.document.moves
        answer = await self._command("Page.navigate", {"url": self.url})
        error = answer.get("errorText", "")
        if answer.get("isDownload") or error == ABORTED:
            download = await self._downloaded()
            if download is not None:
                return download
        if error:
            if error != ABORTED:
                await self._error_page(moves)
            raise _network_failed(self.url, error)
        loader = answer.get("loaderId")
        if loader:
            await self._loaded(loader)
        return None

    async def _error_page(self, moves: int) -> None:
        """Wait for Chromium's own page: until it is there, the history ends with the one before."""
        document = self.tab.document
        with suppress(TimeoutError):
            async with asyncio.timeout(ERROR_PAGE_S):
                await self.tab.until(lambda: document.failed and document.moves != moves)

    async def reload(self) -> None:
        before = self.tab.document.loader_id
        await self._command("Page.reload", {})
        await self.tab.until(lambda: self.tab.document.loader_id != before)
        await self._loaded(self.tab.document.loader_id)

    async def to_entry(self, entry_id: int) -> None:
        moves = self.tab.document.moves
        await self._command("Page.navigateToHistoryEntry", {"entryId": entry_id})
        await self.tab.until(lambda: self.tab.document.moves != moves)
        await self._loaded(self.tab.document.loader_id)

    async def _command(self, method: str, params: Params) -> Params:
        try:
            return await self.tab.send(method, params)
        except ProtocolError as error:
            raise NavigationFailed(
                f"Cannot open {self.url!r}: {error.reason}.",
                hint="Give a whole address such as 'https://example.com/'.",
                url=self.url,
            ) from error

    async def _loaded(self, loader: str) -> None:
        """Wait for the state, also through a redirect that the page itself starts meanwhile."""
        state, tab = LIFECYCLE[self.wait_until], self.tab

        def there() -> bool:
            document = tab.document
            if document.loader_id != loader and loader not in tab.loaders:
                return False
            return document.has(state) and not document.pending_loader

        await tab.until(there)

    async def _downloaded(self) -> Download | None:
        downloads = self.tab.session.downloads

        def begun() -> list[Download]:
            return [d for d in downloads.of_tab(self.tab.id) if d.id not in self.known]

        # The event comes on another channel than the answer, but always at once.
        try:
            async with asyncio.timeout(1):
                await downloads.changed.until(lambda: bool(begun()), possible=self.tab.check)
        except TimeoutError:
            return None
        self.download = download = begun()[-1]
        left = self.timeout_ms / 1000 - (time.perf_counter() - self.began) - 0.05
        try:
            async with asyncio.timeout(max(left, 0.01)):
                await downloads.changed.until(
                    lambda: download.state != "in_progress", possible=self.tab.check
                )
        except TimeoutError:
            return download
        return download

    async def _arrived(self, download: Download | None) -> Arrival:
        return self._told(download, await self._look(follow=download is None))

    def _told(self, download: Download | None, shown: dict[str, str]) -> Arrival:
        tab = self.tab
        check_local(tab, tab.url)
        if download is None and tab.document.failed:
            raise _network_failed(tab.url, tab.load_error or "net::ERR_FAILED")
        response = self._response()
        arrival = Arrival(
            url=tab.url,
            status=response.status if response else None,
            title=shown["title"],
            snippet=shown["snippet"],
            load_time=round((time.perf_counter() - self.began) * 1000, 1),
            download=download,
        )
        if download is None and arrival.status is not None and arrival.status >= 400:
            raise NavigationFailed(
                f"{arrival.url!r} answered with HTTP {arrival.status}.",
                hint="The page is loaded and can be looked at; check the address.",
                status=arrival.status,
                url=arrival.url,
                title=arrival.title,
                snippet=arrival.snippet,
                loadTime=arrival.load_time,
            )
        return arrival

    async def _look(self, *, follow: bool) -> dict[str, str]:
        """Title and beginning of one and the same document; one that goes on is followed."""
        tab = self.tab
        while True:
            loader = tab.document.loader_id
            tab.stirred = False
            shown, _ = await asyncio.gather(self._shown(), tab.session.save())
            onward = follow and bool(tab.document.pending_loader)
            if shown is not None and tab.document.loader_id == loader and not onward:
                return shown
            await self._loaded(loader)

    async def _shown(self) -> dict[str, str] | None:
        try:
            return await self.tab.run(snippet(), SNIPPET_CHARACTERS)
        except ProtocolError as error:
            if not error.moved:
                raise
            return None

    def _response(self) -> DocumentResponse | None:
        response = self.tab.responses.get(self.tab.document.loader_id)
        if response is None or not response.url.startswith(("http:", "https:")):
            return None
        return response

    async def _too_late(self) -> TimedOut:
        tab = self.tab
        tab.post("Page.stopLoading")
        reached = sorted(tab.document.reached & set(LIFECYCLE.values()))
        return TimedOut(
            f"Opening {self.url!r} (waiting for {self.wait_until})",
            self.timeout_ms,
            hint="Raise `timeout`, or wait for less, such as waitUntil 'domcontentloaded'.",
            url=self.url,
            currentUrl=tab.url,
            reached=reached or None,
        )


def _network_failed(url: str, error: str) -> NetworkFailed | NavigationFailed:
    name = error.removeprefix("net::")
    reason, words = REASONS.get(name, ("network", "the request failed"))
    kind = NavigationFailed if name.startswith("ERR_ABORTED") else NetworkFailed
    return kind(
        f"Cannot reach {url!r}: {words} ({error}).",
        hint="Check the address and that the server is up.",
        url=url,
        netError=error,
        reason=reason,
    )
