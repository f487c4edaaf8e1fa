"""What a conversation would lose with its browser, kept on our side: cookies, storage, pages."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tabwright.engine.cdp import Params, ProtocolError

if TYPE_CHECKING:
    from tabwright.engine.session import Session
    from tabwright.engine.tab import Tab

Items = list[list[str]]
STORAGE_S = 0.25
COOKIE_FIELDS = (
    "name",
    "value",
    "domain",
    "path",
    "secure",
    "httpOnly",
    "sameSite",
    "priority",
    "sourceScheme",
    "sourcePort",
    "partitionKey",
)


@dataclass
class PageRecord:
    """A tab as it was."""

    tab_id: str
    url: str
    session_items: Items = field(default_factory=list[list[str]])


@dataclass
class Checkpoint:
    """The last known state of a session."""

    cookies: list[Params] = field(default_factory=list[Params])
    local_items: dict[str, Items] = field(default_factory=dict[str, Items])
    """Local storage by origin."""
    pages: list[PageRecord] = field(default_factory=list[PageRecord])
    current: str = ""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to put back."""
        return not self.pages and not self.cookies


def origin_of(url: str) -> str:
    """Scheme, host and port, for addresses that have storage; else nothing."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}" if parts.scheme in ("http", "https") else ""


async def take(session: Session) -> Checkpoint:
    """Read the present state. Commands go out together, so this costs one round trip.

    Cookies come from the browser itself; a page too busy to tell its storage keeps what was known
    until it does tell.
    """
    tabs = [tab for tab in session.tabs.values() if tab.attached]
    cookies = session.browser_command(
        "Storage.getCookies", {"browserContextId": session.context_id}
    )
    origins = {tab.id: origin_of(tab.url) for tab in tabs}
    asked = {(tab.id, local): _items(tab, local=local) for tab in tabs for local in (True, False)}
    waiting = [answer for answer in asked.values() if answer is not None]
    taken = Checkpoint(
        cookies=[settable(cookie) for cookie in (await cookies)["cookies"]],
        local_items=dict(session.checkpoint.local_items),
        current=session.current.id if session.current else "",
    )
    if waiting:
        await asyncio.wait(waiting, timeout=STORAGE_S)
    for (tab_id, local), answer in asked.items():
        if answer is not None and not answer.done():
            late = partial(_heard_late, session, tab_id, origins[tab_id], local)
            answer.add_done_callback(late)
    before = {page.tab_id: page.session_items for page in session.checkpoint.pages}
    for tab in tabs:
        origin = origins[tab.id]
        if origin:
            kept = taken.local_items.get(origin, [])
            taken.local_items[origin] = _entries(asked[tab.id, True], kept)
        items = _entries(asked[tab.id, False], before.get(tab.id, []))
        taken.pages.append(PageRecord(tab.id, tab.url, items))
    # A crashed tab has nothing to tell, and is to come back all the same.
    crashed = {tab.id for tab in session.tabs.values() if tab.crashed}
    taken.pages += [page for page in session.checkpoint.pages if page.tab_id in crashed]
    return taken


def restoring_script(origin: str, local: Items, of_session: Items) -> str:
    """A script that fills the storage of one origin before the page's own scripts run."""
    data = json.dumps({"origin": origin, "local": local, "session": of_session})
    return (
        f"(d => {{ if (location.origin !== d.origin) return;"
        f" for (const [k, v] of d.local) localStorage.setItem(k, v);"
        f" for (const [k, v] of d.session) sessionStorage.setItem(k, v); }})({data})"
    )


def _items(tab: Tab, *, local: bool) -> asyncio.Future[Params] | None:
    origin = origin_of(tab.url)
    if not origin:
        return None
    storage = {"securityOrigin": origin, "isLocalStorage": local}
    return tab.post("DOMStorage.getDOMStorageItems", {"storageId": storage})


def _heard_late(
    session: Session, tab_id: str, origin: str, local: bool, answer: asyncio.Future[Params]
) -> None:
    """Put what a busy page told in the end into the checkpoint that there is by then."""
    if answer.cancelled() or answer.exception() is not None:
        return
    entries, known = answer.result()["entries"], session.checkpoint
    if local:
        known.local_items[origin] = entries
        return
    for page in known.pages:
        if page.tab_id == tab_id and origin_of(page.url) == origin:
            page.session_items = entries


def _entries(answer: asyncio.Future[Params] | None, kept: Items) -> Items:
    if answer is None:
        return []
    if not answer.done():
        return kept
    try:
        return answer.result()["entries"]
    except ProtocolError:
        # The frame moved on between question and answer: what was known stands.
        return kept


def settable(cookie: Params) -> Params:
    """A cookie as it was read, in the form in which it can be set."""
    kept = {key: cookie[key] for key in COOKIE_FIELDS if key in cookie}
    if not cookie.get("session"):
        kept["expires"] = cookie["expires"]
    return kept
