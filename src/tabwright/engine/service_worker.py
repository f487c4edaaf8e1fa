"""Service workers of the current page's origin: which there are, and putting them in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tabwright.engine.cdp import ProtocolError
from tabwright.engine.tab import Tab
from tabwright.errors import InputError, NotDone

# Where there is no container, as in a page that is not secure, asking for it may throw.
LOOK = """async function () {
    let container;
    try { container = navigator.serviceWorker; } catch {}
    if (!container) return null;
    const [own, all] = await Promise.all(
        [container.getRegistration(), container.getRegistrations()]);
    const told = (worker) => worker ? [worker.scriptURL, worker.state] : null;
    return {
        controller: container.controller ? container.controller.scriptURL : null,
        own: own ? own.scope : null,
        all: all.map((one) => ({
            scope: one.scope,
            active: told(one.active), waiting: told(one.waiting), installing: told(one.installing),
        })),
    };
}"""
DO = """async function (scope, action) {
    const all = await navigator.serviceWorker.getRegistrations();
    const one = all.find((each) => each.scope === scope);
    if (!one) return 'it is gone';
    try {
        const done = await one[action]();
        return done === false ? 'it was not registered any more' : '';
    } catch (error) { return String(error); }
}"""


@dataclass(frozen=True)
class Registration:
    """A service worker that is registered for a part of an origin."""

    scope: str
    script: str
    state: str
    """installing, installed, activating, activated or redundant."""
    own: bool
    """Whether the page lies in its scope, and in no narrower one."""
    controls: bool
    """Whether the page's requests pass it now."""
    update: str
    """State of a newer version that is on its way, if there is one."""


async def look(tab: Tab) -> list[Registration] | None:
    """The registrations of the page's origin, its own first; None where there can be none."""
    found = await tab.run(LOOK)
    if found is None:
        return None
    listed = [_registration(one, found) for one in found["all"]]
    return sorted(listed, key=lambda one: not one.own)


async def unregister(tab: Tab, scope: str | None) -> Registration:
    """Remove a registration; a page that the worker controls stays under it until it is left."""
    return await _do(tab, scope, "unregister")


async def update(tab: Tab, scope: str | None) -> Registration:
    """Have the worker's script fetched again, and a new version installed if it differs."""
    return await _do(tab, scope, "update")


async def _do(tab: Tab, scope: str | None, action: str) -> Registration:
    chosen = _chosen(await look(tab) or [], scope)
    try:
        problem = await tab.run(DO, chosen.scope, action)
    except ProtocolError as error:
        if not error.moved:
            raise
        problem = "the page was left meanwhile"
    if problem:
        raise NotDone(
            f"The service worker of {chosen.scope!r} took no {action}: {problem}.",
            hint="Look with `service_workers` which there are now.",
            scope=chosen.scope,
        )
    return chosen


def _chosen(listed: list[Registration], scope: str | None) -> Registration:
    for one in listed:
        if one.scope == scope or (scope is None and one.own):
            return one
    known = ", ".join(one.scope for one in listed) or "none"
    what = f"No service worker has the scope {scope!r:.300}" if scope else "The page has no worker"
    raise InputError(f"{what}.", hint=f"Scopes of this origin: {known}.", scope=scope)


def _registration(one: dict[str, Any], found: dict[str, Any]) -> Registration:
    versions = [one[name] for name in ("active", "waiting", "installing") if one[name]]
    (script, state), *newer = versions or [("", "redundant")]
    own = one["scope"] == found["own"]
    return Registration(
        scope=one["scope"],
        script=script,
        state=state,
        own=own,
        controls=own and one["active"] is not None and found["controller"] == script,
        update=newer[0][1] if newer else "",
    )
