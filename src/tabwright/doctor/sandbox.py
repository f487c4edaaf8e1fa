"""Whether Chromium's sandbox can run here, and whether it will."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tabwright.doctor.finding import Finding, failure, ok, warning
from tabwright.doctor.machine import Machine

SUBJECT = "sandbox"
PROBE_S = 10
# In a process of its own: whoever leaves the namespace cannot come back.
PROBE = "import ctypes, sys; sys.exit(ctypes.CDLL(None).unshare(0x10000000) != 0)"
APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")


def check(machine: Machine) -> Iterator[Finding]:
    """What `browser.sandbox` asks for against what the machine can do."""
    choice = machine.settings.browser.sandbox
    if choice == "off":
        told = "It is off: browser.sandbox says so. A page that breaks out has all your rights."
        yield warning(SUBJECT, told, "tabwright config set browser.sandbox auto")
        return
    reason, mend = obstacle()
    if not reason:
        yield ok(SUBJECT, "It is on.")
    elif choice == "on":
        yield failure(SUBJECT, f"browser.sandbox is on, but cannot run: {reason}.", mend)
    else:
        told = f"It is off, because it cannot run: {reason}. A page that breaks out has all your "
        yield warning(SUBJECT, f"{told}rights.", mend)


def obstacle() -> tuple[str, str]:
    """Why the sandbox cannot run, and what to do about it; both empty when it can."""
    if sys.platform != "linux":
        return "", ""
    if os.geteuid() == 0:
        return "Chromium has none as root", "Run Tabwright as another user than root"
    if _is_set(APPARMOR):
        allow = "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"
        return "AppArmor forbids user namespaces", allow
    if not _namespaces():
        return "user namespaces are not allowed", "sudo sysctl kernel.unprivileged_userns_clone=1"
    return "", ""


def _is_set(switch: Path) -> bool:
    try:
        return switch.read_text(encoding="utf-8").strip() == "1"
    except OSError:
        return False


def _namespaces() -> bool:
    try:
        probe = subprocess.run(
            [sys.executable, "-I", "-S", "-c", PROBE],
            check=False,
            capture_output=True,
            timeout=PROBE_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return probe.returncode == 0
