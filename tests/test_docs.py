"""What is written about Tabwright is true: the reference, the links, the code in the docs."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tabwright.config import known_keys
from tabwright.config.environment import tree_of
from tabwright.config.keys import leaves
from tabwright.config.source import PREFIX, UPSTREAM_NAMES
from tabwright.faces import reference

ROOT = Path(__file__).resolve().parent.parent
PROSE = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def anchors(markdown: str) -> set[str]:
    """The names of the headings, as a link says them."""
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", markdown), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", text).lower().replace(" ", "-") for text in headings}


def broken_links(page: Path) -> list[str]:
    """Links of a page, to files and headings, that lead nowhere."""
    links = LINK.findall(FENCED.sub("", page.read_text(encoding="utf-8")))
    return [link for link in links if not re.match(r"[a-z]+:", link) and not leads(page, link)]


def leads(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    if not target.exists():
        return False
    return not anchor or anchor in anchors(target.read_text(encoding="utf-8"))


def python_blocks(markdown: str) -> list[str]:
    return PYTHON.findall(markdown)


def test_the_reference_is_up_to_date():
    assert reference.stale(ROOT) == []
    written = {place(path) for path in (ROOT / "docs/reference").iterdir()}
    assert written <= set(reference.pages())


def test_the_reference_is_the_same_on_every_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("TABWRIGHT_BROWSER__HEADLESS", "false")
    monkeypatch.chdir(tmp_path)
    assert reference.stale(ROOT) == []


def test_the_check_names_what_is_stale_and_writing_mends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(reference, "ROOT", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.setattr(sys, "argv", ["reference"])
    reference.main()
    (tmp_path / "docs/reference/errors.md").write_text("old", encoding="utf-8")
    (tmp_path / "src/tabwright/faces/python.pyi").unlink()

    monkeypatch.setattr(sys, "argv", ["reference", "--check"])
    with pytest.raises(SystemExit) as end:
        reference.main()
    assert end.value.code == (
        "docs/reference/errors.md, src/tabwright/faces/python.pyi: stale. "
        "Run: python -m tabwright.faces.reference"
    )

    monkeypatch.setattr(sys, "argv", ["reference"])
    reference.main()
    monkeypatch.setattr(sys, "argv", ["reference", "--check"])
    reference.main()


def test_outside_a_clone_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reference, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["reference"])
    with pytest.raises(SystemExit, match="is not a clone of the repository"):
        reference.main()
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("key", known_keys())
def test_the_variable_that_stands_beside_a_key_sets_it(key: str):
    ours, *others = reference.environment_names(key)
    tree = tree_of(ours.removeprefix(PREFIX), "[]")
    assert tree is not None
    # The environment has no capitals, so the name of a profile comes out small.
    assert [".".join(parts).casefold() for parts, _ in leaves(tree)] == [key.casefold()]
    assert all(UPSTREAM_NAMES[other] == key for other in others)


def test_every_link_leads_somewhere():
    assert {place(page): broken for page in PROSE if (broken := broken_links(page))} == {}


def test_a_broken_link_is_found(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text(
        "# Two words\n[a](page.md) [b](#two-words) [c](https://example.com/x) [d](gone.md)\n"
        "[e](#gone) [f](page.md#gone)\n```\n[g](in-code.md)\n```\n",
        encoding="utf-8",
    )
    assert broken_links(page) == ["gone.md", "#gone", "page.md#gone"]


def test_code_in_the_docs_comes_from_an_example():
    examples = [path.read_text(encoding="utf-8") for path in (ROOT / "examples").glob("*.py")]
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    strange = [
        f"{place(page)}: {block}"
        for page in pages
        for block in python_blocks(page.read_text(encoding="utf-8"))
        if not any(block in example for example in examples)
    ]
    assert strange == []


def test_only_python_counts_as_code():
    text = "```sh\nls\n```\n```python\nimport tabwright\n```\n"
    assert python_blocks(text) == ["import tabwright\n"]
