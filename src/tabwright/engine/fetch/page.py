"""A page over plain HTTP as text that can be read, or why it needs a browser."""

from __future__ import annotations

import asyncio
import html
import re
from dataclasses import dataclass

from tabwright.engine.fetch import http
from tabwright.engine.fetch.http import Reply
from tabwright.engine.fetch.kind import HTML, decode, is_text, looks_like_text, mime
from tabwright.engine.readable import LEAST_ARTICLE, MOST_HTML, all_text, article
from tabwright.errors import BrowserNeeded, NavigationFailed, NextAction, TimedOut

SNIPPET_CHARACTERS = 500
# A page of this length is not only a question whether one is a robot.
LONGEST_CHALLENGE = 1000
BLOCKED = (403, 429, 503)
CHALLENGE_TITLES = ("just a moment...", "attention required! | cloudflare", "ddos-guard")
CHALLENGES = (
    "_cf_chl_opt",
    "cf-chl-",
    "cf-browser-verification",
    "_incapsula_resource",
    "px-captcha",
    "captcha-delivery.com",
    "awswafintegration",
    "ddos-guard/js-challenge",
    "sucuri_cloudproxy_js",
)
_TITLE = re.compile(r"<title\b[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Page:
    """What there is to read."""

    url: str
    status: int
    content_type: str
    title: str
    text: str
    article: bool
    """Whether it is what a page is about, without what is around it."""
    whole: bool
    """Whether all that the server had was read."""


async def read(url: str, timeout_ms: float) -> Page:
    """Ask for an address and give its text.

    Raises:
        BrowserNeeded: the server wants a browser, or there is hardly any text without scripts.
        NavigationFailed: an error answer, or no text.
        NetworkFailed: the server was not reached.
        TimedOut: not done in time.
    """
    try:
        async with asyncio.timeout(timeout_ms / 1000):
            reply = await http.get(url)
            _check_text(reply)
            return await asyncio.to_thread(_page, reply)
    except TimeoutError:
        raise TimedOut(
            f"Fetching {url!r:.300}",
            timeout_ms,
            hint="Raise `timeout`, or try again later.",
            url=url,
        ) from None


def _check_text(reply: Reply) -> None:
    named = is_text(reply.content_type)
    if named is not False and looks_like_text(reply.data):
        return
    # What has no body is answered by its status.
    if not reply.data and reply.status >= 400:
        return
    kind = mime(reply.content_type) or "of no known type"
    size = reply.headers.get("content-length", "")
    size = size if size.isdigit() else str(len(reply.data)) if reply.whole else ""
    error = NavigationFailed(
        f"{reply.url!r:.300} is no text: it is {kind}, {size or 'an unknown number of'} bytes.",
        hint="`navigate` downloads such a file.",
        url=reply.url,
        status=reply.status,
        contentType=kind,
        sizeBytes=int(size) if size else None,
    )
    error.next_actions = [NextAction("navigate", {"url": reply.url}, "downloads the file")]
    raise error


def _page(reply: Reply) -> Page:
    source = decode(reply.data, reply.content_type)
    kind = mime(reply.content_type)
    is_page = kind in HTML or (not kind and source.lstrip()[:15].lower().startswith("<!doctype"))
    read = source[:MOST_HTML] if is_page else source
    found = article(read, reply.url) if is_page else ""
    page = Page(
        url=reply.url,
        status=reply.status,
        content_type=kind,
        title=_title(read) if is_page else "",
        text=found or (all_text(read) if is_page else source),
        article=bool(found),
        whole=reply.whole and len(read) == len(source),
    )
    _check_answer(reply, page, source if is_page else None)
    return page


def _check_answer(reply: Reply, page: Page, source: str | None) -> None:
    """Refuse what is not the page that was asked for; `source`: of a page of HTML."""
    title, text = page.title, page.text
    if _is_challenge(reply, source or "", title, text):
        raise _needed(reply, "it asks whether a person is there", title, text)
    if reply.status in BLOCKED:
        raise _needed(reply, f"it answered with HTTP {reply.status}", title, text)
    if reply.status >= 400:
        raise NavigationFailed(
            f"{reply.url!r:.300} answered with HTTP {reply.status}.",
            hint="Check the address.",
            url=reply.url,
            status=reply.status,
            title=title or None,
            snippet=text[:SNIPPET_CHARACTERS] or None,
        )
    if source is not None and len(text) < LEAST_ARTICLE:
        reason = f"without scripts it has {len(text)} characters of text"
        raise _needed(reply, reason, title, text)


def _is_challenge(reply: Reply, source: str, title: str, text: str) -> bool:
    if reply.headers.get("cf-mitigated") == "challenge":
        return True
    if len(text) > LONGEST_CHALLENGE:
        return False
    small = source.lower()
    return title.lower() in CHALLENGE_TITLES or any(mark in small for mark in CHALLENGES)


def _needed(reply: Reply, reason: str, title: str, text: str) -> BrowserNeeded:
    error = BrowserNeeded(
        f"{reply.url!r:.300} needs a browser: {reason}.",
        hint="Open it with `navigate`, then read it with `snapshot`.",
        url=reply.url,
        status=reply.status,
        title=title or None,
        snippet=text[:SNIPPET_CHARACTERS] or None,
    )
    error.next_actions = [NextAction("navigate", {"url": reply.url}, "opens it in the browser")]
    return error


def _title(source: str) -> str:
    found = _TITLE.search(source)
    return " ".join(html.unescape(found[1]).split()) if found else ""
