"""A Chromium process of ours: started, watched, ended, and never left behind.

The process holds one end of a pipe (`--remote-debugging-pipe`) whose other end we hold. When we
die, however we die, the kernel closes it and Chromium quits by itself. What even that cannot end
(a stopped process) is written in the ledger and reaped at the next start.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import sys
import threading
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tabwright.engine.ledger import Run
from tabwright.errors import LaunchFailed

LAUNCH_TIMEOUT_S = 30.0
CLOSE_GRACE_S = 5.0
STDERR_LINES = 60
LISTENING = "DevTools listening on "
# Descriptors 3 and 4 are Chromium's; ours must not stand in their way while they are moved there.
FIRST_FREE_FD = 10
# /proc/PID/stat after the command's name: state, ppid, pgrp, session, tty, tpgid, flags …
# Places in /proc/PID/stat, counted from the state; a SIGKILL is pending for every thread at once.
STAT_FLAGS, STAT_PENDING = 6, 28
PF_EXITING = 0x4


@dataclass(frozen=True)
class LaunchPlan:
    """Everything that decides how a process is started."""

    executable: Path
    args: tuple[str, ...]
    user_data_dir: Path
    run: Run
    """Where the process is written down, should we die before it."""
    env: dict[str, str] = field(default_factory=dict[str, str])
    timeout_s: float = LAUNCH_TIMEOUT_S

    @property
    def argv(self) -> list[str]:
        """The command line."""
        own = ["--remote-debugging-port=0", f"--user-data-dir={self.user_data_dir}"]
        return [str(self.executable), *own, "--remote-debugging-pipe", *self.args]


class BrowserProcess:
    """A started Chromium."""

    def __init__(self, plan: LaunchPlan, pid: int, lifeline: tuple[int, int], stderr: int) -> None:
        self.plan = plan
        self.pid = pid
        self.endpoint = ""
        self.exited = asyncio.Event()
        self.stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self._lifeline = lifeline
        self._stderr_fd = stderr
        self._drain: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()
        self._gone = False

    @classmethod
    async def launch(cls, plan: LaunchPlan) -> BrowserProcess:
        """Start the browser and wait until it listens.

        Raises:
            LaunchFailed: it did not start, or ended before it listened. Nothing is left behind.
        """
        plan.user_data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            process = cls(plan, *_spawn(plan))
        except OSError as error:
            raise LaunchFailed(
                f"Cannot start {str(plan.executable)!r}: {error.strerror}.",
                hint="Check browser.executablePath, or run `tabwright install`.",
                executable=str(plan.executable),
            ) from error
        plan.run.started(process.pid)
        threading.Thread(target=process._wait, daemon=True, name="tabwright waitpid").start()
        try:
            await process._listen()
        except BaseException:
            await process.close(grace_s=0)
            raise
        return process

    async def close(self, *, grace_s: float = CLOSE_GRACE_S) -> None:
        """End the process and its children. May be called twice."""
        self._release_lifeline()
        if grace_s and not self.exited.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self.exited.wait(), grace_s)
        self.kill()
        await self.exited.wait()
        # Children of a killed Chromium may outlive it for a moment; the group dies as one.
        self._signal_group(signal.SIGKILL)
        if self._drain is not None:
            self._drain.cancel()
            await asyncio.gather(self._drain, return_exceptions=True)
        self.plan.run.ended(self.pid)

    @property
    def dying(self) -> bool:
        """Whether the process has been killed, also before its sockets show it.

        A killed Chromium takes tens of milliseconds to go. What is sent to it meanwhile is lost
        without a trace, so the kernel is asked before a call that must not be repeated.
        """
        return self._gone or _marked_for_death(self.pid)

    def kill(self) -> None:
        """Kill the process group at once."""
        if not self._gone:
            self._signal_group(signal.SIGKILL)

    def _signal_group(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def _release_lifeline(self) -> None:
        for fd in self._lifeline:
            os.close(fd)
        self._lifeline = ()  # pyright: ignore[reportAttributeAccessIssue]  # closed once

    def _wait(self) -> None:
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        self._gone = True
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.exited.set)

    async def _listen(self) -> None:
        found: asyncio.Future[str] = self._loop.create_future()
        reader = asyncio.StreamReader(limit=2**20)
        pipe = os.fdopen(self._stderr_fd, "rb", buffering=0)
        transport, _ = await self._loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), pipe
        )
        self._drain = asyncio.create_task(
            self._read_stderr(reader, transport, found), name="tabwright stderr"
        )
        try:
            self.endpoint = await asyncio.wait_for(found, self.plan.timeout_s)
        except TimeoutError:
            raise self._failed(f"did not listen within {self.plan.timeout_s:g} s") from None
        except EOFError:
            raise self._failed("ended before it listened") from None

    async def _read_stderr(
        self,
        reader: asyncio.StreamReader,
        transport: asyncio.ReadTransport,
        found: asyncio.Future[str],
    ) -> None:
        try:
            while line := await reader.readline():
                text = line.decode("utf-8", "replace").strip()
                self.stderr.append(text)
                if text.startswith(LISTENING) and not found.done():
                    found.set_result(text.removeprefix(LISTENING))
            if not found.done():
                found.set_exception(EOFError())
        finally:
            transport.close()

    def _failed(self, what: str) -> LaunchFailed:
        said = [line for line in self.stderr if line]
        sandbox = any("sandbox" in line.lower() for line in said)
        return LaunchFailed(
            f"{str(self.plan.executable)!r} {what}.",
            hint='Set browser.sandbox = "off" if this machine cannot run Chromium\'s sandbox.'
            if sandbox
            else "Run `tabwright install` to obtain a browser that works here.",
            executable=str(self.plan.executable),
            stderr=said[-5:] or None,
            sandbox=sandbox or None,
        )


def _spawn(plan: LaunchPlan) -> tuple[int, tuple[int, int], int]:
    commands, ours_out = _pipe()
    ours_in, answers = _pipe()
    stderr_ours, stderr_theirs = _pipe()
    theirs = (commands, answers, stderr_theirs)
    try:
        pid = os.posix_spawn(
            plan.executable,
            plan.argv,
            {**os.environ, **plan.env},
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_DUP2, stderr_theirs, 2),
                (os.POSIX_SPAWN_DUP2, commands, 3),
                (os.POSIX_SPAWN_DUP2, answers, 4),
            ],
            setpgroup=0,
        )
    except OSError:
        for fd in (ours_out, ours_in, stderr_ours):
            os.close(fd)
        raise
    finally:
        for fd in theirs:
            os.close(fd)
    return pid, (ours_out, ours_in), stderr_ours


def _pipe() -> tuple[int, int]:
    ends = os.pipe()
    high = tuple(fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, FIRST_FREE_FD) for fd in ends)
    for fd in ends:
        os.close(fd)
    return high[0], high[1]


def _marked_for_death(pid: int) -> bool:
    """Linux only: a SIGKILL is pending, or the process is on its way out."""
    if sys.platform != "linux":
        return False
    try:
        facts = _proc(pid, "stat").rpartition(b")")[2].split()
    except OSError:
        return True
    killed = int(facts[STAT_PENDING]) >> (signal.SIGKILL - 1) & 1
    return bool(killed or int(facts[STAT_FLAGS]) & PF_EXITING)


def _proc(pid: int, name: str) -> bytes:
    fd = os.open(f"/proc/{pid}/{name}", os.O_RDONLY)
    try:
        return os.read(fd, 4096)
    finally:
        os.close(fd)
