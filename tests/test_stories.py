"""Three stories from beginning to end, as an agent would tell them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

from support.engine import do, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext

APP = """<html><meta name=viewport content="width=device-width"><title>Shop</title>
<style>nav a { margin: 8px } #menu { display: none }
@media (max-width: 600px) { nav { display: none } #menu { display: block } }</style>
<button id=menu>Menu</button><nav><a href="#tea">Tea</a><a href="#pots">Pots</a></nav>
<h1>Shop</h1><img src="/story/missing.png" alt="Teapot">
<script>console.log("started", { version: 3 }); console.error("no stock for", [7, 9]);
fetch("/story/stock.json").then((r) => r.json()).then((s) => document.querySelector("h1").append(
  ` (${s.count})`))</script>"""


@pytest.mark.proves("S2-US")
async def test_a_local_app_is_developed_and_inspected_at_three_sizes(
    context: ToolContext, site: Site
):
    site.content("/story/stock.json", b'{"count": 42}', mime="application/json")
    await do(context, "navigate", url=site.page("/story/app", APP), waitUntil="networkidle")
    seen: dict[int, str] = {}
    for width, height in ((1440, 900), (768, 1024), (390, 844)):
        await do(context, "resize", width=width, height=height)
        shot = await do(context, "screenshot", path=f"app-{width}.png")
        with Image.open(shot.path) as picture:
            assert picture.size == (width, height)
        seen[width] = (await do(context, "snapshot")).content
    assert 'h1 "Shop (42)"' in seen[1440]
    assert 'link "Tea"' in seen[1440]
    assert 'button "Menu"' not in seen[1440]
    assert 'link "Tea"' not in seen[390]
    assert 'button "Menu"' in seen[390]
    errors = (await do(context, "console", level="error")).text()
    assert "no stock for [7, 9]" in errors
    assert "started {version: 3}" in (await do(context, "console")).text()
    failed = (await do(context, "network", status="4xx")).text()
    assert "/story/missing.png" in failed
    assert "404" in failed


FORM = """<title>Sign up</title><form><label>E-mail <input name=mail type=email required></label>
<label>Plan <select name=plan><option>Free<option>Team</select></label>
<label><input type=checkbox name=terms required> I agree</label><button>Sign up</button></form>
<p role=status></p><script>document.querySelector("form").onsubmit = async (e) => {
  e.preventDefault();
  const answer = await fetch("/story/sign-up", { method: "POST", body: new FormData(e.target) });
  document.querySelector("[role=status]").textContent = await answer.text() }</script>"""


@pytest.mark.proves("S2-US")
async def test_a_form_is_filled_in_sent_and_the_evidence_kept(
    context: ToolContext, site: Site, tmp_path: Path
):
    site.content("/story/sign-up", b"Welcome, ann@example.org", mime="text/plain")
    await do(context, "navigate", url=site.page("/story/form", FORM))
    content = (await do(context, "snapshot")).content
    refs = dict(re.findall(r'(\w+) "(?:[^"]+)" (e\d+)', content))
    early = await do(context, "click", selector=refs["button"])
    assert await value(context, "document.querySelector('[role=status]').textContent") == ""
    assert early.verdict in ("effective", "no_effect")
    await do(context, "fill", selector=refs["textbox"], text="ann@example.org")
    await do(context, "set", selector=refs["combobox"], value="Team")
    await do(context, "check", selector=refs["checkbox"])
    sent = await do(context, "click", selector=refs["button"])
    assert sent.receipt["requests"] == ["POST /story/sign-up 200"]
    assert any("Welcome, ann@example.org" in change for change in sent.receipt["changes"])
    shot = await do(context, "screenshot", path=str(tmp_path / "evidence.png"))
    assert Path(shot.path).read_bytes().startswith(b"\x89PNG")
    row = (await do(context, "network", url="**/story/sign-up")).requests[0]
    posted = await do(context, "network", action="get", id=row.id)
    assert "Team" in str(posted.request)


WORKER = """const PAGES = ["/story/pwa/", "/story/pwa/style.css"];
oninstall = (e) => e.waitUntil(caches.open("v1").then((cache) => cache.addAll(PAGES)));
onactivate = (e) => e.waitUntil(clients.claim());
onfetch = (e) => { console.log("asked for", new URL(e.request.url).pathname);
  e.respondWith(caches.match(e.request).then((hit) => hit ?? fetch(e.request))) };"""


@pytest.mark.proves("S2-US")
async def test_an_app_that_is_installed_works_offline(context: ToolContext, site: Site):
    site.content("/story/pwa/style.css", b"h1 { color: teal }", mime="text/css")
    site.content("/story/pwa/sw.js", WORKER.encode(), mime="text/javascript")
    site.content("/story/pwa/news", b"fresh", mime="text/plain")
    body = """<title>Reader</title><link rel=stylesheet href=style.css><h1>Reader</h1><p id=p></p>
    <script>navigator.serviceWorker.register("sw.js"); news = () => fetch("news").then(
      (r) => r.text(), () => "offline").then((t) => p.textContent = t)</script>"""
    url = site.page("/story/pwa/", body)
    await do(context, "navigate", url=url)
    await do(context, "wait", expression="navigator.serviceWorker.ready.then(() => true)")
    await do(context, "reload")
    workers = (await do(context, "service_workers")).text()
    assert "sw.js" in workers
    assert "activated" in workers
    await do(context, "evaluate", expression="news()")
    assert (await do(context, "get", what="text", selector="#p")).value == "fresh"
    await do(context, "conditions", offline=True)
    await do(context, "reload")
    assert 'h1 "Reader"' in (await do(context, "snapshot")).content
    await do(context, "evaluate", expression="news()")
    assert (await do(context, "get", what="text", selector="#p")).value == "offline"
    assert "service-worker" in (await do(context, "network", source="service-worker")).text()
    heard = (await call(context, "console", {"context": "service-worker"})).text()
    assert "asked for /story/pwa/" in heard
    await do(context, "conditions", offline=False)
    await do(context, "evaluate", expression="news()")
    assert (await do(context, "get", what="text", selector="#p")).value == "fresh"
