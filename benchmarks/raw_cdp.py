"""The yardstick: the least code that drives a Chromium over the DevTools protocol.

Run as a program it is the whole of a cold start: launch, connect, open a page, say "loaded".
It starts Chromium as Tabwright does, but for `--remote-debugging-pipe`, which it has no use for.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect

LISTENING = b"DevTools listening on "
EXIT_S = 5.0


class Launch(NamedTuple):
    """How a browser is started."""

    executable: str
    args: list[str]
    env: dict[str, str]


class Raw:
    """One connection: commands with answers, and the next event of a name."""

    def __init__(self, socket: ClientConnection, pid: int = 0) -> None:
        self.pid = pid
        self._socket = socket
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._events: dict[tuple[str, str], asyncio.Future[None]] = {}

    async def read(self) -> None:
        async for text in self._socket:
            message = json.loads(text)
            if "id" in message:
                self._answers.pop(message["id"]).set_result(message)
            elif event := self._events.pop((message.get("sessionId", ""), message["method"]), None):
                event.set_result(None)
        for waiter in (*self._answers.values(), *self._events.values()):
            waiter.set_exception(ConnectionError("the browser hung up"))

    async def send(self, method: str, params: dict[str, Any], session: str = "") -> dict[str, Any]:
        message: dict[str, Any] = {"id": next(self._ids), "method": method, "params": params}
        if session:
            message["sessionId"] = session
        answer = self._answers[message["id"]] = asyncio.get_running_loop().create_future()
        await self._socket.send(json.dumps(message))
        said = await answer
        if "error" in said:
            raise RuntimeError(f"{method}: {said['error']['message']}")
        return said["result"]

    async def blank(self) -> tuple[str, str]:
        """A new context and a page in it: their ids."""
        context = (await self.send("Target.createBrowserContext", {}))["browserContextId"]
        wanted = {"url": "about:blank", "browserContextId": context}
        return context, (await self.send("Target.createTarget", wanted))["targetId"]

    async def attach(self, target: str) -> str:
        wanted = {"targetId": target, "flatten": True}
        session = (await self.send("Target.attachToTarget", wanted))["sessionId"]
        await self.send("Page.enable", {}, session)
        await self.send("Network.enable", {}, session)
        return session

    async def navigate(self, session: str, url: str) -> None:
        loaded = asyncio.get_running_loop().create_future()
        self._events[session, "Page.loadEventFired"] = loaded
        answer = await self.send("Page.navigate", {"url": url}, session)
        if "errorText" in answer:
            raise RuntimeError(f"{url}: {answer['errorText']}")
        await loaded

    async def evaluate(self, session: str, expression: str) -> Any:
        wanted = {"expression": expression, "returnByValue": True}
        return (await self.send("Runtime.evaluate", wanted, session))["result"]["value"]

    async def dispose(self, context: str) -> None:
        await self.send("Target.disposeBrowserContext", {"browserContextId": context})


@asynccontextmanager
async def connected(endpoint: str, pid: int = 0) -> AsyncGenerator[Raw]:
    """A connection to a browser that runs."""
    async with connect(
        endpoint, max_size=None, compression=None, ping_interval=None, proxy=None
    ) as socket:
        raw = Raw(socket, pid)
        reader = asyncio.create_task(raw.read())
        try:
            yield raw
        finally:
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)


@asynccontextmanager
async def launched(launch: Launch) -> AsyncGenerator[Raw]:
    """A browser of our own, with a profile that is gone afterwards."""
    profile = tempfile.mkdtemp(prefix="raw-cdp-")
    process = await asyncio.create_subprocess_exec(
        launch.executable,
        "--remote-debugging-port=0",
        f"--user-data-dir={profile}",
        *launch.args,
        env={**os.environ, **launch.env},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    try:
        async for line in process.stderr:
            if line.startswith(LISTENING):
                break
        else:
            raise RuntimeError(f"{launch.executable} ended before it listened")
        async with connected(line.removeprefix(LISTENING).decode().strip(), process.pid) as raw:
            yield raw
            await raw.send("Browser.close", {})
    finally:
        await _end(process)
        shutil.rmtree(profile, ignore_errors=True)


async def _end(process: asyncio.subprocess.Process) -> None:
    try:
        await asyncio.wait_for(process.communicate(), EXIT_S)
    except TimeoutError:
        process.kill()
        await process.wait()


async def main(launch: Launch, url: str) -> None:
    began = time.perf_counter()
    async with launched(launch) as raw:
        _, target = await raw.blank()
        await raw.navigate(await raw.attach(target), url)
        print("loaded", (time.perf_counter() - began) * 1000, flush=True)


if __name__ == "__main__":
    asyncio.run(main(Launch(*json.loads(sys.argv[1])), sys.argv[2]))
