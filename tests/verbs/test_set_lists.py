"""`set` on lists that pages made: one choice or several, thousands of rows, rows that come late."""

from __future__ import annotations

from typing import Any

import pytest

from support.controls import assert_all_trusted, open_controls, said
from support.engine import do, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext


@pytest.mark.proves("S3-6.4")
@pytest.mark.parametrize(
    ("selector", "given", "control", "chosen"),
    [
        ("label=Planet", "Mars", "planet", "Mars"),
        ("#planet", "venus", "planet", "Venus"),
        ("#planet", "Jupiter", "planet", "Jupiter (the largest)"),
        ("label=Toppings", ["Cheese", "Onion"], "pizza", ["Cheese", "Onion"]),
        ("#pizza", [], "pizza", []),
        ("#files", ["b.txt", "d.txt"], "files", ["b.txt", "d.txt"]),
        ("#people", "Person 4321", "people", "Person 4321"),
        ("#feed", "Post 87", "feed", "Post 87"),
    ],
)
async def test_the_page_hears_of_the_choice(
    context: ToolContext, site: Site, selector: str, given: Any, control: str, chosen: Any
):
    await open_controls(context, site, "lists")
    done = await do(context, "set", selector=selector, value=given)
    assert (done.kind, done.verdict, done.value) == ("list", "effective", chosen)
    assert await said(context, control) == chosen
    await assert_all_trusted(context)


async def test_a_list_of_thousands_in_no_order_is_looked_through(context: ToolContext, site: Site):
    await open_controls(context, site, "lists")
    done = await do(context, "set", selector="#mixed", value="Item 919")
    assert done.value == await said(context, "mixed") == "Item 919"
    await assert_all_trusted(context)


async def test_an_option_under_something_else_is_reached_with_keys(
    context: ToolContext, site: Site
):
    await open_controls(context, site, "lists")
    done = await do(context, "set", selector="#hidden-by", value="Second")
    assert done.how == "went there with the arrow keys and pressed Enter"
    assert await said(context, "hidden-by") == "Second"
    await assert_all_trusted(context)


async def test_one_option_can_be_turned_on_and_off(context: ToolContext, site: Site):
    await open_controls(context, site, "lists")
    await do(context, "set", selector="#pizza >> text=Olives", value="true")
    assert await said(context, "pizza") == ["Ham", "Olives"]
    await do(context, "set", selector="#pizza >> text=Ham", value="false")
    assert await said(context, "pizza") == ["Olives"]


async def test_what_is_chosen_already_is_left_alone(context: ToolContext, site: Site):
    await open_controls(context, site, "lists")
    done = await do(context, "set", selector="#pizza", value="ham")
    assert done.how == "nothing was done"
    assert await value(context, "events") == []


@pytest.mark.parametrize("control", ["stubborn", "fickle"])
async def test_a_choice_that_the_page_takes_back_is_not_done(
    context: ToolContext, site: Site, control: str
):
    await open_controls(context, site, "lists")
    error = (await call(context, "set", {"selector": f"#{control}", "value": "Yes"})).error
    assert error is not None
    assert error.code == "NOT_DONE"
    assert "holds '', not 'Yes'" in error.message


async def test_an_option_that_is_not_there_is_refused_with_the_nearest(
    context: ToolContext, site: Site
):
    await open_controls(context, site, "lists")
    error = (await call(context, "set", {"selector": "#feed", "value": "Post 101"})).error
    assert error is not None
    assert error.code == "ELEMENT_NOT_FOUND"
    assert len(error.details["near"]) == 20
    assert error.details["near"][0] == "'Post 10'"
    assert await said(context, "feed") is None


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        ("Pluto", "ELEMENT_NOT_ACTIONABLE", "'Pluto' of listbox"),
        ("Mer", "ELEMENT_NOT_FOUND", "no 'Mer'. It offers 'Mercury'"),
        ([], "VALIDATION_ERROR", "empty list"),
        ("Vulcan", "ELEMENT_NOT_FOUND", "'Mercury', 'Venus'"),
        (["Mars", "Venus"], "VALIDATION_ERROR", "one value, not 2"),
    ],
)
async def test_what_a_list_does_not_offer_is_refused(
    context: ToolContext, site: Site, given: Any, code: str, words: str
):
    await open_controls(context, site, "lists")
    error = (await call(context, "set", {"selector": "#planet", "value": given})).error
    assert error is not None
    assert error.code == code
    assert words in str(error)
    assert await said(context, "planet") is None
