"""Keeping secrets out of logs, error texts and spilled files."""

from __future__ import annotations

import re
from typing import Any, cast

MASK = "[redacted]"

_NAMES = (
    r"(?:pass(?:word|wd|phrase)?|secret|token|authori[sz]ation|cookies?|credentials?|api[-_]?key"
    r"|access[-_]?key|private[-_]?key|session[-_]?id|otp|pin|cvv|cvc)"
)
_SECRET_KEY = re.compile(rf"{_NAMES}$", re.IGNORECASE)
_QUOTED = r"""(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
_PATTERNS = (
    # user:password@ or token@ in an address; a password may itself hold an @
    (re.compile(r"(?<=://)[^/\s?#\"'<>]+(?=@)"), MASK),
    # ?token=… and its kin
    (
        re.compile(
            r"([?&;](?:[\w.-]*(?:token|secret|password|passwd|signature|api[-_]?key|auth|code))=)"
            r"[^&#\s\"']+",
            re.IGNORECASE,
        ),
        rf"\1{MASK}",
    ),
    (re.compile(r"\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}", re.IGNORECASE), rf"\1 {MASK}"),
    # a JSON web token
    (re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*"), MASK),
    # keys of well-known services
    (re.compile(r"\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abpr]|AKIA)[-_A-Za-z0-9]{16,}"), MASK),
    (re.compile(r"((?:set-)?cookie:\s*)[^\n]+", re.IGNORECASE), rf"\1{MASK}"),
    # password=…, "token": "…" and their kin in running text or source
    (
        re.compile(
            rf"({_NAMES}[\"']?\s*[:=]\s*)(?!\[redacted\])(?:{_QUOTED}|[^\s\"'&,;}})\]]+)",
            re.IGNORECASE,
        ),
        rf"\1{MASK}",
    ),
)


# The patterns above need a colon, an equals sign, or at least this many characters.
SHORTEST = 14


def redact_text(text: str) -> str:
    """The text with what looks like a secret masked."""
    if len(text) < SHORTEST and ":" not in text and "=" not in text:
        return text
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(replacement, text)
    return text


def redact(value: Any) -> Any:
    """Any JSON value with secrets masked: by the name of their key, or by their look."""
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, dict):
        table = cast("dict[str, Any]", value)
        return {key: _masked(key, inner) for key, inner in table.items()}
    if isinstance(value, list | tuple):
        return [redact(inner) for inner in cast("list[Any]", value)]
    return value


def _masked(key: str, value: Any) -> Any:
    named = value not in (None, "", [], {}) and _SECRET_KEY.search(str(key))
    return MASK if named and not isinstance(value, bool) else redact(value)
