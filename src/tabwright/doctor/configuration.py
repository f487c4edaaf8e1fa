"""Whether the configuration can be used, and whether agents get a browser."""

from __future__ import annotations

from collections.abc import Iterator

from tabwright.config import Problem
from tabwright.config import check as further_problems
from tabwright.doctor.finding import Finding, failure, ok, warning
from tabwright.doctor.machine import Machine

SUBJECT = "configuration"


def check(machine: Machine) -> Iterator[Finding]:
    """Every problem of every source."""
    problems = [*machine.problems, *further_problems(machine.settings)]
    for problem in dict.fromkeys(problems):
        yield failure(SUBJECT, f"{problem}.", _mend(problem))
    if not problems:
        files = " and ".join(map(str, machine.config_files)) or "no file; the defaults hold"
        yield ok(SUBJECT, f"It can be used: {files}.")
    if machine.settings.tools.browser.enabled is None:
        told = "Agents get no browser tools: tools.browser.enabled is not set."
        yield warning(SUBJECT, told, "tabwright config set tools.browser.enabled true")


def _mend(problem: Problem) -> str:
    kind, _, where = problem.source.rpartition(" ")
    if kind == "environment":
        return f"unset {where}"
    if kind == "flag":
        return f"Leave out --set {where}"
    if "denied" in problem.expected:
        return f"sudo chown $(id -un) {where}"
    return f"Correct {problem.key or 'it'} in {problem.source.partition(' file ')[2] or where}"
