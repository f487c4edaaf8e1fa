"""Where pages are told that they are.

Chromium keeps a position for each page and a permission for each context. Both are given to every
page that is there, and to each that comes before its first script runs; a session outlives its
browser, and after a restart they hold again.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from tabwright.engine.cdp import Params
from tabwright.engine.source import Source

if TYPE_CHECKING:
    from tabwright.engine.session import Session


@dataclass(frozen=True)
class Position:
    """A place on earth."""

    latitude: float
    longitude: float
    accuracy: float
    """Metres."""


class Whereabouts:
    """The position of a conversation, now and for all pages that come."""

    def __init__(self, session: Session) -> None:
        self.now: Position | None = None
        self._session = session
        session.sources.each(self._came)

    async def become(self, position: Position | None) -> None:
        """Be somewhere; None: as if nothing had ever been said."""
        self.now = position
        answers = [
            answer for source in self._session.sources if (answer := self._give(source)) is not None
        ]
        await asyncio.gather(self._permit(), *answers)

    def _came(self, source: Source) -> None:
        if self.now is not None and self._give(source) is not None:
            self._permit()

    def _give(self, source: Source) -> asyncio.Future[Params] | None:
        if source.kind != "page":
            return None
        if self.now is None:
            return source.post("Emulation.clearGeolocationOverride")
        return source.post("Emulation.setGeolocationOverride", asdict(self.now))

    def _permit(self) -> asyncio.Future[Params]:
        context: Params = {"browserContextId": self._session.context_id}
        if self.now is None:
            return self._session.browser_command("Browser.resetPermissions", context)
        permissions = {"permissions": ["geolocation"], **context}
        return self._session.browser_command("Browser.grantPermissions", permissions)
