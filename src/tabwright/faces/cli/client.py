"""The program `tabwright`: hands a command line to the server, and prints what comes back.

It is started for every command, so that each import counts: no module of ours, none with much
behind it. It is imported by itself, without the package around it (see the file `tabwright`). What
a command needs that finds no server is in `starting.py`.
"""

from __future__ import annotations

import posix
import sys
from _socket import AF_UNIX, SOCK_STREAM, socket

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import NoReturn

    Run = Callable[[list[str]], int]

VERSION = "0.1.0"
PROTOCOL = "1"
HERE = ("completion", "config", "doctor", "install", "launch", "mcp", "onboard", "serve", "shell")
"""Commands that need no server."""
NEVER_START = ("close", "status", "stop")
"""Commands that are about the server which runs, if one does."""
WITH_VALUE = ("--profile", "--session", "--set")
PASSED_ON = (
    *(b"TABWRIGHT_", b"BROWSER_", b"XDG_", b"HOME=", b"NO_COLOR=", b"TERM="),
    *(b"DISPLAY=", b"WAYLAND_DISPLAY=", b"XAUTHORITY=", b"TZ="),
    *(b"http_proxy=", b"https_proxy=", b"all_proxy=", b"no_proxy="),
    *(b"HTTP_PROXY=", b"HTTPS_PROXY=", b"ALL_PROXY=", b"NO_PROXY="),
)
SILENT_S = 10
"""A server that works says so more often."""
CHUNK = 65536
HEAD = 9
LONGEST_ADDRESS = 100
FAILED, REFUSED, INTERRUPTED = 3, 5, 130


class Gone(Exception):  # it states the fact
    """There is no server, or no more."""


class Unheard(Exception):  # it states the fact
    """Nobody reads what is printed."""


def run(args: list[str]) -> NoReturn:
    """Run a command line and end. Nothing is left to Python to clear up, which takes 2 ms."""
    try:
        code = main(args)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else FAILED
    posix._exit(code)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # public as os._exit


def main(args: list[str], here: Run | None = None, begin: Run | None = None) -> int:
    """Run a command line; returns its exit code.

    `here` runs what needs no server, `begin` what finds none.
    """
    open_closed()
    options = args[: args.index("--")] if "--" in args else args
    command = command_of(args)
    try:
        if "--version" in options and not command:
            write(1, f"tabwright {VERSION}\n".encode())
            return 0
        if not command or needs_no_server(args) or "--help" in options or "-h" in options:
            return (here or become("here"))(args)
        return ask(args, begin or become("starting"))
    except KeyboardInterrupt:
        return INTERRUPTED
    except Unheard:
        return 1


def command_of(args: list[str]) -> str:
    """The first word that is no option."""
    return next(words_of(args), "")


def words_of(args: list[str]) -> Iterator[str]:
    """The words that are neither options nor, as far as all commands have them, their values."""
    words = iter(args)
    for word in words:
        if word in WITH_VALUE:
            next(words, "")
        elif not word.startswith("-"):
            yield word


def needs_no_server(args: list[str]) -> bool:
    """Whether the command runs in a process of its own."""
    command = command_of(args)
    return command in HERE and not (command == "mcp" and "--attach" in args)


def become(module: str) -> Run:
    """Goes on as a process of the whole program."""
    # Without -P, modules of the directory that somebody stands in would be run.
    program = [sys.executable, "-P", "-m", f"tabwright.faces.cli.{module}"]
    return lambda args: posix.execv(sys.executable, [*program, *args])


def ask(args: list[str], begin: Run) -> int:
    """Have the server run it."""
    home, command = server_home(), command_of(args)
    try:
        line = connect(home)
    except Gone:
        return absent(args) if command in NEVER_START else begin(args)
    answer = talk(line, args)
    if isinstance(answer, str):
        if answer:
            say(answer)
        wait_for_end(home)
        return absent(args) if command in NEVER_START else begin(args)
    if answer == 0 and command == "stop":
        wait_for_end(home)
        write(1, b'{"running": false}\n' if "--json" in args else b"The server is stopped.\n")
    return answer


def absent(args: list[str]) -> int:
    """What is there to tell of a server that does not run."""
    write(1, b'{"running": false}\n' if "--json" in args else b"No server is running.\n")
    return 0


def server_home() -> str:
    """The directory of the server: ours alone, so that nobody else can answer there."""
    given = posix.environ.get(b"XDG_DATA_HOME", b"").decode("utf-8", "surrogateescape")
    home = posix.environ.get(b"HOME", b"").decode("utf-8", "surrogateescape")
    if not home:
        from pwd import getpwuid

        home = getpwuid(posix.geteuid()).pw_dir
    if not home.startswith("/"):
        refuse(f"HOME is {home!r}, which is no absolute path.", "Set it to one.")
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
        refuse(f"{home!r} is not private.", "Make it yours, with mode 700, or delete it.")
    line = socket(AF_UNIX, SOCK_STREAM)
    try:
        if len(home) < LONGEST_ADDRESS:
            line.connect(f"{home}/socket")
        else:
            connect_from(home, line)
    except OSError:
        line.close()
        raise Gone from None
    return line


def connect_from(home: str, line: socket) -> None:
    """Connect in the directory itself: the address of a socket has no room for long paths."""
    before = posix.open(".", posix.O_RDONLY)
    try:
        posix.chdir(home)
        line.connect("socket")
    finally:
        posix.fchdir(before)
        posix.close(before)


def talk(line: socket, args: list[str]) -> int | str:
    """Send the command line and print what comes; returns the exit code, or why to try again."""
    environ = [b"%s=%s" % pair for pair in posix.environ.items()]
    passed = [entry for entry in environ if entry.startswith(PASSED_ON)]
    words = [word.encode("utf-8", "surrogateescape") for word in args]
    body = b"\0".join([directory(), *passed, *words])
    head = f"tabwright {PROTOCOL} {VERSION} {terminals()} {columns()} {len(passed)} {len(body)}\n"
    line.settimeout(SILENT_S)
    heard = False
    try:
        line.sendall(head.encode() + body)
        for kind, data in frames(line):
            heard = True
            if kind == b"x":
                return int(data)
            if kind == b"v":
                return data.decode()
            if kind in b"oe":
                write(2 if kind == b"e" else 1, data)
    except TimeoutError:
        end_hung(server_home())
        if not heard:
            return "The server did not answer and was ended, its pages with it."
        refuse("The server hung and was ended; what it did of this is not known.", code=FAILED)
    except (Gone, ConnectionError):
        if not heard:
            return ""  # It was on its way out, and has not even begun.
        hint = "Run `tabwright status`, and look at the page before you repeat it."
        told = "The server ended before it answered; what it did of this is not known."
        refuse(told, hint, code=FAILED)
    finally:
        line.close()
    raise AssertionError


def directory() -> bytes:
    """Where the caller stands."""
    try:
        return posix.getcwdb()
    except OSError:
        refuse("The current directory is gone.", "Change to one that is there.")


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
            feeding = feeding or kind == b"i"
            yield kind, data
        feeding = feeding and feed(line)
        chunk = line.recv(CHUNK)
        if not chunk:
            raise Gone
        buffer += chunk


def feed(line: socket) -> bool:
    """Pass our input on until the server has something to say; says whether there may be more."""
    from select import select

    while True:
        ready = select([0, line], [], [], SILENT_S)[0]
        if not ready:
            raise TimeoutError
        if 0 in ready:
            data = posix.read(0, CHUNK)
            try:
                line.sendall(b"i%08x" % len(data) + data)
            except ConnectionError:
                return False  # It wants no more, and has said why.
            if not data:
                return False
        if line in ready:
            return True


def write(number: int, data: bytes) -> None:
    """Write all of it."""
    try:
        while data:
            data = data[posix.write(number, data) :]
    except OSError:
        raise Unheard from None


def say(text: str) -> None:
    """Tell the person something of our own."""
    write(2, f"{text}\n".encode("utf-8", "replace"))


def refuse(error: str, hint: str = "", *, code: int = REFUSED) -> NoReturn:
    """End with an error."""
    say(f"Error: {error}" + (f"\nHint: {hint}" if hint else ""))
    raise SystemExit(code)


def open_closed() -> None:
    """See that nothing else takes the place of a standard stream that is closed."""
    for number in (0, 1, 2):
        try:
            posix.fstat(number)
        except OSError:
            posix.open("/dev/null", posix.O_RDWR)


def wait_for_end(home: str) -> None:
    """Wait until the server's process is gone: the kernel gives its lock away then."""
    import fcntl
    import time

    lock = posix.open(f"{home}/lock", posix.O_RDWR | posix.O_CREAT | posix.O_CLOEXEC, 0o600)
    deadline = time.monotonic() + SILENT_S
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                end_hung(home)
            time.sleep(0.01)
        else:
            posix.close(lock)
            return


def end_hung(home: str) -> None:
    """End a server that is stuck, if it is one that holds the lock."""
    import fcntl

    with open(f"{home}/lock", encoding="ascii", errors="replace") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            number = lock.read().partition(" ")[0]
            if number.isdigit() and is_server(number):
                posix.kill(int(number), 9)


def is_server(number: str) -> bool:
    """Whether a process is a server of ours, as far as that can be known."""
    try:
        with open(f"/proc/{number}/cmdline", "rb") as words:
            return b"tabwright" in words.read()
    except OSError:
        return sys.platform != "linux"
