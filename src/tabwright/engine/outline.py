"""A page as text: one line for a line of it, within a budget of tokens that is never exceeded.

What is on the page stands in quotes, or is a word of ours. What was cut is named where it was, with
what to ask for to have it.
"""

from __future__ import annotations

import json
import re
import secrets
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from tabwright.tokens import bound, cut
from tabwright.wording import many

Part = str | dict[str, Any]

IN_VIEW, FOCUSED, URGENT, CONTROL, TITLE, CHANGED = 1, 2, 4, 8, 16, 32
SHOWN_ROLES = 3
# So many lines may be too long for what is left of a budget before no more is looked for.
PASSED_OVER = 20
UNLIMITED = 10**9
_PLAIN = re.compile(r'[^"\\\x00-\x1f\x7f]*')
_ADDRESS = re.compile(r"(?!javascript:|data:)[!#-;=?-~]+…?", re.IGNORECASE)
SHOWN_URL = 120
SHOWN_VALUE = 200


def new_mark() -> str:
    """What a page cannot know, to stand where its words begin and end; it is never like a ref."""
    return str(100_000 + secrets.randbelow(900_000))


@dataclass
class Line:
    """One line of a page."""

    depth: int
    kind: str
    """`h1` to `h6`, `item`, `row`, `in` (a container), `run` (what was not walked), or nothing."""
    parts: list[Part]
    flags: int
    text: str = ""

    @property
    def handle(self) -> str:
        """What to ask for to have what was not walked; nothing for other lines."""
        run = self.parts[0] if self.kind == "run" else None
        return f"e{run['e']}+{run['from']}" if isinstance(run, dict) else ""

    def refs(self) -> list[dict[str, Any]]:
        """The parts that have a ref."""
        if self.kind == "run":
            return []
        return [part for part in self.parts if isinstance(part, dict) and part.get("e")]


@dataclass
class Outline:
    """The text of a page, and what is not in it."""

    text: str
    tokens: int
    cut: list[str] = field(default_factory=list[str])
    """What to ask for to have the rest."""


def render(lines: Iterable[Line], origin: str) -> None:
    """Give each line its text."""
    for line in lines:
        line.text = " " * line.depth + _line(line, origin)


def outline(lines: list[Line], budget: int, name: str) -> Outline:
    """The lines that matter most, in the order of the page, within a budget.

    What is left out is reached by `name` and the number of a line.
    """
    if budget >= UNLIMITED:
        text, cut = _with_gaps(lines, set(range(len(lines))), name)
        return Outline(text, 0, cut)
    chosen = _choose(lines, budget)
    while True:
        text, cut = _with_gaps(lines, set(chosen), name)
        tokens = bound(text)
        if tokens <= budget or not chosen:
            return Outline(text, tokens, cut)
        # Marks for what is left out cost as well.
        del chosen[-max(1, len(chosen) // 20) :]


def broken(lines: list[Line], most: int, origin: str) -> list[Line]:
    """The same lines, those that cost more than `most` in pieces that do not."""
    return [piece for line in lines for piece in _pieces(line, most, origin)]


def _pieces(line: Line, most: int, origin: str) -> list[Line]:
    # No token is less than a byte.
    if len(line.text) * 4 <= most or bound(line.text) <= most:
        return [line]
    pieces: list[Line] = []
    left = 0
    for bit in _bits(line.parts, most // 2):
        cost = bound(_part(bit, origin)) + 1
        if cost > left or not pieces:
            pieces.append(replace(line, kind="" if pieces else line.kind, parts=[]))
            left = most - line.depth - 4
        pieces[-1].parts.append(bit)
        left -= cost
    render(pieces, origin)
    for piece in pieces or [line]:
        if bound(piece.text) > most:
            piece.text = f'{cut(piece.text, most - 2)}…"'
    return pieces or [line]


def _bits(parts: Iterable[Part], most: int) -> Iterable[Part]:
    """The parts, long text in several."""
    for part in parts:
        if not isinstance(part, str):
            yield part
            continue
        rest = part
        while rest:
            bit = cut(rest, most) or rest[:1]
            if len(bit) < len(rest) and " " in bit[len(bit) // 2 :]:
                bit = bit[: bit.rindex(" ") + 1]
            yield bit
            rest = rest[len(bit) :]


def _choose(lines: list[Line], budget: int) -> list[int]:
    """The numbers of the lines to show, the most important first."""
    parents = _parents(lines)
    chosen: dict[int, None] = {}
    left, passed = budget, 0
    for wanted in _ranks(lines):
        for number in wanted:
            path = [at for at in (*parents[number], number) if at not in chosen]
            cost = sum(bound(lines[at].text) + 1 for at in path)
            if cost <= left:
                left -= cost
                chosen.update(dict.fromkeys(path))
            elif passed == PASSED_OVER:
                return list(chosen)
            else:
                passed += 1
    return list(chosen)


def _ranks(lines: list[Line]) -> list[list[int]]:
    ranks: list[list[int]] = [[] for _ in range(len(RANKS) + 1)]
    for number, line in enumerate(lines):
        ranks[_rank(line)].append(number)
    return ranks


RANKS = (URGENT | FOCUSED, IN_VIEW, CHANGED, CONTROL, TITLE)


def _rank(line: Line) -> int:
    for rank, flags in enumerate(RANKS):
        if line.flags & flags:
            return rank
    return 1 if line.kind == "run" else len(RANKS)


def _parents(lines: list[Line]) -> list[tuple[int, ...]]:
    """For each line, the containers that it is in."""
    found: list[tuple[int, ...]] = []
    stack: list[int] = []
    for number, line in enumerate(lines):
        while stack and lines[stack[-1]].depth >= line.depth:
            stack.pop()
        found.append(tuple(stack))
        if line.kind == "in":
            stack.append(number)
    return found


def _with_gaps(lines: list[Line], chosen: set[int], name: str) -> tuple[str, list[str]]:
    shown: list[str] = []
    cut: list[str] = []
    gap: list[Line] = []
    for number, line in enumerate(lines):
        if number not in chosen:
            gap.append(line)
            continue
        if gap:
            shown.append(_gap(gap, f"{name}.{number - len(gap)}", cut))
            gap = []
        if line.kind == "run":
            cut.append(line.handle)
        shown.append(line.text)
    if gap:
        shown.append(_gap(gap, f"{name}.{len(lines) - len(gap)}", cut))
    return "\n".join(shown), cut


def _gap(gap: list[Line], handle: str, cut: list[str]) -> str:
    cut.append(handle)
    roles = Counter(part["r"] for line in gap for part in line.refs() if line.kind != "in")
    held = ", ".join(many(n, role) for role, n in roles.most_common(SHOWN_ROLES))
    return f"… {many(len(gap), 'line')}{f' with {held}' if held else ''} (more: {handle})"


def _line(line: Line, origin: str) -> str:
    if line.kind == "run":
        run = line.parts[0]
        assert isinstance(run, dict)
        _, noun = many(run["count"], run["of"]).split(" ", 1)
        return f"… {run['count']} more {noun} (more: {line.handle})"
    said = _joined([_part(part, origin) for part in _without_labels(line.parts)])
    match line.kind:
        case "item":
            return f"- {said}"
        case "in":
            return f"{said}:"
        case "" | "row":
            return said
        case heading:
            return f"{heading} {said}"


def _joined(words: list[str]) -> str:
    """Words with spaces between them, cells without: a space costs as much as a word."""
    cells: list[list[str]] = [[]]
    for word in words:
        if word == "|":
            cells.append([])
        else:
            cells[-1].append(word)
    return "|".join(" ".join(cell) for cell in cells)


def _without_labels(parts: list[Part]) -> list[Part]:
    """A label that says the name of the control beside it need not be said twice."""
    named = [part["n"] for part in parts if isinstance(part, dict) and part.get("e")]
    if not named or len(named) == len(parts):
        return [part for part in parts if not isinstance(part, str) or part.strip()]
    names = {_bare(name) for name in named}

    def spoken(part: Part) -> bool:
        if not isinstance(part, str) or part == "|":
            return True
        return bool(part.strip()) and _bare(part) not in names

    return [part for part in parts if spoken(part)]


def _bare(text: str) -> str:
    return text.strip().rstrip(":*").strip().lower()


def _part(part: Part, origin: str) -> str:
    if isinstance(part, str):
        return part if part == "|" else quoted(part.strip())
    role, name, hint = part["r"], part["n"], part.get("h", "")
    if role == "sorted":
        return f"(sorted {name})"
    words = [role]
    if name:
        words.append(quoted(name))
    elif hint:
        words.append(f"~{quoted(hint)}")
    if part.get("e"):
        words.append(f"e{part['e']}")
    state = part.get("s")
    if state:
        value = state.get("valuetext") or state.get("value")
        if value is not None:
            words[-1] += f"={quoted(_shortened(str(value), SHOWN_VALUE))}"
        if len(state) > (value is not None):
            words += _state(state)
    # Most have a role, a name and a ref, and nothing else to tell.
    if len(part) > 3 or "e" not in part:
        words += _extras(part, origin)
    return " ".join(words)


def _extras(part: dict[str, Any], origin: str) -> list[str]:
    words: list[str] = []
    if part.get("a"):
        words.append("focused")
    if "o" in part:
        words.append(_options(part["o"]))
    if part.get("d"):
        words.append(f"described {quoted(part['d'])}")
    if part.get("u"):
        words.append(f"-> {_address(part['u'], origin)}")
    if part.get("b"):
        words.append("[{},{},{},{}]".format(*part["b"]))
    if part.get("x"):
        words.append(f"({part['x']})")
    return words


YES_NO = {
    "checked": ("checked", ""),
    "pressed": ("pressed", "not pressed"),
    "expanded": ("expanded", "collapsed"),
    "selected": ("selected", ""),
    "disabled": ("disabled", ""),
    "readonly": ("read-only", ""),
    "required": ("required", ""),
    "multiselectable": ("multiple", ""),
    "busy": ("busy", ""),
    "modal": ("modal", ""),
}


def _state(state: dict[str, Any]) -> list[str]:
    words: list[str] = []
    if "min" in state or "max" in state:
        words.append(f"({state.get('min', '')} to {state.get('max', '')})")
    for key, (yes, no) in YES_NO.items():
        if key in state:
            said = state[key]
            words.append("mixed" if said == "mixed" else yes if said else no)
    if "invalid" in state:
        words.append("invalid" if state["invalid"] is True else f"invalid {state['invalid']}")
    if "current" in state:
        words.append("current" if state["current"] is True else f"current {state['current']}")
    if "haspopup" in state:
        words.append(f"opens {state['haspopup']}")
    if "sort" in state:
        words.append(f"sorted {state['sort']}")
    if "level" in state:
        words.append(f"level {state['level']}")
    if "posinset" in state:
        words.append(f"{state['posinset']} of {state.get('setsize', '?')}")
    return [word for word in words if word]


def _options(options: dict[str, Any]) -> str:
    labels, total = options["labels"], options["total"]
    more = f", … {total} in all" if total > len(labels) else ""
    return f"of {', '.join(quoted(label) for label in labels)}{more}"


def _address(url: str, origin: str) -> str:
    short = url.removeprefix(origin) if origin and url.startswith(f"{origin}/") else url
    return _safe(_shortened(short, SHOWN_URL))


def _safe(address: str) -> str:
    """An address as it is, unless it holds what an address does not: words that pass for ours."""
    return address if _ADDRESS.fullmatch(address) else quoted(address)


def _shortened(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length]}…"


def origin_of(url: str) -> str:
    """Scheme and host, which need not be said again with every address."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def named(line: Line, origin: str) -> dict[int, str]:
    """What is said of each ref of a line."""
    return {part["e"]: _part(part, origin) for part in line.refs()}


def quoted(text: str) -> str:
    """Words of the page, which end where they seem to end."""
    return f'"{text}"' if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)
