"""Tabs, the size of the page, and a script that hangs."""

from __future__ import annotations

import asyncio

import pytest

from support.engine import do, session_of, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.errors import InputError, NetworkFailed


async def listed(context: ToolContext) -> list[tuple[str, str, bool]]:
    found = await do(context, "tabs")
    return [(tab.id, tab.title, tab.current) for tab in found.tabs]


async def test_tabs_are_opened_listed_chosen_and_closed(context: ToolContext, site: Site):
    one, two = site.page("/tab/1", "1", title="One"), site.page("/tab/2", "2", title="Two")
    await do(context, "navigate", url=one)
    opened = await do(context, "tabs", action="new", url=two)
    assert [(t.id, t.url, t.title, t.current) for t in opened.tabs] == [
        ("t1", one, "One", False),
        ("t2", two, "Two", True),
    ]
    await do(context, "tabs", action="select", tab="t1")
    assert await value(context, "document.title") == "One"
    await do(context, "tabs", action="close", tab="t2")
    assert await listed(context) == [("t1", "One", True)]


async def test_a_fresh_tab_is_listed_with_its_address(context: ToolContext):
    assert [tab.url for tab in (await do(context, "tabs")).tabs] == ["about:blank"]


async def test_the_newest_other_tab_follows_one_that_is_closed(context: ToolContext, site: Site):
    for number in (1, 2, 3):
        url = site.page(f"/follow/{number}", "", title=f"Tab {number}")
        await do(context, "tabs", action="new", url=url)
    await do(context, "tabs", action="select", tab="t2")
    found = await do(context, "tabs", action="close")
    assert found.tabs[-1].current
    assert await value(context, "document.title") == "Tab 3"


async def test_after_the_last_tab_was_closed_a_call_gets_a_new_one(context: ToolContext):
    found = await do(context, "tabs", action="close")
    assert found.tabs == []
    assert await value(context, "location.href") == "about:blank"
    assert [tab[0] for tab in await listed(context)] == ["t2"]


async def test_a_window_that_the_page_opens_is_a_tab_with_its_opener(
    context: ToolContext, site: Site
):
    url = site.page("/popup", "", title="Popup")
    await do(context, "navigate", url=site.page("/opener", "", title="Opener"))
    await do(context, "evaluate", expression=f"window.child = open({url!r}); 1")
    await do(
        context,
        "evaluate",
        expression="await new Promise(r => { child.onload = r; if (child.document.title) r() }); 1",
    )
    tabs = (await do(context, "tabs")).tabs
    assert [(t.id, t.title, t.opener, t.current) for t in tabs] == [
        ("t1", "Opener", None, True),
        ("t2", "Popup", "t1", False),
    ]


async def test_a_tab_that_does_not_exist_is_refused_with_those_that_do(context: ToolContext):
    await do(context, "tabs")
    with pytest.raises(InputError, match="no tab 't9'") as caught:
        await do(context, "tabs", action="select", tab="t9")
    assert "t1" in caught.value.hint


async def test_a_new_tab_whose_address_fails_says_so_and_stays(context: ToolContext):
    await do(context, "tabs")
    with pytest.raises(NetworkFailed):
        await do(context, "tabs", action="new", url="http://no-such-host.invalid/")
    assert [(tab[0], tab[2]) for tab in await listed(context)] == [("t1", False), ("t2", True)]


async def test_conversations_do_not_see_each_others_tabs(context: ToolContext, manager, site: Site):
    await do(context, "navigate", url=site.page("/mine", "", title="Mine"))
    other = manager.context(f"{context.conversation_id}-other")
    try:
        assert [tab[1] for tab in await listed(other)] == [""]
        assert [tab[1] for tab in await listed(context)] == ["Mine"]
    finally:
        await manager.close_session(other.conversation_id)


@pytest.mark.proves("S2-BT-005", "U-15")
async def test_a_fresh_page_is_1280_by_720(context: ToolContext):
    assert await value(context, "[innerWidth, innerHeight]") == [1280, 720]


@pytest.mark.proves("S2-BT-005")
@pytest.mark.parametrize(("width", "height"), [(800, 600), (320, 1), (1, 480), (3840, 2160)])
async def test_resize_gives_the_page_the_size_that_was_asked_for(
    context: ToolContext, site: Site, width: int, height: int
):
    await do(context, "navigate", url=site.page("/size", "<p>sized</p>"))
    found = await do(context, "resize", width=width, height=height)
    assert (found.width, found.height) == (width, height)
    assert await value(context, "[innerWidth, innerHeight]") == [width, height]


@pytest.mark.proves("S2-BT-005")
@pytest.mark.parametrize("width", [0, -1, 1.5, 800.0, "800", True, None, 16_385])
async def test_a_size_that_is_no_whole_number_above_zero_is_refused(
    context: ToolContext, width: object
):
    outcome = await call(context, "resize", {"width": width, "height": 600})
    assert outcome.error is not None
    assert outcome.error.code == "VALIDATION_ERROR"
    assert "`width`" in outcome.error.message
    assert await value(context, "innerWidth") == 1280


async def test_the_size_stays_when_the_page_goes_elsewhere(context: ToolContext, site: Site):
    await do(context, "resize", width=500, height=400)
    await do(context, "navigate", url=site.page("/stays", ""))
    assert await value(context, "[innerWidth, innerHeight]") == [500, 400]


async def hang(context: ToolContext, site: Site) -> None:
    """Leave the page in a script that does not end."""
    script = "<script>hang = () => { console.log('hangs'); for (;;); }</script>"
    await do(context, "navigate", url=site.page("/hang", script, title="Hang"))
    tab = (await session_of(context)).current
    begun = asyncio.Event()
    tab.on("Runtime.consoleAPICalled", lambda *_: begun.set())
    tab.post("Runtime.evaluate", {"expression": "hang()"})
    await begun.wait()


async def test_a_page_that_hangs_is_told_and_can_be_interrupted(context: ToolContext, site: Site):
    await hang(context, site)
    outcome = await call(context, "screenshot", {"timeout": 300})
    assert outcome.error is not None
    assert outcome.error.code == "TIMEOUT"
    assert [action.verb for action in outcome.next_actions] == ["interrupt", "reload", "tabs"]
    assert (await do(context, "interrupt")).responsive
    assert await value(context, "document.title") == "Hang"


async def test_an_interrupted_page_may_first_do_what_is_left_to_do(
    context: ToolContext, site: Site, monkeypatch: pytest.MonkeyPatch
):
    await hang(context, site)
    tab = (await session_of(context)).current
    busy = "for (const end = performance.now() + 1500; performance.now() < end;);"
    tab.post("Runtime.evaluate", {"expression": busy})
    assert (await do(context, "interrupt")).responsive

    for _ in range(2):
        tab.post("Runtime.evaluate", {"expression": "hang()"})
    monkeypatch.setattr("tabwright.verbs.tab.RESPONSE_S", 0.2)
    outcome = await call(context, "interrupt")
    assert not outcome.unwrap().responsive
    assert outcome.text() == "The page still does not answer."
    await do(context, "tabs", action="close")


async def test_a_page_that_hangs_can_be_given_up(context: ToolContext, site: Site):
    await hang(context, site)
    await do(context, "tabs", action="close")
    assert await value(context, "location.href") == "about:blank"


async def test_a_page_that_hangs_can_be_loaded_again(context: ToolContext, site: Site):
    await hang(context, site)
    await do(context, "reload")
    assert await value(context, "document.title") == "Hang"


async def test_a_page_that_hangs_can_be_left(context: ToolContext, site: Site):
    await hang(context, site)
    found = await do(context, "navigate", url=site.page("/left", "", title="Left"))
    assert found.title == "Left"


@pytest.mark.parametrize("how", ["window.close()", "setTimeout(() => window.close(), 50)"])
async def test_an_act_that_closes_its_own_tab_says_so(context: ToolContext, site: Site, how: str):
    one = site.page("/tab/opener", "<button onclick=\"window.open('/tab/own')\">Open</button>")
    site.page("/tab/own", f'<button onclick="{how}">Close</button>')
    await do(context, "navigate", url=one)
    await do(context, "click", selector="text=Open")
    await do(context, "tabs", action="select", tab="t2")
    acted = await do(context, "click", selector="text=Close")
    assert acted.verdict == "effective"
    assert f"tab t2 is closed, the current one is t1 {one}" in acted.text()
    assert await value(context, "location.href") == one


async def test_acts_are_heard_in_the_first_page_of_a_popup(context: ToolContext, site: Site):
    one = site.page("/tab/first", "<button onclick=\"window.open('/tab/popup')\">Open</button>")
    body = "<button onclick=\"p.textContent = 'did'\">Do</button><p id=p></p>"
    site.page("/tab/popup", f"{body}<a href='/tab/first'>Leave</a>")
    await do(context, "navigate", url=one)
    await do(context, "click", selector="text=Open")
    await do(context, "tabs", action="select", tab="t2")
    acted = await do(context, "click", selector="text=Do")
    assert (acted.verdict, acted.receipt["delivered"]["click"]) == ("effective", 1)
    assert 'now paragraph "did"' in acted.text()
    left = await do(context, "click", selector="text=Leave")
    assert (left.verdict, left.receipt["url"]) == ("effective", one)
