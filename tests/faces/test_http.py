"""The control server: each endpoint with right and wrong requests."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from support.control import Served, data, error, served
from support.engine import browser_processes, make_settings
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager


@pytest.fixture(scope="module")
async def control(
    manager: BrowserManager, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Served]:
    async with served(manager, tmp_path_factory.mktemp("control")) as found:
        yield found


@pytest.mark.proves("S3-CS-02")
async def test_a_browser_is_launched_used_and_closed(
    own_manager: BrowserManager, tmp_path: Path, site: Site
):
    async with served(own_manager, tmp_path) as own:
        error(await own.get("/browser/screenshot"), 404, "NO_ACTIVE_BROWSER")
        error(await own.get("/browser/state"), 404, "NO_ACTIVE_BROWSER")
        error(await own.post("/browser/close"), 404, "NO_ACTIVE_BROWSER")
        assert data(await own.get("/tabs")) == {"tabs": []}
        assert browser_processes(tmp_path) == []
        launched = data(await own.post("/browser/launch", {"profileName": "isolated"}))
        assert launched["profile"] == "isolated"
        assert launched["cdpEndpoint"].startswith("ws://127.0.0.1:")
        assert launched["createdAt"]
        again = data(await own.post("/browser/launch"))
        assert again["browserId"] == launched["browserId"]
        listed = {each["name"]: each for each in data(await own.get("/profiles"))["profiles"]}
        assert listed["isolated"]["browserId"] == launched["browserId"]
        assert (listed["isolated"]["current"], listed["remote"]["state"]) == (True, "closed")
        assert data(await own.get("/browser/screenshot"))["result"]["mimeType"] == "image/png"
        wrong = {"browserId": "browser-none"}
        error(await own.post("/browser/close", wrong), 404, "BROWSER_NOT_FOUND")
        closed = data(await own.post("/browser/close", {"browserId": launched["browserId"]}))
        assert closed == {
            "browserId": launched["browserId"],
            "profile": "isolated",
            "closed": True,
        }
        assert browser_processes(tmp_path) == []
        error(await own.get("/browser/snapshot"), 404, "NO_ACTIVE_BROWSER")
        url = site.page("/http/again", "back again")
        assert (await own.act("navigate", url=url))["url"] == url


@pytest.mark.proves("S3-CS-02")
async def test_without_a_manager_that_runs_it_is_503(own_manager: BrowserManager, tmp_path: Path):
    async with served(own_manager, tmp_path) as own:
        await own_manager.stop()
        told = error(await own.post("/browser/launch"), 503, "BROWSER_DISCONNECTED")
        assert told["message"] == "Tabwright was stopped."
        body = {"type": "navigate", "url": "about:blank"}
        error(await own.post("/browser/action", body), 503, "BROWSER_DISCONNECTED")


@pytest.mark.proves("S3-CS-02")
async def test_actions_and_verbs_do_what_they_say(control: Served, site: Site):
    url = site.page(
        "/http/act",
        """<h1>Order</h1><label>Name <input id=i></label>
        <button onclick="document.title = 'Sent ' + i.value">Send</button>""",
    )
    assert (await control.act("navigate", "acts", url=url))["url"] == url
    await control.act("fill", "acts", selector="#i", text="Ann")
    body = {"verb": "click", "params": {"selector": "text=Send"}}
    clicked = data(await control.post("/browser/action", body, "acts"))
    assert (clicked["success"], clicked["action"]) == (True, "click")
    assert clicked["executionTime"] > 0
    assert (await control.act("execute_js", "acts", script="document.title"))["value"] == "Sent Ann"
    seen = data(await control.get("/browser/snapshot", "acts"))["result"]
    assert seen["title"] == "Sent Ann"
    read = data(await control.get("/browser/snapshot", "acts", format="text"))["result"]
    assert "Order" in read["content"]
    (tab,) = data(await control.get("/tabs", "acts"))["tabs"]
    assert (tab["url"], tab["title"], tab["current"]) == (url, "Sent Ann", True)
    sessions = {
        each["conversation"]: each for each in data(await control.get("/sessions"))["sessions"]
    }
    assert (sessions["acts"]["url"], sessions["acts"]["active"]) == (url, True)


@pytest.mark.proves("S3-CS-02")
async def test_pictures_and_documents_can_be_had_by_their_names(control: Served, site: Site):
    await control.act("navigate", "shots", url=site.page("/http/shot", "<p>tall</p>" * 200))
    wanted = {"fullPage": "true", "format": "jpeg", "quality": "50"}
    shot = data(await control.get("/browser/screenshot", "shots", **wanted))
    assert shot["result"]["mimeType"] == "image/jpeg"
    assert shot["result"]["height"] > 2000
    assert base64.b64decode(shot["result"]["data"])[:2] == b"\xff\xd8"
    (file,) = shot["artifacts"]
    picture = await control.get(file["url"], "shots")
    assert picture.status_code == 200
    assert picture.headers["content-type"] == "image/jpeg"
    assert picture.headers["content-security-policy"] == "sandbox"
    assert len(picture.content) == file["sizeBytes"]
    printed = data(await control.post("/browser/pdf", {"format": "A4"}, "shots"))
    document = await control.get(printed["artifacts"][0]["url"], "shots")
    assert document.content.startswith(b"%PDF-")
    named = data(await control.get("/browser/screenshot", "shots", path="page.png"))
    assert Path(named["result"]["path"]).is_file()
    assert (await control.get("/artifacts/page.png", "shots")).content[1:4] == b"PNG"


@pytest.mark.parametrize(
    "name",
    ["none.png", "..%2F..%2Fstate%2Ftoken", "token", "%2Fetc%2Fpasswd", "..", "%00", "a" * 300],
)
async def test_a_file_that_no_reply_named_cannot_be_had(control: Served, name: str):
    error(await control.client.get(f"/artifacts/{name}"), 404, "NOT_FOUND")


async def test_a_file_of_another_conversation_cannot_be_had(control: Served, site: Site):
    await control.act("navigate", "mine", url=site.page("/http/mine", "mine"))
    (file,) = data(await control.get("/browser/screenshot", "mine"))["artifacts"]
    error(await control.get(file["url"], "yours"), 404, "NOT_FOUND")
    Path(file["path"]).unlink()
    error(await control.get(file["url"], "mine"), 404, "NOT_FOUND")


@pytest.mark.proves("S3-CS-02")
async def test_the_state_of_a_conversation_can_be_taken_to_another(control: Served, site: Site):
    url = site.page("/http/state", "state")
    await control.act("navigate", "from", url=url)
    await control.act("execute_js", "from", script="document.cookie='a=1'; localStorage.b='2'")
    state = data(await control.get("/browser/state", "from"))
    assert state["localStorage"] == {site.origin: {"b": "2"}}
    put = data(await control.post("/browser/state", state, "to"))
    assert put == {"cookies": 1, "origins": 1}
    await control.act("navigate", "to", url=url)
    read = "document.cookie + localStorage.b"
    assert (await control.act("execute_js", "to", script=read))["value"] == "a=12"


@pytest.mark.proves("S3-CS-02")
@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/browser/launch", {"profileName": 7}, "VALIDATION_ERROR"),
        ("/browser/launch", {"profileName": ""}, "VALIDATION_ERROR"),
        ("/browser/launch", {"profileName": "../x"}, "VALIDATION_ERROR"),
        ("/browser/launch", {"profileName": "remote"}, "VALIDATION_ERROR"),
        ("/browser/launch", {"profile": "isolated"}, "VALIDATION_ERROR"),
        ("/browser/close", {"browserId": []}, "VALIDATION_ERROR"),
        ("/browser/close", {"all": True}, "VALIDATION_ERROR"),
        ("/browser/action", {}, "VALIDATION_ERROR"),
        ("/browser/action", {"type": "fly"}, "VALIDATION_ERROR"),
        ("/browser/action", {"type": {}}, "VALIDATION_ERROR"),
        ("/browser/action", {"type": "click"}, "VALIDATION_ERROR"),
        ("/browser/action", {"type": "click", "selector": "#["}, "INVALID_SELECTOR"),
        ("/browser/action", {"verb": "fly"}, "VALIDATION_ERROR"),
        ("/browser/action", {"verb": 1}, "VALIDATION_ERROR"),
        ("/browser/action", {"verb": "click", "type": "click"}, "VALIDATION_ERROR"),
        ("/browser/action", {"verb": "click", "params": []}, "VALIDATION_ERROR"),
        ("/browser/action", {"verb": "click", "selector": "#a"}, "VALIDATION_ERROR"),
        ("/browser/state", {"cookies": {}}, "VALIDATION_ERROR"),
        ("/browser/state", {"cookies": [{}]}, "STATE_INVALID"),
        ("/browser/state", {"version": 99}, "STATE_INVALID"),
        ("/browser/state", {"localStorage": {"file://": {}}}, "STATE_INVALID"),
        ("/browser/state", {"more": 1}, "VALIDATION_ERROR"),
        ("/browser/pdf", {"format": "A99"}, "VALIDATION_ERROR"),
        ("/tools/browser_click", {"selector": 5}, "VALIDATION_ERROR"),
    ],
)
async def test_wrong_bodies_are_400(control: Served, path: str, body: Any, code: str):
    told = error(await control.post(path, body), 400, code)
    assert told["details"]["class"] in ("validation", "action", "state")


@pytest.mark.proves("S3-CS-02")
@pytest.mark.parametrize(
    "path",
    [
        "/browser/screenshot?quality=101&format=jpeg",
        "/browser/screenshot?quality=many&format=jpeg",
        "/browser/screenshot?format=bmp",
        "/browser/screenshot?fullPage=perhaps",
        "/browser/screenshot?fullPage=true&fullPage=true",
        "/browser/screenshot?nothing=1",
        "/browser/snapshot?budget=-1",
        "/browser/snapshot?format=poem",
    ],
)
async def test_wrong_queries_are_400_whether_or_not_a_browser_runs(
    control: Served, own_manager: BrowserManager, tmp_path: Path, path: str
):
    told = error(await control.get(path), 400, "VALIDATION_ERROR")
    async with served(own_manager, tmp_path) as own:
        again = error(await own.get(path), 400, "VALIDATION_ERROR")
    assert again["message"] == told["message"]


@pytest.mark.proves("S3-CS-02")
async def test_an_unknown_profile_is_404_everywhere(control: Served):
    body = {"profileName": "nobody"}
    told = error(await control.post("/browser/launch", body), 404, "PROFILE_NOT_FOUND")
    assert "isolated" in told["details"]["profiles"]
    for path in ("/browser/screenshot", "/browser/snapshot", "/browser/state", "/tabs"):
        error(await control.get(path, profile="nobody"), 404, "PROFILE_NOT_FOUND")
    for path in ("/browser/close", "/browser/action", "/browser/pdf", "/browser/state"):
        reply = await control.client.post(f"{path}?profile=nobody", json={})
        error(reply, 404, "PROFILE_NOT_FOUND")
    both = await control.client.post(
        "/browser/launch?profile=remote", json={"profileName": "isolated"}
    )
    error(both, 400, "VALIDATION_ERROR")


async def test_each_profile_has_a_browser_and_sessions_of_its_own(tmp_path: Path, site: Site):
    two = {"profiles.work.type": "isolated"}
    manager = BrowserManager(make_settings(tmp_path, **two), execute=call)
    url = site.page("/http/profile", "profile")
    async with served(manager, tmp_path) as own:
        body = {"type": "navigate", "url": url}
        data(await own.client.post("/browser/action?profile=work", json=body))
        listed = {
            each["name"]: each["state"] for each in data(await own.get("/profiles"))["profiles"]
        }
        assert (listed["work"], listed["isolated"]) == ("live", "closed")
        assert data(await own.get("/tabs", profile="work"))["tabs"][0]["url"] == url
        assert data(await own.get("/tabs")) == {"tabs": []}
        error(await own.get("/browser/screenshot"), 404, "NO_ACTIVE_BROWSER")
    await manager.stop()


@pytest.mark.proves("S3-ERR-03")
async def test_an_error_has_the_same_shape_as_from_the_door(
    control: Served, context: ToolContext, site: Site
):
    url = site.page("/http/shape", "shape")
    await call(context, "navigate", {"url": url})
    await control.act("navigate", "shape", url=url)
    door = (await call(context, "click", {"selector": "#none", "timeout": 50})).as_dict()
    body = {"verb": "click", "params": {"selector": "#none", "timeout": 50}}
    reply = await control.post("/browser/action", body, "shape")
    tool = await control.post("/tools/browser_click", body["params"], "shape")
    error(reply, 404, "ELEMENT_NOT_FOUND")
    found = [door, reply.json(), tool.json()]
    for each in found:
        each["executionTime"] = each["timestamp"] = each["error"]["timestamp"] = ""
        assert each["error"]["details"].pop("waitedMs") > 0
        each["error"]["context"].pop("selector", None)
    tool_told = found[2]
    assert (tool_told["action"], tool_told["error"]["context"].pop("action")) == (
        "browser_click",
        "browser_click",
    )
    door["error"]["context"].pop("action")
    found[1]["error"]["context"].pop("action")
    assert door == found[1]
    assert door["error"] == tool_told["error"]


@pytest.mark.proves("S3-CS-02")
async def test_bodies_that_are_not_plain_json_objects_are_refused(control: Served):
    post = control.client.post
    path = "/browser/action"
    kind = {"content-type": "application/json"}
    for content in (b"{", b"[]", b"7", b'{"a": NaN}', b"\xff", b"null"):
        error(await post(path, content=content, headers=kind), 400, "VALIDATION_ERROR")
    form = {"content-type": "application/x-www-form-urlencoded"}
    plain = {"content-type": "text/plain"}
    for headers in (form, plain, {}, {"content-type": "application/jsonx"}):
        reply = await post(path, content=b'{"type": "back"}', headers=headers)
        error(reply, 415, "UNSUPPORTED_MEDIA_TYPE")
    deep = b'{"type":' + b"[" * 100 + b"]" * 100 + b"}"
    error(await post(path, content=deep, headers=kind), 400, "VALIDATION_ERROR")
    deepest = b"[" * 500_000 + b"]" * 500_000
    error(await post(path, content=deepest, headers=kind), 400, "VALIDATION_ERROR")
    assert await control.alive()


@pytest.mark.proves("S3-CS-02")
async def test_a_body_that_is_too_large_is_413_announced_or_not(control: Served):
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(40):
            yield b"x" * 50_000

    kind = {"content-type": "application/json"}
    whole = await control.client.post("/browser/pdf", content=b"x" * 2_000_000, headers=kind)
    error(whole, 413, "PAYLOAD_TOO_LARGE")
    streamed = await control.client.post("/browser/pdf", content=chunks(), headers=kind)
    error(streamed, 413, "PAYLOAD_TOO_LARGE")
    padded = json.dumps({"type": "back", "pad": ""}).replace('""', '"%s"' % ("x" * 1_000_000))
    fits = await control.client.post("/browser/action", content=padded, headers=kind)
    error(fits, 400, "VALIDATION_ERROR")
    assert await control.alive()


@pytest.mark.parametrize("name", ["", "a b", "é", "a/b", "x" * 129, "a,b", "<script>"])
async def test_a_conversation_has_a_proper_name(control: Served, name: str):
    headers = {"X-Tabwright-Conversation": name.encode("utf-8")}
    reply = await control.client.get("/tabs", headers=headers)
    error(reply, 400, "VALIDATION_ERROR")


async def test_paths_and_methods_that_do_not_exist_are_told(control: Served):
    missing = error(await control.get("/nowhere"), 404, "NOT_FOUND")
    assert "POST /browser/action" in missing["details"]["hint"]
    error(await control.get("/browser/screenshot/"), 404, "NOT_FOUND")
    wrong = await control.get("/browser/action")
    error(wrong, 405, "METHOD_NOT_ALLOWED")
    assert wrong.headers["allow"] == "POST"
    error(await control.client.delete("/browser/state"), 405, "METHOD_NOT_ALLOWED")
    error(await control.post("/tools/browser_fly"), 404, "NOT_FOUND")
    error(await control.get("/events"), 404, "NOT_FOUND")


async def test_tools_are_listed_and_called(control: Served, site: Site):
    tools = {each["name"]: each for each in data(await control.get("/tools"))["tools"]}
    assert tools["browser_navigate"]["parameters"]["required"] == ["url"]
    assert tools["browser_snapshot"]["effect"] == "read"
    url = site.page("/http/tool", "<button>Go</button>")
    opened = data(await control.post("/tools/browser_navigate", {"url": url}, "tools"))
    assert opened["result"]["url"] == url
    seen = data(await control.post("/tools/browser_snapshot", None, "tools"))
    assert 'button "Go" e1' in seen["text"]


async def test_a_browser_that_nobody_switched_on_is_403(
    own_manager: BrowserManager, tmp_path: Path
):
    async with served(own_manager, tmp_path, surface="granular", enabled=False) as own:
        for path, body in (
            ("/browser/launch", {}),
            ("/browser/action", {"type": "navigate", "url": "about:blank"}),
            ("/browser/action", {"verb": "tabs"}),
            ("/browser/state", {}),
            ("/browser/pdf", {}),
            ("/tools/browser_navigate", {"url": "about:blank"}),
        ):
            told = error(await own.post(path, body), 403, "PERMISSION_DENIED")
            assert "--enable" in told["details"]["hint"]
        for path in ("/browser/state", "/browser/screenshot", "/browser/snapshot", "/tabs"):
            error(await own.get(path), 403, "PERMISSION_DENIED")
        assert [each["name"] for each in data(await own.get("/tools"))["tools"]] == [
            "web_fetch",
            "read_image",
        ]
        assert browser_processes(tmp_path) == []


@pytest.mark.proves("S3-P42")
async def test_actions_are_counted_at_both_endpoints(tmp_path: Path, own_manager: BrowserManager):
    async with served(own_manager, tmp_path) as own:
        for _ in range(3):
            await own.post("/browser/action", {"type": "click"})
        await own.post("/tools/browser_resize", {"width": 0})
        told = data(await own.get("/metrics.json"))
        assert (told["total"], told["errors"], told["errorRate"]) == (4, 4, 1.0)
        assert told["averageTime"] > 0
        assert (told["verbs"]["click"]["total"], told["verbs"]["resize"]["total"]) == (3, 1)
        text = await own.get("/metrics")
        assert text.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
        assert 'tabwright_calls_total{verb="click",status="failure"} 3\n' in text.text
