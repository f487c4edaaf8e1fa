"""Whether a browser with a window has a screen to show it on."""

from __future__ import annotations

import re
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

from tabwright.config import resolve_profile
from tabwright.doctor.finding import Finding, failure, ok
from tabwright.doctor.machine import Machine
from tabwright.engine.launch import headless

SUBJECT = "display"
HEADLESS = "tabwright config set browser.headless true"
SOCKETS = Path("/tmp/.X11-unix")  # noqa: S108  # where X servers listen


def check(machine: Machine) -> Iterator[Finding]:
    """Ask the display, unless no window is wanted."""
    settings, env = machine.settings, machine.env
    if headless(resolve_profile(settings), settings):
        yield ok(SUBJECT, "None is needed: the browser is headless.")
    elif sys.platform != "linux":
        yield ok(SUBJECT, "The system has its own.")
    elif wayland := env.get("WAYLAND_DISPLAY"):
        path = Path(env.get("XDG_RUNTIME_DIR") or "/") / wayland
        yield _asked(f"WAYLAND_DISPLAY is {wayland!r}", path)
    elif x11 := env.get("DISPLAY"):
        local = re.fullmatch(r"(?:unix)?:(\d+)(?:\.\d+)?", x11)
        if local is None:
            yield ok(SUBJECT, f"DISPLAY is {x11!r}, on another machine.")
        else:
            yield _asked(f"DISPLAY is {x11!r}", SOCKETS / f"X{local[1]}")
    else:
        told = "The browser shall have a window, but there is no display."
        yield failure(SUBJECT, told, HEADLESS)


def _asked(told: str, path: Path) -> Finding:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except OSError as error:
            return failure(SUBJECT, f"{told}, but nobody answers there: {error}.", HEADLESS)
    return ok(SUBJECT, f"{told}, and it answers.")
