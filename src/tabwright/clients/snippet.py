"""What a client has to be told, ready to be pasted."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from tabwright.clients.known import Client

SERVER = "tabwright"
"""The name under which clients get to know us."""


def server_entry(client: Client, command: str | None = None) -> dict[str, Any]:
    """The entry of the server in the client's file."""
    typed = {"type": "stdio"} if client.typed else {}
    return {**typed, "command": command or our_command(), "args": ["mcp"]}


def our_command() -> str:
    """The name that clients start us by; the whole path where PATH does not lead to us."""
    beside = Path(sys.executable).with_name(SERVER)
    if shutil.which(SERVER) or not beside.is_file():
        return SERVER
    return str(beside)


def snippet(client: Client, command: str | None = None) -> str:
    """The part of the client's file that names us."""
    entry = server_entry(client, command)
    if not client.user["linux"].endswith(".toml"):
        return json.dumps({client.key: {SERVER: entry}}, indent=2, ensure_ascii=False)
    # A JSON string or list of strings is TOML as well.
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in entry.items()]
    return "\n".join([f"[{client.key}.{SERVER}]", *lines])
