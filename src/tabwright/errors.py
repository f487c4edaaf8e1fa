"""Every error a caller can meet.

TabwrightError
├── BrowserError            the browser or the way to it           BROWSER_DISCONNECTED
│   ├── DriverCrashError    it died in the middle of a call        BROWSER_DISCONNECTED
│   ├── ConnectFailed       an endpoint could not be connected     BROWSER_DISCONNECTED
│   ├── TargetClosed        the tab is gone                        TARGET_CLOSED
│   ├── LaunchFailed        the process did not come up            BROWSER_UNAVAILABLE
│   ├── NoBrowser           none found, none obtained              BROWSER_UNAVAILABLE
│   └── ProfileUnavailable  restarts failed too often              BROWSER_UNAVAILABLE
├── ActionError             the page did not do what was asked     UNKNOWN_ERROR
│   ├── ElementNotFound     nothing matches                        ELEMENT_NOT_FOUND
│   │   └── StaleRef        what a ref stood for is gone           ELEMENT_NOT_FOUND
│   ├── ElementNotVisible   there, but not shown                   ELEMENT_NOT_VISIBLE
│   ├── ElementBlocked      covered, disabled, moving …            ELEMENT_NOT_ACTIONABLE
│   ├── Misdirected         another element got the input          MISDIRECTED
│   ├── NotDone             the page did not take it               NOT_DONE
│   ├── DialogOpen          a dialog holds the page up             DIALOG_OPEN
│   ├── InvalidSelector     the selector cannot be parsed          INVALID_SELECTOR
│   ├── NavigationFailed    the server answered with an error      NAVIGATION_FAILED
│   │   └── BrowserNeeded   plain HTTP got no page to be read      NAVIGATION_FAILED
│   ├── NetworkFailed       the server was not reached             NETWORK_ERROR
│   ├── ScriptError         the page's script threw                SCRIPT_ERROR
│   ├── TimedOut            not done by its deadline               TIMEOUT
│   └── Cancelled           the caller gave up                     CANCELLED
├── InputError              refused before anything started        VALIDATION_ERROR
├── SecurityError           not allowed                            PERMISSION_DENIED
│   ├── PathRefused         a file outside the allowed roots       PERMISSION_DENIED
│   └── BrowserDisabled     the browser is switched off            PERMISSION_DENIED
├── ConfigError             the configuration is wrong             CONFIG_ERROR
├── StateError              a saved state cannot be used           STATE_INVALID
└── InternalError           a defect of ours                       UNKNOWN_ERROR
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from tabwright.wording import iso

Kind = Literal["connection", "action", "validation", "security", "configuration", "state"]
Advice = Literal["retry", "adapt", "stop"]


def now_iso() -> str:
    """The time as every log line and error states it."""
    return iso(time.time())


@dataclass
class NextAction:
    """A call that would be a good next step."""

    verb: str
    params: dict[str, Any]
    why: str

    def as_dict(self) -> dict[str, Any]:
        """As replies carry it."""
        return {"verb": self.verb, "params": self.params, "why": self.why}


class TabwrightError(Exception):
    """What every error has: a code, a sentence, a next step, and the facts."""

    code: ClassVar[str] = "UNKNOWN_ERROR"
    kind: ClassVar[Kind] = "action"
    advice: ClassVar[Advice] = "adapt"
    status: ClassVar[int] = 500
    """HTTP status of a reply that carries this error."""
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str = "", **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details: dict[str, Any] = {k: v for k, v in details.items() if v is not None}
        self.context: dict[str, Any] = {}
        self.next_actions: list[NextAction] = []
        self.timestamp = now_iso()

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".rstrip()

    def about(self, **context: Any) -> TabwrightError:
        """Add what was being done: action, selector, url. What is already known stays."""
        for key, value in context.items():
            if value is not None:
                self.context.setdefault(key, value)
        return self

    def as_dict(self) -> dict[str, Any]:
        """The `error` object of S3-ERR-03."""
        details = {"class": self.kind, "advice": self.advice, **self.details}
        if self.hint:
            details["hint"] = self.hint
        body: dict[str, Any] = {
            "code": self.code,
            "message": self.message,
            "details": details,
            "timestamp": self.timestamp,
        }
        if self.context:
            body["context"] = self.context
        return body


class BrowserError(TabwrightError):
    """The browser, or the way to it, failed."""

    code = "BROWSER_DISCONNECTED"
    kind = "connection"
    advice = "retry"
    status = 503
    exit_code = 3


class DriverCrashError(BrowserError):
    """The browser, its socket or the driver died in the middle of a call."""

    retried = False
    """Whether what it cut off was already done once more."""

    def __init__(self, message: str, *, hint: str = "", **details: Any) -> None:
        super().__init__(
            message,
            hint=hint or "Call again: the browser is restarted with its cookies and open pages.",
            **{"kind": "driver_crash", **details},
        )


class ConnectFailed(BrowserError):
    """An endpoint could not be connected to."""

    def __init__(self, endpoint: str, reason: str) -> None:
        super().__init__(
            f"Cannot connect to {endpoint!r}: {reason}.",
            hint="Check that a browser listens there and that the address is its WebSocket.",
            endpoint=endpoint,
            reason=reason,
        )


class TargetClosed(BrowserError):
    """The tab is gone."""

    code = "TARGET_CLOSED"
    advice = "adapt"
    status = 410


class LaunchFailed(BrowserError):
    """The browser process did not come up."""

    code = "BROWSER_UNAVAILABLE"


class NoBrowser(BrowserError):
    """No browser was found and none could be obtained."""

    code = "BROWSER_UNAVAILABLE"
    advice = "stop"


class ProfileUnavailable(BrowserError):
    """The profile's browser failed to start too often in a row."""

    code = "BROWSER_UNAVAILABLE"
    advice = "stop"


class ActionError(TabwrightError):
    """The page did not do what was asked."""

    status = 422


class ElementNotFound(ActionError):
    """Nothing on the page matches."""

    code = "ELEMENT_NOT_FOUND"
    status = 404

    def __init__(self, selector: str, *, near: list[str] | None = None, **details: Any) -> None:
        super().__init__(
            f"No element matches {selector!r}.",
            hint=f"Did you mean {near[0]}?" if near else "Look at the page again.",
            selector=selector,
            near=near or None,
            **details,
        )


class StaleRef(ElementNotFound):
    """What a ref stood for is gone."""

    def __init__(self, selector: str, what: str, *, near: list[str] | None = None) -> None:
        super().__init__(selector, near=near, reason="stale")
        self.message = f"The ref {selector!r} is of no use any more: {what}."


class ElementNotVisible(ActionError):
    """The element is there, but there is nothing of it to see."""

    code = "ELEMENT_NOT_VISIBLE"

    def __init__(self, selector: str, reason: str) -> None:
        super().__init__(
            f"The element {selector!r} is not shown: {reason}.",
            hint="Choose an element that is shown, or do first what shows it.",
            selector=selector,
        )


class ElementBlocked(ActionError):
    """The element is there and cannot be acted on: covered, disabled, moving, outside, inert."""

    code = "ELEMENT_NOT_ACTIONABLE"
    status = 409

    def __init__(
        self, element: str, reason: str, text: str, *, hint: str = "", **details: Any
    ) -> None:
        super().__init__(f"{element} is {text}.", hint=hint, reason=reason, **details)


class Misdirected(ActionError):
    """The input was delivered, and another element received it."""

    code = "MISDIRECTED"
    status = 409


class NotDone(ActionError):
    """The input arrived, and the page shows that it did not take it."""

    code = "NOT_DONE"


class DialogOpen(ActionError):
    """The page shows a dialog and runs no script until it is answered."""

    code = "DIALOG_OPEN"
    status = 409

    def __init__(self, tab: str, kind: str, message: str, default: str = "") -> None:
        super().__init__(
            f"The page in {tab} shows a dialog ({kind}) {message!r:.300} and waits for the answer.",
            hint="Answer it with `dialog`; until then nothing else runs in this tab.",
            tab=tab,
            dialog={"type": kind, "message": message, "default": default},
        )
        self.next_actions = [
            NextAction("dialog", {"action": "accept"}, "answers OK"),
            NextAction("dialog", {"action": "dismiss"}, "answers Cancel"),
        ]


class InvalidSelector(ActionError):
    """The selector cannot be parsed."""

    code = "INVALID_SELECTOR"
    status = 400

    def __init__(self, selector: str, reason: str) -> None:
        super().__init__(
            f"{selector!r} is not a selector: {reason.rpartition(': ')[2].rstrip('.')}.",
            hint="Use a ref such as 'e12', CSS such as '#save', XPath such as '//button[1]', or "
            'text=Save, label=Email, role=button "Save".',
            selector=selector,
        )


class NavigationFailed(ActionError):
    """The server answered with an error, or the page could not be shown."""

    code = "NAVIGATION_FAILED"


class BrowserNeeded(NavigationFailed):
    """Plain HTTP got no page that can be read; a browser may get one."""

    advice = "retry"


class NetworkFailed(ActionError):
    """The server was not reached."""

    code = "NETWORK_ERROR"
    advice = "retry"
    status = 502


class ScriptError(ActionError):
    """The script threw, or its promise was rejected."""

    code = "SCRIPT_ERROR"


class TimedOut(ActionError):
    """Not done by its deadline."""

    code = "TIMEOUT"
    advice = "retry"
    status = 504

    def __init__(self, what: str, waited_ms: float, *, hint: str = "", **details: Any) -> None:
        super().__init__(
            f"{what} was not done within {waited_ms:g} ms.",
            hint=hint or "Raise `timeout`, or look at what the page is waiting for.",
            waitedMs=round(waited_ms),
            **details,
        )


class Cancelled(ActionError):
    """The caller gave up on the call."""

    code = "CANCELLED"
    advice = "stop"
    status = 499


class InputError(TabwrightError):
    """Refused before anything started: nothing has changed."""

    code = "VALIDATION_ERROR"
    kind = "validation"
    status = 400
    exit_code = 2


class SecurityError(TabwrightError):
    """Not allowed."""

    code = "PERMISSION_DENIED"
    kind = "security"
    advice = "stop"
    status = 403
    exit_code = 4


class PathRefused(SecurityError):
    """A file outside the allowed directories, or a path that hides where it leads."""


class BrowserDisabled(SecurityError):
    """The browser is switched off."""


class ConfigError(TabwrightError):
    """The configuration is wrong; all its problems are in the message."""

    code = "CONFIG_ERROR"
    kind = "configuration"
    advice = "stop"
    exit_code = 5


class StateError(TabwrightError):
    """A saved state cannot be used; nothing was applied."""

    code = "STATE_INVALID"
    kind = "state"
    advice = "stop"
    status = 400
    exit_code = 6


class InternalError(TabwrightError):
    """A defect of ours: no known cause fits."""

    advice = "stop"
