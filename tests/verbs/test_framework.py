"""Real frameworks and editors: acts change their state, and it survives a re-render."""

from __future__ import annotations

import pytest

from support.engine import do, value
from support.frameworks import APPS, EDITORS, serve
from support.site import Site
from tabwright.engine.context import ToolContext

SHOWN = "find('{}').textContent.trim()"
EDITABLE = "#editor [contenteditable=true]"


async def shown(context: ToolContext, name: str) -> str:
    return await value(context, SHOWN.format(name))


@pytest.mark.parametrize("app", APPS)
@pytest.mark.proves("S2-BT-008d", "S2-BT-009d", "S0-07", "S0-08")
async def test_clicks_and_text_become_state_that_survives_a_rerender(
    context: ToolContext, site: Site, app: str
):
    await do(context, "navigate", url=serve(site, app))
    for _ in range(2):
        assert (await do(context, "click", selector="#count")).verdict == "effective"
    assert await shown(context, "count") == "Count: 2"
    await do(context, "type", selector="#name", text="Ada")
    assert await shown(context, "echo") == "Ada"
    await do(context, "click", selector="#rerender")
    assert await value(context, "find('name').value") == "Ada"
    await do(context, "fill", selector="#name", text="Grace Hopper")
    await do(context, "click", selector="#rerender")
    assert await shown(context, "echo") == "Grace Hopper"
    await do(context, "type", selector="#card", text="4111111111111111")
    assert await value(context, "find('card').value") == "4111 1111 1111 1111"
    await do(context, "check", selector="#agree")
    assert await shown(context, "agreed") == "yes"
    await do(context, "select", selector="#colour", options=["blue"])
    assert await shown(context, "coloured") == "blue"
    assert all(event["isTrusted"] for event in await value(context, "events"))
    assert await value(context, "problems") == []


@pytest.mark.parametrize("app", APPS)
@pytest.mark.proves("S2-BT-008d", "S1-07")
async def test_late_changes_dialogs_and_lists(context: ToolContext, site: Site, app: str):
    await do(context, "navigate", url=serve(site, app))
    late = await do(context, "click", selector="#late")
    # The timer's doing is in the receipt. What the timer then asks of the browser, nobody can
    # know to be pending.
    assert any("waiting" in one or "done" in one for one in late.receipt["changes"])
    await do(context, "wait", expression="find('status').textContent === 'done'")
    await do(context, "click", selector="#add")
    await do(context, "click", selector='role=button "Delete item 2"')
    assert await value(context, "!find('item-2') && !!find('item-3')") is True
    opened = await do(context, "click", selector="#open")
    assert any('dialog "Confirm"' in change for change in opened.receipt["changes"])
    await do(context, "click", selector='role=dialog "Confirm" >> role=button "Yes"')
    assert await shown(context, "answer") != ""


@pytest.mark.parametrize("editor", EDITORS)
@pytest.mark.proves("S2-BT-009d", "S2-BT-009c")
async def test_typed_text_arrives_once_and_in_order(context: ToolContext, site: Site, editor: str):
    await do(context, "navigate", url=serve(site, editor))
    acted = await do(context, "type", selector=EDITABLE, text="Hello brave new world", clear=True)
    assert acted.verdict == "effective"
    assert (await value(context, "text()")).strip() == "Hello brave new world"
    await do(context, "press", key="Enter")
    await do(context, "type", selector=EDITABLE, text="second line")
    assert (await value(context, "text()")).strip() == "Hello brave new world\nsecond line"
    await do(context, "fill", selector=EDITABLE, text="replaced")
    assert (await value(context, "text()")).strip() == "replaced"
    assert await value(context, "window.problems ?? []") == []
