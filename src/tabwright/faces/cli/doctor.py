"""`tabwright doctor`: what keeps it from working here, and what mends it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tabwright.faces.cli.output import plain, print_json, print_text
from tabwright.faces.cli.shared import shared, shared_options

if TYPE_CHECKING:
    from tabwright.doctor import Finding

DIRECTORY = click.Path(exists=True, file_okay=False, path_type=Path)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
COLOURS = {"ok": "green", "warning": "yellow", "failure": "red"}
WIDTH_OFF_TERMINAL = 120


@click.command("doctor", params=shared_options())
@click.option("--fix", is_flag=True, help="Do what is safe: file modes, leftovers, dead locks.")
@click.option("--cwd", type=DIRECTORY, metavar="DIR", help="As if started in this directory.")
@click.option(
    "--config-dir", type=DIRECTORY, metavar="DIR", help="Where Tabwright's own config.toml is."
)
@click.option(
    "--client-settings", type=FILE, metavar="FILE", help="Look for Tabwright in this file, too."
)
@click.option("--skip-clients", is_flag=True, help="Do not look into the files of MCP clients.")
def command(
    fix: bool,
    cwd: Path | None,
    config_dir: Path | None,
    client_settings: Path | None,
    skip_clients: bool,
) -> int:
    """Examine this machine: browser, sandbox, fonts, disk, port, files, proxies, clients.

    Nothing is written without --fix. Exit code 0: no failure; 1: at least one; 2: wrong usage.
    """
    from tabwright.doctor import Machine, examine, mend

    machine = Machine.here(
        cwd=cwd and cwd.absolute(),
        config_dir=config_dir and config_dir.absolute(),
        overrides={**shared().overrides, "browser.defaultProfile": shared().profile},
        client_file=client_settings and client_settings.absolute(),
        skip_clients=skip_clients,
    )
    findings = examine(machine)
    if fix:
        findings = mend(findings)
    failed = any(finding.state == "failure" for finding in findings)
    if shared().json:
        summary = {state: _count(findings, state) for state in COLOURS}
        told = [finding.as_dict() for finding in findings]
        print_json({"success": not failed, "summary": summary, "findings": told})
    else:
        _print(findings)
    return 1 if failed else 0


def _count(findings: list[Finding], state: str) -> int:
    return sum(finding.state == state for finding in findings)


def _print(findings: list[Finding]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("State")
    table.add_column("Check", no_wrap=True)
    table.add_column("Found", overflow="fold")
    for finding in findings:
        state = Text(finding.state, style=COLOURS[finding.state])
        found = plain(f"{finding.found} {finding.fixed}".rstrip())
        table.add_row(state, finding.subject, Text(found))
    Console(width=None if sys.stdout.isatty() else WIDTH_OFF_TERMINAL).print(table)
    # Below the table and uncut, so that a command can be copied.
    for finding in findings:
        if finding.mend:
            print_text(f"{finding.subject}: {finding.mend}")
    counts = ", ".join(f"{_count(findings, state)} {state}" for state in COLOURS)
    print_text(f"\n{counts}")
