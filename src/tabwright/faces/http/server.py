"""The control server: one port on the loopback address, from start to stop."""

from __future__ import annotations

import asyncio
import errno
import http.client
import json
import os
import socket
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn

from tabwright.config.places import places
from tabwright.engine.manager import BrowserManager
from tabwright.errors import ConfigError, InputError
from tabwright.faces.http.app import make_app
from tabwright.faces.http.control import Control
from tabwright.faces.http.event import Hub
from tabwright.faces.http.guard import Guard
from tabwright.faces.http.refusal import PortTaken
from tabwright.faces.http.token import bearer_token
from tabwright.surfaces.registry import ToolRegistry

LOOPBACK = {"127.0.0.1": "127.0.0.1", "localhost": "127.0.0.1", "::1": "::1"}
HIGHEST_PORT = 65535
BACKLOG = 128
PROBE_S = 1.0
GRACE_S = 3
HEARD_BYTES = 64 * 1024


class ControlServer:
    """Serves the sessions of a manager over HTTP and WebSocket, on the manager's own loop."""

    def __init__(
        self,
        manager: BrowserManager,
        registry: ToolRegistry | None = None,
        *,
        token_file: Path | None = None,
        working_dir: Path | None = None,
    ) -> None:
        self.token_file = token_file or places().token_file
        self._manager = manager
        self._registry = registry or ToolRegistry(manager.settings)
        self._working_dir = working_dir or Path.cwd()
        self._settings = manager.settings.control_server
        self._port = self._settings.port
        self._control: Control | None = None
        self._hub: Hub | None = None
        self._server: _Uvicorn | None = None
        self._serving: asyncio.Task[None] | None = None

    async def start(self, port: int | None = None) -> None:
        """Listen, on the configured port unless told another; 0 is any that is free.

        Raises:
            ConfigError: the server is switched off, or the host is not this machine alone.
            PortTaken: another program listens there.
        """
        await self._manager.home.run(lambda: self._start(port))

    async def stop(self) -> None:
        """Give up the calls under way, close all connections and the port. Raises nothing."""
        await self._manager.home.run(self._stop)

    def is_running(self) -> bool:
        """Whether requests are answered."""
        return self._serving is not None and not self._serving.done()

    def get_port(self) -> int:
        """The port that it listens on, or would."""
        return self._port

    def get_address(self) -> str:
        """Where it is, as http://127.0.0.1:18791."""
        host = LOOPBACK.get(self._settings.host, "127.0.0.1")
        return f"http://{f'[{host}]' if ':' in host else host}:{self._port}"

    async def until_stopped(self) -> None:
        """Wait until it serves no more."""
        if self._serving is not None:
            await asyncio.wait([self._serving])

    async def _start(self, port: int | None) -> None:
        if self.is_running():
            raise InputError(f"The control server runs already, at {self.get_address()}.")
        listening = await self._listen(self._settings.port if port is None else port)
        try:
            token = bearer_token(self.token_file)
            self._port = listening.getsockname()[1]
            self._control = Control(self._manager, self._registry, self._working_dir)
            self._hub = Hub(self._manager.journal)
            guarded = Guard(make_app(self._control, self._hub), token, self._port)
            self._server = _Uvicorn(_config(guarded))
            serving = asyncio.create_task(
                self._server.serve(sockets=[listening]), name="tabwright control server"
            )
        except BaseException:
            listening.close()
            raise
        self._serving = serving
        ready = self._server.ready
        serving.add_done_callback(lambda _: ready.set())
        await ready.wait()
        if serving.done():
            serving.result()

    async def _listen(self, port: int) -> socket.socket:
        self._check()
        if not 0 <= port <= HIGHEST_PORT:
            raise InputError(f"{port} is not a port.", hint="Ports go from 1024 to 65535.")
        host = LOOPBACK[self._settings.host]
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # Only a socket that says it is TCP is given TCP_NODELAY by asyncio: 1 ms a reply, not 40.
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            if os.name == "posix":
                # Elsewhere it would mean that two may share a port.
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, port))
            listening.listen(BACKLOG)
        except OSError as error:
            listening.close()
            if error.errno != errno.EADDRINUSE:
                raise ConfigError(
                    f"Nobody can listen on port {port} of {host}: {error.strerror}.",
                    hint="Set controlServer.port or controlServer.host.",
                ) from error
            raise await asyncio.to_thread(_taken, host, port) from None
        return listening

    def _check(self) -> None:
        if not self._settings.enabled:
            raise ConfigError(
                "The control server is switched off (controlServer.enabled is false).",
                hint="Switch it on with `tabwright config set controlServer.enabled true`.",
            )
        if self._settings.host not in LOOPBACK:
            raise ConfigError(
                f"controlServer.host is {self._settings.host!r}, which others may reach.",
                hint="The control server listens on 127.0.0.1, localhost or ::1 only.",
            )

    async def _stop(self) -> None:
        if self._serving is None:
            return
        assert self._server is not None
        assert self._control is not None
        assert self._hub is not None
        self._control.give_up()
        self._hub.close()
        self._server.should_exit = True
        await asyncio.wait([self._serving])
        self._serving = None


class _Uvicorn(uvicorn.Server):
    """Leaves the signals of the process alone, and says when it is ready."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()


def _config(app: Guard) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http="h11",
        ws="websockets-sansio",
        ws_max_size=HEARD_BYTES,
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_S,
    )


def _taken(host: str, port: int) -> PortTaken:
    """Who has the port, if it is one of us."""
    owner = _health(host, port)
    if owner is None:
        return PortTaken(
            f"Port {port} of {host} is taken by another program.",
            hint="Choose another with --port or controlServer.port; `tabwright doctor` says more.",
            port=port,
        )
    shown = f"[{host}]" if ":" in host else host
    return PortTaken(
        f"Tabwright {owner.get('version')} already listens at http://{shown}:{port} "
        f"(pid {owner.get('pid')}).",
        hint="Use it, end it, or choose another port with --port.",
        port=port,
        pid=owner.get("pid"),
        address=f"http://{shown}:{port}",
    )


def _health(host: str, port: int) -> dict[str, Any] | None:
    connection = http.client.HTTPConnection(host, port, timeout=PROBE_S)
    try:
        connection.request("GET", "/health")
        told: Any = json.loads(connection.getresponse().read(HEARD_BYTES))
        facts: Any = told["data"]
        return facts if facts["name"] == "tabwright" else None
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        return None
    finally:
        connection.close()
