"""`agent_browser`: one tool, and a command line for everything."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest

from support.engine import do, value
from support.site import Site
from support.stdio import HELLO, started
from support.tokens import true_count
from tabwright.argv.command import names, read, verbs_by_command
from tabwright.argv.parameter import command_line
from tabwright.config import load
from tabwright.engine.context import ToolContext
from tabwright.errors import InputError
from tabwright.faces import schemas
from tabwright.faces.cli.mcp import command
from tabwright.outcome import Outcome
from tabwright.surfaces.native import agent_browser
from tabwright.surfaces.registry import SURFACES, ToolRegistry
from tabwright.surfaces.tool import GROUPS
from tabwright.verb import Verb

PAGE = """<h1>Shop</h1><label>Email <input id=i></label><button onclick="p.textContent = i.value">
Add to cart</button><p id=p role=status></p>"""


def native() -> ToolRegistry:
    return ToolRegistry(load({}), enabled=True, surface="native")


async def run(context: ToolContext, *args: str) -> Outcome:
    return await native().call(context, "agent_browser", {"args": [*args]})


@pytest.mark.proves("S4-05", "U-01")
def test_one_tool_whose_description_begins_with_the_task_is_all_there_is():
    (tool,) = schemas.mcp(native())
    assert tool["name"] == "agent_browser"
    assert tool["inputSchema"]["required"] == [*tool["inputSchema"]["properties"]] == ["args"]
    task, how = re.split(r"(?<=\.) ", tool["description"], maxsplit=1)
    assert task == (
        "Use a real browser: open pages, read them, fill in forms, check that something works."
    )
    assert how.startswith("args is one command line")
    assert not re.search(r"(?<!\S)/[a-z]", tool["description"]), "nothing has to be typed by hand"
    assert true_count(json.dumps(tool, separators=(",", ":"))) <= 450


@pytest.mark.proves("S4-05", "U-01")
async def test_an_agent_gets_it_over_mcp(tmp_path: Path):
    async with started(tmp_path, "--enable", "--surface", "native") as wire:
        await wire.ask("initialize", **HELLO)
        listed = (await wire.ask("tools/list"))["result"]["tools"]
        assert [tool["name"] for tool in listed] == ["agent_browser"]
        refused = await wire.tool("agent_browser", args=["clik"])
        assert refused["isError"]
        assert "Did you mean 'click'?" in refused["content"][0]["text"]


def test_every_surface_and_group_can_be_asked_for():
    options = {option.name: option for option in command.params}
    chosen = options["surface"].type
    assert isinstance(chosen, click.Choice)
    assert tuple(chosen.choices) == SURFACES
    assert ", ".join(GROUPS) in str(options["tools"].to_info_dict()["help"])


@pytest.mark.proves("S4-05")
def test_every_command_of_the_description_can_be_read():
    said = native().get("agent_browser").told
    examples = [json.loads(found) for found in re.findall(r"\[[^]]*\]", said)]
    assert len(examples) > 10
    for args in examples:
        agent_browser({"args": args})


@pytest.mark.proves("S4-05")
async def test_a_task_is_done_with_it(context: ToolContext, site: Site):
    opened = await run(context, "open", site.page("/native", PAGE, title="Shop"))
    assert "Shop" in opened.text()
    found = await run(context, "find", "add to cart")
    ref = re.search(r'button "Add to cart" (e\d+)', found.text())
    assert ref, found.text()
    assert (await run(context, "fill", "label=Email", "a@b.org")).success
    clicked = await run(context, "click", ref[1])
    assert 'says status "a@b.org"' in clicked.text()
    assert (await run(context, "wait", "--text", "a@b.org")).success
    assert (await run(context, "get", "text", "h1")).text() == "Shop"
    assert (await run(context, "fill", "#i", "")).success
    assert await value(context, "i.value") == ""


@pytest.mark.proves("S4-05")
@pytest.mark.parametrize("verb", verbs_by_command().values(), ids=lambda verb: verb.name)
def test_every_verb_can_be_called_as_people_type_it(verb: Verb):
    words = shlex.split(command_line(verb, verb.params.example))[1:]
    name, given = read(words)
    assert name == verb.name
    assert verb.read(given) == verb.read(verb.params.example)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([], "args"),
        ("open", "args"),
        ([1], "args"),
        (["tabwright", "open", "x"], "begins after the name of the program"),
        (["open", "x", "&&", "snapshot"], "there is none: make one call for each"),
        (["fly"], "There is no command 'fly'."),
        ([""], "There is no command ''."),
        (["clik", "#a"], "Did you mean 'click'?"),
        (["click"], "Missing argument 'SELECTOR'"),
        (["click", "#a", "#b"], "unexpected extra argument"),
        (["click", "#a", "--colour", "red"], "No such option '--colour'"),
        (["click", "--help"], "No such option '--help'"),
        (["resize", "a", "b"], "'a' is not a valid integer"),
        (["navigate", "javascript:alert(1)"], "javascript"),
        (["config", "set", "a", "b"], "There is no command 'config'."),
    ],
)
async def test_what_cannot_be_read_is_refused_with_what_can_and_nothing_is_done(
    context: ToolContext, capfd: pytest.CaptureFixture[str], args: Any, says: str
):
    await do(context, "evaluate", expression="document.title = 'as it was'")
    outcome = await native().call(context, "agent_browser", {"args": args})
    assert outcome.error is not None
    assert outcome.error.code in ("VALIDATION_ERROR", "PERMISSION_DENIED")
    assert says in f"{outcome.error.message} {outcome.error.hint}"
    assert outcome.error.hint
    assert await value(context, "document.title") == "as it was"
    assert capfd.readouterr().out == "", "an agent's protocol is on standard output"


def test_a_refusal_says_what_the_command_takes():
    with pytest.raises(InputError) as refused:
        read(["find"])
    assert refused.value.hint == (
        'It takes TEXT, [SELECTOR], --role. Example: ["find", "Add to cart"].'
    )
    with pytest.raises(InputError) as refused:
        read(["qqqq"])
    assert all(name in str(refused.value.hint) for name in names())


@pytest.mark.proves("U-07")
def test_each_wait_has_the_time_of_its_name():
    tools = ToolRegistry(load({}), enabled=True, surface="all")
    given = {
        "browser_action": {"action": "wait", "selector": "#a"},
        "browser_wait_for_selector": {"selector": "#a"},
        "agent_browser": {"args": ["wait", "#a"]},
    }
    found = {name: tools.get(name).translate(one)[1]["timeout"] for name, one in given.items()}
    assert found == {
        "browser_action": 10_000,
        "browser_wait_for_selector": 30_000,
        "agent_browser": 25_000,
    }
    said = agent_browser({"args": ["wait", "#a", "--timeout", "2s"]})
    assert said == ("wait", {"selector": "#a", "timeout": "2s"})
    assert agent_browser({"args": ["wait", "--time", "40s"]}) == ("wait", {"time": "40s"})
