"""`tabwright status`: the server that runs, what it holds, and what went wrong last."""

from __future__ import annotations

import os
import time
from typing import Any

import click
import psutil

from tabwright.engine.manager import BrowserManager
from tabwright.engine.redact import redact_text
from tabwright.faces.cli.client import VERSION
from tabwright.faces.cli.output import plain, print_json, print_text
from tabwright.faces.cli.server import Server
from tabwright.faces.cli.shared import shared, shared_options
from tabwright.faces.cli.terminal import terminal
from tabwright.faces.cli.visit import Visit, Work
from tabwright.wording import iso, many

LAST_ERRORS = 5
WIDTH_OFF_TERMINAL = 120
MIB = 2**20
Facts = dict[str, Any]


@click.command("status", params=shared_options())
def command() -> Work:
    """Show the server: browsers, sessions, tabs, memory, the last errors.

    No server is started for it.
    """
    said = shared()

    async def work(visit: Visit) -> int:
        facts = facts_of(visit.server, visit.found(said), visit.session(said))
        if said.json:
            print_json(facts)
        else:
            _print(facts)
        return 0

    return work


def facts_of(server: Server, mine: BrowserManager | None, here: str) -> Facts:
    """What there is to tell; `mine` and `here` have the session of whoever asks."""
    managers = server.managers.all()
    own = psutil.Process()
    browsers = [each for manager in managers for each in _browsers(manager)]
    sessions = [
        each
        for manager in managers
        for each in _sessions(manager, here if manager is mine else None)
    ]
    entries = [each for manager in managers for each in manager.journal.entries]
    wrong = [each for each in entries if each["level"] in ("warning", "error")]
    wrong.sort(key=lambda each: each["timestamp"])
    return {
        "running": True,
        "version": VERSION,
        "pid": os.getpid(),
        "startedAt": iso(server.started_at),
        "address": None if server.unreachable else server.control.get_address(),
        "unreachable": server.unreachable or None,
        "memoryMiB": round(own.memory_info().rss / MIB, 1),
        "browsers": browsers,
        "sessions": sessions,
        "lastErrors": [_error(each) for each in wrong[-LAST_ERRORS:]],
    }


def _browsers(manager: BrowserManager) -> list[Facts]:
    found: list[Facts] = []
    for profile in manager.list_profiles():
        browser = manager.get_active_browser(profile.name) if profile.type == "isolated" else None
        if browser is not None:
            found.append(
                {
                    "profile": profile.name,
                    "browser": browser.version.browser if browser.version else "",
                    "state": browser.state,
                    "pid": browser.process.pid,
                    "headless": manager.settings.browser.headless,
                    "memoryMiB": _memory(browser.process.pid),
                }
            )
    return found


def _memory(pid: int) -> float | None:
    try:
        top = psutil.Process(pid)
        family = [top, *top.children(recursive=True)]
        # What several of them share is counted once for each.
        return round(sum(each.memory_info().rss for each in family) / MIB, 1)
    except psutil.Error:
        return None


def _sessions(manager: BrowserManager, here: str | None) -> list[Facts]:
    now = time.monotonic()
    return [
        {
            "session": session.key.conversation,
            "here": session.key.conversation == here,
            "profile": session.key.profile,
            "open": session.entered,
            "tabs": [{"id": tab.id, "url": redact_text(tab.url)} for tab in session.tabs.values()],
            "current": session.current.id if session.current else None,
            "idleSeconds": round(now - session.last_activity),
        }
        for session in manager.sessions()
    ]


def _error(entry: Facts) -> Facts:
    message = next((entry[key] for key in ("message", "error", "reason") if entry.get(key)), "")
    return {
        "at": entry["timestamp"],
        "what": entry.get("code") or entry["event"],
        "message": str(message)[:300],
    }


def _print(facts: Facts) -> None:
    since = facts["startedAt"]
    where = facts["address"] or f"no HTTP: {facts['unreachable']}"
    print_text(f"Tabwright {facts['version']}, pid {facts['pid']}, since {since}")
    print_text(f"{where}, {facts['memoryMiB']:.0f} MiB")
    _table(
        ("Browser", "Profile", "State", "Pid", "MiB"),
        [
            (each["browser"], each["profile"], each["state"], each["pid"], each["memoryMiB"])
            for each in facts["browsers"]
        ],
    )
    _table(
        ("Session", "Tabs", "Page", "Idle"),
        [_session_row(each) for each in facts["sessions"]],
    )
    for each in facts["lastErrors"]:
        print_text(f"{each['at']} {each['what']}: {each['message']}")


def _session_row(session: Facts) -> tuple[object, ...]:
    name = f"{session['session']} (here)" if session["here"] else session["session"]
    pages = [tab["url"] for tab in session["tabs"] if tab["id"] == session["current"]]
    return name, len(session["tabs"]), *(pages or [""]), many(session["idleSeconds"], "second")


def _table(heads: tuple[str, ...], rows: list[tuple[object, ...]]) -> None:
    if not rows:
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in heads:
        table.add_column(head, overflow="fold")
    for row in rows:
        table.add_row(*(Text(plain(str(cell))) for cell in row))
    now = terminal()
    width = now.columns or WIDTH_OFF_TERMINAL
    Console(file=now.out, width=width, _environ=now.env).print(table)
