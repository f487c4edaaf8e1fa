"""The place of one profile's browser: empty, starting, live, or given up."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Callable

from tabwright.config import BrowserProfile, Settings
from tabwright.engine.browser import Chromium, Launcher, Report
from tabwright.engine.clock import Clock
from tabwright.engine.launch import start_browser
from tabwright.engine.ledger import Run
from tabwright.errors import ProfileUnavailable, TabwrightError, now_iso

logger = logging.getLogger("tabwright.slot")

MAX_FAILED_RESTARTS = 3
UNAVAILABLE_FOR_S = 60.0


class Slot:
    """At most one browser, started once however many ask for it at the same time."""

    def __init__(
        self,
        profile: BrowserProfile,
        settings: Settings,
        run: Run,
        *,
        launch: Launcher,
        clock: Clock,
        report: Report,
        wanted: Callable[[], bool],
    ) -> None:
        self.name = profile.name
        self.launches = 0
        self._profile = profile
        self._settings = settings
        self._run = run
        self._launch = launch
        self._clock = clock
        self._report = report
        self._wanted = wanted
        self._browser: Chromium | None = None
        self._starting: asyncio.Task[Chromium] | None = None
        self._guard: asyncio.Task[None] | None = None
        self._failed_restarts = 0
        self._given_up_at: float | None = None

    @property
    def active(self) -> Chromium | None:
        """The browser, if it is up or coming back."""
        browser = self._browser
        return browser if browser is not None and browser.state != "gone" else None

    @property
    def state(self) -> str:
        """One word for status."""
        if self._given_up_at is not None:
            return "unavailable"
        if self._starting is not None:
            return "starting"
        return self.active.state if self.active else "closed"

    def forgive(self) -> None:
        """Forget earlier failures: somebody asks for a fresh try."""
        self._failed_restarts = 0
        self._given_up_at = None

    async def browser(self) -> Chromium:
        """The running browser; starts it when there is none. Everyone who waits shares one start.

        Raises:
            ProfileUnavailable: it failed to come back too often.
        """
        active = self.active
        if active is not None and await active.usable():
            active.last_used_at = now_iso()
            return active
        if self._given_up_at is not None:
            self._try_later()
        return await asyncio.shield(self._start())

    async def close(self) -> None:
        """Close the browser, after a start that is under way. The next call starts a new one."""
        guard, self._guard = self._guard, None
        if guard is not None:
            guard.cancel()
            await asyncio.gather(guard, return_exceptions=True)
        if self._starting is not None:
            await asyncio.gather(self._starting, return_exceptions=True)
            guard, self._guard = self._guard, None
            if guard is not None:
                guard.cancel()
        browser, self._browser = self._browser, None
        if browser is not None:
            await browser.close()
        self.forgive()
        await asyncio.to_thread(shutil.rmtree, self._run.profiles / self.name, ignore_errors=True)

    def _start(self) -> asyncio.Task[Chromium]:
        if self._starting is None:
            self._starting = asyncio.create_task(self._start_once(), name="tabwright launch")
            self._starting.add_done_callback(self._started)
        return self._starting

    def _started(self, task: asyncio.Task[Chromium]) -> None:
        self._starting = None
        if not task.cancelled() and task.exception() is None:
            self._browser = task.result()

    async def _start_once(self) -> Chromium:
        stale, self._browser = self._browser, None
        if stale is not None:
            await stale.close()
        self.launches += 1
        browser = await start_browser(
            self._profile,
            self._settings,
            self._run,
            launch=self._launch,
            clock=self._clock,
            report=self._report,
        )
        self.forgive()
        if self._guard is None or self._guard.done():
            self._guard = asyncio.create_task(self._keep_up(browser), name="tabwright guard")
        return browser

    async def _keep_up(self, browser: Chromium) -> None:
        """Bring a crashed browser back at once, so that the next call need not wait for it."""
        watched: Chromium | None = browser
        while watched is not None:
            await watched.until_gone()
            if not self._wanted():
                return
            self._report("crash", {"process": "browser", "profile": self.name})
            watched = await self._restart()

    async def _restart(self) -> Chromium | None:
        while self._failed_restarts < MAX_FAILED_RESTARTS:
            try:
                return await asyncio.shield(self._start())
            except TabwrightError as error:
                self._failed_restarts += 1
                self._report(
                    "restart_failed", {"attempt": self._failed_restarts, "error": error.message}
                )
        self._given_up_at = self._clock.now()
        self._report("unavailable", {"profile": self.name, "failures": self._failed_restarts})
        return None

    def _try_later(self) -> None:
        assert self._given_up_at is not None
        left_s = self._given_up_at + UNAVAILABLE_FOR_S - self._clock.now()
        if left_s > 0:
            raise ProfileUnavailable(
                f"The browser of profile {self.name!r} crashed and failed to start again "
                f"{MAX_FAILED_RESTARTS} times.",
                hint=f"Run `tabwright doctor`; it is tried again in {left_s:.0f} s, or at once by "
                "launching the browser by hand.",
                profile=self.name,
                state="unavailable",
            )
        self.forgive()
