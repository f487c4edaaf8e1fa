"""What all endpoints share: whose request it is, and how a call is made and answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from tabwright.config import resolve_profile
from tabwright.dispatch import call
from tabwright.engine.browser import Chromium
from tabwright.engine.context import ToolContext, conversation_name
from tabwright.engine.manager import BrowserManager
from tabwright.errors import BrowserDisabled, InputError, TimedOut
from tabwright.faces.http.body import query
from tabwright.faces.http.mcp import Clients
from tabwright.faces.http.refusal import NoActiveBrowser, ProfileNotFound
from tabwright.faces.http.reply import Json, done
from tabwright.faces.http.shelf import Shelf
from tabwright.outcome import Outcome
from tabwright.surfaces.registry import HOW_TO_ENABLE, ToolRegistry

T = TypeVar("T")
CONVERSATION = "x-tabwright-conversation"
Call = tuple[str, dict[str, Any]]


class Control:
    """The manager and the tools, as requests reach them."""

    def __init__(self, manager: BrowserManager, registry: ToolRegistry, working_dir: Path) -> None:
        self.manager = manager
        self.registry = registry
        self.shelf = Shelf()
        self.clients = Clients()
        self.working_dir = working_dir
        self._under_way: set[asyncio.Event] = set()

    def give_up(self) -> None:
        """End all calls that are under way: the server is going."""
        self.clients.close()
        for cancel in self._under_way:
            cancel.set()

    def conversation(self, request: Request) -> str:
        """Whose request it is.

        Raises:
            InputError: the name is not one.
        """
        given = request.headers.getlist(CONVERSATION)
        if not given:
            return "default"
        return conversation_name(", ".join(given))

    def profile(self, request: Request, name: str | None = None) -> str:
        """The profile that a request means, by name or by its query.

        Raises:
            InputError: it names two.
            ProfileNotFound: there is none of this name.
        """
        asked = query(request).get("profile")
        if name is not None and asked not in (None, name):
            raise InputError(f"The body names the profile {name!r:.80}, the query {asked!r:.80}.")
        wanted = name if name is not None else asked
        if wanted is None:
            return self.manager.get_current_profile().name
        try:
            return resolve_profile(self.manager.settings, wanted).name
        except InputError as error:
            if "profiles" not in error.details:
                raise
            raise ProfileNotFound(error.message, hint=error.hint, **error.details) from None

    def check_enabled(self) -> None:
        """Refuse to use a browser that nobody switched on."""
        if not self.registry.enabled:
            raise BrowserDisabled("The browser is disabled.", hint=HOW_TO_ENABLE)

    def active(self, profile: str) -> Chromium:
        """The browser of a profile, for what does not start one.

        Raises:
            NoActiveBrowser: it does not run.
        """
        browser = self.manager.get_active_browser(profile)
        if browser is None:
            raise NoActiveBrowser(
                f"No browser of the profile {profile!r} is running.",
                hint="POST /browser/launch starts it, and so does any action.",
            )
        return browser

    @asynccontextmanager
    async def caller(self, request: Request) -> AsyncGenerator[ToolContext]:
        """The context of a request; its call is given up when the client leaves."""
        cancel = asyncio.Event()
        context = self.manager.context(
            self.conversation(request),
            working_dir=self.working_dir,
            cancel=cancel,
            profile=self.profile(request),
        )
        async with self.attended(request, cancel):
            yield context

    @asynccontextmanager
    async def attended(self, request: Request, cancel: asyncio.Event) -> AsyncGenerator[None]:
        """Sets `cancel` if the client leaves before this ends, or the server goes."""
        watching = asyncio.create_task(_watch(request, cancel), name="tabwright client")
        self._under_way.add(cancel)
        try:
            yield
        finally:
            self._under_way.discard(cancel)
            watching.cancel()

    async def call(
        self,
        request: Request,
        name: str,
        given: dict[str, Any],
        translate: Callable[[Any], Call] | None = None,
    ) -> Response:
        """Make a call for the request's conversation, and tell what came of it."""
        async with self.caller(request) as context:
            outcome = await call(context, name, given, translate=translate)
        return self.told(context.conversation_id, outcome)

    def told(self, conversation: str, outcome: Outcome, **more: Any) -> Response:
        """An outcome as a reply. Of an error, the very JSON of the command line."""
        body = outcome.as_dict()
        for artifact, entry in zip(outcome.artifacts, body.get("artifacts", ()), strict=True):
            entry["url"] = self.shelf.put(conversation, artifact)
        if outcome.error is not None:
            return Json(body, status_code=outcome.error.status)
        return done({**body, **more})

    async def timed(self, what: str, work: Awaitable[T]) -> T:
        """Wait for something that passes no door of its own."""
        limit_ms = self.manager.settings.browser.default_timeout
        try:
            async with asyncio.timeout(limit_ms / 1000):
                return await work
        except TimeoutError:
            raise TimedOut(what, limit_ms, hint="Ask again: it may be done by then.") from None


async def _watch(request: Request, cancel: asyncio.Event) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    cancel.set()
