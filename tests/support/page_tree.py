"""Pages as trees of elements and documents, and their HTML."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

RECORDER = Path(__file__).with_name("recorder.js").read_text(encoding="utf-8")
PREFIX = "/verdicts"
VOID = ("input", "img", "br", "hr")

Where = Literal["page", "srcdoc", "same", "cross", "sandbox"]


@dataclass
class Node:
    """An element."""

    tag: str
    id: str = ""
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    style: dict[str, str] = field(default_factory=dict[str, str])
    children: list[Node | str] = field(default_factory=list["Node | str"])
    root: str = ""
    """`open` or `closed`: the children of class `inner` are in a shadow root."""
    inner: list[Node | str] = field(default_factory=list["Node | str"])
    document: Document | None = None

    def nodes(self) -> Iterator[Node]:
        """The element and all below it, also in roots and frames."""
        yield self
        for child in [*self.inner, *self.children]:
            if isinstance(child, Node):
                yield from child.nodes()
        if self.document:
            yield from self.document.nodes()


@dataclass
class Document:
    """A document: the page's own, or that of a frame."""

    name: str
    where: Where = "page"
    body: list[Node | str] = field(default_factory=list["Node | str"])
    style: dict[str, str] = field(default_factory=dict[str, str])
    css: list[str] = field(default_factory=list[str])
    witness: bool = False
    """Whether it listens at its window for everything."""
    swallow: list[str] = field(default_factory=list[str])
    keep: bool = False
    """Whether its record outlives it."""

    def nodes(self) -> Iterator[Node]:
        """All elements, also in roots and frames."""
        for child in self.body:
            if isinstance(child, Node):
                yield from child.nodes()

    def documents(self) -> Iterator[Document]:
        """The document and those of all frames in it."""
        yield self
        for node in self.nodes():
            if node.document:
                yield node.document


def path_of(seed: int, document: Document) -> str:
    """Where a document is served."""
    return f"{PREFIX}/{seed}/{document.name}"


def chain_of(document: Document, target: str) -> list[tuple[str, str]] | None:
    for node in _own_nodes(document):
        if node.id == target:
            return [(document.name, target)]
        deeper = chain_of(node.document, target) if node.document else None
        if deeper:
            return [(document.name, node.id), *deeper]
    return None


def _own_nodes(document: Document) -> Iterator[Node]:
    def walk(children: list[Node | str]) -> Iterator[Node]:
        for child in children:
            if isinstance(child, Node):
                yield child
                yield from walk([*child.inner, *child.children])

    return walk(document.body)


def render(document: Document, seed: int, port: int) -> str:
    """A document as HTML."""
    data = {"name": document.name}
    if document.witness:
        data["witness"] = ""
    if document.swallow:
        data["swallow"] = " ".join(document.swallow)
    if document.keep:
        data["keep"] = ""
    # Without it, "#" in such a document leads to the page around it.
    base = '<base href="about:srcdoc">' if document.where in ("srcdoc", "sandbox") else ""
    said = " ".join(f'data-{key}="{text}"' for key, text in data.items())
    style = _style(document.style)
    body = "".join(_html(child, seed, port) for child in document.body)
    return (
        f"<!doctype html><html><meta charset=utf-8><title>{document.name}</title>{base}"
        f"<style>{KEYFRAMES}{''.join(document.css)}</style>"
        f"<script {said}>{RECORDER}</script>"
        f'<body style="{style}">{body}<script>record.begin()</script>'
    )


def left_page() -> str:
    """Where links and scripts go that leave the page."""
    script = f"<script data-name=left data-keep>{RECORDER}</script>"
    return f"<!doctype html><html><title>left</title>{script}left"


def _html(node: Node | str, seed: int, port: int) -> str:
    if isinstance(node, str):
        return html.escape(node)
    attributes = dict(node.attributes)
    if node.id:
        attributes["id"] = node.id
    if node.style:
        attributes["style"] = _style(node.style)
    if node.document:
        attributes |= _source(node.document, seed, port)
    said = "".join(f' {name}="{html.escape(text)}"' for name, text in attributes.items())
    if node.tag in VOID:
        return f"<{node.tag}{said}>"
    inner = "".join(_html(child, seed, port) for child in node.inner)
    root = f"<template data-root={node.root}>{inner}</template>" if node.root else ""
    children = "".join(_html(child, seed, port) for child in node.children)
    return f"<{node.tag}{said}>{root}{children}</{node.tag}>"


def _source(document: Document, seed: int, port: int) -> dict[str, str]:
    if document.where == "srcdoc":
        return {"srcdoc": render(document, seed, port)}
    if document.where == "sandbox":
        return {"srcdoc": render(document, seed, port), "sandbox": "allow-scripts"}
    host = "localhost" if document.where == "cross" else "127.0.0.1"
    return {"src": f"http://{host}:{port}{path_of(seed, document)}"}


def _style(style: dict[str, str]) -> str:
    return ";".join(f"{name}:{text}" for name, text in style.items())


KEYFRAMES = """
@keyframes slide { to { transform: translateX(160px) } }
@keyframes shift { to { left: 160px } }
@keyframes grow { to { scale: 1.3 } }
@keyframes spin { to { rotate: 1turn } }
@keyframes blink { to { opacity: .6 } }
body { font: 16px sans-serif }
.flees:hover { translate: 300px 200px }
.swells { transition: scale .2s }
.swells:hover { scale: 1.4 }
"""
