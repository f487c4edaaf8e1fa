"""Events over WebSocket: what happens, in its order, while it happens.

Nothing waits for a client. What a client has not read is kept up to a bound; beyond it the oldest
goes, and the client is told how many it missed, at the place where they are missing.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from tabwright.engine.journal import Entry, Journal
from tabwright.errors import InputError, TabwrightError, now_iso
from tabwright.faces.http.refusal import TooMany
from tabwright.faces.http.reply import failed

EVENTS = (
    "navigation",
    "console",
    "request",
    "response",
    "dialog",
    "download",
    "connect",
    "disconnect",
    "crash",
    "action",
    "error",
    "hung",
    "retry",
    "restart_failed",
    "reconnect_failed",
    "unavailable",
    "idle_close",
    "sandbox_off",
    "reaped",
)
CLIENTS = 64
KEPT_EVENTS = 1000
EVENT_CHARACTERS = 16_384
GOING_AWAY = 1001


@dataclass(frozen=True)
class Filter:
    """Which events a client wants."""

    events: frozenset[str] = frozenset()
    """Empty: all."""
    conversation: str = ""
    """Empty: of all, and those that belong to none."""

    @classmethod
    def read(cls, given: dict[str, str]) -> Filter:
        """The filter that a query is.

        Raises:
            InputError: it names what there is not.
        """
        extra = sorted(given.keys() - {"events", "conversation"})
        words = given.get("events", "").split(",")
        events = frozenset(word.strip() for word in words if word.strip())
        wrong = sorted(events - set(EVENTS))
        if extra or wrong:
            raise InputError(
                f"There is no event {wrong[0]!r:.80}."
                if wrong
                else f"{extra[0]!r:.80} is not known in the query.",
                hint=f"Use events=… with some of {', '.join(EVENTS)}, and conversation=….",
            )
        return cls(events, given.get("conversation", ""))

    def wants(self, entry: Entry) -> bool:
        """Whether an event passes."""
        named = not self.events or entry["event"] in self.events
        return named and self.conversation in ("", entry.get("conversation"))


class Client:
    """What one client has still to be told."""

    def __init__(self, wanted: Filter) -> None:
        self.wanted = wanted
        self._kept: deque[str] = deque()
        self._missed = 0
        self._news = asyncio.Event()

    def put(self, text: str) -> None:
        """Keep an event for the client. Never waits."""
        self._kept.append(text)
        if len(self._kept) > KEPT_EVENTS:
            self._kept.popleft()
            self._missed += 1
        self._news.set()

    async def next(self) -> str:
        """The next text to be sent."""
        while not self._kept:
            self._news.clear()
            await self._news.wait()
        if self._missed:
            missed, self._missed = self._missed, 0
            return json.dumps({"event": "missed", "timestamp": now_iso(), "count": missed})
        return self._kept.popleft()


class Hub:
    """All clients. It listens only while there are any."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._clients: set[Client] = set()
        self._deaf: Callable[[], None] | None = None
        self._over = asyncio.Event()

    def close(self) -> None:
        """Say good-bye to all clients."""
        self._over.set()

    async def serve(self, socket: WebSocket) -> None:
        """Tell one client what happens, until it leaves or the server does."""
        try:
            client = self._join(dict(socket.query_params))
        except TabwrightError as error:
            await socket.send_denial_response(failed(error))
            return
        try:
            await socket.accept()
            await self._tell(socket, client)
        finally:
            self._leave(client)

    async def _tell(self, socket: WebSocket, client: Client) -> None:
        tasks: list[asyncio.Task[Any]] = [
            asyncio.create_task(_send(socket, client)),
            asyncio.create_task(_hear(socket)),
            asyncio.create_task(self._over.wait()),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if self._over.is_set():
            await socket.close(GOING_AWAY)

    def _join(self, given: dict[str, str]) -> Client:
        client = Client(Filter.read(given))
        if len(self._clients) >= CLIENTS:
            raise TooMany(f"{CLIENTS} clients listen already.", hint="Close one of them.")
        if not self._clients:
            self._deaf = self._journal.listen(self._happened, everything=True)
        self._clients.add(client)
        return client

    def _leave(self, client: Client) -> None:
        self._clients.discard(client)
        if not self._clients and self._deaf is not None:
            self._deaf()
            self._deaf = None

    def _happened(self, entry: Entry) -> None:
        wanting = [client for client in self._clients if client.wanted.wants(entry)]
        if wanting:
            text = _text(entry)
            for client in wanting:
                client.put(text)


async def _send(socket: WebSocket, client: Client) -> None:
    while True:
        await socket.send_text(await client.next())


async def _hear(socket: WebSocket) -> None:
    """Clients have nothing to say; what they send is read only to know when they leave."""
    try:
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
    except WebSocketDisconnect:
        return


def _text(entry: Entry) -> str:
    # A stack is for the log of the machine that it tells of.
    told: dict[str, Any] = {name: value for name, value in entry.items() if name != "stack"}
    text = json.dumps(told, default=str)
    if len(text) <= EVENT_CHARACTERS:
        return text
    short = {name: value for name, value in told.items() if len(str(value)) <= 200}
    return json.dumps({**short, "cut": True}, default=str)
