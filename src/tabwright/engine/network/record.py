"""One request as the log keeps it; a redirect is a request of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tabwright.engine.cdp import Params
from tabwright.engine.network.failure import Failure
from tabwright.engine.source import SourceKind
from tabwright.wording import iso

Headers = dict[str, str]
Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]
AnswerSource = Literal[
    "network", "service-worker", "memory-cache", "disk-cache", "prefetch-cache", "route"
]

LAST_MESSAGES = 20
MESSAGE_CHARACTERS = 1000
STACK_DEPTH = 5


def header(headers: Mapping[str, str], wanted: str) -> str:
    """The value of a header; its name, given in small letters, may be written in any."""
    return next((value for name, value in headers.items() if name.lower() == wanted), "")


@dataclass(frozen=True, slots=True)
class Initiator:
    """What asked for it."""

    type: str
    """parser, script, preload, preflight, other …"""
    url: str = ""
    line: int | None = None
    """Counted from one."""
    request_id: str = ""
    """Of a preflight: the request that it goes before."""

    @classmethod
    def of(cls, given: Params) -> Initiator:
        """Read the protocol's initiator; of a stack, the innermost place that has an address."""
        if "url" in given:
            line = given.get("lineNumber")
            known = None if line is None else int(line) + 1
            return cls(given["type"], given["url"], known, given.get("requestId", ""))
        stack = given.get("stack")
        for _ in range(STACK_DEPTH):
            if stack is None:
                break
            for frame in stack["callFrames"]:
                if frame["url"]:
                    return cls(given["type"], frame["url"], frame["lineNumber"] + 1)
            stack = stack.get("parent")
        return cls(given["type"])

    def text(self) -> str:
        """Type and place."""
        place = self.url if self.line is None else f"{self.url}:{self.line}"
        return f"{self.type} {place}".strip()


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a WebSocket, or one event that a server sent."""

    direction: Literal["sent", "received"]
    at: float
    """Chromium's monotonic clock."""
    type: str
    """text or binary; of a server-sent event, its name."""
    data: str
    """Cut if it is long; base64 if it is binary."""
    size: int
    """Characters of the whole."""


@dataclass(slots=True)
class Stream:
    """The messages of a request that has no end: how many, and the last of them."""

    sent: int = 0
    received: int = 0
    last: deque[Message] = field(default_factory=lambda: deque(maxlen=LAST_MESSAGES))

    def add(self, message: Message) -> None:
        """Count a message and keep it among the last ones."""
        if message.direction == "sent":
            self.sent += 1
        else:
            self.received += 1
        self.last.append(message)


@dataclass(eq=False, slots=True)
class Record:
    """A request and what came of it. Times are Chromium's own, in seconds."""

    number: int
    request_id: str
    """Chromium's id, the same for all legs of a redirect, unique in the browser."""
    session_id: str
    """The protocol session that spoke of it last, and has its body."""
    context: SourceKind
    """What asked: a page, a frame, a worker …"""
    tab: str
    url: str
    method: str
    type: str
    """Resource type in small letters: document, script, fetch …"""
    frame_id: str
    loader_id: str
    wall: float
    """Seconds since 1970 when it began."""
    began: float
    """The monotonic clock, as for the times below."""
    initiator: Initiator
    request_headers: Headers
    post_data: bytes | None = None
    """What was sent, if it is not long."""
    has_post_data: bool = False
    redirected_from: int | None = None
    redirected_to: int | None = None
    responded: float | None = None
    ended: float | None = None
    status: int | None = None
    status_text: str = ""
    mime_type: str = ""
    protocol: str = ""
    remote: str = ""
    """The server's address and port."""
    source: AnswerSource | None = None
    """What answered; None as long as nothing did."""
    worker_source: str = ""
    """Where the service worker had it from: cache-storage, network, http-cache, fallback-code."""
    response_headers: Headers = field(default_factory=dict[str, str])
    timing: dict[str, float] | None = None
    encoded_bytes: int = 0
    """What came over the wire, head included."""
    decoded_bytes: int = 0
    refused_cookies: list[str] = field(default_factory=list[str])
    failure: Failure | None = None
    stream: Stream | None = None
    route: str = ""
    """The route that stopped, answered or changed it."""
    told: bool | None = None
    """Whether the network service tells of this leg as well; None: not known yet."""
    weight: int = 0
    """Bytes it counts in the log."""

    @property
    def id(self) -> str:
        """Its name in the conversation."""
        return f"r{self.number}"

    @property
    def pending(self) -> bool:
        """Whether its end has not come."""
        return self.ended is None

    @property
    def navigates(self) -> bool:
        """Whether it brings a document to its frame."""
        return bool(self.loader_id) and self.request_id == self.loader_id

    def ms_until(self, moment: float | None) -> float | None:
        """Milliseconds from its beginning."""
        return None if moment is None else round((moment - self.began) * 1000, 1)

    @property
    def duration_ms(self) -> float | None:
        """From its beginning to its end."""
        return self.ms_until(self.ended)

    @property
    def time(self) -> str:
        """When it began, as replies state it."""
        return iso(self.wall)

    @property
    def content_type(self) -> str:
        """What was sent is said to be this."""
        return header(self.request_headers, "content-type")

    def post_bytes(self) -> int | None:
        """Size of what was sent; None if it is not known."""
        if self.post_data is not None:
            return len(self.post_data)
        announced = header(self.request_headers, "content-length")
        if announced.isdigit():
            return int(announced)
        return None if self.has_post_data else 0


@dataclass(eq=False, slots=True)
class Chain:
    """The legs of one request, and what the network service told of them.

    It tells the headers as they were on the wire, in the order of the legs, but earlier or later
    than the page's own process speaks of the same leg, and not of what came from a cache.
    """

    legs: list[Record] = field(default_factory=list[Record])
    asked: list[Headers] = field(default_factory=list[Headers])
    answered: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    route: str = ""
    """The route that it met last."""
    made: bool = False
    """Whether that route answered it."""

    def match(self) -> None:
        """Give each leg what was told of it."""
        of_wire = [leg for leg in self.legs if leg.told]
        for leg, headers in zip(of_wire, self.asked, strict=False):
            leg.request_headers = headers
        for leg, answer in zip(of_wire, self.answered, strict=False):
            leg.response_headers = answer["headers"]
            leg.refused_cookies = answer["refused"]
            leg.status = answer["status"]
