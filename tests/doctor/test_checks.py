"""What each check finds, and what it says to do."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from tabwright.doctor import CHECKS, Finding, Machine, examine, mend, sandbox
from tabwright.engine.ledger import Run

GONE = 2**22 + 1
"""A number that no process has."""


def states(findings: list[Finding]) -> list[str]:
    return [finding.state for finding in findings]


def script(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_every_problem_of_the_configuration_is_told_with_its_cure(check: Any, tmp_path: Path):
    (tmp_path / "tabwright.toml").write_text("[browser]\nheadles = 1\n", encoding="utf-8")
    env = {"TABWRIGHT_CONTROLSERVER__PORT": "80", "TABWRIGHT_BROWSER__EXECUTABLEPATH": "/no/such"}
    failures = [each for each in check("configuration", env) if each.state == "failure"]
    assert [each.mend for each in failures] == [
        f"Correct browser.headles in {tmp_path}/tabwright.toml",
        "unset TABWRIGHT_CONTROLSERVER__PORT",
        "unset TABWRIGHT_BROWSER__EXECUTABLEPATH",
    ]


def test_what_is_right_in_a_broken_configuration_still_counts(tmp_path: Path):
    (tmp_path / "tabwright.toml").write_text("not toml", encoding="utf-8")
    env = {"HOME": str(tmp_path), "TABWRIGHT_CONTROLSERVER__PORT": "20001"}
    machine = Machine.here(cwd=tmp_path, env=env)
    assert len(machine.problems) == 1
    assert machine.settings.control_server.port == 20001
    assert len(examine(machine)) >= len(CHECKS)


@pytest.mark.parametrize(("given", "warned"), [("true", False), ("false", False), ("", True)])
def test_tools_that_are_off_because_nobody_decided_are_told(check: Any, given: str, warned: bool):
    found = check("configuration", {"TABWRIGHT_TOOLS__BROWSER__ENABLED": given})
    assert ("warning" in states(found)) is warned


@pytest.mark.proves("S4-07")
def test_a_runtime_that_is_too_old_fails(check: Any, monkeypatch: pytest.MonkeyPatch):
    assert states(check("runtime")) == ["ok"]
    monkeypatch.setattr(sys, "version_info", (3, 10, 9, "final", 0))
    (old,) = check("runtime")
    assert old.state == "failure"
    assert "needs 3.11" in old.found


def test_the_browser_is_found_started_and_named_with_its_version(check: Any):
    first = check("browser")[0]
    assert first.state == "ok"
    assert any(part.count(".") == 3 for part in first.found.split())


def test_a_browser_that_does_not_start_fails(check: Any, tmp_path: Path):
    broken = script(tmp_path / "chrome-headless-shell", "echo libnss3.so: not found >&2; exit 127")
    (found,) = check("browser", {"TABWRIGHT_BROWSER__EXECUTABLEPATH": str(broken)})
    assert found.state == "failure"
    assert "libnss3.so: not found" in found.found
    assert found.mend == "tabwright install --force"


def test_a_configured_browser_that_is_missing_fails(check: Any):
    (found,) = check("browser", {"TABWRIGHT_BROWSER__EXECUTABLEPATH": "/no/such"})
    assert found.state == "failure"
    assert "'/no/such' does not exist" in found.found


@pytest.mark.proves("R-3")
@pytest.mark.parametrize(
    ("choice", "reason", "state"),
    [
        ("auto", "", "ok"),
        ("auto", "no namespaces", "warning"),
        ("on", "no namespaces", "failure"),
        ("on", "", "ok"),
        ("off", "", "warning"),
    ],
)
def test_a_sandbox_that_is_off_is_never_silent(
    check: Any, monkeypatch: pytest.MonkeyPatch, choice: str, reason: str, state: str
):
    monkeypatch.setattr(sandbox, "obstacle", lambda: (reason, "cure"))
    (found,) = check("sandbox", {"TABWRIGHT_BROWSER__SANDBOX": choice})
    assert found.state == state
    assert reason in found.found


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
def test_root_has_no_sandbox_and_namespaces_are_tried(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert "as root" in sandbox.obstacle()[0]
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(sandbox, "APPARMOR", Path("/nowhere"))
    monkeypatch.setattr(sandbox, "PROBE", "raise SystemExit(1)")
    assert "namespaces" in sandbox.obstacle()[0]
    monkeypatch.setattr(sandbox, "PROBE", "raise SystemExit(0)")
    assert sandbox.obstacle() == ("", "")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have fonts")
def test_fonts_of_the_user_are_counted(check: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tabwright.doctor.font.SYSTEM", ())
    alone = {"TABWRIGHT_PATHS__CACHEDIR": str(tmp_path / "cache")}
    (none,) = check("fonts", alone)
    assert none.state == "warning"
    (tmp_path / ".fonts").mkdir()
    (tmp_path / ".fonts/one.TTF").touch()
    (one,) = check("fonts", alone)
    assert (one.state, one.found) == ("ok", "1 font file.")


@pytest.mark.parametrize(("free", "state"), [(5000, "ok"), (500, "warning"), (50, "failure")])
def test_little_room_is_told(check: Any, monkeypatch: pytest.MonkeyPatch, free: int, state: str):
    usage = SimpleNamespace(free=free * 10**6)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    found = check("disk")
    assert {*states(found)} == {state}
    assert f"{free} MB" in found[0].found


def test_a_file_in_the_place_of_a_directory_fails(check: Any, tmp_path: Path):
    (tmp_path / "file").touch()
    found = check("disk", {"TABWRIGHT_PATHS__ARTIFACTDIR": str(tmp_path / "file" / "within")})
    assert "failure" in states(found)


def test_a_port_that_another_program_has_fails_and_a_free_one_is_proposed(check: Any):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        (found,) = check("port", {"TABWRIGHT_CONTROLSERVER__PORT": str(port)})
    assert found.state == "failure"
    assert f"(pid {os.getpid()})" in found.found
    command, _, proposed = found.mend.rpartition(" ")
    assert command == "tabwright config set controlServer.port"
    assert int(proposed) != port
    assert states(check("port", {"TABWRIGHT_CONTROLSERVER__PORT": str(port)})) == ["ok"]


def test_the_server_that_commands_share_is_known_by_its_lock(check: Any, tmp_path: Path):
    assert states(check("server")) == ["ok"]
    home = Machine.here(cwd=tmp_path, env={"HOME": str(tmp_path)}).places.server
    home.mkdir(parents=True)
    home.chmod(0o755)
    (found,) = check("server")
    assert (found.state, found.mend) == ("failure", f"chmod 700 {home}")
    assert [each.fixed for each in mend([found])] == [f"{home} has mode 0700 now."]
    (home / "lock").write_text("17 0.0.1\n", encoding="ascii")
    assert states(check("server")) == ["ok"], "nobody holds the lock"
    with (home / "lock").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        (found,) = check("server")
    assert (found.state, found.mend) == ("warning", "tabwright stop")
    assert "Version 0.0.1 runs (pid 17)" in found.found


def test_a_port_that_we_have_is_ours(check: Any, tmp_path: Path):
    listen = (
        "import socket, sys; s = socket.create_server(('127.0.0.1', 0)); "
        "print(s.getsockname()[1], flush=True); sys.stdin.read()"
    )
    ours = ["tabwright", "-c", listen]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(ours, executable=sys.executable, **pipes) as server:
        port = server.stdout.readline().strip()
        (found,) = check("port", {"TABWRIGHT_CONTROLSERVER__PORT": port})
        server.communicate()
    assert (found.state, found.found) == ("ok", f"Tabwright listens on {port} (pid {server.pid}).")


def test_a_token_in_a_configuration_file_makes_it_a_secret(check: Any, tmp_path: Path):
    file = tmp_path / "tabwright.toml"
    text = '[profiles.away.connectionOptions]\nauthToken = "hush"\n'
    file.write_text(text, encoding="utf-8")
    file.chmod(0o640)
    (found,) = check("secrets")
    assert found.state == "failure"
    assert "its mode is 0640" in found.found
    assert [each.fixed for each in mend([found])] == [f"{file} has mode 0600 now."]
    assert states(check("secrets")) == ["ok"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
@pytest.mark.parametrize(
    ("env", "state"),
    [
        ({}, "failure"),
        ({"DISPLAY": ":987"}, "failure"),
        ({"DISPLAY": "other:0"}, "ok"),
        ({"WAYLAND_DISPLAY": "none", "XDG_RUNTIME_DIR": "/nowhere"}, "failure"),
    ],
)
def test_a_window_needs_a_display_that_answers(check: Any, env: dict[str, str], state: str):
    (found,) = check("display", {**env, "TABWRIGHT_BROWSER__HEADLESS": "false"})
    assert found.state == state
    assert states(check("display", env)) == ["ok"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
def test_a_display_that_answers_is_fine(
    check: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    env = {"WAYLAND_DISPLAY": "w", "XDG_RUNTIME_DIR": ".", "TABWRIGHT_BROWSER__HEADLESS": "false"}
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as display:
        display.bind("w")
        display.listen()
        assert states(check("display", env)) == ["ok"]


def test_a_proxy_is_asked_and_its_password_is_not_told(check: Any):
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        address = f"http://me:hush@127.0.0.1:{proxy.getsockname()[1]}"
        answers, loopback = check("proxies", {"https_proxy": address})
    assert answers.state == "ok"
    assert "hush" not in answers.found
    assert (loopback.state, loopback.mend) == ("warning", "export NO_PROXY=127.0.0.1,localhost")
    (gone,) = check("proxies", {"HTTPS_PROXY": address, "NO_PROXY": "localhost,127.0.0.1"})
    assert gone.state == "failure"
    assert "hush" not in gone.found + gone.mend


def test_an_address_that_is_none_fails(check: Any):
    found = check("proxies", {"ALL_PROXY": "http://:x", "NO_PROXY": "*"})
    assert states(found) == ["failure"]
    assert states(check("proxies")) == ["ok"]


def test_browsers_of_dead_runs_are_counted_and_ended_only_by_a_fix(check: Any, tmp_path: Path):
    base = tmp_path / ".local/share/tabwright/profiles"
    run = Run(base / ".runs", base, tmp_path / "artifacts")
    run.profiles.mkdir(parents=True)
    browser = subprocess.Popen(["sleep", "600"], process_group=0)
    try:
        run.started(browser.pid)
        assert states(check("leftovers")) == ["ok"]
        (entry,) = (base / ".runs").glob("run-*.json")
        dead = {**json.loads(entry.read_text(encoding="utf-8")), "owner": GONE}
        entry.write_text(json.dumps(dead), encoding="utf-8")

        (found,) = check("leftovers")
        assert found.state == "warning"
        assert "1 run ended without clearing up: 1 browser still running" in found.found
        assert browser.poll() is None
        (fixed,) = mend([found])
        assert (fixed.state, fixed.fixed) == ("ok", "1 browser ended, 1 directory removed.")
        assert browser.wait(timeout=10) == -signal.SIGKILL
        assert not run.profiles.exists()
    finally:
        browser.kill()
        browser.wait()


@pytest.mark.parametrize(
    ("holder", "state", "fixable"),
    [
        (f"{socket.gethostname()}-{os.getpid()}", "ok", False),
        (f"{socket.gethostname()}-{GONE}", "warning", True),
        (f"elsewhere-{os.getpid()}", "warning", False),
    ],
    ids=["alive", "dead", "elsewhere"],
)
def test_a_lock_is_removed_only_when_its_holder_is_surely_gone(
    check: Any, tmp_path: Path, holder: str, state: str, fixable: bool
):
    lock = tmp_path / "mine/SingletonLock"
    lock.parent.mkdir()
    lock.symlink_to(holder)
    (found,) = check("profile locks", {"TABWRIGHT_PROFILES__A__USERDATADIR": str(lock.parent)})
    assert found.state == state
    mend([found])
    assert lock.is_symlink() is not fixable


def test_a_lock_that_was_taken_meanwhile_is_left(check: Any, tmp_path: Path):
    lock = tmp_path / "mine/SingletonLock"
    lock.parent.mkdir()
    lock.symlink_to(f"{socket.gethostname()}-{GONE}")
    (found,) = check("profile locks", {"TABWRIGHT_PROFILES__A__USERDATADIR": str(lock.parent)})
    lock.unlink()
    lock.symlink_to(f"{socket.gethostname()}-{os.getpid()}")
    (fixed,) = mend([found])
    assert lock.is_symlink()
    assert "was left" in fixed.fixed


@pytest.mark.proves("S4-07")
@pytest.mark.parametrize(
    ("says", "state"),
    [("agent-browser 0.41.0", "ok"), ("agent-browser 0.27.3", "failure"), ("", "failure")],
)
def test_agent_browser_is_wanted_in_the_tested_version_only(
    check: Any, tmp_path: Path, says: str, state: str
):
    (absent,) = check("agent-browser", {"PATH": str(tmp_path)})
    assert (absent.state, absent.found[:21]) == ("ok", "It is not on PATH, an")
    script(tmp_path / "agent-browser", f"echo '{says}'")
    (found,) = check("agent-browser", {"PATH": str(tmp_path)})
    assert found.state == state


OURS = {"command": "tabwright", "args": ["mcp"]}


def servers(path: Path, key: str, *names: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({key: dict.fromkeys(names, OURS)}), encoding="utf-8")


@pytest.mark.proves("S4-07")
def test_a_client_that_is_told_twice_is_found_across_its_files(check: Any, tmp_path: Path):
    servers(tmp_path / ".cursor/mcp.json", "mcpServers", "tabwright")
    servers(tmp_path / ".config/Code/User/mcp.json", "servers", "tabwright")
    assert [each.found for each in check("clients")] == [
        "Told about Tabwright once: Cursor, VS Code."
    ]
    servers(tmp_path / ".vscode/mcp.json", "servers", "browser")
    found = check("clients")
    assert states(found) == ["failure", "ok"]
    assert found[0].mend == f"Take 'browser' out of {tmp_path}/.vscode/mcp.json"
    servers(tmp_path / ".vscode/mcp.json", "servers", "tabwright")
    assert states(check("clients")) == ["warning", "ok"]
    assert states(check("clients", skip_clients=True)) == ["ok"]


def test_servers_of_one_directory_in_the_users_file_count(check: Any, tmp_path: Path):
    here = {"projects": {str(tmp_path): {"mcpServers": {"second": OURS}}}}
    text = json.dumps({"mcpServers": {"first": OURS}, **here})
    (tmp_path / ".claude.json").write_text(text, encoding="utf-8")
    first = check("clients")[0]
    assert first.state == "failure"
    assert "'first' in" in first.found
    assert "'second' in" in first.found


def test_a_check_that_cannot_look_is_a_failure_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def refuse(_: Machine) -> list[Finding]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setitem(CHECKS, "disk", refuse)
    found = examine(Machine.here(cwd=tmp_path, env={"HOME": str(tmp_path)}))
    (disk,) = [each for each in found if each.subject == "disk"]
    assert disk.state == "failure"
    assert {each.subject for each in found} == {*CHECKS}


def test_a_fix_that_is_not_allowed_says_so():
    def refuse() -> str:
        raise PermissionError(1, "Operation not permitted")

    (left,) = mend([Finding("secrets", "warning", "Open.", "chmod", refuse)])
    assert (left.state, left.mend) == ("failure", "chmod")
    assert "could not be fixed: Operation not permitted" in left.found


def test_no_process_is_left_by_an_examination(tmp_path: Path):
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    examine(Machine.here(cwd=tmp_path, env={"HOME": str(tmp_path), "PATH": "/usr/bin"}))
    assert {child.pid for child in psutil.Process().children(recursive=True)} <= before
