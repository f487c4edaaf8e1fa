"""The server behind the command line: started once, shared, replaced, ended; nothing is left."""

from __future__ import annotations

import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import psutil
import pytest

from support.engine import browser_processes
from support.machine import DEADLINE_S, Machine
from support.site import Site
from tabwright.config import Settings
from tabwright.faces.cli import client

PROGRAM = Path(sys.executable).with_name("tabwright")


@pytest.fixture
def machine(tmp_path: Path, settings: Settings) -> Iterator[Machine]:
    own = Machine(tmp_path, settings.paths.cache_dir)
    own.env["BROWSER_CONTROL_PORT"] = str(free_port())
    yield own
    own.stop()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ended(process: psutil.Process) -> bool:
    """Whether it ends; a machine without an init keeps the dead as zombies."""
    deadline = time.monotonic() + DEADLINE_S
    while time.monotonic() < deadline:
        try:
            if process.status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.01)
    return False


def server_of(machine: Machine) -> psutil.Process:
    return psutil.Process(machine.json("status")["pid"])


def test_the_program_is_the_module_and_of_the_same_version():
    installed = PROGRAM.read_text(encoding="utf-8")
    assert installed == Path(str(client.__file__)).read_text(encoding="utf-8")
    shown = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True)
    from importlib.metadata import version

    assert shown.stdout == f"tabwright {version('tabwright')}\n"


def test_the_program_is_found_through_links(tmp_path: Path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "far").symlink_to(PROGRAM)
    (tmp_path / "near").symlink_to("a/far")
    for command in ([tmp_path / "near"], ["sh", "near"]):
        ran = subprocess.run([*command, "--version"], cwd=tmp_path, capture_output=True)
        assert ran.stdout.startswith(b"tabwright ")


def test_what_one_command_opens_the_next_one_sees(machine: Machine, site: Site):
    url = site.page("/server/button", "<button onclick='this.textContent = 7'>Go</button>")
    machine.run("open", url)
    machine.run("click", "text=Go")
    assert machine.run("get", "text", "button")[0].strip() == "7"


def test_the_installed_program_and_the_module_share_the_server(machine: Machine):
    machine.run("eval", "window.mine = 4")
    ran = subprocess.run(
        [PROGRAM, "eval", "mine"], cwd=machine.home, env=machine.env, capture_output=True, text=True
    )
    assert (ran.stdout, ran.stderr, ran.returncode) == ("4\n", "", 0)


def test_of_many_first_commands_one_starts_the_server(machine: Machine):
    with ThreadPoolExecutor(6) as pool:
        done = list(pool.map(lambda n: machine.run("eval", str(n), "--session", f"s{n}"), range(6)))
    assert [out for out, _ in done] == [f"{number}\n" for number in range(6)]
    assert len(machine.json("status")["sessions"]) == 6
    named = [each for each in psutil.process_iter() if belongs(each, machine)]
    assert len(named) == 1


def belongs(process: psutil.Process, machine: Machine) -> bool:
    with suppress(psutil.Error):
        at_home = process.environ().get("HOME") == str(machine.home)
        return at_home and "tabwright.faces.cli.background" in process.cmdline()
    return False


def test_sessions_are_those_of_directories_unless_they_are_named(machine: Machine):
    (machine.home / "one" / "deep").mkdir(parents=True)
    (machine.home / "one" / ".git").mkdir()
    (machine.home / "two").mkdir()

    def seen(folder: str, *more: str) -> str:
        ran = subprocess.run(
            [PROGRAM, "eval", "window.here ?? (window.here = 2, 1)", *more],
            cwd=machine.home / folder,
            env=machine.env,
            capture_output=True,
            text=True,
        )
        return ran.stdout.strip()

    assert [seen("one"), seen("two"), seen("one/deep"), seen("two")] == ["1", "1", "2", "2"]
    assert [seen("one", "--session", "s"), seen("two", "--session", "s")] == ["1", "2"]
    machine.env["TABWRIGHT_SESSION"] = "s"
    assert seen("one") == "2"
    machine.env.pop("TABWRIGHT_SESSION")
    names = {each["session"] for each in machine.json("status")["sessions"]}
    assert "s" in names
    assert {re.sub("-[0-9a-f]{6}$", "", name) for name in names - {"s"}} == {"one", "two"}


def test_a_name_that_is_none_is_refused(machine: Machine):
    _, err = machine.run("eval", "1", "--session", "a b", code=2)
    assert "'a b' cannot be the name of a conversation" in err


def test_a_session_can_be_closed_and_others_go_on(machine: Machine):
    for name in ("a", "b"):
        machine.run("eval", "window.kept = 1", "--session", name)
    assert machine.run("close", "--session", "a")[0] == "a is closed.\n"
    assert machine.run("close", "--session", "a")[0] == "There is no session 'a'.\n"
    assert machine.run("eval", "window.kept", "--session", "a")[0] == "undefined\n"
    assert machine.run("eval", "window.kept", "--session", "b")[0] == "1\n"


def test_other_settings_get_a_browser_that_has_them(machine: Machine):
    size = "[innerWidth, innerHeight].join('x')"
    machine.run("eval", "window.kept = 1")
    wide = (
        "--set",
        "browser.defaultViewport.width=900",
        "--set",
        "browser.defaultViewport.height=500",
    )
    assert machine.run("eval", size, *wide)[0] == '"900x500"\n'
    (machine.home / "tabwright.toml").write_text(
        "[browser.defaultViewport]\nwidth = 700\nheight = 400\n"
    )
    assert machine.run("eval", size)[0] == '"700x400"\n'
    (machine.home / "tabwright.toml").unlink()
    assert machine.run("eval", "window.kept")[0] == "1\n"


def test_a_server_that_was_killed_is_replaced_and_that_is_told(machine: Machine):
    machine.run("eval", "1")
    server = server_of(machine)
    server.kill()
    assert ended(server)
    out, err = machine.run("eval", "window.here ?? 2")
    assert out == "2\n"
    assert err == "The server had ended, and its pages with it; this is a new one.\n"
    assert machine.run("eval", "3") == ("3\n", "")


def hold(site: Site, path: str) -> tuple[str, threading.Event, threading.Event]:
    """A page that does not come, a sign that it was asked for, and what ends it."""
    reached, gate = threading.Event(), threading.Event()

    def wait(request: BaseHTTPRequestHandler) -> None:
        reached.set()
        gate.wait(DEADLINE_S)
        request.close_connection = True

    return site.route(path, wait), reached, gate


def test_a_server_that_is_killed_during_a_call_is_told_of_truly(machine: Machine, site: Site):
    url, reached, gate = hold(site, "/server/killed")
    with machine.start("open", url) as process:
        assert reached.wait(DEADLINE_S)
        server_of(machine).kill()
        out, err = process.communicate(timeout=DEADLINE_S)
    gate.set()
    assert (process.returncode, out) == (3, "")
    assert "The server ended before it answered; what it did of this is not known." in err
    assert machine.run("eval", "1")[0] == "1\n"


def test_a_server_that_hangs_is_replaced(machine: Machine, monkeypatch: pytest.MonkeyPatch):
    machine.run("eval", "1")
    server = server_of(machine)
    server.suspend()
    out, err = machine.run("eval", "2")
    assert out == "2\n"
    assert "The server did not answer and was ended" in err
    assert ended(server)


def test_an_older_server_gives_way(machine: Machine):
    machine.run("eval", "1")
    server = server_of(machine)
    newer = machine.home / "newer.py"
    program = Path(str(client.__file__)).read_text(encoding="utf-8")
    newer.write_text(program.replace(f'VERSION = "{client.VERSION}"', 'VERSION = "99.0.0"'))
    ran = subprocess.run(
        [sys.executable, newer, "status"], env=machine.env, capture_output=True, text=True
    )
    assert ran.stdout == "No server is running.\n"
    assert f"The server was of version {client.VERSION}, and ends" in ran.stderr
    assert ended(server)


def test_a_client_that_leaves_gives_its_call_up(machine: Machine, site: Site):
    url, reached, gate = hold(site, "/server/left")
    with machine.start("open", url) as process:
        assert reached.wait(DEADLINE_S)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=DEADLINE_S)
    assert (process.returncode, out, err) == (130, "", "")
    # The session is free again, long before the page's deadline.
    assert machine.run("eval", "6", "--timeout", "20s")[0] == "6\n"
    gate.set()


@pytest.mark.proves("S0-25")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_server_that_is_told_to_end_in_a_call_leaves_nothing(
    machine: Machine, site: Site, number: signal.Signals
):
    url, reached, gate = hold(site, f"/server/ended/{number}")
    with machine.start("open", url) as process:
        assert reached.wait(DEADLINE_S)
        server = server_of(machine)
        server.send_signal(number)
        _, err = process.communicate(timeout=DEADLINE_S)
    gate.set()
    assert process.returncode != 0
    assert err
    assert ended(server)
    assert browser_processes(machine.home) == []
    assert machine.leftovers() == []


def test_nothing_is_left_after_stop_and_nothing_to_stop_is_no_error(machine: Machine, site: Site):
    machine.run("open", site.page("/server/stop", "x"))
    machine.run("screenshot")
    server = server_of(machine)
    assert machine.run("stop")[0] == "The server is stopped.\n"
    assert ended(server)
    assert machine.leftovers() == []
    assert browser_processes(machine.home) == []
    assert not (machine.home / ".local/share/tabwright/server/socket").exists()
    assert machine.run("stop")[0] == "No server is running.\n"
    assert machine.json("status") == {"running": False}


def test_status_tells_of_browsers_sessions_and_errors(machine: Machine, site: Site):
    url = site.page("/server/status", "x", title="State")
    machine.run("open", url)
    facts = machine.json("status")
    (browser,) = facts["browsers"]
    assert psutil.Process(browser["pid"]).is_running()
    assert browser["memoryMiB"] > 10
    (session,) = facts["sessions"]
    assert session["here"] is True
    assert [tab["url"] for tab in session["tabs"]] == [url]
    out, _ = machine.run("status")
    assert f"pid {facts['pid']}" in out
    assert url in out


def test_a_directory_of_another_user_or_open_to_others_is_refused(machine: Machine):
    home = machine.home / ".local/share/tabwright/server"
    home.mkdir(parents=True)
    home.chmod(0o755)
    _, err = machine.run("status", code=5)
    assert "is not private" in err
    home.chmod(0o700)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory away")
def test_a_directory_of_another_user_is_not_asked(machine: Machine):
    home = machine.home / ".local/share/tabwright/server"
    home.mkdir(parents=True, mode=0o700)
    os.chown(home, 65534, 65534)
    _, err = machine.run("eval", "1", code=5)
    assert "is not private" in err
    os.chown(home, 0, 0)


def test_a_second_server_works_without_the_port(machine: Machine, tmp_path: Path):
    """As when two users have one each."""
    machine.run("eval", "1")
    address = machine.json("status")["address"]
    assert address == f"http://127.0.0.1:{machine.env['BROWSER_CONTROL_PORT']}"
    (tmp_path / "second").mkdir()
    second = Machine(tmp_path / "second", Path(machine.env["TABWRIGHT_PATHS__CACHEDIR"]))
    second.env["BROWSER_CONTROL_PORT"] = machine.env["BROWSER_CONTROL_PORT"]
    assert second.run("eval", "2") == ("2\n", "")
    facts = second.json("status")
    assert facts["address"] is None
    assert f"already listens at {address}" in facts["unreachable"]
    second.stop()


def steps(machine: Machine, text: str, *more: str, code: int = 0) -> Any:
    ran = subprocess.run(
        [PROGRAM, "batch", "--json", *more],
        input=text,
        cwd=machine.home,
        env=machine.env,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == code, ran.stderr
    return json.loads(ran.stdout)


def test_a_batch_comes_as_arguments_lines_or_json(machine: Machine):
    out, _ = machine.run("batch", "eval 'window.n = 1'", "eval 'n + 1'")
    assert out == "1. 1\n2. 2\n"
    lines = steps(machine, "# a note\neval n\n\neval 'n + 2'\n")
    assert [each["result"]["value"] for each in lines["steps"]] == [1, 3]
    words = [["eval", "n"], "eval 5", {"action": "evaluate", "params": {"expression": "n + 6"}}]
    data = steps(machine, json.dumps(words))
    assert [each["result"]["value"] for each in data["steps"]] == [1, 5, 7]


def test_a_batch_stops_where_it_fails_unless_it_is_told_to_go_on(machine: Machine):
    machine.run("eval", "1")
    given = ("eval 1", "click #none --timeout 50", "eval 3")
    out, err = machine.run("batch", *given, code=1)
    assert out == "1. 1\n"
    assert err.startswith("2. Error: ")
    assert err.endswith("1 not done.\n")
    out, err = machine.run("batch", "--no-bail", *given, code=1)
    assert out == "1. 1\n3. 3\n"
    failed = steps(machine, "\n".join(given), code=1)
    assert (failed["success"], len(failed["steps"]), failed["notDone"]) == (False, 2, 1)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("fly away", "There is no command 'fly'"),
        ("resize a b", "'a' is not a valid integer"),
        ("screenshot --quality 5", "`quality` goes with type 'jpeg' only"),
        ("config set browser.headless false", "does not run in the server"),
        ("status", "not something to be done to a page"),
        ("eval 'a", "No closing quotation"),
        ('[{"action": "fly"}]', "An object must have `action`"),
        ("[7]", "neither a line nor a list of words"),
        ("[", "begin as JSON, but are none"),
        ("", "1 to 1000 steps, not 0"),
    ],
)
def test_a_wrong_step_is_refused_before_anything_is_done(machine: Machine, wrong: str, says: str):
    given = wrong if wrong.startswith("[") or not wrong else f"eval 'window.did = 1'\n{wrong}"
    refused = steps(machine, given, code=2)
    assert says in refused["error"]["message"]
    assert machine.json("status")["sessions"] == []


def test_a_command_during_the_end_of_a_server_gets_a_new_one(machine: Machine):
    for number in range(5):
        machine.run("eval", "1")
        with machine.start("stop") as stopping, machine.start("eval", str(number)) as asking:
            out, err = asking.communicate(timeout=DEADLINE_S)
            stopping.communicate(timeout=DEADLINE_S)
        # It was the last call of the old server, or the first of the new one, or cut off.
        told = (asking.returncode, out)
        cut_off = "ended before it answered" in err or "was stopped before it was done" in err
        assert told == (0, f"{number}\n") or cut_off


def test_a_server_that_does_not_end_is_ended(machine: Machine, monkeypatch: pytest.MonkeyPatch):
    machine.run("eval", "1")
    server = server_of(machine)
    # As if it hung on its way out: it listens no more and holds its lock.
    (machine.home / ".local/share/tabwright/server/socket").unlink()
    server.suspend()
    assert machine.run("eval", "2")[0] == "2\n"
    assert ended(server)


def shell(machine: Machine, line: str, **env: str) -> subprocess.CompletedProcess[str]:
    """A line of a real shell, where `tabwright` is the installed program."""
    path = f"{PROGRAM.parent}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", line],
        cwd=machine.home,
        env={**machine.env, "PATH": path, **env},
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
    )


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


@pytest.mark.parametrize("holding", ["sleep 100 | tabwright batch", "tabwright mcp --attach"])
def test_stop_does_not_wait_for_who_sends_nothing(machine: Machine, holding: str):
    machine.run("eval", "1")
    ran = shell(machine, f"mkfifo pipe; ({holding} <pipe & exec 7>pipe; sleep 0.3; tabwright stop)")
    assert "The server is stopped." in ran.stdout


def test_after_an_interrupt_no_further_step_is_done(machine: Machine):
    machine.run("eval", "window.n = 0")
    hang = "eval 'new Promise(() => 0)'"
    shell(machine, f'timeout -s INT 1 tabwright batch --no-bail "{hang}" "eval window.n=5"')
    assert machine.run("eval", "window.n")[0] == "0\n"


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
    assert reply["error"]["code"] == "CONFIG_ERROR" or "headles" in reply["error"]["message"]
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


def test_a_server_that_nobody_can_reach_ends(machine: Machine, monkeypatch: pytest.MonkeyPatch):
    machine.run("eval", "1")
    server = server_of(machine)
    (machine.home / ".local/share/tabwright/server/socket").unlink()
    assert machine.run("eval", "2")[0] == "2\n", "another takes its place"
    assert ended(server)


def test_a_client_that_is_newer_than_its_package_does_not_try_for_ever(machine: Machine):
    machine.run("eval", "1")
    newer = machine.home / "newer.py"
    program = Path(str(client.__file__)).read_text(encoding="utf-8")
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
