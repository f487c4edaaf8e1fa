"""A snapshot: what is to be seen of a page, in the form and at the price that were asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from tabwright.engine.artifacts import spills
from tabwright.engine.changes import changes, facts_changed, mark_changed
from tabwright.engine.glob import text_pattern
from tabwright.engine.memory import Remembered
from tabwright.engine.outline import (
    IN_VIEW,
    UNLIMITED,
    Line,
    Outline,
    broken,
    new_mark,
    origin_of,
    outline,
)
from tabwright.engine.readable import document, passage, read
from tabwright.engine.sight import Sight, Wish, see
from tabwright.errors import InputError
from tabwright.tokens import bound, count

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
    frames_in_data: bool = False
    format: Format = "refs"

    @property
    def part(self) -> bool:
        """Whether only a part of the page is wanted, so that it says nothing of the rest."""
        filters = (self.selector, self.find, self.role, self.more, self.depth is not None)
        return any((*filters, self.interactive, self.viewport, not self.frames))

    def wish(self) -> Wish:
        """What of it the page has to know."""
        return Wish(
            selector=self.selector,
            everything=bool(self.full or self.find or self.role or self.format == "json"),
            interactive=self.interactive,
            hidden=self.hidden,
            urls=self.urls,
            boxes=self.boxes,
            frames=self.frames,
            whole=not self.part,
        )


NOTHING = "(nothing to show)"


async def snapshot(tab: Tab, asked: Asked) -> dict[str, Any]:
    """Take one.

    Raises:
        ElementNotFound: there is no such part of the page.
    """
    if asked.format in ("text", "markdown"):
        return await _read(tab, asked)
    if asked.more and "+" not in asked.more:
        return _onward(tab, asked)
    before = None if asked.part else tab.memory.last
    document_now = (tab.frames.main, tab.frames.main.documents)
    if asked.diff and before is not None and before.document == document_now:
        return await _difference(tab, asked, before)
    sight, lines = await _seen(tab, asked, asked.wish())
    if not asked.full:
        lines = broken(lines, asked.budget // 2, origin_of(sight.url))
    everything = asked.full or asked.format == "json"
    name, seen = tab.memory.name(), Remembered(sight, lines, document_now, everything)
    tab.memory.keep(name, seen)
    if before is not None and before.document == document_now:
        mark_changed(before, lines)
    if not asked.part:
        tab.memory.last = seen
    found = shown(sight, lines, UNLIMITED if asked.full else asked.budget, name)
    facts = _facts(sight, found)
    if asked.format == "json":
        data = await document(tab, sight, sight.lines if asked.frames_in_data else sight.own)
        return facts | data
    if asked.full and spills(found.text):
        artifact = tab.session.artifacts.spill(found.text)
        facts |= {"path": str(artifact.path), "size_bytes": artifact.size_bytes, "content": ""}
    return facts


def shown(sight: Sight, lines: list[Line], budget: int, name: str) -> Outline:
    """The text of a sight, the words of the page between marks that it cannot know."""
    if not lines:
        text = f"{sight.head()}\n{NOTHING}"
        return Outline(text, count(text), [])
    begin, tail = marks()
    head = f"{sight.head()}\n{begin}"
    spare = budget - bound(head) - count(f"{tail}\n(99999 tokens)") - 2
    found = outline(lines, budget if budget >= UNLIMITED else max(spare, 0), name)
    text = f"{head}{found.text}{tail}"
    tokens = count(text) + 6
    return Outline(f"{text}\n({tokens} tokens)", tokens, found.cut)


async def _difference(tab: Tab, asked: Asked, before: Remembered) -> dict[str, Any]:
    """What changed since a snapshot, which is looked for as far as that one went."""
    wish = replace(asked.wish(), everything=before.everything)
    sight, lines = await _seen(tab, asked, wish)
    seen = tab.memory.last = replace(before, sight=sight, lines=lines)
    found = await changes(tab, before, seen)
    found = broken(found, asked.budget // 2, origin_of(sight.url))
    name = tab.memory.name()
    tab.memory.keep(name, replace(seen, lines=found))
    facts = facts_changed(before.sight, sight)
    return _facts(sight, _changed(facts, found, asked.budget, name))


async def _seen(tab: Tab, asked: Asked, wish: Wish) -> tuple[Sight, list[Line]]:
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
            sight = await see(tab, replace(wish, whole=False, head=wish.head + head))
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
    name, seen = tab.memory.name(), await read(tab, asked.format, frames=asked.frames)
    tab.memory.keep(name, seen)
    return _facts(seen.sight, passage(seen, 0, asked.budget, name, marks(seen.mark)))


def _onward(tab: Tab, asked: Asked) -> dict[str, Any]:
    """The lines that a snapshot left out, from one of them on."""
    name, _, number = asked.more.partition(".")
    seen, first = tab.memory.get(name), int(number)
    if seen is not None and first < len(seen.text):
        return _facts(seen.sight, passage(seen, first, asked.budget, name, marks(seen.mark)))
    if seen is None or first >= len(seen.lines):
        raise InputError(
            f"There is nothing to go on with at {asked.more!r}.",
            hint="Take a snapshot, and give a handle that it names, such as e12+40 or v1.120.",
        )
    head, tail = marks()
    spare = asked.budget - bound(head + tail) - 20
    onward = broken(seen.lines[first:], asked.budget // 2, origin_of(seen.sight.url))
    if len(onward) > len(seen.lines) - first:
        # Handles count lines, and there are more of them now.
        name, first = tab.memory.name(), 0
        tab.memory.keep(name, replace(seen, lines=onward))
    rest: list[Line] = []
    for line in onward:
        spare -= bound(line.text) + 1
        if spare < 0:
            break
        rest.append(line)
    left = len(onward) - len(rest)
    cut = [line.handle for line in rest if line.handle]
    if left:
        cut.append(f"{name}.{first + len(rest)}")
    more = f"\n… {left} lines (more: {cut[-1]})" if left else ""
    body = "\n".join(line.text for line in rest)
    text = f"{head}{body}{more}{tail}"
    return _facts(seen.sight, Outline(text, count(text), cut))


def marks(mark: str = "") -> tuple[str, str]:
    """What stands around the words of a page: it cannot know them."""
    mark = mark or new_mark()
    return f"<page {mark}>\n", f"\n</page {mark}>"


def _changed(facts: str, lines: list[Line], budget: int, name: str) -> Outline:
    if not lines:
        text = f"Nothing else changed; {facts}." if facts else UNCHANGED
        return Outline(text, count(text), [])
    begin, tail = marks()
    head = f"{facts}\n{begin}" if facts else begin
    found = outline(lines, max(budget - bound(head + tail) - 2, 0), name)
    text = f"{head}{found.text}{tail}"
    return Outline(text, count(text), found.cut)


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
