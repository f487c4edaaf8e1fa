"""Whether pages have letters: without any font, pictures of pages show none."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from tabwright.doctor.browser import browser_of
from tabwright.doctor.finding import Finding, ok, warning
from tabwright.doctor.machine import Machine
from tabwright.errors import LaunchFailed
from tabwright.wording import many

SUBJECT = "fonts"
ENDINGS = {".ttf", ".otf", ".ttc", ".otc", ".pfb"}
SYSTEM = ("/usr/share/fonts", "/usr/local/share/fonts")
COUNTED = 1000
INSTALL = {
    "apt-get": "sudo apt-get install fonts-liberation fonts-noto-cjk fonts-noto-color-emoji",
    "dnf": "sudo dnf install liberation-fonts google-noto-sans-cjk-fonts google-noto-emoji-fonts",
    "apk": "sudo apk add font-liberation font-noto-cjk font-noto-emoji",
}


def check(machine: Machine) -> Iterator[Finding]:
    """Count font files. `fc-list` would be shorter, but writes into its cache."""
    if sys.platform != "linux":
        yield ok(SUBJECT, "The system has its own.")
        return
    if _brought(machine):
        yield ok(SUBJECT, "The browser brings its own, for this machine has none set up.")
        return
    data = Path(machine.env.get("XDG_DATA_HOME") or machine.home / ".local" / "share")
    places = [*map(Path, SYSTEM), machine.home / ".fonts", data / "fonts"]
    files = chain.from_iterable(place.rglob("*") for place in places if _seen(place))
    fonts = list(islice((file for file in files if file.suffix.lower() in ENDINGS), COUNTED))
    if fonts:
        more = " or more" if len(fonts) == COUNTED else ""
        yield ok(SUBJECT, f"{many(len(fonts), 'font file')}{more}.")
        return
    install = next((line for tool, line in INSTALL.items() if shutil.which(tool)), "")
    mend = install or "Install fonts"
    yield warning(SUBJECT, "There are none: pages and pictures show no letters.", mend)


def _brought(machine: Machine) -> bool:
    try:
        browser = browser_of(machine)
    except LaunchFailed:
        return False
    return browser is not None and "FONTCONFIG_FILE" in browser.env


def _seen(place: Path) -> bool:
    try:
        return place.is_dir()
    except OSError:
        return False
