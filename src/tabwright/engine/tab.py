"""One page of a session: what it shows now, and the way to speak to it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabwright.engine.cdp import CDPClient, Handler, Params, ProtocolError, Target
from tabwright.engine.dialog import Dialog, Dialogs
from tabwright.engine.document import BLANK, Document, DocumentResponse
from tabwright.engine.frames import Frames
from tabwright.engine.keyboard import Keyboard
from tabwright.engine.memory import Memory
from tabwright.engine.mouse import Mouse
from tabwright.engine.source import Source, SourceKind
from tabwright.engine.traffic import Traffic
from tabwright.engine.waiters import Signal
from tabwright.errors import DialogOpen, DriverCrashError, TargetClosed

if TYPE_CHECKING:
    from tabwright.engine.session import Session

REMEMBERED_LOADERS = 20
ANSWER_S = 0.5
JUST_NOW_S = 0.05
# The lifecycle events of a load that may come before its frameNavigated. Any other event with a
# foreign loader is the last word of the document before.
NEW_DOCUMENT = ("init", "commit")


@dataclass
class Viewport:
    """The size of the page's window in CSS pixels."""

    width: int
    height: int
    scale: float = 1.0


@dataclass(frozen=True)
class Chooser:
    """A file chooser that the page opened."""

    node: int
    """The file input's node, as the browser names it."""
    frame_id: str
    mode: str
    """`selectSingle` or `selectMultiple`."""


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
        self.dialogs = Dialogs(
            session.dialog_policy, session.dialog_wait_s, self._answer_dialog, self._dialog_opened
        )
        self.frames = Frames(target.target_id, self._prepare, self._process_went, self.check)
        self.keyboard = Keyboard(self)
        self.mouse = Mouse(self, self.keyboard)
        self.traffic = Traffic()
        self.act_mark = 0
        """Where the traffic stood when the last act or navigation began."""
        self.act_loader = ""
        """Which document there was then."""
        self.chooser: Chooser | None = None
        self.memory = Memory(session.views)
        """What was seen of the page, to go on from and to compare with."""
        self.crashed = False
        self.closed = False
        self.stirred = False
        """A sign that cookies or storage may have changed since the last checkpoint."""
        self.changed = Signal()
        self._client: CDPClient | None = None
        self._session_id = ""
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
        self.crashed = self.closed = False
        self.dialogs.went()
        self.keyboard.reset()
        self.mouse.reset()
        handlers: dict[str, Handler] = {
            "Page.frameNavigated": self._navigated,
            "Page.navigatedWithinDocument": self._navigated_within,
            "Page.frameStartedNavigating": self._started,
            "Page.frameRequestedNavigation": self._asked,
            "Page.frameScheduledNavigation": self._asked,
            "Page.fileChooserOpened": self._chooser_opened,
            "Page.frameStoppedLoading": self._stopped,
            "Page.lifecycleEvent": self._lifecycle,
            "Page.javascriptDialogOpening": lambda params, _: self.dialogs.came(params),
            "Page.javascriptDialogClosed": lambda _params, _: self._dialog_closed(),
            "Network.responseReceived": self._responded,
            "Network.loadingFailed": self._load_failed,
        }
        for event, handler in handlers.items():
            client.on(event, handler, session_id=session_id)
        self.frames.bind(client, session_id, self.target_id)
        self._ready = self.post("Page.setLifecycleEventsEnabled", {"enabled": True})
        self.apply_viewport()
        # The page never shows a chooser that nobody can answer: it is told to us instead.
        self.post("Page.setInterceptFileChooserDialog", {"enabled": True})
        self.post("Runtime.runIfWaitingForDebugger")
        self.changed.fire()

    def unbind(self, *, crashed: bool = False) -> None:
        """The target is gone, or its renderer is. Open commands are answered with an error."""
        if self._client is not None and self._session_id:
            error = _renderer_died() if crashed else TargetClosed(f"Tab {self.id} is closed.")
            self._client.end_session(self._session_id, error)
        self.crashed = crashed
        self.closed = not crashed
        self.traffic.forget_all()
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
        self.dialogs.check(self.id)

    def speaks_as(self, session_id: str) -> bool:
        """Whether this is the tab's protocol session."""
        return bool(session_id) and self._session_id == session_id

    async def send(self, method: str, params: Params | None = None) -> Params:
        """Send a command to the page and wait for its answer."""
        return await self.post(method, params)

    def begin_act(self) -> None:
        """Remember how things stand before an act or a navigation, for those who wait for it."""
        self.act_mark = self.traffic.mark()
        self.act_loader = self.document.loader_id

    def post(self, method: str, params: Params | None = None) -> asyncio.Future[Params]:
        """Queue a command to the page."""
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
        except DialogOpen:
            # It does not run on: it waits to be answered.
            return True
        return True

    async def is_free(self) -> bool:
        """Whether the main thread is free, asked only when it has not just shown it."""
        just_ran = asyncio.get_running_loop().time() - self.frames.ran_at < JUST_NOW_S
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
        except (TimeoutError, ProtocolError, DialogOpen):
            return ""

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
        """Call one of our functions in our own world of the main frame."""
        return await self.frames.main.run(function, *args)

    def _prepare(self, session_id: str, kind: SourceKind, url: str) -> None:
        """Make a process of the page's frames ready: they are heard like the page itself."""
        assert self._client is not None
        self.session.sources.came(Source(self._client, session_id, kind, url, self.id))
        if kind == "worker":
            return
        self._client.on("Network.requestWillBeSent", self._requested, session_id=session_id)
        self.traffic.listen(self._client, session_id)
        focus = {"enabled": True}
        self._client.post("Emulation.setFocusEmulationEnabled", focus, session_id)

    def _process_went(self, session_id: str) -> None:
        self.session.sources.went(session_id)
        self.traffic.forget(session_id)
        self.session.changed.fire()

    def _navigated(self, params: Params, _: str | None) -> None:
        frame = params["frame"]
        if frame.get("parentId"):
            return
        document = self.document
        # Chromium's own error page stands for the address that could not be shown.
        document.url = frame.get("unreachableUrl") or frame["url"] + frame.get("urlFragment", "")
        document.failed = bool(frame.get("unreachableUrl"))
        document.stopped = False
        if document.loader_id != frame["loaderId"]:
            document.loader_id = frame["loaderId"]
            document.reached = set()
        if document.pending_loader == frame["loaderId"]:
            document.pending_loader = ""
        document.requested = ""
        document.moves += 1
        self.loaders.append(frame["loaderId"])
        self.session.page_moved(self)
        self.changed.fire()

    def _navigated_within(self, params: Params, _: str | None) -> None:
        if params["frameId"] == self.target_id:
            self.document.url = params["url"]
            self.document.pending_loader = self.document.requested = ""
            self.document.moves += 1
            self.session.page_moved(self)
            self.changed.fire()

    def _started(self, params: Params, _: str | None) -> None:
        if params["frameId"] == self.target_id and "SameDocument" not in params["navigationType"]:
            self.document.pending_loader = params["loaderId"]

    def _asked(self, params: Params, _: str | None) -> None:
        here = params.get("disposition", "currentTab") == "currentTab"
        leads_away = not params["url"].startswith("javascript:")
        if params["frameId"] == self.target_id and here and leads_away:
            self.document.requested = params["url"]

    def _stopped(self, params: Params, _: str | None) -> None:
        if params["frameId"] == self.target_id:
            self.document.pending_loader = self.document.requested = ""
            self.document.stopped = True
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

    def _chooser_opened(self, params: Params, _: str | None) -> None:
        self.chooser = Chooser(params.get("backendNodeId", 0), params["frameId"], params["mode"])
        self.changed.fire()

    def _answer_dialog(self, method: str, params: Params) -> asyncio.Future[Params]:
        assert self._client is not None
        return self._client.post(method, params, self._session_id)

    def _dialog_opened(self, dialog: Dialog) -> None:
        self.session.report("dialog", {"tab": self.id, **dialog.noted()})
        if self.dialogs.open is not None and self._client is not None:
            # No script of the page runs now: whoever waits for one is told why.
            error = DialogOpen(self.id, dialog.type, dialog.message, dialog.default)
            for session_id in self.frames.sessions():
                self._client.fail(session_id, error)
        self.changed.fire()

    def _dialog_closed(self) -> None:
        self.dialogs.went()
        self.mouse.put_right()
        self.changed.fire()


def _renderer_died() -> DriverCrashError:
    return DriverCrashError(
        "The page's renderer process crashed.",
        hint="Call again: the page is opened anew with its cookies and storage.",
        process="renderer",
    )
