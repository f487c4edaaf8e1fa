"""What is heavy is imported only by those who need it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.machine import DEADLINE_S, Machine

REPORT = "import json, sys; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"

API = "from tabwright import Tabwright, load; load()"
HELP = """
import runpy, sys
sys.argv = ["tabwright", "--help"]
try:
    runpy.run_module("tabwright", run_name="__main__")
except SystemExit as end:
    assert end.code == 0, end.code
"""


def imported(program: str, home: Path) -> set[str]:
    """The packages that a program has imported when it is done."""
    env = Machine(home, home).env
    # A setting in the environment is read by a library that is not needed otherwise.
    settings_free = {name: text for name, text in env.items() if not name.startswith("TABWRIGHT_")}
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\n{REPORT}"],
        cwd=home,
        env=settings_free,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
    )
    assert done.returncode == 0, done.stderr
    return {name.partition(".")[0] for name in json.loads(done.stderr)}


@pytest.mark.parametrize(
    ("program", "heavy"),
    [
        (API, "click filelock httpx mcp PIL playwright psutil rich starlette textual tomlkit"),
        (API, "pydantic_settings"),
        (HELP, "playwright httpx PIL psutil rich textual tomlkit"),
        ("import tabwright.errors", "pydantic websockets asyncio"),
    ],
    ids=["api", "settings", "help", "errors"],
)
def test_nothing_heavy_is_imported_before_it_is_needed(program: str, heavy: str, tmp_path: Path):
    found = imported(program, tmp_path)
    assert "tabwright" in found
    assert found & {*heavy.split()} == set()


def test_an_import_that_happens_is_seen(tmp_path: Path):
    assert "httpx" in imported(f"{API}; import httpx", tmp_path)
