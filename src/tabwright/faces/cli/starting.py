"""Commands that find no server: one of them starts it, and all go on with it."""

from __future__ import annotations

import fcntl
import os
import select
import subprocess
import sys
from pathlib import Path

from tabwright.config import load
from tabwright.errors import BrowserError, ConfigError, TabwrightError
from tabwright.faces.cli import client

READY = b"ready\n"
START_S = 60.0
LAST_WORDS = 300


def run(args: list[str]) -> int:
    """Run a command line with a server that is started for it."""
    home = Path(client.server_home())
    died = (home / "socket").exists()
    try:
        _bring(home)
    except TabwrightError as error:
        return _told(error, args)
    if died:
        client.say("The server had ended, and its pages with it; this is a new one.")
    return client.main(args, begin=_no_more)


def _no_more(args: list[str]) -> int:
    """Not for ever: a server that is not there although it was just started."""
    error = BrowserError(
        "The server does not stay, or is of another version than this program.",
        hint="Install Tabwright again, or look into the log in the server's directory.",
    )
    return _told(error, args)


def _told(error: TabwrightError, args: list[str]) -> int:
    from tabwright.faces.cli.output import print_error

    print_error(error.about(action=client.command_of(args)), as_json="--json" in args)
    return error.exit_code


def _bring(home: Path) -> None:
    """Start a server, unless somebody else just did."""
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        starting = os.open(home / "starting", flags, 0o600)
    except OSError as error:
        raise ConfigError(
            f"The server needs the directory {str(home)!r}: {error.strerror}.",
            hint="Make it yours and writable.",
        ) from None
    try:
        fcntl.flock(starting, fcntl.LOCK_EX)
        try:
            client.connect(str(home)).close()
        except client.Gone:
            # What is wrong with the settings is told here, where somebody reads it.
            load(cwd=home)
            _launch(home)
    finally:
        os.close(starting)


def _launch(home: Path) -> None:
    """Start it and wait until it listens, or has said why it does not."""
    try:
        with (home / "log").open("wb") as log:
            # It closes what else it inherits itself.
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "tabwright.faces.cli.background"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
    except OSError as error:
        raise ConfigError(f"The server cannot be started: {error}.") from None
    assert process.stdout is not None
    answer = b""
    while select.select([process.stdout], [], [], START_S)[0]:
        piece = os.read(process.stdout.fileno(), client.CHUNK)
        answer += piece
        if not piece or answer == READY:
            break
    else:
        process.kill()
    process.stdout.close()
    if answer == READY:
        process.returncode = 0  # It lives on without us.
        return
    process.wait()
    raise BrowserError(
        f"The server did not start: {_last_words(answer, home)}",
        hint=f"{home / 'log'} may say more; `tabwright doctor` looks for causes.",
    )


def _last_words(answer: bytes, home: Path) -> str:
    told = answer or (home / "log").read_bytes()
    lines = told.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:LAST_WORDS] if lines else "it ended without a word."


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
