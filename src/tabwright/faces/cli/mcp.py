"""Serving an agent over standard input and output."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import click

from tabwright.faces.cli.offering import Offer, offering_options
from tabwright.faces.cli.shared import Shared, shared, shared_options
from tabwright.faces.cli.visit import Visit, Work


@click.command("mcp", params=shared_options())
@click.option(
    "--attach",
    is_flag=True,
    help="Use the server that commands share, and what is open there with --session.",
)
@offering_options
def command(*, attach: bool, **offer: bool | str) -> Work | None:
    """Serve an agent with the Model Context Protocol, at standard input and output.

    It has a browser of its own, which ends with it. With --attach it joins the server that
    commands use: it is there at once, and --session NAME shares pages with a person.
    """
    said = shared()
    offered = Offer.of(offer)
    if attach:
        return partial(_attached, offered, said)
    from tabwright.faces.mcp.stdio import serve

    settings = offered.settings(said)
    asyncio.run(serve(settings, offered.registry(settings), Path.cwd()))
    return None


async def _attached(offered: Offer, said: Shared, visit: Visit) -> int:
    """Serve a client in the server; a conversation that nobody named ends with it."""
    from tabwright.faces.mcp.connection import Connection
    from tabwright.faces.mcp.lines import Lines
    from tabwright.faces.mcp.stdio import new_conversation

    manager = await visit.manager(said)
    conversation = new_conversation() if said.session is None else visit.session(said)
    connect = partial(
        Connection,
        manager,
        offered.registry(manager.settings),
        conversation=conversation,
        working_dir=visit.cwd,
    )
    lines = Lines(
        visit.input(), lambda data: visit.terminal.out.write(data.decode("ascii")), connect
    )
    serving = asyncio.create_task(lines.serve())
    leaving = asyncio.create_task(visit.gone.wait())
    try:
        await asyncio.wait((serving, leaving), return_when=asyncio.FIRST_COMPLETED)
    finally:
        serving.cancel()
        leaving.cancel()
        await asyncio.gather(serving, leaving, return_exceptions=True)
        if said.session is None:
            await manager.close_session(conversation)
    return 0
