"""The protocol over standard input and output: one JSON-RPC message a line.

The loop is our own: the official SDK takes a second to import, and an agent waits for it each time
it is started. The tests hold this against the SDK's client.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

from tabwright.config import Settings
from tabwright.dispatch import call
from tabwright.engine.manager import BrowserManager
from tabwright.faces.mcp.connection import Connection, Refused
from tabwright.surfaces.registry import ToolRegistry

logger = logging.getLogger("tabwright.mcp")

Json = dict[str, Any]
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INTERNAL = -32700, -32600, -32601, -32603
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
        self._connection = connection
        self._running: dict[str | int, tuple[asyncio.Task[None], asyncio.Event]] = {}

    async def serve(self) -> None:
        """Answer until the client goes; what it still waits for is given up."""
        async for line in self._lines():
            if line is None:
                too_long = f"A line has more than {LONGEST_LINE} bytes."
                self._send(_error(None, INVALID_REQUEST, too_long))
            elif line.strip():
                self._heard(line)
        for task, cancel in list(self._running.values()):
            cancel.set()
            task.cancel()
        await asyncio.gather(*(task for task, _ in self._running.values()), return_exceptions=True)

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
            message = json.loads(line)
        except (ValueError, RecursionError) as error:
            self._send(_error(None, PARSE_ERROR, f"Not JSON: {error}."[:300]))
            return
        if isinstance(message, list):
            # Batches were in one version of the protocol; each member is answered by itself.
            for each in cast("list[Any]", message) or [None]:
                self._take(each)
        else:
            self._take(message)

    def _take(self, message: Any) -> None:
        if not isinstance(message, dict) or cast("Json", message).get("jsonrpc") != "2.0":
            self._send(_error(None, INVALID_REQUEST, "Not a JSON-RPC 2.0 message."))
            return
        message = cast("Json", message)
        number, method = message.get("id"), message.get("method")
        if method is None and ("result" in message or "error" in message):
            return  # We ask clients nothing, so this answers nothing.
        params: Any = message.get("params") or {}
        if not isinstance(method, str) or not isinstance(params, dict):
            self._send(_error(_id(number), INVALID_REQUEST, "`method` or `params` is malformed."))
        elif "id" not in message:
            self._notified(method, cast("Json", params))
        elif _id(number) is None:
            self._send(_error(None, INVALID_REQUEST, "`id` must be a string or a number."))
        elif number in self._running:
            self._send(_error(number, INVALID_REQUEST, f"Request {number!r} is under way already."))
        elif not self._connection.knows(method):
            self._send(_error(number, NO_METHOD, f"There is no method {method!r:.80}."))
        else:
            cancel = asyncio.Event()
            work = self._answer(number, method, cast("Json", params), cancel)
            self._running[number] = asyncio.create_task(work), cancel

    def _notified(self, method: str, params: Json) -> None:
        if method == "notifications/cancelled":
            _, cancel = self._running.get(params.get("requestId") or "", (None, None))
            if cancel is not None:
                cancel.set()

    async def _answer(
        self, number: str | int, method: str, params: Json, cancel: asyncio.Event
    ) -> None:
        try:
            result = await self._connection.handle(method, params, cancel)
            answer: Json = {"jsonrpc": "2.0", "id": number, "result": result}
        except Refused as error:
            answer = _error(number, error.code, error.message, error.data)
        except Exception:
            logger.exception("%s failed", method)
            answer = _error(number, INTERNAL, f"{method} failed; the log has the details.")
        finally:
            del self._running[number]
        # What was cancelled is not answered, says the protocol.
        if not cancel.is_set():
            self._send(answer)

    def notify(self, method: str, params: Json) -> None:
        """Tell the client something that it did not ask for."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def _send(self, message: Json) -> None:
        if not self._writer.is_closing():
            self._writer.write(json.dumps(message).encode("ascii") + b"\n")


def _id(number: Any) -> str | int | None:
    plain = isinstance(number, (str, int)) and not isinstance(number, bool)
    return number if plain else None


def _error(number: str | int | None, code: int, message: str, data: Json | None = None) -> Json:
    error: Json = {"code": code, "message": message}
    if data:
        error["data"] = data
    return {"jsonrpc": "2.0", "id": number, "error": error}


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
