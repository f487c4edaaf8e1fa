"""Files over HTTP: streamed, retried, checked."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import httpx

from tabwright.engine.obtain.source import PAUSES_S, Progress, Sleep, SourceFailed

T = TypeVar("T")

CONNECT_S = 5.0
READ_S = 30.0
BUSY = {408, 425, 429}


class Transient(Exception):
    """Worth another try."""


@dataclass(frozen=True)
class Fetched:
    """A file that arrived whole."""

    sha256: str
    checked: str
    """Against what it was compared; empty if the server published no checksum."""


@dataclass(frozen=True)
class Http:
    """How files are fetched: three tries each, and a server that is not there fails fast."""

    sleep: Sleep = asyncio.sleep

    async def text(self, url: str) -> str:
        """Get a small document."""

        async def attempt() -> str:
            async with _client() as client:
                response = await client.get(url)
                _refuse(response)
                return response.text

        return await self._persist(url, attempt)

    async def published_sha256(self, url: str) -> str:
        """The checksum a mirror keeps beside a file as `<url>.sha256`; empty if it keeps none."""

        async def attempt() -> str:
            async with _client() as client:
                response = await client.get(f"{url}.sha256")
            if response.is_client_error and response.status_code not in BUSY:
                return ""
            _refuse(response)
            match = re.match(r"\s*([0-9a-fA-F]{64})\b", response.text)
            return match[1].lower() if match else ""

        return await self._persist(url, attempt)

    async def file(
        self, url: str, to: Path, *, progress: Progress, label: str, sha256: str = ""
    ) -> Fetched:
        """Download a file and compare it with the checksum given here or named by the server."""

        async def attempt() -> Fetched:
            async with _client() as client, client.stream("GET", url) as response:
                _refuse(response)
                return await _save(response, to, progress, label, sha256)

        return await self._persist(url, attempt)

    async def _persist(self, url: str, attempt: Callable[[], Awaitable[T]]) -> T:
        for pause in (*PAUSES_S, None):
            try:
                return await attempt()
            except (httpx.ConnectTimeout, httpx.UnsupportedProtocol) as error:
                raise SourceFailed(f"{url}: {_words(error)}") from error
            except (Transient, httpx.TransportError) as error:
                if pause is None:
                    raise SourceFailed(f"{url}: {_words(error)}") from error
                await self.sleep(pause)
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise SourceFailed(f"{url}: {_words(error)}") from error
        raise AssertionError("the last try returns or raises")


def _client() -> httpx.AsyncClient:
    return httpx.AsyncClient(
        follow_redirects=True,
        timeout=httpx.Timeout(READ_S, connect=CONNECT_S),
        headers={"Accept-Encoding": "identity"},
    )


def _refuse(response: httpx.Response) -> None:
    if response.is_server_error or response.status_code in BUSY:
        raise Transient(f"the server answered {response.status_code}")
    if not response.is_success:
        raise SourceFailed(f"{response.url}: the server answered {response.status_code}")


async def _save(
    response: httpx.Response, to: Path, progress: Progress, label: str, sha256: str
) -> Fetched:
    total = int(response.headers.get("content-length", 0))
    # usedforsecurity: the server names an MD5, which guards against damage, not against malice.
    strong, weak = hashlib.sha256(), hashlib.md5(usedforsecurity=False)
    done = 0
    with to.open("wb") as file:
        async for chunk in response.aiter_bytes(2**18):
            file.write(chunk)
            strong.update(chunk)
            weak.update(chunk)
            done += len(chunk)
            progress(done, total, label)
    if sha256:
        _compare("SHA-256", strong.hexdigest(), sha256)
        return Fetched(strong.hexdigest(), "SHA-256")
    if md5 := _named_md5(response):
        _compare("MD5", weak.hexdigest(), md5)
        return Fetched(strong.hexdigest(), "MD5 of the server")
    return Fetched(strong.hexdigest(), "")


def _named_md5(response: httpx.Response) -> str:
    match = re.search(r"md5=([\w+/]+=*)", response.headers.get("x-goog-hash", ""))
    encoded = match[1] if match else response.headers.get("content-md5", "")
    try:
        return base64.b64decode(encoded, validate=True).hex()
    except ValueError:
        return ""


def _compare(what: str, got: str, expected: str) -> None:
    if got != expected.lower():
        raise Transient(f"its {what} is {got}, and should be {expected}")


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
