"""Requests as they may be shown: what looks like a secret is masked unless asked for."""

from __future__ import annotations

import json
import re

from tabwright.engine.network.record import Headers
from tabwright.engine.redact import MASK, redact, redact_text, secret_name

COOKIES = ("cookie", "set-cookie")
# Source code is full of names like `token`: a mask would only break it.
CODE = ("javascript", "ecmascript", "css", "wasm")
_BOUNDARY = re.compile(r"multipart/.*\bboundary=\"?([^\";\s]+)", re.IGNORECASE)
_PART_NAME = re.compile(rb"\bname=\"([^\"]*)\"", re.IGNORECASE)
_PART_TYPE = re.compile(rb"^content-type:\s*([^\r\n]+)", re.IGNORECASE | re.MULTILINE)
_PART_HEAD_END = b"\r\n\r\n"
_PART_END = b"\r\n"


def masked_headers(headers: Headers) -> Headers:
    """Headers with secrets masked; of cookies the names stay."""
    return {
        name: _cookies(name.lower(), value)
        if name.lower() in COOKIES
        else str(redact({name: value})[name])
        for name, value in headers.items()
    }


def masked_body(data: bytes, content_type: str) -> bytes:
    """A body with secrets masked; what has none, or is no text, stays as it is."""
    boundary = _BOUNDARY.search(content_type)
    if boundary:
        return _multipart(data, boundary[1].encode("utf-8", "surrogatepass"))
    try:
        text = data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data
    return _masked_text(text, content_type.lower()).encode("utf-8", "surrogatepass")


def _masked_text(text: str, content_type: str) -> str:
    if any(word in content_type for word in CODE):
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        # A form is the query of an address without its question mark.
        return redact_text(f"?{text}")[1:] if "urlencoded" in content_type else redact_text(text)
    safe = redact(value)
    return text if safe == value else json.dumps(safe, ensure_ascii=False)


def _multipart(data: bytes, boundary: bytes) -> bytes:
    mark = b"--" + boundary
    return mark.join(_part(part) for part in data.split(mark))


def _part(part: bytes) -> bytes:
    head, end, content = part.partition(_PART_HEAD_END)
    name, kind = _PART_NAME.search(head), _PART_TYPE.search(head)
    value = content.removesuffix(_PART_END)
    if name and value and secret_name(name[1].decode("latin-1"), parameter=True):
        safe = MASK.encode("ascii")
    else:
        safe = masked_body(value, kind[1].decode("latin-1") if kind else "")
    return head + end + safe + content[len(value) :]


def _cookies(name: str, value: str) -> str:
    # More than one Set-Cookie comes as lines, and what follows a semicolon is not its value.
    if name == "set-cookie":
        return "\n".join(_set_cookie(line) for line in value.split("\n"))
    return "; ".join(f"{each.partition('=')[0]}={MASK}" for each in value.split("; "))


def _set_cookie(line: str) -> str:
    pair, semicolon, rest = line.partition(";")
    return f"{pair.partition('=')[0]}={MASK}{semicolon}{rest}"
