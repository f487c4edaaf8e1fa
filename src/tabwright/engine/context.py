"""What a tool is given: its conversation, and the one way into the browser."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path

from tabwright.engine.session import Session

Lease = Callable[[], AbstractAsyncContextManager[Session]]


@dataclass(frozen=True)
class ToolContext:
    """Everything a call knows of its caller. It cannot name another conversation."""

    conversation_id: str
    working_dir: Path
    cancel: asyncio.Event | None = None
    """Set by the caller to give the call up."""
    person: bool = False
    """Whether a person calls, at a command line, rather than an agent."""
    lease: Lease = field(kw_only=True, repr=False)

    def browser(self) -> AbstractAsyncContextManager[Session]:
        """The conversation's session, started on first use and held while the guard is open."""
        return self.lease()
