"""A page to be read: its article as text or markdown, or all of it as data for a program."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Literal

from tabwright import tokens
from tabwright.engine.outline import Line
from tabwright.engine.sight import Sight
from tabwright.errors import now_iso
from tabwright.page import eyes

if TYPE_CHECKING:
    from tabwright.engine.tab import Tab

MOST_CHARACTERS = 15_000
MOST_HTML = 2_000_000
# Less than this is not an article, but whatever words could be found.
LEAST_ARTICLE = 200
# Pages that are built by scripts are not done when they are loaded.
YOUNG_MS, QUIET_MS, STILL_MS = 1000.0, 200.0, 3000.0
FALLBACK = "(no article found; this is all the text of the page)"


async def article(tab: Tab, form: Literal["text", "markdown"], budget: int) -> dict[str, Any]:
    """What there is to read, without what is around it; all the text where there is no article."""
    frame = tab.frames.main
    await frame.learn(eyes())
    await frame.call("settled", YOUNG_MS, QUIET_MS, STILL_MS)
    page = await frame.call("source")
    found = await asyncio.to_thread(_extract, page["html"], page["url"], form)
    body = found or f"{FALLBACK}\n{page['text']}"
    head = f"Title: {page['title']}\nURL: {page['url']}\n\n"
    text, whole = _within(head, body, budget)
    return {
        "url": page["url"],
        "title": page["title"],
        "content": text,
        "tokens": tokens.count(text),
        "viewport": {"width": page["viewport"][0], "height": page["viewport"][1]},
        "scroll": {"x": page["scroll"][0], "y": page["scroll"][1]},
        "focus": "",
        "dialog": "",
        "frames": 1,
        "hidden": 0,
        "cut": [] if whole else ["…"],
    }


def _extract(html: str, url: str, form: str) -> str:
    # It takes 0.15 s to import.
    import trafilatura

    found = trafilatura.extract(
        html,
        url=url,
        output_format="markdown" if form == "markdown" else "txt",
        include_links=form == "markdown",
        include_comments=False,
        favor_recall=False,
    )
    return found if found and len(found) >= LEAST_ARTICLE else ""


def _within(head: str, body: str, budget: int) -> tuple[str, bool]:
    """The text within the budget and the limit of characters, and whether it is whole."""
    short = body[:MOST_CHARACTERS]
    mark = "\n… (cut: {} of {} characters)"
    spare = budget - tokens.count(head) - tokens.count(mark.format(len(body), len(body))) - 2
    short = tokens.cut(short, max(spare, 0))
    if len(short) == len(body):
        return head + body, True
    return head + short + mark.format(len(short), len(body)), False


async def document(tab: Tab, sight: Sight) -> dict[str, Any]:
    """The page as data: its source, its tree, and the refs to act on."""
    frame = tab.frames.main
    page = await frame.call("source")
    html: str = page["html"]
    data = {
        "url": sight.url,
        "title": sight.title,
        "viewport": {"width": sight.viewport[0], "height": sight.viewport[1]},
        "timestamp": now_iso(),
        "html": html[:MOST_HTML],
        "truncated": len(html) > MOST_HTML or not sight.whole,
        "accessibilityTree": _tree(sight),
        "refs": {
            f"e{part['e']}": {"role": part["r"], "name": part["n"]}
            for line in sight.lines
            for part in line.refs()
        },
    }
    return {
        "url": sight.url,
        "title": sight.title,
        "content": "",
        "tokens": 0,
        "viewport": data["viewport"],
        "scroll": {"x": sight.scroll[0], "y": sight.scroll[1]},
        "focus": sight.focus,
        "dialog": sight.modal,
        "frames": sight.frames,
        "hidden": sight.hidden,
        "cut": [],
        "document": data,
    }


def _tree(sight: Sight) -> dict[str, Any]:
    root: dict[str, Any] = {"role": "document", "name": sight.title, "children": []}
    stack: list[tuple[int, dict[str, Any]]] = [(-1, root)]
    for line in sight.lines:
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
