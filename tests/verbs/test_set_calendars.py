"""`set` on calendars and on dates in fields of the page's own."""

from __future__ import annotations

import pytest

from support.controls import assert_all_trusted, open_controls, said
from support.engine import do, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext

OPENED = "opened the calendar"
TURNED = "turned the calendar"


@pytest.mark.parametrize(
    ("control", "given", "held", "how"),
    [
        ("simple", "2024-03-15", "03/15/2024", f"{OPENED}, clicked the day"),
        ("simple", "2022-11-30", "11/30/2022", f"{OPENED}, {TURNED}, clicked the day"),
        ("asked", "2024-04-02", "04/02/2024", f"{OPENED}, {TURNED}, clicked the day, confirmed"),
        ("jquery", "2024-06-21", "06/21/2024", f"{OPENED}, {TURNED}, clicked the day"),
        ("listed", "1999-03-31", "03/31/1999", f"{OPENED}, chose the year, clicked the day"),
        ("flatpickr", "2024-09-09", "2024-09-09", f"{OPENED}, {TURNED}, clicked the day"),
        ("stamped", "2024-01-31", "01/31/2024", f"{OPENED}, {TURNED}, clicked the day"),
        ("inline", "2024-03-07", "2024-03-07", "clicked the day"),
        ("inline", "2024-07-04", "2024-07-04", f"{TURNED}, clicked the day"),
        ("german", "2024-05-05", "2024-05-05", f"{TURNED}, clicked the day"),
        ("double", "2024-04-18", "2024-04-18", "clicked the day"),
        ("double", "2024-12-24", "2024-12-24", f"{TURNED}, clicked the day"),
        ("limited", "2024-05-10", "2024-05-10", f"{TURNED}, clicked the day"),
        ("keyed", "2024-02-29", "2024-02-29", f"{TURNED} with keys, clicked the day"),
    ],
)
async def test_a_day_is_chosen(
    context: ToolContext, site: Site, control: str, given: str, held: str, how: str
):
    await open_controls(context, site, "calendars")
    done = await do(context, "set", selector=f"#{control}", value=given)
    assert (done.verdict, done.value, done.how) == ("effective", held, how)
    assert await said(context, control) == given
    await assert_all_trusted(context)


async def test_years_are_turned_as_a_whole(context: ToolContext, site: Site):
    await open_controls(context, site, "calendars")
    await do(context, "set", selector="#simple", value="2004-02-29")
    assert await said(context, "simple") == "2004-02-29"
    clicks = "events.filter((event) => event.type === 'click').length"
    assert await value(context, clicks) < 30


async def test_a_date_is_typed_as_its_field_asks_for_it(context: ToolContext, site: Site):
    await open_controls(context, site, "calendars")
    done = await do(context, "set", selector="label=Invoice date", value="2024-03-09")
    assert (done.value, done.how) == ("09.03.2024", "typed it as 09.03.2024")
    assert await said(context, "typed") == "09.03.2024"
    await assert_all_trusted(context)


async def test_a_date_in_segments(context: ToolContext, site: Site):
    await open_controls(context, site, "calendars")
    done = await do(context, "set", selector="label=Birthday", value="1990-07-04")
    assert (done.kind, done.how) == ("date in parts", "entered 3 parts")
    assert await said(context, "birthday") == "07/04/1990"
    await assert_all_trusted(context)


async def test_a_date_in_three_fields(context: ToolContext, site: Site):
    await open_controls(context, site, "calendars")
    await do(context, "set", selector="label=Passport issued", value="2019-12-01")
    fields = "[...document.querySelectorAll('#passport input')].map((one) => one.value)"
    assert await value(context, fields) == ["01", "12", "2019"]
    await assert_all_trusted(context)


@pytest.mark.parametrize(
    ("selector", "given", "code", "words"),
    [
        ("#limited", "2024-05-25", "ELEMENT_NOT_ACTIONABLE", "does not offer 2024-05-25"),
        ("#limited", "2024-08-01", "ELEMENT_NOT_ACTIONABLE", "no further than 2024-05"),
        ("#inline", "tomorrow", "VALIDATION_ERROR", "2024-03-15"),
        ("#inline", "2024-02-30", "VALIDATION_ERROR", "takes a date"),
        ("label=Birthday", "soon", "VALIDATION_ERROR", "takes day, month, year"),
    ],
)
async def test_a_day_that_there_is_not_is_refused(
    context: ToolContext, site: Site, selector: str, given: str, code: str, words: str
):
    await open_controls(context, site, "calendars")
    if given == "2024-05-25":
        await do(context, "set", selector=selector, value="2024-05-10")
    error = (await call(context, "set", {"selector": selector, "value": given})).error
    assert error is not None
    assert error.code == code
    assert words in str(error)
