"""`tabwright onboard` as a script and a person run it."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import click
import pytest
from inline_snapshot import snapshot

from support.engine import browser_processes
from support.machine import DEADLINE_S, Machine
from tabwright.clients import CLIENTS
from tabwright.config import places
from tabwright.faces.cli.program import program


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path, tmp_path / "cache")
    # Found there, we are started by our name alone.
    name = tmp_path / "bin" / "tabwright"
    name.parent.mkdir()
    name.touch(mode=0o755)
    machine.env["PATH"] = f"{name.parent}:{machine.env['PATH']}"
    return machine


def config(machine: Machine) -> Path:
    return places({}, machine.home).user_file


def entries(home: Path) -> set[str]:
    return {path.name for path in home.iterdir()}


@pytest.mark.proves("S0-18")
def test_a_script_saves_what_the_form_would(machine: Machine):
    settings = ("tools.browser.enabled=true", "tools.browser.sessionTimeout=1h30m")
    out, err = machine.run("onboard", *(word for each in settings for word in ("--set", each)))
    assert tomllib.loads(config(machine).read_text(encoding="utf-8")) == {
        "tools": {"browser": {"enabled": True, "sessionTimeout": "1h30m"}}
    }
    first, *_ = out.splitlines()
    told = f"Saved in {config(machine)}: tools.browser.enabled, tools.browser.sessionTimeout."
    assert first == told
    assert err == ""
    assert all(f"\n{client.title}: {machine.home}" in out for client in CLIENTS)
    assert browser_processes(machine.home) == []


@pytest.mark.proves("S0-19")
@pytest.mark.parametrize("wrong", ["5 minutes", "abc", "-5m"])
def test_a_script_saves_all_or_nothing(machine: Machine, wrong: str):
    before = entries(machine.home)
    right = ("--set", "tools.browser.enabled=true")
    late = ("--set", f"tools.browser.sessionTimeout={wrong}")
    _, err = machine.run("onboard", *right, *late, "--set", "browser.sandbx=on", code=5)
    assert f"tools.browser.sessionTimeout = '{wrong}': must be a duration" in err
    assert "did you mean 'browser.sandbox'?" in err
    assert entries(machine.home) == before


def test_a_setting_may_stand_before_the_command(machine: Machine):
    done = machine.json("--set", "tools.browser.enabled=true", "onboard", "--client", "cursor")
    assert done["saved"] == {"path": str(config(machine)), "keys": ["tools.browser.enabled"]}
    assert [row["client"] for row in done["clients"]] == ["cursor"]


def test_what_another_source_wins_over_is_told(machine: Machine):
    machine.env["TABWRIGHT_BROWSER__HEADLESS"] = "true"
    _, err = machine.run("onboard", "--set", "browser.headless=false")
    assert "browser.headless has no effect here: the environment" in err


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_a_snippet_can_be_sent_into_a_file(machine: Machine, client):
    before = entries(machine.home)
    out, err = machine.run("onboard", "--client", client.name)
    tree = tomllib.loads(out) if client.name == "codex" else json.loads(out)
    entry = tree[client.key]["tabwright"]
    assert (entry["command"], entry["args"]) == ("tabwright", ["mcp"])
    assert program.get_command(click.Context(program), entry["args"][0]) is not None
    assert f"{client.title}: {machine.home}" in err
    assert "Browser tools are off" in err
    assert entries(machine.home) == before


def test_we_are_named_by_our_whole_path_where_path_does_not_lead_to_us(machine: Machine):
    machine.env["PATH"] = "/nowhere"
    out, _ = machine.run("onboard", "--client", "cursor")
    beside = Path(sys.executable).with_name("tabwright")
    wanted = str(beside) if beside.is_file() else "tabwright"
    assert json.loads(out)["mcpServers"]["tabwright"]["command"] == wanted


def test_a_snippet_is_written_into_the_clients_file_and_the_doctor_finds_it(machine: Machine):
    file = machine.home / ".cursor/mcp.json"
    file.parent.mkdir()
    file.write_text('{"mcpServers": {"other": {"command": "x"}}}', encoding="utf-8")
    out, _ = machine.run("onboard", "--client", "cursor", "--write")
    assert out.replace(str(machine.home), "~") == snapshot(
        "'tabwright' was added to 'mcpServers' in ~/.cursor/mcp.json; the rest is as it was.\n"
    )
    servers = json.loads(file.read_text(encoding="utf-8"))["mcpServers"]
    assert servers == {"other": {"command": "x"}, "tabwright": servers["tabwright"]}
    again = machine.json("onboard", "--client", "cursor", "--write")
    assert again["clients"][0]["change"] == "none"
    machine.env["TABWRIGHT_CONTROLSERVER__ENABLED"] = "false"
    with machine.start("doctor", "--json") as doctor:
        found = json.loads(doctor.communicate(timeout=DEADLINE_S)[0])["findings"]
    told = [each["found"] for each in found if each["check"] == "clients"]
    assert told == ["Told about Tabwright once: Cursor."]


def test_a_file_that_cannot_be_parsed_is_refused(machine: Machine):
    file = machine.home / ".cursor/mcp.json"
    file.parent.mkdir()
    file.write_text("{ // mine\n}", encoding="utf-8")
    _, err = machine.run("onboard", "--client", "cursor", "--write", code=5)
    assert "was left alone: it is not JSON without comments" in err
    assert '"command": "tabwright"' in err
    assert file.read_text(encoding="utf-8") == "{ // mine\n}"


def test_what_was_saved_before_a_file_was_refused_is_told(machine: Machine):
    file = machine.home / ".cursor/mcp.json"
    file.parent.mkdir()
    file.write_text("nothing", encoding="utf-8")
    both = ("onboard", "--set", "tools.browser.enabled=true", "--client", "cursor", "--write")
    out, _ = machine.run(*both, code=5)
    assert out == f"Saved in {config(machine)}: tools.browser.enabled.\n"
    refused = machine.json(*both, code=5)
    assert refused["error"]["details"]["saved"] == ["tools.browser.enabled"]


def test_a_wrong_configuration_keeps_no_snippet_back(machine: Machine):
    machine.env["TABWRIGHT_BROWSER__HEADLESS"] = "perhaps"
    out, _ = machine.run("onboard", "--client", "cursor")
    assert "tabwright" in json.loads(out)["mcpServers"]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--client", "emacs"], "There is no client 'emacs'."),
        (["--write"], "--write needs --client."),
        (["--set", "headless"], "'headless' is not KEY=VALUE"),
        ([], "The form needs a terminal."),
    ],
)
def test_wrong_usage_changes_nothing(machine: Machine, args: list[str], says: str):
    before = entries(machine.home)
    _, err = machine.run("onboard", *args, code=2)
    assert says in err
    assert "\nHint: " in err
    assert entries(machine.home) == before


def test_a_broken_file_is_refused_before_the_form_opens(machine: Machine):
    config(machine).parent.mkdir(parents=True)
    config(machine).write_text("[browser\n", encoding="utf-8")
    shown, code = on_terminal(machine, [])
    assert code == 5
    assert "not TOML" in shown
    assert config(machine).read_text(encoding="utf-8") == "[browser\n"


def on_terminal(machine: Machine, keys: list[tuple[str, bytes]]) -> tuple[str, int]:
    """Run the form on a terminal, sending keys when a text is seen; returns all that it showed."""
    ours, theirs = pty.openpty()
    env = {**machine.env, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    command = [sys.executable, "-m", "tabwright", "onboard"]
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    process = subprocess.Popen(
        command, cwd=machine.home, env=env, start_new_session=True, **streams
    )
    os.close(theirs)
    shown, end = b"", time.monotonic() + DEADLINE_S
    try:
        while time.monotonic() < end:
            if keys and keys[0][0].encode() in shown:
                os.write(ours, keys.pop(0)[1])
            if not select.select([ours], [], [], 1)[0]:
                continue
            try:
                read = os.read(ours, 65536)
            except OSError:
                # Linux ends the stream of a terminal that nobody holds any more so.
                break
            if not read:
                break
            shown += read
        return shown.decode(errors="replace"), process.wait(timeout=DEADLINE_S)
    finally:
        process.kill()
        process.wait()
        os.close(ours)


@pytest.mark.proves("S0-18")
def test_a_person_on_a_real_terminal_switches_the_browser_on(machine: Machine):
    shown, code = on_terminal(machine, [("Browser Enabled", b" "), ("Allowed Paths", b"\r")])
    assert code == 0
    tree = tomllib.loads(config(machine).read_text(encoding="utf-8"))
    assert tree == {"tools": {"browser": {"enabled": True}}}
    told = shown.rpartition("Saved in ")[2]
    assert all(f"{client.title}: " in told for client in CLIENTS)
    assert "mcp_servers.tabwright" in told


@pytest.mark.proves("S0-20")
def test_a_person_on_a_real_terminal_changes_his_mind(machine: Machine):
    before = entries(machine.home)
    shown, code = on_terminal(machine, [("Browser Enabled", b" "), ("Allowed Paths", b"\x1b")])
    assert code == 0
    assert "Nothing was saved." in shown
    assert entries(machine.home) == before
