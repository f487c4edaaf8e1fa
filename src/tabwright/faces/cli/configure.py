"""`tabwright config`: what is set, by whom, and where."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import click

from tabwright.config import load, places, project_file, set_value, show
from tabwright.errors import ConfigError
from tabwright.faces.cli.output import print_json, print_text
from tabwright.faces.cli.shared import shared, shared_options


@click.group("config", params=shared_options(), invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Show and change the configuration."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@command.command("show", params=shared_options())
def show_all() -> None:
    """Show every key, its value, and where the value comes from."""
    rows = show(shared().settings())
    if shared().json:
        print_json([row._asdict() for row in rows])
        return
    cells = [(row.key, _shown(row.value), row.origin) for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in (0, 1)]
    for key, value, origin in cells:
        print_text(f"{key:{widths[0]}}  {value:{widths[1]}}  {origin}")


@command.command("set", params=shared_options())
@click.argument("key")
@click.argument("value")
@click.option("--project", is_flag=True, help="In the project's file instead of the user's.")
def set_one(key: str, value: str, project: bool) -> None:
    """Write a key into the user's configuration file, which keeps its comments.

    Lists and tables are JSON. Nothing is written when the result would not be valid.
    """
    path = _project_path() if project else places().user_file
    set_value(key, value, path=path)
    winner = other_source(key, path)
    if shared().json:
        print_json({"key": key, "path": str(path), "overriddenBy": winner})
        return
    print_text(f"{key} is set in {path}")
    if winner:
        print_text(f"It has no effect here: the {winner} wins.", err=True)


@command.command("path", params=shared_options())
def show_paths() -> None:
    """Show where the configuration files are, or would be."""
    files = {"user": places().user_file, "project": _project_path()}
    if shared().json:
        print_json({name: str(path) for name, path in files.items()})
        return
    for name, path in files.items():
        print_text(f"{name:7}  {path}{'' if path.exists() else '  (not there yet)'}")


def _project_path() -> Path:
    return project_file(Path.cwd()) or Path.cwd() / "tabwright.toml"


def other_source(key: str, path: Path) -> str | None:
    """The source that wins over the file; files and environment may be wrong for other reasons."""
    with contextlib.suppress(ConfigError):
        origin = load().origin(key)
        return None if origin.endswith(str(path)) or origin == "default" else origin
    return None


def _shown(value: Any) -> str:
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
