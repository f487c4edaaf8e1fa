"""What a browser on this machine is: where it lies, which kind, how to start it."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Kind = Literal["shell", "full"]
"""`shell`: the headless shell, cheap and without windows or extensions. `full`: everything."""

SHELL_NAMES = ("chromium-headless-shell", "chrome-headless-shell", "headless_shell")
FULL_NAMES = (
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "chromium",
    "chromium-browser",
    "msedge",
    "microsoft-edge",
    "brave",
    "brave-browser",
)
APP_NAMES = (
    "google chrome for testing",
    "google chrome",
    "chromium",
    "microsoft edge",
    "brave browser",
)


@dataclass(frozen=True)
class Browser:
    """A browser that can be started."""

    path: Path
    """The executable."""
    kind: Kind
    """What it is, which may be more than what was asked for."""
    source: str
    """`configured`, `system`, or `cache:` and the source it came from."""
    version: str = ""
    """Empty when unknown: nothing is started to learn it."""
    env: dict[str, str] = field(default_factory=dict[str, str])
    """Environment it needs beyond that of this process."""
    note: str = ""
    """What a person may want to know about it, such as how its checksum was verified."""


def names(kind: Kind) -> tuple[str, ...]:
    """The names under which executables of a kind are installed."""
    return SHELL_NAMES if kind == "shell" else FULL_NAMES


def kind_of(path: Path) -> Kind:
    """Tell a headless shell by its name, or by the name behind a link."""
    shell = any("headless" in name.lower() for name in (path.name, path.resolve().name))
    return "shell" if shell else "full"


def startable(path: Path) -> bool:
    """Whether the path is a file that may be executed."""
    return path.is_file() and os.access(path, os.X_OK)


def machine() -> str:
    """This platform, in the words of Chrome for Testing; empty where no builds exist."""
    arm = platform.machine().lower() in {"arm64", "aarch64"}
    match sys.platform:
        case "linux":
            return "linux-arm64" if arm else "linux64"
        case "darwin":
            return "mac-arm64" if arm else "mac-x64"
        case "win32":
            return "win64" if sys.maxsize > 2**32 else "win32"
        case _:
            return ""
