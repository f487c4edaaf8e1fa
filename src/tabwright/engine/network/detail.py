"""One request in full, and the log as a file."""

from __future__ import annotations

import asyncio
import json
import mimetypes
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabwright.engine.artifacts import Artifact, spills
from tabwright.engine.network import har
from tabwright.engine.network.body import Body, Gone, request_body, response_body
from tabwright.engine.network.mask import masked_headers
from tabwright.engine.network.record import Message, Record
from tabwright.engine.redact import redact_text

if TYPE_CHECKING:
    from tabwright.engine.session import Session

MESSAGE_SHOWN = 200
AT_ONCE = 20


async def full(
    session: Session, record: Record, *, reveal: bool, path: str | None
) -> tuple[dict[str, Any], Artifact | None]:
    """Headers, times and bodies of a request, and the file with its answer if there is one.

    A body that is long, or no text, is a file; what was answered is where the caller wants it.
    """
    target = session.caller.writable(path)
    sent, received = await _bodies(session, record, reveal=reveal)
    asked, answered = record.request_headers, record.response_headers
    if not reveal:
        asked, answered = masked_headers(asked), masked_headers(answered)
    facts: dict[str, Any] = {
        "requestHeaders": asked,
        "responseHeaders": answered,
        "timings": {name: ms for name, ms in har.phases(record).items() if ms >= 0},
        "protocol": record.protocol,
        "remote": record.remote,
        "workerSource": record.worker_source,
        "refusedCookies": record.refused_cookies,
        "redirectedFrom": f"r{record.redirected_from}" if record.redirected_from else None,
        "requestBody": _short(sent),
        "responseBody": None if path else _short(received),
        "messages": _messages(record, reveal=reveal),
        "masked": any(isinstance(body, Body) and body.masked for body in (sent, received))
        or asked != record.request_headers
        or answered != record.response_headers,
    }
    if isinstance(received, str):
        facts["responseBodyMissing"] = received
    if isinstance(sent, str):
        facts["requestBodyMissing"] = sent
    written = _written(session, received, record.mime_type, target)
    kept = _written(session, sent, record.content_type, None)
    if kept is not None:
        facts["requestBodyFile"] = kept.as_dict()
    return {name: fact for name, fact in facts.items() if fact not in (None, "", [], {})}, written


async def export(
    session: Session, records: list[Record], *, reveal: bool, bodies: bool, path: str | None
) -> Artifact:
    """Write the records as a HAR file."""
    target = session.caller.writable(path)
    found: dict[int, tuple[Body | None, Body | None]] = {}
    limit = asyncio.Semaphore(AT_ONCE)

    async def fetch(record: Record) -> None:
        async with limit:
            sent, received = await _bodies(session, record, reveal=reveal)
        found[record.number] = (
            sent if isinstance(sent, Body) else None,
            received if isinstance(received, Body) else None,
        )

    if bodies:
        async with asyncio.TaskGroup() as group:
            for record in records:
                group.create_task(fetch(record))
    version = session.browser.version
    browser = version.browser if version else "Chromium"
    text = json.dumps(har.archive(records, found, browser, reveal=reveal), ensure_ascii=False)
    data = text.encode("utf-8", "surrogatepass")
    return session.artifacts.write(data, suffix=".har", mime_type="application/json", path=target)


async def _bodies(
    session: Session, record: Record, *, reveal: bool
) -> tuple[Body | Gone | None, Body | Gone | None]:
    """What was sent and what was answered, as it may be shown."""
    sent, received = await asyncio.gather(
        request_body(session, record), response_body(session, record)
    )
    if not reveal:
        sent, received = _safe(sent, record.content_type), _safe(received, record.mime_type)
    return sent, received


def _safe(body: Body | Gone | None, content_type: str) -> Body | Gone | None:
    return body.safe(content_type) if isinstance(body, Body) else body


def _short(body: Body | Gone | None) -> str | None:
    if not isinstance(body, Body) or body.text is None or spills(body.text):
        return None
    return body.text


def _messages(record: Record, *, reveal: bool) -> list[dict[str, Any]]:
    last = record.stream.last if record.stream else ()
    return [_message(record, each, reveal=reveal) for each in last]


def _message(record: Record, message: Message, *, reveal: bool) -> dict[str, Any]:
    return {
        "direction": message.direction,
        "type": message.type,
        "ms": record.ms_until(message.at),
        "size": message.size,
        "data": (message.data if reveal else redact_text(message.data))[:MESSAGE_SHOWN],
    }


def _written(
    session: Session, body: Body | Gone | None, content_type: str, target: Path | None
) -> Artifact | None:
    """A body as a file, if it is wanted there, or does not fit into a reply."""
    if not isinstance(body, Body) or (target is None and _short(body) is not None):
        return None
    mime = content_type.partition(";")[0].strip() or "application/octet-stream"
    suffix = mimetypes.guess_extension(mime) or (".bin" if body.text is None else ".txt")
    return session.artifacts.write(body.data, suffix=suffix, mime_type=mime, path=target)
