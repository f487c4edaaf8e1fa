"""Telling a client about us in its own file, and changing nothing else there."""

from __future__ import annotations

import json
import re
from collections.abc import MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from tabwright.clients.known import Client, ClientFile
from tabwright.clients.reading import Entry, Tree, UnreadableFile, our_entries, read_tree
from tabwright.clients.snippet import SERVER, server_entry, snippet
from tabwright.config.replacing import replace_file
from tabwright.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Merged:
    """What was done to a file."""

    path: Path
    change: Literal["made", "added", "changed", "none"]
    text: str
    """In a sentence."""


def merge(client: Client, file: ClientFile, command: str | None = None) -> Merged:
    """Name us in the file; whatever else is there stays.

    Raises:
        ConfigError: the file cannot be understood, or not be written. It is as it was.
    """
    try:
        before, tree = read_tree(file)
        known = our_entries(file)
        after, merged = _merged(client, file, before, tree, known, command)
    except UnreadableFile as error:
        raise ConfigError(
            f"{client.title}'s file {str(file.path)!r} was left alone: {error}.",
            hint=f"Put this into it by hand:\n{snippet(client, command)}",
            path=str(file.path),
        ) from None
    if merged.change != "none":
        _write(client, file, after)
    return merged


def _merged(
    client: Client,
    file: ClientFile,
    before: str,
    tree: Tree,
    known: list[Entry],
    command: str | None,
) -> tuple[str, Merged]:
    wanted, path = server_entry(client, command), file.path
    if other := next((entry.name for entry in known if entry.name != SERVER), None):
        told = f"{path} names Tabwright already, as {other!r}; nothing was changed."
        return before, Merged(path, "none", told)
    servers = tree.get(file.key, {})
    if not isinstance(servers, dict):
        raise UnreadableFile(f"{file.key!r} is no table there")
    stood = cast("Tree", servers).get(SERVER)
    if stood is not None and not isinstance(stood, dict):
        raise UnreadableFile(f"{SERVER!r} is no table there")
    was = cast("Tree", stood or {})
    differing = {name: value for name, value in wanted.items() if was.get(name) != value}
    if not differing:
        return before, Merged(path, "none", f"{path} names Tabwright already; nothing was changed.")
    after = (_edited_toml if file.toml else _edited_json)(before, file.key, differing)
    if not before.strip():
        return after, Merged(path, "made", f"{path} is new: it names Tabwright and nothing else.")
    if stood is None:
        told = f"{SERVER!r} was added to {file.key!r} in {path}; the rest is as it was."
        return after, Merged(path, "added", told)
    changes = ", ".join(_change(name, was.get(name), value) for name, value in differing.items())
    told = f"{SERVER!r} of {file.key!r} was changed in {path}: {changes}."
    return after, Merged(path, "changed", told)


def _change(name: str, was: Any, value: Any) -> str:
    before = "not set" if was is None else json.dumps(was, ensure_ascii=False)
    return f"{name} was {before} and is {json.dumps(value, ensure_ascii=False)}"


def _edited_json(before: str, key: str, differing: Tree) -> str:
    tree: Tree = json.loads(before) if before.strip() else {}
    tree.setdefault(key, {}).setdefault(SERVER, {}).update(differing)
    found = re.search(r"^\{\s*?\n([ \t]+)", before)
    indent = found[1] if found else "  "
    text = json.dumps(tree, indent=indent, ensure_ascii=before.isascii())
    return text + "\n" if not before or before.endswith("\n") else text


def _edited_toml(before: str, key: str, differing: Tree) -> str:
    import tomlkit

    document = tomlkit.parse(before)
    servers = cast("MutableMapping[str, Any]", document.setdefault(key, tomlkit.table(True)))
    if SERVER not in servers:
        servers[SERVER] = tomlkit.table()
    servers[SERVER].update(differing)
    return tomlkit.dumps(document)  # pyright: ignore[reportUnknownMemberType] - untyped there


def _write(client: Client, file: ClientFile, text: str) -> None:
    try:
        replace_file(file.path, text)
    except (OSError, UnicodeEncodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it holds what UTF-8 cannot"
        raise ConfigError(
            f"{client.title}'s file {str(file.path)!r} cannot be written: {reason}.",
            hint=f"Put this into it by hand:\n{snippet(client)}",
            path=str(file.path),
        ) from None
