"""Random pages: layouts, covers, transforms, scrolling, shadow roots, frames, motion, acts to try.

A seed makes a page, always the same one. Pages are trees, so that one that shows a defect can be
made smaller. What a page records of itself is in `recorder.js`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from support.page_tree import Document, Node, Where, chain_of, path_of, render
from support.random_parts import HAZARDS, KINDS, Draw


@dataclass
class Step:
    """One act."""

    verb: str
    target: str
    """The id of the element."""
    kind: str
    """What sort of element it is."""
    params: dict[str, Any] = field(default_factory=dict[str, Any])
    hazards: list[str] = field(default_factory=list[str])


@dataclass
class RandomPage:
    """A page and what to do on it."""

    seed: int
    document: Document
    steps: list[Step]
    calm: bool = False
    """Nothing on it hinders anybody."""

    def chain(self, target: str) -> list[tuple[str, str]]:
        """The documents around an element, with the id of the frame, or of itself, in each."""
        return chain_of(self.document, target) or []

    def files(self, port: int) -> dict[str, str]:
        """The documents that are served, by path."""
        return {
            path_of(self.seed, one): render(one, self.seed, port)
            for one in self.document.documents()
            if one.where in ("page", "same", "cross")
        }


MOST_FRAMES = 2
"""How deep frames are nested."""


def make(seed: int, *, calm: bool = False) -> RandomPage:
    """The page of a seed; a calm one has nothing on it that hinders an act."""
    return Generator(seed, calm=calm).page()


class Generator(Draw):
    """Draws one page."""

    def __init__(self, seed: int, *, calm: bool) -> None:
        super().__init__(seed * 2 + calm)
        self.seed = seed
        self.calm = calm
        self.documents = 0
        self.steps: list[Step] = []

    def page(self) -> RandomPage:
        """Draw it."""
        document = self.document("page", depth=0)
        if any("final" in step.hazards for step in self.steps):
            for one in document.documents():
                one.keep = one.where != "sandbox"
        self.random.shuffle(self.steps)
        # What may end the page comes last.
        self.steps.sort(key=lambda step: "final" in step.hazards)
        return RandomPage(self.seed, document, self.steps[: self.pick(1, 1, 2)], self.calm)

    def document(self, where: Where, depth: int) -> Document:
        """A document with things in it."""
        self.documents += 1
        document = Document(f"d{self.documents}", where)
        document.witness = self.chance(0.5)
        for _ in range(self.random.randint(1, 3) if depth == 0 else 1):
            document.body.append(self.branch(document, depth))
            if self.chance(0.5):
                document.body.append(self.filler())
        if self.chance(0.3):
            document.style |= self.pick(
                {"zoom": "1.5"},
                {"zoom": "0.7"},
                {"direction": "rtl"},
                {"margin": "0"},
                {"width": "2500px"},
                {"height": "3000px"},
                {"scroll-behavior": "smooth"},
                {"writing-mode": "vertical-rl"},
            )
        if self.chance(0.1):
            document.css.append("html { scroll-behavior: smooth }")
        if not self.calm:
            self.dress(document)
        return document

    def dress(self, document: Document) -> None:
        """Things that lie over a whole document or listen to all of it."""
        if self.chance(0.2):
            document.body.append(self.banner())
        if self.chance(0.04):
            document.swallow = [self.pick("click", "mousedown", "pointerdown", "mouseover")]
        if self.chance(0.04):
            document.body.append(self.modal(document))
        if self.chance(0.02):
            document.css.append("html { overflow: hidden }")

    def filler(self) -> Node:
        """Something to fill space with."""
        size = self.pick("20px", "200px", "900px", "1500px")
        return self.pick(
            Node("p", style={"width": "300px"}, children=["Words to fill space. " * 3]),
            Node("div", self.name("n"), style={"height": size, "width": "50px"}),
            Node("button", self.name("n"), {"data-hear": "all"}, children=["other"]),
            Node("div", self.name("n"), style={"width": size, "height": "10px"}),
        )

    def banner(self) -> Node:
        """A fixed or sticky part of a page, or what lies over all of it."""
        place = self.pick(
            {"top": "0", "left": "0", "right": "0", "height": "60px"},
            {"bottom": "0", "left": "0", "right": "0", "height": "40%"},
            {"top": "0", "left": "0", "bottom": "0", "width": "50%"},
            {"inset": "0"},
            {"inset": "0", "pointer-events": "none"},
            {"inset": "30%"},
        )
        style = {"position": "fixed", "background": "#ccc8", "z-index": "50", **place}
        if self.chance(0.3):
            style["opacity"] = "0"
        return Node("div", self.name("c"), {"data-hear": "all"}, style, ["banner"])

    def modal(self, document: Document) -> Node:
        """A dialog that is open over the page, perhaps with a target in it."""
        inside = self.subject(document)
        if self.chance(0.3):
            return Node(
                "div",
                self.name("c"),
                {"popover": "manual", "data-opens": "showPopover"},
                {},
                [inside],
            )
        return Node(
            "dialog",
            self.name("c"),
            {"data-opens": "showModal", "data-hear": "all"},
            {},
            ["Dialog", inside],
        )

    def branch(self, document: Document, depth: int) -> Node:
        """A target or a frame in some nesting of containers."""
        framed = depth < MOST_FRAMES and self.chance(0.18 if depth == 0 else 0.4)
        node = self.frame(depth) if framed else self.subject(document)
        for _ in range(self.pick(0, 1, 1, 2, 2, 3)):
            node = self.container(node)
        return node

    def frame(self, depth: int) -> Node:
        """A frame with a document of its own."""
        where = self.random.choices(("srcdoc", "same", "cross", "sandbox"), (5, 4, 3, 1))[0]
        node = Node("iframe", self.name("f"), document=self.document(where, depth + 1))
        node.style = {
            "width": self.pick("300px", "500px", "700px"),
            "height": self.pick("120px", "300px", "1200px"),
        }
        if self.chance(0.5):
            node.style |= {"border": f"{self.random.randint(0, 20)}px solid red"}
        if self.chance(0.3):
            node.style |= {"padding": f"{self.random.randint(0, 30)}px 10px"}
        if self.chance(0.3):
            node.style |= self.pick(
                {"transform": "scale(.6)", "transform-origin": "0 0"},
                {"transform": "scale(1.4)", "transform-origin": "0 0"},
                {"zoom": "0.8"},
                {"transform": "scale(.8, 1.2)"},
                {"transform": "rotate(20deg)", "margin": "120px"},
                {"transform": "rotate(90deg)", "margin": "120px"},
            )
        return node

    def container(self, inside: Node) -> Node:
        """Something around a part of a page."""
        node = Node("div", self.name("n"), style=self.layout(), children=[inside])
        for _ in range(self.random.randint(0, 2)):
            node.children.insert(self.random.randint(0, len(node.children)), self.filler())
        if self.chance(0.3):
            node.style |= self.scrolling()
        if self.chance(0.2):
            node.style |= self.transform()
        if self.chance(0.1):
            node.attributes["data-hear"] = self.pick("all", "click")
        if self.chance(0.15):
            self.shade(node)
        if self.chance(0.05):
            node.style |= {"content-visibility": "auto", "contain-intrinsic-size": "100px 300px"}
        return node

    def layout(self) -> dict[str, str]:
        """How a container lays out what is in it."""
        return dict(
            self.pick(
                {"display": "flex", "flex-wrap": "wrap", "gap": "8px"},
                {"display": "flex", "flex-direction": "column-reverse"},
                {"display": "grid", "grid-template-columns": "1fr 1fr"},
                {"display": "inline-block", "padding": "10px"},
                {"float": "right"},
                {"float": "left", "margin": "20px"},
                {"position": "relative", "left": "30px"},
                {"position": "absolute", "left": "40%", "top": "350px"},
                {"position": "sticky", "top": "10px"},
                {"position": "fixed", "right": "20px", "bottom": "20px"},
                {"columns": "2"},
                {"display": "table"},
                {"display": "contents"},
                {},
                {},
                {"margin-top": "800px"},
                {"margin-left": "1500px"},
                {"text-align": "center"},
            )
        )

    def scrolling(self) -> dict[str, str]:
        """A container that scrolls, or cuts off."""
        cut = (
            ("auto", "scroll", "auto", "hidden")
            if self.calm
            else ("auto", "scroll", "hidden", "clip")
        )
        style = {
            "overflow": self.pick(*cut),
            "width": self.pick("200px", "400px"),
            "height": self.pick("100px", "250px"),
        }
        if self.chance(0.2):
            style |= {"scroll-snap-type": "y mandatory"}
        if self.chance(0.2):
            style |= {"scroll-behavior": "smooth"}
        if self.chance(0.2):
            style |= {"border-radius": "40px"}
        return style

    def transform(self) -> dict[str, str]:
        """A transform that leaves it where it can be pressed."""
        return dict(
            self.pick(
                {"transform": "scale(.5)"},
                {"transform": "scale(1.5)", "transform-origin": "0 0"},
                {"transform": "rotate(30deg)"},
                {"transform": "skewX(20deg)"},
                {"transform": "perspective(500px) rotateY(40deg)"},
                {"transform": "rotateX(180deg)"},
                {"zoom": "1.6"},
                {"zoom": "0.6"},
                {"rotate": "-90deg", "margin": "60px"},
            )
        )

    def shade(self, node: Node) -> None:
        """Put a shadow root onto a container: its content is slotted, or in the root."""
        node.root = self.pick("open", "closed")
        if self.chance(0.5):
            node.inner, node.children = node.children, []
        else:
            node.inner = [Node("div", self.name("n"), children=[Node("slot")])]

    def subject(self, document: Document) -> Node:
        """A target, with what may hinder an act, and an act."""
        kind = self.pick(*KINDS)
        target = self.name("t")
        node = KINDS[kind](self, target)
        held = next(one for one in node.nodes() if one.id == target)
        held.attributes["data-hear"] = self.random.choices(
            ("all", "click", "press", "hover", "none"), (10, 2, 1, 1, 5)
        )[0]
        step = self.step(kind, target)
        if step.verb == "drag":
            self.zone(document, step, held)
        if self.chance(0.25) and held.tag != "rect":
            held.style |= self.transform()
        if not self.calm:
            for hazard in self.hazards():
                step.hazards.append(hazard)
                node = HAZARDS[hazard](self, node, held)
        self.steps.append(step)
        return node

    def hazards(self) -> list[str]:
        """What hinders the act, or comes of it."""
        return self.random.sample(list(HAZARDS), self.random.choices((0, 1, 2), (35, 50, 15))[0])

    def zone(self, document: Document, step: Step, held: Node) -> None:
        """Where a drag goes."""
        zone = Node(
            "div",
            self.name("z"),
            {"data-hear": "all"},
            {"width": "120px", "height": "80px", "background": "#eda"},
        )
        step.params["to"] = f"#{zone.id}"
        if self.chance(0.5):
            held.attributes["draggable"] = "true"
            zone.attributes["data-does"] = "dragover:prevent"
        document.body.insert(self.random.randint(0, len(document.body)), zone)

    def step(self, kind: str, target: str) -> Step:
        """An act that suits the element."""
        step = Step(self.pick(*ACTS.get(kind, POINTING)), target, kind)
        if step.verb == "click":
            self.press(step)
        elif step.verb in ("type", "fill"):
            step.params = {"text": self.pick("words", "12", "ünï", "a b")}
        elif step.verb == "press":
            step.params = {"key": self.pick("a", "Enter", "Escape", "ArrowDown", "Space")}
        return step

    def press(self, step: Step) -> None:
        """How it is clicked."""
        if self.chance(0.12):
            step.params["clickCount"] = 2
        if self.chance(0.12):
            step.params["button"] = "right"
        if self.chance(0.1):
            step.params["position"] = f"{self.random.randint(1, 12)},{self.random.randint(1, 12)}"


POINTING = ("click", "click", "click", "click", "hover", "drag")
TYPING = ("type", "fill", "press", "click", "fill", "type")
CHECKING = ("check", "uncheck", "click", "check")
ACTS: dict[str, tuple[str, ...]] = {
    "text": TYPING,
    "textarea": TYPING,
    "editable": TYPING,
    "checkbox": CHECKING,
    "labelled": CHECKING,
    "pretty": CHECKING,
    "radio": ("check", "click"),
    "button": (*POINTING, "press"),
    "link": ("click", "click", "hover"),
    "lines": ("click", "hover"),
    "summary": ("click",),
}
