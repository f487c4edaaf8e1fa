"""`set` on what is on or off, on groups of it, on tabs and disclosures; and when it goes wrong."""

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
    ("selector", "given", "control", "state"),
    [
        ("label=Wi-Fi", "on", "wifi", "true"),
        ("label=Saved on the server", "true", "remote", "true"),
        ("#custom", "yes", "custom", "true"),
        ("#all", "true", "all", "true"),
        ("#all", "false", "all", "false"),
        ("label=Star", "on", "star", "true"),
        ("#faq", "true", "faq", "true"),
        ("label=Crust", "Thin crust", "crust", "Thin crust"),
        ("text=Deep dish", "true", "crust", "Deep dish"),
        ("label=Alignment", "Right", "align", "Right"),
        ("label=Formatting", ["Bold", "Italic"], "format", ["Bold", "Italic"]),
        ("label=Sections", "Second", "tabs", "Second"),
        ("#tabs >> text=Third", "true", "tabs", "Third"),
        ("label=Manual", "Third", "manual", "Third"),
    ],
)
async def test_a_toggle_comes_to_its_state(
    context: ToolContext, site: Site, selector: str, given: Any, control: str, state: Any
):
    await open_controls(context, site, "toggles")
    done = await do(context, "set", selector=selector, value=given)
    assert done.verdict == "effective"
    assert await said(context, control) == state
    await assert_all_trusted(context)


@pytest.mark.parametrize(
    ("selector", "given", "state"),
    [
        ("label=Pretty", "true", "document.getElementById('pretty').checked"),
        ("label=Half", "true", "document.getElementById('native-mixed').checked"),
        ("#more", "true", "document.getElementById('more').open"),
        ("label=More", "true", "document.getElementById('more').open"),
        ("label=Answer", "No", "document.getElementById('answer-no').checked"),
        ("#answer-yes", "no", "document.getElementById('answer-no').checked"),
        ("#answer-no", "true", "document.getElementById('answer-no').checked"),
    ],
)
async def test_native_ones_too(
    context: ToolContext, site: Site, selector: str, given: str, state: str
):
    await open_controls(context, site, "toggles")
    await do(context, "set", selector=selector, value=given)
    assert await value(context, state) is True
    await assert_all_trusted(context)


async def test_three_states_take_two_clicks(context: ToolContext, site: Site):
    await open_controls(context, site, "toggles")
    done = await do(context, "set", selector="#all", value="false")
    assert done.how == "clicked it, clicked it again"
    done = await do(context, "set", selector="#all", value="mixed")
    assert (done.value, done.how) == ("mixed", "clicked it")


@pytest.mark.parametrize("given", ["off", "false", "no", "0", "Unchecked"])
async def test_many_words_mean_off_and_what_is_off_is_left_alone(
    context: ToolContext, site: Site, given: str
):
    await open_controls(context, site, "toggles")
    done = await do(context, "set", selector="#wifi", value=given)
    assert (done.value, done.how) == ("false", "nothing was done")
    assert await value(context, "events") == []


@pytest.mark.parametrize(
    ("control", "given", "held"),
    [
        ("reverts", "true", "'false', not 'true'"),
        ("reverts-late", "true", "'false', not 'true'"),
        ("custom", "mixed", "not 'mixed'"),
        ("resets", "two", "['one'] chosen, not ['two']"),
    ],
)
async def test_a_page_that_takes_it_back_is_not_believed(
    context: ToolContext, site: Site, control: str, given: str, held: str
):
    await open_controls(context, site, "toggles")
    error = (await call(context, "set", {"selector": f"#{control}", "value": given})).error
    assert error is not None
    assert error.code == "NOT_DONE"
    assert held in error.message
    assert error.details["receipt"]["delivered"]


async def test_a_click_that_did_nothing_is_not_repeated(context: ToolContext, site: Site):
    await open_controls(context, site, "toggles")
    await call(context, "set", {"selector": "#reverts", "value": "true"})
    assert await value(context, "events.filter((event) => event.type === 'click').length") == 1


@pytest.mark.parametrize(
    ("selector", "given", "code", "words"),
    [
        ("#wifi", "maybe", "VALIDATION_ERROR", "'true', 'false' or 'mixed'"),
        ("#faq", "mixed", "VALIDATION_ERROR", "Give 'true', 'false'."),
        ("#off", "true", "ELEMENT_NOT_ACTIONABLE", "disabled"),
        ("text=Deep dish", "false", "ELEMENT_NOT_ACTIONABLE", "Choose the other one"),
        ("label=Crust", "Cheese", "ELEMENT_NOT_FOUND", "'Deep dish'"),
        ("label=Sections", "Fourth", "ELEMENT_NOT_FOUND", "'First'"),
    ],
)
async def test_what_cannot_be_is_refused(
    context: ToolContext, site: Site, selector: str, given: str, code: str, words: str
):
    await open_controls(context, site, "toggles")
    if selector == "text=Deep dish":
        await do(context, "set", selector=selector, value="true")
    error = (await call(context, "set", {"selector": selector, "value": given})).error
    assert error is not None
    assert error.code == code
    assert words in str(error)


@pytest.mark.parametrize(
    ("control", "why"),
    [
        ("asks", "a dialog is open"),
        ("leaves", "the page was left"),
        ("vanishes", "taken off the page"),
    ],
)
async def test_what_cannot_be_read_back_is_unknown(
    context: ToolContext, site: Site, control: str, why: str
):
    await open_controls(context, site, "toggles")
    done = await do(context, "set", selector=f"#{control}", value="true")
    assert done.verdict == "unknown"
    assert why in done.receipt["why"]
    if control == "asks":
        assert [one.verb for one in done.next_actions()] == ["dialog", "dialog"]
        await do(context, "dialog", action="accept")


async def test_a_handler_that_never_ends_holds_nothing_up(context: ToolContext, site: Site):
    await open_controls(context, site, "toggles")
    done = await do(context, "set", selector="#hangs", value="true")
    assert done.verdict == "unknown"
    assert [one.verb for one in done.next_actions()] == ["interrupt"]
    await do(context, "interrupt")
