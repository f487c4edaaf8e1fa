"""Reading a page over plain HTTP."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from tabwright.engine.context import ToolContext
from tabwright.engine.fetch import page
from tabwright.engine.outline import quoted
from tabwright.engine.snapshot import marks
from tabwright.verb import Params, Positional, Result, Timeout, verb
from tabwright.verbs.navigate import address


def _web(given: str) -> str:
    whole = address(given)
    if not whole.lower().startswith(("http://", "https://")):
        raise ValueError("must be an http or https address; `navigate` opens others")
    return whole


def _without(given: Any) -> Any:
    if given in ("auto", "always"):
        raise ValueError("only 'never' is possible so far; `navigate` opens the page in a browser")
    return given


class Fetch(Params):
    """Which page, and how much of it."""

    example: ClassVar[dict[str, Any]] = {"url": "https://example.com/"}

    url: Annotated[str, AfterValidator(_web), Positional]
    """Address of the page."""

    max_length: Annotated[int, Field(ge=1, le=1_000_000)] = 10_000
    """Most characters of text to return."""

    start: Annotated[int, Field(ge=0, le=10_000_000)] = 0
    """Character to begin at, to go on where a text was cut."""

    use_browser: Annotated[Literal["never"], BeforeValidator(_without)] = "never"
    """No browser is used."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""


class Fetched(Result):
    """The text of a page."""

    url: str
    """Address after redirects."""

    status: int
    """HTTP status."""

    content_type: str
    """What the server calls it."""

    title: str
    """Title of the page."""

    content: str
    """The text, or the part of it that was asked for."""

    start: int
    """Character that `content` begins at."""

    length: int
    """Characters of the whole text."""

    truncated: bool
    """Whether there is more after `content`."""

    whole: bool
    """false: the answer was too large, and the text is of its beginning only."""

    article: bool
    """Whether it is what the page is about, without menus and the like."""

    via: Literal["http"] = "http"
    """How it was read."""

    def text(self) -> str:
        """The text between marks that the page cannot know, and what is left of it."""
        begin, end = marks()
        head = f"Title: {quoted(self.title)}\n" if self.title else ""
        stop = self.start + len(self.content)
        more = f"; more: start {stop}" if self.truncated else ""
        part = self.truncated or self.start
        tail = f"\n… (characters {self.start} to {stop} of {self.length}{more})" if part else ""
        beyond = "" if self.whole else "\n(the answer was too large and was not read to its end)"
        return f"{head}URL: {self.url}\n{begin}{self.content}{end}{tail}{beyond}"


@verb(effect="read")
async def fetch(context: ToolContext, params: Fetch) -> Fetched:
    """Read a web page, or another text, over plain HTTP: fast, and without a browser.

    Returns the article without what is around it. Scripts do not run, and the cookies of the
    browser are not sent; a page that needs them is an error that says so.
    """
    del context
    found = await page.read(params.url, params.timeout)
    content = found.text[params.start : params.start + params.max_length]
    return Fetched(
        url=found.url,
        status=found.status,
        content_type=found.content_type,
        title=found.title,
        content=content,
        start=params.start,
        length=len(found.text),
        truncated=params.start + len(content) < len(found.text),
        whole=found.whole,
        article=found.article,
    )
