"""Clients that are told about us twice would offer every tool twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tabwright.clients import CLIENTS, ClientFile, Entry, UnreadableFile, our_entries
from tabwright.doctor.finding import Finding, failure, ok, warning
from tabwright.doctor.machine import Machine

SUBJECT = "clients"
KEYS = ("mcpServers", "servers", "mcp_servers")


def check(machine: Machine) -> Iterator[Finding]:
    """How often each client's files name us."""
    if machine.skip_clients:
        yield ok(SUBJECT, "Their files were not looked at.")
        return
    told: list[str] = []
    clients = {
        client.title: client.files(machine.env, machine.home, machine.cwd) for client in CLIENTS
    }
    if machine.client_file:
        clients[str(machine.client_file)] = _under_any_key(machine.client_file)
    for title, files in clients.items():
        entries, problems = _entries(files)
        yield from problems
        if len(entries) > 1:
            yield _twice(title, entries)
        elif entries:
            told.append(title)
    if told:
        yield ok(SUBJECT, f"Told about Tabwright once: {', '.join(told)}.")
    else:
        yield ok(SUBJECT, "None that is known here is told about Tabwright.")


def _under_any_key(path: Path) -> list[ClientFile]:
    return [ClientFile(path, key) for key in KEYS]


def _entries(files: list[ClientFile]) -> tuple[list[Entry], list[Finding]]:
    entries: list[Entry] = []
    problems: dict[Path, Finding] = {}
    for file in files:
        try:
            entries += our_entries(file)
        except UnreadableFile as error:
            told = f"{file.path} was not looked at: {error}."
            problems[file.path] = warning(SUBJECT, told, f"Correct {file.path}")
    return entries, list(problems.values())


def _twice(title: str, entries: list[Entry]) -> Finding:
    places = " and ".join(f"{entry.name!r} in {entry.path}" for entry in entries)
    last = entries[-1]
    told = f"{title} is told about Tabwright {len(entries)} times: {places}."
    mend = f"Take {last.name!r} out of {last.path}"
    # One name in two files is one server: the project's hides the user's.
    same = len({entry.name for entry in entries}) == 1
    return (warning if same else failure)(SUBJECT, told, mend)
