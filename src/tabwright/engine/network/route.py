"""Routes: requests that are stopped, answered by us, or changed on their way.

Chromium pauses a request that a route may mean, and is answered at once, so that nothing waits for
longer than a message there and back. Without routes nothing is paused. What is not asked of the
network cannot be routed: answers of a service worker's own, of caches, and of WebSockets.
"""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tabwright.engine.cdp import Params, ProtocolError
from tabwright.engine.glob import url_pattern
from tabwright.engine.network.log import Log
from tabwright.engine.network.record import header
from tabwright.engine.source import Source, Sources
from tabwright.errors import InputError

RouteAction = Literal["abort", "fulfil", "modify"]
AbortError = Literal[
    "blocked", "failed", "aborted", "timeout", "refused", "reset", "dns", "offline", "unreachable"
]
REASONS: dict[AbortError, str] = {
    "blocked": "BlockedByClient",
    "failed": "Failed",
    "aborted": "Aborted",
    "timeout": "TimedOut",
    "refused": "ConnectionRefused",
    "reset": "ConnectionReset",
    "dns": "NameNotResolved",
    "offline": "InternetDisconnected",
    "unreachable": "AddressUnreachable",
}
MOST_ROUTES = 100
ENABLE_S = 2.0
CANCELLED = "Invalid InterceptionId"
# Of dedicated workers, the page's or the frame's session is told.
ROUTED_KINDS = ("page", "frame", "shared-worker", "service-worker")
# Chromium does not tell these two apart here.
SAME_TYPES = {"fetch": "xhr"}
_WILD = re.compile(r"\*+|\{[^{}]*,[^{}]*\}")
_SPECIAL = re.compile(r"[*?\\]")


@dataclass(eq=False)
class Route:
    """Which requests, and what is done with them."""

    action: RouteAction
    url: str
    """A part of the address, a glob or a regular expression; see `glob`."""
    method: str = ""
    resource_type: str = ""
    error: AbortError = "blocked"
    status: int = 200
    headers: dict[str, str | None] = field(default_factory=dict[str, str | None])
    """Of the answer, or to set in the request; None takes one away."""
    body: bytes | None = None
    new_url: str = ""
    new_method: str = ""
    number: int = 0
    hits: int = 0
    problem: str = ""
    """Why the browser refused what was to be done, the last time that it did."""

    @property
    def id(self) -> str:
        """Its name in the conversation."""
        return f"route{self.number}"

    def means(self, request: Params, resource_type: str) -> bool:
        """Whether a request is one of these; a preflight counts as what it goes before."""
        method = header(request["headers"], "access-control-request-method") or request["method"]
        kind = SAME_TYPES.get(self.resource_type, self.resource_type)
        return (
            (not self.method or self.method == method)
            and (not kind or kind == resource_type.lower())
            and url_pattern(self.url).search(request["url"]) is not None
        )


class Routes:
    """The routes of a conversation, on all its pages, frames and workers."""

    def __init__(self, sources: Sources, log: Log) -> None:
        self.exempt: set[str] = set()
        """Tabs whose paused requests somebody else answers."""
        self._sources = sources
        self._log = log
        self._routes: dict[str, Route] = {}
        self._numbers = 0
        sources.each(self._came)

    def __len__(self) -> int:
        return len(self._routes)

    def listed(self) -> list[Route]:
        """All of them, oldest first."""
        return list(self._routes.values())

    async def add(self, route: Route) -> Route:
        """Put a route in force; of several that fit a request, the newest counts.

        Raises:
            InputError: the pattern cannot be read, or there are too many.
        """
        url_pattern(route.url)
        if len(self._routes) >= MOST_ROUTES:
            raise InputError(f"There are {MOST_ROUTES} routes.", hint="Remove some of them first.")
        self._numbers += 1
        route.number = self._numbers
        self._routes[route.id] = route
        await self._enforce()
        return route

    async def remove(self, route_id: str | None = None) -> list[Route]:
        """Take one route back, or all; requests that are paused go on.

        Raises:
            InputError: there is none of this name.
        """
        if route_id is not None and route_id not in self._routes:
            known = ", ".join(self._routes) or "none"
            raise InputError(f"There is no route {route_id!r:.100}.", hint=f"Routes: {known}.")
        chosen = [self._routes[route_id]] if route_id is not None else self.listed()
        for route in chosen:
            del self._routes[route.id]
        if chosen:
            await self._enforce()
        return chosen

    async def _enforce(self) -> None:
        answers = [self._tell(each) for each in self._sources if each.kind in ROUTED_KINDS]
        if answers:
            await asyncio.wait(answers, timeout=ENABLE_S)

    def _tell(self, source: Source) -> asyncio.Future[Params]:
        if not self._routes:
            return source.post("Fetch.disable")
        patterns = {loose_pattern(route.url) for route in self._routes.values()}
        params = {"patterns": [{"urlPattern": pattern} for pattern in sorted(patterns)]}
        return source.post("Fetch.enable", params)

    def _came(self, source: Source) -> None:
        if source.kind not in ROUTED_KINDS:
            return
        source.on("Fetch.requestPaused", lambda event, _: self._paused(event, source))
        if self._routes:
            source.first.append(self._tell(source))

    def _paused(self, event: Params, source: Source) -> None:
        # With the last route goes the pausing, and Chromium lets what is paused go on.
        if source.tab in self.exempt or not self._routes:
            return
        request, kind = event["request"], event["resourceType"]
        fitting = (each for each in reversed(self._routes.values()) if each.means(request, kind))
        route = next(fitting, None)
        if route is None:
            source.post("Fetch.continueRequest", {"requestId": event["requestId"]})
            return
        route.hits += 1
        self._note(route, event.get("networkId", ""))
        method, params = _answer(route, request)
        answer = source.post(method, {"requestId": event["requestId"], **params})
        answer.add_done_callback(lambda done: _check(done, route, event, source))

    def _note(self, route: Route, request_id: str) -> None:
        if request_id:
            chain = self._log.heard(request_id)
            chain.route, chain.made = route.id, route.action == "fulfil"


def loose_pattern(url: str) -> str:
    """A pattern of Chromium's that means at least what ours does."""
    ours = url_pattern(url).pattern
    if ours == re.escape(url):
        return f"*{_escaped(url)}*"
    if not ours.startswith(r"\A"):
        return "*"
    return re.sub(r"\*+", "*", f"*{'*'.join(map(_escaped, _WILD.split(url)))}*")


def _escaped(literal: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", literal)


def _answer(route: Route, request: Params) -> tuple[str, Params]:
    match route.action:
        case "abort":
            return "Fetch.failRequest", {"errorReason": REASONS[route.error]}
        case "fulfil" if header(request["headers"], "access-control-request-method"):
            return "Fetch.fulfillRequest", {
                "responseCode": 204,
                "responseHeaders": _entries(_preflight(request)),
            }
        case "fulfil":
            return "Fetch.fulfillRequest", {
                "responseCode": route.status,
                "responseHeaders": _entries(_merged(_shared(request), route.headers)),
                "body": base64.b64encode(route.body or b"").decode("ascii"),
            }
        case "modify":
            return "Fetch.continueRequest", _changes(route, request)


def _changes(route: Route, request: Params) -> Params:
    changes: Params = {}
    if route.new_url:
        changes["url"] = route.new_url
    if header(request["headers"], "access-control-request-method"):
        return changes
    if route.new_method:
        changes["method"] = route.new_method
    if route.headers:
        changes["headers"] = _entries(_merged(request["headers"], route.headers))
    if route.body is not None:
        changes["postData"] = base64.b64encode(route.body).decode("ascii")
    return changes


def _check(done: asyncio.Future[Params], route: Route, event: Params, source: Source) -> None:
    """What the browser refuses to do, such as a header that is none, must not leave it waiting."""
    error = None if done.cancelled() else done.exception()
    if not isinstance(error, ProtocolError) or CANCELLED in error.reason:
        return
    route.problem = error.reason
    failing = {"requestId": event["requestId"], "errorReason": "Failed"}
    source.post("Fetch.failRequest", failing)


def _shared(request: Params) -> dict[str, str]:
    """What lets the page of another origin see an answer that we make up."""
    origin = header(request["headers"], "origin")
    if not origin:
        return {}
    return {
        "access-control-allow-origin": origin,
        "access-control-allow-credentials": "true",
        "vary": "Origin",
    }


def _preflight(request: Params) -> dict[str, str]:
    return {
        **_shared(request),
        "access-control-allow-methods": header(request["headers"], "access-control-request-method"),
        "access-control-allow-headers": header(
            request["headers"], "access-control-request-headers"
        ),
    }


def _merged(headers: Mapping[str, str], changes: Mapping[str, str | None]) -> dict[str, str]:
    """Headers with changes; names are the same in large and small letters."""
    changed = {name.lower() for name in changes}
    kept = {name: value for name, value in headers.items() if name.lower() not in changed}
    return kept | {name: value for name, value in changes.items() if value is not None}


def _entries(headers: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers.items()]
