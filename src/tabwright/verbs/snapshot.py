"""What the page shows, for an agent to read."""

import re
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator
from pydantic.alias_generators import to_camel

from tabwright.engine import snapshot as engine
from tabwright.engine.artifacts import Artifact
from tabwright.engine.outline import quoted
from tabwright.engine.tab import Tab
from tabwright.verb import Params, Positional, Result, Selector, Text, Timeout, verb
from tabwright.verbs.pattern import TextPattern

Format = Literal["refs", "json", "text", "markdown"]
LEAST_BUDGET = 100
HANDLE = re.compile(r"e\d+\+\d+|v\d+\.\d+")


def _handle(given: str) -> str:
    if not HANDLE.fullmatch(given):
        raise ValueError("must be a handle that a snapshot gave, such as 'e12+40' or 'v1.120'")
    return given


LOOKS = {"boxes", "urls", "hidden", "include_iframes"}
# What goes with a way of asking for a snapshot; all goes with the usual one.
MODES: dict[str, tuple[str, set[str]]] = {
    "more": ("more", {"budget", "interactive"} | LOOKS),
    "diff": ("diff", {"budget"}),
    "full": ("full", {"selector", "interactive", "viewport", "find", "role", "depth"} | LOOKS),
    "json": ("format", {"selector", "budget"} | LOOKS),
    "text": ("format", {"budget", "include_iframes"}),
    "markdown": ("format", {"budget", "include_iframes"}),
}

Handle = Annotated[Text, AfterValidator(_handle)]


class Snapshot(Params):
    """Of what, how much, and in which form."""

    example: ClassVar[dict[str, Any]] = {"interactive": True}

    selector: Annotated[Selector | None, Positional] = None
    """Only this element and what is in it."""

    budget: Annotated[int, Field(ge=LEAST_BUDGET, le=200_000)] | None = None
    """Tokens that the reply may have; what matters most comes first, the rest has a handle. Default
    2000; for text and markdown, as many as 15,000 characters have."""

    full: bool = False
    """Everything, whatever it costs; a long one goes to a file."""

    diff: bool = False
    """Only what changed since the last snapshot of this tab."""

    interactive: bool = False
    """Only what can be operated."""

    viewport: bool = False
    """Only what is in the window."""

    find: TextPattern | None = None
    """Only lines with this text, or with what /a regular expression/ matches."""

    role: Text | None = None
    """Only lines with an element of this role."""

    depth: Annotated[int, Field(ge=1, le=100)] | None = None
    """Only so many levels of containers."""

    more: Handle | None = None
    """Go on where a snapshot was cut: the handle that it gave, such as e12+40 or v1.120."""

    boxes: bool = False
    """With x, y, width and height of each element."""

    urls: bool = False
    """With the addresses of links."""

    hidden: bool = False
    """With text that a person cannot see, marked with how it is hidden."""

    include_iframes: bool | None = None
    """With what is in frames. Default: in the text, but not in the data of json."""

    format: Format = "refs"
    """refs: lines with refs; json: for programs; text, markdown: what there is to read."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        fields = type(self).model_fields
        given = {name for name in fields if getattr(self, name) != fields[name].default}
        for mode, (name, fitting) in MODES.items():
            if name in given and mode in (name, getattr(self, name)):
                extra = sorted(given - fitting - {name, "timeout"})
                if extra:
                    raise ValueError(f"`{to_camel(extra[0])}` does not go with {mode!r}")
        return self


class Seen(Result):
    """The page."""

    url: str
    """Address of the page."""

    title: str
    """Title of the page."""

    content: str
    """The page as text."""

    tokens: int
    """What the text costs."""

    viewport: dict[str, int]
    """Width and height of the window."""

    scroll: dict[str, int]
    """How far the page is scrolled."""

    focus: str
    """Ref of the focused element."""

    dialog: str
    """Ref of a dialog that is open over the page."""

    frames: int
    """How many documents were seen, this one included."""

    hidden: int
    """Texts that a person cannot see, and that were left out."""

    cut: list[str]
    """Handles for `more`: what is not in the text."""

    path: str | None = None
    """File with the whole of it, when it is too long for a reply."""

    size_bytes: int | None = None
    """How large that file is."""

    document: dict[str, Any] | None = None
    """The page for programs: html, accessibilityTree, title, url, viewport, timestamp, refs.
    The file has it instead when it is longer than 4096 bytes."""

    def files(self) -> list[Artifact]:
        """The file, if there is one."""
        if self.path is None or self.size_bytes is None:
            return []
        path = Path(self.path)
        mime_type = "application/json" if path.suffix == ".json" else "text/plain"
        return [Artifact(path, mime_type, self.size_bytes)]

    def text(self) -> str:
        """The page, or where it is."""
        if self.path is None:
            return self.content
        if self.content:
            return f"{self.content}\nAs JSON: {self.path}"
        return f"{quoted(self.title)} {self.url}: {self.tokens} tokens in {self.path}"


@verb(effect="read")
async def snapshot(tab: Tab, params: Snapshot) -> Seen:
    """See the page as text: its words, controls and their state, each with a ref to act on.

    Comes within the budget. Long lists and tables are cut, and say how to have the rest.
    """
    return Seen(**await engine.snapshot(tab, _asked(params)))


def _asked(params: Snapshot) -> engine.Asked:
    read = params.format in ("text", "markdown")
    return engine.Asked(
        selector=params.selector or "",
        budget=params.budget or (engine.UNLIMITED if read else engine.BUDGET),
        full=params.full,
        diff=params.diff,
        interactive=params.interactive,
        viewport=params.viewport,
        find=params.find or "",
        role=params.role or "",
        depth=params.depth,
        more=params.more or "",
        boxes=params.boxes,
        urls=params.urls,
        hidden=params.hidden,
        frames=params.include_iframes is not False,
        frames_in_data=bool(params.include_iframes),
        format=params.format,
    )
