"""The shop: one page and a counter that takes orders, on a free loopback port."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl

MAX_ORDER_BYTES = 10_000


class Shop:
    """Serves the page and remembers what was ordered: `with Shop() as shop:`."""

    def __init__(self) -> None:
        self.orders: list[dict[str, str]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._requests())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self._server.server_port}/"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _requests(self) -> type[BaseHTTPRequestHandler]:
        orders = self.orders
        page = files("tabwright.demo").joinpath("page.html").read_bytes()

        class Requests(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path == "/":
                    self._answer(200, "text/html; charset=utf-8", page)
                else:
                    self._answer(404, "text/plain", b"There is only one page.")

            def do_POST(self) -> None:
                length = min(int(self.headers["content-length"] or 0), MAX_ORDER_BYTES)
                order = dict(parse_qsl(self.rfile.read(length).decode("utf-8")))
                orders.append(order)
                receipt = "Order {}: {cups} x {tea} for {name}.".format(len(orders), **order)
                self._answer(200, "text/plain; charset=utf-8", receipt.encode("utf-8"))

            def _answer(self, status: int, mime: str, body: bytes) -> None:
                self.send_response(status)
                self.send_header("content-type", mime)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # its name there
                pass

        return Requests
