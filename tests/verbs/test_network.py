"""The network log through the door: what was asked for, by whom, and what answered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.engine import do, session_of, value
from support.network import ended, row, rows, tried
from support.pwa import App
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext

CACHED = {"cache-control": "max-age=600"}
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"/>'
MANY = "Promise.all(Array.from({length: COUNT}, (_, n) => fetch('URL?n=' + n))).then(() => 1)"


@pytest.mark.proves("S2-BT-024a")
async def test_document_script_fetch_and_image_are_listed_with_their_facts(
    context: ToolContext, site: Site
):
    site.content("/net/app.js", b"fetch('/net/data.json')", mime="text/javascript")
    site.content("/net/data.json", b'{"a": 1}', mime="application/json")
    site.content("/net/dot.svg", SVG, mime="image/svg+xml")
    body = "<img src=/net/dot.svg>\n<script src=/net/app.js></script>"
    await do(context, "navigate", url=site.page("/net/facts", body))
    await ended(context, "/net/data.json")
    found = {each.resource_type: each for each in await rows(context)}
    facts = {
        kind: (each.url, each.method, each.status, each.mime_type, each.source, each.context)
        for kind, each in found.items()
    }
    asked = ("GET", 200)
    assert facts == {
        "document": (site.url("/net/facts"), *asked, "text/html", "network", "page"),
        "script": (site.url("/net/app.js"), *asked, "text/javascript", "network", "page"),
        "fetch": (site.url("/net/data.json"), *asked, "application/json", "network", "page"),
        "image": (site.url("/net/dot.svg"), *asked, "image/svg+xml", "network", "page"),
    }
    assert len(await rows(context)) == len(found)
    for each in found.values():
        assert each.time.endswith("Z")
        assert 0 <= each.response_ms <= each.duration_ms
        assert each.tab == "t1"
    assert found["image"].decoded_bytes == len(SVG)
    assert found["image"].encoded_bytes > len(SVG)
    assert found["script"].initiator == f"parser {site.url('/net/facts')}:2"
    assert found["fetch"].initiator == f"script {site.url('/net/app.js')}:1"


@pytest.mark.proves("S2-BT-024a")
async def test_each_redirect_is_a_row_that_leads_to_the_next(context: ToolContext, site: Site):
    site.redirect("/net/one", "/net/two", status=301)
    site.redirect("/net/two", "/net/three")
    site.page("/net/three", "there")
    await do(context, "navigate", url=site.url("/net/one"))
    legs = (await rows(context))[::-1]
    assert [(leg.id, leg.status, leg.redirected_to) for leg in legs] == [
        ("r1", 301, "r2"),
        ("r2", 302, "r3"),
        ("r3", 200, None),
    ]
    assert [leg.url for leg in legs] == [site.url(f"/net/{n}") for n in ("one", "two", "three")]
    full = (await do(context, "network", action="get", id="r1")).request
    assert full["responseHeaders"]["location"] == "/net/two"
    assert full["responseBodyMissing"] == "a redirect's body is not kept by the browser"


@pytest.mark.proves("S2-BT-021")
async def test_network_disk_and_memory_are_told_apart(context: ToolContext, site: Site):
    site.content("/net/kept.css", b"p { color: red }", mime="text/css", headers=CACHED)
    site.content("/net/kept.json", b"{}", mime="application/json", headers=CACHED)
    link = "<link rel=stylesheet href=/net/kept.css>"
    await do(context, "navigate", url=site.page("/net/first", link))
    await tried(context, "/net/kept.json")
    await do(context, "navigate", url=site.page("/net/second", link))
    await tried(context, "/net/kept.json")
    await ended(context, "/net/kept.json")
    styles, data = await rows(context, url="kept.css"), await rows(context, url="kept.json")
    assert [each.source for each in styles] == ["memory-cache", "network"]
    assert [each.source for each in data] == ["disk-cache", "network"]
    assert (site.hits["/net/kept.css"], site.hits["/net/kept.json"]) == (1, 1)
    assert (styles[0].encoded_bytes, data[0].encoded_bytes) == (0, 0)
    (line,) = (await do(context, "network", source="memory-cache")).text().splitlines()
    assert "[memory-cache]" in line


@pytest.mark.proves("S2-BT-021")
async def test_what_a_service_worker_answers_is_its_own_and_its_requests_are_others(
    context: ToolContext, site: Site
):
    app = App(site, "/net/pwa")
    await app.open(context)
    await do(context, "navigate", url=app.url)
    for name in ("made", "data", "direct"):
        await tried(context, f"{app.base}/{name}")
    await ended(context, "/direct")

    async def asked(name: str) -> list[tuple[str, str | None]]:
        # The page and the worker speak over sessions of their own: either may be heard first.
        last = await rows(context, url=f"/{app.base}\\/{name}$/")
        return sorted((each.context, each.source) for each in last)

    assert ("page", "service-worker") in await asked("")
    assert await asked("made") == [("page", "service-worker")]
    assert await asked("data") == [("page", "service-worker"), ("service-worker", "network")]
    assert await asked("direct") == [("page", "network")]
    assert await asked("sw.js") == [("service-worker", "network")]
    of_page = await row(context, "/data", source="service-worker")
    full = (await do(context, "network", action="get", id=of_page.id)).request
    assert (full["workerSource"], full["responseBody"]) == ("network", '{"served": 1}')


async def test_workers_and_frames_say_who_asked(context: ToolContext, site: Site):
    site.content("/net/part.js", b"1", mime="text/javascript")
    worker = b"importScripts('/net/part.js'); fetch('/net/w.txt').then(() => postMessage(1))"
    site.content("/net/worker.js", worker, mime="text/javascript")
    shared = b"onconnect = (e) => fetch('/net/s.txt').then(() => e.ports[0].postMessage(1))"
    site.content("/net/shared.js", shared, mime="text/javascript")
    for name in ("w", "s", "f", "x"):
        site.content(f"/net/{name}.txt", b"x", mime="text/plain")
    site.page("/net/inner", "<script>fetch('/net/f.txt')</script>")
    site.page("/net/foreign", "<script>fetch('/net/x.txt')</script>")
    foreign = f"http://localhost:{site.port}/net/foreign"
    url = site.page("/net/askers", f"<iframe src=/net/inner></iframe><iframe src={foreign}>")
    await do(context, "navigate", url=url)
    await value(
        context,
        """Promise.all([new Worker('/net/worker.js'), new SharedWorker('/net/shared.js').port].map(
            (from) => new Promise((done) => { from.onmessage = done })
        )).then(() => 1)""",
    )
    for name in ("w", "s", "f", "x"):
        await ended(context, f"/net/{name}.txt")
    found = {each.url.rsplit("/")[-1]: (each.context, each.tab) for each in await rows(context)}
    assert found == {
        "askers": ("page", "t1"),
        "inner": ("frame", "t1"),
        "f.txt": ("frame", "t1"),
        "foreign": ("frame", "t1"),
        "x.txt": ("frame", "t1"),
        "worker.js": ("page", "t1"),
        "part.js": ("worker", "t1"),
        "w.txt": ("worker", "t1"),
        "shared.js": ("page", "t1"),
        "s.txt": ("shared-worker", None),
    }
    assert (await row(context, "part.js")).resource_type == "script"
    assert (await row(context, "worker.js")).status == 200


@pytest.mark.proves("S2-BT-024b")
async def test_clear_says_how_many_and_leaves_nothing(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/net/clear", "<script>1</script>"))
    await tried(context, "/net/clear")
    await ended(context, "/net/clear")
    count = len(await rows(context))
    outcome = await call(context, "network", {"action": "clear"})
    assert outcome.unwrap().count == count == 2
    assert outcome.text() == "Cleared 2 requests."
    outcome = await call(context, "network")
    assert outcome.unwrap().requests == []
    assert outcome.text() == "No requests."
    assert (await do(context, "network", action="clear")).count == 0
    await tried(context, "/net/clear")
    (after,) = await rows(context)
    assert after.id == "r3"


@pytest.mark.proves("S2-BT-024d")
async def test_a_long_list_is_a_file_and_the_reply_has_its_path_only(
    context: ToolContext, site: Site
):
    url = site.content("/net/many", b"{}", mime="application/json")
    await do(context, "navigate", url=site.page("/net/list", "list"))
    await value(context, MANY.replace("COUNT", "25").replace("URL", url))
    await ended(context, "/net/many?n=24")
    short = await do(context, "network")
    assert (short.path, len(short.requests)) == (None, 26)
    await value(context, MANY.replace("COUNT", "60").replace("URL", url))
    await ended(context, "/net/many?n=59")
    outcome = await call(context, "network")
    long = outcome.unwrap()
    path = Path(long.path)
    assert outcome.as_dict()["result"]["requests"] is None
    # In Python they are at hand all the same.
    assert (len(long.requests), long.count) == (86, 86)
    assert outcome.text() == f"86 requests (86 2xx), newest first, in {path}"
    (artifact,) = outcome.artifacts
    assert (artifact.path, artifact.size_bytes) == (path, path.stat().st_size)
    written = json.loads(path.read_text(encoding="utf-8"))
    assert [each["id"] for each in written] == [f"r{n}" for n in range(86, 0, -1)]
    assert written[-1]["url"] == site.url("/net/list")


@pytest.mark.proves("S2-BT-024d", "U-39")
async def test_what_counts_is_the_uncut_list(context: ToolContext, site: Site):
    url = site.content("/net/uncut", b"{}", mime="application/json")
    await do(context, "navigate", url=site.page("/net/uncut-list", "list"))
    await value(context, MANY.replace("COUNT", "2").replace("URL", f"{url}?{'x' * 2500}"))
    outcome = await call(context, "network")
    long = outcome.unwrap()
    assert len("\n".join(row.text() for row in long.requests)) < 1000
    assert long.path is not None
    assert len(json.dumps(outcome.as_dict()["result"])) < 1000
    assert len(json.loads(Path(long.path).read_text("utf-8"))[0]["url"]) > 2500


async def test_the_newest_of_more_are_listed_first_and_counted(context: ToolContext, site: Site):
    url = site.content("/net/limit", b"{}", mime="application/json")
    await do(context, "navigate", url=site.page("/net/limits", "list"))
    await value(context, MANY.replace("COUNT", "5").replace("URL", url))
    found = await do(context, "network", limit=2)
    assert ([each.id for each in found.requests], found.total) == (["r6", "r5"], 6)
    assert found.text().splitlines()[0] == "The newest 2 of 6."


async def test_filters_choose_by_each_fact(context: ToolContext, site: Site):
    page = site.page("/net/filters", "<script src=/net/gone.js></script>")
    site.content("/net/post", b"ok", mime="text/plain")
    await do(context, "navigate", url=page)
    await tried(context, "/net/post", "{method: 'POST', body: 'x'}")
    await do(context, "tabs", action="new", url=page)
    await ended(context, "/net/post")

    async def paths(**filters: Any) -> list[str]:
        return [each.url.rpartition("/")[2] for each in await rows(context, **filters)]

    assert await paths(url="/net/po") == ["post"]
    assert await paths(url="**/net/*.js") == ["gone.js", "gone.js"]
    assert await paths(url="/POST$/i") == ["post"]
    assert await paths(method="POST") == ["post"]
    assert await paths(status=404) == await paths(status="4xx") == ["gone.js", "gone.js"]
    assert await paths(status="2xx", resource_type="document") == ["filters", "filters"]
    assert await paths(status="failed") == ["gone.js", "gone.js"]
    assert await paths(status="pending") == []
    assert await paths(tab="t1") == ["post", "gone.js", "filters"]
    assert await paths(tab="t2", since="r4") == ["gone.js"]
    assert len(await rows(context, since="1h")) == 5
    assert await paths(since="1ns") == []
    await do(context, "tabs", action="close", tab="t2")
    assert await paths(tab="t2") == ["gone.js", "filters"]
    outcome = await call(context, "network", {"tab": "t9"})
    assert outcome.error is not None
    assert outcome.error.code == "VALIDATION_ERROR"


async def test_what_there_is_no_room_for_is_counted(context: ToolContext, site: Site):
    log = (await session_of(context)).network.log
    log._rows = 5
    url = site.content("/net/room", b"{}", mime="application/json")
    await do(context, "navigate", url=site.page("/net/rooms", "list"))
    await value(context, MANY.replace("COUNT", "7").replace("URL", url))
    found = await do(context, "network")
    assert (len(found.requests), found.dropped) == (5, 3)
    assert found.text().splitlines()[0] == "3 older ones were dropped."
    outcome = await call(context, "network", {"action": "get", "id": "r1"})
    assert outcome.text() == (
        "VALIDATION_ERROR: There is no request 'r1' in the log. There are: r4 to r8. Call "
        "`network` for a list."
    )
    log._size = 4000
    await tried(context, url)
    assert len(log) < 4
    assert log._bytes == sum(record.weight for record in log) <= 4000


async def test_conversations_have_logs_of_their_own(context: ToolContext, site: Site, manager: Any):
    await do(context, "navigate", url=site.page("/net/mine", "mine"))
    other = manager.context("network of another")
    try:
        assert await rows(other) == []
    finally:
        await manager.close_session("network of another")
