"""The command line: how it is derived, what it prints, and how it ends."""

from __future__ import annotations

import io
import json
import shlex
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click
import pytest
from inline_snapshot import snapshot

from support.engine import browser_processes
from support.machine import DEADLINE_S, Machine
from support.site import Site
from tabwright.argv.command import verbs_by_command
from tabwright.argv.parameter import DescribedArgument, command_line
from tabwright.dispatch import call
from tabwright.engine.cdp import CDPClient
from tabwright.engine.context import ToolContext
from tabwright.faces.cli import main
from tabwright.faces.cli.answer import answer
from tabwright.faces.cli.output import print_text
from tabwright.faces.cli.program import program
from tabwright.faces.cli.terminal import Terminal
from tabwright.faces.cli.verb_command import command_of
from tabwright.faces.cli.visit import Visit
from tabwright.verb import Verb
from tabwright.verbs import VERBS

if TYPE_CHECKING:
    from tabwright.faces.cli.server import Server

COMMANDS = pytest.mark.parametrize("verb", VERBS.values(), ids=lambda verb: verb.name)


async def typed(*args: str) -> tuple[int, str, str]:
    """What the server answers to a command line that it does not get to do."""
    terminal = Terminal(io.StringIO(), io.StringIO())
    visit = Visit(Path.cwd(), {}, terminal, cast("Server", None), cast("Any", None))
    code = await answer(list(args), visit)
    return code, terminal.out.getvalue(), terminal.err.getvalue()


def parsed(verb: str, *args: str) -> dict[str, Any]:
    """What a command line gives for the parameters of a verb."""
    command = command_of(verb.replace("_", "-"))
    assert command is not None
    params = command.make_context(verb, list(args)).params
    return {name: value for name, value in params.items() if value is not None}


@COMMANDS
def test_every_parameter_of_every_verb_can_be_given_and_is_described(verb: Verb):
    command = program.get_command(click.Context(program), verb.name.replace("_", "-"))
    assert command is not None
    own = {each.name: each for each in command.params if each.expose_value and each.name != "at"}
    assert set(own) == {field.alias or name for name, field in verb.params.model_fields.items()}
    for each in own.values():
        text = each.description if isinstance(each, DescribedArgument) else each.help
        assert text, each.name
    flags = [flag for each in command.params for flag in (*each.opts, *each.secondary_opts)]
    assert len(flags) == len(set(flags))


@COMMANDS
def test_the_example_of_every_verb_is_a_command_line_that_says_the_same(verb: Verb):
    example = verb.params.example
    words = shlex.split(command_line(verb, example)) if example else ["", verb.name]
    assert parsed(verb.name, *words[2:]) == example


@pytest.mark.parametrize(
    ("line", "given"),
    [
        ("evaluate 1+1", {"expression": "1+1"}),
        ("evaluate f --args '[1, \"a\"]'", {"expression": "f", "args": [1, "a"]}),
        ("evaluate f --no-await", {"expression": "f", "await": False}),
        ("evaluate f --timeout 500", {"expression": "f", "timeout": 500.0}),
        ("evaluate f --timeout 1m30s", {"expression": "f", "timeout": "1m30s"}),
        ("screenshot", {}),
        ("screenshot a.jpg --quality 7", {"path": "a.jpg", "quality": 7}),
        ("screenshot --full-page", {"fullPage": True}),
        ("screenshot --clip 0,0,3,2 --at x.org", {"clip": "0,0,3,2", "at": "x.org"}),
        ("resize 800 600", {"width": 800, "height": 600}),
        ("tabs", {}),
        ("tabs close --tab t2", {"action": "close", "tab": "t2"}),
    ],
)
def test_words_become_the_values_that_the_verb_takes(line: str, given: dict[str, Any]):
    verb, *args = shlex.split(line)
    assert parsed(verb, *args) == given


@pytest.mark.parametrize(
    ("line", "says", "help_of"),
    [
        ("navgate x", "no command 'navgate'. Did you mean 'navigate'?", "tabwright"),
        ("navigate", "Missing argument 'URL'", "tabwright navigate"),
        ("navigate x --wait-untl load", "--wait-until", "tabwright navigate"),
        ("navigate x --wait-until never", "'load', 'domcontentloaded'", "tabwright navigate"),
        ("resize wide high", "'wide' is not a valid integer", "tabwright resize"),
        ("evaluate f --args [1", "It is not JSON such as '[1, \"two\"]'", "tabwright evaluate"),
        ("--set headless snapshot", "'headless' is not KEY=VALUE", "tabwright"),
    ],
)
async def test_what_cannot_be_read_is_refused_with_a_next_step(line: str, says: str, help_of: str):
    code, out, err = await typed(*shlex.split(line))
    assert code == 2
    error, hint = err.splitlines()
    assert out == ""
    assert error.startswith("Error: ")
    assert says in error
    assert hint == f"Hint: Run `{help_of} --help`."


def test_a_command_of_a_group_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]):
    assert main(["config", "shw"]) == 2
    assert "No such command 'shw'" in capsys.readouterr().err


async def test_programs_get_refusals_as_json():
    code, out, _ = await typed("navigate", "--json")
    assert code == 2
    reply = json.loads(out)
    assert (reply["success"], reply["action"]) == (False, "navigate")
    assert reply["error"]["code"] == "VALIDATION_ERROR"


def test_help_lists_every_command_under_its_subject(capsys: pytest.CaptureFixture[str]):
    assert main([]) == 0
    text = capsys.readouterr().out
    headings = [line for line in text.splitlines() if line.endswith(":")]
    assert "Going to pages:" in headings
    assert headings[-2:] == ["Setting up:", "Other names:"]
    assert all(f"\n  {name} " in text for name in (*verbs_by_command(), "install", "config"))


@pytest.mark.parametrize(
    ("option", "heavy"),
    [("--version", {"pydantic", "tabwright.engine"}), ("--help", {"playwright", "PIL"})],
)
def test_what_is_heavy_is_not_imported_to_answer(option: str, heavy: set[str]):
    answer = f"from tabwright.faces.cli import main; assert main([{option!r}]) == 0"
    look = f"import sys; assert not {heavy} & sys.modules.keys()"
    ran = subprocess.run([sys.executable, "-c", f"{answer}; {look}"], capture_output=True)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_the_words_of_a_page_cannot_move_the_cursor(capsys: pytest.CaptureFixture[str]):
    print_text("a\tb\nc \x1b[2J \x9b1A \r \N{SNOWMAN}")
    assert capsys.readouterr().out == "a\tb\nc \\x1b[2J \\x9b1A \\x0d \N{SNOWMAN}\n"


def test_shared_options_stand_before_or_after_the_command(machine: Machine):
    change = ("--set", "browser.headless=false")
    before = json.loads(machine.run("--json", *change, "config", "show")[0])
    after = json.loads(machine.run("config", "show", *change, "--json")[0])
    assert before == after
    (row,) = [row for row in after if row["key"] == "browser.headless"]
    assert row == {"key": "browser.headless", "value": False, "origin": "flag browser.headless"}


def test_navigate_prints_where_it_is_as_text_and_as_json(machine: Machine, site: Site):
    url = site.page("/cli/navigate", "<p>Fresh bread", title="Bakery")
    assert machine.run("navigate", url) == (f"Bakery - {url}\nFresh bread\n", "")
    reply = machine.json("navigate", url, "--wait-until", "domcontentloaded")
    assert reply["success"] is True
    assert (reply["result"]["status"], reply["result"]["title"]) == (200, "Bakery")


def test_a_screenshot_without_a_path_is_a_file_that_stays(machine: Machine, site: Site):
    url = site.page("/cli/shot", "<body style='background: teal'>")
    out, _ = machine.run("screenshot", "--at", url)
    assert len(out) < 300, "the picture itself is not printed"
    path = Path(out.strip().partition(" in ")[2])
    assert path.is_relative_to(machine.home)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_a_pdf_without_a_path_is_a_file_that_stays(machine: Machine, site: Site):
    reply = machine.json("pdf", "--at", site.page("/cli/pdf", "<h1>On paper"))
    assert Path(reply["result"]["path"]).read_bytes().startswith(b"%PDF")


def test_a_value_too_long_for_the_terminal_is_a_file_that_stays(machine: Machine):
    reply = machine.json("evaluate", "'x'.repeat(5000)")
    assert json.loads(Path(reply["result"]["path"]).read_text("utf-8")) == "x" * 5000


def test_the_exit_code_says_what_kind_of_error_it_was(machine: Machine, site: Site):
    gone = site.page("/cli/gone", "gone", status=404)
    for code, args in {
        1: ("navigate", gone),
        2: ("navigate", "javascript:alert(1)"),
        4: ("screenshot", "../" * 20 + "nowhere/outside.png"),
        5: ("evaluate", "1", "--set", "browser.headless=perhaps"),
    }.items():
        out, err = machine.run(*args, code=code)
        assert out == ""
        assert err.startswith("Error: ")
        assert "\nHint: " in err
    _, err = machine.run("screenshot", "--at", gone, code=1)
    assert "404" in err


def test_wrong_input_starts_nothing_and_shows_how_to_type_it(machine: Machine):
    _, err = machine.run("screenshot", "--quality", "5", code=2)
    assert err == snapshot("""\
Error: screenshot was refused: `quality` goes with type 'jpeg' only.
Hint: Example: `tabwright screenshot page.png --full-page`.
""")
    assert browser_processes(machine.home) == []


def test_an_unknown_profile_is_refused(machine: Machine):
    reply = machine.json("--profile", "isolatd", "evaluate", "1", code=2)
    assert reply["error"]["details"]["hint"].startswith("Did you mean 'isolated'?")


def test_a_key_that_was_set_is_shown_with_its_file(machine: Machine):
    machine.run("config", "set", "browser.idleTimeout", "5m")
    machine.run("config", "set", "--project", "browser.args", '["--mute-audio"]')
    rows = {row["key"]: row for row in machine.json("config", "show")}
    paths = machine.json("config", "path")
    assert rows["browser.idleTimeout"]["value"] == "5m"
    assert rows["browser.idleTimeout"]["origin"] == f"user file {paths['user']}"
    assert rows["browser.args"]["origin"] == f"project file {paths['project']}"
    out, _ = machine.run("config", "show")
    assert any(line.split()[:2] == ["browser.idleTimeout", "5m"] for line in out.splitlines())


def test_a_key_that_the_environment_wins_over_is_told(machine: Machine):
    machine.env["TABWRIGHT_BROWSER__HEADLESS"] = "false"
    _, err = machine.run("config", "set", "browser.headless", "true")
    assert err == snapshot(
        "It has no effect here: the environment TABWRIGHT_BROWSER__HEADLESS wins.\n"
    )


def test_a_wrong_value_is_not_written(machine: Machine):
    _, err = machine.run("config", "set", "browser.headless", "perhaps", code=5)
    assert "must be true or false" in err
    assert [*machine.home.iterdir()] == []


def archive(path: Path, name: str = "chrome-headless-shell") -> Path:
    """A browser that can only say its version."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        packed.writestr(f"build/{name}", "#!/bin/sh\necho Chromium 141.0.7300.5\n")
    path.write_bytes(content.getvalue())
    return path


def test_a_browser_is_installed_from_an_archive_once(tmp_path: Path):
    machine = Machine(tmp_path, tmp_path / "cache")
    file = str(archive(tmp_path / "brought.zip"))
    out, _ = machine.run("install", "--from", file)
    assert out.splitlines()[0] == "Headless shell 141.0.7300.5, installed"
    (again,) = machine.json("install", "--shell")
    assert again["alreadyThere"] is True
    machine.run("install", "--full", "--from", file, code=3)
    machine.run("install", "--from", "nothing.zip", code=2)
    machine.run("install", "--from", file, "--source", "cft", code=2)


@pytest.mark.proves("S3-BM-04", "S3-12.5")
async def test_a_browser_can_be_launched_by_hand_joined_and_closed(machine: Machine):
    with machine.start("launch", "--json") as process:
        assert process.stdout is not None
        facts = json.loads(process.stdout.readline())
        client = CDPClient()
        await client.connect(facts["cdpEndpoint"])
        assert (await client.get_browser_version()).browser == facts["browser"]
        await client.disconnect()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=DEADLINE_S)
    assert process.returncode == 130
    assert browser_processes(machine.home) == []
    assert machine.leftovers() == []


@pytest.mark.proves("S3-ERR-03")
async def test_an_error_has_the_same_shape_from_the_door_and_from_the_command_line(
    machine: Machine, context: ToolContext, site: Site
):
    url = site.page("/cli/shape", "shape")
    await call(context, "navigate", {"url": url})
    door = (await call(context, "screenshot", {"selector": "#none"})).as_dict()
    line = machine.json("screenshot", "--selector", "#none", "--at", url, code=1)
    for body in (door, line):
        body["executionTime"] = body["timestamp"] = body["error"]["timestamp"] = ""
        assert body["error"]["details"].pop("waitedMs") > 0
    assert line == door


def test_a_reader_that_leaves_early_gets_no_complaint(machine: Machine):
    with machine.start("config", "show") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.wait(DEADLINE_S) == 1
        assert process.stderr.read() == ""
