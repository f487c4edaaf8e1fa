"""The ledger of requirements and the tests agree, in both directions."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "scripts/requirements.py"


def load_script():
    spec = importlib.util.spec_from_file_location("requirements", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


requirements = load_script()


def states_something(function: ast.AST) -> bool:
    """Whether a test can fail by what it claims: an assert, an expected error or a snapshot."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assert) and not isinstance(node.test, ast.Constant):
            return True
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name in {"pytest.raises", "pytest.warns", "snapshot"}:
                return True
    return False


def test_page_is_up_to_date():
    page = (ROOT / "docs/requirements.md").read_text(encoding="utf-8")
    assert page == requirements.render(), "Run: python scripts/requirements.py"


def test_no_id_is_listed_twice():
    counts = Counter(row for section in requirements.read_sections() for row in section.rows)
    assert [row for row, count in counts.items() if count > 1] == []


def test_titles_are_short_and_there():
    titles = {
        row: title
        for section in requirements.read_sections()
        for row, title in section.rows.items()
    }
    assert {row for row, title in titles.items() if not 0 < len(title.strip()) <= 90} == set()


def test_every_id_a_test_carries_is_listed():
    listed = {row for section in requirements.read_sections() for row in section.rows}
    unknown = {
        proof.name: sorted(set(proof.ids) - listed)
        for proof in requirements.find_proofs()
        if not set(proof.ids) <= listed
    }
    assert unknown == {}


def test_every_test_that_carries_an_id_states_something():
    silent = [
        proof.name for proof in requirements.find_proofs() if not states_something(proof.function)
    ]
    assert silent == []


def test_ids_stand_only_on_test_functions():
    stray = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        on_tests = {
            id(mark)
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and node.name.startswith("test_")
            for mark in node.decorator_list
        }
        stray += [
            f"{path.name}:{node.lineno}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and requirements.is_mark(node, "proves")
            and id(node) not in on_tests
        ]
    assert stray == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("assert page.url == 'x'", True),
        ("with pytest.raises(ValueError):\n        f()", True),
        ("f() == snapshot('x')", True),
        ("assert True", False),
        ("await call(session, 'click', {})", False),
    ],
)
def test_a_test_that_cannot_fail_is_recognised(body: str, expected: bool):
    assert states_something(ast.parse(f"async def test_x():\n    {body}\n")) is expected


def test_status_comes_from_the_marks(tmp_path: Path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/requirements.toml").write_text(
        '[[section]]\ntitle = "One"\nrows = { A-1 = "holds", A-2 = "waits", A-3 = "is off" }\n',
        encoding="utf-8",
    )
    (tmp_path / "tests/engine").mkdir(parents=True)
    (tmp_path / "tests/engine/test_tab.py").write_text(
        '@pytest.mark.proves("A-1")\nasync def test_it():\n    assert 1 < 2\n\n\n'
        '@pytest.mark.skip\n@pytest.mark.proves("A-3")\ndef test_off():\n    assert 1 < 2\n',
        encoding="utf-8",
    )
    page = requirements.render(tmp_path)
    assert "| A-1 | holds | [test_tab.py](../tests/engine/test_tab.py) |" in page
    assert "| A-2 | waits | open |" in page
    assert "| A-3 | is off | open |" in page
    assert "| One | 1 | 2 | 3 |" in page


def collect(folder: Path, *marks: str) -> subprocess.CompletedProcess[str]:
    """Collect one test for each mark, with this project's hooks and settings."""
    tests = (
        f"@pytest.mark.{mark}\ndef test_{at}():\n    assert True\n" for at, mark in enumerate(marks)
    )
    options = ["--collect-only", "-q", "-c", ROOT / "pyproject.toml"]
    options += ["-p", "conftest", "-p", "no:cacheprovider"]
    (folder / "test_fake.py").write_text("import pytest\n" + "".join(tests), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "pytest", *options, "--rootdir", folder, folder],
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests")},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_mark_without_a_proper_id_fails_the_run(tmp_path: Path):
    run = collect(tmp_path, 'proves("A-1")', "proves", "proves()", "proves(7)", 'proves("A-1", "")')
    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    faulty = [line.split("::")[1] for line in run.stderr.splitlines() if "::" in line]
    assert faulty == [
        "test_1: proves() needs ids as strings",
        "test_2: proves() needs ids as strings",
        "test_3: proves(7) needs ids as strings",
        "test_4: proves('A-1', '') needs ids as strings",
    ]


def test_a_mark_with_ids_lets_the_run_go_on(tmp_path: Path):
    run = collect(tmp_path, 'proves("A-1", "A-2")')
    assert run.returncode == pytest.ExitCode.OK, run.stderr
