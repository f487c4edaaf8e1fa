"""Types of the Python API.

Written by `python -m tabwright.faces.reference`. Do not edit.
"""

# ruff: noqa: A002, PYI021

from pathlib import Path
from typing import Any, Literal, Self

from tabwright.config import Settings
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager
from tabwright.outcome import Outcome
from tabwright.verbs.capture import Printed, Shot
from tabwright.verbs.navigate import Arrived
from tabwright.verbs.script import Evaluated
from tabwright.verbs.tab import Interrupted, Resized, TabList

class Conversation:
    """One conversation's browser. Each verb is a method: `await page.navigate(url)`."""

    def __init__(self, context: ToolContext) -> None: ...
    async def call(self, verb: str, **params: Any) -> Outcome:
        """Call a verb by its name and get the whole outcome; errors are in it, not raised."""
    async def screenshot(
        self,
        path: str | None = None,
        *,
        selector: str | None = None,
        clip: str | None = None,
        full_page: bool = False,
        type: Literal["png", "jpeg"] | None = None,
        quality: int | None = None,
        encoding: Literal["base64", "path"] | None = None,
        timeout: str | float = 30000.0,
    ) -> Shot:
        """Take a picture of the window, the whole page, an element, or a part.

        Args:
            path: File to write; by default one of our own.
            selector: Only this element: CSS or XPath.
            clip: Only this part of the document: 'x,y,width,height' in CSS pixels.
            full_page: The whole page instead of what the window shows.
            type: png, or jpeg; by default what the path's ending says, else png.
            quality: 0 to 100, for jpeg.
            encoding: base64: the picture also in the reply; path: only the file. Default: path
                if one is given.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def pdf(
        self,
        path: str | None = None,
        *,
        format: Literal[
            "Letter",
            "Legal",
            "Tabloid",
            "Ledger",
            "A0",
            "A1",
            "A2",
            "A3",
            "A4",
            "A5",
            "A6",
        ] = "Letter",
        width: str | None = None,
        height: str | None = None,
        margin: str = "0.4in",
        landscape: bool = False,
        print_background: bool = False,
        header_template: str = "",
        footer_template: str = "",
        encoding: Literal["base64", "path"] = "path",
        timeout: str | float = 30000.0,
    ) -> Printed:
        """Print the page to a PDF file.

        Args:
            path: File to write; by default one of our own.
            format: Paper size.
            width: Paper width such as '210mm'; wins over format.
            height: Paper height such as '297mm'; wins over format.
            margin: Margins as in CSS: '1cm', '1cm 2cm'. Default 0.4in.
            landscape: Turn the paper.
            print_background: Print background colours and pictures.
            header_template: HTML at the top of each page; classes date, title, url, pageNumber,
                totalPages are filled.
            footer_template: HTML at the bottom of each page.
            encoding: base64: the document also in the reply.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def navigate(
        self,
        url: str,
        *,
        wait_until: Literal["load", "domcontentloaded", "networkidle"] = "load",
        timeout: str | float = 30000.0,
    ) -> Arrived:
        """Open an address in the current tab and wait until the page is there.

        Fails with the cause when the server is not reached, answers with an error status, or takes
        too long. An address that is a file is downloaded, and the reply says where it is.

        Args:
            url: Address to open.
            wait_until: load: all resources; domcontentloaded: the document; networkidle: 500 ms
                of silence.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def back(
        self,
        *,
        wait_until: Literal["load", "domcontentloaded", "networkidle"] = "load",
        timeout: str | float = 30000.0,
    ) -> Arrived:
        """Go back to the page before in the tab's history.

        Args:
            wait_until: load: all resources; domcontentloaded: the document; networkidle: 500 ms
                of silence.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def forward(
        self,
        *,
        wait_until: Literal["load", "domcontentloaded", "networkidle"] = "load",
        timeout: str | float = 30000.0,
    ) -> Arrived:
        """Go forward to the next page in the tab's history.

        Args:
            wait_until: load: all resources; domcontentloaded: the document; networkidle: 500 ms
                of silence.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def reload(
        self,
        *,
        wait_until: Literal["load", "domcontentloaded", "networkidle"] = "load",
        timeout: str | float = 30000.0,
    ) -> Arrived:
        """Load the current page again, also one whose script hangs.

        Args:
            wait_until: load: all resources; domcontentloaded: the document; networkidle: 500 ms
                of silence.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def evaluate(
        self,
        expression: str,
        *,
        args: list[Any] | None = None,
        await_promise: bool = True,
        timeout: str | float = 30000.0,
    ) -> Evaluated:
        """Run JavaScript in the page and return its value.

        Promises are awaited unless `await` is false. A script that runs on is stopped at `timeout`.

        Args:
            expression: Expression, statements, or a function that is called. Top-level await
                works.
            args: JSON values passed to the function that `expression` gives.
            await_promise: Wait for a promise and return what it resolves to.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def tabs(
        self,
        action: Literal["list", "new", "select", "close"] = "list",
        *,
        tab: str | None = None,
        url: str | None = None,
        timeout: str | float = 30000.0,
    ) -> TabList:
        """List, open, choose or close tabs of this conversation.

        Args:
            action: list all, open a new one, make one current, or close one.
            tab: Tab id such as t2, for select and close; close takes the current one by
                default.
            url: Address for a new tab.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def resize(self, width: int, height: int) -> Resized:
        """Change the size of the page's window.

        Args:
            width: Width in CSS pixels.
            height: Height in CSS pixels.
        """
    async def interrupt(self) -> Interrupted:
        """Stop the script that the page is running, such as an endless loop."""

class Tabwright(Conversation):
    """A browser of your own: `async with Tabwright() as page: await page.navigate(url)`.

    It is itself a conversation; `conversation(name)` gives others, isolated from it.
    """

    manager: BrowserManager
    def __init__(
        self,
        settings: Settings | None = None,
        *,
        working_dir: Path | None = None,
        **options: Any,
    ) -> None: ...
    def conversation(self, name: str) -> Conversation:
        """The conversation of this name: its own cookies, storage and tabs."""
    async def start(self) -> Self:
        """Clear up after runs that died. The browser itself starts with the first call."""
    async def stop(self) -> None:
        """Close the browser and remove every temporary file."""
    async def __aenter__(self) -> Self: ...
    async def __aexit__(self, *exc: object) -> None: ...

class SyncConversation:
    """A conversation whose methods are called, not awaited."""

    def call(self, verb: str, **params: Any) -> Outcome:
        """Call a verb by its name and get the whole outcome; errors are in it, not raised."""
    def screenshot(
        self,
        path: str | None = None,
        *,
        selector: str | None = None,
        clip: str | None = None,
        full_page: bool = False,
        type: Literal["png", "jpeg"] | None = None,
        quality: int | None = None,
        encoding: Literal["base64", "path"] | None = None,
        timeout: str | float = 30000.0,
    ) -> Shot:
        """Take a picture of the window, the whole page, an element, or a part.

        Args:
            path: File to write; by default one of our own.
            selector: Only this element: CSS or XPath.
            clip: Only this part of the document: 'x,y,width,height' in CSS pixels.
            full_page: The whole page instead of what the window shows.
            type: png, or jpeg; by default what the path's ending says, else png.
            quality: 0 to 100, for jpeg.
            encoding: base64: the picture also in the reply; path: only the file. Default: path
                if one is given.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def pdf(
        self,
        path: str | None = None,
        *,
        format: Literal[
            "Letter",
            "Legal",
            "Tabloid",
            "Ledger",
            "A0",
            "A1",
            "A2",
            "A3",
            "A4",
            "A5",
            "A6",
        ] = "Letter",
        width: str | None = None,
        height: str | None = None,
        margin: str = "0.4in",
        landscape: bool = False,
        print_background: bool = False,
        header_template: str = "",
        footer_template: str = "",
        encoding: Literal["base64", "path"] = "path",
        timeout: str | float = 30000.0,
    ) -> Printed:
        """Print the page to a PDF file.

        Args:
            path: File to write; by default one of our own.
            format: Paper size.
            width: Paper width such as '210mm'; wins over format.
            height: Paper height such as '297mm'; wins over format.
            margin: Margins as in CSS: '1cm', '1cm 2cm'. Default 0.4in.
            landscape: Turn the paper.
            print_background: Print background colours and pictures.
            header_template: HTML at the top of each page; classes date, title, url, pageNumber,
                totalPages are filled.
            footer_template: HTML at the bottom of each page.
            encoding: base64: the document also in the reply.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def navigate(
        self,
        url: str,
        *,
        wait_until: Literal["load", "domcontentloaded", "networkidle"] = "load",
        timeout: str | float = 30000.0,
    ) -> Arrived:
        """Open an address in the current tab and wait until the page is there.

        Fails with the cause when the server is not reached, answers with an error status, or takes
        too long. An address that is a file is downloaded, and the reply says where it is.

        Args:
            url: Address to open.
            wait_until: load: all resources; domcontentloaded: the document; networkidle: 500 ms
                of silence.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def back(
        self,
        *,
        wait_until: Literal["load", "domcontentloaded", "networkidle"] = "load",
        timeout: str | float = 30000.0,
    ) -> Arrived:
        """Go back to the page before in the tab's history.

        Args:
            wait_until: load: all resources; domcontentloaded: the document; networkidle: 500 ms
                of silence.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def forward(
        self,
        *,
        wait_until: Literal["load", "domcontentloaded", "networkidle"] = "load",
        timeout: str | float = 30000.0,
    ) -> Arrived:
        """Go forward to the next page in the tab's history.

        Args:
            wait_until: load: all resources; domcontentloaded: the document; networkidle: 500 ms
                of silence.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def reload(
        self,
        *,
        wait_until: Literal["load", "domcontentloaded", "networkidle"] = "load",
        timeout: str | float = 30000.0,
    ) -> Arrived:
        """Load the current page again, also one whose script hangs.

        Args:
            wait_until: load: all resources; domcontentloaded: the document; networkidle: 500 ms
                of silence.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def evaluate(
        self,
        expression: str,
        *,
        args: list[Any] | None = None,
        await_promise: bool = True,
        timeout: str | float = 30000.0,
    ) -> Evaluated:
        """Run JavaScript in the page and return its value.

        Promises are awaited unless `await` is false. A script that runs on is stopped at `timeout`.

        Args:
            expression: Expression, statements, or a function that is called. Top-level await
                works.
            args: JSON values passed to the function that `expression` gives.
            await_promise: Wait for a promise and return what it resolves to.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def tabs(
        self,
        action: Literal["list", "new", "select", "close"] = "list",
        *,
        tab: str | None = None,
        url: str | None = None,
        timeout: str | float = 30000.0,
    ) -> TabList:
        """List, open, choose or close tabs of this conversation.

        Args:
            action: list all, open a new one, make one current, or close one.
            tab: Tab id such as t2, for select and close; close takes the current one by
                default.
            url: Address for a new tab.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def resize(self, width: int, height: int) -> Resized:
        """Change the size of the page's window.

        Args:
            width: Width in CSS pixels.
            height: Height in CSS pixels.
        """
    def interrupt(self) -> Interrupted:
        """Stop the script that the page is running, such as an endless loop."""

class SyncTabwright(SyncConversation):
    """A browser of your own: `with SyncTabwright() as page: page.navigate(url)`."""

    def __init__(self, settings: Settings | None = None, **options: Any) -> None: ...
    def conversation(self, name: str) -> SyncConversation:
        """The conversation of this name: its own cookies, storage and tabs."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *exc: object) -> None: ...
