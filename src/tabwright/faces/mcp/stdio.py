"""Serving one client at standard input and output.

The loop is our own (`lines.py`): the official SDK takes a second to import, and an agent waits for
it each time it is started. The tests hold this against the SDK's client.
"""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import sys
import uuid
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

from tabwright.config import Settings
from tabwright.dispatch import call
from tabwright.engine.manager import BrowserManager
from tabwright.faces.mcp.connection import Connection
from tabwright.faces.mcp.lines import Lines
from tabwright.surfaces.registry import ToolRegistry

Write = Callable[[bytes], object]
CHUNK = 2**16
ENDED_BY = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def new_conversation() -> str:
    """A name for the conversation of a client that has none."""
    return f"mcp-{uuid.uuid4().hex[:12]}"


async def serve(settings: Settings, registry: ToolRegistry, working_dir: Path) -> None:
    """Serve one client at standard input and output, until it goes or we are told to end."""
    reader, write = await _pipes()
    manager = BrowserManager(settings, execute=call)
    connect = partial(
        Connection,
        manager,
        registry,
        conversation=new_conversation(),
        working_dir=working_dir,
    )

    serving = asyncio.create_task(Lines(_pieces(reader), write, connect).serve())
    loop = asyncio.get_running_loop()
    for number in ENDED_BY:
        loop.add_signal_handler(number, serving.cancel)
    try:
        await asyncio.gather(serving, return_exceptions=True)
    finally:
        await manager.stop()


async def _pieces(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while piece := await reader.read(CHUNK):
        yield piece


async def _pipes() -> tuple[asyncio.StreamReader, Write]:
    loop = asyncio.get_running_loop()
    # Whatever prints by mistake must not write into the protocol.
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    reader = asyncio.StreamReader(limit=CHUNK)
    if _is_file(0):
        # Loops wait for pipes only; a file is there already.
        reader.feed_data(sys.stdin.buffer.read())
        reader.feed_eof()
    else:
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer)
    if _is_file(out.fileno()):
        return reader, out.write
    transport, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, out)

    def write(data: bytes) -> None:
        if not transport.is_closing():
            transport.write(data)

    return reader, write


def _is_file(number: int) -> bool:
    return stat.S_ISREG(os.fstat(number).st_mode)
