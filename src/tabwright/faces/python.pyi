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
from tabwright.verbs.acting import Acted
from tabwright.verbs.audit import Audited, Measured
from tabwright.verbs.conditions import CurrentConditions
from tabwright.verbs.console import ConsoleLog
from tabwright.verbs.control import ControlSet
from tabwright.verbs.cookies import CookieList
from tabwright.verbs.dialog import DialogState
from tabwright.verbs.download import DownloadList
from tabwright.verbs.element import Answer, ElementInfo, Got
from tabwright.verbs.fetch import Fetched
from tabwright.verbs.form import Uploaded
from tabwright.verbs.geolocation import Located
from tabwright.verbs.image import ImageRead
from tabwright.verbs.navigate import Arrived
from tabwright.verbs.network import NetworkReport
from tabwright.verbs.picture import Shot
from tabwright.verbs.printing import Printed
from tabwright.verbs.route import RouteList
from tabwright.verbs.script import Evaluated
from tabwright.verbs.scroll import Scrolled
from tabwright.verbs.service_worker import WorkerList
from tabwright.verbs.snapshot import Seen
from tabwright.verbs.storage import Stored
from tabwright.verbs.tab import Interrupted, Resized, TabList
from tabwright.verbs.wait import Waited

class Conversation:
    """One conversation's browser. Each verb is a method: `await page.navigate(url)`."""

    def __init__(self, context: ToolContext) -> None: ...
    async def call(self, verb: str, **params: Any) -> Outcome:
        """Call a verb by its name and get the whole outcome; errors are in it, not raised."""
    async def vitals(self, *, reload: bool = False, timeout: str | float = 30000.0) -> Measured:
        """Measure the page's web vitals, LCP, CLS, INP, FCP and TTFB, and name what caused them.

        Works for a page that is loaded already. INP needs an interaction, such as a click.

        Args:
            reload: Load the page again and measure that; what was typed into it is lost.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def audit(
        self,
        selector: str | None = None,
        *,
        tags: list[str] | None = None,
        rules: list[str] | None = None,
        limit: int = 20,
        timeout: str | float = 30000.0,
    ) -> Audited:
        """Find accessibility problems, in the page and all its frames, and name what causes them.

        Only what a machine can tell; nothing in the page is changed.

        Args:
            selector: Only this element and what is in it.
            tags: Only rules with one of these tags: wcag2a, wcag2aa, wcag21aa, best-practice …
            rules: Only these rules, by their ids: image-alt, color-contrast …
            limit: Most elements to name, the worst first. Counts are of all; the file names up
                to 500 of a rule in each frame.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
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
        annotate: bool = False,
        tiles: bool = False,
        baseline: str | None = None,
        threshold: float | None = None,
        timeout: str | float = 30000.0,
    ) -> Shot:
        """Take a picture of the window, the whole page, an element, or a part.

        The file has every pixel; the reply shows it reduced to what a model can take. A pixel
        of what is shown can be clicked by the picture's id, as `s3@120,45`.

        Args:
            path: File to write; by default one of our own.
            selector: Only this element: ref (`e12`), CSS, XPath, text=, label=, role=button
                "Save".
            clip: Only this part of the document: 'x,y,width,height' in CSS pixels.
            full_page: The whole page instead of what the window shows.
            type: png, or jpeg; by default what the path's ending says, else png.
            quality: 0 to 100, for jpeg.
            encoding: base64: the picture also in the reply; path: only the file. Default: path
                if one is given.
            annotate: Draw boxes with refs on what can be used, and list them.
            tiles: A page too tall to be read as one picture: also as parts from top to bottom,
                a file each.
            baseline: An earlier picture to compare with: says what changed, and shows it
                marked.
            threshold: How far colours may differ from the baseline's, 0 to 1; 0: not at all.
                Default 0.1.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def conditions(
        self,
        *,
        offline: bool | None = None,
        network: Literal["none", "2g", "slow-3g", "fast-3g", "4g"] | None = None,
        latency: float | None = None,
        download: float | None = None,
        upload: float | None = None,
        cpu: float | None = None,
    ) -> CurrentConditions:
        """Take the network away, slow it down, slow scripts down, or put things right again.

        Holds for all tabs and workers of the conversation, also for those to come, until it is
        changed. Without parameters it tells what holds.

        Args:
            offline: true: no network for any page or worker; false: it is back.
            network: A slow network by its name; 'none' is full speed.
            latency: Milliseconds until an answer begins, at least.
            download: Kilobits a second.
            upload: Kilobits a second.
            cpu: How many times slower scripts run; 1 is full speed.
        """
    async def console(
        self,
        action: Literal["read", "clear"] = "read",
        *,
        limit: int = 100,
        level: str | None = None,
        text: str | None = None,
        context: Literal[
            "page",
            "frame",
            "worker",
            "shared-worker",
            "service-worker",
        ]
        | None = None,
        tab: str | None = None,
        since: int | None = None,
        stack: bool = False,
        reveal: bool = False,
    ) -> ConsoleLog:
        """Read what pages, frames and workers wrote to the console, or clear it.

        Everything since the conversation began counts: messages, uncaught errors, failed loads.
        More than 4096 bytes go to a file.

        Args:
            action: read entries, or clear: discard all of them.
            limit: How many at most, the newest first.
            level: debug, log, info, warning or error; several with commas.
            text: Only entries with this text in any case, or that match a '/regex/'
                ('/regex/i').
            context: Only what a page itself, a frame in it or a worker of this kind wrote.
            tab: Only this tab, its frames and its own workers. By default all tabs.
            since: Only entries after the one of this number.
            stack: Show the calls that led to errors and traces, too.
            reveal: Show cookies, tokens and passwords, which are masked otherwise.
        """
    async def set(
        self,
        selector: str,
        value: str | list[str],
        *,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> ControlSet:
        """Set any form control, native or made by the page, and read the value back.

        Knows text and number fields, checkboxes, switches, radios, lists, comboboxes, sliders,
        dates, calendars, colours, trees, tabs, menus and disclosures, and groups of them by
        their label. Operates them with real clicks and keys, and fails when the value read back
        differs.

        Args:
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            value: Text, number, option's label, true/false/mixed, ISO date, 'Fruits > Apple' in
                a tree; a list where several can be chosen.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def cookies(
        self,
        action: Literal["get", "set", "delete"] = "get",
        *,
        cookies: list[Any] | None = None,
        name: str | None = None,
        domain: str | None = None,
        path: str | None = None,
        urls: list[str] | None = None,
    ) -> CookieList:
        """Read, set or delete cookies of the conversation, those that scripts do not see too.

        If one cannot be set as it is given, none is.

        Args:
            action: get or delete cookies by name, domain and path; set cookies.
            cookies: To set: name, value, url or domain; path, expires, httpOnly, secure,
                sameSite.
            name: Cookies of this name.
            domain: Cookies of this host; 'example.com' is also '.example.com', but not
                'a.example.com'.
            path: Cookies of this path.
            urls: Only cookies that are sent to one of these addresses.
        """
    async def dialog(
        self,
        action: Literal["status", "accept", "dismiss"] = "status",
        *,
        text: str | None = None,
        tab: str | None = None,
        policy: Literal["ask", "accept", "dismiss"] | None = None,
    ) -> DialogState:
        """Answer an alert, confirm or prompt that the page shows, or set how they are answered.

        Args:
            action: Look whether one is open, answer OK, or answer Cancel.
            text: What to type into a prompt before accepting it; default: what it suggests.
            tab: Tab whose dialog is meant; default: the current one.
            policy: From now on in this conversation: leave dialogs open for an answer, or
                answer at once.
        """
    async def downloads(
        self,
        action: Literal["list", "wait", "cancel"] = "list",
        *,
        id: str | None = None,
        timeout: str | float = 30000.0,
    ) -> DownloadList:
        """List the files that pages sent, wait for one, or cancel one.

        A file counts as completed when it is whole, in its place and hashed. Cancelling removes
        what was received; a download that is over already stays as it is.

        Args:
            action: list all, wait until one is over, or cancel one.
            id: Download id such as d1. Wait without it takes the newest under way, or the next
                to begin.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def get(
        self,
        what: Literal["text", "html", "value", "attribute", "property", "count", "box", "styles"],
        selector: str,
        name: str = "",
        *,
        timeout: str | float = 30000.0,
    ) -> Got:
        """Read text, HTML, value, an attribute, a property, the count, the box or styles.

        Args:
            what: text as it is rendered, html, value of a control, count of matches, box in
                pixels …
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            name: Which attribute or property; for styles, names separated by commas.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def info(self, selector: str, *, timeout: str | float = 30000.0) -> ElementInfo:
        """Describe an element: tag, id, class, text, link, value, role, name, state, place.

        Args:
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def is_(
        self,
        what: Literal["visible", "enabled", "checked", "editable", "focused"],
        selector: str,
        *,
        timeout: str | float = 30000.0,
    ) -> Answer:
        """Ask whether an element is visible, enabled, checked, editable or focused.

        Args:
            what: The question.
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def fetch(
        self,
        url: str,
        *,
        max_length: int = 10000,
        start: int = 0,
        use_browser: str = "never",
        timeout: str | float = 30000.0,
    ) -> Fetched:
        """Read a web page, or another text, over plain HTTP: fast, and without a browser.

        Returns the article without what is around it. Scripts do not run, and the cookies of
        the browser are not sent; a page that needs them is an error that says so.

        Args:
            url: Address of the page.
            max_length: Most characters of text to return.
            start: Character to begin at, to go on where a text was cut.
            use_browser: No browser is used.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def select(
        self,
        selector: str,
        options: list[str],
        *,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> Acted:
        """Choose options of a native select list, and read the choice back.

        `set` also knows lists and comboboxes that a page made itself.

        Args:
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            options: Value, label or index (from 0) of each option that shall be chosen.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def check(
        self,
        selector: str,
        *,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> Acted:
        """Check a checkbox, radio button or switch; one that is checked already is left alone.

        Args:
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def uncheck(
        self,
        selector: str,
        *,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> Acted:
        """Uncheck a checkbox or switch, also one of mixed state.

        Args:
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def focus(
        self,
        selector: str,
        *,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> Acted:
        """Give an element the keyboard focus.

        Args:
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def blur(
        self,
        selector: str,
        *,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> Acted:
        """Take the keyboard focus away from an element, so that it reports its change.

        Args:
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def upload(
        self,
        *,
        files: list[str],
        selector: str | None = None,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> Uploaded:
        """Give files to a file input, or to the file chooser that a button opens.

        Args:
            files: Paths of the files.
            selector: File input, or the button that opens the chooser; default: a chooser that
                is open.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def geolocation(
        self,
        action: Literal["set", "clear"] = "set",
        *,
        latitude: float | None = None,
        longitude: float | None = None,
        accuracy: float | None = None,
    ) -> Located:
        """Tell pages that they are at a place, with the permission to know it; or clear that.

        Holds for all tabs of the conversation, also for those to come, until it is changed.

        Args:
            action: set a position, or clear it: pages are asked for permission again, and given
                none.
            latitude: Degrees north; negative: south.
            longitude: Degrees east; negative: west.
            accuracy: Metres; default: 1.
        """
    async def read_image(self, path: str, *, timeout: str | float = 30000.0) -> ImageRead:
        """See an image file: PNG, JPEG, GIF or WebP, known by its content.

        It is turned upright and reduced to what a model can take. No browser is needed.

        Args:
            path: The image file: PNG, JPEG, GIF or WebP, whatever its name ends in.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def type(
        self,
        selector: str,
        text: str,
        *,
        wait: bool = False,
        timeout: str | float = 30000.0,
        clear: bool = False,
        delay: float = 0.0,
    ) -> Acted:
        """Type with real keys into a field, after what it holds.

        For plain form fields `fill` is faster; `set` knows every kind of control.

        Args:
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            text: What to type; a line break is Enter, a tab is Tab.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
            clear: Empty the field first.
            delay: Milliseconds between keys.
        """
    async def fill(
        self,
        selector: str,
        text: str,
        *,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> Acted:
        """Replace the text of a field at once, and read it back.

        Args:
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            text: The whole new text; empty to clear the field.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def press(
        self,
        key: str,
        *,
        selector: str | None = None,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> Acted:
        """Press a key or a combination of keys.

        Args:
            key: Key or combination: Enter, Escape, ArrowDown, a, Control+Shift+K.
            selector: Element to give the focus first; default: what has it.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def key(
        self,
        action: Literal["down", "up"],
        key: str,
        *,
        timeout: str | float = 30000.0,
    ) -> Acted:
        """Hold a key down, or let it go.

        Args:
            action: down holds the key until up; clicks meanwhile count with it.
            key: Name of the key.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def insert(self, text: str, *, timeout: str | float = 30000.0) -> Acted:
        """Insert text where the caret is, without key events.

        Args:
            text: Goes in where the caret is, as if it were pasted: no key events.
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

        Fails with the cause when the server is not reached, answers with an error status, or
        takes too long. An address that is a file is downloaded, and the reply says where it is.

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
    async def network(
        self,
        action: Literal["list", "get", "clear", "har"] = "list",
        id: str | None = None,
        *,
        url: str | None = None,
        method: Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] | None = None,
        status: str | None = None,
        resource_type: Literal[
            "document",
            "stylesheet",
            "script",
            "image",
            "font",
            "media",
            "fetch",
            "xhr",
            "websocket",
            "eventsource",
            "preflight",
            "prefetch",
            "ping",
            "manifest",
            "texttrack",
            "signedexchange",
            "other",
        ]
        | None = None,
        source: Literal[
            "network",
            "service-worker",
            "memory-cache",
            "disk-cache",
            "prefetch-cache",
            "route",
        ]
        | None = None,
        tab: str | None = None,
        since: str | None = None,
        limit: int | None = None,
        reveal: bool = False,
        bodies: bool = False,
        path: str | None = None,
    ) -> NetworkReport:
        """List the requests of pages and workers, look into one, clear the log, or export a HAR.

        The log has the newest 1,000 requests of the conversation. A redirect is a request of
        its own.

        Args:
            action: list requests, get one in full, clear the log, or write a HAR file.
            id: Request to get, such as 'r12'.
            url: Only addresses with this part, glob such as '**/api/**', or '/regex/'.
            method: Only this method.
            status: Only this status (404), class ('4xx'), 'pending', or 'failed': errors, no
                answer.
            resource_type: Only this type.
            source: Only what was answered from here.
            tab: Only requests of this tab; workers that tabs share belong to none.
            since: Only what began after a request ('r12'), or in the last time ('30s').
            limit: At most so many, the newest; default: 100 of a list, all of a HAR.
            reveal: Show cookies, tokens and passwords, which are masked otherwise.
            bodies: Put bodies into the HAR file.
            path: File for the HAR, or for the body of one request; by default one of our own.
        """
    async def click(
        self,
        selector: str,
        *,
        wait: bool = False,
        timeout: str | float = 30000.0,
        button: Literal["left", "right", "middle"] = "left",
        click_count: int = 1,
        modifiers: str | None = None,
        position: str | None = None,
    ) -> Acted:
        """Click an element and say what came of it.

        Waits until it is shown, enabled, still and not covered; takes another point of it when
        its centre is covered.

        Args:
            selector: Ref (`e12`), CSS, XPath, text=, label=, role=button "Save"; a screenshot's
                pixel `s3@9,9`.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
            button: Mouse button to press.
            click_count: 2 for a double click, 3 for a triple click.
            modifiers: Keys held meanwhile: Alt, Control, Meta, Shift, joined by '+'.
            position: Where in the element: 'x,y' in pixels from its top left corner. Default:
                where it is free.
        """
    async def hover(
        self,
        selector: str,
        *,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> Acted:
        """Bring the mouse over an element, to open a menu or a tooltip.

        Args:
            selector: Ref (`e12`), CSS, XPath, text=, label=, role=button "Save"; a screenshot's
                pixel `s3@9,9`.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def drag(
        self,
        selector: str,
        to: str,
        *,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> Acted:
        """Drag an element onto another, by mouse or as drag-and-drop, as the page wants it.

        Args:
            selector: Ref (`e12`), CSS, XPath, text=, label=, role=button "Save"; a screenshot's
                pixel `s3@9,9`.
            to: The element to drop it on, named as `selector` is.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def drop(
        self,
        selector: str,
        files: list[str],
        *,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> Acted:
        """Drop files on an element, as from a file manager.

        Args:
            selector: Ref (`e12`), CSS, XPath, text=, label=, role=button "Save"; a screenshot's
                pixel `s3@9,9`.
            files: Paths of the files.
            wait: Wait up to `timeout` for the element, instead of a moment.
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
    async def route(
        self,
        action: Literal["list", "abort", "fulfil", "modify", "remove"] = "list",
        url: str | None = None,
        *,
        method: Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] | None = None,
        resource_type: Literal[
            "document",
            "stylesheet",
            "script",
            "image",
            "font",
            "media",
            "fetch",
            "xhr",
            "websocket",
            "eventsource",
            "preflight",
            "prefetch",
            "ping",
            "manifest",
            "texttrack",
            "signedexchange",
            "other",
        ]
        | None = None,
        error: Literal[
            "blocked",
            "failed",
            "aborted",
            "timeout",
            "refused",
            "reset",
            "dns",
            "offline",
            "unreachable",
        ]
        | None = None,
        status: int | None = None,
        headers: dict[str, Any] | None = None,
        body: str | None = None,
        path: str | None = None,
        new_url: str | None = None,
        new_method: Literal[
            "GET",
            "POST",
            "PUT",
            "PATCH",
            "DELETE",
            "HEAD",
            "OPTIONS",
        ]
        | None = None,
        id: str | None = None,
    ) -> RouteList:
        """Stop requests, answer them in the server's place, or change them; list and remove routes.

        Holds for all pages and workers of the conversation, until it is removed. What a service
        worker or a cache answers by itself is not asked of the network, and not routed.

        Args:
            action: list routes; abort, answer (fulfil) or change (modify) requests; remove
                routes.
            url: Requests with this part in their address, glob such as '**/api/**', or
                '/regex/'.
            method: Only requests of this method.
            resource_type: Only requests of this type; fetch and xhr are one.
            error: How an aborted request fails; default: blocked.
            status: Status of the answer; default: 200.
            headers: Headers of the answer, or to set in a request that is modified; null
                removes one.
            body: Text to answer with, or to send instead.
            path: File to answer with.
            new_url: Where a modified request goes instead; the page does not notice.
            new_method: Method of a modified request.
            id: Route to remove, such as 'route1'; default: all.
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

        Promises are awaited unless `await` is false. A script that runs on is stopped at
        `timeout`.

        Args:
            expression: Expression, statements, or a function that is called. Top-level await
                works.
            args: JSON values passed to the function that `expression` gives.
            await_promise: Wait for a promise and return what it resolves to.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def scroll(
        self,
        to: Literal["view", "top", "bottom", "up", "down", "left", "right"] | None = None,
        *,
        selector: str | None = None,
        amount: float | None = None,
        x: float | None = None,
        y: float | None = None,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> Scrolled:
        """Scroll the page or a container, or bring an element into view; says when nothing moved.

        Args:
            to: view: bring the element into view (default with a selector); down: default
                without one.
            selector: Element to bring into view, or container to scroll; default: the page.
            amount: Pixels for up, down, left, right; default: most of what is visible.
            x: Scroll to this place from the left.
            y: Scroll to this place from the top.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def service_workers(
        self,
        action: Literal["list", "update", "unregister"] = "list",
        *,
        scope: str | None = None,
    ) -> WorkerList:
        """Tell whether the page has a service worker, and update or unregister workers.

        Lists all workers of the page's origin, the page's own first.

        Args:
            action: list them, fetch the script of one again, or remove one.
            scope: Scope of the worker to update or unregister; default: the one of the current
                page.
        """
    async def snapshot(
        self,
        selector: str | None = None,
        *,
        budget: int | None = None,
        full: bool = False,
        diff: bool = False,
        interactive: bool = False,
        viewport: bool = False,
        find: str | None = None,
        role: str | None = None,
        depth: int | None = None,
        more: str | None = None,
        boxes: bool = False,
        urls: bool = False,
        hidden: bool = False,
        include_iframes: bool | None = None,
        format: Literal["refs", "json", "text", "markdown"] = "refs",
        timeout: str | float = 30000.0,
    ) -> Seen:
        """See the page as text: its words, controls and their state, each with a ref to act on.

        Comes within the budget. Long lists and tables are cut, and say how to have the rest.

        Args:
            selector: Only this element and what is in it.
            budget: Tokens that the reply may have; what matters most comes first, the rest has
                a handle. Default 2000; for text and markdown, as many as 15,000 characters
                have.
            full: Everything, whatever it costs; a long one goes to a file.
            diff: Only what changed since the last snapshot of this tab.
            interactive: Only what can be operated.
            viewport: Only what is in the window.
            find: Only lines with this text, or with what /a regular expression/ matches.
            role: Only lines with an element of this role.
            depth: Only so many levels of containers.
            more: Go on where a snapshot was cut: the handle that it gave, such as e12+40 or
                v1.120.
            boxes: With x, y, width and height of each element.
            urls: With the addresses of links.
            hidden: With text that a person cannot see, marked with how it is hidden.
            include_iframes: With what is in frames. Default: in the text, but not in the data
                of json.
            format: refs: lines with refs; json: for programs; text, markdown: what there is to
                read.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    async def storage(
        self,
        action: Literal["get", "set", "delete", "clear"] = "get",
        *,
        kind: Literal["local", "session"] = "local",
        keys: list[str] | None = None,
        items: dict[str, Any] | None = None,
    ) -> Stored:
        """Read, set, delete or clear local or session storage of the current page's origin.

        A set that does not fit changes nothing.

        Args:
            action: get or delete items by their keys, set items, or clear the whole storage.
            kind: local: all tabs of the origin share it; session: the current tab's own.
            keys: Items to get or delete; get without keys: all.
            items: Keys and values to set, all or none of them; other items stay.
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
    async def wait(
        self,
        selector: str | None = None,
        *,
        state: Literal["attached", "detached", "visible", "hidden"] | None = None,
        visible: bool | None = None,
        text: str | None = None,
        text_gone: str | None = None,
        url: str | None = None,
        navigation: bool | None = None,
        load_state: Literal["load", "domcontentloaded", "networkidle"] | None = None,
        network_idle: str | float | None = None,
        request: str | None = None,
        method: Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] | None = None,
        status: int | None = None,
        download: bool | None = None,
        expression: str | None = None,
        time: str | float | None = None,
        timeout: str | float = 30000.0,
    ) -> Waited:
        """Wait for an element, text, address, load state, silence, request, download or script.

        A wait that takes too long says what was waited for and how things are instead.

        Args:
            selector: Element to wait for: ref, CSS, XPath, text=, label=, role= …
            state: What the element shall be; default: attached.
            visible: true is another way to say state 'visible', false 'attached'.
            text: Text that shall be visible somewhere.
            text_gone: Text that shall be visible no more.
            url: Address the tab shall be at: glob such as '**/done*', or '/regex/'.
            navigation: true: the tab shall be at another document than before the last act.
            load_state: State of loading that the page shall have reached.
            network_idle: No request for this long; streams are left out.
            request: Address of a request since the last act: glob or '/regex/'.
            method: Method of the request.
            status: Status of the answer to the request.
            download: true: the newest download shall be whole.
            expression: JavaScript that shall become true; what it throws ends the wait.
            time: Simply let this much time pass.
            timeout: Time limit: milliseconds, or a duration such as '10s'. Where `time` is
                longer, that.
        """

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
    def vitals(self, *, reload: bool = False, timeout: str | float = 30000.0) -> Measured:
        """Measure the page's web vitals, LCP, CLS, INP, FCP and TTFB, and name what caused them.

        Works for a page that is loaded already. INP needs an interaction, such as a click.

        Args:
            reload: Load the page again and measure that; what was typed into it is lost.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def audit(
        self,
        selector: str | None = None,
        *,
        tags: list[str] | None = None,
        rules: list[str] | None = None,
        limit: int = 20,
        timeout: str | float = 30000.0,
    ) -> Audited:
        """Find accessibility problems, in the page and all its frames, and name what causes them.

        Only what a machine can tell; nothing in the page is changed.

        Args:
            selector: Only this element and what is in it.
            tags: Only rules with one of these tags: wcag2a, wcag2aa, wcag21aa, best-practice …
            rules: Only these rules, by their ids: image-alt, color-contrast …
            limit: Most elements to name, the worst first. Counts are of all; the file names up
                to 500 of a rule in each frame.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
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
        annotate: bool = False,
        tiles: bool = False,
        baseline: str | None = None,
        threshold: float | None = None,
        timeout: str | float = 30000.0,
    ) -> Shot:
        """Take a picture of the window, the whole page, an element, or a part.

        The file has every pixel; the reply shows it reduced to what a model can take. A pixel
        of what is shown can be clicked by the picture's id, as `s3@120,45`.

        Args:
            path: File to write; by default one of our own.
            selector: Only this element: ref (`e12`), CSS, XPath, text=, label=, role=button
                "Save".
            clip: Only this part of the document: 'x,y,width,height' in CSS pixels.
            full_page: The whole page instead of what the window shows.
            type: png, or jpeg; by default what the path's ending says, else png.
            quality: 0 to 100, for jpeg.
            encoding: base64: the picture also in the reply; path: only the file. Default: path
                if one is given.
            annotate: Draw boxes with refs on what can be used, and list them.
            tiles: A page too tall to be read as one picture: also as parts from top to bottom,
                a file each.
            baseline: An earlier picture to compare with: says what changed, and shows it
                marked.
            threshold: How far colours may differ from the baseline's, 0 to 1; 0: not at all.
                Default 0.1.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def conditions(
        self,
        *,
        offline: bool | None = None,
        network: Literal["none", "2g", "slow-3g", "fast-3g", "4g"] | None = None,
        latency: float | None = None,
        download: float | None = None,
        upload: float | None = None,
        cpu: float | None = None,
    ) -> CurrentConditions:
        """Take the network away, slow it down, slow scripts down, or put things right again.

        Holds for all tabs and workers of the conversation, also for those to come, until it is
        changed. Without parameters it tells what holds.

        Args:
            offline: true: no network for any page or worker; false: it is back.
            network: A slow network by its name; 'none' is full speed.
            latency: Milliseconds until an answer begins, at least.
            download: Kilobits a second.
            upload: Kilobits a second.
            cpu: How many times slower scripts run; 1 is full speed.
        """
    def console(
        self,
        action: Literal["read", "clear"] = "read",
        *,
        limit: int = 100,
        level: str | None = None,
        text: str | None = None,
        context: Literal[
            "page",
            "frame",
            "worker",
            "shared-worker",
            "service-worker",
        ]
        | None = None,
        tab: str | None = None,
        since: int | None = None,
        stack: bool = False,
        reveal: bool = False,
    ) -> ConsoleLog:
        """Read what pages, frames and workers wrote to the console, or clear it.

        Everything since the conversation began counts: messages, uncaught errors, failed loads.
        More than 4096 bytes go to a file.

        Args:
            action: read entries, or clear: discard all of them.
            limit: How many at most, the newest first.
            level: debug, log, info, warning or error; several with commas.
            text: Only entries with this text in any case, or that match a '/regex/'
                ('/regex/i').
            context: Only what a page itself, a frame in it or a worker of this kind wrote.
            tab: Only this tab, its frames and its own workers. By default all tabs.
            since: Only entries after the one of this number.
            stack: Show the calls that led to errors and traces, too.
            reveal: Show cookies, tokens and passwords, which are masked otherwise.
        """
    def set(
        self,
        selector: str,
        value: str | list[str],
        *,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> ControlSet:
        """Set any form control, native or made by the page, and read the value back.

        Knows text and number fields, checkboxes, switches, radios, lists, comboboxes, sliders,
        dates, calendars, colours, trees, tabs, menus and disclosures, and groups of them by
        their label. Operates them with real clicks and keys, and fails when the value read back
        differs.

        Args:
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            value: Text, number, option's label, true/false/mixed, ISO date, 'Fruits > Apple' in
                a tree; a list where several can be chosen.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def cookies(
        self,
        action: Literal["get", "set", "delete"] = "get",
        *,
        cookies: list[Any] | None = None,
        name: str | None = None,
        domain: str | None = None,
        path: str | None = None,
        urls: list[str] | None = None,
    ) -> CookieList:
        """Read, set or delete cookies of the conversation, those that scripts do not see too.

        If one cannot be set as it is given, none is.

        Args:
            action: get or delete cookies by name, domain and path; set cookies.
            cookies: To set: name, value, url or domain; path, expires, httpOnly, secure,
                sameSite.
            name: Cookies of this name.
            domain: Cookies of this host; 'example.com' is also '.example.com', but not
                'a.example.com'.
            path: Cookies of this path.
            urls: Only cookies that are sent to one of these addresses.
        """
    def dialog(
        self,
        action: Literal["status", "accept", "dismiss"] = "status",
        *,
        text: str | None = None,
        tab: str | None = None,
        policy: Literal["ask", "accept", "dismiss"] | None = None,
    ) -> DialogState:
        """Answer an alert, confirm or prompt that the page shows, or set how they are answered.

        Args:
            action: Look whether one is open, answer OK, or answer Cancel.
            text: What to type into a prompt before accepting it; default: what it suggests.
            tab: Tab whose dialog is meant; default: the current one.
            policy: From now on in this conversation: leave dialogs open for an answer, or
                answer at once.
        """
    def downloads(
        self,
        action: Literal["list", "wait", "cancel"] = "list",
        *,
        id: str | None = None,
        timeout: str | float = 30000.0,
    ) -> DownloadList:
        """List the files that pages sent, wait for one, or cancel one.

        A file counts as completed when it is whole, in its place and hashed. Cancelling removes
        what was received; a download that is over already stays as it is.

        Args:
            action: list all, wait until one is over, or cancel one.
            id: Download id such as d1. Wait without it takes the newest under way, or the next
                to begin.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def get(
        self,
        what: Literal["text", "html", "value", "attribute", "property", "count", "box", "styles"],
        selector: str,
        name: str = "",
        *,
        timeout: str | float = 30000.0,
    ) -> Got:
        """Read text, HTML, value, an attribute, a property, the count, the box or styles.

        Args:
            what: text as it is rendered, html, value of a control, count of matches, box in
                pixels …
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            name: Which attribute or property; for styles, names separated by commas.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def info(self, selector: str, *, timeout: str | float = 30000.0) -> ElementInfo:
        """Describe an element: tag, id, class, text, link, value, role, name, state, place.

        Args:
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def is_(
        self,
        what: Literal["visible", "enabled", "checked", "editable", "focused"],
        selector: str,
        *,
        timeout: str | float = 30000.0,
    ) -> Answer:
        """Ask whether an element is visible, enabled, checked, editable or focused.

        Args:
            what: The question.
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def fetch(
        self,
        url: str,
        *,
        max_length: int = 10000,
        start: int = 0,
        use_browser: str = "never",
        timeout: str | float = 30000.0,
    ) -> Fetched:
        """Read a web page, or another text, over plain HTTP: fast, and without a browser.

        Returns the article without what is around it. Scripts do not run, and the cookies of
        the browser are not sent; a page that needs them is an error that says so.

        Args:
            url: Address of the page.
            max_length: Most characters of text to return.
            start: Character to begin at, to go on where a text was cut.
            use_browser: No browser is used.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def select(
        self,
        selector: str,
        options: list[str],
        *,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> Acted:
        """Choose options of a native select list, and read the choice back.

        `set` also knows lists and comboboxes that a page made itself.

        Args:
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            options: Value, label or index (from 0) of each option that shall be chosen.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def check(self, selector: str, *, wait: bool = False, timeout: str | float = 30000.0) -> Acted:
        """Check a checkbox, radio button or switch; one that is checked already is left alone.

        Args:
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def uncheck(
        self,
        selector: str,
        *,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> Acted:
        """Uncheck a checkbox or switch, also one of mixed state.

        Args:
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def focus(self, selector: str, *, wait: bool = False, timeout: str | float = 30000.0) -> Acted:
        """Give an element the keyboard focus.

        Args:
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def blur(self, selector: str, *, wait: bool = False, timeout: str | float = 30000.0) -> Acted:
        """Take the keyboard focus away from an element, so that it reports its change.

        Args:
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def upload(
        self,
        *,
        files: list[str],
        selector: str | None = None,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> Uploaded:
        """Give files to a file input, or to the file chooser that a button opens.

        Args:
            files: Paths of the files.
            selector: File input, or the button that opens the chooser; default: a chooser that
                is open.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def geolocation(
        self,
        action: Literal["set", "clear"] = "set",
        *,
        latitude: float | None = None,
        longitude: float | None = None,
        accuracy: float | None = None,
    ) -> Located:
        """Tell pages that they are at a place, with the permission to know it; or clear that.

        Holds for all tabs of the conversation, also for those to come, until it is changed.

        Args:
            action: set a position, or clear it: pages are asked for permission again, and given
                none.
            latitude: Degrees north; negative: south.
            longitude: Degrees east; negative: west.
            accuracy: Metres; default: 1.
        """
    def read_image(self, path: str, *, timeout: str | float = 30000.0) -> ImageRead:
        """See an image file: PNG, JPEG, GIF or WebP, known by its content.

        It is turned upright and reduced to what a model can take. No browser is needed.

        Args:
            path: The image file: PNG, JPEG, GIF or WebP, whatever its name ends in.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def type(
        self,
        selector: str,
        text: str,
        *,
        wait: bool = False,
        timeout: str | float = 30000.0,
        clear: bool = False,
        delay: float = 0.0,
    ) -> Acted:
        """Type with real keys into a field, after what it holds.

        For plain form fields `fill` is faster; `set` knows every kind of control.

        Args:
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            text: What to type; a line break is Enter, a tab is Tab.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
            clear: Empty the field first.
            delay: Milliseconds between keys.
        """
    def fill(
        self,
        selector: str,
        text: str,
        *,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> Acted:
        """Replace the text of a field at once, and read it back.

        Args:
            selector: Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save",
                placeholder=, testid=.
            text: The whole new text; empty to clear the field.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def press(
        self,
        key: str,
        *,
        selector: str | None = None,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> Acted:
        """Press a key or a combination of keys.

        Args:
            key: Key or combination: Enter, Escape, ArrowDown, a, Control+Shift+K.
            selector: Element to give the focus first; default: what has it.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def key(
        self,
        action: Literal["down", "up"],
        key: str,
        *,
        timeout: str | float = 30000.0,
    ) -> Acted:
        """Hold a key down, or let it go.

        Args:
            action: down holds the key until up; clicks meanwhile count with it.
            key: Name of the key.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def insert(self, text: str, *, timeout: str | float = 30000.0) -> Acted:
        """Insert text where the caret is, without key events.

        Args:
            text: Goes in where the caret is, as if it were pasted: no key events.
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

        Fails with the cause when the server is not reached, answers with an error status, or
        takes too long. An address that is a file is downloaded, and the reply says where it is.

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
    def network(
        self,
        action: Literal["list", "get", "clear", "har"] = "list",
        id: str | None = None,
        *,
        url: str | None = None,
        method: Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] | None = None,
        status: str | None = None,
        resource_type: Literal[
            "document",
            "stylesheet",
            "script",
            "image",
            "font",
            "media",
            "fetch",
            "xhr",
            "websocket",
            "eventsource",
            "preflight",
            "prefetch",
            "ping",
            "manifest",
            "texttrack",
            "signedexchange",
            "other",
        ]
        | None = None,
        source: Literal[
            "network",
            "service-worker",
            "memory-cache",
            "disk-cache",
            "prefetch-cache",
            "route",
        ]
        | None = None,
        tab: str | None = None,
        since: str | None = None,
        limit: int | None = None,
        reveal: bool = False,
        bodies: bool = False,
        path: str | None = None,
    ) -> NetworkReport:
        """List the requests of pages and workers, look into one, clear the log, or export a HAR.

        The log has the newest 1,000 requests of the conversation. A redirect is a request of
        its own.

        Args:
            action: list requests, get one in full, clear the log, or write a HAR file.
            id: Request to get, such as 'r12'.
            url: Only addresses with this part, glob such as '**/api/**', or '/regex/'.
            method: Only this method.
            status: Only this status (404), class ('4xx'), 'pending', or 'failed': errors, no
                answer.
            resource_type: Only this type.
            source: Only what was answered from here.
            tab: Only requests of this tab; workers that tabs share belong to none.
            since: Only what began after a request ('r12'), or in the last time ('30s').
            limit: At most so many, the newest; default: 100 of a list, all of a HAR.
            reveal: Show cookies, tokens and passwords, which are masked otherwise.
            bodies: Put bodies into the HAR file.
            path: File for the HAR, or for the body of one request; by default one of our own.
        """
    def click(
        self,
        selector: str,
        *,
        wait: bool = False,
        timeout: str | float = 30000.0,
        button: Literal["left", "right", "middle"] = "left",
        click_count: int = 1,
        modifiers: str | None = None,
        position: str | None = None,
    ) -> Acted:
        """Click an element and say what came of it.

        Waits until it is shown, enabled, still and not covered; takes another point of it when
        its centre is covered.

        Args:
            selector: Ref (`e12`), CSS, XPath, text=, label=, role=button "Save"; a screenshot's
                pixel `s3@9,9`.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
            button: Mouse button to press.
            click_count: 2 for a double click, 3 for a triple click.
            modifiers: Keys held meanwhile: Alt, Control, Meta, Shift, joined by '+'.
            position: Where in the element: 'x,y' in pixels from its top left corner. Default:
                where it is free.
        """
    def hover(self, selector: str, *, wait: bool = False, timeout: str | float = 30000.0) -> Acted:
        """Bring the mouse over an element, to open a menu or a tooltip.

        Args:
            selector: Ref (`e12`), CSS, XPath, text=, label=, role=button "Save"; a screenshot's
                pixel `s3@9,9`.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def drag(
        self,
        selector: str,
        to: str,
        *,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> Acted:
        """Drag an element onto another, by mouse or as drag-and-drop, as the page wants it.

        Args:
            selector: Ref (`e12`), CSS, XPath, text=, label=, role=button "Save"; a screenshot's
                pixel `s3@9,9`.
            to: The element to drop it on, named as `selector` is.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def drop(
        self,
        selector: str,
        files: list[str],
        *,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> Acted:
        """Drop files on an element, as from a file manager.

        Args:
            selector: Ref (`e12`), CSS, XPath, text=, label=, role=button "Save"; a screenshot's
                pixel `s3@9,9`.
            files: Paths of the files.
            wait: Wait up to `timeout` for the element, instead of a moment.
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
    def route(
        self,
        action: Literal["list", "abort", "fulfil", "modify", "remove"] = "list",
        url: str | None = None,
        *,
        method: Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] | None = None,
        resource_type: Literal[
            "document",
            "stylesheet",
            "script",
            "image",
            "font",
            "media",
            "fetch",
            "xhr",
            "websocket",
            "eventsource",
            "preflight",
            "prefetch",
            "ping",
            "manifest",
            "texttrack",
            "signedexchange",
            "other",
        ]
        | None = None,
        error: Literal[
            "blocked",
            "failed",
            "aborted",
            "timeout",
            "refused",
            "reset",
            "dns",
            "offline",
            "unreachable",
        ]
        | None = None,
        status: int | None = None,
        headers: dict[str, Any] | None = None,
        body: str | None = None,
        path: str | None = None,
        new_url: str | None = None,
        new_method: Literal[
            "GET",
            "POST",
            "PUT",
            "PATCH",
            "DELETE",
            "HEAD",
            "OPTIONS",
        ]
        | None = None,
        id: str | None = None,
    ) -> RouteList:
        """Stop requests, answer them in the server's place, or change them; list and remove routes.

        Holds for all pages and workers of the conversation, until it is removed. What a service
        worker or a cache answers by itself is not asked of the network, and not routed.

        Args:
            action: list routes; abort, answer (fulfil) or change (modify) requests; remove
                routes.
            url: Requests with this part in their address, glob such as '**/api/**', or
                '/regex/'.
            method: Only requests of this method.
            resource_type: Only requests of this type; fetch and xhr are one.
            error: How an aborted request fails; default: blocked.
            status: Status of the answer; default: 200.
            headers: Headers of the answer, or to set in a request that is modified; null
                removes one.
            body: Text to answer with, or to send instead.
            path: File to answer with.
            new_url: Where a modified request goes instead; the page does not notice.
            new_method: Method of a modified request.
            id: Route to remove, such as 'route1'; default: all.
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

        Promises are awaited unless `await` is false. A script that runs on is stopped at
        `timeout`.

        Args:
            expression: Expression, statements, or a function that is called. Top-level await
                works.
            args: JSON values passed to the function that `expression` gives.
            await_promise: Wait for a promise and return what it resolves to.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def scroll(
        self,
        to: Literal["view", "top", "bottom", "up", "down", "left", "right"] | None = None,
        *,
        selector: str | None = None,
        amount: float | None = None,
        x: float | None = None,
        y: float | None = None,
        wait: bool = False,
        timeout: str | float = 30000.0,
    ) -> Scrolled:
        """Scroll the page or a container, or bring an element into view; says when nothing moved.

        Args:
            to: view: bring the element into view (default with a selector); down: default
                without one.
            selector: Element to bring into view, or container to scroll; default: the page.
            amount: Pixels for up, down, left, right; default: most of what is visible.
            x: Scroll to this place from the left.
            y: Scroll to this place from the top.
            wait: Wait up to `timeout` for the element, instead of a moment.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def service_workers(
        self,
        action: Literal["list", "update", "unregister"] = "list",
        *,
        scope: str | None = None,
    ) -> WorkerList:
        """Tell whether the page has a service worker, and update or unregister workers.

        Lists all workers of the page's origin, the page's own first.

        Args:
            action: list them, fetch the script of one again, or remove one.
            scope: Scope of the worker to update or unregister; default: the one of the current
                page.
        """
    def snapshot(
        self,
        selector: str | None = None,
        *,
        budget: int | None = None,
        full: bool = False,
        diff: bool = False,
        interactive: bool = False,
        viewport: bool = False,
        find: str | None = None,
        role: str | None = None,
        depth: int | None = None,
        more: str | None = None,
        boxes: bool = False,
        urls: bool = False,
        hidden: bool = False,
        include_iframes: bool | None = None,
        format: Literal["refs", "json", "text", "markdown"] = "refs",
        timeout: str | float = 30000.0,
    ) -> Seen:
        """See the page as text: its words, controls and their state, each with a ref to act on.

        Comes within the budget. Long lists and tables are cut, and say how to have the rest.

        Args:
            selector: Only this element and what is in it.
            budget: Tokens that the reply may have; what matters most comes first, the rest has
                a handle. Default 2000; for text and markdown, as many as 15,000 characters
                have.
            full: Everything, whatever it costs; a long one goes to a file.
            diff: Only what changed since the last snapshot of this tab.
            interactive: Only what can be operated.
            viewport: Only what is in the window.
            find: Only lines with this text, or with what /a regular expression/ matches.
            role: Only lines with an element of this role.
            depth: Only so many levels of containers.
            more: Go on where a snapshot was cut: the handle that it gave, such as e12+40 or
                v1.120.
            boxes: With x, y, width and height of each element.
            urls: With the addresses of links.
            hidden: With text that a person cannot see, marked with how it is hidden.
            include_iframes: With what is in frames. Default: in the text, but not in the data
                of json.
            format: refs: lines with refs; json: for programs; text, markdown: what there is to
                read.
            timeout: Time limit: milliseconds, or a duration such as '10s'.
        """
    def storage(
        self,
        action: Literal["get", "set", "delete", "clear"] = "get",
        *,
        kind: Literal["local", "session"] = "local",
        keys: list[str] | None = None,
        items: dict[str, Any] | None = None,
    ) -> Stored:
        """Read, set, delete or clear local or session storage of the current page's origin.

        A set that does not fit changes nothing.

        Args:
            action: get or delete items by their keys, set items, or clear the whole storage.
            kind: local: all tabs of the origin share it; session: the current tab's own.
            keys: Items to get or delete; get without keys: all.
            items: Keys and values to set, all or none of them; other items stay.
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
    def wait(
        self,
        selector: str | None = None,
        *,
        state: Literal["attached", "detached", "visible", "hidden"] | None = None,
        visible: bool | None = None,
        text: str | None = None,
        text_gone: str | None = None,
        url: str | None = None,
        navigation: bool | None = None,
        load_state: Literal["load", "domcontentloaded", "networkidle"] | None = None,
        network_idle: str | float | None = None,
        request: str | None = None,
        method: Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] | None = None,
        status: int | None = None,
        download: bool | None = None,
        expression: str | None = None,
        time: str | float | None = None,
        timeout: str | float = 30000.0,
    ) -> Waited:
        """Wait for an element, text, address, load state, silence, request, download or script.

        A wait that takes too long says what was waited for and how things are instead.

        Args:
            selector: Element to wait for: ref, CSS, XPath, text=, label=, role= …
            state: What the element shall be; default: attached.
            visible: true is another way to say state 'visible', false 'attached'.
            text: Text that shall be visible somewhere.
            text_gone: Text that shall be visible no more.
            url: Address the tab shall be at: glob such as '**/done*', or '/regex/'.
            navigation: true: the tab shall be at another document than before the last act.
            load_state: State of loading that the page shall have reached.
            network_idle: No request for this long; streams are left out.
            request: Address of a request since the last act: glob or '/regex/'.
            method: Method of the request.
            status: Status of the answer to the request.
            download: true: the newest download shall be whole.
            expression: JavaScript that shall become true; what it throws ends the wait.
            time: Simply let this much time pass.
            timeout: Time limit: milliseconds, or a duration such as '10s'. Where `time` is
                longer, that.
        """

class SyncTabwright(SyncConversation):
    """A browser of your own: `with SyncTabwright() as page: page.navigate(url)`."""

    def __init__(self, settings: Settings | None = None, **options: Any) -> None: ...
    def conversation(self, name: str) -> SyncConversation:
        """The conversation of this name: its own cookies, storage and tabs."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *exc: object) -> None: ...
