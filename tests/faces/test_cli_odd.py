"""The command line in odd circumstances: odd streams, directories, readers and servers."""

from __future__ import annotations

import fcntl
import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.commands import ended, hold, server_of, shell
from support.machine import DEADLINE_S, Machine
from support.site import Site
from tabwright.faces.cli import client


def test_modules_of_the_directory_are_not_run(machine: Machine):
    for name in ("click.py", "pydantic.py", "json.py", "tabwright.py"):
        (machine.home / name).write_text("print('RUN'); raise SystemExit(9)\n", encoding="utf-8")
    for line in ("tabwright eval 1", "tabwright config path", "tabwright --help"):
        ran = shell(machine, line)
        assert ran.returncode == 0, ran.stderr
        assert "RUN" not in ran.stdout
    for module in machine.home.glob("*.py"):
        module.unlink()


def test_the_server_holds_nothing_of_who_started_it(machine: Machine):
    ran = shell(machine, "( exec 9>held; flock 9; tabwright eval 1 ); flock -n held echo free")
    assert ran.stdout == "1\nfree\n"
    piped = shell(machine, "tabwright stop; { tabwright eval 1 3>&1 >/dev/null; } | cat; echo done")
    assert piped.stdout.endswith("done\n")


@pytest.mark.parametrize("holding", ["tabwright batch", "tabwright mcp --attach"])
def test_stop_does_not_wait_for_who_sends_nothing(machine: Machine, holding: str):
    machine.run("eval", "1")
    ran = shell(machine, f"mkfifo pipe; ({holding} <pipe & exec 7>pipe; sleep 0.3; tabwright stop)")
    assert "The server is stopped." in ran.stdout


def test_a_reader_that_leaves_is_no_end_of_the_server(machine: Machine):
    machine.run("eval", "1")
    ran = shell(machine, "tabwright eval \"'x'.repeat(4000)\" | head -c 1; echo ${PIPESTATUS[0]}")
    assert ran.stderr == ""
    assert shell(machine, "tabwright eval 1 > /dev/full").returncode == 1
    flood = shell(machine, "yes 'eval 1' | tabwright batch")
    assert "A batch has at most 16 MiB" in flood.stderr


def test_a_server_that_cannot_start_says_why(machine: Machine):
    home = machine.home / ".local/share/tabwright/server"
    home.mkdir(parents=True, mode=0o700)
    (home / "log").mkdir()
    _, err = machine.run("eval", "1", code=5)
    assert "The server cannot be started" in err
    (home / "log").rmdir()
    wrong = machine.home / ".config/tabwright"
    wrong.mkdir(parents=True)
    (wrong / "config.toml").write_text("[browser]\nheadles = 1\n", encoding="utf-8")
    reply = machine.json("eval", "1", code=5)
    assert "headles" in reply["error"]["message"]
    (wrong / "config.toml").unlink()


def test_a_server_that_hangs_during_a_call_is_noticed(machine: Machine, site: Site):
    url, reached, gate = hold(site, "/server/hung")
    with machine.start("open", url) as process:
        assert reached.wait(DEADLINE_S)
        server_of(machine).suspend()
        _, err = process.communicate(timeout=DEADLINE_S)
    gate.set()
    assert process.returncode == 3
    assert "The server hung and was ended; what it did of this is not known." in err
    assert machine.run("eval", "1")[0] == "1\n"


def test_a_process_that_is_no_server_of_ours_is_not_ended(machine: Machine):
    home = machine.home / ".local/share/tabwright/server"
    home.mkdir(parents=True, mode=0o700)
    with subprocess.Popen(["sleep", "100"]) as other:
        (home / "lock").write_text(f"{other.pid} 0.1.0\n", encoding="ascii")
        with (home / "lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH)
            client.end_hung(str(home))
            assert other.poll() is None
        other.kill()


def test_what_a_browser_does_not_depend_on_does_not_change_it(machine: Machine):
    machine.run("eval", "window.kept = 1")
    out, err = machine.run("eval", "window.kept", "--set", "logging.level=debug")
    assert out == "1\n"
    assert '"event": "action"' in err
    assert len(machine.json("status")["sessions"]) == 1


def test_a_browser_has_the_time_zone_of_its_caller(machine: Machine):
    zone = "Intl.DateTimeFormat().resolvedOptions().timeZone"
    for name in ("Asia/Tokyo", "America/Lima"):
        machine.env["TZ"] = name
        assert machine.run("eval", zone)[0] == f'"{name}"\n'


def test_a_session_is_closed_whatever_its_settings(machine: Machine):
    machine.run("eval", "1", "--session", "w", "--set", "browser.defaultViewport.width=900")
    assert machine.run("close", "--session", "w")[0] == "w is closed.\n"
    assert machine.json("status")["sessions"] == []


def test_odd_places_and_streams_are_told_or_borne(machine: Machine):
    machine.run("eval", "1")
    gone = shell(machine, "mkdir gone; cd gone; rmdir ../gone; tabwright eval 1")
    assert gone.returncode == 5
    assert "Error: The current directory is gone." in gone.stderr
    assert shell(machine, "tabwright eval 1 >&- 2>&-").returncode == 0
    assert "1 to 1000 steps" in shell(machine, "tabwright batch <&-").stderr
    assert "no absolute path" in shell(machine, "HOME=here tabwright status").stderr
    assert shell(machine, "tabwright --version").stdout == f"tabwright {client.VERSION}\n"
    assert "cannot be the name" in shell(machine, "tabwright eval 1 --session ''").stderr


def test_a_server_that_nobody_can_reach_is_replaced(machine: Machine):
    machine.run("eval", "1")
    server = server_of(machine)
    (machine.home / ".local/share/tabwright/server/socket").unlink()
    assert machine.run("eval", "2")[0] == "2\n", "another takes its place"
    assert ended(server)


def test_a_client_that_is_newer_than_its_package_does_not_try_for_ever(machine: Machine):
    machine.run("eval", "1")
    newer = machine.home / "newer.py"
    program = Path(str(client.__file__)).read_text(encoding="utf-8")
    program += "\n\nsys.exit(main(sys.argv[1:]))\n"
    newer.write_text(program.replace(f'VERSION = "{client.VERSION}"', 'VERSION = "99.0.0"'))
    ran = subprocess.run(
        [sys.executable, newer, "eval", "1"],
        env=machine.env,
        cwd=machine.home,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
    )
    assert ran.returncode == 0, "the package itself is of the server's version"


def test_requests_in_a_file_are_answered(machine: Machine):
    asked = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    (machine.home / "asked").write_text(json.dumps(asked) + "\n", encoding="utf-8")
    for line in ("tabwright mcp <asked >told", "cat asked | tabwright mcp --attach >told"):
        shell(machine, line)
        told = json.loads((machine.home / "told").read_text(encoding="utf-8"))
        assert told == {"jsonrpc": "2.0", "id": 1, "result": {}}
