"""`tabwright doctor` as a person or a program runs it."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.machine import DEADLINE_S, Machine
from tabwright.config import Settings
from tabwright.doctor import CHECKS
from tabwright.faces.cli.doctor import command

PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


def bare(home: Path, cache: Path) -> Machine:
    """A machine on which nothing is wrong that the test did not put there."""
    machine = Machine(home, cache)
    for name in [name for name in machine.env if name.lower() in PROXIES]:
        del machine.env[name]
    with socket.create_server(("127.0.0.1", 0)) as free:
        machine.env["TABWRIGHT_CONTROLSERVER__PORT"] = str(free.getsockname()[1])
    return machine


@pytest.fixture
def machine(tmp_path: Path, settings: Settings) -> Machine:
    return bare(tmp_path, settings.paths.cache_dir)


def put(path: Path, text: str, mode: int = 0o600) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


def facts(home: Path) -> dict[str, tuple[int, ...]]:
    """Everything below a directory, and when it was last changed in any way."""
    found = {}
    for path in [home, *home.rglob("*")]:
        stat = path.lstat()
        found[str(path)] = (stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size, stat.st_mode)
    return found


def mess(home: Path) -> Path:
    """Something wrong in every file that the doctor looks into; returns the token."""
    put(home / ".config/tabwright/config.toml", "[browser]\nheadles = true\n")
    put(home / ".cursor/mcp.json", "{ not json")
    two = {name: {"command": "tabwright", "args": ["mcp"]} for name in ("one", "two")}
    put(home / ".claude.json", json.dumps({"mcpServers": two}))
    state = home / ".local/share/tabwright"
    left = state / "profiles/run-dead"
    dead = {"owner": 2**22 + 1, "ownerBorn": 1.0, "processes": {}, "directories": [str(left)]}
    put(state / "profiles/.runs/run-dead.json", json.dumps(dead))
    left.mkdir()
    (state / "profiles/isolated").mkdir()
    lock = state / "profiles/isolated/SingletonLock"
    lock.symlink_to(f"{socket.gethostname()}-{2**22 + 1}")
    return put(state / "token", "hush", 0o644)


@pytest.mark.proves("S4-07")
def test_nothing_in_the_whole_home_is_touched_however_much_is_wrong(machine: Machine):
    mess(machine.home)
    before = facts(machine.home)
    machine.run("doctor", code=1)
    found = machine.json("doctor", code=1)
    assert facts(machine.home) == before
    wrong = {each["check"] for each in found["findings"] if each["state"] != "ok"}
    assert {"configuration", "secrets", "leftovers", "profile locks", "clients"} <= wrong


@pytest.mark.proves("S4-07")
def test_a_machine_without_failures_passes_and_every_check_says_something(machine: Machine):
    before = facts(machine.home)
    found = machine.json("doctor")
    assert found["success"] is True
    assert found["summary"]["failure"] == 0
    assert list(dict.fromkeys(each["check"] for each in found["findings"])) == [*CHECKS]
    assert all(each["found"] for each in found["findings"])
    assert all(each["mend"] for each in found["findings"] if each["state"] != "ok")
    assert facts(machine.home) == before


def test_the_docs_name_every_check_and_every_option():
    page = (Path(__file__).resolve().parents[2] / "docs/doctor.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| ([a-z -]+?) \|", page)
    assert rows == [*CHECKS]
    flags = {flag for each in command.params if each.expose_value for flag in each.opts}
    assert flags <= set(re.findall(r"(?m)^\| `(--[a-z-]+)", page))


@pytest.mark.proves("S4-07")
def test_wrong_usage_has_an_exit_code_of_its_own(machine: Machine):
    machine.run("doctor", "--cwd", "nowhere", code=2)
    machine.run("doctor", "--config-dir", "nowhere", code=2)
    machine.run("doctor", "--client-settings", "nowhere.json", code=2)
    machine.run("doctor", "--mend", code=2)
    assert [*machine.home.iterdir()] == []


@pytest.mark.proves("S4-07")
def test_the_options_say_where_to_look(machine: Machine):
    put(machine.home / "settings/config.toml", "x = 1\n")
    put(machine.home / "project/tabwright.toml", "y = 1\n")
    two = {name: {"command": "tabwright", "args": ["mcp"]} for name in ("one", "two")}
    extra = put(machine.home / "extra.json", json.dumps({"mcpServers": two}))

    def failures(*args: str) -> str:
        done = machine.start("doctor", "--json", *args)
        found = json.loads(done.communicate(timeout=DEADLINE_S)[0])["findings"]
        return "\n".join(each["found"] for each in found if each["state"] == "failure")

    assert failures() == ""
    assert "settings/config.toml: x = 1" in failures("--config-dir", "settings")
    assert "project/tabwright.toml: y = 1" in failures("--cwd", "project")
    named = ("--client-settings", extra.name)
    assert "'one' in" in failures(*named)
    assert failures(*named, "--skip-clients") == ""


def test_fix_does_what_is_safe_and_says_so(machine: Machine):
    token = mess(machine.home)
    found = machine.json("doctor", "--fix", code=1)
    fixed = {each["check"]: each["fixed"] for each in found["findings"] if each["fixed"]}
    assert set(fixed) == {"secrets", "leftovers", "profile locks"}
    assert fixed["secrets"] == f"{token} has mode 0600 now."
    assert fixed["leftovers"] == "0 browsers ended, 1 directory removed."
    assert machine.leftovers() == []
    config = machine.home / ".config/tabwright/config.toml"
    assert config.read_text(encoding="utf-8") == "[browser]\nheadles = true\n"
    again = machine.json("doctor", code=1)["findings"]
    wrong = {each["check"] for each in again if each["state"] == "failure"}
    assert wrong == {"configuration", "clients"}


def test_a_person_gets_a_table_and_commands_that_can_be_copied(machine: Machine):
    token = put(machine.home / ".local/share/tabwright/token", "hush", 0o644)
    out, err = machine.run("doctor", code=1)
    assert err == ""
    lines = out.splitlines()
    assert any(line.split()[:2] == ["failure", "secrets"] for line in lines)
    assert f"secrets: chmod 600 {token}" in lines
    assert lines[-1].endswith("1 failure")


def test_no_browser_is_a_warning_and_none_is_obtained(tmp_path: Path):
    machine = bare(tmp_path, tmp_path / "cache")
    machine.env["PATH"] = "/nowhere"
    machine.env["PLAYWRIGHT_BROWSERS_PATH"] = str(tmp_path / "none")
    found = machine.json("doctor", "--set", "browser.executablePath=")
    (browser,) = [each for each in found["findings"] if each["check"] == "browser"]
    if browser["state"] == "ok":
        pytest.skip("this machine has a browser in a place that no setting hides")
    assert browser["state"] == "warning"
    assert browser["mend"] == "tabwright install"
    assert [*tmp_path.iterdir()] == []


@pytest.fixture
def open_home() -> Iterator[Path]:
    """A home that every user can reach, with things in it that only its owner may read."""
    home = Path(tempfile.mkdtemp(prefix="tabwright-doctor-"))
    home.chmod(0o755)
    put(home / ".config/tabwright/config.toml", "[browser]\n").parent.chmod(0o700)
    put(home / ".cursor/mcp.json", "{}")
    put(home / ".local/share/tabwright/token", "hush")
    yield home
    shutil.rmtree(home)


# Whoever changes the user after everything was imported can still run it.
AS_NOBODY = """
import contextlib, io, os, sys
from tabwright.faces.cli import main
with contextlib.redirect_stdout(io.StringIO()):
    main(["doctor", "--json"])
os.setgroups([]); os.setgid(65534); os.setuid(65534)
sys.exit(main(["doctor", "--json"]))
"""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can")
def test_another_user_is_told_what_he_may_not_read(open_home: Path, settings: Settings):
    env = bare(open_home, settings.paths.cache_dir).env
    before = facts(open_home)
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY],
        cwd=open_home,
        env=env,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
    )
    assert (done.returncode, done.stderr) == (1, "")
    found = json.loads(done.stdout)["findings"]
    told = "\n".join(each["found"] for each in found if each["state"] != "ok")
    assert "cannot be looked at: Permission denied" in told
    assert "mcp.json was not looked at: it cannot be read: Permission denied" in told
    assert f"{open_home}/.local/share/tabwright/token belongs to another user" in told
    assert "paths.userDataBaseDir cannot be written" in told
    assert facts(open_home) == before
