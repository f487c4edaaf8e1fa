"""The browsers of all profiles and the sessions of all conversations: started, healed, ended."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tabwright.config import BrowserProfile, Settings, resolve_profile
from tabwright.engine import ledger, restore
from tabwright.engine import state as states
from tabwright.engine.browser import Chromium, Launcher
from tabwright.engine.clock import Clock, SystemClock
from tabwright.engine.context import ToolContext
from tabwright.engine.home import Home
from tabwright.engine.journal import Journal
from tabwright.engine.ledger import Run
from tabwright.engine.process import BrowserProcess
from tabwright.engine.session import Session, SessionKey
from tabwright.engine.slot import Slot
from tabwright.engine.state import BrowserState
from tabwright.errors import BrowserError, DriverCrashError, InputError, InternalError

logger = logging.getLogger("tabwright.manager")

REAP_INTERVAL_S = 60.0
DORMANT_SESSIONS = 1000

Execute = Callable[[ToolContext, str, dict[str, Any]], Awaitable[Any]]


class BrowserManager:
    """One per process. All its work happens on one event loop, its home."""

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Clock | None = None,
        launch: Launcher = BrowserProcess.launch,
        execute: Execute | None = None,
    ) -> None:
        self.settings = settings
        self.journal = Journal(settings)
        self.home = Home()
        self._clock = clock or SystemClock()
        self._launch = launch
        self._execute = execute
        self._profile = settings.browser.default_profile
        self._stopped = False
        self._slots: dict[str, Slot] = {}
        self._sessions: dict[SessionKey, Session] = {}
        self._reaper: asyncio.Task[None] | None = None
        self._run = Run(
            ledger.ledger_dir(settings.paths.user_data_base_dir),
            settings.paths.user_data_base_dir,
            settings.paths.artifact_dir,
        )

    async def start(self) -> None:
        """End what an earlier run left behind; with `browser.autoStart`, launch the browser."""
        self._stopped = False
        for pid in await asyncio.to_thread(ledger.reap, self._run.ledger_dir):
            self.journal.event("reaped", {"pid": pid})
        if self.settings.browser.auto_start:
            await self.launch_browser()

    async def stop(self) -> None:
        """Close every session and browser and remove every temporary file. Raises nothing.

        Calls that come later, or still wait for their turn, are refused until `start`.
        """
        self._stopped = True
        if self._reaper is not None:
            self._reaper.cancel()
            await asyncio.gather(self._reaper, return_exceptions=True)
            self._reaper = None
        await asyncio.gather(*(self._close(slot) for slot in list(self._slots.values())))
        for session in self._sessions.values():
            session.artifacts.remove()
        self._sessions.clear()
        await asyncio.to_thread(self._run.close)

    def context(
        self,
        conversation_id: str = "default",
        *,
        working_dir: Path | None = None,
        cancel: asyncio.Event | None = None,
        person: bool = False,
        profile: str | None = None,
    ) -> ToolContext:
        """What a tool of this conversation is given; by default in the profile in use then.

        Raises:
            InputError: there is no such profile.
        """
        if profile is not None:
            profile = resolve_profile(self.settings, profile).name
        return ToolContext(
            conversation_id,
            working_dir or Path.cwd(),
            cancel,
            person,
            settings=self.settings,
            journal=self.journal,
            home=self.home,
            lease=lambda: self._lease(conversation_id, profile),
            end_hung=lambda: self._end_hung(profile),
        )

    def list_profiles(self) -> list[BrowserProfile]:
        """All profiles."""
        return list(self.settings.profiles.values())

    def get_current_profile(self) -> BrowserProfile:
        """The profile that calls use now."""
        return resolve_profile(self.settings, self._profile)

    async def switch_profile(self, name: str) -> None:
        """Use another profile. The present one's browser is closed first."""
        profile = resolve_profile(self.settings, name)
        if profile.name == self._profile:
            return
        await self._close(self._slot(None))
        self._profile = profile.name

    async def launch_browser(self, profile: str | None = None) -> Chromium:
        """Start a profile's browser now, also one that was given up as unavailable."""
        with self.journal.metrics.counted("launch"):
            self._check_open()
            slot = self._slot(profile)
            slot.forgive()
            return await slot.browser()

    async def close_browser(self, profile: str | None = None) -> None:
        """Close a profile's browser; its sessions' cookies and pages come back with the next."""
        with self.journal.metrics.counted("close"):
            await self._close(self._slot(profile))

    def get_active_browser(self, profile: str | None = None) -> Chromium | None:
        """The running browser of a profile, if there is one."""
        return self._slot(profile).active

    async def execute_action(
        self, action: str, params: dict[str, Any], *, conversation_id: str = "default"
    ) -> Any:
        """Run a verb for a conversation, through the one door."""
        if self._execute is None:
            raise InternalError("This manager was made without a door to the verbs.")
        return await self._execute(self.context(conversation_id), action, params)

    async def get_state(
        self, conversation_id: str = "default", *, profile: str | None = None
    ) -> BrowserState:
        """A conversation's cookies and storage."""
        with self.journal.metrics.counted("get_state"):
            async with self._lease(conversation_id, profile) as session:
                return await states.read(session)

    async def set_state(
        self,
        state: BrowserState,
        conversation_id: str = "default",
        *,
        profile: str | None = None,
    ) -> None:
        """Put cookies and storage into a conversation."""
        with self.journal.metrics.counted("set_state"):
            async with self._lease(conversation_id, profile) as session:
                await states.apply(session, state)

    async def clear_state(self, conversation_id: str = "default") -> None:
        """Close a conversation's tabs and forget its cookies, storage and caches."""
        with self.journal.metrics.counted("clear_state"):
            async with self._lease(conversation_id) as session:
                await states.clear(session)

    async def close_session(self, conversation_id: str) -> bool:
        """End a conversation's session with its pages and files. Says whether there was one."""
        session = self._sessions.pop(self._key(conversation_id), None)
        if session is None:
            return False
        async with session.turn:
            await session.leave()
            session.artifacts.remove()
        return True

    def sessions(self) -> list[Session]:
        """All sessions, sleeping ones included."""
        return list(self._sessions.values())

    async def reap_idle(self) -> None:
        """Close the sessions that nobody used for `browser.idleTimeout`, then idle browsers."""
        limit_s = self.settings.browser.idle_timeout / 1000
        for session in list(self._sessions.values()):
            idle_s = self._clock.now() - session.last_activity
            if session.holds == 0 and session.entered and idle_s > limit_s:
                await session.save()
                if session.holds == 0:
                    await session.leave()
                    self.journal.event("idle_close", {"conversation": session.key.conversation})
        for slot in self._slots.values():
            served = any(s.key.profile == slot.name and s.entered for s in self._sessions.values())
            if slot.active is not None and not served:
                await slot.close()
        self._forget_dormant()

    async def _close(self, slot: Slot) -> None:
        live = [s for s in self._sessions.values() if s.key.profile == slot.name and s.entered]
        await asyncio.gather(*(session.save() for session in live))
        for session in live:
            await session.leave(dispose=False)
        await slot.close()

    def _key(self, conversation_id: str, profile: str | None = None) -> SessionKey:
        return SessionKey(profile or self._profile, conversation_id)

    def _slot(self, profile: str | None) -> Slot:
        found = resolve_profile(self.settings, profile or self._profile)
        if found.type != "isolated":
            raise InputError(
                f"The profile {found.name!r} is of type {found.type!r}, which cannot be used yet.",
                hint="Use the profile 'isolated'.",
            )
        if found.name not in self._slots:
            self._slots[found.name] = Slot(
                found,
                self.settings,
                self._run,
                launch=self._launch,
                clock=self._clock,
                report=self.journal.event,
                wanted=lambda: any(
                    s.key.profile == found.name and not s.checkpoint.empty
                    for s in self._sessions.values()
                ),
            )
        return self._slots[found.name]

    def _session(self, conversation_id: str, profile: str | None) -> Session:
        key = self._key(conversation_id, profile)
        if key not in self._sessions:
            # A conversation's name may hold anything; a directory's name may not.
            name = hashlib.sha256(f"{key.profile}\0{conversation_id}".encode()).hexdigest()[:16]
            directory = self._run.artifacts / name
            self._sessions[key] = Session(key, self.settings, directory, self.journal.event)
        return self._sessions[key]

    @asynccontextmanager
    async def _lease(
        self, conversation_id: str, profile: str | None = None
    ) -> AsyncGenerator[Session]:
        session = self._session(conversation_id, profile)
        self._watch_idle()
        session.holds += 1
        session.last_activity = self._clock.now()
        try:
            async with session.turn:
                await self._bring_up(session)
                yield session
        finally:
            session.holds -= 1
            session.last_activity = self._clock.now()

    async def _bring_up(self, session: Session) -> None:
        """A session in a browser that works; a crash on the way is forgiven once."""
        slot = self._slot(session.key.profile)
        self._check_open()
        try:
            await restore.ready(session, await slot.browser())
        except DriverCrashError as error:
            self._check_open()
            self.journal.event("retry", {"during": "session start", "error": error.message})
            await restore.ready(session, await slot.browser())

    def _check_open(self) -> None:
        if self._stopped:
            raise BrowserError("Tabwright was stopped.", hint="Start it again, or make a new one.")

    async def _end_hung(self, profile: str | None) -> None:
        """After a call that found no time: a browser that answers nothing is ended."""
        browser = self._slot(profile).active
        if browser is not None and browser.state == "live" and not await browser.answers():
            browser.kill("it does not answer")

    def _watch_idle(self) -> None:
        if self._reaper is None or self._reaper.done():
            self._reaper = asyncio.create_task(self._reap_for_ever(), name="tabwright reaper")

    async def _reap_for_ever(self) -> None:
        while True:
            limit_s = self.settings.browser.idle_timeout / 1000
            await self._clock.sleep(min(REAP_INTERVAL_S, limit_s))
            try:
                await self.reap_idle()
            except Exception:
                logger.exception("the idle check failed")

    def _forget_dormant(self) -> None:
        dormant = [s for s in self._sessions.values() if not s.entered and s.holds == 0]
        for session in dormant[: max(0, len(dormant) - DORMANT_SESSIONS)]:
            session.artifacts.remove()
            del self._sessions[session.key]
