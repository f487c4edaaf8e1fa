"""A conversation's own part of the browser: one isolated context, its tabs, its files."""

from __future__ import annotations

import asyncio
import itertools
import logging
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tabwright.config import Settings, resolve_profile
from tabwright.engine import checkpoint as checkpoints
from tabwright.engine.artifacts import Artifacts
from tabwright.engine.browser import Chromium, Report
from tabwright.engine.cdp import Params, ProtocolError, Target
from tabwright.engine.checkpoint import Checkpoint
from tabwright.engine.conditions import Climate
from tabwright.engine.console.buffer import Console
from tabwright.engine.dialog import Policy
from tabwright.engine.document import BLANK
from tabwright.engine.download import Downloads
from tabwright.engine.geolocation import Whereabouts
from tabwright.engine.network.recorder import Network
from tabwright.engine.network.route import Routes
from tabwright.engine.policy import PathPolicy
from tabwright.engine.shot import Shots
from tabwright.engine.source import WORKERS, Source, Sources
from tabwright.engine.tab import Tab, Viewport
from tabwright.engine.waiters import Signal
from tabwright.errors import BrowserError, DialogOpen, DriverCrashError, InputError

logger = logging.getLogger("tabwright.session")

DISPOSE_S = 5.0
SAVE_S = 2.0


@dataclass(frozen=True)
class SessionKey:
    """Who a session belongs to."""

    profile: str
    conversation: str


@dataclass(frozen=True)
class Caller:
    """Whose files a call may touch."""

    working_dir: Path
    policy: PathPolicy
    person: bool = False

    def path(self, given: str) -> Path:
        """The file that a parameter names, if it is allowed."""
        return self.policy.resolve(given, base=self.working_dir)

    def writable(self, given: str | None) -> Path | None:
        """The file that a parameter names, if it may be written.

        Raises:
            InputError: it is a directory.
        """
        if given is None:
            return None
        path = self.path(given)
        if path.is_dir():
            raise InputError(f"{given!r} is a directory.", hint="Give the name of a file in it.")
        return path

    def file(self, given: str) -> Path:
        """An existing file that a parameter names, if it is allowed.

        Raises:
            InputError: there is no such file.
        """
        path = self.path(given)
        if not path.is_file():
            what = "is a directory" if path.is_dir() else "does not exist"
            raise InputError(f"The file {given!r} {what}.", hint=f"It was looked for at {path}.")
        return path


class Session:
    """One conversation in one profile. It outlives the browser that serves it."""

    def __init__(self, key: SessionKey, settings: Settings, directory: Path, sink: Report) -> None:
        self.key = key
        self.settings = settings
        self.tabs: dict[str, Tab] = {}
        self.current: Tab | None = None
        self.artifacts = Artifacts(directory)
        self.sources = Sources()
        self.console = Console(self.sources, self.tabs, self.report)
        self.network = Network(self)
        self.routes = Routes(self.sources, self.network.log)
        self.climate = Climate(self.sources)
        self.whereabouts = Whereabouts(self)
        self.shots = Shots()
        self.views = itertools.count(1)
        """Numbers for snapshots, so that no two of a conversation have the same name."""
        self.downloads = Downloads(self, self._incoming, self._download_dir)
        self.checkpoint = Checkpoint()
        self.saves = 0
        """Counts checkpoints, so that the door knows whether a verb made one."""
        self.notices: list[str] = []
        """What the next reply has to tell the caller, such as a restart."""
        self.turn = asyncio.Lock()
        self.holds = 0
        self.last_activity = 0.0
        self.context_id = ""
        self.changed = Signal()
        self.caller = Caller(Path.cwd(), PathPolicy([]))
        """Who the turn belongs to; the door sets it."""
        self.restoring = False
        """Set while pages are put back; the checkpoint that they come from must not be touched."""
        self.claimant: Tab | None = None
        """A tab that waits for a new page to show itself in."""
        self.dialogs: Policy | None = None
        """How dialogs are answered from now on; None: as the configuration says."""
        self._sink = sink
        self._browser: Chromium | None = None
        self._numbers = 0
        self._saving: asyncio.Task[None] | None = None
        self._save_again = False

    @property
    def entered(self) -> bool:
        """Whether the session has a context in a browser that is still there."""
        return self._browser is not None and self._browser.state != "gone"

    @property
    def browser(self) -> Chromium:
        """The browser that serves this session.

        Raises:
            DriverCrashError: it is gone.
        """
        if self._browser is None or self._browser.state == "gone":
            raise DriverCrashError("The browser of this session is gone.")
        return self._browser

    def serves(self, browser: Chromium) -> bool:
        """Whether the session lives in this very browser."""
        return self._browser is browser

    def viewport(self) -> Viewport:
        """The size a new tab gets."""
        profile = resolve_profile(self.settings, self.key.profile)
        size = profile.launch_options.default_viewport or self.settings.browser.default_viewport
        return Viewport(size.width, size.height)

    def dialog_policy(self) -> Policy:
        """How a dialog of a page is answered. Nobody is there to be asked during a restore."""
        return "dismiss" if self.restoring else self.dialogs or self.settings.browser.dialogs

    def dialog_wait_s(self) -> float:
        """How long a dialog waits for its answer."""
        return self.settings.browser.dialog_timeout / 1000

    def report(self, event: str, facts: dict[str, object]) -> None:
        """Tell the journal and the listeners."""
        self._sink(event, {"conversation": self.key.conversation, **facts})

    def picture_path(self, suffix: str) -> Path | None:
        """Where a picture goes that was given no path; None: among the session's own files."""
        if self.settings.origin("paths.screenshotDir") == "default" and not self.caller.person:
            return None
        return self.settings.paths.screenshot_dir / f"{uuid.uuid4()}{suffix}"

    def browser_command(self, method: str, params: Params) -> asyncio.Future[Params]:
        """Queue a command to the browser itself."""
        return self.browser.client.post(method, params)

    async def enter(self, browser: Chromium) -> None:
        """Make an isolated context in a browser. Tabs are opened, or put back, afterwards."""
        made = await browser.client.send_command(
            "Target.createBrowserContext", {"disposeOnDetach": False}
        )
        self.context_id = made["browserContextId"]
        self._browser = browser
        browser.own(self.context_id, self)
        self._allow_downloads()

    def _allow_downloads(self) -> None:
        """Say where files go. Chromium forgets it with the connection that said it."""
        self.browser_command(
            "Browser.setDownloadBehavior",
            {
                "behavior": "allowAndName",
                "browserContextId": self.context_id,
                "downloadPath": str(self._incoming()),
                "eventsEnabled": True,
            },
        )

    async def leave(self, *, dispose: bool = True) -> None:
        """Let go of the browser; with `dispose`, close the context there too. Raises nothing."""
        browser, self._browser = self._browser, None
        if self._saving is not None:
            self._saving.cancel()
            await asyncio.gather(self._saving, return_exceptions=True)
        self.claimant = None
        for tab in self.tabs.values():
            tab.unbind()
        if browser is None:
            return
        browser.disown(self.context_id)
        if not dispose:
            return
        try:
            async with asyncio.timeout(DISPOSE_S):
                await browser.client.send_command(
                    "Target.disposeBrowserContext", {"browserContextId": self.context_id}
                )
        except (TimeoutError, BrowserError, ProtocolError) as error:
            logger.debug("context was already gone: %r", error)

    async def open_tab(self, url: str = BLANK) -> Tab:
        """Open a page and make it the current one."""
        target_id = await self.browser.client.create_target(url, browser_context_id=self.context_id)
        await self.until(lambda: self._of_target(target_id) is not None)
        tab = self._of_target(target_id)
        assert tab is not None
        self.current = tab
        return tab

    def tab_by_id(self, tab_id: str) -> Tab:
        """The tab of this name.

        Raises:
            InputError: there is none.
        """
        tab = self.tabs.get(tab_id)
        if tab is None:
            known = ", ".join(self.tabs) or "none"
            raise InputError(
                f"There is no tab {tab_id!r}.", hint=f"Open tabs: {known}.", tab=tab_id
            )
        return tab

    def check_tab(self, tab_id: str) -> None:
        """Accept the name of a tab that is open, or was: logs outlive their tabs.

        Raises:
            InputError: there never was one.
        """
        if tab_id not in {f"t{number}" for number in range(1, self._numbers + 1)}:
            self.tab_by_id(tab_id)

    async def select(self, tab: Tab) -> None:
        """Make a tab the current one."""
        if not tab.crashed and tab.dialogs.open is None:
            await tab.send("Page.bringToFront")
        self.current = tab

    async def close_tab(self, tab: Tab) -> None:
        """Close a tab and wait until it is gone."""
        self.browser_command("Target.closeTarget", {"targetId": tab.target_id})
        await self.until(lambda: tab.id not in self.tabs)

    def take_notices(self) -> list[str]:
        """What the reply has to tell beside its result, told once."""
        told, self.notices = self.notices, []
        return told + [line for tab in self.tabs.values() for line in tab.dialogs.notices(tab.id)]

    def stirred(self) -> bool:
        """Whether anything since the last question suggests that cookies or storage changed."""
        signs = [tab.stirred for tab in self.tabs.values()]
        for tab in self.tabs.values():
            tab.stirred = False
        return any(signs)

    def save_soon(self, delay_s: float = 0.0) -> asyncio.Task[None]:
        """Bring the checkpoint up to date without holding up the caller; one at a time."""
        if self._saving is not None and not self._saving.done():
            self._save_again = True
            return self._saving
        self._saving = asyncio.create_task(self._save_late(delay_s), name="tabwright checkpoint")
        return self._saving

    async def _save_late(self, delay_s: float) -> None:
        if delay_s:
            await asyncio.sleep(delay_s)
        self._save_again = True
        while self._save_again:
            self._save_again = False
            await self.save()

    async def save(self) -> None:
        """Bring the checkpoint up to date."""
        if self.restoring or self._browser is None or not self._browser.client.is_connected:
            return
        try:
            self.saves += 1
            async with asyncio.timeout(SAVE_S):
                self.checkpoint = await checkpoints.take(self)
        except (TimeoutError, BrowserError, ProtocolError, DialogOpen) as error:
            logger.debug("no checkpoint: %r", error)

    def page_opened(self, target: Target, session_id: str) -> None:
        """A page of ours was attached: a known one, an awaited one, or a new one."""
        known = self._of_target(target.target_id)
        tab = known or (None if target.opener_id else self.claimant)
        if tab is None:
            self._numbers += 1
            tab = Tab(self, f"t{self._numbers}", target, opener=self._opener(target))
            self.tabs[tab.id] = tab
        elif tab is self.claimant:
            self.claimant = None
        if known is not None:
            self._allow_downloads()
        tab.bind(self.browser.client, session_id, target_id=target.target_id)
        self.changed.fire()

    def worker_opened(self, target: Target, session_id: str) -> None:
        """A worker that belongs to no tab was attached."""
        source = Source(self.browser.client, session_id, WORKERS[target.type], target.url)
        self.sources.came(source)
        # One that is stopped keeps its session, and waits again when it is started anew.
        source.on("Inspector.targetReloadedAfterCrash", lambda _event, _: source.let_go())
        source.let_go()

    def page_crashed(self, target_id: str) -> None:
        """A renderer died; its tab is opened anew when it is next used."""
        tab = self._of_target(target_id)
        if tab is not None:
            tab.unbind(crashed=True)
            self.report("crash", {"tab": tab.id, "process": "renderer", "url": tab.url})

    def page_closed(self, session_id: str) -> None:
        """A page is gone; the newest of the others becomes the current one. Or a worker is."""
        self.sources.went(session_id)
        for tab in list(self.tabs.values()):
            if tab.speaks_as(session_id):
                tab.unbind()
                del self.tabs[tab.id]
                if self.current is tab:
                    self.current = next(reversed(self.tabs.values()), None)
        self.changed.fire()

    def page_moved(self, tab: Tab) -> None:
        """A tab shows another address."""
        self.report("navigation", {"tab": tab.id, "url": tab.url})

    def download_event(self, event: Params) -> None:
        """A download began in one of our frames, or one of ours went on."""
        if "suggestedFilename" not in event:
            self.downloads.went_on(event)
            return
        for tab in self.tabs.values():
            if event["frameId"] in tab.frames:
                self.downloads.began(event, tab.id)
                tab.changed.fire()

    def connection_lost(self) -> None:
        """Wake everyone who waits for something of the browser: it will not come."""
        self.sources.clear()
        self.changed.fire()
        self.downloads.changed.fire()
        for tab in self.tabs.values():
            tab.traffic.forget_all()
            tab.changed.fire()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something in the session; a browser or connection that is lost ends it."""
        await self.changed.until(condition, possible=self._check)

    def _check(self) -> None:
        if self.browser.client.closed.is_set():
            raise DriverCrashError("The connection to the browser was lost.")

    def _of_target(self, target_id: str) -> Tab | None:
        return next((tab for tab in self.tabs.values() if tab.target_id == target_id), None)

    def _opener(self, target: Target) -> str:
        opener = self._of_target(target.opener_id) if target.opener_id else None
        return opener.id if opener else ""

    def _incoming(self) -> Path:
        return self.artifacts.subdirectory("incoming")

    def _download_dir(self) -> Path:
        if self.settings.origin("paths.downloadDir") != "default":
            configured = self.settings.paths.download_dir
            configured.mkdir(parents=True, exist_ok=True)
            return configured
        return self.artifacts.subdirectory("downloads")
