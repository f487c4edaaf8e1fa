"""JSON-RPC as the protocol uses it, whatever carries the messages."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, cast

from tabwright.faces.depth import DEPTH, too_deep
from tabwright.faces.mcp.connection import Connection, Refused

logger = logging.getLogger("tabwright.mcp")

Json = dict[str, Any]
Id = str | int
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INTERNAL = -32700, -32600, -32601, -32603


class Exchange:
    """The requests of one client that are under way."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._running: dict[Id, asyncio.Event] = {}

    def refusal(self, message: Any) -> Json | None:
        """What to answer to a message that is none; nothing if it is one."""
        if not isinstance(message, dict) or cast("Json", message).get("jsonrpc") != "2.0":
            return error(None, INVALID_REQUEST, "Not a JSON-RPC 2.0 message.")
        said = cast("Json", message)
        if is_answer(said):
            return None
        number, method = said.get("id"), said.get("method")
        if too_deep(said):
            told = f"Nested more than {DEPTH} levels deep."
            return error(plain(number), INVALID_REQUEST, told)
        if not isinstance(method, str) or not isinstance(params_of(said), dict):
            return error(plain(number), INVALID_REQUEST, "`method` or `params` is malformed.")
        if not is_request(said):
            return None
        known = plain(number)
        if known is None:
            return error(None, INVALID_REQUEST, "`id` must be a string or a number.")
        if known in self._running:
            return error(known, INVALID_REQUEST, f"Request {known!r} is under way already.")
        if not self._connection.knows(method):
            return error(known, NO_METHOD, f"There is no method {method!r:.80}.")
        return None

    def notified(self, message: Json) -> None:
        """The client tells something, and waits for no answer."""
        if message["method"] == "notifications/cancelled":
            number = plain(params_of(message).get("requestId"))
            if number in self._running:
                self._running[number].set()

    def answer(
        self, message: Json, cancel: asyncio.Event | None = None
    ) -> Coroutine[Any, Any, Json | None]:
        """The answer to a request; none to one that was cancelled, says the protocol.

        The request is under way from this call on, and can be cancelled, also by `cancel`.
        """
        given_up = self._running[message["id"]] = cancel or asyncio.Event()
        return self._answer(message["id"], message["method"], params_of(message), given_up)

    async def _answer(
        self, number: Id, method: str, params: Json, cancel: asyncio.Event
    ) -> Json | None:
        try:
            result = await self._connection.handle(method, params, cancel)
            told: Json = {"jsonrpc": "2.0", "id": number, "result": result}
        except Refused as refused:
            told = error(number, refused.code, refused.message, refused.data)
        except Exception:
            logger.exception("%s failed", method)
            told = error(number, INTERNAL, f"{method} failed; the log has the details.")
        finally:
            del self._running[number]
        return None if cancel.is_set() else told

    def give_up(self) -> None:
        """The client is gone: nobody waits for what is under way."""
        for cancel in self._running.values():
            cancel.set()


def is_request(message: Json) -> bool:
    """Whether it wants an answer."""
    return "id" in message and not is_answer(message)


def is_answer(message: Json) -> bool:
    """We ask clients nothing, so this answers nothing."""
    return "method" not in message and ("result" in message or "error" in message)


def params_of(message: Json) -> Any:
    """The parameters of a message; some clients send null in place of none."""
    found = message.get("params")
    return {} if found is None else found


def error(number: Id | None, code: int, message: str, data: Json | None = None) -> Json:
    """An error as an answer."""
    told: Json = {"code": code, "message": message}
    if data:
        told["data"] = data
    return {"jsonrpc": "2.0", "id": number, "error": told}


def plain(number: Any) -> Id | None:
    """An id or a token, if it is what the protocol has for one."""
    fits = isinstance(number, str | int) and not isinstance(number, bool)
    return number if fits else None
