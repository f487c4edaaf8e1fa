"""The cookies of the conversation: read, set, delete."""

from collections import Counter
from typing import Annotated, Any, ClassVar, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from tabwright.engine import cookies as engine
from tabwright.engine.cookies import SESSION, Cookie, Filter, SameSite
from tabwright.engine.outline import quoted
from tabwright.engine.session import Session
from tabwright.verb import Params, Positional, Private, Result, Text, verb
from tabwright.verbs.route import Address
from tabwright.wording import iso, many

MOST_COOKIES = 3000
SHOWN_CHARACTERS = 100
SHOWN_COOKIES = 100
FIELDS = {
    "cookies": ("set",),
    "name": ("get", "delete"),
    "domain": ("get", "delete"),
    "path": ("get", "delete"),
    "urls": ("get",),
}


class CookieToSet(Params):
    """A cookie, by the address that it is for, or by its domain and path."""

    name: str
    """Its name."""

    value: str
    """Its value."""

    url: Address | None = None
    """Gives the host, and secure for https."""

    domain: Text | None = None
    """'example.com': that host; '.example.com': subdomains too."""

    path: Text = "/"
    """Only addresses below it get the cookie."""

    expires: float = SESSION
    """Seconds since 1970; -1: with the browser's session."""

    http_only: bool = False
    """Scripts do not see it."""

    secure: bool | None = None
    """Only over https; default: as `url` is."""

    same_site: SameSite | None = None
    """Strict, Lax, or None, which needs secure."""

    def made(self) -> Cookie:
        """The cookie that is meant.

        Raises:
            ValueError: no browser would keep it.
        """
        if self.url is None and self.domain is None:
            raise ValueError(f"`cookies`: {self.name!r:.80} needs `url` or `domain`")
        parts = urlsplit(self.url or "")
        host = parts.netloc.rpartition("@")[2]
        host = host if host.endswith("]") else host.partition(":")[0]
        cookie = Cookie(
            name=self.name,
            value=self.value,
            domain=(self.domain or host).lower(),
            path=self.path,
            expires=self.expires,
            http_only=self.http_only,
            secure=parts.scheme == "https" if self.secure is None else self.secure,
            same_site=self.same_site,
        )
        problem = cookie.problem()
        if problem:
            raise ValueError(f"`cookies`: {self.name!r:.80} cannot be set, since {problem}")
        return cookie


class Cookies(Params):
    """Which cookies."""

    example: ClassVar[dict[str, Any]] = {"action": "get", "domain": "example.com"}

    action: Annotated[Literal["get", "set", "delete"], Positional] = "get"
    """get or delete cookies by name, domain and path; set cookies."""

    cookies: Annotated[
        Annotated[list[CookieToSet], Field(max_length=MOST_COOKIES)] | None, Private
    ] = None
    """To set: name, value, url or domain; path, expires, httpOnly, secure, sameSite."""

    name: str | None = None
    """Cookies of this name."""

    domain: Text | None = None
    """Cookies of this host; 'example.com' is also '.example.com', but not 'a.example.com'."""

    path: Text | None = None
    """Cookies of this path."""

    urls: Annotated[list[Address], Field(min_length=1)] | None = None
    """Only cookies that are sent to one of these addresses."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for name, actions in FIELDS.items():
            if getattr(self, name) is not None and self.action not in actions:
                raise ValueError(f"`{name}` goes with action {' or '.join(map(repr, actions))}")
        if self.action == "set" and self.cookies is None:
            raise ValueError("`cookies` are needed to set")
        if self.action == "delete" and (self.name, self.domain, self.path) == (None, None, None):
            raise ValueError("`name`, `domain` or `path` is needed to delete")
        counts = Counter(cookie.key for cookie in self.made())
        for (name, domain, path), count in counts.items():
            if count > 1:
                raise ValueError(f"`cookies`: {name!r:.80} of {domain}{path} is given twice")
        return self

    def made(self) -> list[Cookie]:
        """The cookies to set."""
        return [cookie.made() for cookie in self.cookies or ()]


class CookieInfo(Result):
    """One cookie."""

    name: str
    """Its name."""

    value: str
    """Its value, whole."""

    domain: str
    """Its host; with a dot before it, subdomains too."""

    path: str
    """Its path."""

    expires: float
    """Seconds since 1970; -1: with the browser's session."""

    http_only: bool
    """Whether scripts do not see it."""

    secure: bool
    """Whether it goes over https only."""

    same_site: SameSite
    """Lax also where nothing was said."""

    @classmethod
    def of(cls, found: dict[str, Any]) -> Self:
        """A cookie as the browser tells it."""
        return cls(
            name=found["name"],
            value=found["value"],
            domain=found["domain"],
            path=found["path"],
            expires=SESSION if found.get("session") else found["expires"],
            http_only=found["httpOnly"],
            secure=found["secure"],
            same_site=found.get("sameSite", "Lax"),
        )

    def text(self) -> str:
        """One line; a long value is cut."""
        value = self.value
        if len(value) > SHOWN_CHARACTERS:
            value = f"{value[:SHOWN_CHARACTERS]}… ({len(self.value)} characters)"
        flags = ["httpOnly"] if self.http_only else []
        flags += ["secure"] if self.secure else []
        flags += [f"until {iso(self.expires)}"] if self.expires != SESSION else []
        said = [quoted(self.name), "=", quoted(value), f"{self.domain}{self.path}", self.same_site]
        return " ".join([*said, *flags])


class CookieList(Result):
    """Cookies that were read, set or deleted."""

    action: Literal["get", "set", "delete"]
    """What was done."""

    cookies: list[CookieInfo]
    """The cookies it was done to."""

    def text(self) -> str:
        """How many; one line for each that was read."""
        done = {"get": "", "set": " set", "delete": " deleted"}[self.action]
        head = f"{many(len(self.cookies), 'cookie')}{done}"
        if self.action != "get" or not self.cookies:
            names = ", ".join(quoted(cookie.name) for cookie in self.cookies[:SHOWN_COOKIES])
            return f"{head} ({names})." if names else f"{head}."
        left = len(self.cookies) - SHOWN_COOKIES
        lines = [cookie.text() for cookie in self.cookies[:SHOWN_COOKIES]]
        lines += [f"… {many(left, 'cookie')} more: give a `name` or `domain`"] if left > 0 else []
        return "\n".join([f"{head}:", *lines])


@verb(effect="act", repeatable=True)
async def cookies(session: Session, params: Cookies) -> CookieList:
    """Read, set or delete cookies of the conversation, those that scripts do not see too.

    If one cannot be set as it is given, none is.
    """
    which = Filter(
        params.name, params.domain, params.path, tuple(params.urls) if params.urls else None
    )
    match params.action:
        case "get":
            found = await engine.read(session, which)
        case "set":
            found = await engine.put(session, params.made())
        case "delete":
            found = await engine.delete(session, which)
    return CookieList(action=params.action, cookies=[CookieInfo.of(each) for each in found])
