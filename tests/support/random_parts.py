"""What random pages are made of: targets of all kinds, and what hinders an act on them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from support.page_tree import Node


class Draw:
    """Draws lots."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.count = 0

    def chance(self, part: float) -> bool:
        """Whether something that happens so often happens now."""
        return self.random.random() < part

    def pick(self, *choices: Any) -> Any:
        """One of these."""
        return self.random.choice(choices)

    def name(self, letter: str) -> str:
        """A new id."""
        self.count += 1
        return f"{letter}{self.count}"


def _button(_: Draw, target: str) -> Node:
    return Node("button", target, children=[f"Press {target}"])


def _nested(_: Draw, target: str) -> Node:
    inside = Node(
        "span",
        style={"display": "block", "padding": "10px"},
        children=[Node("b", children=["Bold"])],
    )
    return Node("button", target, {}, {"padding": "0"}, [inside])


def _link(_: Draw, target: str) -> Node:
    return Node("a", target, {"href": "#"}, children=[f"Link {target}"])


def _lines(_: Draw, target: str) -> Node:
    link = Node(
        "a", target, {"href": "#over-lines"}, children=["a link that goes on over some lines"]
    )
    return Node(
        "p", style={"width": "130px"}, children=["Some words and then ", link, " and then more."]
    )


def _box(draw: Draw, target: str) -> Node:
    size = draw.pick(("12px", "12px"), ("150px", "40px"), ("40px", "150px"), ("300px", "2000px"))
    style = {"width": size[0], "height": size[1], "background": "#cde"}
    return Node("div", target, {}, style, ["box"])


def _text(draw: Draw, target: str) -> Node:
    attributes = draw.pick(
        {}, {"type": "search"}, {"type": "number"}, {"value": "old"}, {"type": "password"}
    )
    return Node("input", target, {"aria-label": target, **attributes})


def _textarea(_: Draw, target: str) -> Node:
    return Node("textarea", target, {"aria-label": target}, children=["old"])


def _editable(_: Draw, target: str) -> Node:
    return Node(
        "div", target, {"contenteditable": "", "role": "textbox"}, {"width": "120px"}, ["old"]
    )


def _checkbox(draw: Draw, target: str) -> Node:
    return Node("input", target, {"type": "checkbox", **_on(draw)})


def _on(draw: Draw) -> dict[str, str]:
    return {"checked": ""} if draw.chance(0.3) else {}


def _labelled(draw: Draw, target: str) -> Node:
    box = Node("input", target, {"type": "checkbox", **_on(draw)})
    return Node("label", draw.name("l"), children=[box, " words of the label"])


def _pretty(draw: Draw, target: str) -> Node:
    hidden = draw.pick(
        {"position": "absolute", "opacity": "0"},
        {"position": "absolute", "opacity": "0", "width": "0", "height": "0"},
        {"display": "none"},
        {"position": "absolute", "clip-path": "inset(50%)", "width": "1px", "height": "1px"},
        {"position": "absolute", "left": "-9999px"},
        {"appearance": "none", "width": "0", "margin": "0"},
        {"visibility": "hidden"},
    )
    box = Node("input", target, {"type": "checkbox", **_on(draw)}, dict(hidden))
    shown = Node(
        "span",
        style={"display": "inline-block", "width": "24px", "height": "24px", "background": "#9c9"},
    )
    if draw.chance(0.5):
        return Node(
            "label",
            draw.name("l"),
            {"data-hear": draw.pick("all", "none")},
            {"position": "relative"},
            [box, shown, " pretty"],
        )
    label = Node(
        "label", draw.name("l"), {"for": target, "data-hear": "all"}, children=[shown, " pretty"]
    )
    return Node("div", style={"position": "relative"}, children=[box, label])


def _radio(draw: Draw, target: str) -> Node:
    other = Node("input", draw.name("n"), {"type": "radio", "name": target, "checked": ""})
    return Node(
        "fieldset", children=[other, Node("input", target, {"type": "radio", "name": target})]
    )


def _label(draw: Draw, target: str) -> Node:
    box = Node(
        "input",
        draw.name("n"),
        {"type": draw.pick("checkbox", "text"), "data-hear": draw.pick("all", "none")},
    )
    return Node("label", target, children=["words ", box])


def _custom(draw: Draw, target: str) -> Node:
    inside = Node(
        "button",
        draw.name("n"),
        {"data-hear": draw.pick("all", "none")},
        children=[draw.pick("inner", Node("slot"))],
    )
    return Node(
        "x-card",
        target,
        {},
        {"display": "inline-block"},
        ["in the light"],
        draw.pick("open", "closed"),
        [inside],
    )


def _inner(draw: Draw, target: str) -> Node:
    inside = Node("button", target, children=["inside"])
    return Node(
        "x-card",
        draw.name("n"),
        {},
        {"display": "inline-block"},
        [],
        draw.pick("open", "closed"),
        [Node("p", children=[inside])],
    )


def _slotted(draw: Draw, target: str) -> Node:
    light = Node("span", target, {"slot": "a"}, children=["slotted words"])
    frame = Node(
        "div", draw.name("n"), {}, {"padding": "9px"}, [Node("slot", attributes={"name": "a"})]
    )
    return Node(
        "x-card",
        draw.name("n"),
        {},
        {"display": "block"},
        [light],
        draw.pick("open", "closed"),
        [frame],
    )


def _drawing(_: Draw, target: str) -> Node:
    shape = Node(
        "rect", target, {"x": "5", "y": "5", "width": "60", "height": "30", "fill": "teal"}
    )
    return Node("svg", attributes={"width": "90", "height": "50"}, children=[shape])


def _summary(draw: Draw, target: str) -> Node:
    return Node(
        "details", draw.name("n"), children=[Node("summary", target, children=["More"]), "details"]
    )


def _contents(draw: Draw, target: str) -> Node:
    return Node(
        "div",
        target,
        {},
        {"display": "contents"},
        [Node("span", draw.name("n"), children=["contents"])],
    )


KINDS: dict[str, Callable[[Draw, str], Node]] = {
    "button": _button,
    "nested": _nested,
    "link": _link,
    "lines": _lines,
    "box": _box,
    "text": _text,
    "textarea": _textarea,
    "editable": _editable,
    "checkbox": _checkbox,
    "labelled": _labelled,
    "pretty": _pretty,
    "radio": _radio,
    "label": _label,
    "custom": _custom,
    "inner": _inner,
    "slotted": _slotted,
    "drawing": _drawing,
    "summary": _summary,
    "contents": _contents,
}

Hazard = Callable[[Draw, Node, Node], Node]


def _around(draw: Draw, node: Node, style: dict[str, str], **attributes: str) -> Node:
    return Node("div", draw.name("n"), attributes, style, [node])


def _covered(draw: Draw, node: Node, _: Node) -> Node:
    place = draw.pick(
        {"inset": "-5px"},
        {"inset": "-5px"},
        {"inset": "0 50% 0 -5px"},
        {"inset": "-5px -5px 50% -5px"},
        {"inset": "25%"},
        {"inset": "10% 2%"},
        {"inset": "-5px 6px -5px -5px"},
    )
    style = {"position": "absolute", "background": "#f008", "z-index": "2", **place}
    style |= draw.pick(
        {},
        {},
        {"pointer-events": "none"},
        {"opacity": "0"},
        {"border-radius": "50%"},
        {"visibility": "hidden"},
    )
    cover = Node("div", draw.name("c"), {"data-hear": draw.pick("all", "none")}, style)
    holder = _around(
        draw, node, {"position": "relative", "display": draw.pick("inline-block", "block")}
    )
    holder.children.append(cover)
    return holder


def _disabled(draw: Draw, node: Node, held: Node) -> Node:
    how = draw.pick(
        "self", "set", "legend", "aria", "aria around", "inert", "inert around", "readonly"
    )
    if how == "self":
        held.attributes["disabled"] = ""
    elif how == "readonly":
        held.attributes["readonly"] = ""
    elif how == "aria":
        held.attributes["aria-disabled"] = "true"
    elif how == "inert":
        held.attributes["inert"] = ""
    elif how == "inert around":
        return _around(draw, node, {}, inert="")
    elif how == "aria around":
        return _around(draw, node, {}, **{"role": "group", "aria-disabled": "true"})
    else:
        # What stands in the legend of a disabled group is not disabled.
        inside = Node("legend", children=[node]) if how == "legend" else node
        return Node("fieldset", draw.name("n"), {"disabled": ""}, {}, [inside])
    return node


def _hidden(draw: Draw, node: Node, held: Node) -> Node:
    style = draw.pick(
        {"visibility": "hidden"},
        {"opacity": "0"},
        {"display": "none"},
        {"width": "0", "height": "0", "overflow": "hidden", "padding": "0", "border": "0"},
        {"clip-path": "inset(100%)"},
        {"clip-path": "circle(5px at 10px 10px)"},
        {"position": "absolute", "left": "-9999px"},
        {"position": "fixed", "top": "-300px"},
        {"content-visibility": "hidden"},
        {"transform": "scale(0)"},
        {"transform": "rotateY(180deg)", "backface-visibility": "hidden"},
        {"pointer-events": "none"},
        {"margin-left": "-2000px"},
        {"height": "0", "overflow": "clip"},
        {"opacity": ".01"},
    )
    if draw.chance(0.5):
        held.style |= style
        return node
    return _around(draw, node, dict(style))


def _animated(draw: Draw, node: Node, held: Node) -> Node:
    how = draw.pick(
        "slide .3s linear infinite alternate",
        "slide 20s linear infinite alternate",
        "shift .4s linear infinite alternate",
        "shift 30s linear infinite",
        "slide .2s ease-out 1 forwards",
        "grow .5s infinite alternate",
        "spin 2s linear infinite",
        "blink .3s infinite alternate",
    )
    style = {"animation": how, "position": "relative"}
    if draw.chance(0.5) and held.tag != "rect":
        held.style |= style
        return node
    return _around(draw, node, style)


def _scripted(draw: Draw, node: Node, held: Node) -> Node:
    speed = draw.pick("slow", "fast", "crawl")
    if draw.chance(0.5):
        held.attributes["data-moves"] = speed
        held.style |= {"display": "inline-block"}
        return node
    return _around(draw, node, {}, **{"data-moves": speed})


def _does(*types: str, actions: tuple[str, ...]) -> Hazard:
    def hazard(draw: Draw, node: Node, held: Node) -> Node:
        rule = f"{draw.pick(*types)}:{draw.pick(*actions)}"
        known = held.attributes.get("data-does", "")
        held.attributes["data-does"] = f"{known} {rule}".strip()
        return node

    return hazard


def _flees(draw: Draw, node: Node, held: Node) -> Node:
    held.attributes["class"] = draw.pick("flees", "swells")
    return node


EARLY = ("pointerover", "mouseover", "mousemove", "pointerdown", "mousedown")
LATE = ("mouseup", "click", "mousedown")
HAZARDS: dict[str, Hazard] = {
    "covered": _covered,
    "covered again": _covered,
    "disabled": _disabled,
    "hidden": _hidden,
    "animated": _animated,
    "scripted": _scripted,
    "flees": _flees,
    "evades": _does(*EARLY, actions=("remove", "replace", "move", "cover", "hide", "disable")),
    "goes": _does(*LATE, actions=("remove", "replace", "move", "cover", "hide", "disable")),
    "stops": _does(*EARLY, *LATE, actions=("prevent", "stop", "halt")),
    "changes": _does(*LATE, actions=("text", "elsewhere", "later", "hash", "fail", "focus")),
    "takes": _does(
        "beforeinput", "input", "keydown", actions=("prevent", "upper", "text", "remove")
    ),
    "final": _does("click", "click", "mousedown", actions=("leave", "alert", "confirm")),
}
