"""The pages that real frameworks draw: each is drawn, alive and of the version it names."""

from __future__ import annotations

import pytest

from support.engine import do, value
from support.frameworks import APPS, EDITORS, pinned_versions, serve
from support.site import Site
from tabwright.engine.context import ToolContext

IDS = ["count", "form", "name", "echo", "agree", "agreed", "colour", "coloured", "card"]
IDS += ["fruit", "fruited", "submit", "submitted", "rerender", "part", "add", "items"]
IDS += ["item-1", "delete-1", "item-2", "delete-2", "late", "status", "open", "answer"]

PACKAGES = {"angular": "@angular/core", "prosemirror": "prosemirror-view"}
"""Where the package that tells the version is not called as the page is."""


async def assert_version(context: ToolContext, page: str) -> None:
    name = page.partition("-")[0]
    version = pinned_versions().get(PACKAGES.get(name, name))
    assert await value(context, "framework") == {"name": name, "version": version}


@pytest.mark.parametrize("page", APPS)
async def test_an_app_is_drawn_from_the_state_its_framework_keeps(
    context: ToolContext, site: Site, page: str
):
    await do(context, "navigate", url=serve(site, page))
    await assert_version(context, page)
    absent = await do(
        context, "evaluate", expression="(ids) => ids.filter((id) => !find(id))", args=[IDS]
    )
    assert absent.value == []
    drawn = "await new Promise(requestAnimationFrame); find('count').textContent"
    assert await value(context, drawn) == "Count: 0"
    assert await value(context, f"find('count').click(); {drawn}") == "Count: 1"
    assert await value(context, "events") == [{"type": "click", "isTrusted": False, "id": "count"}]
    assert await value(context, "problems") == []


async def test_the_app_in_a_shadow_root_is_not_in_the_document(context: ToolContext, site: Site):
    await do(context, "navigate", url=serve(site, "lit-shadow"))
    assert await value(context, "document.getElementById('count')") is None


@pytest.mark.parametrize("page", EDITORS)
async def test_an_editor_is_drawn_and_tells_its_text(context: ToolContext, site: Site, page: str):
    await do(context, "navigate", url=serve(site, page))
    await assert_version(context, page)
    editable = "document.querySelectorAll('#editor [contenteditable=true][role=textbox]')"
    assert await value(context, f"{editable}.length") == 1
    assert await value(context, "text()") == ""
    typed = f"""
        await new Promise((placed) => {{
            document.addEventListener('selectionchange', placed, {{ once: true }});
            {editable}[0].focus();
        }});
        document.execCommand('insertText', false, 'typed');
        await new Promise(requestAnimationFrame);
        text()
    """
    assert await value(context, typed) == "typed"
    assert await value(context, "problems") == []
