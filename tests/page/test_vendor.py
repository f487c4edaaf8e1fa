"""Files of others come as their makers made them, each with its licence."""

from __future__ import annotations

import hashlib
import re
from importlib.resources import files

VENDOR = files("tabwright.page") / "vendor"
ROW = re.compile(r"^\| `(.+?)` \| (\S+) \| (\S+) \| \S+ \| `([0-9a-f]{64})` \|$", re.MULTILINE)


def rows() -> list[tuple[str, str, str, str]]:
    return ROW.findall((VENDOR / "README.md").read_text("utf-8"))


def test_no_file_of_others_was_changed():
    sums = {name: hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() for name, *_ in rows()}
    assert sums == {name: said for name, _, _, said in rows()}


def test_each_file_is_listed_and_has_its_licence():
    scripts = {file.name for file in VENDOR.iterdir() if file.name.endswith(".js")}
    assert scripts == {name for name, *_ in rows()}
    for _, package, _, _ in rows():
        assert (VENDOR / f"{package}.LICENSE").is_file()


def test_the_version_that_is_told_is_the_version_that_runs():
    versions = {package: version for _, package, version, _ in rows()}
    assert f"axe v{versions['axe-core']}" in (VENDOR / "axe.min.js").read_text("utf-8")[:100]
