"""Reading the files of clients: which servers they name, and which of them are us."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tabwright.clients.known import ClientFile

Tree = dict[str, Any]

_OUR_ADDRESS = re.compile(r"https?://(127\.0\.0\.1|localhost|\[::1\]):18791/mcp/?")
_US = re.compile(r"tabwright(\.exe)?([@=<>~!\[].*)?")


class UnreadableFile(Exception):
    """A file that is there, but cannot be understood; the text says why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A server as a file names it."""

    name: str
    path: Path
    given: Mapping[str, Any]

    @property
    def ours(self) -> bool:
        """Whether it starts Tabwright's MCP server, however it is started."""
        if _OUR_ADDRESS.fullmatch(str(self.given.get("url", ""))):
            return True
        words = [self.given.get("command"), *_list(self.given.get("args"))]
        texts = [word for word in words if isinstance(word, str)]
        at = next((i for i, word in enumerate(texts) if _US.fullmatch(_last(word))), None)
        return at is not None and "mcp" in texts[at + 1 :]


def read_tree(file: ClientFile) -> tuple[str, Tree]:
    """The text of a file and what it says; empty when it does not exist.

    Raises:
        UnreadableFile: it is not what it should be.
    """
    try:
        text = file.path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return "", {}
    except UnicodeDecodeError:
        raise UnreadableFile("it is not UTF-8") from None
    except OSError as error:
        raise UnreadableFile(f"it cannot be read: {error.strerror}") from None
    if not text.strip():
        return text, {}
    return text, _toml(text) if file.toml else _json(text)


def _toml(text: str) -> Tree:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UnreadableFile(f"it is not TOML: {error}") from None


def _json(text: str) -> Tree:
    try:
        tree: Any = json.loads(text, object_pairs_hook=_once_each)
    except (json.JSONDecodeError, RecursionError) as error:
        raise UnreadableFile(f"it is not JSON without comments: {error}") from None
    if not isinstance(tree, dict):
        raise UnreadableFile("it is not a JSON object")
    return cast("Tree", tree)


def _once_each(pairs: list[tuple[str, Any]]) -> Tree:
    tree = dict(pairs)
    if len(tree) < len(pairs):
        raise UnreadableFile("it gives a key twice")
    return tree


def entries_in(file: ClientFile) -> Iterator[Entry]:
    """The servers that a file names.

    Raises:
        UnreadableFile: it is not what it should be.
    """
    _, tree = read_tree(file)
    for around in file.within:
        tree = _table(tree.get(around))
    for name, given in _table(tree.get(file.key)).items():
        yield Entry(name, file.path, _table(given))


def our_entries(file: ClientFile) -> list[Entry]:
    """Those that start us.

    Raises:
        UnreadableFile: it is not what it should be.
    """
    return [entry for entry in entries_in(file) if entry.ours]


def _last(word: str) -> str:
    return re.split(r"[\\/]", word)[-1]


def _table(value: object) -> Tree:
    return cast("Tree", value) if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []
