"""What elements are and hold: get, info, is."""

import json
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import model_validator

from tabwright.engine import read
from tabwright.engine.artifacts import Artifact, spills
from tabwright.engine.tab import Tab
from tabwright.verb import Params, Positional, Result, Selector, Timeout, verb

NAMED = ("attribute", "property")


class Get(Params):
    """What to read, and of which element."""

    example: ClassVar[dict[str, Any]] = {"what": "text", "selector": "h1"}

    what: Annotated[
        Literal["text", "html", "value", "attribute", "property", "count", "box", "styles"],
        Positional,
    ]
    """text as it is rendered, html, value of a control, count of matches, box in pixels …"""

    selector: Selector
    """Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save", placeholder=, testid=."""

    name: Annotated[str, Positional] = ""
    """Which attribute or property; for styles, names separated by commas."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.what in NAMED and not self.name.strip():
            raise ValueError(f"`name` is required to get a {self.what}, for example 'href'")
        if self.name and self.what not in (*NAMED, "styles"):
            raise ValueError(f"`name` does not go with {self.what!r}")
        return self


class Got(Result):
    """What was read."""

    value: Any = None
    """The text, number or table that was asked for; null when it is in the file."""

    path: str | None = None
    """File with the whole of it, when it is longer than 4096 bytes."""

    size_bytes: int | None = None
    """Its length, when it is in the file."""

    def text(self) -> str:
        """The value itself."""
        if self.path is not None:
            return f"{self.size_bytes} bytes are in {self.path}"
        return self.value if isinstance(self.value, str) else _json(self.value)

    def files(self) -> list[Artifact]:
        """The file, when it was too long."""
        if self.path is None or self.size_bytes is None:
            return []
        return [Artifact(Path(self.path), "text/plain", self.size_bytes)]


@verb(effect="read")
async def get(tab: Tab, params: Get) -> Got:
    """Read text, HTML, value, an attribute, a property, the count, the box or styles."""
    if params.what == "count":
        return Got(value=await read.count(tab, params.selector, timeout_ms=params.timeout))
    value = await read.read(
        tab, params.selector, params.what, params.name, timeout_ms=params.timeout
    )
    text = value if isinstance(value, str) else _json(value)
    if not spills(text):
        return Got(value=value)
    suffix = ".html" if params.what == "html" else ".txt"
    artifact = tab.session.artifacts.spill(text, suffix=suffix, mime_type="text/plain")
    return Got(path=str(artifact.path), size_bytes=artifact.size_bytes)


class Info(Params):
    """Which element."""

    example: ClassVar[dict[str, Any]] = {"selector": "#save"}

    selector: Selector
    """Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save", placeholder=, testid=."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""


class ElementInfo(Result):
    """What an element is. What it does not have is empty."""

    tag_name: str
    """In capitals, such as BUTTON."""

    id: str
    """Its id."""

    class_name: str
    """Its classes."""

    inner_text: str
    """Its text as it is rendered."""

    href: str
    """Where it leads, as a whole address."""

    value: str
    """What the control holds."""

    role: str
    """Its role for assistive technology."""

    name: str
    """Its accessible name."""

    state: dict[str, Any]
    """checked, expanded, disabled … as far as they apply."""

    visible: bool
    """Whether a person can see it."""

    box: dict[str, float]
    """Place and size in the window, in CSS pixels."""


@verb(effect="read")
async def info(tab: Tab, params: Info) -> ElementInfo:
    """Describe an element: tag, id, class, text, link, value, role, name, state, place."""
    found = await read.read(tab, params.selector, "info", timeout_ms=params.timeout)
    return ElementInfo.model_validate(found)


class Is(Params):
    """What to ask, and of which element."""

    example: ClassVar[dict[str, Any]] = {"what": "visible", "selector": "#menu"}

    what: Annotated[Literal["visible", "enabled", "checked", "editable", "focused"], Positional]
    """The question."""

    selector: Selector
    """Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save", placeholder=, testid=."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""


class Answer(Result):
    """Yes or no."""

    answer: bool
    """Whether it is so."""

    why: str
    """Why not, in words."""

    def text(self) -> str:
        """Yes, or no and why."""
        return "yes" if self.answer else f"no: {self.why}" if self.why else "no"


@verb(effect="read")
async def is_(tab: Tab, params: Is) -> Answer:
    """Ask whether an element is visible, enabled, checked, editable or focused."""
    answer, why = await read.read(
        tab, params.selector, "is", params.what, timeout_ms=params.timeout
    )
    return Answer(answer=answer, why="" if answer else why)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
