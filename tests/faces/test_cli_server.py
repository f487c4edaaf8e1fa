"""The server behind the command line: started once, shared, replaced, ended; nothing is left."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from support.commands import PROGRAM, belongs, ended, hold, server_of
from support.engine import browser_processes
from support.machine import DEADLINE_S, Machine
from support.site import Site
from tabwright.faces.cli import client


def test_the_program_that_is_installed_is_ours_and_of_the_same_version():
    source = Path(str(client.__file__)).with_name("tabwright")
    assert PROGRAM.read_bytes() == source.read_bytes()
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


def test_a_server_that_hangs_is_replaced(machine: Machine):
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
    program += "\n\nsys.exit(main(sys.argv[1:]))\n"
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


def test_a_server_that_does_not_end_is_ended(machine: Machine):
    machine.run("eval", "1")
    server = server_of(machine)
    # As if it hung on its way out: it listens no more and holds its lock.
    (machine.home / ".local/share/tabwright/server/socket").unlink()
    server.suspend()
    assert machine.run("eval", "2")[0] == "2\n"
    assert ended(server)
