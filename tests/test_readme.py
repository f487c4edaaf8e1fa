"""What the README tells a newcomer to type works, in the order in which it stands."""

from __future__ import annotations

import re
import shlex
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from support.machine import DEADLINE_S, Machine
from support.site import Site
from tabwright.config import Settings

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def test_it_is_short():
    assert len(README.splitlines()) <= 150


@pytest.mark.proves("S4-06")
def test_the_package_comes_before_the_source():
    install = README[README.index("## Install") :]
    assert install.index("tool install tabwright") < install.index("git clone")
    headings = re.findall(r"^## (.*)$", README, re.MULTILINE)
    assert headings[0] == "Install"


def test_the_commands_run_one_after_the_other(machine: Machine, site: Site):
    (block,) = [block for block in BLOCKS if block.startswith("tabwright open")]
    body = "<a href='#more'>Learn more</a>"
    url = site.page("/readme", body, title="Example")
    said: dict[str, str] = {}
    for line in block.splitlines():
        _, *words = shlex.split(line.replace("https://example.com/", url))
        said[words[0]] = machine.run(*words)[0]
    assert [*said] == ["open", "snapshot", "click", "eval", "screenshot", "stop"]
    assert 'link "Learn more"' in said["snapshot"]
    assert "effective" in said["click"]
    assert said["eval"] == '"Example"\n'
    assert (machine.home / "page.png").read_bytes().startswith(b"\x89PNG")


@pytest.fixture
def machine(tmp_path: Path, settings: Settings) -> Machine:
    return Machine(tmp_path, settings.paths.cache_dir)


def test_the_package_has_the_program_and_all_it_needs(tmp_path: Path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=DEADLINE_S)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        (program,) = [each for each in packed.infolist() if "/scripts/" in each.filename]
        assert stat.S_IMODE(program.external_attr >> 16) & 0o111
        assert packed.read(program).startswith(b"#!/bin/sh\n")
    assert "tabwright/faces/cli/help.json" in names
    assert "tabwright/py.typed" in names
    scripts = {path.name for path in (ROOT / "src/tabwright/page").glob("*.js")}
    assert {f"tabwright/page/{name}" for name in scripts} <= names
