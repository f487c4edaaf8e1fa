"""Serving an agent over standard input and output."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from tabwright.faces.cli.offering import offered, offering_options
from tabwright.faces.cli.shared import shared_options


@click.command("mcp", params=shared_options())
@offering_options
def command(*, enable: bool, tools: str, surface: str) -> None:
    """Serve an agent with the Model Context Protocol, at standard input and output."""
    from tabwright.faces.mcp.stdio import serve

    settings, registry = offered(enable=enable, tools=tools, surface=surface)
    asyncio.run(serve(settings, registry, Path.cwd()))
