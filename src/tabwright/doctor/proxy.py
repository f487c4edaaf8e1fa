"""Proxies that the environment names: for the browser, for downloads, and in our own way."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from urllib.parse import SplitResult, urlsplit

from tabwright.doctor.finding import Finding, failure, ok, warning
from tabwright.doctor.machine import Machine

SUBJECT = "proxies"
VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
LOOPBACK = ("127.0.0.1", "localhost")
ANSWER_S = 2.0
PORTS = {"http": 80, "https": 443, "socks4": 1080, "socks5": 1080, "socks5h": 1080}


def check(machine: Machine) -> Iterator[Finding]:
    """Whether each can be reached, and whether this machine itself is left out."""
    given = {name: value for name in VARIABLES if (value := _value(machine.env, name))}
    if not given:
        yield ok(SUBJECT, "The environment names none.")
        return
    told: set[str] = set()
    for name, address in given.items():
        if address not in told:
            told.add(address)
            yield _asked(name, address)
    exempt = _exempt(machine.env)
    if "*" not in exempt and not {*LOOPBACK} <= exempt:
        wanted = ",".join([*sorted(exempt), *(host for host in LOOPBACK if host not in exempt)])
        found = "Programs may speak to this machine's own servers through the proxy."
        yield warning(SUBJECT, found, f"export NO_PROXY={wanted}")


def _value(env: Mapping[str, str], name: str) -> str:
    return env.get(name.lower()) or env.get(name) or ""


def _exempt(env: Mapping[str, str]) -> set[str]:
    return {host.strip() for host in _value(env, "NO_PROXY").split(",") if host.strip()}


def _asked(name: str, address: str) -> Finding:
    parts = urlsplit(address if "://" in address else f"http://{address}")
    try:
        host, port = parts.hostname, parts.port or PORTS.get(parts.scheme)
    except ValueError:
        host, port = None, None
    if not host or not port:
        return failure(SUBJECT, f"{name} is no address of a proxy.", f"unset {name} {name.lower()}")
    try:
        socket.create_connection((host, port), timeout=ANSWER_S).close()
    except OSError as error:
        reason = error.strerror or str(error)
        told = f"The proxy of {name}, {_shown(parts, port)}, cannot be reached: {reason}."
        return failure(SUBJECT, told, f"unset {name} {name.lower()}")
    return ok(SUBJECT, f"The proxy of {name}, {_shown(parts, port)}, answers.")


def _shown(parts: SplitResult, port: int) -> str:
    """The address without the password that may stand in it."""
    user = "********@" if parts.username else ""
    return f"{parts.scheme}://{user}{parts.hostname}:{port}"
