"""The server's end of a WebSocket that says nothing and hangs up when told to."""

from __future__ import annotations

import base64
import hashlib
import threading
from http.server import BaseHTTPRequestHandler

MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def answer_socket(request: BaseHTTPRequestHandler, hang_up: threading.Event) -> None:
    """Shake hands, then wait."""
    key = request.headers["sec-websocket-key"] + MAGIC
    accept = base64.b64encode(hashlib.sha1(key.encode("ascii")).digest()).decode("ascii")
    request.send_response(101)
    request.send_header("upgrade", "websocket")
    request.send_header("connection", "Upgrade")
    request.send_header("sec-websocket-accept", accept)
    request.end_headers()
    request.wfile.flush()
    hang_up.wait(60)
    request.close_connection = True
