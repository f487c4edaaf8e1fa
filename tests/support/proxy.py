"""A TCP proxy that can cut its connections while both ends live."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

from tabwright.engine.process import BrowserProcess, LaunchPlan


class Proxy:
    """Stands between us and a browser's debugging port."""

    def __init__(self) -> None:
        self._server: asyncio.Server | None = None
        self._writers: list[asyncio.StreamWriter] = []
        self._pumps: set[asyncio.Task[None]] = set()
        self._target = ("", 0)
        self._refusing = False
        self._traffic = asyncio.Event()

    async def before(self, endpoint: str) -> str:
        """Put the proxy before an endpoint; returns the endpoint to use instead."""
        parts = urlsplit(endpoint)
        self._target = (parts.hostname or "", parts.port or 0)
        if self._server is None:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        return f"ws://127.0.0.1:{port}{parts.path}"

    async def launch(self, plan: LaunchPlan) -> BrowserProcess:
        """The real launcher, with the proxy before the browser that it starts."""
        process = await BrowserProcess.launch(plan)
        process.endpoint = await self.before(process.endpoint)
        return process

    async def busy(self) -> None:
        """Wait until something was sent to the browser since the last time."""
        self._traffic.clear()
        await self._traffic.wait()

    def cut(self) -> None:
        """Break every connection."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    def refuse(self) -> None:
        """Break new connections at once."""
        self._refusing = True

    def allow(self) -> None:
        """Let new connections pass again."""
        self._refusing = False

    async def close(self) -> None:
        self.cut()
        if self._server is not None:
            self._server.close()
        await asyncio.gather(*self._pumps, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._refusing:
            writer.transport.abort()
            return
        up_reader, up_writer = await asyncio.open_connection(*self._target)
        self._writers += [writer, up_writer]
        pumps = {
            asyncio.create_task(self._pump(reader, up_writer, mark=True)),
            asyncio.create_task(self._pump(up_reader, writer, mark=False)),
        }
        self._pumps |= pumps

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, mark: bool
    ) -> None:
        try:
            while data := await reader.read(65536):
                if mark:
                    self._traffic.set()
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.transport.abort()
