"""What was seen of a tab: the last few snapshots, so that one can be continued or compared with."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabwright.engine.frame import Frame
    from tabwright.engine.outline import Line
    from tabwright.engine.sight import Sight

REMEMBERED = 10
MOST_LINES = 50_000
LINE_CHARACTERS = 80


@dataclass
class Remembered:
    """One snapshot."""

    sight: Sight
    lines: list[Line]
    document: tuple[Frame, int] | None = None
    """Which of the tab's documents it is of."""
    everything: bool = False
    """Whether long rows of children were walked to their end."""
    text: str = ""
    """What there was to read, of one that has no lines."""
    note: str = ""
    """What is to be said of that text."""
    mark: str = ""
    """What tells our own words in that text from the page's."""

    @property
    def size(self) -> int:
        """What it takes to remember it, in lines."""
        return len(self.lines) + len(self.text) // LINE_CHARACTERS


class Memory:
    """The snapshots of one tab, by the names that their handles begin with."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self.last: Remembered | None = None
        """The last one of the page as a whole."""
        self._all: OrderedDict[str, Remembered] = OrderedDict()
        self._numbers = numbers

    def name(self) -> str:
        """A name for the next one."""
        return f"v{next(self._numbers)}"

    def keep(self, name: str, seen: Remembered) -> None:
        """Remember one; the oldest are forgotten."""
        self._all[name] = seen
        while len(self._all) > REMEMBERED or (
            len(self._all) > 1 and sum(one.size for one in self._all.values()) > MOST_LINES
        ):
            self._all.popitem(last=False)

    def get(self, name: str) -> Remembered | None:
        """The one of this name, if it is still known."""
        return self._all.get(name)
