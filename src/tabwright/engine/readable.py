"""A page to be read: its article as text or markdown, or all of it as data for a program."""

from __future__ import annotations

import asyncio
import json
import logging
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from tabwright import tokens
from tabwright.engine.artifacts import spills
from tabwright.engine.frame import Frame
from tabwright.engine.memory import Remembered
from tabwright.engine.outline import Line, Outline, new_mark, quoted
from tabwright.engine.roots import open_closed
from tabwright.engine.sight import (
    TITLE_TOKENS,
    URL_TOKENS,
    Sight,
    look_into,
    shortened,
    shown_in,
)
from tabwright.errors import now_iso
from tabwright.page import eyes

if TYPE_CHECKING:
    from tabwright.engine.tab import Tab

MOST_CHARACTERS = 15_000
MOST_HTML = 2_000_000
MOST_FRAMES = 50
# Less than this is not an article, but whatever words could be found.
LEAST_ARTICLE = 200
# Pages that are built by scripts are not done when they are loaded.
YOUNG_MS, QUIET_MS, STILL_MS = 1000.0, 200.0, 3000.0
FALLBACK = "(no article found; this is all the text of the page)"
REST = "… (characters {} to {} of {}; more: {}.{})"


class Reading:
    """What there is to read in a page and its frames, the frames after the page.

    Only what a person can see gets to where articles are found.
    """

    def __init__(self, tab: Tab, form: Literal["text", "markdown"], mark: str) -> None:
        self.texts: list[str] = []
        self._tab = tab
        self._form: Literal["text", "markdown"] = form
        self._mark = mark
        self._left = MOST_HTML
        loop = asyncio.get_running_loop()
        self._now = loop.time
        self._still_by = loop.time() + STILL_MS / 1000

    async def look(self, frame: Frame) -> dict[str, Any]:
        """What the page script finds in a document that has come to rest, or had time to."""
        await frame.learn(eyes())
        await open_closed(frame)
        limit = (self._still_by - self._now()) * 1000
        if limit > 0:
            await frame.call("settled", YOUNG_MS, QUIET_MS, limit)
        page = await frame.call("article", self._left)
        self._left -= len(page["html"])
        return page

    async def words(self, page: dict[str, Any]) -> tuple[str, bool]:
        """What is to be read of a document, and whether it is an article and not just all of it."""
        found = await asyncio.to_thread(article, page["html"], page["url"], self._form)
        return found or page["text"], bool(found)

    async def frames_in(self, frame: Frame, page: dict[str, Any], sight: Sight) -> None:
        """Read the frames that a document shows, each below a line that says which it is."""
        if not page["frames"]:
            return
        children = await shown_in(self._tab, frame, [one["e"] for one in page["frames"]])
        for one in page["frames"]:
            child = children.get(one["e"])
            if child is None:
                continue
            if sight.frames > MOST_FRAMES or self._left <= 0:
                sight.skipped += 1
                continue
            inner = await look_into(child, partial(self.look, child), sight)
            if inner is None:
                continue
            words, _ = await self.words(inner)
            url = shortened(inner["url"], URL_TOKENS)
            if words:
                self.texts.append(f"<frame {self._mark} {quoted(one['n'])} {url}>\n{words}")
            await self.frames_in(child, inner, sight)


async def read(tab: Tab, form: Literal["text", "markdown"], *, frames: bool = True) -> Remembered:
    """What there is to read, without what is around it; all the text where there is no article."""
    main = tab.frames.main
    reading = Reading(tab, form, mark := new_mark())
    page = await reading.look(main)
    sight = Sight.of(page)
    words, found = await reading.words(page)
    if frames:
        await reading.frames_in(main, page, sight)
    text = "\n".join(filter(None, (words, *reading.texts)))
    notes = ([] if found else [FALLBACK]) + [f"({one})" for one in sight.missed()]
    return Remembered(sight, [], text=text, note="\n".join(notes), mark=mark)


def article(html: str, url: str, form: Literal["text", "markdown"] = "text") -> str:
    """What a page is about, without what is around it; nothing where there is no article."""
    found = _trafilatura().extract(
        html,
        url=url,
        output_format="markdown" if form == "markdown" else "txt",
        include_links=form == "markdown",
        include_comments=False,
        favor_recall=False,
    )
    return found if found and len(found) >= LEAST_ARTICLE else ""


def all_text(html: str) -> str:
    """All the words of a page that are not its scripts or styles."""
    return _trafilatura().html2txt(html)


def _trafilatura() -> ModuleType:
    # It takes 0.15 s to import.
    import trafilatura

    # It calls an empty page an error, and would say so to whoever runs us.
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    return trafilatura


def passage(
    seen: Remembered, start: int, budget: int, name: str, marks: tuple[str, str]
) -> Outline:
    """The text from a character on, within the budget and the limit of characters.

    The words of the page stand between marks that it cannot know, and what is beyond has a handle.
    """
    sight, text = seen.sight, seen.text
    title, url = shortened(sight.title, TITLE_TOKENS), shortened(sight.url, URL_TOKENS)
    note = f"{seen.note}\n" if seen.note else ""
    head = "" if start else f"Title: {quoted(title)}\nURL: {url}\n{note}"
    longest = f"\n{REST.format(len(text), len(text), len(text), name, len(text))}"
    spare = budget - tokens.count("".join((head, *marks, longest))) - 2
    said = tokens.cut(text[start : start + MOST_CHARACTERS], max(spare, 0))
    end = start + len(said)
    rest = end < len(text)
    tail = f"\n{REST.format(start, end, len(text), name, end)}" if rest else ""
    content = f"{head}{marks[0]}{said}{marks[1]}{tail}"
    return Outline(content, tokens.count(content), [f"{name}.{end}"] if rest else [])


async def document(tab: Tab, sight: Sight, lines: list[Line]) -> dict[str, Any]:
    """The page as data: its source, its tree, and the refs to act on; in a file when it is long."""
    frame = tab.frames.main
    page = await frame.call("source")
    html: str = page["html"]
    data = {
        "url": sight.url,
        "title": sight.title,
        "viewport": {"width": sight.viewport[0], "height": sight.viewport[1]},
        "timestamp": now_iso(),
        "html": html[:MOST_HTML],
        "truncated": len(html) > MOST_HTML or not sight.whole or bool(sight.silent),
        "accessibilityTree": _tree(sight.title, lines),
        "refs": {
            f"e{part['e']}": {"role": part["r"], "name": part["n"]}
            for line in lines
            for part in line.refs()
        },
    }
    text = await asyncio.to_thread(_written, data)
    if not spills(text):
        return {"document": data}
    artifact = tab.session.artifacts.spill(text, suffix=".json", mime_type="application/json")
    return {"path": str(artifact.path), "size_bytes": artifact.size_bytes}


def _written(data: dict[str, Any]) -> str:
    """Data as JSON. Half a character, which a page may have, is no text."""
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")


def _tree(title: str, lines: list[Line]) -> dict[str, Any]:
    root: dict[str, Any] = {"role": "document", "name": title, "children": []}
    stack: list[tuple[int, dict[str, Any]]] = [(-1, root)]
    for line in lines:
        while stack[-1][0] >= line.depth:
            stack.pop()
        nodes = _nodes(line)
        stack[-1][1]["children"] += nodes
        if line.kind == "in" or any(node["role"] == "iframe" for node in nodes):
            nodes[-1].setdefault("children", [])
            stack.append((line.depth, nodes[-1]))
    return root


KINDS = {"item": "listitem", "row": "row"}
STATES = {"h": "hint", "d": "description", "u": "url", "b": "box", "x": "hidden"}


def _nodes(line: Line) -> list[dict[str, Any]]:
    parts = [_node(part) for part in line.parts if part != "|"]
    if line.kind[:1] == "h":
        words = " ".join(part["name"] for part in parts)
        return [{"role": "heading", "level": int(line.kind[1:]), "name": words, "children": parts}]
    if line.kind in KINDS:
        return [{"role": KINDS[line.kind], "name": "", "children": parts}]
    return parts


def _node(part: str | dict[str, Any]) -> dict[str, Any]:
    if isinstance(part, str):
        return {"role": "text", "name": part.strip()}
    node: dict[str, Any] = {"role": part.get("r", "run"), "name": part.get("n", "")}
    if part.get("e"):
        node["ref"] = f"e{part['e']}"
    node |= part.get("s", {})
    node |= {word: part[key] for key, word in STATES.items() if part.get(key)}
    return node
