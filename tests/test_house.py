"""The rules of the house that a reviewer should not have to check."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("src", "tests", "scripts", "examples", "benchmarks")

MODULE_LINES = 400
FUNCTION_LINES = 60
README_LINES = 150

EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "base", "service", "services"}
EMPTY_NAMES |= {"views", "misc"}
EMPTY_ENDINGS = ("Manager", "Handler", "Helper", "Service")
NAMES_FIXED_BY_REQUIREMENTS = {"BrowserManager", "StateManager", "ProfileManager"}

FORBIDDEN = {
    r"(#|//).*\b(TODO|FIXME|HACK|XXX)\b": "a note to oneself",
    r"^\s*(#|//)\s*[=\-*#~]{4,}": "a banner",
    r"(?i)something went wrong|an error occurred": "a message that says nothing",
    r"[\U0001F300-\U0001FAFF\u2705\u274C]": "an emoji",
}
"""Patterns that stand nowhere in src, scripts or the docs, and what they are."""


def python_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def prose_files() -> list[Path]:
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def nodes(path: Path, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return (node for node in ast.walk(tree) if isinstance(node, kinds))


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def forbidden_lines(text: str) -> list[str]:
    return [
        f"{at}: {what}"
        for at, line in enumerate(text.splitlines(), 1)
        for pattern, what in FORBIDDEN.items()
        if re.search(pattern, line)
    ]


def test_modules_are_named_by_their_subject():
    names = {
        place(path): {*path.relative_to(ROOT).with_suffix("").parts} & EMPTY_NAMES
        for path in python_files("src", "tests", "scripts")
    }
    assert {path: found for path, found in names.items() if found} == {}


def test_classes_are_named_by_what_they_are():
    empty = [
        f"{place(path)} {node.name}"
        for path in python_files("src")
        for node in nodes(path, ast.ClassDef)
        if node.name.endswith(EMPTY_ENDINGS) and node.name not in NAMES_FIXED_BY_REQUIREMENTS
    ]
    assert empty == []


def test_modules_are_short():
    sizes = {
        place(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in python_files(*FOLDERS)
    }
    assert {path: lines for path, lines in sizes.items() if lines > MODULE_LINES} == {}


def test_functions_are_short():
    long = {
        f"{place(path)}:{node.lineno} {node.name}": node.end_lineno - node.lineno + 1
        for path in python_files(*FOLDERS)
        for node in nodes(path, ast.FunctionDef, ast.AsyncFunctionDef)
        if node.end_lineno - node.lineno >= FUNCTION_LINES
    }
    assert long == {}


def test_nothing_forbidden_is_written():
    found = {
        place(path): lines
        for path in [*python_files("src", "scripts"), *prose_files()]
        if (lines := forbidden_lines(path.read_text(encoding="utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("x = 1  # TODO later", "a note to oneself"),
        ("# ===== parsing =====", "a banner"),
        ('raise Failed("Something went wrong.")', "a message that says nothing"),
        ("Done \N{ROCKET}", "an emoji"),
    ],
)
def test_what_is_forbidden_is_found(line: str, what: str):
    assert forbidden_lines(f"fine\n{line}\n") == [f"2: {what}"]


def test_readme_is_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= README_LINES


def test_every_dependency_has_its_reason():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project.get("optional-dependencies", {}).values()
    wanted = {
        re.split(r"[^\w.-]", requirement)[0]
        for group in [project["dependencies"], *extras]
        for requirement in group
    }
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert {name for name in wanted if f"`{name}`" not in text} == set()
