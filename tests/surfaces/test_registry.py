"""Tools: their names and schemas, what of them is told, and that they are the verbs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from support.engine import do, value
from support.site import Site
from support.tokens import true_count
from tabwright.config import load
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager
from tabwright.errors import InputError
from tabwright.faces import schemas
from tabwright.surfaces.registry import ToolRegistry
from tabwright.surfaces.tool import GROUPS

SEED: dict[str, Any] = json.loads(Path(__file__).with_name("seed_tools.json").read_text("utf-8"))


def registry(**options: Any) -> ToolRegistry:
    return ToolRegistry(load({}), enabled=True, **options)


def everything() -> ToolRegistry:
    return registry(surface="all")


@pytest.mark.proves("S3-TA-01")
@pytest.mark.parametrize("name", SEED)
def test_schemas_are_those_of_the_document(name: str):
    found, wanted = everything().get(name).parameters, SEED[name]
    assert found["type"] == "object"
    assert found["required"] == wanted["required"]
    for parameter, said in wanted["properties"].items():
        assert _without_words(found["properties"][parameter], said) == said, parameter


def _without_words(found: Any, like: Any) -> Any:
    """Only what the document says of it: descriptions and defaults are our own."""
    if not isinstance(like, dict):
        return found
    return {key: _without_words(found.get(key), said) for key, said in like.items()}


@pytest.mark.proves("S3-P30")
def test_every_tool_is_a_function_in_each_format():
    tools = everything()
    for one, two, three in zip(
        schemas.openai(tools), schemas.anthropic(tools), schemas.mcp(tools), strict=True
    ):
        function = one["function"]
        assert (one["type"], function["name"]) == ("function", two["name"])
        assert function["name"] == three["name"]
        assert function["description"] == two["description"] == three["description"] != ""
        assert function["parameters"] == two["input_schema"] == three["inputSchema"]
        parameters = function["parameters"]
        Draft202012Validator.check_schema(parameters)
        assert parameters["type"] == "object"
        assert set(parameters["required"]) <= set(parameters["properties"])
        assert "$ref" not in json.dumps(parameters)
        assert all("description" in said for said in parameters["properties"].values())


def test_what_is_told_is_cheap():
    core = json.dumps(schemas.mcp(registry()), separators=(",", ":"), ensure_ascii=False)
    assert true_count(core) <= 3000
    compact = schemas.mcp(registry(surface="compact"))
    assert true_count(json.dumps(compact, separators=(",", ":"), ensure_ascii=False)) <= 1200


@pytest.mark.proves("U-01")
def test_a_surface_and_groups_choose_what_is_told():
    core = {tool.name for tool in registry().listed()}
    assert {"browser_navigate", "browser_click", "browser_snapshot", "web_fetch"} <= core
    assert "browser_route" not in core
    network = {tool.name for tool in registry(groups=["core", "network"]).listed()}
    assert "browser_network_requests" in network - core
    compact = {tool.name for tool in registry(surface="compact").listed()}
    assert compact == {
        "browser_navigate",
        "browser_action",
        "browser_screenshot",
        "browser",
        "web_fetch",
        "read_image",
    }
    assert len(everything().listed()) > len(registry(groups=GROUPS).listed()) > len(core)
    for wrong in ({"surface": "big"}, {"groups": ["core", "no"]}):
        with pytest.raises(InputError, match="There are"):
            registry(**wrong)


@pytest.mark.proves("S0-02")
def test_no_tool_takes_a_session():
    for tool in everything().listed():
        assert not [name for name in tool.parameters["properties"] if "session" in name.lower()]


@pytest.mark.proves("S0-16", "S0-17", "R-1", "U-13")
async def test_without_being_switched_on_there_is_no_browser_tool(tmp_path: Path):
    settings = load({"paths.userDataBaseDir": str(tmp_path)}, cwd=tmp_path, home=tmp_path, env={})
    off = ToolRegistry(settings)
    assert {tool.name for tool in off.listed()} == {"web_fetch", "read_image"}
    manager = BrowserManager(settings)
    outcome = await off.call(manager.context(), "browser_navigate", {"url": "https://example.com"})
    assert outcome.error is not None
    assert outcome.error.code == "PERMISSION_DENIED"
    assert "disabled" in outcome.error.message
    assert "--enable" in str(outcome.error)
    assert manager.get_active_browser() is None
    # What needs no browser works even where it is forbidden.
    forbidden = load({"tools.browser.enabled": "false"}, cwd=tmp_path, home=tmp_path, env={})
    other = BrowserManager(forbidden)
    absent = await ToolRegistry(forbidden).call(other.context(), "read_image", {"path": "no.png"})
    assert absent.error is not None
    assert absent.error.code != "PERMISSION_DENIED"
    await other.stop()
    on = ToolRegistry(load({"tools.browser.enabled": "true"}, cwd=tmp_path, home=tmp_path, env={}))
    assert "browser_navigate" in {tool.name for tool in on.listed()}
    await manager.stop()


@pytest.mark.proves("S3-P31", "S3-P32")
@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("browser_navigate", {}, "url"),
        ("browser_navigate", {"url": 5}, "url"),
        ("browser_click", {"selector": "#a", "button": "up"}, "left"),
        ("browser_click", {"selector": "#a", "clickCount": True}, "clickCount"),
        ("browser_click", {"selector": "#a", "force": True}, "force"),
        ("browser_execute_js", {"expression": "1"}, "script"),
        ("browser_set_offline", {"offline": "yes"}, "offline"),
        ("browser_wait", {"condition": "moon"}, "network_idle"),
        ("browser_wait", {"condition": "selector"}, "selector"),
        ("browser", {"action": "fly"}, "snapshot"),
        ("browser", {"action": "type", "selector": "#a"}, "text"),
        ("browser_action", {"action": "click"}, "selector"),
        ("browser_navigate", [], "object"),
        ("browser_no_such", {}, "browser_navigate"),
    ],
)
async def test_bad_arguments_are_refused_and_nothing_starts(
    tmp_path: Path, name: str, given: Any, said: str
):
    settings = load({"paths.userDataBaseDir": str(tmp_path)}, cwd=tmp_path, home=tmp_path, env={})
    manager = BrowserManager(settings)
    outcome = await registry().call(manager.context(), name, given)
    told = outcome.as_dict()
    assert (told["success"], told["error"]["code"]) == (False, "VALIDATION_ERROR")
    assert said in str(outcome.error)
    assert manager.get_active_browser() is None
    await manager.stop()


async def test_tools_are_the_verbs(context: ToolContext, site: Site):
    tools = registry()

    async def call(name: str, **given: Any) -> Any:
        outcome = await tools.call(context, name, given)
        assert outcome.action == name
        return outcome.unwrap()

    body = "<input id=i><button id=b onclick='n = 1'>Go</button><p id=p hidden>Here</p>"
    url = site.page("/tools", body)
    await call("browser_navigate", url=url)
    await call("browser_type", selector="#i", text="tea")
    await call("browser_click", selector="#b")
    assert await call("browser_execute_js", script="(a, b) => i.value + n + a + b", args=["x", 2])
    assert (await call("browser_eval", expression="i.value + n")).value == "tea1"
    seen = await call("browser_snapshot")
    assert seen.document["refs"]["e2"] == {"role": "button", "name": "Go"}
    assert 'button "Go" e2' in seen.text()
    assert (await call("browser_snapshot", diff=True)).content == (
        "No change since the last snapshot."
    )
    await value(context, "setTimeout(() => p.hidden = false, 50); 1")
    await call("browser_wait_for_selector", selector="#p", visible=True)
    await call("browser_wait", condition="function", function="n === 1")
    await call("browser_wait", condition="network_idle", networkIdle=50)
    await call("browser_wait", condition="timeout", timeout=1)
    requests = await call("browser_network_requests", filter="**/tools")
    assert [row.url for row in requests.requests] == [url]
    assert (await call("browser_clear_console_logs")).text() == "0 entries discarded."
    taken = await call("browser_take_screenshot")
    assert (taken.data, Path(taken.path).exists()) == (None, True)
    assert (await call("browser_screenshot")).data


@pytest.mark.proves("S1-01")
async def test_one_tool_named_browser(context: ToolContext, site: Site):
    tools = registry(surface="compact")
    schema = tools.get("browser").parameters
    assert schema["required"] == ["action"]
    assert schema["properties"]["action"]["enum"] == [
        "snapshot",
        "screenshot",
        "navigate",
        "click",
        "type",
    ]
    assert list(schema["properties"]) == ["action", "url", "selector", "text", "fullPage"]
    url = site.page("/one", "<input id=i><button id=b onclick='n = 1'>Go</button>", title="One")
    read = await tools.call(context, "browser", {"action": "snapshot", "url": url})
    assert 'Title: "One"' in read.text()
    for given in ({"action": "click", "selector": "#b"}, {"action": "type", "selector": "#i"}):
        full = {**given, "text": "tea"} if given["action"] == "type" else given
        assert (await tools.call(context, "browser", full)).success
    assert await value(context, "n + i.value") == "1tea"
    shot = (await tools.call(context, "browser", {"action": "screenshot"})).unwrap()
    assert Path(shot.files()[0].path).exists()
    refused = site.url("/absent")
    gone = await tools.call(context, "browser", {"action": "snapshot", "url": refused})
    assert gone.error is not None
    assert gone.error.code == "NAVIGATION_FAILED"


@pytest.mark.proves("S2-BT-012b", "S2-BT-010e")
async def test_one_registry_serves_conversations_that_do_not_meet(
    manager: BrowserManager, site: Site
):
    tools = registry()
    urls = [site.page(f"/talk/{n}", f"<p>Page {n}</p>") for n in range(2)]
    contexts = [manager.context(f"talk-{n}") for n in range(2)]
    before = dict(vars(tools))
    for context, url in zip(contexts, urls, strict=True):
        await tools.call(context, "browser_navigate", {"url": url})
    for number, context in enumerate(contexts):
        seen = (await tools.call(context, "browser_snapshot")).text()
        assert f"Page {number}" in seen
        assert f"Page {1 - number}" not in seen
    assert vars(tools) == before


async def test_a_next_step_is_named_as_a_tool(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/next", "<button>Save</button>"))
    outcome = await registry().call(context, "browser_click", {"selector": "text=Sve"})
    assert outcome.error is not None
    assert [action.verb for action in outcome.next_actions] == ["browser_click"]


async def test_several_calls_in_one(context: ToolContext, site: Site):
    tools = registry()
    body = "<label>Name <input id=i></label><button onclick='document.title = i.value'>Go</button>"
    url = site.page("/batch", body)
    steps = [
        {"tool": "browser_navigate", "args": {"url": url}},
        {"tool": "browser_fill", "args": {"selector": "label=Name", "text": "Ann"}},
        {"tool": "browser_click", "args": {"selector": "text=Go"}},
        {"tool": "browser_eval", "args": {"expression": "document.title"}},
    ]
    done = await tools.call(context, "browser_batch", {"steps": steps})
    assert [step["success"] for step in done.unwrap().steps] == [True] * 4
    assert done.text().split("\n")[-1] == '4. "Ann"'
    steps[2]["args"] = {"selector": "#absent"}
    failed = await tools.call(context, "browser_batch", {"steps": steps})
    assert failed.error is not None
    assert failed.error.code == "ELEMENT_NOT_FOUND"
    assert "2. Filled textbox" in failed.text()
    assert "3. ELEMENT_NOT_FOUND" in failed.text()
    assert "1 not done." in failed.text()
    on = await tools.call(context, "browser_batch", {"steps": steps, "bail": False})
    assert not on.success
    assert "4. " in on.text()


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"tool": "browser_wait", "args": {"text": "x"}}, "`text` is not a parameter"),
        ({"tool": "browser_fly"}, "There is no tool 'browser_fly'"),
        ({"tool": "browser_click", "args": {"clickCount": 9}}, "clickCount"),
        ({"tool": "browser_batch", "args": {"steps": []}}, "A batch holds no batches."),
        (
            {"tool": "browser", "args": {"action": "snapshot", "url": "javascript:1"}},
            "must not be a javascript: address",
        ),
        ({"tool": "browser_fill", "args": {"text": {"password": "sesame"}}}, "[redacted]"),
    ],
)
@pytest.mark.parametrize("bail", [True, False])
async def test_a_wrong_step_of_a_batch_changes_nothing(
    context: ToolContext, wrong: dict[str, Any], says: str, bail: bool
):
    await do(context, "evaluate", expression="window.did = 0")
    first = {"tool": "browser_eval", "args": {"expression": "window.did = 1"}}
    outcome = await registry().call(
        context, "browser_batch", {"steps": [first, wrong], "bail": bail}
    )
    assert outcome.error is not None
    assert outcome.error.message.startswith("Step 2: ")
    assert says in outcome.error.message
    assert outcome.error.message.endswith("Nothing was done.")
    assert "sesame" not in str(outcome.as_dict())
    assert await value(context, "window.did") == 0


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"steps": []},
        {"steps": [{"tool": ""}]},
        {"steps": [{"tool": "browser_back", "args": 1}]},
        {"steps": [{"tool": "browser_no"}]},
        {"steps": [{"tool": "browser_batch", "args": {"steps": []}}]},
        {"steps": [{"tool": "browser_back"}] * 51},
        None,
    ],
)
async def test_a_batch_that_is_none_is_refused(context: ToolContext, given: Any):
    before = list(context.journal.entries)
    outcome = await registry().call(context, "browser_batch", given)
    assert outcome.error is not None
    assert outcome.error.code == "VALIDATION_ERROR"
    new = [one for one in context.journal.entries if not any(one is old for old in before)]
    kept = [entry for entry in new if "status" in entry]
    assert [entry["status"] for entry in kept] == ["VALIDATION_ERROR"]
    assert "tool" not in str(kept[0]["parameters"])


@pytest.mark.proves("U-08")
async def test_visible_and_state_are_two_ways_to_say_one_thing(context: ToolContext, site: Site):
    body = "<p id=p hidden>x</p>"
    await do(context, "navigate", url=site.page("/two-ways", body))

    async def wait(**given: Any) -> str:
        wanted = {"selector": "#p", **given}
        outcome = await registry().call(context, "browser_wait_for_selector", wanted)
        return outcome.error.code if outcome.error else ""

    assert await wait() == await wait(visible=False) == await wait(state="attached") == ""
    for given in ({"visible": True}, {"state": "visible"}, {"visible": True, "state": "visible"}):
        assert await wait(**given, timeout=100) == "TIMEOUT"
    assert await wait(visible=True, state="hidden") == "VALIDATION_ERROR"
    assert await wait(visible=False, state="visible") == "VALIDATION_ERROR"


async def test_a_step_that_is_refused_beforehand_is_told_like_any_other(context: ToolContext):
    steps = [{"tool": "browser_click", "args": {"clickCount": 9}}]
    alone = await registry().call(context, "browser_click", steps[0]["args"])
    assert alone.error is not None
    outcome = await registry().call(context, "browser_batch", {"steps": steps})
    assert outcome.error is not None
    assert outcome.error.details == alone.error.details
    assert outcome.error.hint == alone.error.hint
    refused = [entry for entry in context.journal.entries if entry.get("action") == "browser_click"]
    assert [entry["status"] for entry in refused[-2:]] == ["VALIDATION_ERROR"] * 2
