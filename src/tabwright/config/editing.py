"""Changing keys of a configuration file, and nothing else in it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tabwright.config.keys import (
    SAME_NAME,
    Tree,
    annotation_at,
    parts_of,
    put,
    remove,
    value_at,
)
from tabwright.config.loading import combine, files
from tabwright.config.model import Settings
from tabwright.config.problem import Problem, problems_in, refuse, shown, unknown
from tabwright.config.replacing import PRIVATE, replace_file
from tabwright.config.source import NOT_JSON, UnreadableError, from_text, parse_file
from tabwright.duration import AS_TEXT
from tabwright.errors import ConfigError

_OTHER_NAME = {
    **SAME_NAME,
    "browser.sandbox": "browser.noSandbox",
    "browser.noSandbox": "browser.sandbox",
}


def set_value(
    key: str,
    value: object,
    *,
    path: Path,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    home: Path | None = None,
) -> None:
    """Write one key; see `set_values`."""
    set_values({key: value}, path=path, cwd=cwd, env=env, home=home)


def set_values(
    changes: Mapping[str, object],
    *,
    path: Path,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    home: Path | None = None,
) -> None:
    """Write keys into a file, which keeps its comments; None takes a key out. All, or nothing.

    The other files count when the result is checked; the environment does not.

    Raises:
        ConfigError: the result would not be valid. The file is as it was.
    """
    env = os.environ if env is None else env
    target = path.resolve()
    stored = _all_stored(changes, target)
    text = _read(target) if target.exists() else ""
    edit = _edited_json if target.suffix == ".json" else _edited_toml
    for key, value in stored.items():
        text = edit(text, parts_of(key), value, target)
    combine(files(cwd or Path.cwd(), env, home, {target: text}), env=env, home=home)
    # It may hold tokens, so only its owner can read it.
    replace_file(target, text, mode=PRIVATE)


def problem_with(key: str, value: object) -> str:
    """What is wrong with a value, whatever the other keys say; empty when nothing is."""
    try:
        _stored(key, value, Path())
    except ConfigError as error:
        return str(error.details["problems"][0]["expected"])
    return ""


def _all_stored(changes: Mapping[str, object], target: Path) -> dict[str, Any]:
    stored: dict[str, Any] = {}
    problems: list[Problem] = []
    for key, value in changes.items():
        try:
            stored[key] = None if value is None else _stored(key, value, target)
        except ConfigError as error:
            problems += [Problem(**each) for each in error.details["problems"]]
    refuse(problems)
    return stored


def _read(target: Path) -> str:
    try:
        return target.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        refuse([Problem(f"file {target}", "", "", "not UTF-8")])
        raise


def _stored(key: str, value: object, target: Path) -> Any:
    """The value as the file shall hold it: `false` is no text, `30m` is."""
    parts, source, tree = parts_of(key), f"file {target}", dict[str, Any]()
    if annotation_at(parts) is None:
        refuse([unknown(source, parts, value)])
    try:
        given = from_text(parts, value)
        put(tree, parts, given)
        model = Settings.model_validate(tree, context=AS_TEXT)
    except ValidationError as error:
        refuse([problem for problem, _ in problems_in(error, source)])
        raise
    except ValueError:
        refuse([Problem(source, key, shown(key, value), NOT_JSON)])
        raise
    understood = value_at(model.model_dump(by_alias=True), parts)
    if isinstance(understood, bool | int):
        return understood
    digits = isinstance(given, str) and re.fullmatch(r"[0-9.]+", given)
    if isinstance(understood, float) and digits:
        return understood
    return str(given) if isinstance(given, Path) else given


def _edited_toml(before: str, parts: list[str], value: Any, target: Path) -> str:
    import tomlkit
    from tomlkit.exceptions import ParseError

    try:
        document = tomlkit.parse(before)
    except ParseError as error:
        refuse([Problem(f"file {target}", "", "", f"not TOML: {error}")])
        raise
    _edit(document, parts, value, target)
    return tomlkit.dumps(document)  # pyright: ignore[reportUnknownMemberType] - untyped there


def _edited_json(before: str, parts: list[str], value: Any, target: Path) -> str:
    try:
        tree = parse_file(target, before or "{}", f"file {target}").tree
    except UnreadableError as error:
        refuse([error.problem])
        raise
    _edit(tree, parts, value, target)
    return json.dumps(tree, indent=2, ensure_ascii=False) + "\n"


def _edit(tree: Tree, parts: list[str], value: Any, target: Path) -> None:
    """Put the value in, and take the other name of the key out: the last writer counts."""
    if value is None:
        remove(tree, parts)
        return
    if isinstance(tree.get(parts[0]), list):
        expected = "is a list in this file, which has to be edited by hand"
        refuse([Problem(f"file {target}", parts[0], "", expected)])
    if other := _OTHER_NAME.get(".".join(parts)):
        remove(tree, other.split("."))
    put(tree, parts, value)
