"""What changed since the last snapshot: all of it, and nothing that did not."""

from __future__ import annotations

from support.engine import do, value
from support.site import Site
from support.snapshots import seen_lines
from tabwright.engine.context import ToolContext

UNCHANGED = "No change since the last snapshot."
ROWS = "".join(f"<tr><td>Order {n}<td>{n} pieces<td><button>Open {n}</button>" for n in range(400))
WORDS = "".join(f"<li>Line of words number {n}" for n in range(400))


async def test_a_filtered_snapshot_is_not_compared_with(context: ToolContext, site: Site):
    body = "<h1>Title</h1><p>Words</p><button>Save</button>"
    await do(context, "navigate", url=site.page("/diff/filter", body))
    await do(context, "snapshot")
    await do(context, "snapshot", find="Save")
    await do(context, "snapshot", interactive=True)
    assert (await do(context, "snapshot", diff=True)).content == UNCHANGED


async def test_a_full_snapshot_is_compared_with_all_of_the_page(context: ToolContext, site: Site):
    url = site.page("/diff/full", f"<table id=t>{ROWS}</table>")
    await do(context, "navigate", url=url)
    await do(context, "snapshot", full=True)
    assert (await do(context, "snapshot", diff=True)).content == UNCHANGED
    await value(context, "t.rows[390].cells[1].textContent = 'sold out'; 1")
    assert await seen_lines(context, diff=True) == [
        '~ "Order 390"|"sold out"|button "Open 390" e392'
    ]


async def test_what_was_scrolled_out_of_view_is_not_called_gone(context: ToolContext, site: Site):
    body = f"<table>{ROWS}</table><ul>{WORDS}</ul><p id=p>Below</p>"
    await do(context, "navigate", url=site.page("/diff/scroll", body))
    await do(context, "snapshot")
    await do(context, "scroll", to="bottom")
    changed = await do(context, "snapshot", diff=True)
    assert changed.content.startswith("scrolled to 0,")
    assert not [line for line in changed.content.split("\n") if line.startswith("- ")]
    await value(context, "document.querySelector('table').remove(); p.remove(); 1")
    gone = await do(context, "snapshot", diff=True, budget=20_000)
    assert '- "Below"' in gone.content
    assert '- button "Open 0"' in gone.content


async def test_another_page_is_told_whole(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/diff/one", "<p>First page</p>"))
    await do(context, "snapshot")
    await do(context, "navigate", url=site.page("/diff/two", "<p>Second page</p>"))
    assert await seen_lines(context, diff=True) == ['"Second page"']


async def test_where_the_page_is_now_is_told_with_the_changes(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/diff/facts", "<input aria-label=Name>"))
    await do(context, "snapshot")
    await value(
        context, "history.pushState(0, '', '#step-2'); document.title = 'Step 2'; scrollTo(0, 0); 1"
    )
    said = (await do(context, "snapshot", diff=True)).content
    assert said.startswith('Nothing else changed; "Step 2" http')
    assert said.endswith("#step-2.")
    await do(context, "focus", selector="label=Name")
    assert (await do(context, "snapshot", diff=True)).content.startswith("focus e1\n")


async def test_what_changed_comes_before_what_did_not(context: ToolContext, site: Site):
    filler = "".join(f"<button>Old button number {n}</button><br>" for n in range(39))
    body = f"{filler}<div style='height: 3000px'></div>{'<div>' + filler + '</div>'}<p id=p>Old</p>"
    await do(context, "navigate", url=site.page("/diff/first", body))
    await do(context, "snapshot", budget=600)
    await value(context, "p.textContent = 'Your order was sent'; 1")
    assert '"Your order was sent"' in (await do(context, "snapshot", budget=600)).content
