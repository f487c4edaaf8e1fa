"""The protocol line by line: one JSON-RPC message each, whatever carries the lines."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, cast

from tabwright.faces.mcp.connection import Connection, Notify
from tabwright.faces.mcp.rpc import INVALID_REQUEST, PARSE_ERROR, Exchange, error, is_request

Json = dict[str, Any]
LONGEST_LINE = 16 * 2**20
LEAVING_S = 0.5


class Lines:
    """One client: what comes from it in pieces, and what is written to it."""

    def __init__(
        self,
        pieces: AsyncIterator[bytes],
        write: Callable[[bytes], object],
        connect: Callable[[Notify], Connection],
    ) -> None:
        self._pieces = pieces
        self._write = write
        self.connection = connect(self._notify)
        self._exchange = Exchange(self.connection)
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self) -> None:
        """Answer until the client goes; what it still waits for is given up."""
        try:
            async for line in self._lines():
                if line is None:
                    told = f"A line has over {LONGEST_LINE} bytes."
                    self._send(error(None, INVALID_REQUEST, told))
                elif line.strip():
                    self._heard(line)
            if self._tasks:
                # Who piped some requests to us wants their answers.
                await asyncio.wait(self._tasks, timeout=LEAVING_S)
            self._exchange.give_up()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        finally:
            self.connection.close()

    async def _lines(self) -> AsyncIterator[bytes | None]:
        """Each line; none for one that is too long."""
        parts: list[bytes] = []
        size = 0
        async for piece in self._pieces:
            *ends, rest = piece.split(b"\n")
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

    def _notify(self, method: str, params: Json) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def _send(self, message: Json) -> None:
        self._write(json.dumps(message).encode("ascii") + b"\n")


def _no_number(word: str) -> None:
    raise ValueError(f"there is no {word} in JSON")
