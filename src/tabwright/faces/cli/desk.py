"""Where the server takes command lines from its clients: a socket that is its owner's alone."""

from __future__ import annotations

import asyncio
import fcntl
import io
import os
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tabwright.faces.cli.client import HEAD, PROTOCOL, VERSION, end_hung
from tabwright.faces.cli.terminal import Terminal

LONGEST_HEAD = 200
LARGEST_BODY = 16 * 2**20
BACKLOG = 64
ENDING_S = 10.0
LEAVING_S = 2.0
BEAT_S = 2.0
RETRY_S = 0.02

Serve = Callable[["Request", "Client"], Awaitable[int]]


@dataclass(frozen=True)
class Request:
    """A command line, and where it was typed."""

    version: str
    terminals: str
    columns: int
    cwd: Path
    env: dict[str, str]
    args: list[str]


class Malformed(Exception):  # it states the fact
    """What came is not a request of ours."""


class Outdated(Exception):  # it states the fact
    """The client is of a later version than this server."""


class Desk:
    """Listens in a directory; of several servers, the first one does."""

    def __init__(self, home: Path, serve: Serve, end: Callable[[], None]) -> None:
        self._home = home
        self._serve = serve
        self._end = end
        self._lock: io.TextIOWrapper | None = None
        self._server: asyncio.Server | None = None
        self._clients: dict[asyncio.Task[None], Client] = {}
        self._inode = 0

    async def open(self) -> bool:
        """Listen; says whether we do, which we do not when another server does."""
        self._home.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._home.chmod(0o700)
        self._lock = (self._home / "lock").open("a+", encoding="ascii")
        if not await self._is_ours(self._lock):
            self._lock.close()
            return False
        self._lock.truncate(0)
        self._lock.write(f"{os.getpid()} {VERSION}\n")
        self._lock.flush()
        self._server = await asyncio.start_unix_server(self._take, sock=self._bound())
        self._inode = (self._home / "socket").stat().st_ino
        return True

    async def _is_ours(self, lock: io.TextIOWrapper) -> bool:
        """Take the lock, unless a server that listens has it; one that is ending is waited for."""
        deadline = asyncio.get_running_loop().time() + ENDING_S
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if self._is_answered():
                    return False
            else:
                return True
            if asyncio.get_running_loop().time() > deadline:
                end_hung(str(self._home))
            await asyncio.sleep(RETRY_S)

    def _is_answered(self) -> bool:
        with _at(self._home), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            return probe.connect_ex("socket") == 0

    def _bound(self) -> socket.socket:
        # Whoever holds the lock knows that this is of a server that is no more.
        (self._home / "socket").unlink(missing_ok=True)
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        with _at(self._home):
            listening.bind("socket")
        (self._home / "socket").chmod(0o600)
        listening.listen(BACKLOG)
        return listening

    def is_reachable(self) -> bool:
        """Whether clients find us: somebody may have removed our directory."""
        try:
            return (self._home / "socket").stat().st_ino == self._inode
        except OSError:
            return False

    async def close(self) -> None:
        """Give up what is under way, tell those who wait, and leave nothing but the log."""
        if self._server is None or self._lock is None:
            return
        self._server.close()
        if self.is_reachable():
            (self._home / "socket").unlink()
        for client in self._clients.values():
            client.leave()
        if self._clients:
            await asyncio.wait(self._clients, timeout=LEAVING_S)
        for task in list(self._clients):
            task.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)
        # Who reads it now must not take another process for us.
        self._lock.truncate(0)
        self._server = None

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = Client(reader, writer)
        task = asyncio.current_task()
        assert task is not None
        self._clients[task] = client
        beating = asyncio.create_task(client.beat(), name="tabwright client")
        try:
            code = await self._serve(await read_request(reader), client)
            client.send("x", str(code).encode("ascii"))
            await writer.drain()
        except (Malformed, ConnectionError, asyncio.IncompleteReadError):
            pass  # Nobody is there to be told.
        except Outdated:
            told = f"The server was of version {VERSION}, and ends with its pages for a new one."
            client.send("v", told.encode("ascii"))
            self._end()
        finally:
            beating.cancel()
            del self._clients[task]
            client.close()


@contextmanager
def _at(directory: Path) -> Generator[None]:
    """Be there meanwhile: the address of a socket has room for a hundred characters only."""
    before = Path.cwd()
    os.chdir(directory)
    try:
        yield
    finally:
        os.chdir(before)


class Client:
    """The other end of a connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.gone = asyncio.Event()
        self._reader = reader
        self._writer = writer
        self._watching: asyncio.Task[None] | None = None
        self._input = asyncio.Queue[bytes]()

    def send(self, kind: str, data: bytes = b"") -> None:
        """Send a frame."""
        if not self._writer.is_closing():
            self._writer.write(b"%s%08x%s" % (kind.encode("ascii"), len(data), data))

    async def beat(self) -> None:
        """Say from time to time that we are here, so that a client knows when we hang."""
        while True:
            self.send("k")
            await asyncio.sleep(BEAT_S)

    def leave(self) -> None:
        """Have it leave: what it waits for is given up, what it still sends is not waited for."""
        self.gone.set()
        self._input.put_nowait(b"")

    def watch(self) -> None:
        """Know from now on when it leaves."""
        self._watching = asyncio.create_task(self._watch(), name="tabwright client")

    async def _watch(self) -> None:
        try:
            while True:
                head = await self._reader.readexactly(HEAD)
                self._input.put_nowait(await self._reader.readexactly(int(head[1:], 16)))
        except (asyncio.IncompleteReadError, ConnectionError, ValueError):
            self.leave()

    async def input(self) -> AsyncIterator[bytes]:
        """What it is given on its standard input, piece by piece."""
        self.send("i")
        while part := await self._input.get():
            yield part

    def close(self) -> None:
        """Hang up."""
        if self._watching is not None:
            self._watching.cancel()
        self._writer.close()
        if self.gone.is_set():
            # Whoever does not read would keep it open.
            self._writer.transport.abort()


class Stream(io.StringIO):
    """Standard output or errors of a client."""

    def __init__(self, client: Client, kind: str, *, terminal: bool) -> None:
        super().__init__()
        self._client = client
        self._kind = kind
        self._terminal = terminal

    def write(self, text: str, /) -> int:
        """Send it on."""
        self._client.send(self._kind, text.encode("utf-8", "backslashreplace"))
        return len(text)

    def isatty(self) -> bool:
        """Whether a person reads it."""
        return self._terminal


def terminal_of(request: Request, client: Client) -> Terminal:
    """Where the words of a request's command go."""
    _, out, err = (each == "t" for each in request.terminals)
    return Terminal(
        Stream(client, "o", terminal=out),
        Stream(client, "e", terminal=err),
        request.columns,
        request.env,
    )


async def read_request(reader: asyncio.StreamReader) -> Request:
    """What the client asks.

    Raises:
        Malformed: it is not a client of ours.
        Outdated: it is one of a later version.
    """
    head = (await reader.readline())[:LONGEST_HEAD]
    try:
        name, protocol, version, *rest = head.decode("ascii").split()
        if name == "tabwright" and _order(version) > _order(VERSION):
            raise Outdated
        terminals, columns, variables, size = rest
        count, length = int(variables), int(size)
    except ValueError:
        raise Malformed from None
    if (name, protocol) != ("tabwright", PROTOCOL) or not 0 <= length <= LARGEST_BODY:
        raise Malformed
    body = (await reader.readexactly(length)).decode("utf-8", "surrogateescape")
    cwd, *rest = body.split("\0")
    pairs = [entry.partition("=") for entry in rest[:count]]
    env = {key: value for key, _, value in pairs}
    return Request(version, terminals, int(columns), Path(cwd), env, rest[count:])


def _order(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]
