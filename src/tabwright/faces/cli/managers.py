"""The browsers behind the server: those of one configuration serve no other."""

from __future__ import annotations

from typing import Any

from tabwright.config import Settings
from tabwright.dispatch import call
from tabwright.engine.manager import BrowserManager
from tabwright.errors import BrowserError

MOST = 8


class Managers:
    """A manager for each configuration that calls come with."""

    def __init__(self, first: BrowserManager) -> None:
        self._all = [first]

    async def of(self, settings: Settings) -> BrowserManager:
        """The one of this configuration, which is made if there is none.

        Raises:
            BrowserError: there are so many in use that another would be too much.
        """
        wanted = _kind(settings)
        for manager in self._all:
            if _kind(manager.settings) == wanted:
                return manager
        await self._make_room()
        self._all.append(BrowserManager(settings, execute=call))
        return self._all[-1]

    def all(self) -> list[BrowserManager]:
        """All of them, the server's own first."""
        return list(self._all)

    async def stop(self) -> None:
        """End all but the first, whose end is not ours to say."""
        others, self._all = self._all[1:], self._all[:1]
        for manager in others:
            await manager.stop()

    async def _make_room(self) -> None:
        if len(self._all) <= MOST:
            return
        for manager in self._all[1:]:
            if not any(session.entered or session.holds for session in manager.sessions()):
                self._all.remove(manager)
                await manager.stop()
                return
        raise BrowserError(
            f"Browsers of {len(self._all)} different configurations are in use.",
            hint="End one with `tabwright close`, or all with `tabwright stop`.",
        )


def _kind(settings: Settings) -> dict[str, Any]:
    # Where the server listens makes no difference: it listens already.
    return settings.model_dump(exclude={"control_server"})
