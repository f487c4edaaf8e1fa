"""Putting a session back: after a crash, after an idle close, after a lost connection."""

from __future__ import annotations

import asyncio

from tabwright.engine.browser import Chromium
from tabwright.engine.cdp import ProtocolError, Target
from tabwright.engine.checkpoint import Checkpoint, PageRecord, origin_of, restoring_script
from tabwright.engine.document import BLANK
from tabwright.engine.session import Session
from tabwright.engine.state import fill_origin
from tabwright.engine.tab import Tab
from tabwright.wording import many

PAGE_TIMEOUT_S = 10.0
OTHER_ORIGINS = 30
# A tab that was lost with its page; its new page will name itself.
NO_TARGET = Target(target_id="", type="page", title="", url=BLANK, attached=False)


async def ready(session: Session, browser: Chromium) -> None:
    """See that the session lives in `browser` and that its current tab can be used."""
    if not session.serves(browser) or session.restoring:
        # Also after a restore that was cut off half-way: it is begun again from the checkpoint.
        await session.leave()
        session.restoring = True
        await session.enter(browser)
        await _put_back(session)
        session.restoring = False
    elif any(not tab.attached and not tab.crashed for tab in session.tabs.values()):
        # After a reconnect the browser attaches us to each page again.
        await session.until(lambda: all(t.attached for t in session.tabs.values()))
    if session.current is None:
        await session.open_tab()
    elif session.current.crashed:
        await _revive(session, session.current)


async def _put_back(session: Session) -> None:
    saved = session.checkpoint
    if saved.empty:
        session.tabs.clear()
        session.current = None
        return
    if saved.cookies:
        await session.browser_command(
            "Storage.setCookies",
            {"cookies": saved.cookies, "browserContextId": session.context_id},
        )
    gone = [tab_id for tab_id in session.tabs if tab_id not in {p.tab_id for p in saved.pages}]
    for tab_id in gone:
        del session.tabs[tab_id]
    failed = [page.url for page in saved.pages if not await _reopen(session, page)]
    await _fill_other_origins(session, saved)
    session.current = session.tabs.get(saved.current) or next(iter(session.tabs.values()), None)
    session.notices.append(_notice(saved.pages, failed))


async def _fill_other_origins(session: Session, saved: Checkpoint) -> None:
    """Storage of origins that no open page has would be missed at the next visit."""
    opened = {origin_of(page.url) for page in saved.pages}
    others = [origin for origin in saved.local_items if origin and origin not in opened]
    for origin in others[-OTHER_ORIGINS:]:
        items = saved.local_items[origin]
        if items:
            async with asyncio.timeout(PAGE_TIMEOUT_S):
                await fill_origin(session, origin, items)


async def _revive(session: Session, tab: Tab) -> None:
    page = next((p for p in session.checkpoint.pages if p.tab_id == tab.id), None)
    session.browser_command("Target.closeTarget", {"targetId": tab.target_id})
    tab.forget()
    url = page.url if page and tab.url == BLANK else tab.url
    record = PageRecord(tab.id, url, page.session_items if page else [])
    loaded = await _reopen(session, record)
    session.notices.append(
        f"The page in {tab.id} had crashed and was opened anew at {record.url}."
        if loaded
        else f"The page in {tab.id} had crashed, and {record.url} could not be loaded again."
    )


async def _reopen(session: Session, page: PageRecord) -> bool:
    """Open a page in its old tab, with its storage. Says whether it loaded."""
    tab = session.tabs.setdefault(page.tab_id, Tab(session, page.tab_id, NO_TARGET))
    session.claimant = tab
    target_id = await session.browser.client.create_target(
        BLANK, browser_context_id=session.context_id
    )
    await session.until(lambda: tab.target_id == target_id and tab.attached)
    if page.url == BLANK:
        return True
    await tab.ready()
    local = session.checkpoint.local_items.get(origin_of(page.url), [])
    source = restoring_script(origin_of(page.url), local, page.session_items)
    added = await tab.send("Page.addScriptToEvaluateOnNewDocument", {"source": source})
    try:
        async with asyncio.timeout(PAGE_TIMEOUT_S):
            answer = await tab.send("Page.navigate", {"url": page.url})
            loader = answer.get("loaderId")
            if loader and not answer.get("errorText"):
                await tab.until(lambda: "load" in tab.document.reached and loader in tab.loaders)
                # A page without scripts of its own has run none of ours yet either.
                await tab.send("Runtime.evaluate", {"expression": "0"})
    except (TimeoutError, ProtocolError):
        return False
    finally:
        tab.post("Page.removeScriptToEvaluateOnNewDocument", {"identifier": added["identifier"]})
    return "errorText" not in answer


def _notice(pages: list[PageRecord], failed: list[str]) -> str:
    text = (
        "The browser was started again; cookies, storage and "
        f"{many(len(pages), 'open page')} were put back."
    )
    return f"{text} Not loaded: {', '.join(failed)}." if failed else text
