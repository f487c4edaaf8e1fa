"""What the form asks, and when an answer is right."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from tabwright.config import Settings
from tabwright.config.editing import problem_with
from tabwright.config.keys import SAME_NAME, Tree, value_at
from tabwright.config.loading import combine
from tabwright.config.source import Layer, read_file
from tabwright.duration import format_duration, parse_duration

Kind = Literal["toggle", "text", "duration", "program", "choice", "paths"]

DURATION = "must be a duration with its unit, such as 5m, 90s or 1h30m"
PROGRAM = "must be a program that exists: its whole path, or a name on PATH"


@dataclass(frozen=True, slots=True)
class Field:
    """One question."""

    key: str
    label: str
    kind: Kind
    description: str
    """Shown while the field has the focus."""

    placeholder: str = ""
    choices: tuple[str, ...] = ()


ENABLED = "tools.browser.enabled"

FIELDS = (
    Field(
        ENABLED,
        "Browser Enabled",
        "toggle",
        "Let agents use a browser. Once switched off again, your own commands are refused too.",
    ),
    Field(
        "tools.browser.headless",
        "Browser Headless",
        "toggle",
        "Without a window. Switch it off to watch; that needs a display.",
    ),
    Field(
        "tools.browser.sessionTimeout",
        "Browser Session Timeout",
        "duration",
        "A browser that nobody used for this long is closed: 5m, 1h30m, 500ms. Empty: 30m.",
        placeholder="5m",
    ),
    Field(
        "browser.executablePath",
        "Browser Executable",
        "program",
        "The browser to start. Empty: one is found, or obtained.",
        placeholder="found by itself",
    ),
    Field(
        "browser.defaultProfile",
        "Browser Profile",
        "text",
        "The profile for calls that name none.",
        placeholder="isolated",
    ),
    Field(
        "browser.sandbox",
        "Browser Sandbox",
        "choice",
        "auto: on, except where Chromium cannot run with it.",
        choices=("auto", "on", "off"),
    ),
    Field(
        "security.allowedPaths",
        "Allowed Paths",
        "paths",
        "Directories that agents may read and write besides Tabwright's own, with commas between.",
        placeholder="none",
    ),
)
"""In the order in which they stand in the form."""


def visible(fields: tuple[Field, ...], *, enabled: bool) -> list[Field]:
    """Without a browser there is nothing to ask about it."""
    return [field for field in fields if enabled or field.key == ENABLED]


def answer_of(field: Field, given: bool | str) -> Any:
    """What is stored for what was given; None takes the key out."""
    if field.kind == "toggle":
        return bool(given)
    text = str(given).strip()
    if not text:
        return None
    if field.kind == "paths":
        return json.dumps([each.strip() for each in text.split(",") if each.strip()])
    return text


def wrong_with(field: Field, given: bool | str) -> str:
    """What is wrong with an answer; empty when nothing is."""
    answer = answer_of(field, given)
    if answer is None:
        return ""
    if field.kind == "duration" and not _duration(answer):
        return DURATION
    if field.kind == "program" and not _program(answer):
        return PROGRAM
    return problem_with(field.key, answer)


def _duration(text: str) -> bool:
    try:
        return parse_duration(text) > 0
    except ValueError:
        return False


def _program(text: str) -> bool:
    path = Path(text)
    whole = path.is_absolute() or path.parts[:1] == ("~",)
    return (whole or path.name == text) and shutil.which(str(path.expanduser())) is not None


@dataclass(frozen=True, slots=True)
class Answers:
    """What the user's file says now."""

    path: Path
    settings: Settings
    tree: Tree

    @classmethod
    def read(cls, path: Path) -> Answers:
        """Read the file; one that does not exist says nothing.

        Raises:
            ConfigError: it cannot be used as it is.
        """
        layers = [read_file(path, "user file")] if path.exists() else []
        settings = combine(layers, env={}, home=None)
        trees = [layer.tree for layer in layers if isinstance(layer, Layer)]
        return cls(path, settings, trees[0] if trees else {})

    def shown(self, field: Field) -> bool | str:
        """The answer as the form shows it; a default is an empty text."""
        key = self.stored_key(field)
        if field.kind in {"toggle", "choice"}:
            value = value_at(self.settings.model_dump(by_alias=True), _canonical(key).split("."))
            return bool(value) if field.kind == "toggle" else str(value)
        value = _written(self.tree, key)
        if value is None:
            return ""
        if field.kind == "duration":
            return format_duration(float(value)) if isinstance(value, int | float) else str(value)
        if isinstance(value, list):
            return ", ".join(map(str, cast("list[Any]", value)))
        return str(value)

    def stored_key(self, field: Field) -> str:
        """The name of the key that the file uses, for some have two."""
        names = [field.key, SAME_NAME.get(field.key, field.key)]
        return next((name for name in names if _written(self.tree, name) is not None), field.key)

    def changes(self, given: dict[str, bool | str]) -> dict[str, Any]:
        """What has to be written for these answers: only what differs from the file."""
        by_key = {field.key: field for field in FIELDS}
        return {
            self.stored_key(by_key[key]): answer_of(by_key[key], value)
            for key, value in given.items()
            if value != self.shown(by_key[key])
        }


def _canonical(key: str) -> str:
    return SAME_NAME[key] if key in SAME_NAME and key.startswith("tools.") else key


def _written(tree: Tree, key: str) -> Any:
    try:
        return value_at(tree, key.split("."))
    except (KeyError, TypeError):
        return None
