"""The network log: what was asked for, what came of it, one request in full, a HAR file."""

import re
import time
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SerializerFunctionWrapHandler,
    WithJsonSchema,
    model_serializer,
    model_validator,
)

from tabwright.duration import parse_duration
from tabwright.engine.artifacts import Artifact, spills
from tabwright.engine.network import detail
from tabwright.engine.network.log import Filter
from tabwright.engine.network.record import AnswerSource, Method, Record
from tabwright.engine.session import Session
from tabwright.verb import Params, Positional, Result, Text, verb
from tabwright.verbs.pattern import UrlPattern
from tabwright.verbs.request import RequestRow, told
from tabwright.wording import indented, many

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
LISTED = 100
_STATUS = re.compile(r"[1-5](?:\d\d|xx)|failed|pending")
_RECORD = re.compile(r"r\d{1,9}")


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

    method: Method | None = None
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

    limit: Annotated[int, Field(ge=1, le=1000)] | None = None
    """At most so many, the newest; default: 100 of a list, all of a HAR."""

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
    """Newest first. On the wire none if they are in the file."""

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

    @model_serializer(mode="wrap")
    def _short(self, whole: SerializerFunctionWrapHandler) -> dict[str, Any]:
        facts = whole(self)
        return facts | {"requests": None} if self.path else facts

    def text(self) -> str:
        """A line a request, or where they are."""
        match self.action:
            case "clear":
                return f"Cleared {many(self.count, 'request')}."
            case "har":
                of = f" of {self.total}" if self.total else ""
                return f"HAR of {many(self.count, 'request')}{of} in {self.path}"
            case "get":
                return told(self.request or {}, self.path, self.size_bytes)
            case _:
                return "\n".join(self._lines())

    def _lines(self) -> list[str]:
        more = f"{self.dropped} older ones were dropped." if self.dropped else ""
        if not self.count:
            return [f"No requests. {more}".rstrip()]
        if self.path is not None:
            return [f"{self.summary}, newest first, in {self.path} {more}".rstrip()]
        head = f"The newest {self.count} of {self.total}. " if self.total else ""
        lines = [indented(row.text()) for row in self.requests or ()]
        return [f"{head}{more}".rstrip(), *lines] if head or more else lines

    def files(self) -> list[Artifact]:
        """What was written: the list, the HAR, or bodies."""
        sent = (self.request or {}).get("requestBodyFile")
        given = [(self.path, self.mime_type or "", self.size_bytes or 0)] if self.path else []
        given += [(sent["path"], sent["mimeType"], sent["sizeBytes"])] if sent else []
        return [Artifact(Path(path), mime_type, size) for path, mime_type, size in given]


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
            return await _archive(session, params)
        case "list":
            return _listed(session, params)


def _chosen(session: Session, params: Network) -> list[Record]:
    if params.tab is not None:
        session.check_tab(params.tab)
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
    records = found[-(params.limit or LISTED) :][::-1]
    rows = [RequestRow.of(record, reveal=params.reveal) for record in records]
    report = NetworkReport(
        action="list",
        count=len(rows),
        total=_total(found, records),
        dropped=session.network.log.dropped or None,
        requests=rows,
    )
    if not spills("\n".join(row.text(cut=None) for row in rows)):
        return report
    lines = ",\n".join(row.model_dump_json(by_alias=True) for row in rows)
    listed = f"[\n{lines}\n]\n"
    written = session.artifacts.spill(listed, suffix=".json", mime_type="application/json")
    report.summary = _summary(records, report.total)
    return _with_file(report, written)


async def _archive(session: Session, params: Network) -> NetworkReport:
    found = _chosen(session, params)
    records = found[-params.limit :] if params.limit else found
    written = await detail.export(
        session, records, reveal=params.reveal, bodies=params.bodies, path=params.path
    )
    report = NetworkReport(action="har", count=len(records), total=_total(found, records))
    return _with_file(report, written)


def _total(found: list[Record], records: list[Record]) -> int | None:
    return len(found) if len(found) > len(records) else None


def _summary(records: list[Record], total: int | None) -> str:
    of = f" of {total}" if total else ""
    failed = sum(record.failure is not None for record in records)
    pending = sum(record.pending for record in records)
    classes = Counter(f"{record.status // 100}xx" for record in records if record.status)
    said = [f"{count} {name}" for name, count in sorted(classes.items())]
    said += [f"{failed} failed"] if failed else []
    said += [f"{pending} pending"] if pending else []
    return f"{len(records)}{of} requests ({', '.join(said)})"


async def _one(session: Session, params: Network, record: Record) -> NetworkReport:
    row = RequestRow.of(record, reveal=params.reveal)
    facts = row.model_dump(mode="json", by_alias=True)
    more, written = await detail.full(session, record, reveal=params.reveal, path=params.path)
    report = NetworkReport(action="get", count=1, request=facts | more)
    return _with_file(report, written) if written else report


def _with_file(report: NetworkReport, written: Artifact) -> NetworkReport:
    report.path, report.size_bytes = str(written.path), written.size_bytes
    report.mime_type = written.mime_type
    return report
