"""The machine that is examined, as one user with one configuration sees it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tabwright.clients.known import home_of
from tabwright.config import Places, Problem, Settings, places, project_file
from tabwright.config.loading import combine
from tabwright.config.places import first_of
from tabwright.config.source import Layer, environment, flags, read_file
from tabwright.errors import ConfigError


@dataclass(frozen=True)
class Machine:
    """What the checks look at. A broken configuration is no reason not to look."""

    cwd: Path
    env: Mapping[str, str]
    home: Path
    places: Places
    settings: Settings
    """The configuration; as much of it as can be used, where it has problems."""

    problems: tuple[Problem, ...] = ()
    client_file: Path | None = None
    """A client's settings file besides the known ones."""

    skip_clients: bool = False
    config_files: tuple[Path, ...] = ()
    """The configuration files that exist, as far as that can be seen."""

    @classmethod
    def here(
        cls,
        *,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        config_dir: Path | None = None,
        overrides: Mapping[str, object] | None = None,
        client_file: Path | None = None,
        skip_clients: bool = False,
    ) -> Machine:
        """This machine, now."""
        env = os.environ if env is None else env
        cwd = cwd or _cwd()
        found = places(env)
        own = Places(config_dir or found.config, found.state, found.cache)
        files, unseen = _files(own.config, cwd)
        read = [read_file(path, kind) for kind, path in files.items()]
        others = [*environment(env, cwd), *flags(overrides or {}, cwd)]
        settings, problems = _usable([*read, *unseen], others, env)
        return cls(
            cwd=cwd,
            env=env,
            home=home_of(env),
            places=own,
            settings=settings,
            problems=problems,
            client_file=client_file,
            skip_clients=skip_clients,
            config_files=tuple(files.values()),
        )


def _cwd() -> Path:
    try:
        return Path.cwd()
    except OSError:
        # Somebody removed it; what is there has no project then.
        return Path("/")


def _files(config_dir: Path, cwd: Path) -> tuple[dict[str, Path], list[Problem]]:
    files: dict[str, Path] = {}
    problems: list[Problem] = []
    searches = {
        "user file": (config_dir, lambda: first_of(config_dir, "config")),
        "project file": (cwd, lambda: project_file(cwd)),
    }
    for kind, (directory, search) in searches.items():
        try:
            if path := search():
                files[kind] = path
        except OSError as error:
            why = f"cannot be looked at: {error.strerror}"
            problems.append(Problem(f"{kind} in {directory}", "", "", why))
    return files, problems


def _usable(
    files: list[Layer | Problem], others: list[Layer | Problem], env: Mapping[str, str]
) -> tuple[Settings, tuple[Problem, ...]]:
    """The whole configuration, or what is left of it without the sources that are wrong."""
    try:
        return combine([*files, *others], env=env, home=None), ()
    except ConfigError as error:
        problems = tuple(Problem(**each) for each in error.details["problems"])
    wrong = {problem.source for problem in problems}
    layers = [layer for layer in [*files, *others] if isinstance(layer, Layer)]
    try:
        right = [layer for layer in layers if layer.source not in wrong]
        return combine(right, env=env, home=None), problems
    except ConfigError:
        return combine([], env=env, home=None), problems
