"""Serving programs over HTTP and WebSocket, on this machine only."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from tabwright.faces.cli.output import print_json, print_text
from tabwright.faces.cli.shared import shared, shared_options
from tabwright.faces.cli.signals import until_signal

if TYPE_CHECKING:
    from tabwright.faces.http.server import ControlServer


@click.command("serve", params=shared_options())
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="Port to listen on; 0 for any that is free. Default: controlServer.port.",
)
@click.option("--enable", is_flag=True, help="Switch the browser on for the server's clients.")
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
def command(*, port: int | None, enable: bool, tools: str, surface: str) -> None:
    """Serve other programs over HTTP and WebSocket, on 127.0.0.1, until it is ended.

    They need the token in the file that is named at the start. Ctrl-C ends it.
    """
    from tabwright.config import resolve_profile
    from tabwright.faces.http.server import serve
    from tabwright.surfaces.registry import ToolRegistry

    said = shared()
    settings = said.settings()
    if said.profile is not None:
        settings.browser.default_profile = resolve_profile(settings, said.profile).name
    registry = ToolRegistry(
        settings,
        surface=surface,
        groups=[group.strip() for group in tools.split(",")],
        enabled=True if enable else None,
    )
    until_signal(
        lambda: serve(
            settings, registry, port=port, ready=lambda server: _tell(server, as_json=said.json)
        )
    )


def _tell(server: ControlServer, *, as_json: bool) -> None:
    address, file = server.get_address(), str(server.token_file)
    if as_json:
        print_json({"address": address, "pid": os.getpid(), "tokenFile": file})
    else:
        print_text(f"Tabwright listens at {address}\nIts bearer token is in {file}")
