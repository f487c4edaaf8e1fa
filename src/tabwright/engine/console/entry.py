"""One console message."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from typing import Literal

from tabwright.engine.cdp import Params
from tabwright.engine.source import SourceKind

Level = Literal["debug", "log", "info", "warning", "error"]
LEVELS: dict[str, Level] = {
    "debug": "debug",
    "verbose": "debug",
    "info": "info",
    "warning": "warning",
    "error": "error",
    "assert": "error",
}
"""What Chromium calls a level or a console method; everything else is `log`."""
OVERHEAD_BYTES = 600


@dataclass(slots=True, eq=False)
class Entry:
    """One message."""

    level: Level
    type: str
    """Console method (`log`, `table`, `trace` …), `exception`, or who remarks: `network` …"""
    text: str
    timestamp: float
    """Milliseconds since 1970."""
    where: str
    """`url:line:column` of the call, or the address of what it is about."""
    stack: tuple[str, ...]
    """Calls that led to an error or a trace, the innermost first."""
    context: SourceKind
    frame: str
    """Address of the frame; empty if it is the page itself."""
    tab: str
    """Empty for a worker that several tabs may share."""
    number: int = 0
    """Counted from 1 in the conversation, never used again."""
    raw: str = field(default="", repr=False)
    """The arguments as the protocol described them, JSON; empty if they were a string or huge."""
    exception: tuple[str, int] = ("", 0)
    """What the browser may take it back by."""

    @property
    def args(self) -> list[Params]:
        """The arguments as the protocol described them."""
        plain: list[Params] = [{"type": "string", "value": self.text}]
        return json.loads(self.raw) if self.raw else plain

    def size(self) -> int:
        """Bytes of memory that it takes, about."""
        frames = sum(map(sys.getsizeof, self.stack))
        texts = sys.getsizeof(self.text) + sys.getsizeof(self.raw) + sys.getsizeof(self.where)
        return texts + frames + OVERHEAD_BYTES
