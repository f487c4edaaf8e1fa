"""A snapshot: what is to be seen of a page, in the form and at the price that were asked for."""

from __future__ import annotations

import secrets
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from tabwright.engine.artifacts import spills
from tabwright.engine.glob import text_pattern
from tabwright.engine.memory import Remembered
from tabwright.engine.outline import (
    IN_VIEW,
    UNLIMITED,
    Line,
    Outline,
    named,
    origin_of,
    outline,
)
from tabwright.engine.readable import document, passage, read
from tabwright.engine.sight import Sight, Wish, see
from tabwright.errors import InputError
from tabwright.tokens import count

if TYPE_CHECKING:
    from tabwright.engine.tab import Tab

Format = Literal["refs", "json", "text", "markdown"]
# A page that was cut though it cost less than this part of the budget is looked at once more.
POOR = 0.6
BUDGET = 2000
UNCHANGED = "No change since the last snapshot."


@dataclass(frozen=True)
class Asked:
    """What a caller wants of a snapshot."""

    selector: str = ""
    budget: int = BUDGET
    full: bool = False
    diff: bool = False
    interactive: bool = False
    viewport: bool = False
    find: str = ""
    role: str = ""
    depth: int | None = None
    more: str = ""
    boxes: bool = False
    urls: bool = False
    hidden: bool = False
    frames: bool = True
    format: Format = "refs"

    def wish(self) -> Wish:
        """What of it the page has to know."""
        filtered = bool(self.find or self.role)
        return Wish(
            selector=self.selector,
            everything=self.full or filtered or self.format == "json",
            interactive=self.interactive,
            hidden=self.hidden,
            urls=self.urls,
            boxes=self.boxes,
            frames=self.frames,
        )


async def snapshot(tab: Tab, asked: Asked) -> dict[str, Any]:
    """Take one.

    Raises:
        ElementNotFound: there is no such part of the page.
    """
    if asked.format in ("text", "markdown"):
        return await _read(tab, asked)
    if asked.more and "+" not in asked.more:
        return _onward(tab, asked)
    sight, lines = await _seen(tab, asked)
    if asked.format == "json":
        return await document(tab, sight)
    name, before, seen = tab.memory.name(), tab.memory.last, Remembered(sight, lines)
    tab.memory.keep(name, seen)
    if not asked.more and not asked.selector:
        tab.memory.last = seen
    if asked.diff and before is not None:
        changes = _changes(before, seen)
        tab.memory.keep(name, Remembered(sight, changes))
        return _facts(sight, _changed(changes, asked.budget, name))
    found = shown(sight, lines, UNLIMITED if asked.full else asked.budget, name)
    facts = _facts(sight, found)
    if asked.full and spills(found.text):
        artifact = tab.session.artifacts.spill(found.text)
        facts |= {"path": str(artifact.path), "size_bytes": artifact.size_bytes, "content": ""}
    return facts


def shown(sight: Sight, lines: list[Line], budget: int, name: str) -> Outline:
    """The text of a sight, the words of the page between marks that it cannot know."""
    begin, tail = _marks()
    head = f"{sight.head()}\n{begin}"
    spare = budget - count(head) - count(f"{tail}\n(99999 tokens)") - 2
    found = outline(lines, budget if budget >= UNLIMITED else max(spare, 0), name)
    text = f"{head}{found.text}{tail}"
    tokens = count(text) + 6
    return Outline(f"{text}\n({tokens} tokens)", tokens, found.cut)


async def _seen(tab: Tab, asked: Asked) -> tuple[Sight, list[Line]]:
    wish = asked.wish()
    if asked.more:
        ref, _, child = asked.more.partition("+")
        wish = replace(wish, selector=ref, after=int(child))
    sight = await see(tab, wish)
    runs = [line for line in sight.lines if line.kind == "run"]
    if runs and not asked.more and not asked.viewport:
        spent = sum(count(line.text) + 1 for line in sight.lines)
        if spent < asked.budget * POOR:
            each = max(spent // max(len(sight.lines), 1), 5)
            head = int((asked.budget - spent) * POOR / each / len(runs))
            sight = await see(tab, replace(wish, head=wish.head + head))
    return sight, _filtered(sight.lines, asked)


def _filtered(lines: list[Line], asked: Asked) -> list[Line]:
    if asked.viewport:
        lines = [line for line in lines if line.flags & IN_VIEW]
    if asked.depth is not None:
        lines = [line for line in lines if line.depth < asked.depth]
    if asked.interactive:
        lines = [line for line in lines if line.refs() or line.kind == "run"]
    if asked.role:
        lines = [line for line in lines if any(p["r"] == asked.role for p in line.refs())]
    if asked.find:
        wanted = text_pattern(asked.find)
        lines = [line for line in lines if wanted.search(line.text)]
    return lines


async def _read(tab: Tab, asked: Asked) -> dict[str, Any]:
    """The page as an article."""
    assert asked.format in ("text", "markdown")
    name, seen = tab.memory.name(), await read(tab, asked.format)
    tab.memory.keep(name, seen)
    return _facts(seen.sight, passage(seen, 0, asked.budget, name, _marks()))


def _onward(tab: Tab, asked: Asked) -> dict[str, Any]:
    """The lines that a snapshot left out, from one of them on."""
    name, _, number = asked.more.partition(".")
    seen, first = tab.memory.get(name), int(number)
    if seen is not None and first < len(seen.text):
        return _facts(seen.sight, passage(seen, first, asked.budget, name, _marks()))
    if seen is None or first >= len(seen.lines):
        raise InputError(
            f"There is nothing to go on with at {asked.more!r}.",
            hint="Take a snapshot, and give a handle that it names, such as e12+40 or v1.120.",
        )
    head, tail = _marks()
    spare = asked.budget - count(head + tail) - 20
    rest: list[Line] = []
    for line in seen.lines[first:]:
        spare -= count(line.text) + 1
        if spare < 0:
            break
        rest.append(line)
    left = len(seen.lines) - first - len(rest)
    cut = [line.handle for line in rest if line.handle]
    if left:
        cut.append(f"{name}.{first + len(rest)}")
    more = f"\n… {left} lines (more: {cut[-1]})" if left else ""
    body = "\n".join(line.text for line in rest)
    text = f"{head}{body}{more}{tail}"
    return _facts(seen.sight, Outline(text, count(text), cut))


def _marks() -> tuple[str, str]:
    """What stands around the words of a page: it cannot know them."""
    mark = secrets.token_hex(2)
    return f"<page {mark}>\n", f"\n</page {mark}>"


def _changed(changes: list[Line], budget: int, name: str) -> Outline:
    if not changes:
        return Outline(UNCHANGED, count(UNCHANGED), [])
    head, tail = _marks()
    found = outline(changes, max(budget - count(head + tail) - 2, 0), name)
    text = f"{head}{found.text}{tail}"
    return Outline(text, count(text), found.cut)


def _changes(before: Remembered, after: Remembered) -> list[Line]:
    """What is gone, what is new and what is different, as lines."""
    old, new = _by_ref(before), _by_ref(after)
    old_words, new_words = _words(before.lines), _words(after.lines)
    gone = [f"- {text}" for ref, text in old.items() if ref not in new]
    gone += [f"- {text}" for text in (old_words - new_words).elements()]
    changes = [Line(0, "", [], 0, text=text) for text in gone]
    fresh = new_words - old_words
    for line in after.lines:
        refs = [part["e"] for part in line.refs()]
        added = [ref for ref in refs if ref not in old]
        changed = [ref for ref in refs if ref in old and old[ref] != new[ref]]
        text = line.text.strip()
        if added or (not refs and fresh[text] > 0):
            fresh[text] -= 1
            changes.append(Line(0, "", line.parts, line.flags | IN_VIEW, text=f"+ {text}"))
        else:
            changes += [Line(0, "", [], IN_VIEW, text=f"~ {new[ref]}") for ref in changed]
    return changes


def _by_ref(seen: Remembered) -> dict[int, str]:
    origin = origin_of(seen.sight.url)
    return {ref: text for line in seen.lines for ref, text in named(line, origin).items()}


def _words(lines: list[Line]) -> Counter[str]:
    return Counter(line.text.strip() for line in lines if not line.refs() and line.kind != "run")


def _facts(sight: Sight, found: Outline) -> dict[str, Any]:
    return {
        "url": sight.url,
        "title": sight.title,
        "content": found.text,
        "tokens": found.tokens,
        "viewport": {"width": sight.viewport[0], "height": sight.viewport[1]},
        "scroll": {"x": sight.scroll[0], "y": sight.scroll[1]},
        "focus": sight.focus,
        "dialog": sight.modal,
        "frames": sight.frames,
        "hidden": sight.hidden,
        "cut": found.cut,
    }
