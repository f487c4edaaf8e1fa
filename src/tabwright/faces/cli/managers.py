"""The browsers behind the server: those of one configuration serve no other."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from tabwright.config import Settings
from tabwright.dispatch import call
from tabwright.engine.manager import BrowserManager
from tabwright.engine.process import BrowserProcess, LaunchPlan
from tabwright.errors import BrowserError

MOST = 8
Env = Mapping[str, str]
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
FOR_ALL = ("TZ", *PROXIES, *map(str.upper, PROXIES))
"""What of the environment every browser depends on."""
FOR_BROWSERS = (*FOR_ALL, "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY")
"""And one with windows."""


class Managers:
    """A manager for each configuration that calls come with."""

    def __init__(self, first: BrowserManager) -> None:
        self._all = [first]
        self._envs: dict[BrowserManager, Env] = {first: os.environ}

    def find(self, settings: Settings, env: Env) -> BrowserManager | None:
        """The one of this configuration and environment, if there is one."""
        wanted = _kind(settings, env)
        found = (each for each in self._all if _kind(each.settings, self._envs[each]) == wanted)
        return next(found, None)

    async def of(self, settings: Settings, env: Env) -> BrowserManager:
        """The one of this configuration and environment, which is made if there is none.

        Raises:
            BrowserError: there are so many in use that another would be too much.
        """
        found = self.find(settings, env)
        if found is not None:
            return found
        await self._make_room()
        own = {name: env[name] for name in FOR_BROWSERS if name in env}
        manager = BrowserManager(settings, execute=call, launch=partial(_launch, own))
        self._all.append(manager)
        self._envs[manager] = env
        return manager

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
                del self._envs[manager]
                await manager.stop()
                return
        raise BrowserError(
            f"Browsers of {len(self._all)} different configurations are in use.",
            hint="End one with `tabwright close`, or all with `tabwright stop`.",
        )


def _kind(settings: Settings, env: Env) -> tuple[dict[str, Any], list[str | None]]:
    # Where the server listens makes no difference to a browser, nor what is shown of the log.
    told = settings.model_dump(exclude={"control_server": True, "logging": {"level"}})
    names = FOR_ALL if settings.browser.headless else FOR_BROWSERS
    return told, [env.get(name) for name in names]


async def _launch(env: Env, plan: LaunchPlan) -> BrowserProcess:
    return await BrowserProcess.launch(replace(plan, env={**env, **plan.env}))
