"""Who may speak to the server: programs of this machine that know the token, and no web page.

The pages that an agent visits can reach the loopback address too. A browser cannot forge `Host`,
`Origin` or `Sec-Fetch-Site`: so a page that got here by another name for this machine is known by
the first, and one that speaks across origins by the others.
"""

from __future__ import annotations

import hmac
import logging

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tabwright.errors import SecurityError, TabwrightError
from tabwright.faces.http.refusal import Unauthorized
from tabwright.faces.http.reply import failed

logger = logging.getLogger("tabwright.http")

OPEN_PATHS = {"/health"}
"""What says only that we are here."""
HEADERS = {
    b"cache-control": b"no-store",
    b"x-content-type-options": b"nosniff",
    b"cross-origin-resource-policy": b"same-origin",
}


class Guard:
    """Refuses before anything else has looked at the request."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self._app = app
        self._token = f"Bearer {token}".encode("ascii")
        names = ("127.0.0.1", "localhost", "[::1]")
        self._hosts = {f"{name}:{port}".encode("ascii") for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with the reason why not."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        async def send_closed(message: Message) -> None:
            if message["type"].endswith("http.response.start"):
                given = {name.lower() for name, _ in message["headers"]}
                more = [pair for pair in HEADERS.items() if pair[0] not in given]
                message["headers"] = [*message["headers"], *more]
            await send(message)

        error = self._objection(scope)
        if error is None:
            await self._app(scope, receive, send_closed)
            return
        logger.warning("refused %r: %s", scope["path"], error.message)
        headers = {"www-authenticate": "Bearer"} if isinstance(error, Unauthorized) else None
        await failed(error, headers)(scope, receive, send_closed)

    def _objection(self, scope: Scope) -> TabwrightError | None:
        headers: list[tuple[bytes, bytes]] = [(n.lower(), v) for n, v in scope["headers"]]
        hosts = [value.lower() for name, value in headers if name == b"host"]
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return SecurityError(
                "The Host header does not name this server.",
                hint="Connect to it as 127.0.0.1 or localhost, with its port.",
            )
        if any(_from_page(name, value) for name, value in headers):
            return SecurityError(
                "The request comes from a web page: it has an Origin or a Sec-Fetch-Site header.",
                hint="Send it from a program, without them.",
            )
        if scope["path"] in OPEN_PATHS and scope["type"] == "http":
            return None
        given = [value for name, value in headers if name == b"authorization"]
        if len(given) != 1 or not hmac.compare_digest(given[0], self._token):
            return Unauthorized(
                "The bearer token is missing." if not given else "The bearer token is wrong.",
                hint="Send `Authorization: Bearer …` with what is in the server's token file.",
            )
        return None


def _from_page(name: bytes, value: bytes) -> bool:
    # A person who types the address into a browser sends `none`.
    return name == b"origin" or (name == b"sec-fetch-site" and value != b"none")
