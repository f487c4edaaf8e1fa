"""The clients we know, and the files in which each keeps its servers on each platform."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tabwright.errors import InputError


@dataclass(frozen=True, slots=True)
class ClientFile:
    """A file that names servers, and under which key."""

    path: Path
    key: str
    within: tuple[str, ...] = ()
    """The tables around it."""

    @property
    def toml(self) -> bool:
        """TOML; the others are JSON."""
        return self.path.suffix == ".toml"


@dataclass(frozen=True, slots=True)
class Client:
    """A program that speaks MCP."""

    name: str
    """As it is typed: `claude-code`."""

    title: str

    key: str
    """The table of its file in which the servers stand."""

    user: Mapping[str, str]
    """The user's file on `linux`, `darwin` and `win32`; `~` is the home directory."""

    project: str = ""
    """The file of a project, relative to it; empty when there is none."""

    projects_within: str = ""
    """The table of the user's file in which projects stand by their directories."""

    home_variable: str = ""
    """A variable that moves the directory of the user's file."""

    typed: bool = False
    """Each entry says that it is of type `stdio`."""

    def user_file(
        self, env: Mapping[str, str], home: Path, *, platform: str = sys.platform
    ) -> ClientFile:
        """Where the user's servers stand; the file need not exist."""
        written = self.user.get(platform, self.user["linux"])
        if moved := env.get(self.home_variable, "") if self.home_variable else "":
            return ClientFile(Path(moved) / Path(written).name, self.key)
        for variable, default in _ROOTS.items():
            if written.startswith(variable):
                root = env.get(variable.strip("%"), "")
                base = Path(root) if Path(root).is_absolute() else home / default
                return ClientFile(base / written.removeprefix(f"{variable}/"), self.key)
        return ClientFile(home / written.removeprefix("~/"), self.key)

    def files(self, env: Mapping[str, str], home: Path, cwd: Path) -> list[ClientFile]:
        """Every file that it reads when it is started here."""
        user = self.user_file(env, home)
        found = [user]
        if self.projects_within:
            found.append(ClientFile(user.path, self.key, (self.projects_within, str(cwd))))
        if self.project:
            found.append(ClientFile(cwd / self.project, self.key))
        # Somebody may work in the home directory itself.
        return list(dict.fromkeys(found))


_ROOTS = {"%APPDATA%": "AppData/Roaming", "%XDG_CONFIG_HOME%": ".config"}
_MAC = "~/Library/Application Support"

CLIENTS = (
    Client(
        name="claude-desktop",
        title="Claude Desktop",
        key="mcpServers",
        user={
            "linux": "%XDG_CONFIG_HOME%/Claude/claude_desktop_config.json",
            "darwin": f"{_MAC}/Claude/claude_desktop_config.json",
            "win32": "%APPDATA%/Claude/claude_desktop_config.json",
        },
    ),
    Client(
        name="claude-code",
        title="Claude Code",
        key="mcpServers",
        user={"linux": "~/.claude.json"},
        project=".mcp.json",
        projects_within="projects",
        home_variable="CLAUDE_CONFIG_DIR",
    ),
    Client(
        name="cursor",
        title="Cursor",
        key="mcpServers",
        user={"linux": "~/.cursor/mcp.json"},
        project=".cursor/mcp.json",
    ),
    Client(
        name="vscode",
        title="VS Code",
        key="servers",
        user={
            "linux": "%XDG_CONFIG_HOME%/Code/User/mcp.json",
            "darwin": f"{_MAC}/Code/User/mcp.json",
            "win32": "%APPDATA%/Code/User/mcp.json",
        },
        project=".vscode/mcp.json",
        typed=True,
    ),
    Client(
        name="codex",
        title="Codex",
        key="mcp_servers",
        user={"linux": "~/.codex/config.toml"},
        project=".codex/config.toml",
        home_variable="CODEX_HOME",
    ),
)


def client_named(name: str) -> Client:
    """The client of that name.

    Raises:
        InputError: there is none.
    """
    for client in CLIENTS:
        if name.casefold() in {client.name, client.title.casefold()}:
            return client
    known = ", ".join(client.name for client in CLIENTS)
    raise InputError(f"There is no client {name!r}.", hint=f"Clients are: {known}.")


def home_of(env: Mapping[str, str] | None = None) -> Path:
    """The home directory that an environment names."""
    env = os.environ if env is None else env
    return Path(env.get("HOME") or env.get("USERPROFILE") or Path.home())
