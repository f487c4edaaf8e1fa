"""Pages of form controls from `tests/fixtures/controls`, and what they write down."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from support.engine import do, value
from support.site import Site
from tabwright.engine.context import ToolContext

_HERE = Path(__file__).resolve().parent.parent / "fixtures" / "controls"
LATE_OPTIONS = ["Alpha", "Beta", "Gamma"]


def serve_controls(site: Site, name: str) -> str:
    """Serve a page of controls and its scripts; returns its address."""
    for script in _HERE.glob("*.js"):
        site.content(f"/controls/{script.name}", script.read_bytes(), mime="text/javascript")
    options = json.dumps(LATE_OPTIONS).encode()
    site.content("/controls/options", options, mime="application/json")
    site.page("/controls/elsewhere", "elsewhere")
    return site.content(f"/controls/{name}.html", (_HERE / f"{name}.html").read_bytes())


async def open_controls(context: ToolContext, site: Site, name: str) -> None:
    """Go to a page of controls."""
    await do(context, "navigate", url=serve_controls(site, name))


async def said(context: ToolContext, control: str) -> Any:
    """What the page's own handlers heard of a control."""
    return await value(context, f"said[{json.dumps(control)}] ?? null")


async def assert_all_trusted(context: ToolContext) -> None:
    """Every event that reached the page was made by the browser, and there were some."""
    assert await value(context, "events.length") > 0
    assert await value(context, "forged()") == []
    assert await value(context, "problems") == []
