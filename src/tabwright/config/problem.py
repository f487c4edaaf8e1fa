"""What is wrong with a configuration, told so that a person can put it right."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlsplit

from pydantic import SecretStr, ValidationError

from tabwright.config.keys import annotation_at, nearest
from tabwright.errors import ConfigError

MASK = "********"
_SECRET = re.compile(r"token|secret|passw|credential|api_?key", re.IGNORECASE)
_LONGEST_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that has to be changed."""

    source: str
    """Where it was given: a file, a variable or a flag."""

    key: str
    """The key as files spell it; empty when the whole source is meant."""

    value: str
    """What was given, as a person may see it; empty when there is none."""

    expected: str
    """What is allowed there."""

    def __str__(self) -> str:
        given = f" = {self.value}" if self.value else ""
        return f"{self.source}: {self.key}{given}: {self.expected}".replace(": : ", ": ")


def refuse(problems: list[Problem]) -> None:
    """Raise one error that names all problems, if there are any."""
    unique = list(dict.fromkeys(problems))
    if not unique:
        return
    count = "a problem" if len(unique) == 1 else f"{len(unique)} problems"
    lines = "".join(f"\n- {problem}" for problem in unique)
    raise ConfigError(
        f"The configuration has {count}:{lines}\n",
        hint="Nothing was started or changed. Correct what is listed and try again.",
        problems=[asdict(problem) for problem in unique],
    )


def mask(key: str, value: Any) -> Any:
    """The value without what only its owner may know."""
    if isinstance(value, SecretStr) or (_SECRET.search(key.rsplit(".", 1)[-1]) and value):
        return MASK
    if isinstance(value, str) and "://" in value:
        return _mask_url(value)
    return value


def _mask_url(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return MASK
    user, at, host = parts.netloc.rpartition("@")
    query = re.sub(r"=[^&]*", f"={MASK}", parts.query)
    return parts._replace(netloc=f"{MASK if user else ''}{at}{host}", query=query).geturl()


def shown(key: str, value: Any) -> str:
    """A value as it stands in a message."""
    if isinstance(value, Mapping):
        return "{…}"
    if isinstance(value, list | tuple):
        return "[…]"
    text = repr(mask(key, value))
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def problems_in(error: ValidationError, source: str) -> list[tuple[Problem, list[str]]]:
    """The problems of a source that was read but does not fit the model, and where they are."""
    found: list[tuple[Problem, list[str]]] = []
    for item in error.errors(include_url=False):
        parts = _parts(item["loc"])
        key = ".".join(parts)
        expected = _expected(item["type"], item["msg"], item.get("ctx", {}))
        found.append((Problem(source, key, shown(key, item["input"]), expected), parts))
    return found


def unknown(source: str, parts: list[str], value: Any) -> Problem:
    """The problem of a key that does not exist."""
    key = ".".join(parts)
    return Problem(source, key, shown(key, value), _no_such_key(parts))


def _parts(location: tuple[int | str, ...]) -> list[str]:
    """The key, without the position in a list that pydantic adds."""
    parts = [str(part) for part in location if part != "[key]"]
    while parts and isinstance(location[len(parts) - 1], int):
        parts.pop()
    return parts


def _expected(kind: str, message: str, context: Mapping[str, Any]) -> str:
    if kind == "value_error":
        return f"must be {context['error']}"
    if kind == "literal_error":
        return f"must be {context['expected']}"
    for start, allowed in _ALLOWED.items():
        if kind.startswith(start):
            return f"must be {allowed}"
    return message


_ALLOWED = {
    "bool": "true or false",
    "int": "a whole number",
    "list": "a list of texts, such as ['a', 'b']",
    "model": "a table",
    "dict": "a table",
    "path": "a path",
    "string": "text",
}


def _no_such_key(parts: list[str]) -> str:
    if annotation_at(parts[:-1]) is None and len(parts) > 1:
        return "there is no such key"
    meant = nearest(parts)
    return f"there is no such key; did you mean {meant!r}?" if meant else "there is no such key"
