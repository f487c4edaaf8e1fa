"""What our page scripts say of a page's elements, beside what Chrome's accessibility tree says."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from support.engine import do, session_of
from tabwright.engine.context import ToolContext
from tabwright.engine.tab import Tab
from tabwright.page import script


def words(text: str) -> list[str]:
    return text.split()


FILES = ("dom", "exposed", "table", "role", "content", "name", "state")

OUR_WORDS = {
    "Abbr": "abbr",
    "Audio": "audio",
    "Canvas": "canvas",
    "ColorWell": "color",
    "Date": "date",
    "DateTime": "datetime",
    "DescriptionList": "list",
    "DisclosureTriangle": "summary",
    "EmbeddedObject": "embed",
    "Figcaption": "figcaption",
    "Iframe": "iframe",
    "IframePresentational": "none",
    "InputTime": "time",
    "LabelText": "label",
    "LayoutTable": "none",
    "LayoutTableCell": "none",
    "LayoutTableRow": "none",
    "Legend": "legend",
    "LineBreak": "none",
    "MathMLMath": "math",
    "PluginObject": "object",
    "Ruby": "ruby",
    "SvgRoot": "img",
    "Video": "video",
    "image": "img",
}
"""Chrome's names for roles that ARIA has no word for, and ours; the same list is in role.js."""

INTERACTIVE = words(
    """button checkbox color combobox date datetime file link listbox menuitem menuitemcheckbox
    menuitemradio option radio searchbox slider spinbutton summary switch tab textbox time
    treeitem gridcell scrollbar"""
)
HIDDEN = {"ariaHiddenElement", "ariaHiddenSubtree", "inertElement", "notRendered", "notVisible"}

EACH = """
const all = [];
const mark = (root) => {
  for (const element of queryAll(root, "*")) {
    element.setAttribute("data-n", all.length);
    all.push(element);
    if (rootOf(element)) mark(rootOf(element));
  }
};
mark(document);
return all.map((element) => ({
  role: roleOf(element), name: nameOf(element), description: descriptionOf(element),
  state: stateOf(element), exposed: isExposed(element),
}));
"""


@dataclass
class Compared:
    """One element as Chrome and as we see it."""

    markup: str
    attributes: dict[str, str]
    ours: dict[str, Any]
    chrome: dict[str, Any]
    differences: list[str] = field(default_factory=list[str])

    @property
    def interactive(self) -> bool:
        return self.ours["role"] in INTERACTIVE or self.chrome.get("role") in INTERACTIVE

    def __str__(self) -> str:
        return f"{self.markup}: {'; '.join(self.differences)}"


async def page_tab(context: ToolContext, url: str) -> Tab:
    await do(context, "navigate", url=url)
    tab = (await session_of(context)).current
    assert tab is not None
    return tab


async def in_page(tab: Tab, body: str) -> Any:
    """Run a function body that may use everything in the page scripts."""
    scope = "\n".join(script(f"{name}.js") for name in FILES)
    return await tab.run(f'function () {{ "use strict"; {scope}\n{body}\n}}')


async def compare(tab: Tab) -> list[Compared]:
    """Every element of the page that is in either tree."""
    ours = await in_page(tab, EACH)
    root = (await tab.send("DOM.getDocument", {"depth": -1, "pierce": True}))["root"]
    nodes = (await tab.send("Accessibility.getFullAXTree"))["nodes"]
    chrome: dict[int, dict[str, Any]] = {}
    for node in nodes:
        chrome.setdefault(node.get("backendDOMNodeId", 0), node)
    found = [
        _compared(node, attributes, ours[int(attributes["data-n"])], chrome)
        for node, attributes in _elements(root)
        if "data-n" in attributes
    ]
    return [row for row in found if row is not None]


def readable(text: str) -> str:
    """As our names are: without what has no shape or no width, and with single spaces."""
    text = re.sub("[\ue000-\uf8ff\u00ad\u200b-\u200d\u2060\ufeff]", "", text)
    return re.sub(r"[\s\xa0]+", " ", text).strip()[:1000].rstrip()


def _elements(node: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, str]]]:
    found: list[tuple[dict[str, Any], dict[str, str]]] = []
    if node["nodeType"] == 1:
        flat = node["attributes"]
        found.append((node, dict(zip(flat[::2], flat[1::2], strict=True))))
    for child in [*node.get("children", []), *node.get("shadowRoots", [])]:
        found += _elements(child)
    return found


def _compared(
    node: dict[str, Any],
    attributes: dict[str, str],
    ours: dict[str, Any],
    chrome: dict[int, dict[str, Any]],
) -> Compared | None:
    stated = "".join(f" {key}={value!r}" for key, value in attributes.items() if key != "data-n")
    row = Compared(f"<{node['localName']}{stated}>", attributes, ours, {})
    theirs = chrome.get(node["backendNodeId"])
    if theirs is None:
        # What has no meaning has no node either; what can be used must have one.
        if ours["role"] not in INTERACTIVE or not ours["exposed"]:
            return None
        row.differences.append("Chrome has no node for it")
        return row
    if theirs["ignored"]:
        reasons = {reason["name"] for reason in theirs.get("ignoredReasons", [])}
        if not reasons & HIDDEN:
            return None
        if ours["exposed"]:
            row.differences.append(f"Chrome hides it: {reasons & HIDDEN}")
        return row
    role = _our_word(theirs["role"]["value"], node["localName"], attributes)
    row.chrome = {
        "role": role,
        "name": readable(theirs.get("name", {}).get("value", "")),
        "description": readable(theirs.get("description", {}).get("value", "")),
        "properties": {p["name"]: p["value"].get("value") for p in theirs.get("properties", [])},
    }
    if not ours["exposed"]:
        row.differences.append("Chrome exposes it")
    for key in ("role", "name", "description"):
        told = (row.chrome[key], ours[key])
        counts = row.interactive if key == "description" else key == "role" or role != "none"
        # What has no role and what is said to have none are one thing to a reader.
        same = told[0] == told[1] or set(told) <= {"generic", "none"}
        if counts and not same:
            row.differences.append(f"{key} is {told[0]!r} in Chrome, {told[1]!r} here")
    return row


def _our_word(role: str, tag: str, attributes: dict[str, str]) -> str:
    if tag == "input" and attributes.get("type") == "file" and "role" not in attributes:
        return "file"
    return OUR_WORDS.get(role, "generic" if role.startswith("MathML") else role)
