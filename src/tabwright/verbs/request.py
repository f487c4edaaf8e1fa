"""One request as callers see it: a row of facts, or all of it in lines."""

from typing import Any, Self

from pydantic import SerializerFunctionWrapHandler, model_serializer

from tabwright.engine.network.record import AnswerSource, Headers, Record
from tabwright.engine.redact import redact_text
from tabwright.verb import Result
from tabwright.wording import indented, many

URL_SHOWN = 200
HEADER_SHOWN = 300
# What is asked for its data, so that the kind of data tells something.
DATA_TYPES = ("fetch", "xhr", "other")


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

    def text(self, *, cut: int | None = URL_SHOWN) -> str:
        """One line: what does not go without saying."""
        url = self.url if cut is None or len(self.url) <= cut else f"{self.url[:cut]}…"
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
            said.append(many(self.messages, "message"))
        said += [f"[{self.source}]"] if self.source not in (None, "network") else []
        said += [self.route] if self.route else []
        said += [f"({self.context})"] if self.context != "page" else []
        said += [f"-> {self.redirected_to}"] if self.redirected_to else []
        said += [self.failure] if self.failure else []
        return " ".join(said)

    @model_serializer(mode="wrap")
    def _known(self, whole: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """On the wire there is only what is known: a list has many rows."""
        return {name: fact for name, fact in whole(self).items() if fact is not None}


def told(request: dict[str, Any], path: str | None, size: int | None) -> str:
    """The facts of a request as lines; further lines of a value are indented, bodies come last."""
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
    sent = request.get("requestBodyFile", {})
    lines += _body("requestBody", request, sent.get("path"), sent.get("sizeBytes"))
    lines += _body("responseBody", request, path, size)
    lines += [f"{m['direction']} {m['data']}" for m in request.get("messages", ())]
    lines += ["Secrets are masked; `reveal` shows them."] if request.get("masked") else []
    return "\n".join(map(indented, lines))


def _headers(title: str, headers: Headers) -> list[str]:
    if not headers:
        return []
    return [f"{title}:", *(f"  {n}: {v[:HEADER_SHOWN]}" for n, v in headers.items())]


def _body(name: str, request: dict[str, Any], path: str | None, size: int | None) -> list[str]:
    if path is not None:
        return [f"{name}: {size} bytes in {path}"]
    if f"{name}Missing" in request:
        return [f"{name}: not there, {request[f'{name}Missing']}"]
    return [f"{name}: {request[name]}"] if name in request else []


def _amount(size: int) -> str:
    return f"{size}B" if size < 1000 else f"{size / 1000:.1f}kB"
