"""The protocol over standard input and output: one JSON-RPC message a line.

The loop is our own: the official SDK takes a second to import, and an agent waits for it each time
it is started. The tests hold this against the SDK's client.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import uuid
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path
from typing import Any, cast

from tabwright.config import Settings
from tabwright.dispatch import call
from tabwright.engine.manager import BrowserManager
from tabwright.faces.mcp.connection import Connection
from tabwright.faces.mcp.rpc import INVALID_REQUEST, PARSE_ERROR, Exchange, error, is_request
from tabwright.surfaces.registry import ToolRegistry

Json = dict[str, Any]
LONGEST_LINE = 16 * 2**20
CHUNK = 2**16
ENDED_BY = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Stdio:
    """One client at the other ends of two pipes."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, connection: Connection
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._exchange = Exchange(connection)
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self) -> None:
        """Answer until the client goes; what it still waits for is given up."""
        async for line in self._lines():
            if line is None:
                self._send(error(None, INVALID_REQUEST, f"A line has over {LONGEST_LINE} bytes."))
            elif line.strip():
                self._heard(line)
        self._exchange.give_up()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _lines(self) -> AsyncIterator[bytes | None]:
        """Each line; none for one that is too long."""
        parts: list[bytes] = []
        size = 0
        while chunk := await self._reader.read(CHUNK):
            *ends, rest = chunk.split(b"\n")
            for end in ends:
                yield b"".join([*parts, end]) if size + len(end) <= LONGEST_LINE else None
                parts, size = [], 0
            size += len(rest)
            if size <= LONGEST_LINE:
                parts.append(rest)
            else:
                parts = []
        yield b"".join(parts)

    def _heard(self, line: bytes) -> None:
        try:
            message = json.loads(line, parse_constant=_no_number)
        except (ValueError, RecursionError) as reason:
            self._send(error(None, PARSE_ERROR, f"Not JSON: {reason}."[:300]))
            return
        # Batches were in one version of the protocol; each member is answered by itself.
        members = cast("list[Any]", message) if isinstance(message, list) else [message]
        for member in members or [None]:
            self._take(member)

    def _take(self, message: Any) -> None:
        refusal = self._exchange.refusal(message)
        if refusal is not None:
            self._send(refusal)
        elif is_request(message):
            task = asyncio.create_task(self._answer(self._exchange.answer(message)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif "method" in message:
            self._exchange.notified(message)

    async def _answer(self, coming: Awaitable[Json | None]) -> None:
        answer = await coming
        if answer is not None:
            self._send(answer)

    def notify(self, method: str, params: Json) -> None:
        """Tell the client something that it did not ask for."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def _send(self, message: Json) -> None:
        if not self._writer.is_closing():
            self._writer.write(json.dumps(message).encode("ascii") + b"\n")


def _no_number(word: str) -> None:
    raise ValueError(f"there is no {word} in JSON")


async def serve(settings: Settings, registry: ToolRegistry, working_dir: Path) -> None:
    """Serve one client at standard input and output, until it goes or we are told to end."""
    reader, writer = await _pipes()
    manager = BrowserManager(settings, execute=call)
    told: list[Stdio] = []

    def notify(method: str, params: Json) -> None:
        for client in told:
            client.notify(method, params)

    connection = Connection(
        manager,
        registry,
        notify,
        conversation=f"mcp-{uuid.uuid4().hex[:12]}",
        working_dir=working_dir,
    )
    client = Stdio(reader, writer, connection)
    told.append(client)
    serving = asyncio.create_task(client.serve())
    loop = asyncio.get_running_loop()
    for number in ENDED_BY:
        loop.add_signal_handler(number, serving.cancel)
    try:
        await asyncio.gather(serving, return_exceptions=True)
    finally:
        connection.close()
        await manager.stop()


async def _pipes() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    loop = asyncio.get_running_loop()
    # Whatever prints by mistake must not write into the protocol.
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    reader = asyncio.StreamReader(limit=CHUNK)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer)
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, out)
    return reader, asyncio.StreamWriter(transport, protocol, None, loop)
