"""A tab's network requests: which are under way, which ended and how, and when there is silence.

What Chromium does not tell, and what is done about it:
- Requests of a document that is left end without an event, in its child frames as well: they are
  ended here when the frame shows another document.
- A frame that changes its process begins its document's request in one protocol session and ends
  it in another, and a worker's script likewise: ids that the browser process made count in all.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from tabwright.engine.cdp import CDPClient, Handler, Params
from tabwright.engine.glob import url_pattern
from tabwright.engine.waiters import Signal

REMEMBERED = 1000
URL_CHARACTERS = 4000
SLOW_BODY_S = 3.0
# A page waits for documents, styles, scripts, images, fonts, text tracks, XHR, fetch, signed
# exchanges, FedCM, whatever is "Other", and types to come. It does not wait for what it only sends
# (Ping, CSPViolationReport), what is for later (Prefetch, Manifest), nor twice for one request
# (Preflight). EventSource, WebSocket and Media have no end to wait for: they are streams.
UNCOUNTED = frozenset({"Ping", "CSPViolationReport", "Prefetch", "Manifest", "Preflight"})
STREAM_TYPES = frozenset({"EventSource", "WebSocket", "Media"})
STREAM_MIME_TYPES = frozenset(
    {
        "text/event-stream",
        "multipart/x-mixed-replace",
        "application/x-ndjson",
        "application/ndjson",
        "application/jsonl",
        "application/x-jsonlines",
        "application/json-seq",
        "application/stream+json",
    }
)
LEFT = "its document was left"
UNHEARD = "its page or frame is gone"
Now = Callable[[], float]


@dataclass(eq=False)
class Request:
    """One request, or one leg of it: a redirect ends a leg with its status and begins another."""

    number: int
    """Its place in the ledger."""
    id: str
    """Chromium's id, the same for all legs."""
    session_id: str
    """The protocol session that spoke of it last."""
    url: str
    """Without its fragment, cut if it is very long."""
    method: str
    type: str
    """Resource type of the protocol: Document, Script, Fetch …"""
    frame_id: str
    loader_id: str
    """The document that asked for it; for a navigation, the document that it brings."""
    started: float
    """Monotonic time, as are the others."""
    responded: float | None = None
    ended: float | None = None
    status: int | None = None
    mime_type: str = ""
    failure: str = ""
    """Why there is no whole answer: Chromium's error, or why we do not expect one any more."""
    cached: bool = False
    """Whether it was answered without asking the server."""
    now: Now = field(default=time.monotonic, repr=False)

    @property
    def counted(self) -> bool:
        """Whether the page may be said to wait for it."""
        # What the browser process asks for without a document is a preflight or the script of a
        # worker, whose end is told to the worker's session only.
        return self.type not in UNCOUNTED and bool(self.loader_id or "." in self.id)

    @property
    def endless(self) -> str:
        """Why it has no end to wait for, by its kind; empty if it has."""
        if self.type in STREAM_TYPES:
            return self.type
        return self.mime_type if self.mime_type in STREAM_MIME_TYPES else ""

    @property
    def stream(self) -> str:
        """Why it is a stream, such as `EventSource`; empty if it is none."""
        if self.endless or self.responded is None:
            return self.endless
        open_s = (self.now() if self.ended is None else self.ended) - self.responded
        return f"body open for {SLOW_BODY_S:g} s" if open_s >= SLOW_BODY_S else ""

    @property
    def navigates(self) -> bool:
        """Whether it brings a document to its frame."""
        return self.id == self.loader_id


class Traffic:
    """The ledger of one tab, kept from the events of its page's session and its frames'."""

    def __init__(self, now: Now = time.monotonic) -> None:
        self.changed = Signal()
        """Fires when a request begins, is answered or ends."""
        self.last_end = 0.0
        """When a request that counts last ended; streams do not count."""
        self._now = now
        self._next = 1
        self._changes = 0
        self._open: dict[tuple[str, str], Request] = {}
        self._ended: deque[Request] = deque(maxlen=REMEMBERED)
        self._parents: dict[str, str] = {}
        self._clients: dict[str, CDPClient] = {}
        self._handlers: dict[str, Handler] = {
            "Network.requestWillBeSent": self._begun,
            "Network.requestServedFromCache": self._from_cache,
            "Network.responseReceived": self._responded,
            "Network.loadingFinished": self._finished,
            "Network.loadingFailed": self._failed,
            "Network.webSocketCreated": self._socket_begun,
            "Network.webSocketHandshakeResponseReceived": self._responded,
            "Network.webSocketClosed": self._finished,
            "Page.frameAttached": self._frame_came,
            "Page.frameDetached": self._frame_went,
            "Page.frameNavigated": self._navigated,
        }

    def listen(self, client: CDPClient, session_id: str) -> None:
        """Keep the requests of a page's, frame's or worker's session.

        The caller enables the domains Network and Page.
        """
        self._clients[session_id] = client
        for event, handler in self._handlers.items():
            client.on(event, handler, session_id=session_id)

    def forget(self, session_id: str) -> None:
        """A session ended, or its connection was lost: what it left open is waited for no more."""
        client = self._clients.pop(session_id, None)
        if client is not None:
            for event, handler in self._handlers.items():
                client.off(event, handler, session_id=session_id)
        for row in list(self._open.values()):
            # The frame may only have changed its process: another session tells the end.
            moves = row.navigates and row.responded is not None and bool(self._clients)
            if row.session_id == session_id and not moves:
                self._end(row, UNHEARD)
        self._fire()

    def forget_all(self) -> None:
        """The page or the connection is gone; whoever waits looks whether it can still come."""
        for session_id in list(self._clients):
            self.forget(session_id)
        self._fire()

    def mark(self) -> int:
        """This point in the ledger, for `since` and the like; it stays valid for ever."""
        return self._next

    def since(self, mark: int) -> list[Request]:
        """The requests that began at a mark or later, oldest first.

        All that are open are here; of those that ended, the last thousand.
        """
        if mark >= self._next:
            return []
        rows = [row for row in (*self._ended, *self._open.values()) if row.number >= mark]
        return sorted(rows, key=lambda row: row.number)

    def pending(self, since: int = 0) -> list[Request]:
        """The requests that the page waits for."""
        return [
            row
            for row in self._open.values()
            if row.number >= since and row.counted and not row.stream
        ]

    def awaited(self, mark: int) -> list[Request]:
        """The requests since a mark that the page waits for or has waited for."""
        return [row for row in self.since(mark) if row.counted and not row.endless]

    def streams(self) -> list[Request]:
        """What is open and has no end to wait for."""
        return [row for row in self._open.values() if row.stream]

    async def idle(
        self, quiet_ms: float, *, possible: Callable[[], None], after: float | None = None
    ) -> None:
        """Wait until no request that counts has been open for `quiet_ms`.

        The silence is counted from the end of the last one, but at the earliest from the call, or
        from the moment `after`: what was just done may be about to ask for something.
        """
        start = self._now() if after is None else after
        while True:
            possible()
            pending = self.pending()
            if pending:
                await self._change(_streams_in_s(pending, self._now()), possible)
                continue
            left_s = max(start, self.last_end) + quiet_ms / 1000 - self._now()
            if left_s <= 0:
                return
            await self._change(left_s, possible)

    async def request(
        self,
        pattern: str,
        *,
        possible: Callable[[], None],
        method: str = "",
        status: int | None = None,
        since: int = 0,
    ) -> Request:
        """Wait for the first request since a mark whose address fits; with `status`, answered so.

        Raises:
            InputError: the pattern cannot be read; see `glob`.
        """
        address = url_pattern(pattern)

        def fits(row: Request) -> bool:
            by_status = status is None or row.status == status
            by_method = not method or row.method == method.upper()
            return by_status and by_method and address.search(row.url) is not None

        def found() -> Request | None:
            return next(filter(fits, self.since(since)), None)

        await self.changed.until(lambda: found() is not None, possible=possible)
        row = found()
        assert row is not None
        return row

    async def _change(self, within_s: float | None, possible: Callable[[], None]) -> None:
        seen = self._changes
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self.changed.until(lambda: self._changes != seen, possible=possible)

    def _fire(self) -> None:
        self._changes += 1
        self.changed.fire()

    def _begun(self, params: Params, session: str | None) -> None:
        earlier = self._row(params, session)
        if earlier is not None:
            if "redirectResponse" not in params:
                return
            self._answer(earlier, params["redirectResponse"])
            self._end(earlier)
        asked = params["request"]
        self._begin(params, session, asked["url"], asked["method"], _type(params))

    def _socket_begun(self, params: Params, session: str | None) -> None:
        self._begin(params, session, params["url"], "GET", "WebSocket")

    def _begin(
        self, params: Params, session: str | None, url: str, method: str, type_: str
    ) -> None:
        cut = url if len(url) <= URL_CHARACTERS else f"{url[:URL_CHARACTERS]}…"
        row = Request(
            number=self._next,
            id=params["requestId"],
            session_id=session or "",
            url=cut,
            method=method,
            type=type_,
            frame_id=params.get("frameId", ""),
            loader_id=params.get("loaderId", ""),
            started=self._now(),
            now=self._now,
        )
        self._next += 1
        self._open[_key(row.id, row.session_id)] = row
        self._fire()

    def _responded(self, params: Params, session: str | None) -> None:
        row = self._row(params, session)
        if row is not None:
            if row.type == "Other":
                row.type = params["type"]
            self._answer(row, params["response"])
            self._fire()

    def _answer(self, row: Request, response: Params) -> None:
        row.responded = self._now()
        row.status = response["status"]
        row.mime_type = response.get("mimeType", "").lower()
        row.cached = row.cached or bool(response.get("fromDiskCache"))

    def _from_cache(self, params: Params, session: str | None) -> None:
        row = self._row(params, session)
        if row is not None:
            row.cached = True

    def _finished(self, params: Params, session: str | None) -> None:
        row = self._row(params, session)
        if row is not None:
            self._end(row)

    def _failed(self, params: Params, session: str | None) -> None:
        row = self._row(params, session)
        if row is not None:
            self._end(row, params["errorText"] or params.get("blockedReason") or "canceled")

    def _frame_came(self, params: Params, _: str | None) -> None:
        self._parents[params["frameId"]] = params["parentFrameId"]

    def _frame_went(self, params: Params, _: str | None) -> None:
        if params.get("reason") != "swap":
            self._leave(params["frameId"], lambda _: True)
            self._parents.pop(params["frameId"], None)

    def _navigated(self, params: Params, _: str | None) -> None:
        frame = params["frame"]
        own, loader = frame["id"], frame["loaderId"]

        def old(row: Request) -> bool:
            onward = row.frame_id == own and row.navigates and row.responded is None
            return row.loader_id != loader and not onward

        if "parentId" in frame:
            self._parents[own] = frame["parentId"]
            self._leave(own, old)
        else:
            self._parents.clear()
            self._end_all(row for row in self._open.values() if old(row))

    def _leave(self, frame_id: str, chosen: Callable[[Request], bool]) -> None:
        rows = self._open.values()
        self._end_all(row for row in rows if self._within(row.frame_id, frame_id) and chosen(row))

    def _within(self, frame_id: str, ancestor: str) -> bool:
        seen: set[str] = set()
        while frame_id and frame_id != ancestor and frame_id not in seen:
            seen.add(frame_id)
            frame_id = self._parents.get(frame_id, "")
        return frame_id == ancestor

    def _end_all(self, rows: Iterable[Request]) -> None:
        for row in list(rows):
            self._end(row, LEFT)

    def _end(self, row: Request, failure: str = "") -> None:
        row.ended, row.failure = self._now(), failure
        del self._open[_key(row.id, row.session_id)]
        self._ended.append(row)
        if row.counted and not row.endless:
            self.last_end = row.ended
        self._fire()

    def _row(self, params: Params, session: str | None) -> Request | None:
        """The open request that an event speaks of."""
        row = self._open.get(_key(params["requestId"], session or ""))
        if row is not None:
            row.session_id = session or ""
        return row


def _key(request_id: str, session_id: str) -> tuple[str, str]:
    """A renderer's ids (`4711.8`) count in its session, the browser's own in all of them."""
    return (session_id if "." in request_id else "", request_id)


def _type(params: Params) -> str:
    """The resource type; what Chromium calls `Other` may be known by its circumstances."""
    if params["initiator"]["type"] == "preflight":
        return "Preflight"
    if "Sec-Purpose" in params["request"]["headers"]:
        return "Prefetch"
    return params.get("type", "Other")


def _streams_in_s(pending: list[Request], now: float) -> float | None:
    """How long until all of these count as streams; None if an event must come first."""
    answered = [row.responded for row in pending if row.responded is not None]
    if len(answered) < len(pending):
        return None
    return max(max(answered) + SLOW_BODY_S - now, 0)
