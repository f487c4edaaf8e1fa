"""One command line that a client brought to the server."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tabwright.config import Settings, load, project_file, resolve_profile
from tabwright.engine.context import ToolContext, conversation_name
from tabwright.faces.cli.shared import Shared
from tabwright.faces.cli.terminal import Terminal

if TYPE_CHECKING:
    from tabwright.engine.manager import BrowserManager
    from tabwright.faces.cli.server import Server

SESSION = "TABWRIGHT_SESSION"


@dataclass(frozen=True)
class Visit:
    """Who brought it: where they stand, where they read and write, and whether they are here."""

    cwd: Path
    env: dict[str, str]
    terminal: Terminal
    server: Server
    input: Callable[[], AsyncIterator[bytes]]
    """What is piped to the client, piece by piece."""
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the client left, or the server is to end."""

    async def manager(self, said: Shared) -> BrowserManager:
        """The browsers that serve the configuration which holds for the caller."""
        return await self.server.managers.of(self.settings(said), self.env)

    def found(self, said: Shared) -> BrowserManager | None:
        """The same, if it is there already."""
        return self.server.managers.find(self.settings(said), self.env)

    def settings(self, said: Shared) -> Settings:
        """The configuration that holds for the caller."""
        settings = load(said.overrides, cwd=self.cwd, env=self.env)
        if said.profile is not None:
            settings.browser.default_profile = resolve_profile(settings, said.profile).name
        return settings

    def session(self, said: Shared) -> str:
        """The session that is meant: named, or that of the directory.

        Raises:
            InputError: the name is not one.
        """
        named = self.env.get(SESSION) or None if said.session is None else said.session
        return session_of(self.cwd) if named is None else conversation_name(named)

    def context(self, manager: BrowserManager, said: Shared) -> ToolContext:
        """What a call for the caller is given."""
        return manager.context(
            self.session(said), working_dir=self.cwd, cancel=self.gone, person=True
        )


def session_of(cwd: Path) -> str:
    """The session that commands in a directory share, unless they name one."""
    config = project_file(cwd)
    root = config.parent if config else cwd
    for directory in (cwd, *cwd.parents) if config is None else ():
        if (directory / ".git").exists():
            root = directory
            break
    word = re.sub(r"[^A-Za-z0-9._-]+", "-", root.name)[:40].strip("-") or "root"
    return f"{word}-{hashlib.sha256(bytes(root)).hexdigest()[:6]}"


Work = Callable[[Visit], Awaitable[int]]
"""What a command line wants of the server; returns the exit code."""
