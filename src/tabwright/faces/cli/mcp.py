"""Serving an agent over standard input and output."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from tabwright.faces.cli.shared import shared, shared_options


@click.command("mcp", params=shared_options())
@click.option("--enable", is_flag=True, help="Switch the browser on for this client.")
@click.option(
    "--tools",
    default="core",
    metavar="GROUPS",
    help="Groups of tools to list, with commas: core, input, network, storage, emulation, pwa, "
    "audit, files, admin. Default: core.",
)
@click.option(
    "--surface",
    default="granular",
    type=click.Choice(["granular", "compact", "all"]),
    help="Which names the tools have.",
)
def command(*, enable: bool, tools: str, surface: str) -> None:
    """Serve an agent with the Model Context Protocol, at standard input and output."""
    from tabwright.faces.mcp.stdio import serve
    from tabwright.surfaces.registry import ToolRegistry

    settings = shared().settings()
    registry = ToolRegistry(
        settings,
        surface=surface,
        groups=[group.strip() for group in tools.split(",")],
        enabled=True if enable else None,
    )
    asyncio.run(serve(settings, registry, Path.cwd()))
