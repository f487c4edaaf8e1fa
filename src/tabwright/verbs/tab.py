"""Tabs: list, open, choose, close; the size of the page; stopping a script that hangs."""

import asyncio
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from tabwright.engine import navigation
from tabwright.engine.document import BLANK
from tabwright.engine.session import Session
from tabwright.engine.tab import Tab
from tabwright.verb import Params, Positional, Result, Timeout, verb
from tabwright.verbs.navigate import Url

# What earlier calls have queued runs before the answer comes; a page that hangs on is told of
# before the caller has waited for its whole time limit.
RESPONSE_S = 10.0
Pixels = Annotated[int, Field(ge=1, le=16_384), Positional]


class Tabs(Params):
    """What to do with which tab."""

    example: ClassVar[dict[str, Any]] = {"action": "new", "url": "https://example.com/"}

    action: Annotated[Literal["list", "new", "select", "close"], Positional] = "list"
    """list all, open a new one, make one current, or close one."""

    tab: str | None = None
    """Tab id such as t2, for select and close; close takes the current one by default."""

    url: Url | None = None
    """Address for a new tab."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.action == "select" and not self.tab:
            raise ValueError("`tab` is required to select a tab, for example 't2'")
        if self.url and self.action != "new":
            raise ValueError("`url` goes with action 'new' only")
        if self.tab and self.action in ("list", "new"):
            raise ValueError("`tab` goes with actions 'select' and 'close' only")
        return self


class TabInfo(Result):
    """One tab."""

    id: str
    """Name of the tab for as long as it lives."""

    url: str
    """Address."""

    title: str
    """Title."""

    current: bool
    """Whether calls go to this tab."""

    opener: str | None = None
    """The tab that opened it."""


class TabList(Result):
    """All tabs of the conversation."""

    tabs: list[TabInfo]
    """In the order they were opened."""

    def text(self) -> str:
        """One line a tab; the current one has a star."""
        if not self.tabs:
            return "No tab is open; the next call opens one."
        return "\n".join(
            f"{'*' if tab.current else ' '} {tab.id} {tab.title or 'Untitled'} - {tab.url}"
            for tab in self.tabs
        )


@verb(effect="act")
async def tabs(session: Session, params: Tabs) -> TabList:
    """List, open, choose or close tabs of this conversation."""
    match params.action:
        case "new":
            tab = await session.open_tab()
            if params.url:
                await navigation.go_to(
                    tab, params.url, wait_until="load", timeout_ms=params.timeout
                )
        case "select":
            await session.select(session.tab_by_id(params.tab or ""))
        case "close":
            tab = session.tab_by_id(params.tab) if params.tab else session.current
            if tab is not None:
                await session.close_tab(tab)
        case "list":
            pass
    return TabList(tabs=await _listed(session))


class Resize(Params):
    """The new size."""

    example: ClassVar[dict[str, Any]] = {"width": 1280, "height": 720}

    width: Pixels
    """Width in CSS pixels."""

    height: Pixels
    """Height in CSS pixels."""


class Resized(Result):
    """The size that the page sees."""

    width: int
    """innerWidth."""

    height: int
    """innerHeight."""

    def text(self) -> str:
        """The size."""
        return f"The page is {self.width} x {self.height} px."


@verb(effect="act", repeatable=True)
async def resize(tab: Tab, params: Resize) -> Resized:
    """Change the size of the page's window."""
    tab.viewport.width, tab.viewport.height = params.width, params.height
    await tab.apply_viewport()
    seen = await tab.run("function () { return [innerWidth, innerHeight]; }")
    return Resized(width=seen[0], height=seen[1])


class Interrupt(Params):
    """Nothing to say."""


class Interrupted(Result):
    """Whether the page answers again."""

    responsive: bool
    """False: it hangs on; reload or close it."""

    def text(self) -> str:
        """What came of it."""
        return "The page answers." if self.responsive else "The page still does not answer."


@verb(effect="act")
async def interrupt(tab: Tab, params: Interrupt) -> Interrupted:
    """Stop the script that the page is running, such as an endless loop."""
    del params
    await tab.interrupt()
    limit_s = tab.session.settings.browser.default_timeout / 1000
    return Interrupted(responsive=await tab.answers(min(limit_s, RESPONSE_S)))


async def _listed(session: Session) -> list[TabInfo]:
    tabs = list(session.tabs.values())
    titles = await asyncio.gather(*(tab.title() for tab in tabs))
    return [
        TabInfo(
            id=tab.id,
            url=tab.url,
            title=title if tab.url != BLANK else "",
            current=tab is session.current,
            opener=tab.opener or None,
        )
        for tab, title in zip(tabs, titles, strict=True)
    ]
