"""A WebSocket that hands each message on as it arrives, without a queue and a task in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.frames import Frame, Opcode

DATA = (Opcode.TEXT, Opcode.CONT)


class Socket(ClientConnection):
    """The client's side of one."""

    def __init__(
        self, *args: Any, heard: Callable[[bytes], None], lost: Callable[[], None], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._heard = heard
        self._lost = lost
        self._parts: list[bytes] = []

    def process_event(self, event: Any) -> None:
        """Take a frame: the whole of a message, or a part of it."""
        if not isinstance(event, Frame) or event.opcode not in DATA:
            super().process_event(event)
        elif event.fin and not self._parts:
            self._heard(bytes(event.data))
        else:
            self._parts.append(bytes(event.data))
            if event.fin:
                message, self._parts = b"".join(self._parts), []
                self._heard(message)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone, whoever ended it."""
        super().connection_lost(exc)
        self._lost()
