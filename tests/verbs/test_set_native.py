"""`set` on the browser's own controls: typed, clicked, walked to; read back from the page."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.controls import assert_all_trusted, open_controls
from support.engine import do, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext

HOLDS = "document.getElementById('%s').value"


async def holds(context: ToolContext, control: str) -> Any:
    return await value(context, HOLDS % control)


@pytest.mark.parametrize(
    ("control", "label", "given"),
    [
        ("email", "Email", "ada@example.com"),
        ("notes", "Notes", "one\ntwo"),
        ("browser", "Browser", "Lynx"),
        ("find", "Find", "anything"),
        ("date", "Date", "2024-03-15"),
        ("booked", "Booked", "2024-02-10"),
        ("march", "In March", "2024-03-09"),
        ("time", "Time", "14:30"),
        ("time", "Time", "00:05"),
        ("exact", "Exact", "23:59:58.125"),
        ("meeting", "Meeting", "2024-03-15T12:05"),
        ("month", "Month", "2024-11"),
        ("week", "Week", "2024-W07"),
        ("paint", "Paint", "#ff8800"),
    ],
)
async def test_a_field_holds_what_it_was_set_to(
    context: ToolContext, site: Site, control: str, label: str, given: str
):
    await open_controls(context, site, "native")
    done = await do(context, "set", selector=f'label="{label}"', value=given)
    assert done.verdict == "effective"
    assert done.value == given
    assert await holds(context, control) == given
    await assert_all_trusted(context)


async def test_the_page_hears_one_change_of_an_empty_time(context: ToolContext, site: Site):
    await open_controls(context, site, "native")
    await do(context, "set", selector="#meeting", value="2024-03-15T12:05")
    heard = "events.filter((event) => /input|change/.test(event.type)).map((event) => event.type)"
    assert await value(context, heard) == ["input", "change"]


async def test_an_empty_value_clears_a_date(context: ToolContext, site: Site):
    await open_controls(context, site, "native")
    done = await do(context, "set", selector="#booked", value="")
    assert (done.value, await holds(context, "booked")) == ("", "")


async def test_a_colour_is_typed_into_the_browsers_own_picker(context: ToolContext, site: Site):
    await open_controls(context, site, "native")
    done = await do(context, "set", selector="#paint", value="#0F8")
    assert done.value == "#00ff88"
    assert done.how == "typed red, green and blue into the browser's picker"
    assert await value(context, "events.some((event) => event.type === 'change')")
    await assert_all_trusted(context)


async def test_a_mask_may_add_its_own_marks(context: ToolContext, site: Site):
    await open_controls(context, site, "native")
    done = await do(context, "set", selector="#phone", value="5551234")
    assert done.value == await holds(context, "phone") == "555-1234"


async def test_a_password_is_never_told(context: ToolContext, site: Site):
    await open_controls(context, site, "native")
    outcome = await call(context, "set", {"selector": "label=Secret", "value": "hunter22"})
    assert outcome.success
    assert await holds(context, "secret") == "hunter22"
    result = outcome.unwrap()
    assert result.value == "•" * 8
    assert "hunter" not in outcome.text() + result.model_dump_json()


async def test_editable_content_is_replaced(context: ToolContext, site: Site):
    await open_controls(context, site, "native")
    done = await do(context, "set", selector="label=Rich", value="new")
    assert done.kind == "text"
    assert await value(context, "document.getElementById('rich').textContent") == "new"


@pytest.mark.proves("S3-6.4")
@pytest.mark.parametrize(
    ("control", "given", "held"),
    [
        ("colour", "Blue", "b"),
        ("colour", "g", "g"),
        ("tall", "three", "three"),
        ("days", ["Tuesday", "Friday"], ["Tuesday", "Friday"]),
    ],
)
async def test_options_of_a_list_are_chosen(
    context: ToolContext, site: Site, control: str, given: Any, held: Any
):
    await open_controls(context, site, "native")
    done = await do(context, "set", selector=f"#{control}", value=given)
    assert done.kind == "native list"
    chosen = f"[...document.getElementById('{control}').selectedOptions].map((one) => one.value)"
    assert await value(context, chosen) == (held if isinstance(held, list) else [held])
    await assert_all_trusted(context)


@pytest.mark.proves("S3-6.4")
async def test_a_fieldset_of_radios_is_set_by_the_label_of_one(context: ToolContext, site: Site):
    await open_controls(context, site, "native")
    done = await do(context, "set", selector="label=Size", value="large")
    assert (done.kind, done.value) == ("radio buttons", "Large")
    assert await value(context, "document.querySelector('[name=size]:checked').value") == "l"
    await assert_all_trusted(context)


@pytest.mark.proves("S3-6.4")
async def test_a_fieldset_of_checkboxes_is_set_to_just_these(context: ToolContext, site: Site):
    await open_controls(context, site, "native")
    done = await do(context, "set", selector="label=Extras", value=["Cheese", "Olives"])
    assert done.value == ["Cheese", "Olives"]
    checked = "[...document.getElementsByName('extra')].map((one) => one.checked)"
    assert await value(context, checked) == [False, True, True]
    await assert_all_trusted(context)


@pytest.mark.parametrize(
    ("selector", "given"),
    [("#email", ""), ("#colour", "Red"), ("#booked", "2024-05-31"), ("#paint", "#204060")],
)
async def test_what_is_so_already_is_left_alone(
    context: ToolContext, site: Site, selector: str, given: str
):
    await open_controls(context, site, "native")
    outcome = await call(context, "set", {"selector": selector, "value": given})
    assert outcome.unwrap().how == "nothing was done"
    assert "already: nothing was done" in outcome.text()
    assert await value(context, "events") == []


@pytest.mark.parametrize(
    ("selector", "given", "code", "words"),
    [
        ("#booked", "2025-01-01", "VALIDATION_ERROR", "from 2024-01-01 to 2024-12-31"),
        ("#date", "15.3.2024", "VALIDATION_ERROR", "2024-03-15"),
        ("#time", "2pm", "VALIDATION_ERROR", "14:30"),
        ("#paint", "red", "VALIDATION_ERROR", "#ff8800"),
        ("#email", ["a", "b"], "VALIDATION_ERROR", "one value, not 2"),
        ("#colour", "Purple", "ELEMENT_NOT_FOUND", "'Red', 'Green'"),
        ("#colour", "Grey", "ELEMENT_NOT_ACTIONABLE", "disabled"),
        ("#size", "Gigantic", "ELEMENT_NOT_FOUND", "'Small', 'Medium', 'Large'"),
        ("#locked", "new", "ELEMENT_NOT_ACTIONABLE", "read-only"),
        ("#upload", "cv.pdf", "ELEMENT_NOT_ACTIONABLE", "Use `upload`"),
        ("#plain", "true", "ELEMENT_NOT_ACTIONABLE", "not a control"),
        ("h1", "x", "ELEMENT_NOT_ACTIONABLE", "not a control"),
        ("#nosuch", "x", "ELEMENT_NOT_FOUND", "#nosuch"),
    ],
)
async def test_what_a_control_cannot_hold_is_refused_with_what_it_can(
    context: ToolContext, site: Site, selector: str, given: Any, code: str, words: str
):
    await open_controls(context, site, "native")
    before = await value(
        context, "[...document.querySelectorAll('input,select')].map((x) => x.value)"
    )
    error = (await call(context, "set", {"selector": selector, "value": given})).error
    assert error is not None
    assert error.code == code
    if words == "'Red', 'Green'":
        assert all(name in str(error) for name in ("'Red'", "'Green'", "'Blue'"))
    else:
        assert words in str(error)
    after = await value(
        context, "[...document.querySelectorAll('input,select')].map((x) => x.value)"
    )
    assert after == before


async def test_a_text_that_was_cut_short_is_not_done(context: ToolContext, site: Site):
    await open_controls(context, site, "native")
    error = (await call(context, "set", {"selector": "#code", "value": "123456"})).error
    assert error is not None
    assert error.code == "NOT_DONE"
    assert "holds '1234', not '123456'" in error.message


async def test_a_plain_success_is_told_in_few_words(context: ToolContext, site: Site):
    await open_controls(context, site, "native")
    for selector, given in (("#email", "ada@example.com"), ("#colour", "Blue"), ("#time", "14:30")):
        outcome = await call(context, "set", {"selector": selector, "value": given})
        assert len(outcome.text()) < 120, outcome.text()
        assert json.dumps(given)[1:-1] in outcome.text()
