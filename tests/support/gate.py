"""An address whose answer comes in two parts, each when the test says so."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler

from support.site import Site

DEADLINE_S = 60


class Gate:
    """Sends its head and the first bytes of its body once `head` is set, the rest after `body`."""

    def __init__(
        self,
        site: Site,
        path: str,
        data: bytes = b"whole",
        *,
        first: int = 0,
        mime: str = "text/plain",
        headers: dict[str, str] | None = None,
    ) -> None:
        self.head = threading.Event()
        self.body = threading.Event()
        self._data = data
        self._first = first
        self._headers = {"content-type": mime, **(headers or {})}
        self.url = site.route(path, self._handle)

    def open(self) -> None:
        """Let everything pass."""
        self.head.set()
        self.body.set()

    def _handle(self, request: BaseHTTPRequestHandler) -> None:
        self.head.wait(DEADLINE_S)
        request.send_response(200)
        for name, value in self._headers.items():
            request.send_header(name, value)
        request.send_header("content-length", str(len(self._data)))
        request.end_headers()
        request.wfile.write(self._data[: self._first])
        request.wfile.flush()
        self.body.wait(DEADLINE_S)
        request.wfile.write(self._data[self._first :])


MakeGate = Callable[..., Gate]
