"""`set` on comboboxes and buttons with lists, in the shapes in which pages have them."""

from __future__ import annotations

from typing import Any

import pytest

from support.controls import assert_all_trusted, open_controls, said
from support.engine import do, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext

OPENED = "opened the list, clicked the option"
FILTERED = "typed to filter the list, clicked the option"


@pytest.mark.proves("S3-6.4")
@pytest.mark.parametrize(
    ("selector", "control", "given", "how"),
    [
        ("label=Fruit", "fruit", "Banana", FILTERED),
        ("label=Wrapped", "wrapped", "Passion fruit", FILTERED),
        ("label=Old", "old", "Mango", FILTERED),
        ("label=Late", "late", "Gamma", FILTERED),
        ("label=State", "state", "Apricot", OPENED),
        ("label=Count", "count", "One", OPENED),
        ("label=Slow", "slow", "Mango", OPENED),
        ("label=Age", "mui", "Twenty", OPENED),
        ("label=Theme", "radix", "Dark", OPENED),
        ("label=Person", "headless", "Devon", OPENED),
        ("label=Bare", "bare", "Cherry", OPENED),
        ("#react", "react", "Mango", OPENED),
        ("#ant", "ant", "Row 222", OPENED),
        ("#pick-grid", "pick-grid", "Alan Turing", OPENED),
    ],
)
async def test_an_option_is_chosen(
    context: ToolContext, site: Site, selector: str, control: str, given: str, how: str
):
    await open_controls(context, site, "comboboxes")
    done = await do(context, "set", selector=selector, value=given)
    assert (done.verdict, done.value, done.how) == ("effective", given, how)
    assert await said(context, control) == given
    await assert_all_trusted(context)


async def test_an_option_may_stand_for_more_than_was_asked(context: ToolContext, site: Site):
    await open_controls(context, site, "comboboxes")
    done = await do(context, "set", selector="#city", value="Oslo")
    assert (done.value, await said(context, "city")) == ("Oslo", "Oslo, Norway")


async def test_of_two_that_begin_alike_neither_is_taken(context: ToolContext, site: Site):
    await open_controls(context, site, "comboboxes")
    error = (await call(context, "set", {"selector": "#city", "value": "London"})).error
    assert error is not None
    assert error.code == "ELEMENT_NOT_FOUND"
    assert "'London, Ontario', 'London, United Kingdom'" in error.hint
    assert await said(context, "city") is None
    assert await value(context, "document.getElementById('city').value") == ""


async def test_several_become_chips_and_the_list_is_closed(context: ToolContext, site: Site):
    await open_controls(context, site, "comboboxes")
    done = await do(context, "set", selector="#reacts", value=["Apple", "Mango"])
    assert done.value == await said(context, "reacts") == ["Apple", "Mango"]
    assert await value(context, "document.getElementById('reacts-listbox')") is None
    await assert_all_trusted(context)


async def test_a_tree_in_a_popup_is_opened_on_the_way(context: ToolContext, site: Site):
    await open_controls(context, site, "comboboxes")
    done = await do(context, "set", selector="#pick-tree", value="Asia > Seoul")
    assert done.value == await said(context, "pick-tree") == "Seoul"
    await assert_all_trusted(context)


@pytest.mark.parametrize(("control", "given"), [("sort", "Size"), ("silent", "Banana")])
async def test_a_button_that_shows_no_choice_is_opened_again_to_look(
    context: ToolContext, site: Site, control: str, given: str
):
    await open_controls(context, site, "comboboxes")
    done = await do(context, "set", selector=f"#{control}", value=given)
    assert (done.verdict, done.value) == ("effective", given)
    assert done.how.endswith("opened it again to look")
    assert await said(context, control) == given
    expanded = f"document.getElementById('{control}').getAttribute('aria-expanded')"
    assert await value(context, expanded) == "false"


async def test_a_list_that_closes_under_the_mouse_is_operated_with_keys(
    context: ToolContext, site: Site
):
    await open_controls(context, site, "comboboxes")
    done = await do(context, "set", selector="#forgetful", value="Cherry")
    assert done.how.endswith("went to it with the arrow keys and pressed Enter")
    await do(context, "blur", selector="#forgetful")
    assert await value(context, "document.getElementById('forgetful').value") == "Cherry"
    await assert_all_trusted(context)


async def test_a_field_that_offers_nothing_keeps_the_text(context: ToolContext, site: Site):
    await open_controls(context, site, "comboboxes")
    done = await do(context, "set", selector="#free", value="anything goes")
    assert (done.value, done.how) == ("anything goes", "typed it; it offered no list")


async def test_what_is_chosen_already_is_left_alone(context: ToolContext, site: Site):
    await open_controls(context, site, "comboboxes")
    await do(context, "set", selector="#state", value="Apricot")
    heard = await value(context, "events.length")
    done = await do(context, "set", selector="#state", value="apricot")
    assert done.how == "nothing was done"
    assert await value(context, "events.length") == heard


@pytest.mark.parametrize(
    ("control", "given"), [("fruit", "Kiwi"), ("state", "Ohio"), ("late", "Omega")]
)
async def test_an_option_that_is_not_there_is_refused_and_nothing_is_left_behind(
    context: ToolContext, site: Site, control: str, given: str
):
    await open_controls(context, site, "comboboxes")
    outcome = await call(context, "set", {"selector": f"#{control}", "value": given})
    error: Any = outcome.error
    assert error.code == "ELEMENT_NOT_FOUND"
    offered = {"late": "'Alpha', 'Gamma', 'Beta'"}.get(control, "'Apple'")
    assert all(name in error.hint for name in offered.split(", "))
    assert await said(context, control) is None
    left = f"""
        const box = document.getElementById('{control}');
        [box.value || '', box.getAttribute('aria-expanded')]
    """
    assert await value(context, left) == ["", "false"]
