#!/bin/sh
""":"
at=$0
case $at in */*) ;; *) at=./$at ;; esac
while [ -h "$at" ]; do
    to=$(readlink "$at")
    case $to in /*) at=$to ;; *) at=${at%/*}/$to ;; esac
done
exec "${at%/*}/python" -S -E "$at" "$@"
":"""

# The program `tabwright` as it is installed: sh runs the lines above, Python the rest.
#
# It hands a command line to the server, which is started when there is none, and prints what comes
# back. It is started for every command, so that each import counts: no module of ours, none with
# much behind it, and what a first start alone needs is imported there.

from __future__ import annotations

import posix
import sys
from _socket import AF_UNIX, SOCK_STREAM, socket

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

VERSION = "0.1.0"
PROTOCOL = "1"
HERE = ("completion", "config", "doctor", "install", "launch", "mcp", "onboard", "serve", "shell")
"""Commands that need no server."""
NEVER_START = ("close", "status", "stop")
"""Commands that are about the server which runs, if one does."""
WITH_VALUE = ("--profile", "--session", "--set")
PASSED_ON = (b"TABWRIGHT_", b"BROWSER_", b"XDG_", b"HOME=", b"NO_COLOR=", b"TERM=")
SIGN_OF_LIFE_S = 10
CHUNK = 65536
HEAD = 9
FAILED, REFUSED, INTERRUPTED = 3, 5, 130


class Gone(Exception):  # it states the fact
    """There is no server, or no more."""


def main(args: list[str], here: Callable[[list[str]], int] | None = None) -> int:
    """Run a command line; returns its exit code. `here` runs what needs no server."""
    options = args[: args.index("--")] if "--" in args else args
    command = command_of(args)
    if options == ["--version"]:
        write(1, f"tabwright {VERSION}\n".encode())
        return 0
    if not command or needs_no_server(args) or "--help" in options or "-h" in options:
        return here(args) if here else run_here(args)
    try:
        return ask(args, start=command not in NEVER_START)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return 1


def command_of(args: list[str]) -> str:
    """The first word that is no option."""
    words = iter(args)
    for word in words:
        if word in WITH_VALUE:
            next(words, "")
        elif not word.startswith("-"):
            return word
    return ""


def needs_no_server(args: list[str]) -> bool:
    """Whether the command runs in a process of its own."""
    command = command_of(args)
    return command in HERE and not (command == "mcp" and "--attach" in args)


def run_here(args: list[str]) -> int:
    """Become a process of the whole program."""
    posix.execv(sys.executable, [sys.executable, "-m", "tabwright.faces.cli.here", *args])


def ask(args: list[str], *, start: bool) -> int:
    """Have the server run it."""
    home = server_home()
    died = exists(f"{home}/socket")
    try:
        line = connect(home)
    except Gone:
        if not start:
            return absent(args)
        if died:
            say("The server had ended, and its pages with it. A new one is started.")
        line = started(home)
    answer = talk(line, args)
    if isinstance(answer, int):
        if answer == 0 and command_of(args) == "stop":
            wait_for_end(home)
        return answer
    say(answer)
    wait_for_end(home)
    return ask(args, start=start)


def absent(args: list[str]) -> int:
    """What is there to tell of a server that does not run."""
    told = '{"running": false}' if "--json" in args else "No server is running."
    write(1, f"{told}\n".encode())
    return 0


def server_home() -> str:
    """The directory of the server: ours alone, so that nobody else can answer there."""
    given = posix.environ.get(b"XDG_DATA_HOME", b"").decode("utf-8", "surrogateescape")
    home = posix.environ.get(b"HOME", b"").decode("utf-8", "surrogateescape")
    if not home:
        from pwd import getpwuid

        home = getpwuid(posix.geteuid()).pw_dir
    if sys.platform == "darwin":
        return f"{home}/Library/Application Support/tabwright/server"
    return f"{given if given.startswith('/') else f'{home}/.local/share'}/tabwright/server"


def connect(home: str) -> socket:
    """A connection to the server that runs."""
    try:
        facts = posix.stat(home)
    except OSError:
        raise Gone from None
    if facts.st_uid != posix.geteuid() or facts.st_mode & 0o077:
        say(f"Error: {home!r} is not private.\nHint: Make it yours, with mode 700, or delete it.")
        raise SystemExit(REFUSED)
    line = socket(AF_UNIX, SOCK_STREAM)
    before = posix.getcwd()
    try:
        # The address of a socket has room for a hundred characters only.
        posix.chdir(home)
        line.connect("socket")
    except OSError:
        line.close()
        raise Gone from None
    finally:
        posix.chdir(before)
    return line


def talk(line: socket, args: list[str]) -> int | str:
    """Send the command line and print what comes; returns the exit code, or why to try again."""
    environ = [b"%s=%s" % pair for pair in posix.environ.items()]
    passed = [entry for entry in environ if entry.startswith(PASSED_ON)]
    words = [word.encode("utf-8", "surrogateescape") for word in args]
    body = b"\0".join([posix.getcwdb(), *passed, *words])
    head = f"tabwright {PROTOCOL} {VERSION} {terminals()} {columns()} {len(passed)} {len(body)}\n"
    line.settimeout(SIGN_OF_LIFE_S)
    try:
        line.sendall(head.encode() + body)
        for kind, data in frames(line):
            if kind == b"x":
                return int(data)
            if kind == b"v":
                return data.decode()
            write(2 if kind == b"e" else 1, data)
    except TimeoutError:
        return end_hung(server_home())
    except (Gone, ConnectionError):
        say(
            "Error: The server ended before it answered; what it did of this is not known.\n"
            "Hint: Run `tabwright status`, and look at the page before you repeat it."
        )
        return FAILED
    finally:
        line.close()
    raise AssertionError


def terminals() -> str:
    """Which of input, output and errors are terminals."""
    return "".join("t" if posix.isatty(number) else "-" for number in (0, 1, 2))


def columns() -> int:
    """How wide the terminal is; 0 if it is none."""
    try:
        return posix.get_terminal_size(1).columns
    except OSError:
        return 0


def frames(line: socket) -> Iterator[tuple[bytes, bytes]]:
    """What the server sends, piece by piece; when it wants our input it gets it."""
    buffer = b""
    feeding = False
    while True:
        while len(buffer) >= HEAD and len(buffer) >= (end := HEAD + int(buffer[1:HEAD], 16)):
            kind, data, buffer = buffer[:1], buffer[HEAD:end], buffer[end:]
            if kind == b"i":
                feeding = True
            elif kind != b"k":
                yield kind, data
        feeding = feeding and feed(line)
        chunk = line.recv(CHUNK)
        if not chunk:
            raise Gone
        line.settimeout(None)
        buffer += chunk


def feed(line: socket) -> bool:
    """Pass our input on until the server has something to say; says whether there may be more."""
    from select import select

    while True:
        ready = select([0, line], [], [])[0]
        if 0 in ready:
            data = posix.read(0, CHUNK)
            line.sendall(b"i%08x" % len(data) + data)
            if not data:
                return False
        if line in ready:
            return True


def write(number: int, data: bytes) -> None:
    """Write all of it."""
    while data:
        data = data[posix.write(number, data) :]


def say(text: str) -> None:
    """Tell the person something of our own."""
    write(2, f"{text}\n".encode("utf-8", "replace"))


def exists(path: str) -> bool:
    """Whether there is such a file."""
    try:
        posix.stat(path)
    except OSError:
        return False
    return True


def started(home: str) -> socket:
    """A connection to a new server; of several who want one, the first starts it."""
    import fcntl
    import os

    try:
        os.makedirs(home, 0o700, exist_ok=True)
        starting = os.open(f"{home}/starting", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        say(f"Error: The server needs the directory {home!r}: {error.strerror}.")
        raise SystemExit(REFUSED) from None
    try:
        fcntl.flock(starting, fcntl.LOCK_EX)
        try:
            return connect(home)
        except Gone:
            launch(home)
        return connect(home)
    except Gone:
        say(f"Error: The server did not start.\nHint: {home}/log may say why.")
        raise SystemExit(FAILED) from None
    finally:
        os.close(starting)


def launch(home: str) -> None:
    """Start the server and wait until it listens, or has said why it does not."""
    import os

    ready, told = os.pipe()
    process = os.posix_spawn(
        sys.executable,
        [sys.executable, "-m", "tabwright.faces.cli.background"],
        os.environ,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, told, 1),
            (os.POSIX_SPAWN_OPEN, 2, f"{home}/log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        ],
        setsid=True,
    )
    os.close(told)
    with os.fdopen(ready, "rb") as pipe:
        answer = pipe.read()
    if answer != b"ready\n":
        write(2, answer)
        _, status = os.waitpid(process, 0)
        raise SystemExit(os.waitstatus_to_exitcode(status) or FAILED)


def wait_for_end(home: str) -> None:
    """Wait until the server's process is gone: the kernel gives its lock away then."""
    import fcntl
    import os

    lock = os.open(f"{home}/lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
    finally:
        os.close(lock)


def end_hung(home: str) -> str:
    """End a server that does not even say that it heard us."""
    import fcntl
    import os
    import signal

    with open(f"{home}/lock", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.kill(int(lock.read().split()[0]), signal.SIGKILL)
    return "The server did not answer and was ended, its pages with it. A new one is started."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
