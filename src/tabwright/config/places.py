"""Where a machine keeps settings, state and caches, and where the configuration files are."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_APP = "tabwright"


@dataclass(frozen=True, slots=True)
class Places:
    """The directories of one user."""

    config: Path
    state: Path
    cache: Path

    @property
    def user_file(self) -> Path:
        """The user's configuration file; it need not exist."""
        return first_of(self.config, "config") or self.config / "config.toml"

    @property
    def token_file(self) -> Path:
        """The token that the control server asks for; only its owner may read it."""
        return self.state / "token"

    @property
    def server(self) -> Path:
        """The directory of the server that commands share; only its owner may enter it."""
        return self.state / "server"


def places(
    env: Mapping[str, str] | None = None,
    home: Path | None = None,
    *,
    platform: str = sys.platform,
) -> Places:
    """The directories a platform sets aside for programs."""
    env = os.environ if env is None else env
    home = home or Path(env.get("HOME") or env.get("USERPROFILE") or Path.home())

    def base(variable: str, *default: str) -> Path:
        given = env.get(variable, "")
        # XDG asks for relative values to be ignored.
        return (Path(given) if Path(given).is_absolute() else home.joinpath(*default)) / _APP

    if platform == "darwin":
        support = home / "Library" / "Application Support" / _APP
        return Places(support, support, home / "Library" / "Caches" / _APP)
    if platform == "win32":
        local = base("LOCALAPPDATA", "AppData", "Local")
        return Places(base("APPDATA", "AppData", "Roaming"), local, local / "Cache")
    return Places(
        base("XDG_CONFIG_HOME", ".config"),
        base("XDG_DATA_HOME", ".local", "share"),
        base("XDG_CACHE_HOME", ".cache"),
    )


def first_of(directory: Path, stem: str) -> Path | None:
    """The configuration file of that name in a directory; TOML before JSON."""
    candidates = (directory / f"{stem}{ending}" for ending in (".toml", ".json"))
    return next((path for path in candidates if path.is_file()), None)


def project_file(cwd: Path) -> Path | None:
    """The nearest `tabwright.toml` (or `.json`), from here up to the root of the repository."""
    for directory in (cwd, *cwd.parents):
        if found := first_of(directory, _APP):
            return found
        if (directory / ".git").exists():
            return None
    return None
