"""One page of a session: what it shows now, and the way to speak to it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tabwright.engine.cdp import CDPClient, Handler, Params, ProtocolError, Target
from tabwright.engine.waiters import Signal
from tabwright.errors import DriverCrashError, TargetClosed

if TYPE_CHECKING:
    from tabwright.engine.session import Session

BLANK = "about:blank"
REMEMBERED_LOADERS = 20
REMEMBERED_DIALOGS = 20
ANSWER_S = 0.5
JUST_NOW_S = 0.05
WORLD = "tabwright"
# The lifecycle events of a load that may come before its frameNavigated. Any other event with a
# foreign loader is the last word of the document before.
NEW_DOCUMENT = ("init", "commit")
# A dialog left open would stop every script of the page. These answers lose nothing.
DIALOG_ACCEPTED = {"alert": True, "confirm": False, "prompt": False, "beforeunload": True}


@dataclass
class Viewport:
    """The size of the page's window in CSS pixels."""

    width: int
    height: int
    scale: float = 1.0


@dataclass(frozen=True)
class DocumentResponse:
    """How the server answered the request for a document."""

    url: str
    status: int
    mime_type: str
    loader_id: str


@dataclass(frozen=True)
class Dialog:
    """An alert, confirm, prompt or beforeunload, and how it was answered."""

    type: str
    message: str
    accepted: bool


@dataclass
class Document:
    """The main frame's document: which load it came from and how far it is."""

    url: str = BLANK
    loader_id: str = ""
    reached: set[str] = field(default_factory=set[str])
    """Lifecycle events of this load: DOMContentLoaded, load, networkIdle …"""
    failed: bool = False
    """Whether Chromium shows its error page instead."""
    moves: int = 0
    """Counts navigations, also those that change nothing but the history."""
    pending_loader: str = ""
    """A navigation that has begun and has not yet put its document here."""


class Tab:
    """A page. It keeps its id and its place in the session across crashes and reconnects."""

    def __init__(self, session: Session, tab_id: str, target: Target, opener: str = "") -> None:
        self.session = session
        self.id = tab_id
        self.target_id = target.target_id
        self.opener = opener
        self.viewport = session.viewport()
        self.document = Document(url=target.url or BLANK)
        self.loaders: deque[str] = deque(maxlen=REMEMBERED_LOADERS)
        self.responses: dict[str, DocumentResponse] = {}
        """How the server answered, by load; the newest last."""
        self.load_error = ""
        self.dialogs: deque[Dialog] = deque(maxlen=REMEMBERED_DIALOGS)
        self.frames: set[str] = {target.target_id}
        self.crashed = False
        self.closed = False
        self.stirred = False
        """A sign that cookies or storage may have changed since the last checkpoint."""
        self.changed = Signal()
        self._world: asyncio.Future[Params] | None = None
        """Our isolated world in the present document, once it is asked for."""
        self._client: CDPClient | None = None
        self._session_id = ""
        self._ran_at = 0.0
        self._ready: asyncio.Future[Params] | None = None

    @property
    def url(self) -> str:
        """The address of the document."""
        return self.document.url

    @property
    def attached(self) -> bool:
        """Whether commands reach the page."""
        connected = self._client is not None and self._client.is_connected
        return connected and bool(self._session_id) and not self.crashed

    def bind(self, client: CDPClient, session_id: str, *, target_id: str | None = None) -> None:
        """Take over a freshly attached target and let it run. Nothing here waits."""
        self._client, self._session_id = client, session_id
        if target_id is not None and target_id != self.target_id:
            self.target_id = target_id
            self.document = Document()
        self.frames = {self.target_id}
        self.crashed = self.closed = False
        self._world = None
        handlers: dict[str, Handler] = {
            "Page.frameNavigated": self._navigated,
            "Page.navigatedWithinDocument": self._navigated_within,
            "Page.frameStartedNavigating": self._started,
            "Page.frameStoppedLoading": self._stopped,
            "Page.frameAttached": self._frame_came,
            "Page.frameDetached": self._frame_went,
            "Page.lifecycleEvent": self._lifecycle,
            "Page.javascriptDialogOpening": self._dialog,
            "Network.requestWillBeSent": self._requested,
            "Network.responseReceived": self._responded,
            "Network.loadingFailed": self._load_failed,
        }
        for event, handler in handlers.items():
            client.on(event, handler, session_id=session_id)
        self.post("Page.enable")
        self._ready = self.post("Page.setLifecycleEventsEnabled", {"enabled": True})
        self.post("Network.enable")
        self.apply_viewport()
        self.post("Emulation.setFocusEmulationEnabled", {"enabled": True})
        self.post("Runtime.runIfWaitingForDebugger")
        self.changed.fire()

    def unbind(self, *, crashed: bool = False) -> None:
        """The target is gone, or its renderer is. Open commands are answered with an error."""
        if self._client is not None and self._session_id:
            error = _renderer_died() if crashed else TargetClosed(f"Tab {self.id} is closed.")
            self._client.end_session(self._session_id, error)
        self.crashed = crashed
        self.closed = not crashed
        if not crashed:
            self.forget()
        self.changed.fire()

    def forget(self) -> None:
        """Stop listening to the target: another one takes its place, or none does."""
        self._session_id = ""

    async def ready(self) -> None:
        """Wait until the page's renderer listens: a navigation before that loses its events."""
        if self._ready is not None:
            await asyncio.shield(self._ready)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something in the page; a page, browser or connection that is lost ends it."""
        await self.changed.until(condition, possible=self.check)

    def check(self) -> None:
        """Raise if commands cannot reach the page."""
        if self.crashed:
            raise _renderer_died()
        if self._client is not None and self._client.closed.is_set():
            raise DriverCrashError("The connection to the browser was lost.")
        if self._client is None or not self._session_id:
            raise TargetClosed(f"Tab {self.id} is closed.")

    def speaks_as(self, session_id: str) -> bool:
        """Whether this is the tab's protocol session."""
        return bool(session_id) and self._session_id == session_id

    async def send(self, method: str, params: Params | None = None) -> Params:
        """Send a command to the page and wait for its answer."""
        return await self.post(method, params)

    def post(self, method: str, params: Params | None = None) -> asyncio.Future[Params]:
        """Queue a command to the page."""
        if self.crashed or self._client is None or not self._session_id:
            self.check()
        assert self._client is not None
        return self._client.post(method, params, self._session_id)

    async def answers(self, within_s: float = ANSWER_S) -> bool:
        """Whether the page's main thread is free to run a script."""
        try:
            async with asyncio.timeout(within_s):
                await self.send("Runtime.evaluate", {"expression": "0"})
        except TimeoutError:
            return False
        return True

    async def is_free(self) -> bool:
        """Whether the main thread is free, asked only when it has not just shown it."""
        just_ran = asyncio.get_running_loop().time() - self._ran_at < JUST_NOW_S
        if just_ran and self._client is not None and not self._client.awaits(self._session_id):
            return True
        return await self.answers()

    async def interrupt(self) -> None:
        """Stop whatever script runs; it is answered even while the main thread is busy."""
        await self.send("Runtime.terminateExecution")

    async def title(self) -> str:
        """The document's title, or nothing when the page does not answer."""
        if not self.attached:
            return ""
        try:
            async with asyncio.timeout(ANSWER_S):
                return await self.run("function () { return document.title; }")
        except (TimeoutError, ProtocolError):
            return ""

    def dialog_notices(self) -> list[str]:
        """A sentence for each dialog that was answered since the last time."""
        told = [
            f"The page in {self.id} showed {_article(d.type)} {d.message!r:.200}; "
            f"it was {'accepted' if d.accepted else 'dismissed'}."
            for d in self.dialogs
        ]
        self.dialogs.clear()
        return told

    def on(self, event: str, handler: Handler) -> None:
        """Call `handler` for each event of this name that the page sends."""
        if self._client is None or not self._session_id:
            self.check()
        assert self._client is not None
        self._client.on(event, handler, session_id=self._session_id)

    def apply_viewport(self) -> asyncio.Future[Params]:
        """Give the page its size."""
        view = self.viewport
        return self.post(
            "Emulation.setDeviceMetricsOverride",
            {
                "width": view.width,
                "height": view.height,
                "deviceScaleFactor": view.scale,
                "mobile": False,
            },
        )

    async def run(self, function: str, *args: Any) -> Any:
        """Call one of our functions in our own world, where the page cannot interfere."""
        try:
            return await self._run(function, args)
        except ProtocolError as error:
            if not error.moved:
                raise
            # The document changed under us: its world went with it.
            self._world = None
            return await self._run(function, args)

    async def _run(self, function: str, args: tuple[Any, ...]) -> Any:
        if self._world is None:
            self._make_world()
        assert self._world is not None
        made = await asyncio.shield(self._world)
        answer = await self.send(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": function,
                "executionContextId": made["executionContextId"],
                "arguments": [{"value": arg} for arg in args],
                "returnByValue": True,
                "awaitPromise": True,
            },
        )
        self._ran_at = asyncio.get_running_loop().time()
        if "exceptionDetails" in answer:
            thrown = answer["exceptionDetails"].get("exception", {})
            raise ProtocolError("page script", 0, thrown.get("description", "it threw"))
        return answer["result"].get("value")

    def _make_world(self) -> None:
        params = {"frameId": self.target_id, "worldName": WORLD}
        self._world = self.post("Page.createIsolatedWorld", params)

    def _frame_came(self, params: Params, _: str | None) -> None:
        self.frames.add(params["frameId"])

    def _frame_went(self, params: Params, _: str | None) -> None:
        self.frames.discard(params["frameId"])

    def _navigated(self, params: Params, _: str | None) -> None:
        frame = params["frame"]
        self.frames.add(frame["id"])
        if frame.get("parentId"):
            return
        document = self.document
        # Asked for at once, so that it is there when the page is.
        self._make_world()
        # Chromium's own error page stands for the address that could not be shown.
        document.url = frame.get("unreachableUrl") or frame["url"] + frame.get("urlFragment", "")
        document.failed = bool(frame.get("unreachableUrl"))
        if document.loader_id != frame["loaderId"]:
            document.loader_id = frame["loaderId"]
            document.reached = set()
        if document.pending_loader == frame["loaderId"]:
            document.pending_loader = ""
        document.moves += 1
        self.loaders.append(frame["loaderId"])
        self.session.page_moved(self)
        self.changed.fire()

    def _navigated_within(self, params: Params, _: str | None) -> None:
        if params["frameId"] == self.target_id:
            self.document.url = params["url"]
            self.document.pending_loader = ""
            self.document.moves += 1
            self.session.page_moved(self)
            self.changed.fire()

    def _started(self, params: Params, _: str | None) -> None:
        if params["frameId"] == self.target_id and "SameDocument" not in params["navigationType"]:
            self.document.pending_loader = params["loaderId"]

    def _stopped(self, params: Params, _: str | None) -> None:
        if params["frameId"] == self.target_id:
            self.document.pending_loader = ""
            self.changed.fire()

    def _lifecycle(self, params: Params, _: str | None) -> None:
        document = self.document
        if params["frameId"] != self.target_id:
            return
        if params["name"] in NEW_DOCUMENT and params["loaderId"] != document.loader_id:
            document.loader_id, document.reached = params["loaderId"], set()
        if params["loaderId"] == document.loader_id:
            document.reached.add(params["name"])
        self.changed.fire()

    def _requested(self, params: Params, _: str | None) -> None:
        del params
        self.stirred = True

    def _responded(self, params: Params, _: str | None) -> None:
        if params["type"] != "Document" or params.get("frameId") != self.target_id:
            return
        response = params["response"]
        self.responses[params["loaderId"]] = DocumentResponse(
            response["url"], response["status"], response["mimeType"], params["loaderId"]
        )
        while len(self.responses) > REMEMBERED_LOADERS:
            del self.responses[next(iter(self.responses))]

    def _load_failed(self, params: Params, _: str | None) -> None:
        if params["type"] == "Document":
            self.load_error = params["errorText"]

    def _dialog(self, params: Params, _: str | None) -> None:
        accept = DIALOG_ACCEPTED.get(params["type"], False)
        self.dialogs.append(Dialog(params["type"], params["message"], accept))
        self.post("Page.handleJavaScriptDialog", {"accept": accept})
        self.session.report("dialog", {"tab": self.id, "type": params["type"]})


def _renderer_died() -> DriverCrashError:
    return DriverCrashError(
        "The page's renderer process crashed.",
        hint="Call again: the page is opened anew with its cookies and storage.",
        process="renderer",
    )


def _article(dialog: str) -> str:
    return f"an {dialog}" if dialog == "alert" else f"a {dialog}"
