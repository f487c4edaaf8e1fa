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
CHATTER = {"console", "request", "response", "download"}
"""What pages do all the time: for those who listen to everything, and never in the log."""

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
        self._eager: list[Listener] = []

    def listen(self, listener: Listener, *, everything: bool = False) -> Callable[[], None]:
        """Call `listener` with each entry, also with those that the log leaves out.

        With `everything`, also with what pages do all the time. Returns what ends it.
        """
        listeners = self._eager if everything else self._listeners
        listeners.append(listener)
        return lambda: listeners.remove(listener)

    def event(self, name: str, facts: Mapping[str, object]) -> None:
        """Something happened that no call asked for, or a connection came or went."""
        if name not in CHATTER:
            self._write("warning" if name in WARNINGS else "info", name, facts)
        elif self._eager:
            self._tell(self._eager, _entry("info", name, facts))

    def action(
        self,
        verb: str,
        params: dict[str, Any],
        *,
        counted_as: str,
        duration_ms: float,
        status: str,
        call_id: str,
        conversation: str = "default",
    ) -> None:
        """A call ended."""
        self.metrics.count(counted_as, duration_ms, failed=status != "success")
        facts = {
            "call": call_id,
            "conversation": conversation,
            "action": verb,
            "parameters": params,
            "executionTime": round(duration_ms, 1),
            "status": status,
        }
        self._write("info", "action", facts, logged=self._settings.log_actions)

    def error(self, error: BaseException, *, call_id: str = "") -> None:
        """An error was raised: its code, its message and its stack."""
        known = isinstance(error, TabwrightError)
        facts = {
            "call": call_id,
            "code": error.code if known else "UNKNOWN_ERROR",
            "message": error.message if known else f"{type(error).__name__}: {error}",
            "details": error.details if known else {},
            "stack": "".join(traceback.format_exception(error)),
        }
        self._write("error", "error", facts, logged=self._settings.log_errors)

    def _write(
        self, level: str, event: str, facts: Mapping[str, object], *, logged: bool = True
    ) -> None:
        logged = logged and LEVELS[level] >= LEVELS[self._settings.level]
        if not (logged or self._listeners or self._eager):
            return
        entry = _entry(level, event, facts)
        if logged:
            self._log(level, entry)
        self._tell(self._listeners, entry)
        self._tell(self._eager, entry)

    def _log(self, level: str, entry: Entry) -> None:
        self.entries.append(entry)
        if self._logger.isEnabledFor(LEVELS[level]):
            self._logger.log(LEVELS[level], "%s", line_of(entry))
        if self._settings.file is not None:
            self._settings.file.parent.mkdir(parents=True, exist_ok=True)
            with self._settings.file.open("a", encoding="utf-8", errors="replace") as file:
                file.write(line_of(entry) + "\n")

    def _tell(self, listeners: list[Listener], entry: Entry) -> None:
        for listener in tuple(listeners):
            listener(entry)


def _entry(level: str, event: str, facts: Mapping[str, object]) -> Entry:
    return {"timestamp": now_iso(), "level": level, "event": event, **redact(dict(facts))}


def line_of(entry: Entry) -> str:
    """An entry as a line of JSON."""
    return json.dumps(entry, ensure_ascii=False, default=str)
