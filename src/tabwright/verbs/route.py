"""Routes: stop, answer or change requests on their way to the server."""

import mimetypes
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from tabwright.engine.network.record import Method
from tabwright.engine.network.route import AbortError
from tabwright.engine.network.route import Route as Engine
from tabwright.engine.session import Session
from tabwright.errors import InputError
from tabwright.verb import Params, Positional, Result, Text, verb
from tabwright.verbs.network import ResourceType
from tabwright.verbs.pattern import UrlPattern
from tabwright.wording import many

LARGEST_FILE_BYTES = 10_000_000
HEADER_CHARACTERS = set("!#$%&'*+-.^_`|~")
FIELDS = {
    "status": ("fulfil",),
    "headers": ("fulfil", "modify"),
    "body": ("fulfil", "modify"),
    "path": ("fulfil",),
    "new_url": ("modify",),
    "new_method": ("modify",),
    "error": ("abort",),
    "id": ("remove",),
    "method": ("abort", "fulfil", "modify"),
    "resource_type": ("abort", "fulfil", "modify"),
}


def _headers(given: dict[str, str | None]) -> dict[str, str | None]:
    for name, value in given.items():
        plain = name.isascii() and all(c.isalnum() or c in HEADER_CHARACTERS for c in name)
        if not name or not plain:
            raise ValueError(f"{name!r:.80} is not the name of a header")
        if value is not None and ("\n" in value or "\r" in value or "\0" in value):
            raise ValueError(f"the value of {name!r:.80} must be one line")
    return given


def _address(given: str) -> str:
    if not given.startswith(("http://", "https://")):
        raise ValueError("must be a whole address, as 'https://example.com/'")
    return given


HeaderChanges = Annotated[dict[str, str | None], AfterValidator(_headers)]
Address = Annotated[Text, AfterValidator(_address)]


class Route(Params):
    """Which requests, and what to do with them."""

    example: ClassVar[dict[str, Any]] = {"action": "abort", "url": "**/*.png"}

    action: Annotated[Literal["list", "abort", "fulfil", "modify", "remove"], Positional] = "list"
    """list routes; abort, answer (fulfil) or change (modify) requests; remove routes."""

    url: Annotated[UrlPattern | None, Positional] = None
    """Requests with this part in their address, glob such as '**/api/**', or '/regex/'."""

    method: Method | None = None
    """Only requests of this method."""

    resource_type: ResourceType | None = None
    """Only requests of this type; fetch and xhr are one."""

    error: AbortError | None = None
    """How an aborted request fails; default: blocked."""

    status: Annotated[int, Field(ge=200, le=599)] | None = None
    """Status of the answer; default: 200."""

    headers: HeaderChanges | None = None
    """Headers of the answer, or to set in a request that is modified; null removes one."""

    body: str | None = None
    """Text to answer with, or to send instead."""

    path: Text | None = None
    """File to answer with."""

    new_url: Address | None = None
    """Where a modified request goes instead; the page does not notice."""

    new_method: Method | None = None
    """Method of a modified request."""

    id: Text | None = None
    """Route to remove, such as 'route1'; default: all."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        adds = self.action in ("abort", "fulfil", "modify")
        if adds != (self.url is not None):
            raise ValueError("`url` is needed by actions 'abort', 'fulfil' and 'modify', and only")
        for name, actions in FIELDS.items():
            if getattr(self, name) is not None and self.action not in actions:
                alias = Route.model_fields[name].alias or name
                raise ValueError(f"`{alias}` goes with action {' or '.join(map(repr, actions))}")
        if self.body is not None and self.path is not None:
            raise ValueError("`body` and `path` do not go together")
        changes = (self.headers, self.body, self.new_url, self.new_method)
        if self.action == "modify" and not any(each is not None for each in changes):
            raise ValueError("give `headers`, `body`, `newUrl` or `newMethod` to modify")
        return self


class RouteInfo(Result):
    """One route."""

    id: str
    """Its name, for action remove."""

    action: str
    """abort, fulfil or modify."""

    url: str
    """Pattern of the addresses."""

    method: str | None
    """Method of the requests."""

    resource_type: str | None
    """Type of the requests."""

    hits: int
    """How many requests it met."""

    problem: str | None
    """Why the browser refused what was to be done."""

    @classmethod
    def of(cls, route: Engine) -> Self:
        """The facts of a route."""
        return cls(
            id=route.id,
            action=route.action,
            url=route.url,
            method=route.method or None,
            resource_type=route.resource_type or None,
            hits=route.hits,
            problem=route.problem or None,
        )

    def text(self) -> str:
        """One line."""
        parts = [self.id, self.action, self.method, self.resource_type, self.url]
        told = " ".join(part for part in parts if part)
        refused = f"; the browser refused: {self.problem}" if self.problem else ""
        return f"{told}, {many(self.hits, 'hit')}{refused}"


class RouteList(Result):
    """The routes that are in force."""

    routes: list[RouteInfo]
    """Oldest first; of several that fit a request, the newest counts."""

    removed: list[RouteInfo] | None = None
    """Those that were removed just now."""

    def text(self) -> str:
        """One line a route."""
        gone = [f"Removed {each.text()}" for each in self.removed or ()]
        return "\n".join([*gone, *(each.text() for each in self.routes)] or ["No routes."])


@verb(effect="act")
async def route(session: Session, params: Route) -> RouteList:
    """Stop requests, answer them in the server's place, or change them; list and remove routes.

    Holds for all pages and workers of the conversation, until it is removed. What a service worker
    or a cache answers by itself is not asked of the network, and not routed.
    """
    removed = None
    match params.action:
        case "list":
            pass
        case "remove":
            removed = [RouteInfo.of(each) for each in await session.routes.remove(params.id)]
        case _:
            await session.routes.add(_route(session, params))
    return RouteList(
        routes=[RouteInfo.of(each) for each in session.routes.listed()], removed=removed
    )


def _route(session: Session, params: Route) -> Engine:
    assert params.action in ("abort", "fulfil", "modify")
    headers = dict(params.headers or {})
    body = None if params.body is None else params.body.encode("utf-8", "surrogatepass")
    if params.action == "fulfil":
        guess = "text/plain; charset=utf-8"
        if params.path is not None:
            body, guess = _file(session, params.path)
        elif (params.body or "").lstrip().startswith(("{", "[")):
            guess = "application/json"
        if "content-type" not in map(str.lower, headers):
            headers["content-type"] = guess
    return Engine(
        action=params.action,
        url=params.url or "",
        method=params.method or "",
        resource_type=params.resource_type or "",
        error=params.error or "blocked",
        status=params.status or 200,
        headers=headers,
        body=body,
        new_url=params.new_url or "",
        new_method=params.new_method or "",
    )


def _file(session: Session, given: str) -> tuple[bytes, str]:
    path = session.caller.file(given)
    if path.stat().st_size > LARGEST_FILE_BYTES:
        raise InputError(
            f"The file {given!r} is larger than {LARGEST_FILE_BYTES:,} bytes.",
            hint="Answer with a smaller one.",
        )
    return path.read_bytes(), mimetypes.guess_type(path.name)[0] or "application/octet-stream"
