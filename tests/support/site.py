"""A web site of a test's own, on a free loopback port."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Handle = Callable[[BaseHTTPRequestHandler], None]


class Site:
    """Pages by path. Each test takes its own prefix, so that tests do not meet."""

    def __init__(self) -> None:
        self._handlers: dict[str, Handle] = {}
        self.hits: Counter[str] = Counter()
        self._arrivals: defaultdict[str, threading.Event] = defaultdict(threading.Event)
        self.headers: defaultdict[str, list[dict[str, str]]] = defaultdict(list)
        self.bodies: defaultdict[str, list[bytes]] = defaultdict(list)
        """What was sent, by path; of all methods, in order."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._request_handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return self._server.server_port

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def url(self, path: str) -> str:
        return f"{self.origin}{path}"

    def page(self, path: str, body: str, *, title: str = "Test", status: int = 200) -> str:
        """Serve an HTML page; returns its address."""
        html = body if "<html" in body else f"<!doctype html><title>{title}</title>{body}"
        return self.content(path, html.encode(), status=status)

    def content(
        self,
        path: str,
        data: bytes,
        *,
        mime: str = "text/html; charset=utf-8",
        status: int = 200,
        headers: dict[str, str] | None = None,
    ) -> str:
        """Serve bytes; returns their address."""

        def handle(request: BaseHTTPRequestHandler) -> None:
            request.send_response(status)
            for name, value in {"content-type": mime, **(headers or {})}.items():
                request.send_header(name, value)
            request.send_header("content-length", str(len(data)))
            request.end_headers()
            request.wfile.write(data)

        return self.route(path, handle)

    def redirect(self, path: str, to: str, *, status: int = 302) -> str:
        """Serve a redirect; returns its address."""
        return self.content(path, b"", status=status, headers={"location": to})

    def route(self, path: str, handle: Handle) -> str:
        """Serve a path by a function; returns its address."""
        self._handlers[path] = handle
        return self.url(path)

    def silent(self, path: str, gate: threading.Event) -> str:
        """An address that sends nothing until the gate is opened; returns it."""

        def handle(request: BaseHTTPRequestHandler) -> None:
            gate.wait(120)
            request.close_connection = True

        return self.route(path, handle)

    def broken(self, path: str) -> str:
        """An address whose server hangs up without a word; returns it."""

        def handle(request: BaseHTTPRequestHandler) -> None:
            request.close_connection = True

        return self.route(path, handle)

    def arrived(self, path: str) -> threading.Event:
        """Set once the path was asked for."""
        return self._arrivals[path]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _request_handler(self) -> type[BaseHTTPRequestHandler]:
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                path = self.path.partition("?")[0]
                site.hits[path] += 1
                site._arrivals[path].set()
                site.headers[path].append(dict(self.headers.items()))
                size = int(self.headers.get("content-length") or 0)
                site.bodies[path].append(self.rfile.read(size))
                handle = site._handlers.get(path)
                if handle is None:
                    self.send_error(404, "no such page")
                    return
                try:
                    handle(self)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            # The names http.server looks for.
            do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_GET  # noqa: N815

            def log_message(self, *args: Any) -> None:
                pass

        return Handler
