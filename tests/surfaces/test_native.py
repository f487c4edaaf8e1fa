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
from tabwright.argv.parameter import command_line, words_of
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
from tabwright.verbs import VERBS

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
    async with started(tmp_path, "--enable", "--structured", "--surface", "native") as wire:
        told = (await wire.ask("initialize", **HELLO))["result"]["instructions"]
        assert '["snapshot", "--diff"]' in told
        assert "browser_" not in told
        (listed,) = (await wire.ask("tools/list"))["result"]["tools"]
        assert listed["name"] == "agent_browser"
        assert "annotations" not in listed, "it may do anything"
        assert listed["outputSchema"]["properties"]["result"] == {"type": "object"}
        assert not (await wire.tool("agent_browser", args=["snapshot"]))["isError"]
        resources = (await wire.ask("resources/list"))["result"]["resources"]
        assert [one["uri"] for one in resources] == ["tabwright://snapshot"]
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
        verb, given = agent_browser({"args": args})
        VERBS[verb].read(given)


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
        ([], "should have at least 1 item"),
        ("open", "`args` = 'open'"),
        ([1], "`args.0` = 1"),
        (["tabwright", "open", "x"], "begins after the name of the program"),
        (["open", "x", "&&", "snapshot"], "'&&' is for a shell, and there is none."),
        (["console", ">", "file"], "'>' is for a shell, and there is none."),
        (["fly"], "There is no command 'fly'."),
        ([""], "There is no command ''."),
        (["clik", "#a"], "Did you mean 'click'?"),
        (["click"], "Missing argument 'SELECTOR'"),
        (["click", "#a", "#b"], "unexpected extra argument"),
        (["click", "#a", "--colour", "red"], "No such option '--colour'"),
        (["click", "--help"], "No such option '--help'"),
        (["resize", "a", "b"], "'a' is not a valid integer"),
        (["navigate", "javascript:alert(1)"], "must not be a javascript: address"),
        (["cookies", "bogus"], "cookies was refused: Invalid value"),
        (["fill", "#i", "-5"], 'Put "--" before what begins with "-"'),
        (["storage", "set", "--items", "[" * 100_000], "It is not JSON"),
        (["storage", "set", "--items", "{'token': 'sesame'"], "It is not JSON"),
        (["config", "set", "a", "b"], "There is no command 'config'."),
    ],
)
async def test_what_cannot_be_read_is_refused_with_what_can_and_nothing_is_done(
    context: ToolContext, capfd: pytest.CaptureFixture[str], args: Any, says: str
):
    await do(context, "evaluate", expression="document.title = 'as it was'")
    outcome = await native().call(context, "agent_browser", {"args": args})
    assert outcome.error is not None
    assert outcome.error.code == "VALIDATION_ERROR"
    assert says in f"{outcome.error.message} {outcome.error.hint}"
    assert "sesame" not in str(outcome.as_dict())
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


async def test_a_pause_is_its_own_limit(context: ToolContext):
    assert (await run(context, "wait", "--time", "300ms", "--timeout", "100ms")).success
    _, given = agent_browser({"args": ["wait", "--time", "40s"]})
    assert getattr(VERBS["wait"].read(given), "timeout", 0) > 40_000


@pytest.mark.parametrize("word", ["|", ">", "-5", "--", "&&"])
async def test_any_word_can_be_a_value(context: ToolContext, site: Site, word: str):
    await do(context, "navigate", url=site.page("/native/word", PAGE))
    dashes = ["--"] if word.startswith("-") else []
    assert (await run(context, "fill", "#i", *dashes, word)).success
    assert await value(context, "i.value") == word
    words = words_of(VERBS["fill"], {"selector": "#i", "text": word})
    assert VERBS["fill"].read(read(words)[1]) == VERBS["fill"].read(
        {"selector": "#i", "text": word}
    )


async def test_a_long_word_is_not_repeated(context: ToolContext):
    for args in (["click", "--" + "y" * 100_000], ["y" * 100_000]):
        assert len((await run(context, *args)).text()) < 2000


@pytest.mark.proves("U-30")
async def test_secrets_of_a_command_line_are_not_in_the_journal(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/native/secret", PAGE))
    await run(context, "fill", "#i", "sesame1")
    await run(context, "type", "#i", "sesame2", "--clear")
    items = json.dumps({"k": "sesame3"})
    await run(context, "storage", "set", "--items", items)
    await run(context, "storage", "set", "--items", items[:-1])
    await run(context, "fill", "#i", "sesame4", "extra")
    steps = [{"tool": "agent_browser", "args": {"args": ["fill", "#i", "sesame5", "extra"]}}]
    await native().call(context, "browser_batch", {"steps": steps})
    kept = [entry for entry in context.journal.entries if entry.get("action") == "agent_browser"]
    assert len(kept) >= 5
    assert "sesame" not in str(kept)
    assert any(entry["parameters"].get("selector") == "#i" for entry in kept)


async def test_what_to_do_next_is_a_command_line(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/native/next", PAGE))
    missed = await run(context, "click", "text=Add to crt")
    (step,) = missed.next_actions
    assert step.verb == "agent_browser"
    assert step.params["args"][0] == "click"
    assert (await native().call(context, step.verb, step.params)).success


async def test_a_defect_in_reading_a_line_is_told_and_not_raised(
    context: ToolContext, monkeypatch: pytest.MonkeyPatch
):
    def broken(*_: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr("tabwright.argv.command.read", broken)
    outcome = await run(context, "click", "#i")
    assert outcome.error is not None
    assert outcome.error.code == "UNKNOWN_ERROR"
    assert "RuntimeError" in outcome.error.message
