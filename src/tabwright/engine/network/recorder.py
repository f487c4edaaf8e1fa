"""Keeping the network log from the protocol's events.

What Chromium does not tell, and what is done about it:
- Requests of a document that is left end without an event. They are ended when the frame shows
  another document or is gone; an end that comes after all is believed.
- A worker's script, and the document of a frame that changes its process, begin in one protocol
  session and end in another; the wire's headers of a worker's requests come to its page's session.
  Chromium's ids are unique in the browser, so the session that speaks does not matter.
- An address that is `data:` or `blob:` asks nobody: such requests are left out.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from tabwright.engine.cdp import Params
from tabwright.engine.network.failure import (
    DOWNLOAD,
    LEFT,
    Failure,
    failure_by_name,
    failure_of,
)
from tabwright.engine.network.log import FIRST_ERROR, Log
from tabwright.engine.network.record import (
    MESSAGE_CHARACTERS,
    AnswerSource,
    Initiator,
    Message,
    Record,
    Stream,
)
from tabwright.engine.source import Source

if TYPE_CHECKING:
    from tabwright.engine.session import Session

URL_CHARACTERS = 4000
POST_CHARACTERS = 65_536
BODIES_BYTES = 10_000_000
BODY_BYTES = 5_000_000
REFUSED_COOKIES = 20
NOT_ASKED = ("data:", "blob:")
TEXT_OPCODE = 1
OTHER = "other"
# Chromium does not read the body of an error that came instead of these.
UNREAD = ("script", "stylesheet")
Told = Callable[[Params, Source], None]


class Network:
    """The log of a conversation, fed from its pages, frames and workers."""

    def __init__(self, session: Session) -> None:
        self.log = Log()
        self._session = session
        self._events: dict[str, Told] = {
            "requestWillBeSent": self._begun,
            "requestWillBeSentExtraInfo": self._asked_on_wire,
            "requestServedFromCache": self._from_memory,
            "responseReceived": self._responded,
            "responseReceivedExtraInfo": self._answered_on_wire,
            "dataReceived": self._received,
            "loadingFinished": self._finished,
            "loadingFailed": self._failed,
            "webSocketCreated": self._socket_begun,
            "webSocketWillSendHandshakeRequest": self._socket_asked,
            "webSocketHandshakeResponseReceived": self._socket_answered,
            "webSocketFrameSent": lambda event, _: self._socket_message(event, sent=True),
            "webSocketFrameReceived": lambda event, _: self._socket_message(event, sent=False),
            "webSocketFrameError": self._socket_failed,
            "webSocketClosed": self._socket_closed,
            "eventSourceMessageReceived": self._event_came,
        }
        session.sources.each(self._listen, self._went)

    def _listen(self, source: Source) -> None:
        for name, told in self._events.items():
            source.on(
                f"Network.{name}", lambda event, _, told=told, source=source: told(event, source)
            )
        source.on("Inspector.targetCrashed", lambda _event, _: self._went(source))
        if source.kind in ("page", "frame"):
            for name in ("Page.frameNavigated", "Page.frameDetached"):
                source.on(name, lambda event, _: self._left(event, source))
        source.post("Network.enable", {"maxPostDataSize": POST_CHARACTERS})
        # Without this the bodies of a document's requests are gone when the document is.
        limits = {"maxTotalBufferSize": BODIES_BYTES, "maxResourceBufferSize": BODY_BYTES}
        source.post("Network.configureDurableMessages", limits)

    def _went(self, source: Source) -> None:
        for record in self.log:
            if record.pending and record.session_id == source.session_id:
                self._end(record, time.time() - record.wall + record.began, LEFT)

    def _left(self, event: Params, source: Source) -> None:
        tab = self._session.tabs.get(source.tab)
        frame = event.get("frame", {})
        for record in self.log:
            if not record.pending or record.tab != source.tab or not record.frame_id:
                continue
            onward = record.navigates and record.responded is None
            replaced = record.frame_id == frame.get("id") and record.loader_id != frame["loaderId"]
            gone = tab is not None and record.frame_id not in tab.frames
            if gone or (replaced and not onward):
                self._end(record, time.time() - record.wall + record.began, LEFT)

    def _begun(self, event: Params, source: Source) -> None:
        chain = self.log.chain(event["requestId"])
        earlier = chain.legs[-1] if chain else None
        if earlier is not None:
            if "redirectResponse" not in event:
                return
            earlier.told = bool(event.get("redirectHasExtraInfo"))
            self._answer(earlier, event["redirectResponse"], event["timestamp"])
            self._end(earlier, event["timestamp"])
        asked = event["request"]
        url = asked["url"] + asked.get("urlFragment", "")
        if url.startswith(NOT_ASKED):
            return
        record = self._record(event, source, url, asked["method"], _type(event))
        record.wall, record.began = event["wallTime"], event["timestamp"]
        record.request_headers = asked["headers"]
        record.post_data = _post_data(asked)
        record.has_post_data = bool(asked.get("hasPostData"))
        if earlier is not None:
            record.redirected_from, earlier.redirected_to = earlier.number, record.number
            record.initiator = earlier.initiator
        self.log.add(record)
        self.log.grew(record, _size(record.request_headers))
        self._told("request", record)

    def _record(self, event: Params, source: Source, url: str, method: str, kind: str) -> Record:
        frame_id = event.get("frameId", "")
        tab = self._session.tabs.get(source.tab)
        of_frame = source.kind == "page" and tab is not None and frame_id not in ("", tab.target_id)
        return Record(
            number=self.log.next_number,
            request_id=event["requestId"],
            session_id=source.session_id,
            context="frame" if of_frame else source.kind,
            tab=source.tab,
            url=url if len(url) <= URL_CHARACTERS else f"{url[:URL_CHARACTERS]}…",
            method=method,
            type=kind,
            frame_id=frame_id,
            loader_id=event.get("loaderId", ""),
            wall=0.0,
            began=0.0,
            initiator=Initiator.of(event.get("initiator") or {"type": OTHER}),
            request_headers={},
        )

    def _unheard_script(self, event: Params, source: Source) -> Record | None:
        """The script of a service worker may be asked for before the worker can be listened to."""
        url = event["response"]["url"]
        if source.kind != "service-worker" or url != source.url:
            return None
        record = self._record(event, source, url, "GET", "script")
        record.wall, record.began = time.time(), event["timestamp"]
        self.log.add(record)
        return record

    def _asked_on_wire(self, event: Params, _: Source) -> None:
        chain = self.log.heard(event["requestId"])
        chain.asked.append(event["headers"])
        chain.match()
        if chain.legs:
            self.log.grew(chain.legs[-1], _size(event["headers"]))

    def _answered_on_wire(self, event: Params, _: Source) -> None:
        chain = self.log.heard(event["requestId"])
        refused = [
            f"{_cookie_name(each['cookieLine'])}: {', '.join(each['blockedReasons'])}"
            for each in event.get("blockedCookies", ())[:REFUSED_COOKIES]
        ]
        answer = {"headers": event["headers"], "status": event["statusCode"], "refused": refused}
        chain.answered.append(answer)
        chain.match()

    def _from_memory(self, event: Params, source: Source) -> None:
        record = self._of(event, source)
        if record is not None:
            record.source = "memory-cache"

    def _responded(self, event: Params, source: Source) -> None:
        record = self._of(event, source) or self._unheard_script(event, source)
        if record is None:
            return
        if record.type == OTHER:
            record.type = _later_type(event)
        memory = record.source == "memory-cache"
        record.told = bool(event.get("hasExtraInfo")) and not memory
        self._answer(record, event["response"], event["timestamp"])
        if memory:
            record.encoded_bytes = 0

    def _answer(self, record: Record, response: Params, moment: float) -> None:
        record.timing = response.get("timing") if record.source != "memory-cache" else None
        record.responded = _head_at(record, moment)
        record.status = response["status"]
        record.status_text = response.get("statusText", "")
        record.mime_type = response.get("mimeType", "").lower()
        record.protocol = response.get("protocol", "")
        record.response_headers = response["headers"]
        record.source = record.source or _source(response)
        record.worker_source = response.get("serviceWorkerResponseSource", "")
        record.encoded_bytes = max(int(response.get("encodedDataLength") or 0), 0)
        if response.get("remoteIPAddress"):
            record.remote = f"{response['remoteIPAddress']}:{response.get('remotePort', '')}"
        chain = self.log.chain(record.request_id)
        if chain is not None:
            chain.match()
            if chain.made and record.source == "network":
                record.source = "route"
        self.log.grew(record, _size(record.response_headers))

    def _received(self, event: Params, source: Source) -> None:
        record = self._of(event, source)
        if record is not None:
            record.decoded_bytes += event["dataLength"]
            record.encoded_bytes += event["encodedDataLength"]

    def _finished(self, event: Params, source: Source) -> None:
        record = self._of(event, source)
        if record is not None:
            whole = int(event["encodedDataLength"])
            # Of a service worker's answer it counts the head only, of a worker's script likewise.
            record.encoded_bytes = max(whole, record.encoded_bytes)
            self._end(record, event["timestamp"])

    def _failed(self, event: Params, source: Source) -> None:
        record = self._of(event, source)
        if record is None:
            return
        chain = self.log.chain(record.request_id)
        if record.told is None and chain is not None:
            # It was answered, but the page may not see how, as when CORS forbids it.
            record.told = len(chain.asked) >= len(chain.legs)
            chain.match()
        self._end(record, event["timestamp"], _failure(record, event))

    def _socket_begun(self, event: Params, source: Source) -> None:
        record = self._record(event, source, event["url"], "GET", "websocket")
        # The beginning of a WebSocket is the one event without a time.
        record.wall, record.began = time.time(), 0.0
        record.stream = Stream()
        self.log.add(record)
        self._told("request", record)

    def _socket_asked(self, event: Params, source: Source) -> None:
        record = self._of(event, source)
        if record is not None:
            record.wall, record.began = event["wallTime"], event["timestamp"]
            record.request_headers = event["request"]["headers"]

    def _socket_answered(self, event: Params, source: Source) -> None:
        record = self._of(event, source)
        if record is not None:
            self._answer(record, event["response"], event["timestamp"])

    def _socket_message(self, event: Params, *, sent: bool) -> None:
        frame = event["response"]
        record = self._of(event, None)
        if record is None or record.stream is None:
            return
        kind = "text" if frame["opcode"] == TEXT_OPCODE else "binary"
        self._message(record, kind, frame["payloadData"], event["timestamp"], sent=sent)

    def _event_came(self, event: Params, source: Source) -> None:
        record = self._of(event, source)
        if record is not None:
            record.stream = record.stream or Stream()
            name = event["eventName"] or "message"
            self._message(record, name, event["data"], event["timestamp"], sent=False)

    def _message(self, record: Record, kind: str, data: str, at: float, *, sent: bool) -> None:
        assert record.stream is not None
        before = len(record.stream.last)
        kept = data[:MESSAGE_CHARACTERS]
        direction = "sent" if sent else "received"
        record.stream.add(Message(direction, at, kind, kept, len(data)))
        if len(record.stream.last) > before:
            self.log.grew(record, MESSAGE_CHARACTERS)

    def _socket_failed(self, event: Params, source: Source) -> None:
        record = self._of(event, source)
        if record is not None:
            name = event["errorMessage"].rpartition(" ")[2]
            known = failure_by_name(name)
            record.failure = (
                known if known.kind != OTHER else Failure("other", event["errorMessage"])
            )

    def _socket_closed(self, event: Params, source: Source) -> None:
        record = self._of(event, source)
        if record is not None:
            record.began = record.began or event["timestamp"]
            self._end(record, event["timestamp"], record.failure)

    def _end(self, record: Record, moment: float, failure: Failure | None = None) -> None:
        record.ended, record.failure = moment, failure
        chain = self.log.chain(record.request_id)
        if chain is not None and chain.route:
            record.route, chain.route, chain.made = chain.route, "", False
        if record.responded is not None:
            record.responded = min(record.responded, moment)
        self._told("response", record)

    def _told(self, event: str, record: Record) -> None:
        """Tell those who listen to everything."""
        facts: dict[str, object] = {
            "tab": record.tab,
            "id": record.id,
            "method": record.method,
            "url": record.url,
            "type": record.type,
        }
        if event == "response":
            facts["status"] = record.status
            facts["failure"] = record.failure.kind if record.failure else None
            facts["durationMs"] = record.duration_ms
        self._session.report(event, facts)

    def _of(self, event: Params, source: Source | None) -> Record | None:
        """The request, or the last leg of it, that an event speaks of."""
        chain = self.log.chain(event["requestId"])
        if chain is None:
            return None
        record = chain.legs[-1]
        if source is not None:
            record.session_id = source.session_id
        return record


def _failure(record: Record, event: Params) -> Failure | None:
    if event.get("canceled") and record.responded is not None:
        if record.navigates:
            return DOWNLOAD
        if (record.status or 0) >= FIRST_ERROR and record.type in UNREAD:
            return None
    return failure_of(event)


def _head_at(record: Record, told_at: float) -> float:
    """When the answer's head came; a busy page is told of it later."""
    if record.timing is None:
        return told_at
    came = record.timing["requestTime"] + record.timing["receiveHeadersEnd"] / 1000
    return min(max(came, record.began), told_at)


def _source(response: Params) -> AnswerSource:
    if response.get("fromServiceWorker"):
        return "service-worker"
    if response.get("fromPrefetchCache"):
        return "prefetch-cache"
    return "disk-cache" if response.get("fromDiskCache") else "network"


def _type(event: Params) -> str:
    if event["initiator"]["type"] == "preflight":
        return "preflight"
    if "Sec-Purpose" in event["request"]["headers"]:
        return "prefetch"
    return event.get("type", OTHER).lower()


def _later_type(event: Params) -> str:
    """What a worker imports is `Other` to Chromium."""
    kind = event["type"].lower()
    script = "javascript" in event["response"].get("mimeType", "").lower()
    return "script" if kind == OTHER and script and not event.get("frameId") else kind


def _post_data(asked: Params) -> bytes | None:
    """What is sent; none when it is too long to be told, or when a part of it is a file."""
    entries = asked.get("postDataEntries")
    if "postData" not in asked or not entries or not all("bytes" in each for each in entries):
        return None
    return b"".join(base64.b64decode(each["bytes"]) for each in entries)


def _size(headers: dict[str, str]) -> int:
    return sum(len(name) + len(value) for name, value in headers.items())


def _cookie_name(line: str) -> str:
    return line.partition("=")[0].strip()
