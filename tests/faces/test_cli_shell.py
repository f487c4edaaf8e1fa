"""The shell and what other shells complete."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.machine import DEADLINE_S, Machine
from support.site import Site
from tabwright.argv.command import verbs_by_command
from tabwright.faces.cli.completion import SCRIPTS, complete

PROGRAM = Path(sys.executable).with_name("tabwright")


def piped(machine: Machine, text: str, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROGRAM, "shell", *more],
        input=text,
        cwd=machine.home,
        env=machine.env,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
    )


def test_lines_from_a_pipe_are_run_one_by_one(machine: Machine, site: Site):
    url = site.page("/shell/pipe", "<button onclick='this.textContent = 7'>Go</button>")
    ran = piped(machine, f"open {url} # a note\n\nclick 'text=Go'\nget text button\nexit\neval 1\n")
    assert ran.stdout.splitlines()[-1] == "7"
    assert (ran.stderr, ran.returncode) == ("", 0)


def test_what_is_said_for_the_shell_holds_for_its_commands(machine: Machine):
    ran = piped(machine, "eval 'window.n = 3'\neval n --session other\n", "--session", "mine")
    assert ran.stdout == "3\n"
    assert "n is not defined" in ran.stderr
    assert machine.run("eval", "n", "--session", "mine")[0] == "3\n"


def test_a_wrong_line_does_not_end_the_shell(machine: Machine):
    ran = piped(machine, "eval 'a\nfly\nshell\neval 2\n")
    assert ran.stdout == "2\n"
    for words in ("No closing quotation", "There is no command 'fly'", "This is a shell already"):
        assert words in ran.stderr
    assert ran.returncode == 0
    assert piped(machine, "eval 1\nfly\n").returncode == 2


class Terminal:
    """A person at a terminal."""

    def __init__(self, machine: Machine) -> None:
        self._own, other = pty.openpty()
        self.process = subprocess.Popen(
            [PROGRAM, "shell"],
            cwd=machine.home,
            env={**machine.env, "TERM": "xterm", "INPUTRC": os.devnull},
            stdin=other,
            stdout=other,
            stderr=other,
            close_fds=True,
        )
        os.close(other)
        self.seen = ""

    def until(self, words: str) -> None:
        """Read on until the words have come."""
        deadline = time.monotonic() + DEADLINE_S
        while words not in self.seen:
            left = deadline - time.monotonic()
            ready = select.select([self._own], [], [], max(0.0, left))[0]
            assert ready, self.seen
            self.seen += os.read(self._own, 65536).decode("utf-8", "replace")
        self.seen = self.seen.partition(words)[2]

    def keys(self, keys: str) -> None:
        os.write(self._own, keys.encode())

    def close(self) -> None:
        self.process.wait(DEADLINE_S)
        os.close(self._own)


def test_a_person_has_completion_and_a_history(machine: Machine):
    first = Terminal(machine)
    first.until("tabwright> ")
    first.keys("evalu\t")
    first.until("evaluate ")
    first.keys("6*7\r")
    first.until("42")
    first.until("tabwright> ")
    first.keys("\x04")
    first.close()
    again = Terminal(machine)
    again.until("tabwright> ")
    again.keys("\x1b[A")
    again.until("evaluate 6*7")
    again.keys("\r")
    again.until("42")
    again.until("tabwright> ")
    again.keys("quit\r")
    again.close()
    assert again.process.returncode == 0
    history = machine.home / ".local/share/tabwright/history"
    assert history.stat().st_mode & 0o077 == 0


def test_commands_options_and_choices_are_completed():
    names = complete([], "")
    assert {*verbs_by_command(), "batch", "open", "find", "stop"} <= {*names}
    assert complete([], "snap") == ["snapshot"]
    assert "--full-page" in complete(["screenshot"], "--f")
    assert complete(["navigate", "x", "--wait-until"], "dom") == ["domcontentloaded"]
    assert complete(["config"], "s") == ["set", "show"]


COMPLETED = {
    "bash": """eval "$(tabwright completion bash)"
    COMP_WORDS=(tabwright scr); COMP_CWORD=1; _tabwright; echo "${COMPREPLY[*]}"
    COMP_WORDS=(tabwright navigate x --wait-until net); COMP_CWORD=4; _tabwright
    echo "${COMPREPLY[*]}"
    """,
    "zsh": """autoload -Uz compinit && compinit -D
    eval "$(tabwright completion zsh)"
    compadd() { shift; echo $* }
    words=(tabwright scr); CURRENT=2; _tabwright
    words=(tabwright navigate x --wait-until net); CURRENT=5; _tabwright
    """,
    "fish": """tabwright completion fish | source
    complete -C "tabwright scr"
    complete -C "tabwright navigate x --wait-until net"
    """,
}
"""In each shell: what it would offer after `scr`, and for an option's value."""


@pytest.mark.parametrize("shell", COMPLETED)
def test_a_shell_completes(machine: Machine, shell: str):
    if shutil.which(shell) is None:
        pytest.skip(f"this machine has no {shell} to complete in")
    path = f"{PROGRAM.parent}:{machine.env['PATH']}"
    ran = subprocess.run(
        [shell, "-c", COMPLETED[shell]],
        env={**machine.env, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
        timeout=DEADLINE_S,
    )
    assert ran.stdout.split() == ["screenshot", "scroll", "networkidle"]


@pytest.mark.parametrize("shell", [*SCRIPTS])
def test_the_scripts_are_ones(shell: str):
    if shutil.which(shell) is None:
        pytest.skip(f"this machine has no {shell} to read its script")
    ran = subprocess.run([shell, "-n"], input=SCRIPTS[shell], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
