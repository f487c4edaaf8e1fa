"""Our rules for cookies are the browser's own."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.cookies import DAY_S, DOMAINS, PATHS, clear, got, plain
from support.engine import do, session_of
from tabwright.dispatch import call
from tabwright.engine.cdp import ProtocolError
from tabwright.engine.context import ToolContext
from tabwright.engine.cookies import Cookie

ODD_DOMAINS = ["e.com", ".e.com", ".com", "co.uk", ".co.uk", "[::1]", "::1", "a b.com", "e.com:1"]
ODD_DOMAINS += [
    ".1.2.3.4",
    "1.2.3.4",
    ".localhost",
    "http://e.com",
    "%65.com",
    "é.com",
    "a_b.e.com",
]
ODD_PATHS = ["/", "/a", "/a b", "/é", "/a;b", "/a?b", "/a#", "/../a", "/a/.", "/%zz", "//", '/"']
ODD_PATHS += ["/" + "p" * 1024, "/\\", "/a\x7f", "/~!$&'()*+,=:@-._"]
nasty = st.text(st.sampled_from("a=;, \t\n\x00\x1f\x7f\x80é\u2028\ud800\"'%"), max_size=4)


@pytest.mark.proves("S3-P19")
@settings(max_examples=300)
@given(
    name=nasty | st.sampled_from(["__Host-a", "__Secure-a", "__http-a", "__Host-Http-a", "a" * 90]),
    text=nasty | st.sampled_from(["__Host-a", "x" * 4006, "x" * 4096]),
    domain=st.sampled_from(ODD_DOMAINS),
    path=st.sampled_from(ODD_PATHS),
    expires=st.sampled_from([-1, 0, 1, -5, 300, 399 * DAY_S, 401 * DAY_S, 1e12]),
    flags=st.tuples(st.booleans(), st.booleans(), st.sampled_from(["Strict", "Lax", "None", None])),
)
async def test_the_rules_are_those_of_the_browser(
    context: ToolContext, name: str, text: str, domain: str, path: str, expires: float, flags: Any
):
    """What we let pass is kept as it is, or refused aloud; what we refuse is not kept as it is."""
    http_only, secure, same_site = flags
    at = round(time.time() + expires, 3) if expires >= 300 else expires
    made = Cookie(name, text, domain, path, at, http_only, secure, same_site)
    await clear(context)
    session = await session_of(context)
    given = {"cookies": [made.as_params()], "browserContextId": session.context_id}
    if not made.problem():
        fields = {**made.as_params(), "expires": at}
        error = (await call(context, "cookies", {"action": "set", "cookies": [fields]})).error
        found = await got(context)
        if error is None:
            assert plain(found) == plain([{"sameSite": "Lax", **fields}])
        else:
            assert repr(name) in error.message
            assert found == []
        return
    try:
        await session.browser_command("Storage.setCookies", given)
    except ProtocolError:
        return
    answer = await session.browser_command(
        "Storage.getCookies", {"browserContextId": session.context_id}
    )
    assert [each for each in answer["cookies"] if not made.difference(each)] == []


async def test_cookies_of_an_address_are_those_that_the_browser_would_send(context: ToolContext):
    made = [
        {"name": f"{at}{secure}", "value": "1", "domain": domain, "path": path, "secure": secure}
        for at, (domain, path) in enumerate((d, p) for d in DOMAINS for p in PATHS)
        for secure in (False, True)
    ]
    await do(context, "cookies", action="set", cookies=made)
    tab = (await session_of(context)).current
    assert tab is not None
    hosts = ("a.test", "b.a.test", "x.b.a.test", "xa.test", "127.0.0.1:80", "localhost", "d.test")
    for host in hosts:
        for scheme in ("http", "https"):
            for path in ("", "/", "/x", "/xy", "/x/", "/x/y%20z/a"):
                url = f"{scheme}://{host}{path}"
                sent = (await tab.send("Network.getCookies", {"urls": [url]}))["cookies"]
                found = await got(context, urls=[url])
                assert {c["name"] for c in found} == {c["name"] for c in sent}, url
