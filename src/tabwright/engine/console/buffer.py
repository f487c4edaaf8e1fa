"""What pages, frames and workers say on their consoles, from their first script on.

The newest 1,000 entries are kept, and no more than 8 MiB of them; the text of one is kept whole up
to a million characters. Entries outlive their page, its tab and the browser. Chromium's own
remarks (a resource that failed to load, a policy that was violated, a deprecated feature) count as
well; a rejected promise that is handled after all becomes a `debug` entry.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from tabwright.engine.cdp import Params
from tabwright.engine.console.ear import Ear
from tabwright.engine.console.entry import Entry
from tabwright.engine.source import Sources

if TYPE_CHECKING:
    from tabwright.engine.tab import Tab

KEPT_ENTRIES = 1000
KEPT_BYTES = 8 * 1024 * 1024
TEXT_CHARACTERS = 1_000_000
TOLD_CHARACTERS = 4000
REMEMBERED_SOURCES = 500
LOOK_S = 0.25
HANDLED_LATER = " (handled later)"
UNCAUGHT = ("Uncaught (in promise) ", "Uncaught ")


class Console:
    """The entries of one conversation."""

    def __init__(
        self,
        sources: Sources,
        tabs: Mapping[str, Tab],
        report: Callable[[str, dict[str, object]], None],
    ) -> None:
        self.tabs = tabs
        self._report = report
        self.last = 0
        """Number of the newest entry there ever was."""
        self.dropped = 0
        """How many were given up for newer ones, since the last clear."""
        self._looks: set[asyncio.Future[Params]] = set()
        """Second looks that are worth waiting for."""
        self._entries: deque[Entry] = deque()
        self._bytes = 0
        self._heard: dict[str, float] = {}
        sources.each(lambda source: Ear(self, source).listen())

    def __len__(self) -> int:
        return len(self._entries)

    def newest(self, wanted: Callable[[Entry], bool]) -> Iterable[Entry]:
        """The entries that are wanted, newest first."""
        return filter(wanted, reversed(self._entries))

    def errors(self, tab: str, *, since: int) -> list[str]:
        """What a tab threw or logged as an error after an entry: the first line of each."""
        found: list[str] = []
        for entry in reversed(self._entries):
            if entry.number <= since:
                break
            if entry.tab == tab and entry.level == "error" and entry.type in ("error", "exception"):
                found.append(_bare(entry.text))
        return found[::-1]

    def clear(self) -> int:
        """Discard all entries and say how many there were."""
        count = len(self._entries)
        self._entries.clear()
        self._bytes = self.dropped = 0
        return count

    async def settled(self) -> None:
        """Wait until the second looks that are under way have shown what they will, or 250 ms."""
        if self._looks:
            await asyncio.wait(self._looks, timeout=LOOK_S)

    def await_look(self, look: asyncio.Future[Params]) -> None:
        """A second look is under way; when it takes long, its page hangs and nobody waits."""
        self._looks.add(look)
        look.add_done_callback(self._looks.discard)
        asyncio.get_running_loop().call_later(LOOK_S, self._looks.discard, look)

    def add(self, entry: Entry) -> None:
        """Keep an entry, and let the oldest go that there is no room for."""
        self.last = entry.number = self.last + 1
        entry.text = _kept(entry.text)
        self._entries.append(entry)
        self._bytes += entry.size()
        self._make_room()
        self._report("console", _facts(entry))

    def reword(self, entry: Entry, text: str) -> None:
        """More is known of what an entry says."""
        before = entry.size()
        entry.text = _kept(text)
        if self._entries and entry.number >= self._entries[0].number:
            self._bytes += entry.size() - before
            self._make_room()

    def revoke(self, exception: tuple[str, int]) -> None:
        """The page handled an error after all."""
        for entry in reversed(self._entries):
            if entry.exception == exception:
                entry.level = "debug"
                self.reword(entry, entry.text + HANDLED_LATER)
                return

    def heard(self, key: str, timestamp: float) -> None:
        """Remember until when a tab or a shared worker was listened to."""
        self._heard[key] = max(timestamp, self._heard.pop(key, 0.0))
        if len(self._heard) > REMEMBERED_SOURCES:
            del self._heard[next(iter(self._heard))]

    def heard_until(self, key: str) -> float:
        """When the last entry of a tab or a shared worker was made."""
        return self._heard.get(key, 0.0)

    def _make_room(self) -> None:
        entries = self._entries
        while len(entries) > KEPT_ENTRIES or (self._bytes > KEPT_BYTES and len(entries) > 1):
            self._bytes -= entries.popleft().size()
            self.dropped += 1


def _kept(text: str) -> str:
    """A text as it is kept: of bounded length, and sound, whatever the page made of it."""
    if not text.isascii():
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    rest = len(text) - TEXT_CHARACTERS
    return text if rest <= 0 else f"{text[:TEXT_CHARACTERS]}… [{rest} more characters not kept]"


def _facts(entry: Entry) -> dict[str, object]:
    return {
        "tab": entry.tab,
        "number": entry.number,
        "severity": entry.level,
        "type": entry.type,
        "text": entry.text[:TOLD_CHARACTERS],
        "where": entry.where,
    }


def _bare(text: str) -> str:
    for words in UNCAUGHT:
        text = text.removeprefix(words)
    return text.partition("\n")[0]
