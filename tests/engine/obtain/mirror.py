"""A loopback server in the layouts of Chrome for Testing and of Playwright's host.

Its zips hold a shell script that answers `--version`: what is tested with it is the
downloader, not Chromium. `test_real.py` obtains and starts real ones.
"""

import base64
import hashlib
import io
import json
import threading
import zipfile
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tabwright.engine.obtain.browser import machine

VERSION = "141.0.7300.5"
PRODUCTS = {"shell": "chrome-headless-shell", "full": "chrome"}


def script(version: str = VERSION) -> str:
    return f"#!/bin/sh\necho Chromium {version}\n"


def zipped(name: str, content: str, mode: int = 0o755) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        info = zipfile.ZipInfo(name)
        info.external_attr = mode << 16
        archive.writestr(info, content)
    return buffer.getvalue()


@dataclass
class Hold:
    """Half a body has been sent; the rest waits."""

    reached: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)


class Mirror:
    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.headers: dict[str, dict[str, str]] = {}
        self.plans: dict[str, list[int | str | Hold]] = {}
        self.seen: list[str] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.handle_error = lambda *_: None
        self.base = f"http://127.0.0.1:{self._server.server_port}"
        self.index = f"{self.base}/index.json"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        for plan in self.plans.values():
            for step in plan:
                if isinstance(step, Hold):
                    step.released.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def offer(self, kind: str, *, prefix: str = "", version: str = VERSION, text: str = "") -> str:
        """Serve a zip and the index that names it; returns the zip's path."""
        product = PRODUCTS[kind]
        folder = f"{product}-{machine()}"
        path = f"{prefix}/{version}/{machine()}/{folder}.zip"
        self.files[path] = zipped(f"{folder}/{product}", text or script(version))
        builds = [{"platform": machine(), "url": self.base + path}]
        stable = {"version": version, "downloads": {product: builds}}
        self.files["/index.json"] = json.dumps({"channels": {"Stable": stable}}).encode()
        return path

    def name_md5(self, path: str, content: bytes) -> None:
        md5 = base64.b64encode(hashlib.md5(content).digest()).decode()
        self.headers[path] = {"x-goog-hash": f"crc32c=AAAAAA==,md5={md5}"}

    def hold(self, path: str) -> Hold:
        hold = Hold()
        self.plans[path] = [hold]
        return hold

    def count(self, path: str) -> int:
        return self.seen.count(path)

    def _handler(mirror) -> type[BaseHTTPRequestHandler]:  # noqa: N805
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                mirror.seen.append(self.path)
                plan = mirror.plans.get(self.path)
                mirror._answer(self, plan.pop(0) if plan else None)

            def log_message(self, *_: object) -> None:
                pass

        return Handler

    def _answer(self, request: BaseHTTPRequestHandler, step: int | str | Hold | None) -> None:
        body = self.files.get(request.path)
        status = step if isinstance(step, int) else 200 if body is not None else 404
        body = body if status == 200 and body is not None else b""
        request.send_response(status)
        request.send_header("Content-Length", str(len(body)))
        for name, value in self.headers.get(request.path, {}).items():
            request.send_header(name, value)
        request.end_headers()
        half = len(body) // 2
        request.wfile.write(body[:half])
        if step == "truncate":
            return
        if isinstance(step, Hold):
            step.reached.set()
            step.released.wait()
        request.wfile.write(body[half:])
