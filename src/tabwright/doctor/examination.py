"""All checks, one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tabwright.doctor import (
    agent_browser,
    browser,
    client,
    configuration,
    disk,
    display,
    font,
    leftover,
    lock,
    port,
    proxy,
    runtime,
    sandbox,
    secret,
    server,
)
from tabwright.doctor.finding import Finding, failure
from tabwright.doctor.machine import Machine
from tabwright.errors import TabwrightError

Check = Callable[[Machine], Iterable[Finding]]

CHECKS: dict[str, Check] = {
    "configuration": configuration.check,
    "runtime": runtime.check,
    "browser": browser.check,
    "sandbox": sandbox.check,
    "fonts": font.check,
    "display": display.check,
    "disk": disk.check,
    "port": port.check,
    "secrets": secret.check,
    "server": server.check,
    "proxies": proxy.check,
    "leftovers": leftover.check,
    "profile locks": lock.check,
    "agent-browser": agent_browser.check,
    "clients": client.check,
}
"""Each check by its subject, in the order in which they are told."""


OTHERWISE = "Run it again as the user who uses Tabwright"


def examine(machine: Machine) -> list[Finding]:
    """What every check found. Nothing is written. Programs are started: not for an event loop."""
    found: list[Finding] = []
    for subject, check in CHECKS.items():
        try:
            found += check(machine)
        except (OSError, TabwrightError) as error:
            found.append(failure(subject, f"It could not be looked at: {error}.", OTHERWISE))
    return found


def mend(findings: Iterable[Finding]) -> list[Finding]:
    """Fix what can be fixed without asking; the rest is as it was."""
    return [finding.after_fixing() for finding in findings]
