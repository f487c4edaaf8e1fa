"""Keeping secrets out of logs, error texts, replies and spilled files.

A secret is known by its name or by its look. Names are read word by word, so that `spin` is not
`pin`, and `user[newPassword]` is user, new, password. Each pattern takes time linear in the text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Any, cast
from urllib.parse import unquote

MASK = "[redacted]"

# Words, also two in a row, that make a name a secret's.
_WORDS = frozenset(
    {
        "password",
        "passwd",
        "pwd",
        "passphrase",
        "passcode",
        "secret",
        "secrets",
        "token",
        "jwt",
        "authorization",
        "authorisation",
        "cookie",
        "cookies",
        "credential",
        "credentials",
        "otp",
        "totp",
        "cvv",
        "cvc",
        "apikey",
        "accesskey",
        "privatekey",
        "secretkey",
        "authkey",
        "signingkey",
        "encryptionkey",
        "sessionkey",
        "sessionid",
        "securitycode",
        "verificationcode",
    }
)
# Some are written together with the word before: newpassword, csrftoken, PHPSESSID.
_ENDINGS = ("password", "passwd", "passphrase", "secret", "token", "sessionid", "sessid")
# These mean something else in longer names: mapPin.
_ALONE = frozenset({"pass", "pin", "auth"})
# In addresses and forms these are secrets' too; elsewhere they are mostly something else.
_PARAMETER_WORDS = frozenset({"sid", "session", "sig", "signature"})
_PARAMETERS_ALONE = frozenset({"key", "code"})
# What ends so tells something of a secret: tokenType, cookie_name.
_FACTS = frozenset(
    {
        "type",
        "count",
        "length",
        "size",
        "limit",
        "ttl",
        "expires",
        "expiry",
        "expiration",
        "in",
        "at",
        "name",
        "field",
        "label",
        "url",
        "uri",
        "endpoint",
        "path",
        "policy",
        "strength",
    }
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_PARTS = re.compile(r"[\[\].:/]+")
LONGEST_NAME = 100


def secret_name(name: str, *, parameter: bool = False) -> bool:
    """Whether what goes by this name is a secret; `parameter`: of an address or a form."""
    return _secret(name[-LONGEST_NAME:], parameter)


@lru_cache(maxsize=4096)
def _secret(name: str, parameter: bool) -> bool:
    parts = [_words(part) for part in _PARTS.split(unquote(name))]
    words = [word for part in parts for word in part]
    if not words or (len(words) > 1 and words[-1] in _FACTS):
        return False
    found = {*words, *map("".join, pairwise(words))}
    last = next(part for part in reversed(parts) if part)
    alone = last[0] if len(last) == 1 else ""
    return (
        not found.isdisjoint(_WORDS)
        or any(word.endswith(_ENDINGS) for word in words)
        or alone in _ALONE
        or (parameter and (alone in _PARAMETERS_ALONE or not found.isdisjoint(_PARAMETER_WORDS)))
    )


def _words(part: str) -> list[str]:
    words = [word.lower() for word in _WORD.findall(part)]
    return words[1:] if words[:1] == ["x"] else words


_ELEMENT = re.compile(r"<([A-Za-z_][\w.:-]*+)(?:\s[^<>]*+)?>")
_ELEMENT_TEXT = re.compile(r"(?!\[redacted\])\s*+[^<\s][^<]*+(?=</)")
_PARAMETER = re.compile(r"[?&#](?:amp;)?([^\s=&?#;\"'<>]++)=(?!=)")
_PARAMETER_VALUE = re.compile(r"(?!\[redacted\])[^&#\s\"'<>\\]+")
# password=…, "token": "…", [api-key]: … in running text, JSON or source
_NAME = re.compile(r"(?<![\w%-])([\w%-]++)\]*+\\?[\"']?\s*+(?::=|[:=](?![:=>]))\s*+")
# A text that was cut may lack the quotation mark at its end.
_VALUE = re.compile(
    r"(?!\[redacted\]|(?:true|false|null|undefined)\b)"
    r"(?:\\\"(?:[^\\\"\n]|\\[^\"])*+(?:\\\")?|\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?"
    r"|(?:(?:Bearer|Basic|Digest|Token)\s+)?[^\s\"'&,;})\]\\]+)",
    re.IGNORECASE,
)
_BY_NAME = (
    (_PARAMETER, _PARAMETER_VALUE, True),
    (_ELEMENT, _ELEMENT_TEXT, False),
    (_NAME, _VALUE, False),
)
_BEFORE = (
    # user:password@ or token@ in an address; a password may itself hold an @
    (re.compile(r"(?<=://)[^/\s?#\"'<>]+(?=@)"), MASK),
    (re.compile(r"((?:set-)?cookie:\s*)[^\n]+", re.IGNORECASE), rf"\1{MASK}"),
)
_BY_LOOK = (
    (re.compile(r"\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}", re.IGNORECASE), rf"\1 {MASK}"),
    # a JSON web token
    (re.compile(r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*", re.ASCII), MASK),
    # keys of well-known services
    (re.compile(r"\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abpr]|AKIA)[-_A-Za-z0-9]{16,}"), MASK),
)
# What is known by its look has at least so many characters.
SHORTEST = 14


def redact_text(text: str) -> str:
    """The text with what looks like a secret masked."""
    if len(text) < SHORTEST and not any(mark in text for mark in ":=<"):
        return text
    for pattern, replacement in _BEFORE:
        text = pattern.sub(replacement, text)
    for name, value, parameter in _BY_NAME:
        text = _mask_named(text, name, value, parameter=parameter)
    for pattern, replacement in _BY_LOOK:
        text = pattern.sub(replacement, text)
    return text


def _mask_named(
    text: str, name: re.Pattern[str], value: re.Pattern[str], *, parameter: bool
) -> str:
    """Mask the values that follow the names of secrets."""
    parts: list[str] = []
    done = 0
    for found in name.finditer(text):
        if found.start() < done or not secret_name(found[1], parameter=parameter):
            continue
        secret = value.match(text, found.end())
        if secret is not None:
            quote = secret[0][0] if secret[0][0] == secret[0][-1] in "\"'" else ""
            parts += [text[done : found.end()], quote, MASK, quote]
            done = secret.end()
    return "".join([*parts, text[done:]]) if parts else text


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
    named = value not in (None, "", [], {}) and secret_name(str(key))
    return MASK if named and not isinstance(value, bool) else redact(value)
