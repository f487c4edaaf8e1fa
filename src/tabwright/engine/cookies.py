"""The cookies of a conversation: read whole, set all or none, deleted by what they are.

Chromium changes or drops cookies that break its rules, mostly without a word. The rules that can
be known are checked before, and what was set is read back; what is not as it was given is an
error, and everything is as it was.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from tabwright.engine.cdp import Params, ProtocolError
from tabwright.engine.checkpoint import settable
from tabwright.errors import InputError, NotDone

if TYPE_CHECKING:
    from tabwright.engine.session import Session

SameSite = Literal["Strict", "Lax", "None"]
Key = tuple[str, str, str]
"""Name, domain and path."""
SESSION = -1.0
"""When a cookie expires that lasts as long as the browser's session."""
LONGEST_S = 400 * 86_400
MOST_BYTES = 4096
MOST_PATH_BYTES = 1024
PAST = 1
SAME_MOMENT_S = 0.01
FULL = "there is no room for it; a site has about 180 cookies at most"
_HOST = re.compile(r"\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\]")
_PATH = re.compile(r"/[^\x00- ;?#\"<>`{}|\\^\x7f-\U0010ffff]*")
_DOTS = re.compile(r"/\.{1,2}(/|$)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_HALF = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True)
class Cookie:
    """A cookie to be set."""

    name: str
    value: str
    domain: str
    """With a dot before it, subdomains have the cookie too."""
    path: str = "/"
    expires: float = SESSION
    """Seconds since 1970."""
    http_only: bool = False
    secure: bool = False
    same_site: SameSite | None = None

    @property
    def key(self) -> Key:
        """What tells it from every other cookie."""
        return self.name, self.domain, self.path

    def problem(self, now: float | None = None) -> str:
        """Why no browser would keep it as it is; empty when it would."""
        return (
            self._text_problem()
            or self._place_problem()
            or self._time_problem(time.time() if now is None else now)
            or self._rule_problem()
        )

    def _text_problem(self) -> str:
        size = len(f"{self.name}{self.value}".encode("utf-8", "surrogatepass"))
        if not self.name and (not self.value or "=" in self.value or self.value[:2] == "__"):
            return "it needs a name"
        if "=" in self.name or ";" in self.name:
            return "a name has no '=' and no ';'"
        if ";" in self.value:
            return "a value has no ';'"
        for what, text in (("name", self.name), ("value", self.value)):
            if _CONTROL.search(text):
                return f"its {what} has a control character"
            if _HALF.search(text):
                return f"its {what} has half of a surrogate pair, which is no character"
            if text != text.strip(" "):
                return f"its {what} begins or ends with a blank"
        if size > MOST_BYTES:
            return f"name and value have {size} bytes, and {MOST_BYTES} are the most"
        return ""

    def _place_problem(self) -> str:
        host = self.domain.removeprefix(".")
        if not _HOST.fullmatch(self.domain) or ".." in self.domain:
            return f"{self.domain!r:.100} is not a domain such as 'example.com' or '.example.com'"
        if host != self.domain and ("." not in host.strip(".") or _is_address(host)):
            return f"{host!r} has no subdomains: give it without the dot before it"
        if not _PATH.fullmatch(self.path) or _DOTS.search(self.path):
            return f"{self.path!r:.100} is not a path such as '/a%20b', from '/' on and encoded"
        if len(self.path) > MOST_PATH_BYTES:
            return f"its path is longer than {MOST_PATH_BYTES} bytes"
        return ""

    def _time_problem(self, now: float) -> str:
        if self.expires == SESSION:
            return ""
        if self.expires <= now:
            return "it has expired already; to remove a cookie, delete it"
        if self.expires > now + LONGEST_S:
            return "it expires more than 400 days from now, which no cookie may"
        return ""

    def _rule_problem(self) -> str:
        prefix = self.name.lower()
        if self.same_site == "None" and not self.secure:
            return "sameSite 'None' needs secure"
        if prefix.startswith(("__secure-", "__host-", "__http-")) and not self.secure:
            return "a name that begins so needs secure"
        if prefix.startswith(("__http-", "__host-http-")) and not self.http_only:
            return "a name that begins so needs httpOnly"
        if prefix.startswith("__host-") and self.domain.startswith("."):
            return "a __Host- cookie is of one host: give the domain without the dot before it"
        if prefix.startswith("__host-") and self.path != "/":
            return "a __Host- cookie has the path '/'"
        return ""

    def as_params(self) -> Params:
        """As the protocol takes it."""
        params: Params = {
            "name": self.name,
            "value": self.value,
            "domain": self.domain,
            "path": self.path,
            "httpOnly": self.http_only,
            "secure": self.secure,
        }
        if self.same_site is not None:
            params["sameSite"] = self.same_site
        if self.expires != SESSION:
            params["expires"] = self.expires
        return params

    def difference(self, found: Params) -> str:
        """In what a cookie that was found is another; empty: it is the same."""
        wanted = self.as_params()
        changed = [name for name in wanted if name != "expires" and wanted[name] != found.get(name)]
        if abs(found["expires"] - self.expires) > SAME_MOMENT_S:
            changed.append("expires")
        return f"{', '.join(changed)} changed" if changed else ""


@dataclass(frozen=True)
class Filter:
    """Which cookies are meant; what is None does not matter."""

    name: str | None = None
    domain: str | None = None
    """A host; with and without a dot before it are the same."""
    path: str | None = None
    urls: tuple[str, ...] | None = None
    """Only those that would be sent to one of these addresses."""

    def fits(self, cookie: Params) -> bool:
        """Whether a cookie is meant."""
        host = None if self.domain is None else self.domain.lower().removeprefix(".")
        return (
            self.name in (None, cookie["name"])
            and host in (None, cookie["domain"].removeprefix("."))
            and self.path in (None, cookie["path"])
            and (self.urls is None or any(sent_to(cookie, url) for url in self.urls))
        )


def sent_to(cookie: Params, url: str) -> bool:
    """Whether a browser sends the cookie to an address of its own site."""
    parts = urlsplit(url)
    host, domain, path = parts.hostname or "", cookie["domain"], cookie["path"]
    if ":" in host:
        host = f"[{host}]"
    if host != domain.removeprefix(".") and not (domain[:1] == "." and host.endswith(domain)):
        return False
    asked = parts.path or "/"
    if asked != path and not asked.startswith(path if path.endswith("/") else f"{path}/"):
        return False
    return not cookie["secure"] or parts.scheme == "https" or _is_own(host)


def _is_own(host: str) -> bool:
    """Whether a host is this machine, which counts as secure."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    return _is_address(host) and ip_address(host.strip("[]")).is_loopback


def _is_address(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


async def read(session: Session, which: Filter | None = None) -> list[Params]:
    """The cookies of the conversation, as the browser tells them."""
    answer = await session.browser_command("Storage.getCookies", _context(session))
    return [cookie for cookie in answer["cookies"] if which is None or which.fits(cookie)]


async def put(session: Session, cookies: list[Cookie]) -> list[Params]:
    """Set all cookies, or none of them. Gives them as they are kept.

    Raises:
        InputError: the browser does not take one as it is; everything is as it was.
    """
    before = await read(session)
    try:
        await _set(session, [cookie.as_params() for cookie in cookies])
    except ProtocolError as error:
        raise await _refused(session, cookies, error) from error
    after = await read(session)
    found = {_key(cookie): cookie for cookie in after}
    for name, reason in _faults(cookies, before, found):
        await _undo(session, before, after)
        raise InputError(
            f"The browser does not keep the cookie {name!r} as it is: {reason}.",
            hint=f"None of the {len(cookies)} was set.",
            name=name,
        )
    return [found[cookie.key] for cookie in cookies]


async def delete(session: Session, which: Filter) -> list[Params]:
    """Delete the cookies that are meant. Gives those that were there.

    Raises:
        NotDone: one of them is still there.
    """
    gone = await read(session, which)
    await _expire(session, gone)
    left = await read(session, which)
    if left:
        raise NotDone(
            f"The browser keeps the cookie {left[0]['name']!r}.",
            hint="A page may have set it anew; delete it again.",
        )
    return gone


async def _set(session: Session, cookies: list[Params]) -> None:
    if cookies:
        given = {"cookies": cookies, **_context(session)}
        await session.browser_command("Storage.setCookies", given)


async def _expire(session: Session, cookies: list[Params]) -> None:
    await _set(session, [{**settable(cookie), "expires": PAST} for cookie in cookies])


async def _undo(session: Session, before: list[Params], after: list[Params]) -> None:
    """Bring the cookies back to what they were."""
    await _expire(session, [cookie for cookie in after if cookie not in before])
    await _set(session, [settable(cookie) for cookie in before if cookie not in after])


async def _refused(session: Session, cookies: list[Cookie], error: ProtocolError) -> InputError:
    """Find the cookie that was refused, in a context where nothing can be lost."""
    made = await session.browser_command("Target.createBrowserContext", {"disposeOnDetach": True})
    name = ""
    try:
        for cookie in cookies:
            name = cookie.name
            given = {"cookies": [cookie.as_params()], **made}
            await session.browser_command("Storage.setCookies", given)
    except ProtocolError as refusal:
        error = refusal
    finally:
        session.browser_command("Target.disposeBrowserContext", made)
    return InputError(
        f"The browser refuses the cookie {name!r}: {error.reason}.",
        hint=f"None of the {len(cookies)} was set.",
        name=name,
    )


def _faults(
    cookies: list[Cookie], before: list[Params], found: dict[Key, Params]
) -> Iterator[tuple[str, str]]:
    """The cookies that are not as they should be, by name, and why."""
    for cookie in cookies:
        kept = found.get(cookie.key)
        alone = found.get((cookie.name, cookie.domain.removeprefix("."), cookie.path))
        if kept is None and alone is not None and alone not in before:
            yield cookie.name, f"anybody can have a name under its domain {cookie.domain!r}"
        elif kept is None:
            yield cookie.name, FULL
        elif difference := cookie.difference(kept):
            yield cookie.name, difference
    now = time.time()
    for cookie in before:
        if _key(cookie) not in found and (cookie.get("session") or cookie["expires"] > now):
            yield cookie["name"], FULL


def _key(cookie: Params) -> Key:
    return cookie["name"], cookie["domain"], cookie["path"]


def _context(session: Session) -> Params:
    return {"browserContextId": session.context_id}
