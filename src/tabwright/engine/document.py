"""The document that a tab shows: which load it came from, and how far it is."""

from __future__ import annotations

from dataclasses import dataclass, field

BLANK = "about:blank"


@dataclass(frozen=True)
class DocumentResponse:
    """How the server answered the request for a document."""

    url: str
    status: int
    mime_type: str
    loader_id: str


@dataclass
class Document:
    """The main frame's document: which load it came from and how far it is."""

    url: str = BLANK
    loader_id: str = ""
    reached: set[str] = field(default_factory=set[str])
    """Lifecycle events of this load: DOMContentLoaded, load, networkIdle …"""
    stopped: bool = False
    """Whether Chromium has given up loading: a page that is stopped never fires `load`."""
    failed: bool = False
    """Whether Chromium shows its error page instead."""
    moves: int = 0
    """Counts navigations, also those that change nothing but the history."""
    pending_loader: str = ""
    """A navigation that has begun and has not yet put its document here."""
    requested: str = ""
    """Where the page has asked to go; nothing is known of it yet."""

    def has(self, event: str) -> bool:
        """Whether a lifecycle event has come, or can come no more."""
        return event in self.reached or (self.stopped and event in ("DOMContentLoaded", "load"))
