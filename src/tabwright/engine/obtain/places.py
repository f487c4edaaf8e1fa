"""Where browsers are installed, per operating system."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tabwright.engine.obtain.browser import Kind

LINUX = (
    "/opt/google/chrome/chrome",
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/usr/lib64/chromium-browser/chromium-browser",
    "/snap/bin/chromium",
    "/opt/microsoft/msedge/msedge",
    "/opt/brave.com/brave/brave",
)
LINUX_SHELL = (
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/lib64/chromium-browser/headless_shell",
)
MAC_APPS = ("Google Chrome", "Chromium", "Microsoft Edge", "Brave Browser")
WINDOWS = (
    "Google/Chrome/Application/chrome.exe",
    "Chromium/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
    "BraveSoftware/Brave-Browser/Application/brave.exe",
)
PLAYWRIGHT = {
    "shell": (
        "chromium_headless_shell-*/*/chrome-headless-shell",
        "chromium_headless_shell-*/*/chrome-headless-shell.exe",
        "chromium_headless_shell-*/*/headless_shell",
    ),
    "full": (
        "chromium-[0-9]*/chrome-linux*/chrome",
        "chromium-[0-9]*/chrome-win*/chrome.exe",
        "chromium-[0-9]*/chrome-mac*/*.app/Contents/MacOS/*",
    ),
}


def places(kind: Kind) -> Iterator[Path]:
    """Paths at which a browser of this kind may lie, best first; most do not exist."""
    match sys.platform:
        case "darwin":
            yield from _mac(kind)
        case "win32":
            yield from _windows(kind)
        case _:
            yield from map(Path, LINUX_SHELL if kind == "shell" else LINUX)
    yield from _playwright(kind)


def _mac(kind: Kind) -> Iterator[Path]:
    if kind == "shell":
        return
    for root in (Path("/Applications"), Path.home() / "Applications"):
        for app in MAC_APPS:
            yield root / f"{app}.app" / "Contents" / "MacOS" / app


def _windows(kind: Kind) -> Iterator[Path]:
    if kind == "shell":
        return
    for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
        if root := os.environ.get(variable):
            yield from (Path(root) / place for place in WINDOWS)


def _playwright(kind: Kind) -> Iterator[Path]:
    root = _playwright_root()
    if not root.is_dir():
        return
    found = [path for pattern in PLAYWRIGHT[kind] for path in root.glob(pattern)]
    yield from sorted(found, key=_revision, reverse=True)


def _playwright_root() -> Path:
    chosen = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    if chosen not in {"", "0"}:
        return Path(chosen)
    match sys.platform:
        case "darwin":
            parent = Path.home() / "Library" / "Caches"
        case "win32":
            parent = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
        case _:
            parent = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return parent / "ms-playwright"


def _revision(path: Path) -> int:
    match = re.search(r"chromium(?:_headless_shell)?-(\d+)", str(path))
    return int(match[1]) if match else 0
