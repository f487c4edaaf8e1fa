"""Failing well: what is there instead, a target that would work, and a call that is ready."""

from __future__ import annotations

import pytest

from support.engine import do, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.errors import TabwrightError

FORM = """<h1>Account</h1><label>E-mail address <input id=mail></label>
<label>Password <input id=pass type=password></label><button id=in>Sign in</button>
<button id=up>Sign up</button><a href="/help">Help</a><button hidden>Signing</button>"""


async def failed(
    context: ToolContext, verb: str, **params: object
) -> tuple[TabwrightError, dict[str, object]]:
    outcome = await call(context, verb, params)
    assert outcome.error is not None
    return outcome.error, outcome.as_dict()


@pytest.mark.parametrize(
    ("selector", "nearest"),
    [
        ("text=Sing in", 'button "Sign in"'),
        ('role=button "Log in"', 'button "Sign in"'),
        ("label=Email adress", 'textbox "E-mail address"'),
        ("#password", 'textbox "Password"'),
        ("button#sign-up", 'button "Sign up"'),
        ("//button[text()='Sign  up!']", 'button "Sign up"'),
    ],
)
@pytest.mark.proves("S3-ERR-06", "S3-P10")
async def test_not_found_names_what_is_nearest_and_a_call_that_works(
    context: ToolContext, site: Site, selector: str, nearest: str
):
    await do(context, "navigate", url=site.page("/fail/near", FORM))
    error, body = await failed(context, "click", selector=selector, clickCount=2)
    assert error.code == "ELEMENT_NOT_FOUND"
    assert selector in error.message
    near = error.details["near"]
    assert near[0].startswith(nearest)
    assert len(near) <= 20
    assert not any("Signing" in one for one in near)
    action = body["nextActions"][0]  # pyright: ignore[reportIndexIssue]
    assert action["verb"] == "click"
    assert action["params"]["clickCount"] == 2
    assert (await call(context, action["verb"], action["params"])).success


@pytest.mark.proves("S3-ERR-06")
async def test_at_most_twenty_candidates_are_listed(context: ToolContext, site: Site):
    buttons = "".join(f"<button>Item {n}</button>" for n in range(300))
    await do(context, "navigate", url=site.page("/fail/many", buttons))
    error, _ = await failed(context, "click", selector="text=Item 4x")
    assert len(error.details["near"]) == 20
    assert "Item 4" in error.details["near"][0]


async def test_a_stale_ref_says_what_happened_and_offers_the_nearest(
    context: ToolContext, site: Site
):
    page = site.page("/fail/stale", "<div id=d><button>Save</button></div><button>Other</button>")
    await do(context, "navigate", url=page)
    acted = await do(context, "hover", selector="text=Save")
    ref = acted.element.split(" ")[-1]
    await value(context, "d.innerHTML = '<button>Save</button>'; 1")
    error, body = await failed(context, "click", selector=ref)
    assert 'the button "Save" was taken off the page' in error.message
    assert error.details["reason"] == "stale"
    action = body["nextActions"][0]  # pyright: ignore[reportIndexIssue]
    assert action["params"]["selector"] != ref
    assert (
        await do(context, "get", what="text", selector=action["params"]["selector"])
    ) is not None
    await do(context, "navigate", url=page)
    error, body = await failed(context, "click", selector=ref)
    assert "a page that has been left" in error.message
    action = body["nextActions"][0]  # pyright: ignore[reportIndexIssue]
    clicked = await do(context, "click", selector=action["params"]["selector"])
    assert clicked.element.startswith('button "Save"')
    error, _ = await failed(context, "click", selector="e99999")
    assert "never given out" in error.message


@pytest.mark.parametrize(
    ("body", "selector", "why", "opener"),
    [
        (
            "<details><summary>Extras</summary><label><input type=checkbox> Bicycle</label>",
            "label=Bicycle",
            "it is in a closed <details>",
            'summary "Extras"',
        ),
        (
            """<button aria-controls=p aria-expanded=false onclick="p.hidden = false">More</button>
            <div id=p hidden><label>Bicycle <input type=checkbox></label></div>""",
            "label=Bicycle",
            'display: none on its ancestor <div id="p">',
            'button "More"',
        ),
    ],
)
@pytest.mark.proves("S3-ERR-06")
async def test_what_is_hidden_is_found_and_the_way_to_it_is_offered(
    context: ToolContext, site: Site, body: str, selector: str, why: str, opener: str
):
    await do(context, "navigate", url=site.page("/fail/hidden", body))
    error, reply = await failed(context, "check", selector=selector)
    assert error.code == "ELEMENT_NOT_VISIBLE"
    assert why in error.message
    assert opener in error.hint
    step = reply["nextActions"][0]  # pyright: ignore[reportIndexIssue]
    assert (await call(context, step["verb"], step["params"])).success
    assert (await do(context, "check", selector=selector)).verdict == "effective"


async def test_a_thing_that_the_mouse_passes_through_is_called_disabled(
    context: ToolContext, site: Site
):
    body = "<p style='pointer-events: none' id=b>10 March</p>"
    await do(context, "navigate", url=site.page("/fail/through", body))
    error, _ = await failed(context, "click", selector="#b")
    assert (error.code, error.details["reason"]) == ("ELEMENT_NOT_ACTIONABLE", "disabled")
    assert "pointer-events: none" in error.message


async def test_refs_stay_with_their_node_and_are_never_given_out_again(
    context: ToolContext, site: Site
):
    page = site.page("/fail/refs", "<button>One</button><button>Two</button>")
    seen: set[str] = set()
    for _ in range(3):
        await do(context, "navigate", url=page)
        one = (await do(context, "hover", selector="text=One")).element
        await value(context, "document.body.prepend(document.createElement('p')); 1")
        assert (await do(context, "hover", selector="text=One")).element == one
        two = (await do(context, "hover", selector="text=Two")).element
        assert not {one, two} & seen
        seen |= {one, two}


@pytest.mark.proves("S3-ERR-07")
async def test_a_refused_call_changes_nothing(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/fail/refused", FORM))
    before = await value(context, "[location.href, document.body.innerHTML, document.cookie]")
    for verb, params in (
        ("click", {"selector": "#in", "button": "side"}),
        ("type", {"selector": "#mail"}),
        ("fill", {"selector": "#mail", "text": 5}),
        ("press", {"key": "Contrl+A"}),
        ("wait", {"selector": "#mail", "state": "there"}),
        ("select", {"selector": "#mail", "options": []}),
    ):
        error, body = await failed(context, verb, **params)
        assert error.code == "VALIDATION_ERROR"
        assert "example" in error.details
        assert body["success"] is False
    after = await value(context, "[location.href, document.body.innerHTML, document.cookie]")
    assert after == before


@pytest.mark.proves("S3-P10")
async def test_every_error_of_an_act_has_action_selector_reason_and_code(
    context: ToolContext, site: Site
):
    body = FORM + "<div style='position:fixed;inset:0'>cover</div>"
    await do(context, "navigate", url=site.page("/fail/context", body))
    for verb, params, code in (
        ("click", {"selector": "#in"}, "ELEMENT_NOT_ACTIONABLE"),
        ("hover", {"selector": "#gone"}, "ELEMENT_NOT_FOUND"),
        ("type", {"selector": "h1", "text": "x"}, "ELEMENT_NOT_ACTIONABLE"),
        ("click", {"selector": "#in", "wait": True, "timeout": 150}, "TIMEOUT"),
        ("check", {"selector": "#a["}, "INVALID_SELECTOR"),
    ):
        error, told = await failed(context, verb, **params)
        assert error.code == code
        assert told["error"]["context"]["action"] == verb  # pyright: ignore[reportIndexIssue]
        assert told["error"]["context"]["selector"] == params["selector"]  # pyright: ignore[reportIndexIssue]
        assert error.message
        assert error.hint
        if code == "TIMEOUT":
            assert error.details["waitedMs"] >= 50
