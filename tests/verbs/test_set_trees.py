"""`set` on trees: by a name or a path, branches opened on the way."""

from __future__ import annotations

from typing import Any

import pytest

from support.controls import assert_all_trusted, open_controls, said
from support.engine import do, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext


@pytest.mark.parametrize(
    ("selector", "given", "control", "chosen"),
    [
        ("label=Files", "letter.txt", "files", "letter.txt"),
        ("#files", "Projects > Project 3 > plan.txt", "files", "plan.txt"),
        ("#files", "notes.txt", "files", "notes.txt"),
        ("#files", "reports>Report-1.pdf", "files", "report-1.pdf"),
        ("#lazy", "Projects > Project 3 > notes.txt", "lazy", ["notes.txt"]),
        ("#flat", "Reports > plan.txt", "flat", "/Reports/plan.txt"),
        (
            "#checks",
            ["Projects > project-1.docx", "letter.txt"],
            "checks",
            ["project-1.docx", "letter.txt"],
        ),
    ],
)
async def test_the_item_is_found_and_chosen(
    context: ToolContext, site: Site, selector: str, given: Any, control: str, chosen: Any
):
    await open_controls(context, site, "trees")
    done = await do(context, "set", selector=selector, value=given)
    assert (done.kind, done.verdict) == ("tree", "effective")
    assert await said(context, control) == chosen
    await assert_all_trusted(context)


async def test_the_same_name_elsewhere_is_another_item(context: ToolContext, site: Site):
    await open_controls(context, site, "trees")
    await do(context, "set", selector="#files", value="Projects > Project 3 > plan.txt")
    done = await do(context, "set", selector="#files", value="Reports > plan.txt")
    assert done.how != "nothing was done"
    chosen = "document.querySelector('#files [aria-selected=true]').parentNode.parentNode.innerText"
    assert (await value(context, chosen)).startswith("Reports")
    done = await do(context, "set", selector="#files", value="Reports > plan.txt")
    assert done.how == "nothing was done"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("Reports > nothing.txt", "no 'nothing.txt'. It offers 'plan.txt', 'report-1.pdf'."),
        ("Nowhere > plan.txt", "no 'Nowhere'"),
        ("missing", "'letter.txt'"),
    ],
)
async def test_a_way_that_ends_says_where(context: ToolContext, site: Site, given: str, words: str):
    await open_controls(context, site, "trees")
    error = (await call(context, "set", {"selector": "#files", "value": given})).error
    assert error is not None
    assert error.code == "ELEMENT_NOT_FOUND"
    assert words in str(error)
    assert await said(context, "files") is None
