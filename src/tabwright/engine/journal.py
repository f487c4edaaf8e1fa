"""What happened, as JSON lines: actions, errors, connections. Secrets are masked before."""

from __future__ import annotations

import json
import logging
import traceback
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from tabwright.config import Settings
from tabwright.engine.metrics import Metrics
from tabwright.engine.redact import redact
from tabwright.errors import TabwrightError, now_iso

KEPT_ENTRIES = 500
LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
WARNINGS = {
    "crash",
    "hung",
    "sandbox_off",
    "reconnect_failed",
    "restart_failed",
    "unavailable",
    "reaped",
}

Entry = dict[str, Any]
Listener = Callable[[Entry], None]


class Journal:
    """The log of one process. Lines go to the `tabwright` logger and to `logging.file`."""

    def __init__(self, settings: Settings) -> None:
        self.metrics = Metrics()
        self.entries: deque[Entry] = deque(maxlen=KEPT_ENTRIES)
        self._settings = settings.logging
        self._logger = logging.getLogger("tabwright.journal")
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with each entry; returns what ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def event(self, name: str, facts: Mapping[str, object]) -> None:
        """Something happened that no call asked for, or a connection came or went."""
        self._write("warning" if name in WARNINGS else "info", name, facts)

    def action(
        self,
        verb: str,
        params: dict[str, Any],
        *,
        counted_as: str,
        duration_ms: float,
        status: str,
        call_id: str,
    ) -> None:
        """A call ended."""
        self.metrics.count(counted_as, duration_ms, failed=status != "success")
        if self._settings.log_actions:
            facts = {
                "call": call_id,
                "action": verb,
                "parameters": params,
                "executionTime": round(duration_ms, 1),
                "status": status,
            }
            self._write("info", "action", facts)

    def error(self, error: BaseException, *, call_id: str = "") -> None:
        """An error was raised: its code, its message and its stack."""
        if not self._settings.log_errors:
            return
        known = isinstance(error, TabwrightError)
        facts = {
            "call": call_id,
            "code": error.code if known else "UNKNOWN_ERROR",
            "message": error.message if known else f"{type(error).__name__}: {error}",
            "details": error.details if known else {},
            "stack": "".join(traceback.format_exception(error)),
        }
        self._write("error", "error", facts)

    def _write(self, level: str, event: str, facts: Mapping[str, object]) -> None:
        if LEVELS[level] < LEVELS[self._settings.level]:
            return
        entry: Entry = {
            "timestamp": now_iso(),
            "level": level,
            "event": event,
            **redact(dict(facts)),
        }
        self.entries.append(entry)
        if self._logger.isEnabledFor(LEVELS[level]):
            self._logger.log(LEVELS[level], "%s", _line(entry))
        if self._settings.file is not None:
            self._settings.file.parent.mkdir(parents=True, exist_ok=True)
            with self._settings.file.open("a", encoding="utf-8", errors="replace") as file:
                file.write(_line(entry) + "\n")
        for listener in tuple(self._listeners):
            listener(entry)


def _line(entry: Entry) -> str:
    return json.dumps(entry, ensure_ascii=False, default=str)
