"""The log as a HAR file that other tools can read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from support.engine import do
from support.har import check_har
from support.network import ended, tried
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext

PIXELS = b"\x89PNG\r\n\x1a\n" + bytes(range(256))


async def visit(context: ToolContext, site: Site) -> None:
    """Redirects, cookies, bodies, a failure: what an archive has to have room for."""
    cookie = {"set-cookie": "sid=s3cr3t; Path=/; HttpOnly; SameSite=Lax"}
    site.page("/har/page", "<p>page</p>")
    site.redirect("/har/start", "/har/page")
    site.content("/har/data", b'{"a": 1}', mime="application/json", headers=cookie)
    site.content("/har/pixels", PIXELS, mime="image/png")
    await do(context, "navigate", url=site.url("/har/start"))
    await tried(context, "/har/data?q=1&empty=", "{method: 'POST', body: 'sent=1'}")
    await tried(context, "/har/pixels")
    await tried(context, "http://nowhere.invalid/x")
    await ended(context, "nowhere.invalid")


async def archive(context: ToolContext, **params: Any) -> Any:
    found = await do(context, "network", action="har", **params)
    har = json.loads(Path(found.path).read_text(encoding="utf-8"))
    check_har(har)
    assert found.count == len(har["log"]["entries"])
    return har["log"]


async def test_an_archive_has_the_shape_of_har_1_2(context: ToolContext, site: Site):
    await visit(context, site)
    log = await archive(context)
    entries = {entry["request"]["url"].partition("/har/")[2]: entry for entry in log["entries"]}
    assert list(entries) == ["start", "page", "data?q=1&empty=", "pixels", ""]
    assert entries["start"]["response"]["status"] == 302
    assert entries["start"]["response"]["redirectURL"] == "/har/page"
    data = entries["data?q=1&empty="]
    assert data["request"]["queryString"] == [
        {"name": "q", "value": "1"},
        {"name": "empty", "value": ""},
    ]
    assert data["request"]["bodySize"] == len(b"sent=1")
    assert data["response"]["cookies"] == [
        {
            "name": "sid",
            "value": "[redacted]",
            "path": "/",
            "httpOnly": True,
            "sameSite": "Lax",
        }
    ]
    assert "text" not in data["response"]["content"]
    failed = entries[""]["response"]
    assert (failed["status"], failed["_error"]) == (0, "net::ERR_NAME_NOT_RESOLVED")
    assert [page["id"] for page in log["pages"]] == ["t1"]


async def test_bodies_and_secrets_are_in_it_when_asked_for(
    context: ToolContext, site: Site, tmp_path: Path
):
    await visit(context, site)
    assert "s3cr3t" not in json.dumps(await archive(context, bodies=True))
    log = await archive(context, bodies=True, reveal=True, path="all.har", url="/har/")
    assert (tmp_path / "all.har").is_file()
    _, page, data, pixels = log["entries"]
    assert data["response"]["content"]["text"] == '{"a": 1}'
    assert data["request"]["postData"]["text"] == "sent=1"
    assert "s3cr3t" in json.dumps(data["response"])
    assert pixels["response"]["content"]["encoding"] == "base64"
    assert "<p>page</p>" in page["response"]["content"]["text"]


async def test_an_archive_has_all_there_is_unless_it_is_limited(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/har/many", "many"))
    asking = "Promise.all(Array.from({length: 120}, (_, n) => fetch('?' + n))).then(() => 1)"
    await do(context, "evaluate", expression=asking)
    assert len((await archive(context))["entries"]) == 121
    found = await do(context, "network", action="har", limit=5)
    assert (found.count, found.total) == (5, 121)
    assert found.text() == f"HAR of 5 requests of 121 in {found.path}"


async def test_an_archive_of_nothing_is_one_too(context: ToolContext):
    outcome = await call(context, "network", {"action": "har"})
    assert outcome.unwrap().count == 0
    assert (await archive(context))["entries"] == []
