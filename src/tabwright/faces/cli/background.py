"""The server as a first command starts it: without a terminal, until it is stopped or idle."""

from __future__ import annotations

import asyncio
import os

from tabwright.config import load, places
from tabwright.faces.cli.output import log_to_stderr
from tabwright.faces.cli.server import Server
from tabwright.faces.cli.signals import ENDING
from tabwright.faces.cli.starting import READY
from tabwright.surfaces.registry import ToolRegistry


def main() -> None:
    """Run it. Whoever started us waits for a word on our standard output."""
    os.umask(0o077)
    # Not to hold the directory of whoever came first, nor to take its project's settings.
    os.chdir(places().server)
    settings = load()
    log_to_stderr(settings)
    asyncio.run(_run(Server(settings, ToolRegistry(settings))))


async def _run(server: Server) -> None:
    for number in ENDING:
        asyncio.get_running_loop().add_signal_handler(number, server.end)
    try:
        listening = await server.start(background=True)
        os.write(1, READY)
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, 1)
        os.close(devnull)
        if listening:
            idle = asyncio.create_task(server.end_when_idle())
            await server.until_ended()
            idle.cancel()
    finally:
        await server.stop()


if __name__ == "__main__":
    main()
