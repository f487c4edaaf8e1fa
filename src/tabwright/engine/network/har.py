"""The log as an HTTP Archive, version 1.2, as browsers and viewers exchange it."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tabwright.engine.network.body import Body
from tabwright.engine.network.mask import masked_headers
from tabwright.engine.network.record import Headers, Record, header
from tabwright.engine.redact import redact_text

UNKNOWN = -1
Bodies = Mapping[int, tuple[Body | None, Body | None]]
"""Of a record's number: what was sent, and what was answered."""


def archive(records: list[Record], bodies: Bodies, browser: str, *, reveal: bool) -> dict[str, Any]:
    """The records, oldest first, as the object that a HAR file holds."""
    firsts: dict[str, Record] = {}
    for record in records:
        if record.tab:
            firsts.setdefault(record.tab, record)
    name, _, number = browser.partition("/")
    return {
        "log": {
            "version": "1.2",
            "creator": {"name": "Tabwright", "version": version("tabwright")},
            "browser": {"name": name, "version": number},
            "pages": [
                {
                    "id": tab,
                    "title": first.url if reveal else redact_text(first.url),
                    "startedDateTime": first.time,
                    "pageTimings": {"onContentLoad": UNKNOWN, "onLoad": UNKNOWN},
                }
                for tab, first in firsts.items()
            ],
            "entries": [
                _entry(record, bodies.get(record.number, (None, None)), reveal=reveal)
                for record in records
            ],
        }
    }


def _entry(
    record: Record, bodies: tuple[Body | None, Body | None], *, reveal: bool
) -> dict[str, Any]:
    timings = phases(record)
    sent, received = bodies
    entry: dict[str, Any] = {
        "startedDateTime": record.time,
        "time": round(sum(ms for name, ms in timings.items() if ms >= 0 and name != "ssl"), 3),
        "request": _request(record, sent, reveal=reveal),
        "response": _response(record, received, reveal=reveal),
        "cache": {},
        "timings": timings,
        "_id": record.id,
        "_resourceType": record.type,
        "_context": record.context,
        "_initiator": record.initiator.text() if reveal else redact_text(record.initiator.text()),
    }
    if record.tab:
        entry["pageref"] = record.tab
    if record.source:
        entry["_source"] = record.source
    if record.remote:
        address, _, port = record.remote.rpartition(":")
        entry |= {"serverIPAddress": address.strip("[]"), "connection": port}
    if record.type == "websocket" and record.stream is not None:
        entry["_webSocketMessages"] = [
            {
                "type": "send" if message.direction == "sent" else "receive",
                "time": record.wall + message.at - record.began,
                "opcode": 1 if message.type == "text" else 2,
                "data": message.data if reveal else redact_text(message.data),
            }
            for message in record.stream.last
        ]
    return entry


def _request(record: Record, body: Body | None, *, reveal: bool) -> dict[str, Any]:
    url = record.url if reveal else redact_text(record.url)
    headers = record.request_headers if reveal else masked_headers(record.request_headers)
    request: dict[str, Any] = {
        "method": record.method,
        "url": url,
        "httpVersion": record.protocol or "unknown",
        "cookies": [{"name": name, "value": value} for name, value in _cookies(headers)],
        "headers": _pairs(headers),
        "queryString": [
            {"name": name, "value": value}
            for name, value in parse_qsl(_query(url), keep_blank_values=True)
        ],
        "headersSize": UNKNOWN,
        "bodySize": UNKNOWN if (size := record.post_bytes()) is None else size,
    }
    if body is not None:
        request["postData"] = {
            "mimeType": header(headers, "content-type"),
            "text": body.text or base64.b64encode(body.data).decode("ascii"),
        }
    return request


def _response(record: Record, body: Body | None, *, reveal: bool) -> dict[str, Any]:
    headers = record.response_headers if reveal else masked_headers(record.response_headers)
    content: dict[str, Any] = {
        "size": record.decoded_bytes,
        "mimeType": record.mime_type or "x-unknown",
    }
    if body is not None and body.text is not None:
        content["text"] = body.text
    elif body is not None:
        content |= {"text": base64.b64encode(body.data).decode("ascii"), "encoding": "base64"}
    response: dict[str, Any] = {
        "status": record.status or 0,
        "statusText": record.status_text,
        "httpVersion": record.protocol or "unknown",
        "cookies": _set_cookies(headers),
        "headers": _pairs(headers),
        "content": content,
        "redirectURL": header(headers, "location"),
        "headersSize": UNKNOWN,
        "bodySize": UNKNOWN if record.responded is None else record.encoded_bytes,
        "_transferSize": record.encoded_bytes,
    }
    if record.failure is not None:
        response["_error"] = record.failure.error or record.failure.text()
    return response


def phases(record: Record) -> dict[str, float]:
    """How long each part took, in milliseconds; -1 where there was no such part."""
    given, ended = record.timing, record.ended or record.responded
    if given is None or record.responded is None or ended is None:
        waited = record.ms_until(record.responded) or 0.0
        rest = (record.ms_until(ended) or 0.0) - waited
        return _timings(wait=waited, receive=rest)
    # The offsets are milliseconds after `requestTime`; -1 stands for what did not happen.
    before = (given["requestTime"] - record.began) * 1000
    first = next(
        (given[name] for name in ("dnsStart", "connectStart", "sendStart") if given[name] >= 0), 0.0
    )
    whole = (ended - given["requestTime"]) * 1000
    return _timings(
        blocked=before + first,
        dns=_span(given, "dnsStart", "dnsEnd"),
        connect=_span(given, "connectStart", "connectEnd"),
        ssl=_span(given, "sslStart", "sslEnd"),
        send=given["sendEnd"] - given["sendStart"],
        wait=given["receiveHeadersEnd"] - given["sendEnd"],
        receive=whole - given["receiveHeadersEnd"],
    )


def _timings(
    *,
    blocked: float = UNKNOWN,
    dns: float = UNKNOWN,
    connect: float = UNKNOWN,
    ssl: float = UNKNOWN,
    send: float = 0.0,
    wait: float = 0.0,
    receive: float = 0.0,
) -> dict[str, float]:
    found = {"blocked": blocked, "dns": dns, "connect": connect, "ssl": ssl}
    needed = {"send": send, "wait": wait, "receive": receive}
    return {name: round(ms, 3) for name, ms in found.items()} | {
        name: round(max(ms, 0.0), 3) for name, ms in needed.items()
    }


def _span(given: dict[str, float], start: str, end: str) -> float:
    return given[end] - given[start] if given[start] >= 0 else UNKNOWN


def _pairs(headers: Headers) -> list[dict[str, str]]:
    return [
        {"name": name, "value": line}
        for name, value in headers.items()
        for line in value.split("\n")
    ]


def _query(url: str) -> str:
    try:
        return urlsplit(url).query
    except ValueError:
        return ""


def _cookies(headers: Headers) -> list[tuple[str, str]]:
    given = header(headers, "cookie")
    parts = [each.partition("=") for each in given.split("; ")] if given else []
    return [(name, value) for name, _, value in parts]


def _set_cookies(headers: Headers) -> list[dict[str, Any]]:
    lines = [line for line in header(headers, "set-cookie").split("\n") if line]
    return [_set_cookie(line) for line in lines]


def _set_cookie(line: str) -> dict[str, Any]:
    pair, *rest = (part.strip() for part in line.split(";"))
    name, _, value = pair.partition("=")
    cookie: dict[str, Any] = {"name": name, "value": value}
    for word, _, given in (part.partition("=") for part in rest):
        match word.lower():
            case "path" | "domain" as known:
                cookie[known] = given
            case "httponly":
                cookie["httpOnly"] = True
            case "secure":
                cookie["secure"] = True
            case "samesite":
                cookie["sameSite"] = given
            case _:
                pass
    return cookie
