"""Requests as they may be shown: what looks like a secret is masked unless asked for."""

from __future__ import annotations

import json

from tabwright.engine.network.record import Headers
from tabwright.engine.redact import MASK, redact, redact_text

COOKIES = ("cookie", "set-cookie")
# Source code is full of names like `token`: a mask would only break it.
CODE = ("javascript", "ecmascript", "css", "wasm")


def masked_headers(headers: Headers) -> Headers:
    """Headers with secrets masked; of cookies the names stay."""
    return {
        name: _cookies(name.lower(), value)
        if name.lower() in COOKIES
        else str(redact({name: value})[name])
        for name, value in headers.items()
    }


def masked_body(text: str, mime_type: str) -> str:
    """A body with secrets masked. JSON that has none stays as it is, to the letter."""
    if any(word in mime_type for word in CODE):
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return _form(text) if "urlencoded" in mime_type else redact_text(text)
    safe = redact(value)
    return text if safe == value else json.dumps(safe, ensure_ascii=False)


def _form(text: str) -> str:
    pairs = [pair.partition("=") for pair in text.split("&")]
    safe = [(name, mark, str(redact({name: value})[name])) for name, mark, value in pairs]
    return "&".join("".join(parts) for parts in safe)


def _cookies(name: str, value: str) -> str:
    # More than one Set-Cookie comes as lines, and what follows a semicolon is not its value.
    if name == "set-cookie":
        return "\n".join(_set_cookie(line) for line in value.split("\n"))
    return "; ".join(f"{each.partition('=')[0]}={MASK}" for each in value.split("; "))


def _set_cookie(line: str) -> str:
    pair, semicolon, rest = line.partition(";")
    return f"{pair.partition('=')[0]}={MASK}{semicolon}{rest}"
