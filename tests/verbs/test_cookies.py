"""Cookies: set whole or not at all, read with every field, deleted by what they are."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.cookies import DAY_S, DOMAINS, PATHS, Given, clear, got, plain
from support.crash import kill_browser
from support.engine import do, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager
from tabwright.errors import TabwrightError

FIELDS = ["name", "value", "domain", "path", "expires", "httpOnly", "secure", "sameSite"]

each_example = settings(max_examples=40)
words = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc",), exclude_characters=";="), max_size=30
).filter(lambda text: text == text.strip(" ") and not text.startswith("__"))


@st.composite
def cookie(draw: Callable[..., Any]) -> Given:
    same_site = draw(st.sampled_from(["Strict", "Lax", "None"]))
    return {
        "name": draw(words.filter(bool)),
        "value": draw(words),
        "domain": draw(st.sampled_from(DOMAINS)),
        "path": draw(st.sampled_from(PATHS)),
        "expires": draw(
            st.just(-1) | st.floats(60, 399 * DAY_S).map(lambda s: round(time.time() + s, 3))
        ),
        "httpOnly": draw(st.booleans()),
        "secure": same_site == "None" or draw(st.booleans()),
        "sameSite": same_site,
    }


cookies = st.lists(cookie(), max_size=50, unique_by=lambda c: (c["name"], c["domain"], c["path"]))


async def refused(context: ToolContext, *given: Given) -> TabwrightError:
    error = (await call(context, "cookies", {"action": "set", "cookies": [*given]})).error
    assert error is not None
    return error


# Feature: browser-automation, Property 18: Cookie retrieval completeness
# Feature: browser-automation, Property 19: Cookie round-trip
@pytest.mark.proves("S3-P18", "S3-P19", "U-28")
@each_example
@given(made=cookies)
async def test_what_is_set_comes_back_with_every_field(context: ToolContext, made: list[Given]):
    await clear(context)
    done = await do(context, "cookies", action="set", cookies=made)
    assert len(done.cookies) == len(made)
    found = await got(context)
    assert plain(found) == plain(made)
    assert all(list(each) == FIELDS for each in found)
    for domain in ("a.test", ".a.test", "127.0.0.1", "none.test"):
        fitting = [c for c in made if c["domain"].lstrip(".") == domain.lstrip(".")]
        assert plain(await got(context, domain=domain)) == plain(fitting)
    for name in {c["name"] for c in made[:3]}:
        assert plain(await got(context, name=name)) == plain([c for c in made if c["name"] == name])


# Feature: browser-automation, Property 20: Cookie deletion
@pytest.mark.proves("S3-P20")
@each_example
@given(made=cookies, data=st.data())
async def test_what_is_deleted_is_gone_and_all_else_is_kept(
    context: ToolContext, made: list[Given], data: st.DataObject
):
    await clear(context)
    await do(context, "cookies", action="set", cookies=made)
    names = [c["name"] for c in made] or ["none"]
    which = data.draw(
        st.fixed_dictionaries(
            {},
            optional={
                "name": st.sampled_from(names),
                "domain": st.sampled_from(["a.test", ".a.test", "c.test", "LOCALHOST"]),
                "path": st.sampled_from(PATHS),
            },
        ).filter(bool)
    )
    host = which.get("domain", "").lower().lstrip(".")
    fitting = [
        c
        for c in made
        if c["name"] == which.get("name", c["name"])
        and c["path"] == which.get("path", c["path"])
        and c["domain"].lstrip(".") == (host or c["domain"].lstrip("."))
    ]
    done = await do(context, "cookies", action="delete", **which)
    assert {(c.name, c.domain, c.path) for c in done.cookies} == {
        (c["name"], c["domain"], c["path"]) for c in fitting
    }
    kept = [c for c in made if c not in fitting]
    assert plain(await got(context)) == plain(kept)


@pytest.mark.proves("S3-P20")
@pytest.mark.parametrize(
    "line",
    [
        "__Host-a=1; Secure; Path=/",
        "a=1; Secure; SameSite=None; HttpOnly; Max-Age=1000",
        "a=1; Secure; SameSite=None; Path=/; Partitioned",
        "nameless",
        "a=1; Path=/cookies/x/y",
    ],
)
async def test_a_cookie_of_any_kind_that_a_server_set_can_be_deleted(
    context: ToolContext, site: Site, line: str
):
    url = site.content("/cookies/any", b"page", headers={"set-cookie": line})
    await do(context, "navigate", url=url)
    (found,) = await got(context)
    await do(context, "cookies", action="delete", domain="127.0.0.1", name=found["name"])
    assert await got(context) == []


@pytest.mark.proves("S3-P20")
async def test_nothing_is_deleted_where_nothing_fits(context: ToolContext):
    made = {"name": "a", "value": "1", "domain": "e.com"}
    await do(context, "cookies", action="set", cookies=[made])
    gone = await do(context, "cookies", action="delete", name="a", path="/other")
    assert gone.text() == "0 cookies deleted."
    assert [c["name"] for c in await got(context)] == ["a"]


@pytest.mark.proves("S3-P19")
@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"name": "__Host-x"}, "needs secure"),
        ({"name": "__Host-x", "secure": True, "domain": ".e.com"}, "one host"),
        ({"name": "__Host-x", "secure": True, "path": "/a"}, "path '/'"),
        ({"name": "__Secure-x"}, "needs secure"),
        ({"sameSite": "None"}, "sameSite 'None' needs secure"),
        ({"expires": time.time() + 500 * DAY_S}, "400 days"),
        ({"expires": 1000}, "expired already"),
        ({"domain": "not a domain"}, "not a domain"),
        ({"domain": "https://e.com/"}, "not a domain"),
        ({"domain": ".127.0.0.1"}, "no subdomains"),
        ({"domain": ".com"}, "no subdomains"),
        ({"domain": ".co.uk"}, "anybody can have a name under its domain '.co.uk'"),
        ({"domain": "300.300.300.300"}, "refuses"),
        ({"path": "a"}, "not a path"),
        ({"value": "a;b"}, "no ';'"),
        ({"value": "a\nb"}, "control character"),
        ({"value": "x" * 4096}, "4096"),
        ({"name": "a=b"}, "no '='"),
    ],
)
async def test_an_invalid_cookie_is_named_with_the_reason_and_none_is_set(
    context: ToolContext, fields: Given, why: str
):
    good = {"name": "good", "value": "1", "domain": "e.com"}
    await do(context, "cookies", action="set", cookies=[{**good, "value": "before"}])
    bad = {"name": "bad", "value": "1", "domain": "e.com", **fields}
    error = await refused(context, good, {**good, "name": "other"}, bad)
    assert error.code == "VALIDATION_ERROR"
    assert repr(bad["name"]) in error.message
    assert why in error.message
    assert [(c["name"], c["value"]) for c in await got(context)] == [("good", "before")]


@pytest.mark.proves("S3-P19")
async def test_more_than_a_site_may_have_are_refused_and_those_before_are_back(
    context: ToolContext,
):
    made = {"value": "before", "domain": "e.com", "expires": time.time() + DAY_S}
    before = [{**made, "name": f"old{n}"} for n in range(120)]
    await do(context, "cookies", action="set", cookies=before)
    kept = plain(await got(context))
    more = [{"name": f"new{n}", "value": "1", "domain": "e.com"} for n in range(100)]
    changed = {**before[0], "value": "after"}
    error = await refused(context, changed, *more)
    assert error.code == "VALIDATION_ERROR"
    assert "no room" in error.message
    assert plain(await got(context)) == kept


async def test_a_cookie_cannot_be_given_twice(context: ToolContext):
    one = {"name": "a", "value": "1", "domain": "e.com"}
    error = await refused(context, one, {**one, "value": "2"})
    assert "'a' of e.com/ is given twice" in error.message
    assert await got(context) == []


@pytest.mark.proves("S3-P19")
async def test_the_server_and_the_page_get_the_cookies_that_were_set(
    context: ToolContext, site: Site
):
    url = site.page("/cookies/seen", "page")
    await do(
        context,
        "cookies",
        action="set",
        cookies=[
            {"name": "shown", "value": "1", "url": url},
            {"name": "hidden", "value": "2", "domain": "127.0.0.1", "httpOnly": True},
            {"name": "strict", "value": "3", "url": url, "sameSite": "Strict", "secure": True},
            {"name": "elsewhere", "value": "4", "url": url, "path": "/cookies/other"},
            {"name": "other", "value": "5", "domain": "localhost"},
        ],
    )
    await do(context, "navigate", url=url)
    sent = site.headers["/cookies/seen"][-1]["Cookie"].split("; ")
    assert sorted(sent) == ["hidden=2", "shown=1", "strict=3"]
    seen = await value(context, "document.cookie")
    assert sorted(seen.split("; ")) == ["shown=1", "strict=3"]
    named = [c["name"] for c in await got(context, urls=[url])]
    assert sorted(named) == ["hidden", "shown", "strict"]
    both = await got(context, urls=[site.url("/cookies/other/x"), "http://localhost/"])
    assert sorted(c["name"] for c in both) == ["elsewhere", "hidden", "other", "shown", "strict"]


@pytest.mark.proves("U-28")
async def test_a_cookie_that_says_little_has_all_eight_fields(context: ToolContext, site: Site):
    url = site.content("/cookies/little", b"page", headers={"set-cookie": "little"})
    await do(context, "navigate", url=url)
    (found,) = await got(context)
    assert found == {
        "name": "",
        "value": "little",
        "domain": "127.0.0.1",
        "path": "/cookies",
        "expires": -1,
        "httpOnly": False,
        "secure": False,
        "sameSite": "Lax",
    }


async def test_an_address_of_https_makes_a_secure_cookie_unless_told_otherwise(
    context: ToolContext,
):
    url = "https://user:word@E.com:8443/a/b?c"
    given = {"value": "1", "url": url}
    loose = {**given, "name": "loose", "secure": False}
    await do(context, "cookies", action="set", cookies=[{**given, "name": "tight"}, loose])
    found = [(c["name"], c["domain"], c["path"], c["secure"]) for c in await got(context)]
    assert sorted(found) == [("loose", "e.com", "/", False), ("tight", "e.com", "/", True)]


@pytest.mark.proves("U-30")
async def test_values_are_whole_in_the_reply_and_nowhere_in_the_log(
    context: ToolContext, manager: BrowserManager
):
    secret = "hunter2" + "x" * 3000
    good = {"name": "a", "value": secret, "domain": "e.com"}
    texts = []
    for params in (
        {"action": "set", "cookies": [good]},
        {"action": "get"},
        {"action": "set", "cookies": [{**good, "domain": "e com"}]},
        {"action": "set", "cookies": [{**good, "domain": ".co.uk"}]},
        {"action": "set", "cookies": [{**good, "value": [secret]}]},
        {"action": "set", "cookies": [{**good, "nosuch": secret}]},
        {"action": "set", "cookies": secret},
        {"action": "get", "cookies": [good]},
        {"action": "delete", "name": "a"},
    ):
        outcome = await call(context, "cookies", params)
        if outcome.error is not None:
            texts.append(json.dumps(outcome.error.as_dict()))
        elif params == {"action": "get"}:
            assert [c.value for c in outcome.unwrap().cookies] == [secret]
            assert f"… ({len(secret)} characters)" in outcome.text()
            assert len(outcome.text()) < 300
    assert len(texts) == 6
    logged = json.dumps([*manager.journal.entries], default=str)
    assert "hunter2" not in logged + "".join(texts)


@pytest.mark.proves("R-5")
async def test_what_was_set_and_deleted_survives_a_killed_browser(own_manager: BrowserManager):
    context = own_manager.context("a")
    made = [{"name": name, "value": "1", "domain": "e.com"} for name in ("kept", "gone")]
    await do(context, "cookies", action="set", cookies=made)
    await do(context, "cookies", action="delete", name="gone")
    kill_browser(own_manager)
    assert [c["name"] for c in await got(context)] == ["kept"]


async def test_the_text_tells_what_was_done_in_few_words(context: ToolContext):
    made = [
        {"name": "a", "value": "1", "domain": ".e.com", "secure": True, "httpOnly": True},
        {"name": 'b"', "value": "2", "domain": "e.com", "path": "/p", "sameSite": "Strict"},
    ]
    told = (await do(context, "cookies", action="set", cookies=made)).text()
    assert told == '2 cookies set ("a", "b\\"").'
    lines = (await do(context, "cookies")).text().splitlines()
    assert lines[0] == "2 cookies:"
    assert '"a" = "1" .e.com/ Lax httpOnly secure' in lines
    assert '"b\\"" = "2" e.com/p Strict' in lines
    assert (await do(context, "cookies", name="none")).text() == "0 cookies."
    gone = await do(context, "cookies", action="delete", domain="e.com")
    assert gone.text().startswith("2 cookies deleted (")
