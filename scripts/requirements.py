"""Write docs/requirements.md: every row of docs/requirements.toml, and the tests that prove it.

With `--check` nothing is written, and a stale page is exit code 1.
"""

from __future__ import annotations

import argparse
import ast
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PREFACE = """\
# Requirements

Written by `python scripts/requirements.py` from `docs/requirements.toml` and the `proves` marks in
`tests/`. Do not edit.
"""


@dataclass(frozen=True)
class Section:
    """A group of rows, each an id and what must hold."""

    title: str
    rows: dict[str, str]


@dataclass(frozen=True)
class Proof:
    """A test function and the ids it carries."""

    path: Path
    function: ast.FunctionDef | ast.AsyncFunctionDef
    ids: tuple[str, ...]

    @property
    def name(self) -> str:
        """Where the test stands, for messages."""
        return f"{self.path.name}:{self.function.lineno} {self.function.name}"


def read_sections(root: Path = ROOT) -> list[Section]:
    """All sections, in the order of the file."""
    data = tomllib.loads((root / "docs/requirements.toml").read_text(encoding="utf-8"))
    return [Section(entry["title"], entry["rows"]) for entry in data["section"]]


def is_mark(node: ast.AST, *names: str) -> bool:
    """Whether the node is `pytest.mark.<one of names>`, called or not."""
    called = node.func if isinstance(node, ast.Call) else node
    return ast.unparse(called) in {f"pytest.mark.{name}" for name in names}


def find_proofs(root: Path = ROOT) -> Iterator[Proof]:
    """Every test function that carries ids. One that is switched off proves nothing."""
    for path in sorted((root / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if any(is_mark(mark, "skip", "xfail") for mark in node.decorator_list):
                continue
            if ids := tuple(literal_ids(node)):
                yield Proof(path, node, ids)


def literal_ids(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """The ids in the function's `proves` marks."""
    for mark in function.decorator_list:
        if not (isinstance(mark, ast.Call) and is_mark(mark, "proves")):
            continue
        for argument in mark.args:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield argument.value


def render(root: Path = ROOT) -> str:
    """The whole page."""
    sections = read_sections(root)
    tests: dict[str, set[Path]] = {}
    for proof in find_proofs(root):
        for row in proof.ids:
            tests.setdefault(row, set()).add(proof.path.relative_to(root))

    parts = [PREFACE, render_totals(sections, tests)]
    for section in sections:
        lines = [f"## {section.title}", "", "| id | what must hold | proved by |", "|---|---|---|"]
        lines += [
            f"| {row} | {title.replace('|', chr(92) + '|')} | {render_links(tests.get(row))} |"
            for row, title in section.rows.items()
        ]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def render_totals(sections: list[Section], tests: dict[str, set[Path]]) -> str:
    """How many rows of each section are proved."""
    counts = [
        (section.title, sum(row in tests for row in section.rows), len(section.rows))
        for section in sections
    ]
    counts.append(("**All**", sum(c[1] for c in counts), sum(c[2] for c in counts)))
    lines = ["| section | proved | open | rows |", "|---|---:|---:|---:|"]
    lines += [
        f"| {title} | {proved} | {rows - proved} | {rows} |" for title, proved, rows in counts
    ]
    return "\n".join(lines) + "\n"


def render_links(paths: set[Path] | None) -> str:
    """Links from docs/ to the tests, or `open`."""
    if not paths:
        return "open"
    return ", ".join(f"[{path.name}](../{path.as_posix()})" for path in sorted(paths))


def main() -> None:
    """Write or check the page."""
    parser = argparse.ArgumentParser(description="Write docs/requirements.md.")
    parser.add_argument("--check", action="store_true", help="exit with 1 when the page is stale")
    checking = parser.parse_args().check
    page = ROOT / "docs/requirements.md"
    text = render()
    if not checking:
        page.write_text(text, encoding="utf-8")
    elif not page.exists() or page.read_text(encoding="utf-8") != text:
        sys.exit("docs/requirements.md is stale. Run: python scripts/requirements.py")


if __name__ == "__main__":
    main()
