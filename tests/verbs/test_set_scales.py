"""`set` on sliders and spin buttons: keys are measured, and the mouse is the other way."""

from __future__ import annotations

from typing import Any

import pytest

from support.controls import assert_all_trusted, open_controls, said
from support.engine import do, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext


@pytest.mark.parametrize(
    ("selector", "given", "control", "held"),
    [
        ("label=Volume", "42", "volume", 42),
        ("label=Volume", "0", "volume", 0),
        ("label=Volume", "99 %", "volume", 99),
        ("label=Height", "-13", "height", -13),
        ("#long", "8,765", "long", 8765),
        ("#steps", "70", "steps", 70),
        ("label=Size", "2", "size", 2),
        ("label=Minimum price", "250", "low", 250),
        ("#guests", "9", "guests", 9),
        ("label=Nights", "7", "nights", 7),
        ("label=Amount", "123", "amount", 123),
    ],
)
async def test_a_scale_is_brought_to_its_value(
    context: ToolContext, site: Site, selector: str, given: str, control: str, held: int
):
    await open_controls(context, site, "scales")
    done = await do(context, "set", selector=selector, value=given)
    assert (done.verdict, float(done.value)) == ("effective", held)
    assert await said(context, control) == held
    await assert_all_trusted(context)


@pytest.mark.parametrize(
    ("control", "given"),
    [("native", "1984"), ("even", "35"), ("rtl", "8"), ("quantity", "15"), ("price", "2.75")],
)
async def test_the_browsers_own_scales_too(
    context: ToolContext, site: Site, control: str, given: str
):
    await open_controls(context, site, "scales")
    done = await do(context, "set", selector=f"#{control}", value=given)
    assert (
        done.value == await value(context, f"document.getElementById('{control}').value") == given
    )
    await assert_all_trusted(context)


async def test_hundreds_of_steps_take_few_keys(context: ToolContext, site: Site):
    await open_controls(context, site, "scales")
    await do(context, "set", selector="#long", value="8765")
    pressed = "events.filter((event) => event.type === 'keydown').length"
    assert await value(context, pressed) < 100


async def test_a_slider_may_be_set_by_what_it_says(context: ToolContext, site: Site):
    await open_controls(context, site, "scales")
    done = await do(context, "set", selector="label=Size", value="large")
    assert (done.value, await said(context, "size")) == ("Large", 2)


async def test_a_slider_that_tells_nothing_is_set_in_percent(context: ToolContext, site: Site):
    await open_controls(context, site, "scales")
    done = await do(context, "set", selector="#bare", value="55")
    assert (done.value, await said(context, "bare")) == ("55%", 55)
    assert done.how.endswith("in percent of its length: it tells no value")


async def test_where_keys_are_too_coarse_the_mouse_is_finer(context: ToolContext, site: Site):
    await open_controls(context, site, "scales")
    done = await do(context, "set", selector="#coarse", value="35")
    assert done.how.endswith("keys are too coarse")
    assert await said(context, "coarse") == 35
    await assert_all_trusted(context)


async def test_a_slider_that_ignores_keys_is_dragged(context: ToolContext, site: Site):
    await open_controls(context, site, "scales")
    done = await do(context, "set", selector="#dragged", value="73")
    assert done.how.startswith("dragged the handle")
    assert await said(context, "dragged") == 73
    await assert_all_trusted(context)


async def test_both_ends_of_a_range_are_set_at_once(context: ToolContext, site: Site):
    await open_controls(context, site, "scales")
    done = await do(context, "set", selector="label=Price range", value=["350", "380"])
    assert (done.kind, done.value) == ("sliders", ["350", "380"])
    assert (await said(context, "low"), await said(context, "high")) == (350, 380)


async def test_a_slider_that_nothing_moves_is_not_done(context: ToolContext, site: Site):
    await open_controls(context, site, "scales")
    error = (await call(context, "set", {"selector": "#dead", "value": "10"})).error
    assert error is not None
    assert error.code == "NOT_DONE"
    assert "holds '50', not '10'" in error.message


@pytest.mark.parametrize(
    ("control", "given", "code", "words"),
    [
        ("volume", "142", "VALIDATION_ERROR", "It goes from 0 to 100."),
        ("volume", "loud", "VALIDATION_ERROR", "takes a number"),
        ("quantity", "21", "VALIDATION_ERROR", "It goes from 1 to 20."),
        ("even", "37", "VALIDATION_ERROR", "steps of 5 from 0 to 100: 35 or 40"),
        ("price", "2.80", "VALIDATION_ERROR", "steps of 0.25 from 0: 2.75 or 3"),
        ("steps", "75", "NOT_DONE", "goes in steps of 10"),
        ("size", "Giant", "ELEMENT_NOT_FOUND", "'Small', 'Medium'"),
        ("low", ["1", "2"], "VALIDATION_ERROR", "one value"),
    ],
)
async def test_what_a_scale_cannot_be_is_refused_with_its_bounds(
    context: ToolContext, site: Site, control: str, given: Any, code: str, words: str
):
    await open_controls(context, site, "scales")
    error = (await call(context, "set", {"selector": f"#{control}", "value": given})).error
    assert error is not None
    assert error.code == code
    if code == "ELEMENT_NOT_FOUND":
        assert all(name in error.hint for name in words.split(", "))
        assert await said(context, control) == 0
    else:
        assert words in str(error)
