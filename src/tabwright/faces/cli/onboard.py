"""`tabwright onboard`: the settings that matter first, and what to tell MCP clients."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from tabwright.errors import ConfigError, InputError
from tabwright.faces.cli.output import print_json, print_text
from tabwright.faces.cli.shared import shared, shared_options

if TYPE_CHECKING:
    from pathlib import Path

    from tabwright.clients import Client

SET_HELP = "Save this setting instead of asking, as tools.browser.enabled=true. May be repeated."


@click.command("onboard", params=shared_options(setting=SET_HELP))
@click.option("--client", metavar="NAME", help="Show what to tell this MCP client, and no other.")
@click.option("--write", is_flag=True, help="Put it into that client's own file.")
def command(client: str | None, write: bool) -> None:
    """Set Tabwright up: a form on a terminal, --set for scripts, and snippets for MCP clients.

    The answers go into the user's configuration file, which keeps its comments. With --client
    alone, nothing is asked.
    """
    from tabwright.clients import CLIENTS, client_named
    from tabwright.config import places

    if write and client is None:
        known = ", ".join(each.name for each in CLIENTS)
        raise InputError("--write needs --client.", hint=f"Clients are: {known}.")
    chosen = [client_named(client)] if client else list(CLIENTS)
    path, changes = places().user_file, dict[str, Any](shared().overrides)
    saved: dict[str, Any] | None = None
    if changes:
        saved = _save(path, changes)
    elif client is None:
        saved = _asked(path)
        if saved is None:
            print_text("Nothing was saved.")
            return
    _tell(path, saved, chosen, write=write)


def _save(path: Path, changes: dict[str, Any]) -> dict[str, Any]:
    from tabwright.config import set_values

    if changes:
        set_values(changes, path=path)
    return changes


def _asked(path: Path) -> dict[str, Any] | None:
    """What was changed in the form; None when it was left."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError(
            "The form needs a terminal.",
            hint="Use `tabwright onboard --set tools.browser.enabled=true`, or --client NAME.",
        )
    # Textual takes a quarter of a second to import; only the form may pay for it.
    from tabwright.faces.onboarding.field import Answers
    from tabwright.faces.onboarding.form import Form

    saved: dict[str, Any] = {}
    done = Form(Answers.read(path), lambda changes: saved.update(_save(path, changes))).run()
    return saved if done else None


def _tell(path: Path, saved: dict[str, Any] | None, clients: list[Client], *, write: bool) -> None:
    if not shared().json:
        _tell_saved(path, saved)
    try:
        rows = [_row(client, write=write) for client in clients]
    except ConfigError as error:
        # A program that is told of the refusal must not think that nothing was saved.
        error.details["saved"] = sorted(saved or {})
        raise
    if shared().json:
        kept = None if saved is None else {"path": str(path), "keys": sorted(saved)}
        print_json({"saved": kept, "clients": rows})
        return
    for client, row in zip(clients, rows, strict=True):
        # A single snippet may be sent into a file.
        print_text(f"\n{client.title}: {row['path']}", err=len(clients) == 1)
        print_text(row["did"] or row["snippet"])


def _tell_saved(path: Path, saved: dict[str, Any] | None) -> None:
    """What was written, and what of it, or of the tools, has no effect."""
    from tabwright.config import load
    from tabwright.faces.cli.configure import other_source

    if saved:
        print_text(f"Saved in {path}: {', '.join(sorted(saved))}.")
    elif saved is not None:
        print_text(f"Nothing was changed in {path}.")
    for key in saved or {}:
        if winner := other_source(key, path):
            print_text(f"{key} has no effect here: the {winner} wins.", err=True)
    # A configuration that is wrong elsewhere is no reason not to show a snippet.
    with contextlib.suppress(ConfigError):
        if not load().tools.browser.enabled:
            cure = "tabwright onboard --set tools.browser.enabled=true"
            print_text(f"Browser tools are off: run `{cure}`.", err=True)


def _row(client: Client, *, write: bool) -> dict[str, Any]:
    from tabwright.clients import merge, snippet
    from tabwright.clients.known import home_of

    file = client.user_file(os.environ, home_of())
    merged = merge(client, file) if write else None
    return {
        "client": client.name,
        "path": str(file.path),
        "snippet": snippet(client),
        "change": merged.change if merged else None,
        "did": merged.text if merged else None,
    }
