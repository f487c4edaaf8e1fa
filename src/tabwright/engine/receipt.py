"""The receipt of an act: what was delivered where, what changed, and the verdict."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from tabwright.engine.aim import Element

Verdict = Literal["effective", "no_effect", "misdirected", "unknown"]

SHOWN_REQUESTS = 3
SHOWN_CHARACTERS = 120


@dataclass
class Receipt:
    """What an act did, from what the page itself showed."""

    verb: str
    element: Element
    verdict: Verdict = "unknown"
    why: str = ""
    """The reason for a verdict that is not `effective`."""
    matches: int = 1
    delivered: dict[str, int] = field(default_factory=dict[str, int])
    """Trusted events that arrived at the element, and how many of each."""
    value: str | None = None
    """What the control holds afterwards."""
    state: dict[str, Any] = field(default_factory=dict[str, Any])
    """What changed of the element: checked, expanded, selected, focused …"""
    seen: list[str] = field(default_factory=list[str])
    """The most telling changes of the page, in words."""
    dom: dict[str, int] = field(default_factory=dict[str, int])
    """How many places of the document changed, near the element and far from it."""
    url: str | None = None
    title: str | None = None
    focus: Element | None = None
    scrolled: list[float] | None = None
    requests: list[str] = field(default_factory=list[str])
    tabs: list[str] = field(default_factory=list[str])
    """Tabs that the act opened."""
    closed: str | None = None
    """That its own tab is gone, and which is the current one now."""
    dialog: dict[str, object] | None = None
    downloads: list[str] = field(default_factory=list[str])
    chooser: str | None = None
    """A file chooser that was opened, and what it takes."""
    errors: list[str] = field(default_factory=list[str])
    """What the page's console said meanwhile, errors only."""
    pending: list[str] = field(default_factory=list[str])
    """What the page has not finished."""
    repeated: bool = False
    """The same act as before, on a page that has not changed since."""

    def changed(self) -> bool:
        """Whether anything but the focus changed."""
        state = {key for key in self.state if key != "focused"}
        return bool(
            state
            or self.dom.get("near")
            or self.seen
            or self.url
            or self.title
            or self.scrolled
            or self.requests
            or self.tabs
            or self.closed
            or self.dialog
            or self.downloads
            or self.chooser
            or self.errors
        )

    def as_dict(self) -> dict[str, Any]:
        """As replies carry it: what there is nothing to say of is left out."""
        facts: dict[str, Any] = {
            "verdict": self.verdict,
            "why": self.why,
            "element": self.element.as_dict(),
            "matches": self.matches if self.matches > 1 else None,
            "delivered": self.delivered,
            "value": self.value,
            "state": self.state,
            "changes": self.seen,
            "dom": self.dom if any(self.dom.values()) else None,
            "url": self.url,
            "title": self.title,
            "focus": self.focus.as_dict() if self.focus else None,
            "scrolled": self.scrolled,
            "requests": self.requests,
            "newTabs": self.tabs,
            "closed": self.closed,
            "dialog": self.dialog,
            "downloads": self.downloads,
            "fileChooser": self.chooser,
            "errors": self.errors,
            "pending": self.pending,
            "repeated": self.repeated or None,
        }
        return {key: fact for key, fact in facts.items() if fact not in (None, "", [], {})}

    def lines(self) -> list[str]:
        """What happened, in as few words as tell it."""
        said = [f"{key} {_plain(value)}" for key, value in self.state.items() if key in TOLD_STATES]
        said += self.seen
        if self.url:
            said.append(f"now at {self.url}")
        if self.title:
            said.append(f"title {self.title!r:.80}")
        if self.focus and self.focus.ref != self.element.ref:
            said.append(f"focus on {self.focus}")
        if self.scrolled:
            said.append(f"scrolled to {self.scrolled[0]:g},{self.scrolled[1]:g}")
        said += [f"opened tab {tab}" for tab in self.tabs]
        if self.closed:
            said.append(self.closed)
        if self.dialog:
            said.append(f"dialog {self.dialog['type']} {self.dialog['message']!r:.200}")
        said += [f"download {name}" for name in self.downloads]
        if self.chooser:
            said.append(f"file chooser open ({self.chooser})")
        if self.requests:
            more = len(self.requests) - SHOWN_REQUESTS
            shown = ", ".join(self.requests[:SHOWN_REQUESTS])
            said.append(f"requests: {shown}" + (f" and {more} more" if more > 0 else ""))
        said += [f"error: {error:.{SHOWN_CHARACTERS}}" for error in self.errors[:2]]
        if self.pending:
            said.append(f"pending: {', '.join(self.pending)}")
        if self.repeated:
            said.append("the same act as before, and the page has not changed since")
        return said


TOLD_STATES = (
    "checked",
    "expanded",
    "selected",
    "pressed",
    "open",
    "disabled",
    "valuetext",
    "name",
)


def _plain(value: Any) -> str:
    return {True: "yes", False: "no", None: "gone"}.get(value, str(value))
