"""What every call comes back with, whatever happened."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tabwright.engine.artifacts import Artifact
from tabwright.errors import NextAction, TabwrightError, now_iso
from tabwright.verb import Result


@dataclass
class Outcome:
    """A result or an error, never both, with what belongs to it."""

    action: str
    result: Result | None = None
    error: TabwrightError | None = None
    notices: list[str] = field(default_factory=list[str])
    """What else the caller should know: a restart, a dialog that was answered."""
    artifacts: list[Artifact] = field(default_factory=list[Artifact])
    next_actions: list[NextAction] = field(default_factory=list[NextAction])
    execution_time: float = 0.0
    """Milliseconds."""
    timestamp: str = field(default_factory=now_iso)

    @property
    def success(self) -> bool:
        """Whether the call did what it was asked."""
        return self.error is None

    def unwrap(self) -> Result:
        """The result, or its error raised."""
        if self.error is not None:
            raise self.error
        assert self.result is not None
        return self.result

    def as_dict(self) -> dict[str, Any]:
        """The JSON of S3-ACT-03 and S3-ERR-03."""
        body: dict[str, Any] = {"success": self.success, "action": self.action}
        if self.result is not None:
            body["result"] = self.result.model_dump(mode="json", by_alias=True)
        if self.error is not None:
            body["error"] = self.error.as_dict()
        if self.notices:
            body["notices"] = self.notices
        if self.artifacts:
            body["artifacts"] = [artifact.as_dict() for artifact in self.artifacts]
        if self.next_actions:
            body["nextActions"] = [action.as_dict() for action in self.next_actions]
        body["executionTime"] = self.execution_time
        body["timestamp"] = self.timestamp
        return body

    def text(self) -> str:
        """The outcome as an agent or a person reads it."""
        lines = list(self.notices)
        if self.error is not None:
            lines.append(f"{self.error.code}: {self.error}")
        if self.result is not None:
            lines.append(self.result.text())
        lines += [
            f"Next: {a.verb} {a.params or ''}".rstrip() + f" ({a.why})" for a in self.next_actions
        ]
        return "\n".join(lines)
