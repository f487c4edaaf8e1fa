"""All sources together: load, check, show."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple, cast

from pydantic import ValidationError

from tabwright.config.keys import (
    OTHER_NAMES,
    SAME_NAME,
    Tree,
    leaves,
    put,
    remove,
    strangers,
    value_at,
)
from tabwright.config.model import Paths, Settings
from tabwright.config.places import places, project_file
from tabwright.config.problem import Problem, mask, problems_in, refuse, unknown
from tabwright.config.profiles import profile_problems
from tabwright.config.source import Layer, environment, flags, parsed, read_file
from tabwright.duration import AS_TEXT

_EXECUTABLES = {"executablePath", "browserBin"}


class Row(NamedTuple):
    """A line of `config show`."""

    key: str
    value: Any
    """As JSON has it; secrets are masked."""
    origin: str


def load(
    overrides: Mapping[str, object] | None = None,
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    home: Path | None = None,
) -> Settings:
    """The settings: flags win over the environment, the project's file, the user's file, defaults.

    Raises:
        ConfigError: it names every problem of every source.
    """
    env = os.environ if env is None else env
    cwd = cwd or Path.cwd()
    found = [*files(cwd, env, home), *environment(env, cwd), *flags(overrides or {}, cwd)]
    return combine(found, env=env, home=home)


def files(
    cwd: Path,
    env: Mapping[str, str],
    home: Path | None,
    edited: Mapping[Path, str] | None = None,
) -> Iterator[Layer | Problem]:
    """What the user's file says, then the project's; `edited` stands for what is on disk."""
    texts = dict(edited or {})
    located = {"user file": places(env, home).user_file, "project file": project_file(cwd)}
    for kind, path in located.items():
        if path and path.resolve() in texts:
            yield parsed(path, texts.pop(path.resolve()), kind)
        elif path and path.exists():
            yield read_file(path, kind)
    for path, text in texts.items():
        yield parsed(path, text, "file")


def combine(
    found: Iterable[Layer | Problem], *, env: Mapping[str, str], home: Path | None
) -> Settings:
    """One configuration of many layers, of which later ones win.

    Raises:
        ConfigError: it names every problem.
    """
    problems: list[Problem] = []
    merged, origins = _defaults(env, home), dict[str, str]()
    for layer in found:
        if isinstance(layer, Problem):
            problems.append(layer)
            continue
        tree, typed, wrong = _validated(layer)
        problems += wrong
        known = list(merged.get("profiles", {}))
        for parts, _ in leaves(tree):
            value = _anchored(parts, value_at(typed, parts), layer.base, env, home)
            for at, same in _writes(_as_known(parts, known, layer), value):
                _merge(merged, at, same)
                origins[".".join(at)] = layer.source
    settings = Settings.model_validate(merged)
    settings.remember(origins)
    refuse([*problems, *profile_problems(settings)])
    return settings


def _defaults(env: Mapping[str, str], home: Path | None) -> Tree:
    here = places(env, home)
    paths = Paths(
        user_data_base_dir=here.state / "profiles",
        screenshot_dir=here.state / "screenshots",
        download_dir=here.state / "downloads",
        artifact_dir=here.state / "artifacts",
        cache_dir=here.cache,
    )
    return {"paths": paths.model_dump(by_alias=True)}


def _validated(layer: Layer) -> tuple[Tree, Tree, list[Problem]]:
    """What of a layer is right, as it was given and as it was understood, and what is wrong."""
    tree, problems = deepcopy(layer.tree), list(layer.problems)
    for parts in strangers(tree):
        problems.append(unknown(layer.source, parts, value_at(tree, parts)))
        remove(tree, parts)
    while True:
        try:
            model = Settings.model_validate(tree, context=AS_TEXT if layer.text else None)
        except ValidationError as error:
            wrong = problems_in(error, layer.source)
            problems += [problem for problem, _ in wrong]
            for _, parts in wrong:
                remove(tree, parts)
            continue
        return tree, model.model_dump(by_alias=True, exclude_unset=True), problems


def _anchored(
    parts: list[str], value: Any, base: Path, env: Mapping[str, str], home: Path | None
) -> Any:
    """Paths without `~`, starting where their source is; a bare executable is left to PATH."""
    if isinstance(value, list):
        return [_anchored(parts, item, base, env, home) for item in cast("list[Any]", value)]
    if parts[-1] in _EXECUTABLES and isinstance(value, str):
        bare = not value or Path(value).name == value
        return value if bare else str(_anchored([""], Path(value), base, env, home))
    if not isinstance(value, Path):
        return value
    if value.parts[:1] == ("~",):
        own = home or Path(env.get("HOME") or Path.home())
        return own.joinpath(*value.parts[1:])
    return base / value


def _as_known(parts: list[str], known: list[str], layer: Layer) -> list[str]:
    """The environment cannot spell `Work`: there, a profile is found in any case."""
    if parts[0] != "profiles" or len(parts) < 2 or not layer.text:
        return parts
    same = [name for name in known if name.casefold() == parts[1].casefold()]
    return ["profiles", (same or [parts[1]])[0], *parts[2:]]


def _writes(parts: list[str], value: Any) -> Iterator[tuple[list[str], Any]]:
    """A key and the other names it goes by."""
    yield parts, value
    key = ".".join(parts)
    if key in SAME_NAME:
        yield SAME_NAME[key].split("."), value
    elif key == "browser.noSandbox":
        yield ["browser", "sandbox"], "off" if value else "auto"
    elif key == "browser.sandbox":
        yield ["browser", "noSandbox"], value == "off"


def _merge(tree: Tree, parts: list[str], value: Any) -> None:
    if value != {}:
        put(tree, parts, value)
        return
    for part in parts:
        tree = tree.setdefault(part, {})


def check(settings: Settings) -> list[Problem]:
    """What would keep a server with these settings from working; a call may still try.

    A missing browser is no reason to refuse the configuration as such: it may be installed
    while the server runs.
    """
    problems = profile_problems(settings)
    given = [("browser.executablePath", settings.browser.executable_path)]
    for name, profile in settings.profiles.items():
        own = profile.launch_options.executable_path
        given.append((f"profiles.{name}.launchOptions.executablePath", own or ""))
    for key, path in given:
        if path and shutil.which(path) is None:
            expected = "must be a program that exists and can be run"
            problems.append(Problem(settings.origin(key), key, repr(path), expected))
    return problems


def show(settings: Settings) -> list[Row]:
    """Every key with its value and where it comes from; secrets are masked."""
    tree = settings.model_dump(mode="json", by_alias=True)
    for other, key in OTHER_NAMES.items():
        put(tree, other.split("."), value_at(tree, key.split(".")))
    put(tree, ["browser", "noSandbox"], settings.browser.sandbox == "off")
    rows: list[Row] = []
    for parts, value in leaves(tree):
        key = ".".join(parts)
        if parts[0] != "profiles" or value is not None:
            rows.append(Row(key, mask(key, value), settings.origin(key)))
    return rows
