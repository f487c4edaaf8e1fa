"""What changed on a page between two looks at it, as lines."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tabwright.engine.cdp import ProtocolError
from tabwright.engine.frame import GLANCE_S
from tabwright.engine.outline import CHANGED, IN_VIEW, Line, named, origin_of
from tabwright.errors import TargetClosed

if TYPE_CHECKING:
    from tabwright.engine.frame import Frame
    from tabwright.engine.memory import Remembered
    from tabwright.engine.sight import Sight
    from tabwright.engine.tab import Tab


def mark_changed(before: Remembered, lines: list[Line]) -> None:
    """Note which lines were not there before."""
    known = {line.text for line in before.lines}
    for line in lines:
        if line.text not in known:
            line.flags |= CHANGED


async def changes(tab: Tab, before: Remembered, after: Remembered) -> list[Line]:
    """What is gone, what is new and what is different.

    Of frames that did not answer nothing is said: what was in them is not gone.
    """
    before = replace(before, lines=_outside(before.lines, after.sight.unseen))
    old, new = _by_ref(before), _by_ref(after)
    # Of a long row only what is in view is told: the rest of it is not gone.
    there = await _still_there(tab, [ref for ref in old if ref not in new])
    loose = _in_runs(before.lines) | _in_runs(after.lines)
    old_words, new_words = _words(before.lines, loose), _words(after.lines, loose)
    gone = [f"- {text}" for ref, text in old.items() if ref not in new and ref not in there]
    gone += [f"- {text}" for text in (old_words - new_words).elements()]
    found = [Line(0, "", [], 0, text=text) for text in gone]
    fresh = new_words - old_words
    around = _around_refs(before.lines)
    for line in after.lines:
        refs = [part["e"] for part in line.refs()]
        text = line.text.strip()
        if any(ref not in old for ref in refs) or (not refs and fresh[text] > 0):
            fresh[text] -= 1
            found.append(Line(0, "", line.parts, line.flags | IN_VIEW, text=f"+ {text}"))
        elif refs and _said(line) != around[refs[0]]:
            found.append(Line(0, "", line.parts, line.flags | IN_VIEW, text=f"~ {text}"))
        else:
            changed = [ref for ref in refs if old[ref] != new[ref]]
            found += [Line(0, "", [], IN_VIEW, text=f"~ {new[ref]}") for ref in changed]
    return found


def _outside(lines: list[Line], owners: Collection[int]) -> list[Line]:
    """The lines without those of the frames that some elements show."""
    found: list[Line] = []
    inside: int | None = None
    for line in lines:
        if inside is not None and line.depth > inside:
            continue
        shows = any(part["e"] in owners for part in line.refs())
        inside = line.depth if shows else None
        found.append(line)
    return found


def _around_refs(lines: list[Line]) -> dict[int, list[str]]:
    """For each ref, the words that stand in its line beside the elements."""
    return {part["e"]: _said(line) for line in lines for part in line.refs()}


def _said(line: Line) -> list[str]:
    return [part for part in line.parts if isinstance(part, str)]


def facts_changed(before: Sight, after: Sight) -> str:
    """What is different about the page as a whole, in a line of words."""
    words: list[str] = []
    if (before.url, before.title) != (after.url, after.title):
        words.append(after.name())
    if before.scroll != after.scroll:
        words.append(f"scrolled to {after.scroll[0]},{after.scroll[1]}")
    if before.focus != after.focus:
        words.append(f"focus {after.focus}" if after.focus else "no focus")
    if before.modal != after.modal:
        words.append(f"dialog {after.modal} is open" if after.modal else "no dialog is open")
    words += after.missed()
    return "; ".join(words)


async def _still_there(tab: Tab, refs: list[int]) -> set[int]:
    """Those of the refs whose element is still to be seen on the page."""
    by_frame: dict[Frame, list[int]] = defaultdict(list)
    for ref in refs:
        owner = tab.frames.owner_of(ref)
        if owner is not None and owner[1]:
            by_frame[owner[0]].append(ref)
    found: set[int] = set()
    for frame, own in by_frame.items():
        try:
            async with frame.within(GLANCE_S):
                found.update(await frame.call("stillThere", own))
        except TimeoutError:
            # Nobody can tell that they are gone.
            found.update(own)
        except (ProtocolError, TargetClosed):
            # The frame went while we looked, and all that was in it.
            continue
    return found


def _by_ref(seen: Remembered) -> dict[int, str]:
    origin = origin_of(seen.sight.url)
    return {ref: text for line in seen.lines for ref, text in named(line, origin).items()}


def _words(lines: list[Line], loose: set[str]) -> Counter[str]:
    plain = (line.text.strip() for line in lines if not line.refs() and line.kind != "run")
    return Counter(text for text in plain if text not in loose)


def _in_runs(lines: list[Line]) -> set[str]:
    """The words of long rows of which only a part was walked: they come and go with the window."""
    found: set[str] = set()
    for number, line in enumerate(lines):
        if line.kind != "run":
            continue
        for side in (reversed(lines[:number]), lines[number + 1 :]):
            found.update(one.text.strip() for one in _alike(side, line.depth))
    return found


def _alike(lines: Iterable[Line], depth: int) -> Iterator[Line]:
    """The first lines, as long as they are of one kind and at one depth, or below it."""
    kind = None
    for line in lines:
        if line.depth == depth and line.kind != "run":
            kind = line.kind if kind is None else kind
            if line.kind != kind:
                return
        if line.depth < depth:
            return
        yield line
