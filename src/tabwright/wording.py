"""How replies say things: numbers of things, moments, texts of more than one line."""

from __future__ import annotations

from datetime import UTC, datetime

FURTHER = "    "


def many(number: int, noun: str) -> str:
    """So many of a thing, in words."""
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{number} {noun[:-1]}ies"
    return f"{number} {noun}es" if noun.endswith(("x", "ch")) else f"{number} {noun}s"


def iso(seconds: float) -> str:
    """A moment, given in seconds since 1970, as replies, logs and errors state it."""
    moment = datetime.fromtimestamp(seconds, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def indented(text: str) -> str:
    """A text whose further lines cannot pass for lines of ours, which begin at the margin."""
    return f"\n{FURTHER}".join(text.splitlines())
