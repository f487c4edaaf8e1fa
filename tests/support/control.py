"""A control server of a test's own, and a client of it over real sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from tabwright.engine.manager import BrowserManager
from tabwright.faces.http.server import ControlServer
from tabwright.surfaces.registry import ToolRegistry

DEADLINE_S = 60.0


@dataclass
class Served:
    """A server that runs, and who speaks to it."""

    server: ControlServer
    manager: BrowserManager
    client: httpx.AsyncClient
    token: str

    @property
    def port(self) -> int:
        return self.server.get_port()

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    async def get(
        self, path: str, conversation: str = "default", /, **query: Any
    ) -> httpx.Response:
        headers = {"X-Tabwright-Conversation": conversation}
        return await self.client.get(path, params=query or None, headers=headers)

    async def post(self, path: str, body: Any = None, conversation: str = "default") -> Any:
        headers = {"X-Tabwright-Conversation": conversation}
        return await self.client.post(path, json={} if body is None else body, headers=headers)

    async def act(self, kind: str, conversation: str = "default", **given: Any) -> dict[str, Any]:
        reply = await self.post("/browser/action", {"type": kind, **given}, conversation)
        return data(reply)["result"]

    def events(self, query: str = "", **options: Any) -> connect:
        return connect(
            f"ws://127.0.0.1:{self.port}/events{query}",
            additional_headers={**self.bearer, **options.pop("headers", {})},
            **options,
        )

    async def alive(self) -> bool:
        return (await self.get("/health")).status_code == 200


@asynccontextmanager
async def served(
    manager: BrowserManager, directory: Path, *, surface: str = "all", **options: Any
) -> AsyncIterator[Served]:
    """A server of this manager on a free port, with a token of its own."""
    registry = ToolRegistry(manager.settings, surface=surface, **options)
    server = ControlServer(
        manager, registry, token_file=directory / "state" / "token", working_dir=directory
    )
    await server.start(0)
    token = server.token_file.read_text(encoding="ascii").strip()
    try:
        async with httpx.AsyncClient(
            base_url=server.get_address(),
            headers={"Authorization": f"Bearer {token}"},
            timeout=DEADLINE_S,
            trust_env=False,
        ) as client:
            yield Served(server, manager, client, token)
    finally:
        await server.stop()


def data(reply: httpx.Response) -> Any:
    """What a reply that went well carries."""
    body = reply.json()
    assert reply.status_code == 200, body
    assert body["success"] is True
    assert body["timestamp"]
    return body["data"]


def error(reply: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """The error that a reply carries: S3-ERR-03."""
    body = reply.json()
    assert (reply.status_code, body["error"]["code"]) == (status, code), body
    assert body["success"] is False
    assert body["error"]["message"]
    assert body["error"]["timestamp"]
    assert "stack" not in body["error"]
    assert {*body["error"]} <= {"code", "message", "details", "timestamp", "context"}
    return body["error"]


__all__ = ["ClientConnection", "Served", "data", "error", "served"]
