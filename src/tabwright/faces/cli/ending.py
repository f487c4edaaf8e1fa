"""Ending things: a session, or the server with all of them."""

from __future__ import annotations

import click

from tabwright.faces.cli.output import print_json, print_text
from tabwright.faces.cli.shared import shared, shared_options
from tabwright.faces.cli.visit import Visit, Work


@click.command("close", params=shared_options())
def close() -> Work:
    """End the session: its pages, its cookies and its files.

    The next command begins a new one. The server goes on.
    """
    said = shared()

    async def work(visit: Visit) -> int:
        name = visit.session(said)
        managers = visit.server.managers.all()
        closed = any([await manager.close_session(name) for manager in managers])
        if said.json:
            print_json({"session": name, "closed": closed})
        else:
            print_text(f"{name} is closed." if closed else f"There is no session {name!r}.")
        return 0

    return work


@click.command("stop", params=shared_options())
def stop() -> Work:
    """End the server, with all sessions and browsers.

    Nothing is left of them. The next command starts a new server.
    """

    async def work(visit: Visit) -> int:
        # The client says so when it is done.
        visit.server.end()
        return 0

    return work
