"""Routes: requests that are stopped, answered or changed, and pages that go on without them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from support.crash import kill_browser
from support.engine import do, session_of, value
from support.gate import MakeGate
from support.network import ended, tried
from support.pwa import App
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.glob import url_matches
from tabwright.engine.manager import BrowserManager
from tabwright.engine.network.route import loose_pattern
from tabwright.engine.state import fill_origin

SHARED = """onconnect = (c) => fetch('/route/data').then((r) => r.text()).then(
    (said) => c.ports[0].postMessage(said))"""


@pytest.fixture
async def page(context: ToolContext, site: Site) -> str:
    url = site.page("/route/page", "<p>a page whose requests are routed</p>")
    site.content("/route/data", b"real", mime="text/plain", headers={"cache-control": "no-store"})
    await do(context, "navigate", url=url)
    site.hits.pop("/route/data", None)
    site.bodies.pop("/route/data", None)
    site.headers.pop("/route/data", None)
    return url


async def route(context: ToolContext, **params: Any) -> Any:
    return await do(context, "route", **params)


async def test_aborted_requests_never_reach_the_server(context: ToolContext, page: str, site: Site):
    found = await route(context, action="abort", url="**/route/da*")
    assert found.text() == "route1 abort **/route/da*, 0 hits"
    assert await tried(context, "/route/data") == "TypeError"
    assert await tried(context, "/route/data") == "TypeError"
    assert site.hits["/route/data"] == 0
    assert (await route(context)).text() == "route1 abort **/route/da*, 2 hits"
    row = await ended(context, "/route/data")
    assert (row.route, row.status) == ("route1", None)
    assert row.failure.startswith("blocked: a route or a rule of ours forbids it")
    assert await tried(context, "/route/page") != "TypeError"


async def test_what_a_made_up_redirect_leads_to_comes_from_the_network(
    context: ToolContext, page: str, site: Site
):
    found = {"status": 302, "headers": {"location": "/route/data"}}
    await route(context, action="fulfil", url="/route/made-up", **found)
    assert await tried(context, "/route/made-up") == "real"
    await ended(context, "/route/data")
    there, made_up = (await do(context, "network", url="/route/")).requests[:2]
    assert (made_up.source, made_up.route, made_up.status) == ("route", "route1", 302)
    assert (there.source, there.route, there.status) == ("network", None, 200)


@pytest.mark.parametrize(
    ("error", "kind"), [("timeout", "timeout"), ("refused", "refused"), ("offline", "offline")]
)
async def test_an_abort_fails_as_it_is_told_to(
    context: ToolContext, page: str, site: Site, error: str, kind: str
):
    await route(context, action="abort", url="/route/data", error=error)
    assert await tried(context, "/route/data") == "TypeError"
    assert (await ended(context, "/route/data")).failure.startswith(f"{kind}: ")


async def test_a_made_up_answer_has_status_headers_and_body(
    context: ToolContext, page: str, site: Site
):
    await route(
        context,
        action="fulfil",
        url="/route/data",
        status=418,
        headers={"x-made": "yes"},
        body='{"made": true}',
    )
    answer = await value(
        context,
        """fetch('/route/data').then(async (r) =>
            [r.status, r.headers.get('x-made'), r.headers.get('content-type'), await r.json()])""",
    )
    assert answer == [418, "yes", "application/json", {"made": True}]
    assert site.hits["/route/data"] == 0
    row = await ended(context, "/route/data")
    assert (row.status, row.source, row.route) == (418, "route", "route1")


async def test_a_document_can_be_made_up_from_a_file(
    context: ToolContext, page: str, tmp_path: Path
):
    (tmp_path / "made.html").write_text("<title>Made</title>", encoding="utf-8")
    await route(context, action="fulfil", url="http://nowhere.invalid/", path="made.html")
    await do(context, "navigate", url="http://nowhere.invalid/")
    assert await value(context, "document.title") == "Made"
    for wrong, code in (("/etc/passwd", "PERMISSION_DENIED"), ("no.html", "VALIDATION_ERROR")):
        params = {"action": "fulfil", "url": "x", "path": wrong}
        outcome = await call(context, "route", params)
        assert outcome.error is not None
        assert outcome.error.code == code
    assert len((await route(context)).routes) == 1


async def test_another_origin_may_see_what_is_made_up(context: ToolContext, page: str, site: Site):
    other = f"http://localhost:{site.port}/route/data"
    await route(context, action="fulfil", url="/route/data", method="PUT", body="made")
    options = "{method: 'PUT', credentials: 'include', headers: {'x-own': '1'}}"
    assert await tried(context, other, options) == "made"
    assert site.hits["/route/data"] == 0


async def test_what_is_sent_can_be_changed(context: ToolContext, page: str, site: Site):
    changes = {"x-added": "1", "x-removed": None}
    await route(
        context,
        action="modify",
        url="**/route/asked",
        headers=changes,
        body="changed",
        new_method="PUT",
        new_url=site.url("/route/data"),
    )
    options = "{method: 'POST', body: 'first', headers: {'x-removed': '1', 'x-kept': '1'}}"
    assert await tried(context, "/route/asked", options) == "real"
    (headers,) = site.headers["/route/data"]
    seen = {name.lower(): value for name, value in headers.items()}
    assert (seen.get("x-added"), seen.get("x-kept"), seen.get("x-removed")) == ("1", "1", None)
    assert site.bodies["/route/data"] == [b"changed"]
    assert site.hits["/route/asked"] == 0


async def test_routes_choose_by_method_and_type_and_the_newest_counts(
    context: ToolContext, page: str, site: Site
):
    await route(context, action="fulfil", url="/route/data", body="first")
    await route(context, action="fulfil", url="/route/data", method="POST", body="posted")
    await route(context, action="abort", url="/route/data", resource_type="image")
    assert await tried(context, "/route/data") == "first"
    assert await tried(context, "/route/data", "{method: 'POST'}") == "posted"
    loaded = """new Promise((done) => {
        const image = new Image();
        image.onload = () => done('loaded'), image.onerror = () => done('failed');
        image.src = '/route/data';
    })"""
    assert await value(context, loaded) == "failed"
    assert [each.hits for each in (await route(context)).routes] == [1, 1, 1]
    await route(context, action="remove", id="route2")
    assert await tried(context, "/route/data", "{method: 'POST'}") == "first"


async def test_workers_and_frames_are_routed_too(context: ToolContext, page: str, site: Site):
    own = b"fetch('/route/data').then((r) => r.text()).then(postMessage)"
    site.content("/route/own.js", own, mime="text/javascript")
    site.content("/route/shared.js", SHARED.encode(), mime="text/javascript")
    script = "fetch('/route/data').then((r) => r.text()).then((t) => parent.postMessage(t, '*'))"
    site.page("/route/inner", f"<script>{script}</script>")
    await route(context, action="fulfil", url="/route/data", body="routed")
    said = await value(
        context,
        f"""Promise.all([
            new Worker('/route/own.js'),
            new SharedWorker('/route/shared.js').port,
            (document.body.append(Object.assign(document.createElement('iframe'),
                {{src: 'http://localhost:{site.port}/route/inner'}})), window),
        ].map((from) => new Promise((done) => {{ from.onmessage = (e) => done(e.data) }})))""",
    )
    assert said == ["routed"] * 3
    assert site.hits["/route/data"] == 0


async def test_what_a_service_worker_asks_for_is_routed(context: ToolContext, site: Site):
    app = App(site, "/route/app")
    await app.open(context)
    await route(context, action="fulfil", url="/route/app/data", body="routed")
    assert await app.ask_worker(context, "data") == "routed"
    assert await tried(context, f"{app.base}/data") == "routed"


async def test_new_tabs_are_routed_from_their_first_request(
    context: ToolContext, page: str, site: Site
):
    await route(context, action="fulfil", url="/route/popup", body="made")
    await do(context, "tabs", action="new", url=site.url("/route/popup"))
    assert await value(context, "document.body.textContent") == "made"
    assert site.hits["/route/popup"] == 0


async def test_a_page_goes_on_when_its_routes_are_removed_under_it(
    context: ToolContext, page: str, site: Site, gate: MakeGate
):
    held = gate("/route/held", b"held")
    await route(context, action="modify", url="/route/", headers={"x-routed": "1"})
    await value(context, f"void (window.asked = fetch('{held.url}').then((r) => r.text()))")
    for n in range(20):
        await value(context, f"void (window.many = [...(window.many ?? []), fetch('/route/{n}')])")
    outcome = await call(context, "route", {"action": "remove"})
    assert outcome.unwrap().routes == []
    assert outcome.text().startswith("Removed route1 modify /route/, ")
    held.open()
    assert await value(context, "asked") == "held"
    assert await value(context, "Promise.all(many).then((all) => all.length)") == 20
    assert (await route(context)).text() == "No routes."
    assert await tried(context, "/route/data") == "real"
    assert "x-routed" not in str(site.headers["/route/data"])


async def test_without_routes_nothing_is_paused_and_with_them_little(
    context: ToolContext, page: str, site: Site
):
    tab = (await session_of(context)).current
    assert tab is not None
    paused: list[str] = []
    tab.on("Fetch.requestPaused", lambda event, _: paused.append(event["request"]["url"]))
    await tried(context, "/route/data")
    await route(context, action="abort", url="/never/asked/for")
    await route(context, action="abort", url="**/never/*.{png,jpg}")
    await tried(context, "/route/data")
    assert paused == []
    await route(context, action="abort", url="/no such/")
    await tried(context, "/route/data")
    assert paused == [site.url("/route/data")]
    await route(context, action="remove")
    await tried(context, "/route/data")
    assert len(paused) == 1


async def test_what_the_browser_refuses_fails_and_does_not_hang(
    context: ToolContext, page: str, site: Site
):
    session = await session_of(context)
    await route(context, action="fulfil", url="/route/data", body="made")
    (own,) = session.routes.listed()
    own.headers["not a name"] = "1"
    assert await tried(context, "/route/data") == "TypeError"
    assert "the browser refused" in (await route(context)).text()
    assert site.hits["/route/data"] == 0


async def test_redirects_are_routed_leg_by_leg(context: ToolContext, page: str, site: Site):
    site.redirect("/route/away", "/route/data")
    await route(context, action="fulfil", url="/route/data", body="made")
    assert await tried(context, "/route/away") == "made"
    assert (site.hits["/route/away"], site.hits["/route/data"]) == (1, 0)


async def test_routes_hold_after_the_browser_was_started_again(
    own_manager: BrowserManager, site: Site
):
    context = own_manager.context("a")
    await route(context, action="fulfil", url="/route/restart", body="made")
    kill_browser(own_manager)
    await do(context, "navigate", url=site.url("/route/restart"))
    assert await value(context, "document.body.textContent") == "made"
    assert site.hits["/route/restart"] == 0


async def test_storage_is_put_back_past_routes(context: ToolContext, page: str, site: Site):
    await route(context, action="abort", url="**")
    origin = f"http://localhost:{site.port}"
    await fill_origin(await session_of(context), origin, [["kept", "1"]])
    await route(context, action="remove")
    await do(context, "navigate", url=f"{origin}/route/page")
    assert await value(context, "localStorage.kept") == "1"


async def test_a_route_that_is_not_there_is_refused(context: ToolContext, page: str):
    outcome = await call(context, "route", {"action": "remove", "id": "route9"})
    assert outcome.text() == "VALIDATION_ERROR: There is no route 'route9'. Routes: none."


@pytest.mark.parametrize(
    "pattern",
    ["/api?x=1", "a*b", "**/api/*.{json,xml}", "*.png", "/v\\d/", "/path/*", "http://h/**/x?y=*"],
)
def test_what_chromium_pauses_is_at_least_what_a_pattern_means(pattern: str):
    urls = [
        "http://h/api?x=1",
        "http://h/api/a.json",
        "http://h/deep/api/b.xml",
        "http://h/i.png",
        "http://h/v2/",
        "http://h/path/file",
        "http://h/a/x?y=1",
        "http://h/aXb",
    ]
    loose = re.sub(r"\\(.)|\*", lambda m: re.escape(m[1]) if m[1] else "\0", loose_pattern(pattern))
    meant = [url for url in urls if url_matches(pattern, url)]
    paused = [url for url in urls if re.fullmatch(".*".join(map(str, loose.split("\0"))), url)]
    assert meant
    assert set(meant) <= set(paused)
