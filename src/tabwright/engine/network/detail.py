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
from tabwright.engine.network.record import Headers, Message, Record
from tabwright.engine.redact import redact_text
from tabwright.errors import InputError

if TYPE_CHECKING:
    from tabwright.engine.session import Session

HEADER_SHOWN = 300
MESSAGE_SHOWN = 200
AT_ONCE = 20
FORM = "application/x-www-form-urlencoded"


async def full(
    session: Session, record: Record, *, reveal: bool, path: str | None
) -> tuple[dict[str, Any], Artifact | None]:
    """Headers, times and bodies of a request; a body that is long, or no text, as a file."""
    target = file_target(session, path)
    sent, received = await asyncio.gather(
        request_body(session, record), response_body(session, record)
    )
    asked, answered = record.request_headers, record.response_headers
    mime = next((v for name, v in asked.items() if name.lower() == "content-type"), "")
    if not reveal:
        asked, answered = masked_headers(asked), masked_headers(answered)
        sent, received = _safe(sent, mime.lower()), _safe(received, record.mime_type)
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
    # The reply has room for one file: what was answered, or else what was sent.
    written = _written(session, received, record.mime_type, target, asked_for=path is not None)
    if written is None:
        written = _written(session, sent, mime or FORM, None, asked_for=False)
        if written is not None:
            facts["requestBodyFile"] = True
    return {name: fact for name, fact in facts.items() if fact not in (None, "", [], {})}, written


async def export(
    session: Session, records: list[Record], *, reveal: bool, bodies: bool, path: str | None
) -> Artifact:
    """Write the records as a HAR file."""
    target = file_target(session, path)
    found: dict[int, tuple[Body | None, Body | None]] = {}
    limit = asyncio.Semaphore(AT_ONCE)

    async def fetch(record: Record) -> None:
        async with limit:
            sent, received = await asyncio.gather(
                request_body(session, record), response_body(session, record)
            )
        if not reveal:
            sent, received = _safe(sent, FORM), _safe(received, record.mime_type)
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


def file_target(session: Session, given: str | None) -> Path | None:
    """The file that a parameter names, if it may be written.

    Raises:
        InputError: it is a directory.
    """
    if given is None:
        return None
    path = session.caller.path(given)
    if path.is_dir():
        raise InputError(f"{given!r} is a directory.", hint="Give the name of a file in it.")
    return path


def told(request: dict[str, Any], path: str | None, size: int | None) -> str:
    """The facts of a request as lines, bodies last."""
    lines = [
        f"{request['id']} {request['method']} {request['url']}",
        " ".join(
            str(request[name])
            for name in ("status", "resourceType", "mimeType", "protocol", "remote", "source")
            if name in request
        ),
    ]
    lines += [f"failed {request['failure']}"] if "failure" in request else []
    if "timings" in request:
        parts = ", ".join(f"{name} {ms:g}" for name, ms in request["timings"].items() if ms)
        whole = f"{request['durationMs']:g} ms" if "durationMs" in request else "pending"
        lines.append(f"began {request['time']}, {whole}" + (f" ({parts})" if parts else ""))
    asker = " ".join(request[name] for name in ("context", "tab") if name in request)
    lines.append(f"by {asker}, {request['initiator']}")
    lines += [f"{n} {request[n]}" for n in ("redirectedFrom", "redirectedTo") if n in request]
    lines += _headers("request headers", request.get("requestHeaders", {}))
    lines += _headers("response headers", request.get("responseHeaders", {}))
    lines += [f"cookie refused: {line}" for line in request.get("refusedCookies", ())]
    for name in ("requestBody", "responseBody"):
        if name in request:
            lines.append(f"{name}: {request[name]}")
        elif f"{name}Missing" in request:
            lines.append(f"{name}: not there, {request[f'{name}Missing']}")
    lines += [f"{m['direction']} {m['data']}" for m in request.get("messages", ())]
    if path is not None:
        which = "requestBody" if request.get("requestBodyFile") else "responseBody"
        lines.append(f"{which}: {size} bytes in {path}")
    lines += ["Secrets are masked; `reveal` shows them."] if request.get("masked") else []
    return "\n".join(lines)


def _headers(title: str, headers: Headers) -> list[str]:
    if not headers:
        return []
    return [f"{title}:", *(f"  {n}: {v[:HEADER_SHOWN]}" for n, v in headers.items())]


def _safe(body: Body | Gone | None, mime_type: str) -> Body | Gone | None:
    return body.safe(mime_type) if isinstance(body, Body) else body


def _short(body: Body | Gone | None) -> str | None:
    if not isinstance(body, Body) or body.text is None or spills(body.text):
        return None
    return body.text


def _messages(record: Record, *, reveal: bool) -> list[dict[str, Any]]:
    return (
        [_message(record, each, reveal=reveal) for each in record.stream.last]
        if (record.stream)
        else []
    )


def _message(record: Record, message: Message, *, reveal: bool) -> dict[str, Any]:
    return {
        "direction": message.direction,
        "type": message.type,
        "ms": record.ms_until(message.at),
        "size": message.size,
        "data": (message.data if reveal else redact_text(message.data))[:MESSAGE_SHOWN],
    }


def _written(
    session: Session,
    body: Body | Gone | None,
    mime_type: str,
    target: Path | None,
    *,
    asked_for: bool,
) -> Artifact | None:
    if not isinstance(body, Body) or not (asked_for or _short(body) is None):
        return None
    mime = mime_type.partition(";")[0].strip() or "application/octet-stream"
    suffix = mimetypes.guess_extension(mime) or (".bin" if body.text is None else ".txt")
    return session.artifacts.write(body.data, suffix=suffix, mime_type=mime, path=target)
