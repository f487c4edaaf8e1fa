"""What a tool is given: its conversation, and the one way into the browser."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tabwright.config import Settings
from tabwright.engine.home import Home
from tabwright.engine.journal import Journal
from tabwright.engine.policy import PathPolicy
from tabwright.engine.session import Caller, Session
from tabwright.errors import InputError

_NAME = re.compile(r"[A-Za-z0-9._:@-]{1,128}")
Lease = Callable[[], AbstractAsyncContextManager[Session]]


@dataclass
class ToolContext:
    """Everything a call knows of its caller. It cannot name another conversation."""

    conversation_id: str
    working_dir: Path
    cancel: asyncio.Event | None = None
    """Set by the caller to give the call up."""
    person: bool = False
    """Whether a person calls, at a command line, rather than an agent."""
    settings: Settings = field(kw_only=True, repr=False)
    journal: Journal = field(kw_only=True, repr=False)
    home: Home = field(kw_only=True, repr=False)
    lease: Lease = field(kw_only=True, repr=False)
    end_hung: Callable[[], Awaitable[None]] = field(kw_only=True, repr=False)
    """Ends the browser if it answers nothing any more."""

    def browser(self) -> AbstractAsyncContextManager[Session]:
        """The conversation's session, started on first use and held while the guard is open."""
        return self.lease()

    @cached_property
    def caller(self) -> Caller:
        """Which files this caller may name."""
        paths, security = self.settings.paths, self.settings.security
        roots = [
            self.working_dir,
            paths.artifact_dir,
            paths.screenshot_dir,
            paths.download_dir,
            Path(tempfile.gettempdir()),
            *security.allowed_paths,
        ]
        chosen = security.allow_absolute_paths
        absolute = self.person if chosen is None else chosen
        return Caller(self.working_dir, PathPolicy(roots, allow_absolute=absolute), self.person)


def conversation_name(given: str) -> str:
    """A name that somebody gave a conversation.

    Raises:
        InputError: it is not one.
    """
    if not _NAME.fullmatch(given):
        raise InputError(
            f"{given!r:.100} cannot be the name of a conversation.",
            hint="Use 1 to 128 letters, digits, '.', '_', ':', '@' or '-'.",
        )
    return given
