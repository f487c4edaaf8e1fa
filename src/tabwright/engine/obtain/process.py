"""Running the machine's own programs, and leaving none behind."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tabwright.engine.obtain.source import SourceFailed

LINE_LIMIT = 2**20


@dataclass(frozen=True)
class Ran:
    """How a program ended."""

    code: int
    out: str
    err: str

    def reason(self, prefix: str = "") -> str:
        """The first line that says why it failed, preferably one with this prefix."""
        lines = [line.strip() for line in f"{self.err}\n{self.out}".splitlines() if line.strip()]
        marked = [line for line in lines if prefix and line.startswith(prefix)]
        return next(iter(marked or lines), f"exit code {self.code}")


async def run(
    *command: str | Path,
    timeout_s: float,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    on_line: Callable[[str], None] | None = None,
) -> Ran:
    """Run a program to its end; it and its children are killed on timeout and cancellation.

    Raises:
        SourceFailed: it could not be started, or did not end in time.
    """
    program = Path(command[0]).name
    try:
        process = await _start(command, cwd, {**os.environ, **(env or {})})
    except OSError as error:
        raise SourceFailed(f"{program} cannot be started: {error.strerror or error}") from error
    try:
        async with asyncio.timeout(timeout_s), asyncio.TaskGroup() as group:
            out = group.create_task(_lines(process.stdout, on_line))
            err = group.create_task(_lines(process.stderr, None))
            code = await process.wait()
    except TimeoutError as error:
        raise SourceFailed(f"{program} did not end within {timeout_s:g} s") from error
    finally:
        await _end(process)
    return Ran(code, out.result(), err.result())


async def _start(command: Sequence[str | Path], cwd: Path | None, env: dict[str, str]) -> Process:
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(
            *map(str, command),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            cwd=cwd,
            env=env,
            start_new_session=True,
            limit=LINE_LIMIT,
        )
    )
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        # asyncio would kill the program alone, and wait for pipes that its children hold open.
        with contextlib.suppress(OSError):
            await _end(await starting)
        raise


async def _lines(stream: asyncio.StreamReader | None, on_line: Callable[[str], None] | None) -> str:
    assert stream is not None
    lines: list[str] = []
    async for raw in stream:
        line = raw.decode(errors="replace")
        lines.append(line)
        if on_line:
            on_line(line.rstrip())
    return "".join(lines)


async def _end(process: Process) -> None:
    # Also after a clean end: a child that stayed behind would keep the pipes open.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if os.name == "nt":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
