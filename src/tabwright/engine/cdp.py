"""The DevTools protocol over one WebSocket: commands out, answers and events in, in order."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import orjson

from tabwright.errors import ConnectFailed, DriverCrashError, InternalError, TargetClosed

if TYPE_CHECKING:
    from httpx import AsyncClient

    from tabwright.engine.socket import Socket

logger = logging.getLogger("tabwright.cdp")

Params = dict[str, Any]
Handler = Callable[[Params, str | None], None]
"""Called with the event's params and the id of the session it came from."""

CONNECT_TIMEOUT_S = 10.0
SESSION_GONE = -32001
MOVED_ON = ("context", "navigated or closed", "no frame for given id")
# websockets.protocol.OPEN, without its import.
OPEN = 1


NO_PAGE = "Not supported"
"""What the browser says when it could not make a page."""


class ProtocolError(InternalError):
    """The browser refused a command. The engine translates it before a caller sees it."""

    def __init__(self, method: str, code: int, message: str) -> None:
        super().__init__(f"{method}: {message}", method=method, protocolCode=code)
        self.method = method
        self.protocol_code = code
        self.reason = message
        self.moved = any(words in message.lower() for words in MOVED_ON)
        """Whether the page was replaced while the command was on its way."""


@dataclass(frozen=True)
class BrowserVersion:
    """What the browser says of itself."""

    browser: str
    protocol_version: str
    user_agent: str
    v8_version: str
    webkit_version: str


@dataclass(frozen=True)
class Target:
    """A page, frame or worker, as the browser lists it."""

    target_id: str
    type: str
    title: str
    url: str
    attached: bool
    browser_context_id: str | None = None
    opener_id: str = ""

    @classmethod
    def of(cls, info: Params) -> Target:
        """Read a `TargetInfo`."""
        return cls(
            target_id=info["targetId"],
            type=info["type"],
            title=info.get("title", ""),
            url=info.get("url", ""),
            attached=bool(info.get("attached")),
            browser_context_id=info.get("browserContextId"),
            opener_id=info.get("openerId", ""),
        )


@dataclass
class _Pending:
    future: asyncio.Future[Params]
    method: str
    session_id: str | None


class CDPClient:
    """One connection to a browser. Sessions of targets share it (flat mode)."""

    def __init__(self) -> None:
        self.endpoint = ""
        self._socket: Socket | None = None
        self._ids = itertools.count(1)
        self._pending: dict[int, _Pending] = {}
        self._flushing = False
        self._handlers: defaultdict[tuple[str, str | None], list[Handler]] = defaultdict(list)
        self.closed = asyncio.Event()
        """Set once the connection is gone, whoever ended it."""

    async def connect(self, endpoint: str, *, timeout: float = CONNECT_TIMEOUT_S) -> None:
        """Connect to a `ws://` address, or to the `http://` address that names one.

        Raises:
            ConnectFailed: nothing there speaks the protocol.
        """
        from websockets.asyncio.client import connect
        from websockets.exceptions import WebSocketException

        from tabwright.engine.socket import Socket

        await self.disconnect()
        # Made before the limit begins: what we take for it is no time that the peer had.
        web = _web_client() if endpoint.startswith(("http://", "https://")) else None
        try:
            async with asyncio.timeout(timeout):
                address = await _websocket_address(web, endpoint) if web else endpoint
                make: Any = partial(Socket, heard=self._heard, lost=self._lost)
                socket = await connect(
                    address,
                    max_size=None,
                    compression=None,
                    ping_interval=None,
                    open_timeout=None,
                    close_timeout=2,
                    proxy=None,
                    create_connection=make,
                )
        except TimeoutError:
            raise ConnectFailed(endpoint, f"no answer within {timeout:g} s") from None
        except (OSError, WebSocketException, ValueError, KeyError) as error:
            raise ConnectFailed(endpoint, _reason(error)) from error
        self.endpoint = address
        self._socket = cast("Socket", socket)
        self.closed.clear()

    async def disconnect(self) -> None:
        """Close the connection. Harmless when it is already gone."""
        socket, self._socket = self._socket, None
        if socket is not None:
            await socket.close()

    @property
    def is_connected(self) -> bool:
        """Whether commands can be sent."""
        return self._socket is not None and not self.closed.is_set()

    async def send_command(
        self, method: str, params: Params | None = None, session_id: str | None = None
    ) -> Params:
        """Send a command and wait for its answer.

        Raises:
            DriverCrashError: the connection was lost before the answer came.
            TargetClosed: the session's target went away.
            ProtocolError: the browser refused the command.
        """
        return await self.post(method, params, session_id)

    def post(
        self, method: str, params: Params | None = None, session_id: str | None = None
    ) -> asyncio.Future[Params]:
        """Queue a command now and return its answer to come, so that commands can be pipelined."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Params] = loop.create_future()
        if self._socket is None or self.closed.is_set():
            return _failed(future, _lost(method))
        number = next(self._ids)
        message: Params = {"id": number, "method": method, "params": params or {}}
        if session_id:
            message["sessionId"] = session_id
        data = _written(message)
        if self._socket.protocol.state != OPEN:
            # The peer's goodbye is here, and the reader has not told us yet.
            return _failed(future, _lost(method))
        self._pending[number] = _Pending(future, method, session_id)
        self._socket.protocol.send_text(data)
        if not self._flushing:
            # What is posted together goes out together.
            self._flushing = True
            loop.call_soon(self._flush, self._socket)
        return future

    def _flush(self, socket: Socket) -> None:
        self._flushing = False
        if socket.protocol.state == OPEN:
            socket.transport.write(b"".join(socket.protocol.data_to_send()))

    def on(self, event: str, handler: Handler, *, session_id: str | None = None) -> None:
        """Call `handler` for each event of this name, of one session or of all, in order."""
        self._handlers[event, session_id].append(handler)

    def off(self, event: str, handler: Handler, *, session_id: str | None = None) -> None:
        """Stop calling `handler`."""
        with suppress(ValueError):
            self._handlers[event, session_id].remove(handler)

    def end_session(self, session_id: str, error: Exception) -> None:
        """Answer every open command of a session with an error, and drop its handlers."""
        for key in [key for key in self._handlers if key[1] == session_id]:
            del self._handlers[key]
        self.fail(session_id, error)

    def fail(self, session_id: str, error: Exception) -> None:
        """Answer every open command of a session with an error."""
        for number, pending in list(self._pending.items()):
            if pending.session_id == session_id:
                del self._pending[number]
                _failed(pending.future, error)

    def awaits(self, session_id: str) -> bool:
        """Whether a command of a session has no answer yet."""
        return any(pending.session_id == session_id for pending in self._pending.values())

    async def get_browser_version(self) -> BrowserVersion:
        """Ask the browser who it is."""
        answer = await self.send_command("Browser.getVersion")
        agent = answer["userAgent"]
        _, found, webkit = agent.partition("AppleWebKit/")
        return BrowserVersion(
            browser=answer["product"],
            protocol_version=answer["protocolVersion"],
            user_agent=agent,
            v8_version=answer["jsVersion"],
            webkit_version=f"{webkit.split(' ')[0]} ({answer['revision']})" if found else "",
        )

    async def get_targets(self) -> list[Target]:
        """List all targets of the browser."""
        answer = await self.send_command("Target.getTargets")
        return [Target.of(info) for info in answer["targetInfos"]]

    async def create_target(self, url: str, *, browser_context_id: str | None = None) -> str:
        """Open a page and return its target id."""
        params: Params = {"url": url}
        if browser_context_id:
            params["browserContextId"] = browser_context_id
        try:
            made = await self.send_command("Target.createTarget", params)
        except ProtocolError as error:
            if error.reason != NO_PAGE:
                raise
            # Seen once in thousands of pages, for no reason that the browser gives.
            logger.warning("the browser made no page, and is asked again")
            made = await self.send_command("Target.createTarget", params)
        return made["targetId"]

    async def close_target(self, target_id: str) -> None:
        """Close a page."""
        await self.send_command("Target.closeTarget", {"targetId": target_id})

    def _heard(self, data: bytes) -> None:
        self._receive(_read(data))

    def _lost(self) -> None:
        logger.debug("connection to %s closed", self.endpoint)
        self.closed.set()
        for pending in self._pending.values():
            _failed(pending.future, _lost(pending.method))
        self._pending.clear()

    def _receive(self, message: Params) -> None:
        number = message.get("id")
        if number is not None:
            self._answer(self._pending.pop(number, None), message)
            return
        method, params, session = message["method"], message["params"], message.get("sessionId")
        handlers = self._handlers.get((method, None), ())
        if session:
            handlers = (*handlers, *self._handlers.get((method, session), ()))
        for handler in tuple(handlers):
            try:
                handler(params, session)
            except Exception:
                logger.exception("a handler of %s failed", method)

    def _answer(self, pending: _Pending | None, message: Params) -> None:
        if pending is None or pending.future.done():
            return
        error = message.get("error")
        if error is None:
            pending.future.set_result(message["result"])
        elif error["code"] == SESSION_GONE:
            _failed(pending.future, TargetClosed("The tab is closed."))
        else:
            refused = ProtocolError(pending.method, error["code"], error["message"])
            _failed(pending.future, refused)


def _written(message: Params) -> bytes:
    try:
        return orjson.dumps(message)
    except TypeError:
        # Half a character again, or a number that is larger than any of theirs.
        return json.dumps(message).encode("ascii")


def _read(data: bytes) -> Params:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        # Half a character, which a page may write, is JSON to Chromium and Python only.
        return json.loads(data)


def _web_client() -> AsyncClient:
    # httpx takes 0.1 s to import, and a browser of ours gives its address without it.
    from httpx import AsyncClient

    return AsyncClient(timeout=CONNECT_TIMEOUT_S, trust_env=False)


async def _websocket_address(web: AsyncClient, endpoint: str) -> str:
    from httpx import HTTPError, InvalidURL

    try:
        async with web:
            answer = await web.get(f"{endpoint.rstrip('/')}/json/version")
            answer.raise_for_status()
            found = answer.json()
    except (HTTPError, InvalidURL, ExceptionGroup) as error:
        raise ConnectFailed(endpoint, _reason(error)) from error
    if not isinstance(found, dict) or "webSocketDebuggerUrl" not in found:
        raise ConnectFailed(endpoint, "it does not name a debugging socket")
    return str(cast("Params", found)["webSocketDebuggerUrl"])


def _reason(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0].rstrip(".") if lines else type(error).__name__


def _lost(method: str) -> DriverCrashError:
    return DriverCrashError(f"The connection to the browser was lost during {method}.")


def _failed(future: asyncio.Future[Params], error: Exception) -> asyncio.Future[Params]:
    """Answer a command with an error that nobody need hear: the next command fails as well."""
    if not future.done():
        future.set_exception(error)
        # To ask for it is to have heard it.
        future.exception()
    return future
