"""The server: the control server for programs, the desk for command lines, the browsers behind."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from tabwright.config import Settings, places
from tabwright.dispatch import call
from tabwright.engine.manager import BrowserManager
from tabwright.errors import ConfigError
from tabwright.faces.cli.answer import answer
from tabwright.faces.cli.desk import Client, Desk, Request, terminal_of
from tabwright.faces.cli.managers import Managers
from tabwright.faces.cli.visit import Visit
from tabwright.faces.http.refusal import PortTaken
from tabwright.faces.http.server import ControlServer
from tabwright.surfaces.registry import ToolRegistry

IDLE_S = 12 * 3600.0
LOOK_S = 60.0


class Server:
    """All of it, from start to stop."""

    def __init__(self, settings: Settings, registry: ToolRegistry) -> None:
        self.manager = BrowserManager(settings, execute=call)
        self.registry = registry
        self.managers = Managers(self.manager)
        self.control = ControlServer(self.manager, registry)
        self.unreachable = ""
        """Why there is no control server, if there is none."""
        self.started_at = time.time()
        self._desk = Desk(places().server, self._serve, self.end)
        self._ending = asyncio.Event()
        self._last_call = time.monotonic()

    async def start(self, port: int | None = None, *, background: bool = False) -> bool:
        """Listen, and say whether command lines come to us: of several servers, to the first.

        In the background, command lines are what matters: a port that is taken is no failure.
        """
        if background and not await self._desk.open():
            return False
        try:
            await self.control.start(port)
        except (PortTaken, ConfigError) as error:
            if not background:
                raise
            self.unreachable = error.message
        await self.manager.start()
        return background or await self._desk.open()

    async def until_ended(self) -> None:
        """Wait until somebody ends it."""
        ended = asyncio.create_task(self._ending.wait())
        stopped = asyncio.create_task(self.control.until_stopped())
        watched = [ended] if self.unreachable else [ended, stopped]
        try:
            await asyncio.wait(watched, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (ended, stopped):
                task.cancel()

    async def end_when_idle(self) -> None:
        """End it when nobody has used it for half a day, or nobody can."""
        while True:
            await asyncio.sleep(LOOK_S)
            if not self._desk.is_reachable():
                self.end()
            sessions = [each for manager in self.managers.all() for each in manager.sessions()]
            used = max([self._last_call, *(session.last_activity for session in sessions)])
            if time.monotonic() - used > IDLE_S:
                self.end()

    @property
    def ending(self) -> bool:
        """Whether it is on its way out."""
        return self._ending.is_set()

    def end(self) -> None:
        """Have it end; whoever waits for `until_ended` stops it."""
        self._ending.set()

    async def stop(self) -> None:
        """Give up what is under way; leave no process and no temporary file."""
        await self._desk.close()
        await self.control.stop()
        await self.managers.stop()
        await self.manager.stop()

    async def _serve(self, request: Request, client: Client) -> int:
        self._last_call = time.monotonic()
        client.watch()
        visit = Visit(
            request.cwd,
            request.env,
            terminal_of(request, client),
            self,
            client.input,
            client.gone,
        )
        return await answer(request.args, visit)


async def serve(
    settings: Settings,
    registry: ToolRegistry,
    *,
    port: int | None,
    ready: Callable[[ControlServer], None],
) -> None:
    """Serve until cancelled or told to end."""
    server = Server(settings, registry)
    try:
        await server.start(port)
        ready(server.control)
        await server.until_ended()
    finally:
        await server.stop()
