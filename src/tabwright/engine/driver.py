"""Playwright on a browser of ours: for programs that want its locators, routes and traces.

The engine itself speaks CDP (docs/architecture.md says why). This adapter joins a running browser
by its endpoint, launches none, and turns Playwright's errors into ours; no other module sees them.
"""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from playwright.async_api import (
    Browser,
    FloatRect,
    JSHandle,
    Page,
    PdfMargins,
    Playwright,
    async_playwright,
)
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeout

from tabwright.errors import (
    ActionError,
    ConnectFailed,
    DriverCrashError,
    InputError,
    InvalidSelector,
    NavigationFailed,
    NetworkFailed,
    ScriptError,
    TabwrightError,
    TimedOut,
)

P = ParamSpec("P")
T = TypeVar("T")
LoadState = Literal["load", "domcontentloaded", "networkidle"]
ElementState = Literal["attached", "detached", "visible", "hidden"]

# What Playwright says when it lost the browser, the page, or its own driver process.
CRASH_WORDS = (
    "has been closed",
    "target closed",
    "connection closed",
    "target crashed",
    "page crashed",
    "browser closed",
)
SELECTOR_WORDS = (
    "is not a valid selector",
    "is not a valid xpath",
    "failed to execute 'evaluate' on 'document'",
    "unexpected token",
    "while parsing",
    "unknown engine",
)
PREFIX = re.compile(r"^(?:Page|Locator|Frame)\.\w+: ")
# The driver's own words for a lost page, as a whole: not what a page may throw.
LOST = re.compile(
    r"^(?:page\.\w+: )?(?:target page, context or browser has been closed|target closed"
    r"|target crashed.*|connection closed.*|browser has been closed)\W*$"
)


@dataclass(frozen=True)
class NavigateResult:
    """Where a navigation ended."""

    url: str
    status: int | None
    title: str
    load_time: float


def _boundary(
    method: Callable[Concatenate[PlaywrightAdapter, P], Awaitable[T]],
) -> Callable[Concatenate[PlaywrightAdapter, P], Awaitable[T]]:
    """Translate the driver's errors; errors of ours pass unchanged."""

    @functools.wraps(method)
    async def translated(self: PlaywrightAdapter, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await method(self, *args, **kwargs)
        except PlaywrightError as error:
            selector = next((arg for arg in args if isinstance(arg, str)), "")
            raise _translate(error, method.__name__, selector) from error

    return translated


class PlaywrightAdapter:
    """One page, driven by Playwright over the browser's own debugging socket."""

    def __init__(self) -> None:
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._page: Page | None = None

    async def initialize(self, cdp_endpoint: str, *, target_id: str | None = None) -> None:
        """Join the browser at `cdp_endpoint`; take the page of `target_id`, or the first one."""
        await self.close()
        self._playwright = await async_playwright().start()
        try:
            self._browser = await self._playwright.chromium.connect_over_cdp(
                cdp_endpoint, no_defaults=True
            )
            self._page = await self._find_page(self._browser, target_id)
        except PlaywrightError as error:
            await self.close()
            raise ConnectFailed(cdp_endpoint, str(error).splitlines()[0]) from error
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Leave the browser as it is and end the driver. Raises nothing when it is dead."""
        playwright, self._playwright = self._playwright, None
        self._browser = self._page = None
        if playwright is None:
            return
        try:
            await playwright.stop()
        except (PlaywrightError, OSError):
            return

    @property
    def page(self) -> Page:
        """Playwright's own page, for everything this adapter does not name."""
        if self._page is None:
            raise DriverCrashError("The Playwright adapter is not connected.")
        return self._page

    @_boundary
    async def navigate(
        self, url: str, *, wait_until: LoadState = "load", timeout: float = 30_000
    ) -> NavigateResult:
        """Open an address."""
        began = time.perf_counter()
        response = await self.page.goto(url, wait_until=wait_until, timeout=timeout)
        return await self._arrived(response.status if response else None, began)

    @_boundary
    async def go_back(self, *, timeout: float = 30_000) -> NavigateResult:
        """Go back in the history."""
        began = time.perf_counter()
        response = await self.page.go_back(timeout=timeout)
        return await self._arrived(response.status if response else None, began)

    @_boundary
    async def go_forward(self, *, timeout: float = 30_000) -> NavigateResult:
        """Go forward in the history."""
        began = time.perf_counter()
        response = await self.page.go_forward(timeout=timeout)
        return await self._arrived(response.status if response else None, began)

    @_boundary
    async def reload(self, *, timeout: float = 30_000) -> NavigateResult:
        """Load the page again."""
        began = time.perf_counter()
        response = await self.page.reload(timeout=timeout)
        return await self._arrived(response.status if response else None, began)

    @_boundary
    async def click(
        self,
        selector: str,
        *,
        button: Literal["left", "right", "middle"] = "left",
        click_count: int = 1,
        delay: float = 0,
        timeout: float = 30_000,
    ) -> None:
        """Click an element."""
        await self.page.click(
            selector, button=button, click_count=click_count, delay=delay, timeout=timeout
        )

    @_boundary
    async def type(
        self, selector: str, text: str, *, delay: float = 0, timeout: float = 30_000
    ) -> None:
        """Type text with the keyboard."""
        await self.page.locator(selector).press_sequentially(text, delay=delay, timeout=timeout)

    @_boundary
    async def fill(self, selector: str, value: str, *, timeout: float = 30_000) -> None:
        """Replace a field's text."""
        await self.page.fill(selector, value, timeout=timeout)

    @_boundary
    async def select(self, selector: str, *values: str, timeout: float = 30_000) -> list[str]:
        """Choose options; returns the values that are chosen."""
        return await self.page.select_option(selector, list(values), timeout=timeout)

    @_boundary
    async def hover(self, selector: str, *, timeout: float = 30_000) -> None:
        """Move the mouse over an element."""
        await self.page.hover(selector, timeout=timeout)

    @_boundary
    async def screenshot(
        self,
        *,
        type: Literal["png", "jpeg"] = "png",  # noqa: A002  # the name the requirements fix
        quality: int | None = None,
        full_page: bool = False,
        clip: FloatRect | None = None,
        path: str | None = None,
    ) -> bytes:
        """Take a picture."""
        return await self.page.screenshot(
            type=type, quality=quality, full_page=full_page, clip=clip, path=path
        )

    @_boundary
    async def pdf(
        self,
        *,
        path: str | None = None,
        format: str | None = None,  # noqa: A002  # the name the requirements fix
        width: str | None = None,
        height: str | None = None,
        margin: PdfMargins | None = None,
        print_background: bool = False,
    ) -> bytes:
        """Print the page."""
        return await self.page.pdf(
            path=path,
            format=format,
            width=width,
            height=height,
            margin=margin,
            print_background=print_background,
        )

    @_boundary
    async def snapshot(self) -> str:
        """The page's accessibility tree as text."""
        return await self.page.locator("body").aria_snapshot()

    @_boundary
    async def evaluate(self, expression: str, arg: Any = None) -> Any:
        """Run JavaScript and return its value."""
        return await self.page.evaluate(expression, arg)

    @_boundary
    async def evaluate_handle(self, expression: str, arg: Any = None) -> JSHandle:
        """Run JavaScript and return a handle to its value."""
        return await self.page.evaluate_handle(expression, arg)

    @_boundary
    async def wait_for_selector(
        self, selector: str, *, state: ElementState = "visible", timeout: float = 30_000
    ) -> None:
        """Wait for an element to come, show, hide or go."""
        await self.page.wait_for_selector(selector, state=state, timeout=timeout)

    @_boundary
    async def wait_for_navigation(self, url: str = "**", *, timeout: float = 30_000) -> str:
        """Wait until the page is at an address that matches; returns it."""
        await self.page.wait_for_url(url, timeout=timeout)
        return self.page.url

    @_boundary
    async def wait_for_load_state(
        self, state: LoadState = "load", *, timeout: float = 30_000
    ) -> None:
        """Wait for a state of loading."""
        await self.page.wait_for_load_state(state, timeout=timeout)

    @_boundary
    async def get_cookies(self) -> list[dict[str, Any]]:
        """The cookies that the page's address would be sent."""
        return (await _command(self.page, "Network.getCookies"))["cookies"]

    @_boundary
    async def set_cookies(self, cookies: list[dict[str, Any]]) -> None:
        """Set cookies in the page's own context."""
        await _command(self.page, "Network.setCookies", {"cookies": cookies})

    @_boundary
    async def get_local_storage(self) -> dict[str, str]:
        """The local storage of the page's origin."""
        return await self.page.evaluate("() => ({...localStorage})")

    @_boundary
    async def set_local_storage(self, items: dict[str, str]) -> None:
        """Add to the local storage of the page's origin."""
        await self.page.evaluate(
            "items => { for (const [k, v] of Object.entries(items)) localStorage.setItem(k, v); }",
            items,
        )

    async def _arrived(self, status: int | None, began: float) -> NavigateResult:
        took = round((time.perf_counter() - began) * 1000, 1)
        return NavigateResult(self.page.url, status, await self.page.title(), took)

    async def _find_page(self, browser: Browser, target_id: str | None) -> Page:
        pages = [page for context in browser.contexts for page in context.pages]
        for page in pages:
            if target_id is None:
                return page
            info = await _command(page, "Target.getTargetInfo")
            if info["targetInfo"]["targetId"] == target_id:
                return page
        raise InputError(
            f"The browser has no page {target_id!r}." if target_id else "The browser has no page.",
            hint="Open a tab first.",
        )


async def _command(page: Page, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    session = await page.context.new_cdp_session(page)
    try:
        return await session.send(method, params)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  # untyped upstream
    finally:
        await session.detach()


def _translate(error: PlaywrightError, action: str, selector: str = "") -> TabwrightError:
    message = error.message.splitlines()[0]
    text = message.lower()
    if isinstance(error, PlaywrightTimeout):
        return TimedOut(f"Playwright's {action}", _milliseconds(message))
    if action in ("evaluate", "evaluate_handle") and not LOST.search(text):
        # What the page itself threw may say anything, also words that the driver uses.
        return ScriptError(f"The script threw {PREFIX.sub('', message)}")
    if any(words in text for words in CRASH_WORDS):
        return DriverCrashError(f"Playwright lost the browser during {action}: {message}")
    if "net::err_" in text:
        return NetworkFailed(message, netError=message[message.index("net::") :].split(" ")[0])
    if any(words in text for words in SELECTOR_WORDS):
        return InvalidSelector(selector, PREFIX.sub("", message))
    return NavigationFailed(message) if action == "navigate" else ActionError(message)


def _milliseconds(message: str) -> float:
    digits = "".join(c for c in message.partition("Timeout ")[2].partition("ms")[0] if c.isdigit())
    return float(digits or 0)
