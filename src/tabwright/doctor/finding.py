"""What a check found, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

State = Literal["ok", "warning", "failure"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    subject: str
    state: State
    found: str
    """What was found, in a sentence."""

    mend: str = ""
    """The command that puts it right, or what to do where there is none."""

    fix: Callable[[], str] | None = None
    """Puts it right and says what it did; only where nothing can be lost."""

    fixed: str = ""
    """What `fix` did."""

    def as_dict(self) -> dict[str, Any]:
        """As --json prints it."""
        named = {"check": self.subject, "state": self.state, "found": self.found}
        return {**named, "mend": self.mend or None, "fixed": self.fixed or None}

    def after_fixing(self) -> Finding:
        """Fix it. A fix that cannot be done leaves a failure that says why."""
        if self.fix is None:
            return self
        try:
            return replace(self, state="ok", mend="", fix=None, fixed=self.fix())
        except OSError as error:
            reason = error.strerror or type(error).__name__
            found = f"{self.found} It could not be fixed: {reason}."
            return replace(self, state="failure", fix=None, found=found)


def ok(subject: str, found: str) -> Finding:
    """Nothing to do."""
    return Finding(subject, "ok", found)


def warning(
    subject: str, found: str, mend: str = "", fix: Callable[[], str] | None = None
) -> Finding:
    """It works, but not as well as it could."""
    return Finding(subject, "warning", found, mend, fix)


def failure(
    subject: str, found: str, mend: str = "", fix: Callable[[], str] | None = None
) -> Finding:
    """It cannot work."""
    return Finding(subject, "failure", found, mend, fix)
