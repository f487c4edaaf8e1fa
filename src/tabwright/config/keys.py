"""Keys of the configuration: `browser.defaultViewport.width` and the field it names."""

from __future__ import annotations

import difflib
import types
from collections.abc import Iterator, Mapping
from typing import Any, Union, cast, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from tabwright.config.model import Settings

Tree = dict[str, Any]

OTHER_NAMES = {
    "tools.browser.headless": "browser.headless",
    "tools.browser.sessionTimeout": "browser.idleTimeout",
    "tools.browser.browserBin": "browser.executablePath",
}
"""Keys with two names; whichever was written last counts for both."""

SAME_NAME = {**OTHER_NAMES, **{key: other for other, key in OTHER_NAMES.items()}}
"""The same, from either name to the other one."""


def parts_of(key: str) -> list[str]:
    """The tables and the field that a dotted key passes through.

    The name of a profile may hold dots itself: what follows it is known, so it can be told.
    """
    parts = key.split(".")
    if parts[0] != "profiles" or len(parts) < 3:
        return parts
    fields = names_of(annotation_at(["profiles", "any"]))
    end = next((i for i in range(2, len(parts)) if parts[i] in fields), len(parts))
    return ["profiles", ".".join(parts[1:end]), *parts[end:]]


def names_of(annotation: Any) -> dict[str, FieldInfo]:
    """The fields of a table by their names in files; empty for anything but a table."""
    model = _model_in(annotation)
    if model is None:
        return {}
    return {field.alias or name: field for name, field in model.model_fields.items()}


def annotation_at(parts: list[str]) -> Any:
    """The type of what stands at a key; None when there is no such key."""
    here: Any = Settings
    for part in parts:
        if get_origin(here) is dict:
            here = get_args(here)[1]
        elif (field := names_of(here).get(part)) is not None:
            here = field.annotation
        else:
            return None
    return here


def _model_in(annotation: Any) -> type[BaseModel] | None:
    choices = (annotation,)
    if get_origin(annotation) in {Union, types.UnionType}:
        choices = get_args(annotation)
    for choice in choices:
        if isinstance(choice, type) and issubclass(choice, BaseModel):
            return choice
    return None


def takes_json(parts: list[str]) -> bool:
    """Whether the key holds a list or a table, so that its text must be JSON."""
    annotation = annotation_at(parts)
    return _model_in(annotation) is not None or get_origin(annotation) in {list, dict}


def leaves(tree: Mapping[str, Any], *before: str) -> Iterator[tuple[list[str], Any]]:
    """Each key that is not a table, with its value, in the order of the source.

    An empty table counts: a profile may have nothing but a name.
    """
    for name, value in tree.items():
        if isinstance(value, Mapping) and value:
            yield from leaves(cast("Mapping[str, Any]", value), *before, name)
        else:
            yield [*before, name], value


def strangers(tree: Mapping[str, Any]) -> list[list[str]]:
    """Keys that stand in a table which has no such key."""
    found: list[list[str]] = []
    for parts, _ in leaves(tree):
        for end in range(1, len(parts) + 1):
            table = names_of(annotation_at(parts[: end - 1]))
            if table and parts[end - 1] not in table:
                found.append(parts[:end])
                break
    return [parts for i, parts in enumerate(found) if parts not in found[:i]]


def value_at(tree: Mapping[str, Any], parts: list[str]) -> Any:
    """What stands at a key that is known to be there."""
    here: Any = tree
    for part in parts:
        here = here[part]
    return here


def remove(tree: Tree, parts: list[str]) -> None:
    """Take a key out; it may be gone already."""
    for part in parts[:-1]:
        inner = tree.get(part)
        if not isinstance(inner, dict):
            return
        tree = cast("Tree", inner)
    tree.pop(parts[-1], None)


def put(tree: Tree, parts: list[str], value: Any) -> None:
    """Set a value in nested tables, making those that are missing."""
    for part in parts[:-1]:
        if not isinstance(tree.get(part), dict):
            tree[part] = {}
        # What was put in may come out as another object: a TOML document wraps its tables.
        tree = cast("Tree", tree[part])
    tree[parts[-1]] = value


def known_keys() -> list[str]:
    """Every key there is, `profiles.NAME.…` once."""
    return list(_known(Settings))


def _known(annotation: Any, *before: str) -> Iterator[str]:
    if get_origin(annotation) is dict:
        yield from _known(get_args(annotation)[1], *before, "NAME")
        return
    fields = names_of(annotation)
    if not fields:
        yield ".".join(before)
    for name, field in fields.items():
        yield from _known(field.annotation, *before, name)


def nearest(parts: list[str]) -> str | None:
    """The key that was probably meant by one that does not exist."""
    siblings = names_of(annotation_at(parts[:-1]))
    by_plain = {plain(name): name for name in siblings}
    close = difflib.get_close_matches(plain(parts[-1]), by_plain, n=1)
    if close:
        return ".".join([*parts[:-1], by_plain[close[0]]])
    known = {plain(key): key for key in known_keys()}
    close = difflib.get_close_matches(plain(".".join(parts)), known, n=1, cutoff=0.75)
    if close:
        return known[close[0]]
    ending = [key for key in known.values() if key.endswith(f".{parts[-1]}")]
    return ending[0] if ending else None


def file_spelling(tree: Mapping[str, Any], annotation: Any = Settings) -> Tree:
    """A tree whose names were written in any case, with or without underscores, as files do."""
    if get_origin(annotation) is dict:
        inner = get_args(annotation)[1]
        return {name: _respelled(value, inner) for name, value in tree.items()}
    fields = {plain(name): (name, field) for name, field in names_of(annotation).items()}
    spelled: Tree = {}
    for given, value in tree.items():
        name, field = fields.get(plain(given), (given, None))
        spelled[name] = _respelled(value, field.annotation) if field else value
    return spelled


def _respelled(value: Any, annotation: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    return file_spelling(cast("Mapping[str, Any]", value), annotation)


def plain(name: str) -> str:
    """A name without what the environment cannot say: capitals and separators."""
    return name.replace("_", "").replace("-", "").casefold()
