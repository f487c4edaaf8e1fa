"""One request over plain HTTP: redirects followed and checked, the answer bounded."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from tabwright.engine.fetch import address
from tabwright.engine.fetch.kind import is_text
from tabwright.errors import NavigationFailed, NetworkFailed

if TYPE_CHECKING:
    from httpx import AsyncClient, Response

MOST_REDIRECTS = 10
MOST_BYTES = 5_000_000
# No proxy knows our own machine; Chromium asks none for it either.
OWN: dict[str, None] = dict.fromkeys(["all://127.0.0.1", "all://localhost", "all://[::1]"])
HEADERS = {
    "user-agent": "Mozilla/5.0 (compatible; Tabwright)",
    "accept": "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.8",
    "accept-language": "en,*;q=0.5",
}


@dataclass(frozen=True)
class Reply:
    """What a server sent."""

    url: str
    """Where the redirects ended."""
    status: int
    headers: dict[str, str]
    """By names in small letters."""
    data: bytes
    whole: bool
    """Whether `data` is all of it."""

    @property
    def content_type(self) -> str:
        """What the server calls it, with its charset; empty when it says nothing."""
        return self.headers.get("content-type", "")


async def get(url: str) -> Reply:
    """Ask for an address.

    Raises:
        NetworkFailed: the server was not reached, or did not speak HTTP.
        NavigationFailed: it redirects for ever, or sends what is no text.
        SecurityError: an address on the way must not be asked.
    """
    # It takes 0.1 s to import.
    import httpx

    try:
        # The caller has a time limit for all of it.
        async with httpx.AsyncClient(
            headers=HEADERS,
            mounts=OWN,
            verify=_certificates(),
            timeout=None,  # noqa: S113
        ) as client:
            return await _follow(client, url)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise _failed(url, error) from error


@cache
def _certificates() -> ssl.SSLContext:
    """What servers are known by; to read them takes longer than most requests."""
    import httpx

    return httpx.create_ssl_context()


async def _follow(client: AsyncClient, url: str) -> Reply:
    asked = [url]
    while len(asked) <= MOST_REDIRECTS + 1:
        await address.check(asked[-1])
        async with client.stream("GET", asked[-1], follow_redirects=False) as response:
            _check_server(asked[-1], response)
            if not response.has_redirect_location:
                return await _received(response)
            asked.append(urljoin(asked[-1], response.headers["location"]))
    raise NavigationFailed(
        f"{url!r:.300} redirects more than {MOST_REDIRECTS} times.",
        hint="It may want cookies that only a browser has: open it with `navigate`.",
        url=url,
        redirects=asked[1:],
    )


def _check_server(url: str, response: Response) -> None:
    """A name may have led elsewhere when it was asked for the second time."""
    stream = response.extensions.get("network_stream")
    server = stream.get_extra_info("server_addr") if stream is not None else None
    if server:
        address.check_host(url, str(server[0]))


async def _received(response: Response) -> Reply:
    """The answer, up to a size; of what is no text by its name, the beginning will do."""
    named_text = is_text(response.headers.get("content-type", ""))
    data = bytearray()
    whole = True
    async for chunk in response.aiter_bytes():
        data += chunk
        if len(data) > MOST_BYTES or named_text is False:
            whole = False
            break
    return Reply(
        url=str(response.url),
        status=response.status_code,
        headers=dict(response.headers.items()),
        data=bytes(data[:MOST_BYTES]),
        whole=whole,
    )


def _failed(url: str, error: Exception) -> NetworkFailed:
    words = str(error).strip().rstrip(".") or type(error).__name__
    return NetworkFailed(
        f"Cannot fetch {url!r:.300}: {words}.",
        hint="Check the address and that the server is up.",
        url=url,
        reason=type(error).__name__,
    )
