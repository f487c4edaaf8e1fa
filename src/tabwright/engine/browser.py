"""One running Chromium: its process, its connection, and the way back when the connection is cut.

What can go wrong, and what happens then:
- the process ends: `state` becomes `gone`; the manager launches another one at the next call.
- the socket is lost while the process lives: reconnect after 1, 2, 4, 8 and 16 seconds. Contexts
  and pages are still there and are attached to again. After the fifth failure the process is ended.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Literal, Protocol

from tabwright.engine.cdp import BrowserVersion, CDPClient, Params, Target
from tabwright.engine.clock import Clock
from tabwright.engine.process import BrowserProcess, LaunchPlan
from tabwright.engine.source import WORKERS
from tabwright.engine.waiters import Signal
from tabwright.errors import (
    ConnectFailed,
    DriverCrashError,
    LaunchFailed,
    TabwrightError,
    TargetClosed,
    now_iso,
)

logger = logging.getLogger("tabwright.browser")

RECONNECT_DELAYS_S = (1.0, 2.0, 4.0, 8.0, 16.0)
# A killed process closes its socket a moment before its end is reported.
EXIT_NOTICE_S = 0.5
# Longer than a living browser is kept from the processor on a busy machine: who is silent for so
# long is killed, with the pages of every conversation.
SILENT_S = 3.0
PROTOCOL_FLOOR = (1, 3)

State = Literal["live", "reconnecting", "gone"]
Report = Callable[[str, dict[str, object]], None]
Launcher = Callable[[LaunchPlan], Awaitable[BrowserProcess]]


class ContextOwner(Protocol):
    """The session that owns a browser context and is told of its pages."""

    def page_opened(self, target: Target, session_id: str) -> None:
        """A page of the context was attached, and waits to be let go."""
        ...

    def worker_opened(self, target: Target, session_id: str) -> None:
        """A shared or a service worker of the context was attached, and waits to be let go."""
        ...

    def page_crashed(self, target_id: str) -> None:
        """The renderer of a page died."""
        ...

    def page_closed(self, session_id: str) -> None:
        """A page or a worker is gone."""
        ...

    def download_event(self, event: Params) -> None:
        """A download of the context began or went on."""
        ...

    def connection_lost(self) -> None:
        """Nothing more will be heard, until a reconnect at best."""
        ...


class Chromium:
    """A browser that is up."""

    def __init__(self, profile: str, process: BrowserProcess, clock: Clock, report: Report) -> None:
        self.id = f"browser-{uuid.uuid4().hex[:8]}"
        self.profile = profile
        self.process = process
        self.client = CDPClient()
        self.version: BrowserVersion | None = None
        self.created_at = now_iso()
        self.last_used_at = self.created_at
        self.state: State = "live"
        self.changed = Signal()
        self.attempts: list[str] = []
        self.generation = 0
        """Counts connections: what was attached in an earlier one must be attached again."""
        self._clock = clock
        self._report = report
        self._owners: dict[str, ContextOwner] = {}
        self._sessions: dict[str, ContextOwner] = {}
        self._supervisor: asyncio.Task[None] | None = None

    @classmethod
    async def start(
        cls, profile: str, plan: LaunchPlan, *, launch: Launcher, clock: Clock, report: Report
    ) -> Chromium:
        """Launch and connect. The browser is handed out only when both are done."""
        launching = asyncio.ensure_future(launch(plan))
        await asyncio.sleep(0)
        # Takes 30 ms to import, and the browser takes longer to come up: at the same time, then.
        import_module("websockets.asyncio.client")
        process = await launching
        browser = cls(profile, process, clock, report)
        try:
            await browser._connect()
        except BaseException:
            await browser.client.disconnect()
            await process.close(grace_s=0)
            raise
        browser._supervisor = asyncio.create_task(browser._supervise(), name="tabwright supervisor")
        report("connect", browser._facts())
        return browser

    @property
    def cdp_endpoint(self) -> str:
        """Where the browser's own debugging socket is."""
        return self.process.endpoint

    def own(self, context_id: str, owner: ContextOwner) -> None:
        """Route the pages of a context to a session."""
        self._owners[context_id] = owner

    def disown(self, context_id: str) -> None:
        """Stop routing a context."""
        owner = self._owners.pop(context_id, None)
        for session_id in [s for s, o in self._sessions.items() if o is owner]:
            del self._sessions[session_id]

    async def close(self) -> None:
        """End the browser for good. Raises nothing, whatever state it is in."""
        already = self.state == "gone"
        self.state = "gone"
        if self._supervisor is not None:
            self._supervisor.cancel()
            await asyncio.gather(self._supervisor, return_exceptions=True)
        if self.client.is_connected:
            self.client.post("Browser.close")
        await self.process.close()
        await self.client.disconnect()
        self.changed.fire()
        if not already:
            self._report("disconnect", {"reason": "closed", **self._facts()})

    def kill(self, reason: str) -> None:
        """End a browser that no longer answers; the supervisor sees it go."""
        self._report("hung", {"reason": reason, "profile": self.profile})
        self.process.kill()

    async def until_gone(self) -> None:
        """Wait until the browser is lost for good."""
        await self.changed.until(lambda: self.state == "gone")

    async def answers(self) -> bool:
        """Whether the browser process still replies; a no takes seconds."""
        try:
            async with asyncio.timeout(SILENT_S):
                await self.client.send_command("Browser.getVersion")
        except (TimeoutError, DriverCrashError):
            return False
        return True

    async def usable(self) -> bool:
        """Wait for a reconnect that is under way; say whether the browser can be used."""
        if self.state == "live" and self.process.dying:
            await self.client.closed.wait()
        await self.changed.until(lambda: self.state == "gone" or self.client.is_connected)
        return self.state == "live"

    async def _connect(self) -> None:
        try:
            await self.client.connect(self.cdp_endpoint)
            self.version = await self.client.get_browser_version()
        except (ConnectFailed, DriverCrashError) as error:
            raise LaunchFailed(
                f"The browser came up but its debugging socket failed: {error.message}",
                hint="Call again; if it keeps failing, run `tabwright install` for another build.",
                endpoint=self.cdp_endpoint,
            ) from error
        floor = tuple(int(part) for part in self.version.protocol_version.split("."))
        if floor < PROTOCOL_FLOOR:
            raise LaunchFailed(
                f"The browser speaks protocol {self.version.protocol_version}; 1.3 is needed.",
                hint="Use a current Chromium.",
            )
        self.generation += 1
        client = self.client
        client.on("Target.attachedToTarget", self._attached)
        client.on("Target.detachedFromTarget", self._detached)
        client.on("Target.targetCrashed", self._crashed)
        client.on("Browser.downloadWillBegin", self._download)
        client.on("Browser.downloadProgress", self._download)
        client.post("Target.setDiscoverTargets", {"discover": True})
        client.post(
            "Target.setAutoAttach",
            {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True},
        )

    def _attached(self, params: Params, parent: str | None) -> None:
        if parent is not None:
            return
        target = Target.of(params["targetInfo"])
        session_id = params["sessionId"]
        owner = self._owners.get(target.browser_context_id or "")
        if owner is not None and target.type == "page":
            self._sessions[session_id] = owner
            owner.page_opened(target, session_id)
            return
        if owner is not None and target.type in WORKERS:
            self._sessions[session_id] = owner
            owner.worker_opened(target, session_id)
            return
        self.client.post("Runtime.runIfWaitingForDebugger", session_id=session_id)
        self.client.post("Target.detachFromTarget", {"sessionId": session_id})

    def _detached(self, params: Params, _: str | None) -> None:
        session_id = params["sessionId"]
        self.client.end_session(session_id, TargetClosed("The tab was closed."))
        owner = self._sessions.pop(session_id, None)
        if owner is not None:
            owner.page_closed(session_id)

    def _crashed(self, params: Params, _: str | None) -> None:
        for owner in set(self._owners.values()):
            owner.page_crashed(params["targetId"])

    def _download(self, params: Params, _: str | None) -> None:
        for owner in set(self._owners.values()):
            owner.download_event(params)

    async def _supervise(self) -> None:
        while True:
            await self.client.closed.wait()
            self.state = "reconnecting"
            for owner in set(self._owners.values()):
                owner.connection_lost()
            if await self._process_ended():
                self._lost("gone", "process ended")
                await self.process.close(grace_s=0)
                return
            self._lost("reconnecting", "socket lost")
            if not await self._reconnect():
                self._lost("gone", "could not reconnect")
                await self.process.close(grace_s=0)
                return

    def _facts(self) -> dict[str, object]:
        return {
            "browser": self.version.browser if self.version else None,
            "protocol": self.version.protocol_version if self.version else None,
            "pid": self.process.pid,
            "profile": self.profile,
        }

    async def _process_ended(self) -> bool:
        try:
            async with asyncio.timeout(EXIT_NOTICE_S):
                await self.process.exited.wait()
        except TimeoutError:
            return False
        return True

    def _lost(self, state: State, reason: str) -> None:
        self.state = state
        self._sessions.clear()
        self._report("disconnect", {"reason": reason, "state": state, **self._facts()})
        self.changed.fire()

    async def _reconnect(self) -> bool:
        self.attempts = []
        for number, delay in enumerate(RECONNECT_DELAYS_S, 1):
            await self._clock.sleep(delay)
            if self.process.exited.is_set():
                return False
            await self.client.disconnect()
            self.client = CDPClient()
            try:
                await self._connect()
            except TabwrightError as error:
                self.attempts.append(f"attempt {number} after {delay:g} s: {error.message}")
                self._report("reconnect_failed", {"attempt": number, "error": error.message})
                continue
            self.state = "live"
            self._report("connect", {"attempt": number, **self._facts()})
            self.changed.fire()
            return True
        return False
