"""Profiles by name: which one is meant, and which directory is its own."""

from __future__ import annotations

import difflib
import re
import unicodedata
from pathlib import Path

from tabwright.config.model import DEFAULT_PROFILES, BrowserProfile, Settings
from tabwright.config.problem import Problem
from tabwright.errors import InputError

_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")
_ALLOWED = (
    "a name of 1 to 64 letters, digits, '-', '_', '.', '@' or spaces, which neither begins "
    "nor ends with a dot or a space, such as 'work'"
)


def profile_key(name: str) -> str:
    """The one spelling of a profile's name; names with the same key are the same profile.

    Raises:
        InputError: the name could lead out of its directory, or into that of another profile.
    """
    key = _folded(name)
    fits = (
        0 < len(key) <= 64
        and key == key.strip(" .")
        and all(char.isalnum() or unicodedata.combining(char) or char in "-_.@ " for char in key)
        and not _RESERVED.fullmatch(key)
    )
    if not fits:
        raise InputError(f"{name!r} cannot be the name of a profile.", hint=f"Use {_ALLOWED}.")
    return "isolated" if key == "openclaw" else key


def _folded(name: str) -> str:
    # Folding can undo normalization and the other way round; twice is enough for both to hold.
    for _ in range(2):
        name = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return name


def resolve_profile(settings: Settings, name: str | None = None) -> BrowserProfile:
    """The profile of that name, in any spelling; the default one when none is named.

    Raises:
        InputError: there is no such profile.
    """
    wanted = name or settings.browser.default_profile
    by_key = {_folded(known): profile for known, profile in settings.profiles.items()}
    key = profile_key(wanted)
    if key in by_key:
        return by_key[key]
    close = difflib.get_close_matches(key, by_key, n=1)
    hint = f"Did you mean {close[0]!r}? " if close else ""
    raise InputError(
        f"There is no profile {wanted!r}.",
        hint=f"{hint}Profiles are: {', '.join(sorted(by_key))}.",
        profiles=sorted(by_key),
    )


def profile_dir(settings: Settings, name: str | None = None) -> Path:
    """The directory that belongs to this profile and to no other one.

    The profile need not exist yet, but its name must be allowed.
    """
    key = profile_key(name or settings.browser.default_profile)
    for known, profile in settings.profiles.items():
        if _folded(known) == key and profile.user_data_dir:
            return profile.user_data_dir
    return settings.paths.user_data_base_dir / key


def profile_problems(settings: Settings) -> list[Problem]:
    """Names that are refused or taken twice, shared directories, an unknown default."""
    found: list[Problem] = []
    seen: dict[str, str] = {}
    # What always exists comes first: of two names for it, the added one is the problem.
    for name in dict.fromkeys((*DEFAULT_PROFILES, *settings.profiles)):
        found += _name_problems(settings, name, settings.profiles[name], seen)
    found += _shared_directories(settings, seen)
    found += _default_problems(settings, seen)
    return found


def _name_problems(
    settings: Settings, name: str, profile: BrowserProfile, seen: dict[str, str]
) -> list[Problem]:
    key = f"profiles.{name}"
    source = settings.origin(key)
    try:
        folded = profile_key(name)
    except InputError:
        return [Problem(source, key, "", f"must be {_ALLOWED}")]
    if folded in seen:
        return [Problem(source, key, "", f"is the same profile as {seen[folded]!r}")]
    seen[folded] = name
    if _folded(profile.name) != _folded(name):
        inner = f"{key}.name"
        return [Problem(settings.origin(inner), inner, repr(profile.name), f"must be {name!r}")]
    return []


def _shared_directories(settings: Settings, seen: dict[str, str]) -> list[Problem]:
    found: list[Problem] = []
    taken = {key: _comparable(profile_dir(settings, key)) for key in seen}
    for key, name in seen.items():
        if settings.profiles[name].user_data_dir is None:
            continue
        for other, written in seen.items():
            if other != key and _overlap(taken[key], taken[other]):
                at = f"profiles.{name}.userDataDir"
                given = repr(str(settings.profiles[name].user_data_dir))
                allowed = f"must be a directory apart from that of profile {written!r}"
                found.append(Problem(settings.origin(at), at, given, allowed))
                break
    return found


def _comparable(path: Path) -> Path:
    return Path(_folded(str(path.resolve())))


def _overlap(one: Path, other: Path) -> bool:
    return one.is_relative_to(other) or other.is_relative_to(one)


def _default_problems(settings: Settings, seen: dict[str, str]) -> list[Problem]:
    at, name = "browser.defaultProfile", settings.browser.default_profile
    try:
        known = profile_key(name) in seen
    except InputError:
        known = False
    if known:
        return []
    return [Problem(settings.origin(at), at, repr(name), f"must be one of {', '.join(seen)}")]
