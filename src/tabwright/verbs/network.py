"""The network log: what was asked for, what came of it, one request in full, a HAR file."""

import json
import re
import time
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator

from tabwright.duration import parse_duration
from tabwright.engine.artifacts import Artifact, spills
from tabwright.engine.network import detail
from tabwright.engine.network.log import Filter
from tabwright.engine.network.record import AnswerSource, Record
from tabwright.engine.redact import redact_text
from tabwright.engine.session import Session
from tabwright.verb import Params, Positional, Result, Text, verb
from tabwright.verbs.pattern import UrlPattern

ResourceType = Literal[
    "document",
    "stylesheet",
    "script",
    "image",
    "font",
    "media",
    "fetch",
    "xhr",
    "websocket",
    "eventsource",
    "preflight",
    "prefetch",
    "ping",
    "manifest",
    "texttrack",
    "signedexchange",
    "other",
]
FILTERS = ("url", "method", "status", "resource_type", "source", "tab", "since")
URL_SHOWN = 200
_STATUS = re.compile(r"[1-5](?:\d\d|xx)|failed|pending")
_RECORD = re.compile(r"r\d{1,9}")
# What is asked for its data, so that the kind of data tells something.
DATA_TYPES = ("fetch", "xhr", "other")


def _status(given: Any) -> Any:
    text = str(given) if isinstance(given, int) and not isinstance(given, bool) else given
    if not isinstance(text, str) or not _STATUS.fullmatch(text):
        raise ValueError("must be a status such as 404, a class such as '4xx', 'failed', 'pending'")
    return text


def _moment(given: str) -> str:
    if not _RECORD.fullmatch(given):
        try:
            parse_duration(given)
        except ValueError:
            raise ValueError("must be a request such as 'r12', or a duration as '30s'") from None
    return given


Status = Annotated[int | str, BeforeValidator(_status), WithJsonSchema({"type": "string"})]
Moment = Annotated[Text, AfterValidator(_moment)]


class Network(Params):
    """Which requests, and what to do with them."""

    example: ClassVar[dict[str, Any]] = {"status": "failed"}

    action: Annotated[Literal["list", "get", "clear", "har"], Positional] = "list"
    """list requests, get one in full, clear the log, or write a HAR file."""

    id: Annotated[Text | None, Positional] = None
    """Request to get, such as 'r12'."""

    url: UrlPattern | None = None
    """Only addresses with this part, glob such as '**/api/**', or '/regex/'."""

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] | None = None
    """Only this method."""

    status: Status | None = None
    """Only this status (404), class ('4xx'), 'pending', or 'failed': errors, no answer."""

    resource_type: ResourceType | None = None
    """Only this type."""

    source: AnswerSource | None = None
    """Only what was answered from here."""

    tab: Text | None = None
    """Only requests of this tab; workers that tabs share belong to none."""

    since: Moment | None = None
    """Only what began after a request ('r12'), or in the last time ('30s')."""

    limit: Annotated[int, Field(ge=1, le=1000)] = 100
    """At most so many, the newest."""

    reveal: bool = False
    """Show cookies, tokens and passwords, which are masked otherwise."""

    bodies: bool = False
    """Put bodies into the HAR file."""

    path: Text | None = None
    """File for the HAR, or for the body of one request; by default one of our own."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        filters = [name for name in FILTERS if getattr(self, name) is not None]
        if (self.action == "get") != (self.id is not None):
            raise ValueError("`id` and action 'get' go together, as in get r12")
        if filters and self.action in ("get", "clear"):
            raise ValueError(f"`{filters[0]}` goes with actions 'list' and 'har' only")
        if self.bodies and self.action != "har":
            raise ValueError("`bodies` goes with action 'har' only")
        if self.path is not None and self.action not in ("get", "har"):
            raise ValueError("`path` goes with actions 'get' and 'har' only")
        return self


class RequestRow(Result):
    """One request."""

    id: str
    """Its name, for action get."""

    url: str
    """Address."""

    method: str
    """HTTP method."""

    resource_type: str
    """What it was for."""

    status: int | None = None
    """HTTP status."""

    mime_type: str | None = None
    """Content type of the answer."""

    source: AnswerSource | None = None
    """What answered."""

    context: str
    """What asked: page, frame, worker, shared-worker, service-worker."""

    tab: str | None = None
    """The tab that it belongs to."""

    time: str
    """When it began."""

    response_ms: float | None = None
    """From there to the answer's head."""

    duration_ms: float | None = None
    """From there to the end; without it the request is pending."""

    request_bytes: int | None = None
    """Size of what was sent."""

    encoded_bytes: int
    """What came over the wire."""

    decoded_bytes: int
    """Size of the body."""

    initiator: str
    """What caused it, and where."""

    failure: str | None = None
    """Why it failed, with Chromium's name for it."""

    redirected_to: str | None = None
    """The request that a redirect led to."""

    route: str | None = None
    """The route that stopped, answered or changed it."""

    messages: int | None = None
    """Messages of a stream."""

    @classmethod
    def of(cls, record: Record, *, reveal: bool) -> Self:
        """The facts of a record."""
        shown = str if reveal else redact_text
        return cls(
            id=record.id,
            url=shown(record.url),
            method=record.method,
            resource_type=record.type,
            status=record.status,
            mime_type=record.mime_type or None,
            source=record.source,
            context=record.context,
            tab=record.tab or None,
            time=record.time,
            response_ms=record.ms_until(record.responded),
            duration_ms=record.duration_ms,
            request_bytes=record.post_bytes() or None,
            encoded_bytes=record.encoded_bytes,
            decoded_bytes=record.decoded_bytes,
            initiator=shown(record.initiator.text()),
            failure=record.failure.text() if record.failure else None,
            redirected_to=f"r{record.redirected_to}" if record.redirected_to else None,
            route=record.route or None,
            messages=record.stream.sent + record.stream.received if record.stream else None,
        )

    def text(self) -> str:
        """One line: what does not go without saying."""
        url = self.url if len(self.url) <= URL_SHOWN else f"{self.url[:URL_SHOWN]}…"
        said = [self.id, str(self.status or "-"), self.method, self.resource_type, url]
        if self.resource_type in DATA_TYPES and self.mime_type:
            said.append(self.mime_type)
        if self.duration_ms is None:
            said.append("pending" if self.messages is None else "open")
        else:
            said.append(f"{self.duration_ms:.0f}ms")
        if self.encoded_bytes or self.decoded_bytes:
            said.append(_amount(max(self.encoded_bytes, self.decoded_bytes)))
        if self.messages is not None:
            said.append(f"{self.messages} messages")
        said += [f"[{self.source}]"] if self.source not in (None, "network") else []
        said += [self.route] if self.route else []
        said += [f"({self.context})"] if self.context != "page" else []
        said += [f"-> {self.redirected_to}"] if self.redirected_to else []
        said += [self.failure] if self.failure else []
        return " ".join(said)


class NetworkReport(Result):
    """What the log has."""

    action: str
    """What was done."""

    count: int
    """How many requests are meant: listed, cleared or exported."""

    total: int | None = None
    """How many fit, when there are more than were asked for."""

    dropped: int | None = None
    """How many older ones the log had no room for."""

    requests: list[RequestRow] | None = None
    """Newest first; nothing when they are in the file."""

    summary: str | None = None
    """How they went, when they are in the file."""

    request: dict[str, Any] | None = None
    """One request in full."""

    path: str | None = None
    """File with what is too long for a reply, or with what was asked to be written."""

    size_bytes: int | None = None
    """Size of the file."""

    mime_type: str | None = None
    """What the file is."""

    def text(self) -> str:
        """A line a request, or where they are."""
        match self.action:
            case "clear":
                return f"Cleared {self.count} request{'s' * (self.count != 1)}."
            case "har":
                return f"HAR of {self.count} requests in {self.path}"
            case "get":
                return detail.told(self.request or {}, self.path, self.size_bytes)
            case _:
                return "\n".join(self._lines())

    def _lines(self) -> list[str]:
        more = f"{self.dropped} older ones were dropped." if self.dropped else ""
        if not self.count:
            return [f"No requests. {more}".rstrip()]
        if self.path is not None:
            return [f"{self.summary}, newest first, in {self.path} {more}".rstrip()]
        head = f"The newest {self.count} of {self.total}. " if self.total else ""
        lines = [row.text() for row in self.requests or ()]
        return [f"{head}{more}".rstrip(), *lines] if head or more else lines

    def files(self) -> list[Artifact]:
        """The file, if there is one."""
        if self.path is None:
            return []
        return [Artifact(Path(self.path), self.mime_type or "", self.size_bytes or 0)]


@verb(effect="read")
async def network(session: Session, params: Network) -> NetworkReport:
    """List the requests of pages and workers, look into one, clear the log, or export a HAR.

    The log has the newest 1,000 requests of the conversation. A redirect is a request of its own.
    """
    log = session.network.log
    match params.action:
        case "clear":
            return NetworkReport(action="clear", count=log.clear())
        case "get":
            assert params.id is not None
            return await _one(session, params, log.get(params.id))
        case "har":
            records = _chosen(session, params)[-params.limit :]
            written = await detail.export(
                session, records, reveal=params.reveal, bodies=params.bodies, path=params.path
            )
            return _with_file(NetworkReport(action="har", count=len(records)), written)
        case "list":
            return _listed(session, params)


def _chosen(session: Session, params: Network) -> list[Record]:
    if params.tab is not None:
        session.tab_by_id(params.tab)
    since = params.since or ""
    by_id = _RECORD.fullmatch(since) is not None
    wanted = Filter(
        url=params.url or "",
        method=params.method or "",
        status=str(params.status or ""),
        resource_type=params.resource_type or "",
        source=params.source,
        tab=params.tab or "",
        after=int(since[1:]) if by_id else 0,
        since=time.time() - parse_duration(since) / 1000 if since and not by_id else 0.0,
    )
    return wanted.chosen(session.network.log)


def _listed(session: Session, params: Network) -> NetworkReport:
    found = _chosen(session, params)
    records = found[-params.limit :][::-1]
    rows = [RequestRow.of(record, reveal=params.reveal) for record in records]
    report = NetworkReport(
        action="list",
        count=len(rows),
        total=len(found) if len(found) > len(rows) else None,
        dropped=session.network.log.dropped or None,
        requests=rows,
    )
    if not spills(report.text()):
        return report
    lines = ",\n".join(row.model_dump_json(by_alias=True, exclude_none=True) for row in rows)
    written = session.artifacts.spill(
        f"[\n{lines}\n]\n", suffix=".json", mime_type="application/json"
    )
    report.requests, report.summary = None, _summary(records, report.total)
    return _with_file(report, written)


def _summary(records: list[Record], total: int | None) -> str:
    of = f" of {total}" if total else ""
    failed = sum(record.failure is not None for record in records)
    pending = sum(record.pending for record in records)
    classes = Counter(f"{record.status // 100}xx" for record in records if record.status)
    told = [f"{count} {name}" for name, count in sorted(classes.items())]
    told += [f"{failed} failed"] if failed else []
    told += [f"{pending} pending"] if pending else []
    return f"{len(records)}{of} requests ({', '.join(told)})"


async def _one(session: Session, params: Network, record: Record) -> NetworkReport:
    row = RequestRow.of(record, reveal=params.reveal)
    facts = json.loads(row.model_dump_json(by_alias=True, exclude_none=True))
    more, written = await detail.full(session, record, reveal=params.reveal, path=params.path)
    report = NetworkReport(action="get", count=1, request=facts | more)
    return _with_file(report, written) if written else report


def _with_file(report: NetworkReport, written: Artifact) -> NetworkReport:
    report.path, report.size_bytes = str(written.path), written.size_bytes
    report.mime_type = written.mime_type
    return report


def _amount(size: int) -> str:
    return f"{size}B" if size < 1000 else f"{size / 1000:.1f}kB"
