"""Service workers: what the page has, what controls it, and putting it in order."""

from __future__ import annotations

import pytest

from support.engine import do, value
from support.network import tried
from support.pwa import App
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext


@pytest.mark.proves("S2-BT-020")
async def test_a_worker_is_registered_active_and_in_control_after_a_reload(
    context: ToolContext, site: Site
):
    url = site.page("/sw/app/page", "app")
    site.content("/sw/app/sw.js", b"onfetch = () => {}", mime="text/javascript")
    await do(context, "navigate", url=url)
    await value(
        context,
        """navigator.serviceWorker.register('/sw/app/sw.js')
            .then(() => navigator.serviceWorker.ready)
            .then(({ active }) => new Promise((done) => {
                const look = () => active.state === 'activated' && done(1);
                active.onstatechange = look;
                look();
            }))""",
    )
    outcome = await call(context, "service_workers")
    found = outcome.unwrap()
    scope, script = site.url("/sw/app/"), site.url("/sw/app/sw.js")
    assert (found.registered, found.state, found.controlling) == (True, "activated", False)
    assert (found.scope, found.script) == (scope, script)
    assert outcome.text() == f"{scope} {script} activated, does not control the page"
    await do(context, "reload")
    assert await value(context, "navigator.serviceWorker.controller !== null") is True
    outcome = await call(context, "service_workers")
    assert outcome.unwrap().controlling is True
    assert outcome.text() == f"{scope} {script} activated, controls the page"


@pytest.mark.proves("S2-BT-020")
async def test_a_page_without_one_says_so(context: ToolContext, site: Site):
    app = App(site, "/sw/beside")
    await app.open(context)
    await do(context, "navigate", url=site.page("/sw/without", "page"))
    found = await do(context, "service_workers")
    assert (found.registered, found.controlling, found.state) == (False, False, None)
    # It is not the page's, but it is there.
    assert [each.scope for each in found.workers] == [site.url("/sw/beside/")]
    assert found.text().splitlines()[0] == "No service worker is registered for this page."


@pytest.mark.parametrize("url", ["about:blank", "data:text/html,<p>data"])
async def test_a_page_that_cannot_have_one_says_so(context: ToolContext, url: str):
    await do(context, "navigate", url=url)
    found = await do(context, "service_workers")
    assert (found.registered, found.possible, found.workers) == (False, False, [])
    assert "not a secure page" in found.text()


async def test_a_worker_is_unregistered_and_gone_after_a_reload(context: ToolContext, site: Site):
    app = App(site, "/sw/removed")
    await app.open(context)
    outcome = await call(context, "service_workers", {"action": "unregister"})
    assert outcome.unwrap().unregistered == app.url
    assert outcome.text().splitlines()[0] == f"Unregistered {app.url}"
    await do(context, "navigate", url=app.url)
    found = await do(context, "service_workers")
    assert (found.registered, found.workers) == (False, [])
    assert await value(context, "navigator.serviceWorker.controller") is None
    again = await call(context, "service_workers", {"action": "unregister"})
    assert again.text() == (
        "VALIDATION_ERROR: The page has no worker. Scopes of this origin: none."
    )


async def test_an_update_fetches_the_script_and_installs_what_is_new(
    context: ToolContext, site: Site
):
    app = App(site, "/sw/updated")
    await app.open(context)
    before = site.hits["/sw/updated/sw.js"]
    await do(context, "service_workers", action="update")
    assert site.hits["/sw/updated/sw.js"] == before + 1
    changed = b"onfetch = (e) => { if (e.request.url.endsWith('made')) e.respondWith(BODY) }"
    body = b"new Response('changed')"
    site.content("/sw/updated/sw.js", changed.replace(b"BODY", body), mime="text/javascript")
    # The new version waits for the pages of the old one to be closed.
    found = await do(context, "service_workers", action="update", scope=app.url)
    assert found.workers[0].update in ("installing", "installed")
    assert await tried(context, f"{app.base}/made") == "made"


async def test_an_update_that_fails_says_why(context: ToolContext, site: Site):
    app = App(site, "/sw/broken")
    await app.open(context)
    site.content("/sw/broken/sw.js", b"gone", status=404)
    outcome = await call(context, "service_workers", {"action": "update"})
    assert outcome.error is not None
    assert outcome.error.code == "NOT_DONE"
    assert "404" in outcome.error.message
    wrong = await call(context, "service_workers", {"action": "update", "scope": "/nowhere"})
    assert wrong.text() == (
        f"VALIDATION_ERROR: No service worker has the scope '/nowhere'. Scopes of this origin: "
        f"{app.url}."
    )
