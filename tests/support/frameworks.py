"""Pages that real frameworks draw, served from `tests/fixtures/frameworks`."""

from __future__ import annotations

import json
from pathlib import Path

from support.site import Site

APPS = ("react", "vue", "svelte", "lit", "lit-shadow", "angular")
EDITORS = ("codemirror", "prosemirror", "lexical", "contenteditable")

_HERE = Path(__file__).resolve().parent.parent / "fixtures" / "frameworks"


def serve(site: Site, name: str) -> str:
    """Serve a page and its script; returns the page's address."""
    script = f"{name.partition('-')[0]}.js"
    site.content(
        f"/frameworks/{script}",
        (_HERE / script).read_bytes(),
        mime="text/javascript; charset=utf-8",
    )
    page = f"{name}.html"
    return site.content(f"/frameworks/{page}", (_HERE / page).read_bytes())


def pinned_versions() -> dict[str, str]:
    """The version of every package that was built into a script."""
    package = json.loads((_HERE / "package.json").read_text(encoding="utf-8"))
    return package["dependencies"]
