"""Commands on a machine of a test's own, and the server behind them."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import psutil

from support.machine import DEADLINE_S, Machine
from support.site import Site

PROGRAM = Path(sys.executable).with_name("tabwright")


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


def belongs(process: psutil.Process, machine: Machine) -> bool:
    with suppress(psutil.Error):
        at_home = process.environ().get("HOME") == str(machine.home)
        return at_home and "tabwright.faces.cli.background" in process.cmdline()
    return False


def hold(site: Site, path: str) -> tuple[str, threading.Event, threading.Event]:
    """A page that does not come, a sign that it was asked for, and what ends it."""
    reached, gate = threading.Event(), threading.Event()

    def wait(request: BaseHTTPRequestHandler) -> None:
        reached.set()
        gate.wait(DEADLINE_S)
        request.close_connection = True

    return site.route(path, wait), reached, gate


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
