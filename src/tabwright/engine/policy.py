"""Which files a call may read or write."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path, PureWindowsPath
from urllib.parse import unquote

from tabwright.errors import PathRefused

DEVICES = ("/dev", "/proc", "/sys")
ALLOWED_HINT = "Use a path below one of: {roots}; or add a directory to security.allowedPaths."


class PathPolicy:
    """Decides on paths: symlinks are followed first, then the result must lie below a root."""

    def __init__(self, roots: Sequence[Path], *, allow_absolute: bool = False) -> None:
        self.roots = tuple(dict.fromkeys(root.expanduser().resolve() for root in roots))
        self.allow_absolute = allow_absolute

    def resolve(self, given: str, *, base: Path) -> Path:
        """The real path that `given` names, relative to `base`.

        Raises:
            PathRefused: it leaves the roots, or hides where it leads.
        """
        self._plain(given)
        path = _expanded(given)
        absolute = path.is_absolute()
        real = _followed(given, path if absolute else base / path)
        if any(real.is_relative_to(place) for place in DEVICES):
            raise _refused(given, "it leads to a device")
        if any(real.is_relative_to(root) for root in self.roots):
            return real
        if absolute and self.allow_absolute and ".." not in path.parts:
            return real
        raise PathRefused(
            f"The path {given!r} leads to {str(real)!r}, outside the allowed directories.",
            hint=ALLOWED_HINT.format(roots=", ".join(str(root) for root in self.roots)),
            path=given,
        )

    def _plain(self, given: str) -> None:
        reason = _unreadable(given) or _traversal(given)
        if reason:
            raise _refused(given, reason)


def _expanded(given: str) -> Path:
    try:
        return Path(given).expanduser()
    except RuntimeError as error:
        raise _refused(given, str(error)) from None


def _followed(given: str, path: Path) -> Path:
    try:
        real = path.resolve()
        real.lstat()
    except FileNotFoundError:
        return path.resolve()
    except (OSError, RuntimeError) as error:
        raise _refused(given, f"it cannot be followed ({error})") from None
    return real


def _refused(given: str, reason: str) -> PathRefused:
    return PathRefused(
        f"The path {given!r:.200} is refused: {reason}.",
        hint="Give a plain file name such as 'shots/login.png'.",
        path=given,
    )


def _unreadable(given: str) -> str:
    if not given.strip():
        return "it is empty"
    if any(unicodedata.category(c) in ("Cc", "Cs") for c in given):
        return "it has control characters"
    if len(given.encode("utf-8")) > 4096:
        return "it is too long"
    return ""


def _traversal(given: str) -> str:
    decoded = given
    for _ in range(3):
        decoded = unquote(decoded)
    encoded_dots = decoded != given and ".." in re.split(r"[\\/]", decoded)
    if encoded_dots:
        return "it hides '..' in percent signs"
    if "\\" in given and ".." in given.split("\\"):
        return "it leaves its directory with '..'"
    if ":" in given.split("/", 1)[0] and PureWindowsPath(given).drive:
        return "it names a drive"
    if PureWindowsPath(given.rsplit("/", 1)[-1]).is_reserved():
        return "it names a device"
    return ""
