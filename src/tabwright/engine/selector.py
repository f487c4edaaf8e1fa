"""The ways to name an element, read before anything starts.

    e12   @e12                      a ref from an earlier reply
    #save   .row > a   css=…        CSS
    //button[1]   xpath=…           XPath
    text=Save                       the smallest element that shows the text
    label=Email                     a control by its label or accessible name
    role=button "Save"              by role, with or without a name
    placeholder=…  alt=…  title=…  testid=…
    #cart >> role=button "Remove" >> nth=1
    s3@120,45                       a pixel of picture s3, to be clicked

Text is found anywhere and without case; in double quotes it has to be all there is, as written.
What a part finds, the next part looks inside of. `nth` counts from 0; from the end with a minus.
Shadow roots are looked into, and frames are searched when the page itself has no match.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

TEXTUAL = ("text", "label", "placeholder", "alt", "title", "testid")
REF = re.compile(r"@?e([1-9]\d{0,8})$")
XPATH = re.compile(r"(?:xpath=|\(*\.{0,2}/)")
PREFIX = re.compile(r"([a-z]+)=")
SPOT = re.compile(r"@?(s[1-9]\d{0,8})@(\d{1,6}(?:\.\d{1,6})?)\s*,\s*(\d{1,6}(?:\.\d{1,6})?)$")
NTH = re.compile(r"-?\d{1,6}$")
ROLE = re.compile(
    r"([a-z]+)\s*(?:\[\s*name\s*=\s*(?P<bracket>.+?)\s*\]|name\s*=\s*(?P<name>.+)|(?P<bare>.+))?$"
)
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"$')
# Words of another tool's dialect, which CSS would only call invalid.
FOREIGN = re.compile(
    r":(?:has-text|text|text-is|text-matches|visible|nth-match|right-of|left-of)\b"
)


@dataclass(frozen=True)
class Spot:
    """A point of a picture, in its pixels."""

    shot: str
    x: float
    y: float


@dataclass(frozen=True)
class Selector:
    """A selector that was read."""

    text: str
    parts: tuple[dict[str, Any], ...]
    spot: Spot | None = None
    """Not an element but a point of a picture; what is there is looked up first."""

    @property
    def ref(self) -> int | None:
        """The number of the ref that it begins with."""
        first = self.parts[0]
        return first["value"] if first["by"] == "ref" else None


def parse(text: str) -> Selector:
    """Read a selector.

    Raises:
        ValueError: it cannot be read; the message says why.
    """
    spot = SPOT.match(text.strip())
    if spot:
        return Selector(text, ({"by": "spot"},), Spot(spot[1], _middle(spot[2]), _middle(spot[3])))
    parts = tuple(_part(piece.strip()) for piece in _pieces(text))
    if parts[0]["by"] == "nth":
        raise ValueError("`nth=` needs something before it to count, such as 'li >> nth=2'")
    return Selector(text, parts)


def _middle(number: str) -> float:
    """A whole number means the pixel, so its middle."""
    return float(number) if "." in number else int(number) + 0.5


def _pieces(text: str) -> list[str]:
    pieces, current, quote = [""], 0, ""
    at = 0
    while at < len(text):
        char = text[at]
        if quote:
            if char == "\\" and at + 1 < len(text):
                pieces[current] += char
                at += 1
                char = text[at]
            elif char == quote:
                quote = ""
        elif char in "\"'":
            # An apostrophe in plain words, such as text=Don't, opens nothing.
            quote = (
                char
                if char in text[at + 1 :] and (char == '"' or not pieces[current][-1:].isalnum())
                else ""
            )
        elif text.startswith(">>", at):
            pieces.append("")
            current += 1
            at += 2
            continue
        pieces[current] += char
        at += 1
    if any(not piece.strip() for piece in pieces):
        raise ValueError(
            "must not be empty on either side of '>>'" if current else "must not be empty"
        )
    return pieces


def _part(piece: str) -> dict[str, Any]:
    ref = REF.match(piece)
    if ref:
        return {"by": "ref", "value": int(ref[1])}
    if XPATH.match(piece):
        return {"by": "xpath", "value": piece.removeprefix("xpath=")}
    prefix = PREFIX.match(piece)
    if prefix is None:
        return _css(piece)
    kind, rest = prefix[1], piece[prefix.end() :].strip()
    if kind not in (*TEXTUAL, "css", "role", "nth"):
        known = ", ".join((*TEXTUAL, "role", "css", "xpath", "nth"))
        raise ValueError(f"there is no `{kind}=` (there are: {known})")
    if not rest:
        raise ValueError(f"`{kind}=` needs a value")
    if kind == "css":
        return _css(rest)
    if kind == "nth":
        if not NTH.match(rest):
            raise ValueError(f"`nth=` needs a whole number, not {rest!r}")
        return {"by": "nth", "value": int(rest)}
    if kind == "role":
        return _role(rest)
    value, exact = _text(rest)
    return {"by": kind, "value": value, "exact": exact}


def _css(text: str) -> dict[str, Any]:
    foreign = FOREIGN.search(text)
    if foreign:
        raise ValueError(f'`{foreign[0]}` is not CSS; use text=…, or role=button "…"')
    return {"by": "css", "value": text}


def _role(rest: str) -> dict[str, Any]:
    match = ROLE.match(rest)
    if match is None:
        raise ValueError('`role=` needs a role, such as role=button "Save"')
    named = match["bracket"] or match["name"] or match["bare"]
    if named is None:
        return {"by": "role", "value": match[1], "name": None, "exact": False}
    name, exact = _text(named)
    return {"by": "role", "value": match[1], "name": name, "exact": exact}


def _text(given: str) -> tuple[str, bool]:
    quoted = QUOTED.match(given)
    if quoted is None:
        return given, False
    try:
        return str(json.loads(f'"{quoted[1]}"')), True
    except json.JSONDecodeError:
        return quoted[1].replace('\\"', '"'), True
