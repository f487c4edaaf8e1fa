"""Why a request has no whole answer: one word, a sentence, and what Chromium called it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from tabwright.engine.cdp import Params

FailureKind = Literal[
    "refused",
    "reset",
    "dns",
    "timeout",
    "offline",
    "unreachable",
    "tls",
    "cors",
    "blocked",
    "aborted",
    "download",
    "left",
    "other",
]

_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")
# By the beginning of Chromium's name for it; the longer ones first.
_BY_NAME: tuple[tuple[str, FailureKind, str], ...] = (
    ("CONNECTION_REFUSED", "refused", "nothing listens at this address"),
    ("CONNECTION_TIMED_OUT", "timeout", "the server did not take the connection in time"),
    ("TIMED_OUT", "timeout", "no answer came in time"),
    ("NAME_", "dns", "the name of the server was not found"),
    ("DNS_", "dns", "the name of the server was not found"),
    ("INTERNET_DISCONNECTED", "offline", "there is no network"),
    ("EMPTY_RESPONSE", "reset", "the server hung up without an answer"),
    ("CONNECTION_", "reset", "the connection broke"),
    ("SOCKET_", "reset", "the connection broke"),
    ("NETWORK_CHANGED", "reset", "the network changed meanwhile"),
    ("CONTENT_LENGTH_MISMATCH", "reset", "the answer was shorter than announced"),
    ("INCOMPLETE_CHUNKED", "reset", "the answer was cut off"),
    ("ADDRESS_", "unreachable", "the server cannot be reached"),
    ("PROXY_", "unreachable", "the proxy did not do its part"),
    ("TUNNEL_", "unreachable", "the proxy did not do its part"),
    ("CERT_", "tls", "the certificate is not trusted"),
    ("SSL_", "tls", "there was no agreement on encryption"),
    ("BLOCKED_BY_", "blocked", "the browser did not allow it"),
    ("UNSAFE_PORT", "blocked", "the browser never speaks to this port"),
    ("ABORTED", "aborted", "the page gave it up"),
)
_BLOCKED = {
    "csp": "the page's content security policy forbids it",
    "mixed-content": "a secure page may not load it from an insecure address",
    "inspector": "a route or a rule of ours forbids it",
    "origin": "the page's origin may not have it",
    "integrity": "it does not have the digest that the page demands",
    "subresource-filter": "the browser's filter forbids it",
    "content-type": "its content type is not fit for this use",
}


@dataclass(frozen=True)
class Failure:
    """Why a request failed."""

    kind: FailureKind
    reason: str
    """In our words."""
    error: str = ""
    """Chromium's name for it: a network error, a CORS error or a reason for blocking."""

    def text(self) -> str:
        """Kind, reason and name in one line."""
        return f"{self.kind}: {self.reason}" + (f" ({self.error})" if self.error else "")


LEFT = Failure("left", "the page was left, or closed, before it ended")
DOWNLOAD = Failure("download", "the answer is a file; see `downloads`", "net::ERR_ABORTED")


def failure_of(event: Params) -> Failure:
    """Read a `Network.loadingFailed`."""
    cors = event.get("corsErrorStatus")
    if cors:
        return Failure("cors", _cors(cors["corsError"], cors["failedParameter"]), cors["corsError"])
    error, blocked = event["errorText"], event.get("blockedReason", "")
    if blocked:
        reason = _BLOCKED.get(blocked, "the browser did not allow it")
        return Failure("blocked", reason, f"{error} {blocked}".strip())
    return failure_by_name(error)


def failure_by_name(error: str) -> Failure:
    """What a network error such as `net::ERR_FAILED` means."""
    name = error.removeprefix("net::").removeprefix("ERR_")
    for begins, kind, reason in _BY_NAME:
        if name.startswith(begins):
            return Failure(kind, reason, error)
    return Failure("other", "it failed", error)


def _cors(error: str, parameter: str) -> str:
    """Chromium's names are sentences without spaces."""
    said = " ".join(_CAPITAL.split(error)).lower().replace("allow origin", "Allow-Origin")
    return f"the other origin does not allow it: {said}" + (f" {parameter!r}" if parameter else "")
