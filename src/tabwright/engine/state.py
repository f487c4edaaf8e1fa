"""The state of a conversation as data: cookies and storage, read, put in place, and cleared."""

import base64
import json
import re

from pydantic import BaseModel, ConfigDict, Field, JsonValue
from pydantic.alias_generators import to_camel

from tabwright.engine import checkpoint as checkpoints
from tabwright.engine.cdp import Params, ProtocolError
from tabwright.engine.checkpoint import Checkpoint, Items, origin_of
from tabwright.engine.session import Session
from tabwright.engine.tab import Tab
from tabwright.errors import StateError

STATE_VERSION = 1
ORIGIN = re.compile(r"https?://[^\s/?#@\\]{1,260}", re.ASCII)
LIKE_THIS = "Use one such as 'https://example.com'."
BLANK_PAGE = base64.b64encode(b"<!doctype html><title></title>").decode("ascii")
FILL = """function (text) {
  for (const [key, value] of JSON.parse(text)) localStorage.setItem(key, value);
}"""


class BrowserState(BaseModel):
    """Everything a conversation would take along to another browser."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")

    version: int = STATE_VERSION
    cookies: list[dict[str, JsonValue]] = Field(default_factory=list[dict[str, JsonValue]])
    local_storage: dict[str, dict[str, str]] = Field(default_factory=dict[str, dict[str, str]])
    """Keys and values by origin."""
    session_storage: dict[str, dict[str, str]] = Field(default_factory=dict[str, dict[str, str]])
    """Keys and values by origin, of the open tabs."""


async def read(session: Session) -> BrowserState:
    """The present state of a session."""
    taken = await checkpoints.take(session)
    return BrowserState(
        cookies=taken.cookies,
        local_storage={origin: _table(items) for origin, items in taken.local_items.items()},
        session_storage={
            origin_of(page.url): _table(page.session_items)
            for page in taken.pages
            if page.session_items
        },
    )


async def apply(session: Session, state: BrowserState) -> None:
    """Put cookies and storage in place. Session storage goes to the current tab, if it fits.

    Raises:
        StateError: the state is of another version, or the browser refuses a part of it.
    """
    if state.version != STATE_VERSION:
        raise StateError(
            f"The state is of version {state.version}; this Tabwright reads {STATE_VERSION}.",
            hint="Use the Tabwright that wrote it, or a newer one.",
        )
    for origin in state.local_storage:
        if not ORIGIN.fullmatch(origin):
            raise StateError(f"{origin!r:.200} is not an origin with storage.", hint=LIKE_THIS)
    try:
        await session.browser_command(
            "Storage.setCookies",
            {"cookies": state.cookies, "browserContextId": session.context_id},
        )
    except ProtocolError as error:
        raise StateError(f"The browser refuses the cookies: {error.reason}.") from error
    for origin, table in state.local_storage.items():
        await fill_origin(session, origin, list(map(list, table.items())))
    await _fill_current(session, state)
    await session.save()


async def clear(session: Session) -> None:
    """Leave nothing: the context goes with its cookies, storage, caches and workers."""
    await session.leave()
    session.tabs.clear()
    session.current = None
    session.checkpoint = Checkpoint()


async def fill_origin(session: Session, origin: str, items: Items) -> None:
    """Open an empty document of the origin, without asking its server, and fill its storage."""
    current = session.current
    tab = await session.open_tab()
    session.routes.exempt.add(tab.id)
    try:
        await tab.ready()
        tab.on("Fetch.requestPaused", lambda params, _: _fulfil(tab, params))
        await tab.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
        answer = await tab.send("Page.navigate", {"url": f"{origin}/"})
        if answer.get("errorText"):
            raise StateError(f"{origin!r} is not an origin with storage.")
        loader = answer.get("loaderId")
        await tab.until(lambda: loader in tab.loaders and "load" in tab.document.reached)
        await tab.run(FILL, json.dumps(items))
    finally:
        await session.close_tab(tab)
        session.routes.exempt.discard(tab.id)
        session.current = current


def _fulfil(tab: Tab, params: Params) -> None:
    tab.post(
        "Fetch.fulfillRequest",
        {
            "requestId": params["requestId"],
            "responseCode": 200,
            "responseHeaders": [{"name": "content-type", "value": "text/html"}],
            "body": BLANK_PAGE,
        },
    )


async def _fill_current(session: Session, state: BrowserState) -> None:
    tab = session.current
    table = state.session_storage.get(origin_of(tab.url)) if tab else None
    if tab is not None and table:
        items = list(map(list, table.items()))
        await tab.run(FILL.replace("localStorage", "sessionStorage"), json.dumps(items))


def _table(items: Items) -> dict[str, str]:
    return {item[0]: item[1] for item in items}
