"""The package's own door: what stands there, that it can be had, and that it is described."""

from __future__ import annotations

import ast
import importlib.resources
import inspect
import subprocess
import sys
from pathlib import Path
from typing import get_type_hints

import pytest

import tabwright
from tabwright.engine.manager import BrowserManager
from tabwright.faces import python

PUBLIC = pytest.mark.parametrize("name", tabwright.__all__)


@PUBLIC
def test_each_public_name_can_be_imported_and_is_described(name: str):
    found = getattr(tabwright, name)
    assert inspect.getdoc(found)
    assert found.__doc__, "the description must be its own"


@PUBLIC
def test_the_public_methods_of_each_name_are_described(name: str):
    found = getattr(tabwright, name)
    members = vars(found).items() if inspect.isclass(found) else []
    bare = [
        member
        for member, value in members
        if not member.startswith("_")
        and (inspect.isfunction(value) or isinstance(value, property))
        and not value.__doc__
    ]
    assert bare == []


def test_names_for_checkers_names_for_people_and_names_at_run_time_are_the_same():
    tree = ast.parse(Path(str(tabwright.__file__)).read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    for_checkers = {
        alias.name: str(node.module)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert for_checkers == tabwright._HOMES
    assert sorted(for_checkers) == sorted(tabwright.__all__)


def test_a_star_import_gives_what_is_public_and_nothing_else():
    program = "from tabwright import *; print(*sorted(n for n in dir() if n[:2] != '__'))"
    out = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert out.split() == sorted(tabwright.__all__)


def test_a_name_that_does_not_exist_is_refused_as_python_does():
    with pytest.raises(AttributeError, match="module 'tabwright' has no attribute 'Browserr'"):
        _ = tabwright.Browserr
    with pytest.raises(ImportError, match="cannot import name 'Browserr'"):
        from tabwright import Browserr  # noqa: F401


def test_the_package_says_that_it_is_typed_and_brings_its_stub():
    files = importlib.resources.files("tabwright")
    assert (files / "py.typed").is_file()
    assert (files / "faces/python.pyi").is_file()


def test_nothing_private_stands_in_the_stub():
    stub = Path(str(python.__file__)).with_suffix(".pyi").read_text(encoding="utf-8")
    names = [
        node.id if isinstance(node, ast.Name) else node.name
        for node in ast.walk(ast.parse(stub))
        if isinstance(node, ast.Name | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]
    assert [name for name in names if name.startswith("_") and not name.endswith("__")] == []


@pytest.mark.parametrize(
    "method",
    [
        "start",
        "stop",
        "switch_profile",
        "get_current_profile",
        "list_profiles",
        "launch_browser",
        "close_browser",
        "get_active_browser",
        "execute_action",
    ],
)
def test_the_manager_has_its_methods_typed_and_described(method: str):
    function = getattr(BrowserManager, method)
    assert function.__doc__
    parameters = set(inspect.signature(function).parameters) - {"self"}
    assert {*get_type_hints(function)} == {*parameters, "return"}
