"""Whether the control server's port is free, or ours."""

from __future__ import annotations

import errno
import os
import re
import socket
from collections.abc import Iterator

from tabwright.doctor.finding import Finding, failure, ok
from tabwright.doctor.machine import Machine

SUBJECT = "port"
TRIED = 50
HIGHEST = 65535
_US = re.compile(r"(.*[\\/])?tabwright(\.exe|\.faces\.cli\.background)?")


def check(machine: Machine) -> Iterator[Finding]:
    """Whether anybody listens on it, and who."""
    server = machine.settings.control_server
    if not server.enabled:
        yield ok(SUBJECT, "No control server may be started: controlServer.enabled is false.")
        return
    host, port = server.host, server.port
    refused = _refused(host, port)
    if refused is None:
        yield ok(SUBJECT, f"{port} is free.")
        return
    if refused.errno != errno.EADDRINUSE:
        told = f"Nobody can listen on port {port} of {host}: {refused.strerror}."
        yield failure(SUBJECT, told, "tabwright config set controlServer.host 127.0.0.1")
        return
    owner = _listener(port)
    if owner and _ours(owner[1]):
        yield ok(SUBJECT, f"Tabwright listens on {port} (pid {owner[0]}).")
        return
    named = f"{' '.join(owner[1])[:80] or 'a program'!r} (pid {owner[0]})" if owner else "another"
    nearby = range(port + 1, min(port + TRIED, HIGHEST + 1))
    free = next((near for near in nearby if _refused(host, near) is None), None)
    mend = f"tabwright config set controlServer.port {free or 'PORT'}"
    yield failure(SUBJECT, f"{port} is taken by {named}.", mend)


def _refused(host: str, port: int) -> OSError | None:
    """Why a server could not listen there; None when it could."""
    family = socket.AF_INET6 if host == "::1" else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if os.name == "posix":
                # Elsewhere it would mean that two may share a port.
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        return error
    return None


def _listener(port: int) -> tuple[int, list[str]] | None:
    """The process that listens, as far as this user may see it."""
    import psutil

    try:
        for connection in psutil.net_connections("tcp"):
            local = connection.laddr
            if connection.status == psutil.CONN_LISTEN and local and local[1] == port:
                return _described(connection.pid)
    except (psutil.Error, OSError):
        return None
    return None


def _described(pid: int | None) -> tuple[int, list[str]] | None:
    import psutil

    if pid is None:
        return None
    try:
        return pid, psutil.Process(pid).cmdline()
    except psutil.Error:
        return pid, []


def _ours(words: list[str]) -> bool:
    return any(_US.fullmatch(word) for word in words[:4])
