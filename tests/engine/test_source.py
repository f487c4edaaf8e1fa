"""Every page, frame and worker is known from before its first script until it ends."""

from __future__ import annotations

import asyncio

from support.engine import do, session_of, value
from support.site import Site
from tabwright.engine.context import ToolContext
from tabwright.engine.session import Session

SCRIPT = {"mime": "text/javascript"}


def kinds(session: Session) -> list[tuple[str, str]]:
    return sorted((source.kind, source.tab) for source in session.sources)


async def test_workers_of_every_kind_are_sources_as_long_as_they_live(
    context: ToolContext, site: Site
):
    site.content("/source/inner.js", b"postMessage('inner')", **SCRIPT)
    nested = b"new Worker('/source/inner.js').onmessage = (e) => postMessage(e.data)"
    site.content("/source/outer.js", nested, **SCRIPT)
    site.content("/source/shared.js", b"onconnect = (e) => e.ports[0].postMessage(1)", **SCRIPT)
    site.content("/source/sw.js", b"onactivate = (e) => e.waitUntil(clients.claim())", **SCRIPT)
    url = site.page("/source/page", "<h1>Workers</h1>")
    await do(context, "navigate", url=url)
    session = await session_of(context)
    assert kinds(session) == [("page", "t1")]
    seen: list[str] = []
    session.sources.each(lambda source: seen.append(source.kind))
    said = await value(
        context,
        """(async () => {
          const heard = (from) => new Promise((done) => from.onmessage = (e) => done(e.data));
          outer = new Worker('/source/outer.js');
          const inner = await heard(outer);
          const shared = await heard(new SharedWorker('/source/shared.js').port);
          await navigator.serviceWorker.register('/source/sw.js');
          await navigator.serviceWorker.ready;
          return [inner, shared];
        })()""",
    )
    assert said == ["inner", 1]
    assert seen == ["worker", "worker", "shared-worker", "service-worker"]
    assert kinds(session) == [
        ("page", "t1"),
        ("service-worker", ""),
        ("shared-worker", ""),
        ("worker", "t1"),
        ("worker", "t1"),
    ]
    scripts = {source.kind: source.url for source in session.sources}
    assert scripts["service-worker"] == site.url("/source/sw.js")
    await value(context, "outer.terminate(); 1")
    async with asyncio.timeout(5):
        await session.until(lambda: ("worker", "t1") not in kinds(session))


async def test_a_tab_takes_its_sources_along(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/source/blank", "x"))
    session = await session_of(context)
    await do(context, "tabs", action="new")
    assert kinds(session) == [("page", "t1"), ("page", "t2")]
    await do(context, "tabs", action="close", tab="t1")
    assert kinds(session) == [("page", "t2")]
