"""The Model Context Protocol over HTTP: one address, and a session for each client.

A session is known by an id of ours in a header. It outlives the connection, so that a client whose
line was cut comes back to its browser by that id.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from collections import OrderedDict
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from tabwright.engine.manager import BrowserManager
from tabwright.errors import InputError
from tabwright.faces.http.body import table
from tabwright.faces.http.refusal import NotFound
from tabwright.faces.http.reply import Json
from tabwright.faces.mcp.connection import Connection, progress_token
from tabwright.faces.mcp.rpc import INVALID_REQUEST, Exchange, error, is_request, params_of
from tabwright.surfaces.registry import ToolRegistry

if TYPE_CHECKING:
    from tabwright.faces.http.control import Control

Message = dict[str, Any]
Told = asyncio.Queue[Message | None]
Token = str | int

SESSION = "mcp-session-id"
MOST_SESSIONS = 100
STREAMED = "text/event-stream"
KEPT_ALIVE_S = 15.0
WAITING = 500


class Client:
    """One session: what it asks, and who listens for what it did not ask."""

    def __init__(self, manager: BrowserManager, registry: ToolRegistry, working_dir: Path) -> None:
        self.id = uuid.uuid4().hex
        self.conversation = f"mcp-{self.id[:12]}"
        self.connection = Connection(
            manager, registry, self._notify, conversation=self.conversation, working_dir=working_dir
        )
        self.exchange = Exchange(self.connection)
        self.listeners: set[Told] = set()
        self.progress: dict[Token, Told] = {}
        """For calls that are answered as a stream, by their token."""

    def _notify(self, method: str, params: Message) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        token = params.get("progressToken")
        wanted = None if token is None else self.progress.get(token)
        for told in [wanted] if wanted is not None else list(self.listeners):
            _put(told, message)

    def close(self) -> None:
        """End it: what is under way is given up, and all streams end."""
        self.exchange.give_up()
        self.connection.close()
        for told in self.listeners:
            _put(told, None)


class Clients:
    """All sessions; beyond so many, the one that was used least recently ends."""

    def __init__(self) -> None:
        self._all: OrderedDict[str, Client] = OrderedDict()

    def add(self, client: Client) -> None:
        """Keep a new one."""
        self._all[client.id] = client
        while len(self._all) > MOST_SESSIONS:
            self._all.popitem(last=False)[1].close()

    def of(self, request: Request) -> Client:
        """The client whose request it is.

        Raises:
            InputError: it does not say which.
            NotFound: there is none of this id, or no more.
        """
        said = request.headers.get(SESSION)
        if said is None:
            raise InputError("The Mcp-Session-Id header is missing.", hint="Begin with initialize.")
        if said not in self._all:
            raise NotFound("There is no such session.", hint="Begin again with initialize.")
        self._all.move_to_end(said)
        return self._all[said]

    def remove(self, client: Client) -> None:
        """End one."""
        del self._all[client.id]
        client.close()

    def close(self) -> None:
        """End all."""
        for client in list(self._all.values()):
            self.remove(client)


async def post(control: Control, request: Request) -> Response:
    """A message from a client; a request is answered, as a stream if it asked for progress."""
    message = await table(request)
    if message.get("method") == "initialize" and SESSION not in request.headers:
        return await _begin(control, message)
    client = control.clients.of(request)
    refusal = client.exchange.refusal(message)
    if refusal is not None:
        return Json(refusal, status_code=400)
    if not is_request(message):
        if "method" in message:
            client.exchange.notified(message)
        return Response(status_code=202)
    headers = {SESSION: client.id}
    # We cannot send an answer later on, so a client that leaves has given its call up.
    cancel = asyncio.Event()
    coming = client.exchange.answer(message, cancel)
    token = progress_token(params_of(message))
    if token is not None and STREAMED in request.headers.get("accept", ""):
        stream = _answered(client, token, asyncio.create_task(coming), cancel)
        return StreamingResponse(stream, media_type=STREAMED, headers=headers)
    async with control.attended(request, cancel):
        answer = await coming
    return Response(status_code=204) if answer is None else Json(answer, headers=headers)


async def _begin(control: Control, message: Message) -> Response:
    """A new session, if all is well with what it begins with."""
    client = Client(control.manager, control.registry, control.working_dir)
    refusal = client.exchange.refusal(message)
    if refusal is None and not is_request(message):
        refusal = error(None, INVALID_REQUEST, "initialize needs an `id`.")
    answer = refusal or await client.exchange.answer(message)
    if answer is None or "error" in answer:
        client.close()
        return Json(answer, status_code=400 if refusal else 200)
    control.clients.add(client)
    return Json(answer, headers={SESSION: client.id})


async def get(control: Control, request: Request) -> Response:
    """A stream of what the client did not ask for: crashes, recoveries."""
    client = control.clients.of(request)
    return StreamingResponse(_heard(client), media_type=STREAMED)


async def delete(control: Control, request: Request) -> Response:
    """The client is done: its session ends, and its browser's too."""
    client = control.clients.of(request)
    control.clients.remove(client)
    await control.manager.close_session(client.conversation)
    return Response(status_code=204)


async def _answered(
    client: Client, token: Token, answering: asyncio.Task[Message | None], cancel: asyncio.Event
) -> AsyncIterator[bytes]:
    told: Told = asyncio.Queue(WAITING)
    client.progress[token] = told
    answering.add_done_callback(lambda _: _put(told, None))
    try:
        while (message := await told.get()) is not None:
            yield _event(message)
        answer = await answering
        if answer is not None:
            yield _event(answer)
    finally:
        cancel.set()
        if client.progress.get(token) is told:
            del client.progress[token]


async def _heard(client: Client) -> AsyncIterator[bytes]:
    told: Told = asyncio.Queue(WAITING)
    client.listeners.add(told)
    try:
        # Something at once, so that the client knows that it is heard.
        yield b": listening\n\n"
        while True:
            try:
                message = await asyncio.wait_for(told.get(), KEPT_ALIVE_S)
            except TimeoutError:
                yield b": still here\n\n"
                continue
            if message is None:
                return
            yield _event(message)
    finally:
        client.listeners.discard(told)


def _put(told: Told, message: Message | None) -> None:
    """Tell somebody who may not read: of what waits too long, the oldest is dropped."""
    if told.full():
        told.get_nowait()
    told.put_nowait(message)


def _event(message: Message) -> bytes:
    return f"event: message\ndata: {json.dumps(message)}\n\n".encode("ascii")
