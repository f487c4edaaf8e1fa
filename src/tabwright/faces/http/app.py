"""Which address leads to which endpoint, and what becomes of what goes wrong there."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from tabwright.errors import InternalError, TabwrightError
from tabwright.faces.http import browser, listing, mcp
from tabwright.faces.http.control import Control
from tabwright.faces.http.event import Hub
from tabwright.faces.http.refusal import NotFound, WrongMethod
from tabwright.faces.http.reply import failed

logger = logging.getLogger("tabwright.http")

Endpoint = Callable[[Control, Request], Awaitable[Response]]
ENDPOINTS: tuple[tuple[str, str, Endpoint], ...] = (
    ("GET", "/health", listing.health),
    ("POST", "/browser/launch", browser.launch),
    ("POST", "/browser/close", browser.close),
    ("POST", "/browser/action", browser.act),
    ("GET", "/browser/state", browser.get_state),
    ("POST", "/browser/state", browser.set_state),
    ("GET", "/browser/screenshot", browser.screenshot),
    ("GET", "/browser/snapshot", browser.snapshot),
    ("POST", "/browser/pdf", browser.pdf),
    ("GET", "/tabs", browser.tabs),
    ("GET", "/profiles", listing.profiles),
    ("GET", "/sessions", listing.sessions),
    ("GET", "/artifacts/{name}", listing.artifact),
    ("GET", "/metrics", listing.metrics),
    ("GET", "/metrics.json", listing.metrics_json),
    ("GET", "/openapi.json", listing.openapi),
    ("GET", "/tools", listing.tools),
    ("POST", "/tools/{name}", listing.call_tool),
    ("POST", "/mcp", mcp.post),
    ("GET", "/mcp", mcp.get),
    ("DELETE", "/mcp", mcp.delete),
)


def make_app(control: Control, hub: Hub) -> Starlette:
    """The endpoints as an application; who may use it is not its business."""
    routes = [
        Route(path, _answering(control, endpoint), methods=[method])
        for method, path, endpoint in ENDPOINTS
    ]
    app = Starlette(
        routes=[
            *routes,
            WebSocketRoute("/events", hub.serve),
            WebSocketRoute("/{path:path}", _no_socket),
        ],
        exception_handlers={HTTPException: _refused},
    )
    app.router.redirect_slashes = False
    return app


def _answering(control: Control, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        try:
            return await endpoint(control, request)
        except TabwrightError as error:
            control.manager.journal.error(error)
            return failed(error)
        except Exception:
            logger.exception("%s %s failed", request.method, request.url.path)
            return failed(
                InternalError(
                    "The request failed for a reason that Tabwright does not know.",
                    hint="The log has the details; please report it.",
                )
            )

    return answer


def _refused(request: Request, error: Exception) -> Response:
    """What the router has no endpoint for."""
    path = request.url.path
    paths = sorted({f"{method} {known}" for method, known, _ in ENDPOINTS})
    if isinstance(error, HTTPException) and error.status_code == WrongMethod.status:
        wrong = WrongMethod(f"{request.method} does not go with {path!r:.200}.")
        return failed(wrong, dict(error.headers or {}))
    return failed(NotFound(f"There is nothing at {path!r:.200}.", hint=f"There is {_list(paths)}"))


def _list(words: list[str]) -> str:
    return f"{', '.join(words)}, and the WebSocket /events."


async def _no_socket(socket: WebSocket) -> None:
    path = socket.url.path
    error = NotFound(f"There is no WebSocket at {path!r:.200}.", hint="There is one at /events.")
    await socket.send_denial_response(failed(error))
