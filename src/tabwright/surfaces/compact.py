"""Few tools that do much: the names of the first two documents."""

from typing import Any, ClassVar, Literal, Self

from pydantic import model_validator

from tabwright.duration import Seconds
from tabwright.surfaces.tool import Tool
from tabwright.verb import Params, Text, read_params

WITHOUT_SELECTOR = ("eval",)
WITH_TEXT = ("type", "eval")


class BrowserAction(Params):
    """Act on the current page."""

    example: ClassVar[dict[str, Any]] = {"action": "click", "selector": "#save"}

    action: Literal["click", "type", "eval", "get_text", "get_element_info", "wait"]
    """What to do."""

    selector: Text | None = None
    """Element; required but for eval."""

    text: str | None = None
    """What to type, or the script to run."""

    timeout: Seconds = 10_000.0
    """Time limit: seconds, or a duration such as '500ms'."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.selector is None and self.action not in WITHOUT_SELECTOR:
            raise ValueError(f"`selector` is required for action {self.action!r}")
        if self.text is None and self.action in WITH_TEXT:
            raise ValueError(f"`text` is required for action {self.action!r}")
        return self


def browser_action(given: Any) -> tuple[str, dict[str, Any]]:
    """The call that a `browser_action` is.

    Raises:
        InputError: the arguments do not fit.
    """
    params = read_params("browser_action", BrowserAction, given)
    assert isinstance(params, BrowserAction)
    limit = {"timeout": params.timeout}
    on = {"selector": params.selector, **limit}
    match params.action:
        case "click":
            return "click", on
        case "type":
            return "type", {**on, "text": params.text}
        case "eval":
            return "evaluate", {"expression": params.text, **limit}
        case "get_text":
            return "get", {**on, "what": "text"}
        case "get_element_info":
            return "info", on
        case "wait":
            return "wait", on


class Browser(Params):
    """One tool for a browser."""

    example: ClassVar[dict[str, Any]] = {"action": "navigate", "url": "https://example.com/"}

    action: Literal["snapshot", "screenshot", "navigate", "click", "type"]
    """What to do. snapshot reads the page; url, if given, is opened first."""

    url: Text | None = None
    """Address; required for navigate."""

    selector: Text | None = None
    """Element; required for click and type."""

    text: str | None = None
    """What to type."""

    full_page: bool = False
    """screenshot: the whole page."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        needs = {"navigate": ("url",), "click": ("selector",), "type": ("selector", "text")}
        for name in needs.get(self.action, ()):
            if getattr(self, name) is None:
                raise ValueError(f"`{name}` is required for action {self.action!r}")
        return self


def browser(given: Any) -> tuple[str, dict[str, Any]]:
    """The call that a `browser` is.

    Raises:
        InputError: the arguments do not fit.
    """
    params = _browser(given)
    match params.action:
        case "snapshot":
            return "snapshot", {"format": "text"}
        case "screenshot":
            return "screenshot", {"fullPage": params.full_page, "encoding": "path"}
        case "navigate":
            return "navigate", {"url": params.url}
        case "click":
            return "click", {"selector": params.selector}
        case "type":
            return "type", {"selector": params.selector, "text": params.text}


def opened_first(given: Any) -> tuple[str, dict[str, Any]] | None:
    """What a `browser` call does before all else: it opens an address that it looks at.

    Raises:
        InputError: the arguments do not fit.
    """
    params = _browser(given)
    looks = params.action in ("snapshot", "screenshot")
    return ("navigate", {"url": params.url}) if looks and params.url else None


def _browser(given: Any) -> Browser:
    params = read_params("browser", Browser, given)
    assert isinstance(params, Browser)
    return params


COMPACT = [
    Tool(
        "browser_action",
        "click",
        "core",
        "Act on the current page: click, type, run JavaScript, read an element, or wait for one.",
        model=BrowserAction,
        make=browser_action,
        various=True,
    ),
    Tool(
        "browser",
        "navigate",
        "core",
        "A real browser: open a page, read its text after scripts ran, look at it, click, type.",
        model=Browser,
        make=browser,
        first=opened_first,
        various=True,
    ),
]
