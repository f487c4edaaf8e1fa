"""Many clients of the control server at once, in a process of their own, as light as can be."""

from __future__ import annotations

import asyncio
import json
import sys
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

EACH = 100


class Client:
    """One connection that is kept, and one conversation."""

    def __init__(self, address: str, headers: dict[str, str], number: int) -> None:
        self._where = urlsplit(address)
        said = {"Host": self._where.netloc, "Content-Type": "application/json", **headers}
        said["X-Tabwright-Conversation"] = f"client-{number}"
        self._head = "".join(f"{name}: {value}\r\n" for name, value in said.items())
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def act(self, **action: Any) -> None:
        """An action, which has to succeed."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._where.hostname, self._where.port)
        reader, writer = self._streams
        body = json.dumps(action)
        start = "POST /browser/action HTTP/1.1\r\n"
        writer.write(f"{start}{self._head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
        answer = await reader.readexactly(length)
        if " 200 " not in head.partition("\r\n")[0]:
            raise RuntimeError(answer.decode())


async def main(address: str, headers: dict[str, str], clients: int, url: str, rate: float) -> None:
    """Ask so often a second, all together, and print how long each answer took."""
    taken: list[float] = []
    everyone = [Client(address, headers, number) for number in range(clients)]

    async def work(number: int, client: Client) -> None:
        for turn in range(EACH):
            due = started + (turn * clients + number) / rate
            await asyncio.sleep(due - perf_counter())
            began = perf_counter()
            await client.act(type="execute_js", script="1+1")
            taken.append((perf_counter() - began) * 1000)

    for client in everyone:
        await client.act(type="navigate", url=url)
    started = perf_counter()
    await asyncio.gather(*(work(number, client) for number, client in enumerate(everyone)))
    print(json.dumps({"seconds": perf_counter() - started, "ms": taken}))


if __name__ == "__main__":
    asyncio.run(main(**json.loads(sys.argv[1])))
