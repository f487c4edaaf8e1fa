"""Serving programs over HTTP and WebSocket, on this machine only."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from tabwright.faces.cli.offering import Offer, offering_options
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
@offering_options
def command(*, port: int | None, **offer: bool | str) -> None:
    """Serve other programs over HTTP and WebSocket, on 127.0.0.1, until it is ended.

    They need the token in the file that is named at the start. Ctrl-C ends it.
    """
    from tabwright.faces.cli.server import serve

    said = shared()
    offered = Offer.of(offer)
    settings = offered.settings(said)
    until_signal(
        lambda: serve(
            settings,
            offered.registry(settings),
            port=port,
            ready=lambda server: _tell(server, as_json=said.json),
        )
    )


def _tell(server: ControlServer, *, as_json: bool) -> None:
    address, file = server.get_address(), str(server.token_file)
    if as_json:
        print_json({"address": address, "pid": os.getpid(), "tokenFile": file})
    else:
        print_text(f"Tabwright listens at {address}\nIts bearer token is in {file}")
