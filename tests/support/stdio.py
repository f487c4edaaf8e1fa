"""A server of the protocol at standard input and output, and who speaks to it line by line."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil

HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "t", "version": "1"},
}
ANSWER_S = 20


def command(home: Path, *options: str) -> tuple[list[str], dict[str, str]]:
    """The command that starts a server, and its environment."""
    env = {
        **{name: value for name, value in os.environ.items() if not name.startswith("TABWRIGHT_")},
        "TABWRIGHT_PATHS__USER_DATA_BASE_DIR": str(home / "profiles"),
        "TABWRIGHT_PATHS__ARTIFACT_DIR": str(home / "artifacts"),
    }
    return [sys.executable, "-m", "tabwright", "mcp", *options], env


class Wire:
    """The server's two ends, one line at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.numbers = 0

    def send(self, line: bytes | dict[str, Any]) -> None:
        assert self.process.stdin is not None
        data = line if isinstance(line, bytes) else json.dumps({"jsonrpc": "2.0", **line}).encode()
        self.process.stdin.write(data + b"\n")

    async def hear(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        return json.loads(await asyncio.wait_for(self.process.stdout.readline(), ANSWER_S))

    async def answer(self, number: Any) -> dict[str, Any]:
        while (heard := await self.hear()).get("id") != number:
            pass
        return heard

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self.numbers += 1
        self.send({"id": self.numbers, "method": method, "params": params})
        return await self.answer(self.numbers)

    async def tool(self, name: str, **given: Any) -> dict[str, Any]:
        return (await self.ask("tools/call", name=name, arguments=given))["result"]

    def browsers(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)


@asynccontextmanager
async def started(home: Path, *options: str) -> AsyncIterator[Wire]:
    """A server that runs, and has been asked nothing yet."""
    argv, env = command(home, *options)
    process = await asyncio.create_subprocess_exec(
        *argv,
        env=env,
        cwd=home,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=2**24,
    )
    try:
        yield Wire(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
