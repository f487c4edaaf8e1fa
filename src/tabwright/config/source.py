"""Where settings come from: files, the environment, flags."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tabwright.config.keys import Tree, annotation_at, known_keys, parts_of, plain, put, takes_json
from tabwright.config.problem import Problem, shown, unknown

PREFIX = "TABWRIGHT_"

UPSTREAM_NAMES = {
    "BROWSER_CONTROL_PORT": "controlServer.port",
    "BROWSER_EXECUTABLE_PATH": "browser.executablePath",
    "BROWSER_HEADLESS": "browser.headless",
    "BROWSER_DEFAULT_TIMEOUT": "browser.defaultTimeout",
    "BROWSER_IDLE_TIMEOUT": "browser.idleTimeout",
    "BROWSER_DEFAULT_PROFILE": "browser.defaultProfile",
    "BROWSER_USER_DATA_DIR": "paths.userDataBaseDir",
    "BROWSER_SCREENSHOT_DIR": "paths.screenshotDir",
    "BROWSER_DOWNLOAD_DIR": "paths.downloadDir",
    "BROWSER_LOG_LEVEL": "logging.level",
    "BROWSER_ALLOW_REMOTE": "security.allowRemoteProfiles",
}
"""Variables that are read besides `TABWRIGHT_…`, which win over them."""

NOT_JSON = 'must be JSON, such as ["a", "b"] or {"width": 800}'


@dataclass(frozen=True, slots=True)
class Layer:
    """What one source says."""

    source: str
    tree: Tree
    base: Path
    """Where its relative paths start."""

    text: bool = False
    """It can hold nothing but text, so that digits are a number there."""

    problems: tuple[Problem, ...] = ()
    """What the tree cannot show any more."""


class UnreadableError(Exception):
    """A source that cannot be read at all."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def parse_file(path: Path, text: str, source: str) -> Layer:
    """The layer of a configuration file.

    Raises:
        UnreadableError: it is not TOML, or not JSON.
    """
    try:
        tree = _json_table(text) if path.suffix == ".json" else tomllib.loads(text)
    except json.JSONDecodeError as error:
        where = f"{error.msg} at line {error.lineno}, column {error.colno}"
        raise UnreadableError(Problem(source, "", "", f"not JSON: {where}")) from None
    except tomllib.TOMLDecodeError as error:
        raise UnreadableError(Problem(source, "", "", f"not TOML: {_place(error, text)}")) from None
    except RecursionError:
        raise UnreadableError(Problem(source, "", "", "nested too deep")) from None
    except ValueError as error:
        raise UnreadableError(Problem(source, "", "", str(error))) from None
    return _layer(source, tree, path.parent)


def _place(error: Exception, text: str) -> str:
    message = re.sub(r" \(at (.*)\)$", r" at \1", str(error))
    if not message.endswith("at end of document"):
        return message
    last = text.splitlines() or [""]
    return f"{message}, line {len(last)}, column {len(last[-1]) + 1}"


def _json_table(text: str) -> Tree:
    tree: Any = json.loads(text, object_pairs_hook=_once_each)
    if not isinstance(tree, dict):
        raise ValueError("must be a JSON object")
    return cast("Tree", tree)


def _once_each(pairs: list[tuple[str, Any]]) -> Tree:
    tree = dict(pairs)
    if len(tree) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} is given twice")
    return tree


def parsed(path: Path, text: str, kind: str) -> Layer | Problem:
    """The layer of a file, or why there is none."""
    try:
        return parse_file(path, text, f"{kind} {path}")
    except UnreadableError as error:
        return error.problem


def read_file(path: Path, kind: str) -> Layer | Problem:
    """The layer of a file on disk, or why there is none."""
    try:
        return parsed(path, path.read_text(encoding="utf-8-sig"), kind)
    except UnicodeDecodeError:
        return Problem(f"{kind} {path}", "", "", "not UTF-8")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return Problem(f"{kind} {path}", "", "", f"cannot be read: {reason}")


def _layer(source: str, tree: Tree, base: Path, *, text: bool = False) -> Layer:
    """Profiles as a table, whether they were given as one or as a list; `openclaw` renamed."""
    given, problems = tree.get("profiles"), list[Problem]()
    if isinstance(given, list):
        profiles: Tree = {}
        for row in cast("list[Any]", given):
            name = _name_in(row)
            if name in profiles:
                problems.append(Problem(source, f"profiles.{name}", "", "is given twice"))
            profiles[name] = row
        tree = {**tree, "profiles": profiles}
    elif isinstance(given, dict):
        profiles = cast("Tree", given)
    else:
        return Layer(source, tree, base, text=text)
    if "isolated" not in profiles:
        renamed = {"isolated" if name == "openclaw" else name: profiles[name] for name in profiles}
        tree = {**tree, "profiles": renamed}
    return Layer(source, tree, base, text=text, problems=tuple(problems))


def _name_in(row: object) -> str:
    name = cast("Tree", row).get("name") if isinstance(row, dict) else None
    return name if isinstance(name, str) else ""


def environment(env: Mapping[str, str], cwd: Path) -> Iterator[Layer | Problem]:
    """A layer for each variable, or what is wrong with it; the ones that win come last."""
    for variable, key in UPSTREAM_NAMES.items():
        if env.get(variable):
            tree: Tree = {}
            put(tree, key.split("."), env[variable])
            yield Layer(f"environment {variable}", tree, cwd, text=True)
    ours = sorted(name for name in env if name.upper().startswith(PREFIX) and env[name])
    for variable in ours:
        read = _variable(variable, env[variable], cwd)
        if read is not None:
            yield read


def _variable(variable: str, text: str, cwd: Path) -> Layer | Problem | None:
    from tabwright.config.environment import tree_of

    name, source = variable[len(PREFIX) :], f"environment {variable}"
    key = ".".join(name.split("__"))
    try:
        tree = tree_of(name, text)
    except ValueError:
        return Problem(source, _spelled(name) or key, shown(key, text), NOT_JSON)
    if tree is not None:
        return _layer(source, tree, cwd, text=True)
    if "__" in name:
        return unknown(source, key.lower().split("."), text)
    # Other variables of ours may have the prefix; a setting with too few underscores is told.
    meant = _spelled(name)
    right = PREFIX + "__".join(plain(part).upper() for part in meant.split("."))
    expected = f"there is no such variable; did you mean {right}?"
    return Problem(source, meant, shown(meant, text), expected) if meant else None


def _spelled(name: str) -> str:
    """The key that is meant by a variable's name."""
    by_plain = {plain(key.replace(".", "")): key for key in known_keys()}
    return by_plain.get(plain(name), "")


def flags(overrides: Mapping[str, object], cwd: Path) -> Iterator[Layer | Problem]:
    """A layer for each flag that was given; None means that it was not."""
    for key, value in overrides.items():
        if value is None:
            continue
        parts, source, tree = parts_of(key), f"flag {key}", dict[str, Any]()
        if annotation_at(parts) is None:
            yield unknown(source, parts, value)
            continue
        try:
            put(tree, parts, from_text(parts, value))
        except ValueError:
            yield Problem(source, key, shown(key, value), NOT_JSON)
            continue
        yield _layer(source, tree, cwd, text=True)


def from_text(parts: list[str], value: object) -> object:
    """A value that may have been given as text; lists and tables are JSON then.

    Raises:
        ValueError: it is not JSON.
    """
    if isinstance(value, str) and takes_json(parts):
        return json.loads(value)
    return value
