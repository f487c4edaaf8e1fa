"""Everything that Chrome's accessibility tree calls a control is in the snapshot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.accessibility import OUR_WORDS, page_tab, readable, words
from support.site import Site
from tabwright.engine.context import ToolContext
from tabwright.engine.sight import Wish, see

FOLDER = Path(__file__).parent / "aria"
CONTROLS = words(
    """button checkbox color combobox date datetime file link menuitem menuitemcheckbox
    menuitemradio radio searchbox slider spinbutton summary switch tab textbox time treeitem"""
)
REQUIRED = 0.99


async def test_every_control_of_the_accessibility_tree_is_seen(context: ToolContext, site: Site):
    total, missing = 0, list[str]()
    for file in sorted(FOLDER.glob("*.html")):
        url = site.content(f"/covers/{file.name}", file.read_bytes())
        tab = await page_tab(context, url)
        await see(tab, Wish(everything=True))
        frame = tab.frames.main
        root = (await tab.send("DOM.getDocument", {"depth": -1, "pierce": True}))["root"]
        inner = set(_parts(root, inside=False))
        for node in (await tab.send("Accessibility.getFullAXTree"))["nodes"]:
            if node["ignored"] or not _is_control(node) or node["backendDOMNodeId"] in inner:
                continue
            total += 1
            if not await frame.on_node(node["backendDOMNodeId"], "knownRef"):
                missing.append(f"{file.name}: {_said(node)}")
    assert len(missing) <= total * (1 - REQUIRED), "\n".join(missing)


def _parts(node: dict[str, Any], *, inside: bool) -> list[int]:
    """The nodes that the browser makes its own controls of: they are parts of the control."""
    found = [node["backendNodeId"]] if inside else []
    for child in node.get("children", []):
        found += _parts(child, inside=inside)
    for root in node.get("shadowRoots", []):
        found += _parts(root, inside=inside or root["shadowRootType"] == "user-agent")
    return found


def _is_control(node: dict[str, Any]) -> bool:
    role = node["role"]["value"]
    # A <time> is no control; an input for one has another name in Chrome.
    named = OUR_WORDS.get(role, role) in CONTROLS and role != "time"
    return named and node.get("backendDOMNodeId", 0) > 0


def _said(node: dict[str, Any]) -> str:
    return f"{node['role']['value']} {readable(node.get('name', {}).get('value', ''))!r}"
