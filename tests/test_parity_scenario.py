"""One scenario over every face: the same calls have the same results."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from support.faces import FACES, door
from support.site import Site
from tabwright.engine.manager import BrowserManager
from tabwright.verbs import VERBS

FIXTURES = Path(__file__).parent / "fixtures"
SCENARIO: list[dict[str, Any]] = json.loads((FIXTURES / "scenario.json").read_text("utf-8"))

VOLATILE = re.compile(
    r"(.*(Ms|At|Time|Bytes|timestamp|duration|Tokens))|id|ts|sha256|size|path|pending|waited|"
    r"took|metrics|headers|timing|delivered|requests|seconds",
    re.IGNORECASE,
)
"""What differs from run to run: times, sizes, names that are made up, what is still under way."""


def test_every_verb_is_in_the_scenario():
    assert {step["verb"] for step in SCENARIO} == set(VERBS)


def plain(value: Any, directory: Path) -> Any:
    """What has to be the same in every run."""
    if isinstance(value, dict):
        kept = {key: each for key, each in value.items() if not VOLATILE.fullmatch(key)}
        return {key: plain(each, directory) for key, each in kept.items()}
    if isinstance(value, list):
        return [plain(each, directory) for each in value]
    if isinstance(value, str):
        text = value.replace(str(directory), "DIR")
        text = re.sub(r"(</?page) [0-9a-f]+", r"\1 MARK", text)
        text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z|\d\d:\d\d:\d\d(\.\d+)?", "TIME", text)
        return re.sub(r"\b\d+(\.\d+)? ?(ms|s|tokens|bytes|B|kB|KB|MB)\b", "NUMBER", text)
    return value


async def played(name: str, manager: BrowserManager, site: Site, directory: Path) -> list[Any]:
    """The scenario's replies over a face."""
    directory.mkdir()
    (directory / "note.txt").write_text("a note", encoding="utf-8")
    page = (FIXTURES / "pages" / "parity.html").read_bytes()
    url = site.content("/parity/", page, mime="text/html; charset=utf-8")
    site.page("/parity/second", "<h1>Second</h1>", title="Second")
    site.page("/parity//nothing", "gone", status=404)
    article = site.page("/parity/article", "<article><p>Words of an article.</p></article>" * 40)
    given = {
        "{article}": article,
        "{url}": url,
        "{file}": "note.txt",
        "{url}/nothing": f"{url}/nothing",
    }
    face = FACES.get(name, door)
    replies: list[Any] = []
    async with face(manager, directory) as call:
        for step in SCENARIO:
            params = {key: filled(value, given) for key, value in step["params"].items()}
            reply = await call(step["verb"], params)
            error = reply.get("error", {})
            assert error.get("code") == step.get("error"), (step, error)
            told = {"message": error["message"]} if error else reply["result"]
            replies.append((step["verb"], plain(told, directory), reply.get("omitted", [])))
    return replies


def filled(value: Any, given: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [filled(each, given) for each in value]
    return given.get(value, value) if isinstance(value, str) else value


@pytest.fixture(scope="module")
def expected() -> dict[str, list[Any]]:
    return {}


@pytest.mark.parametrize("face", FACES)
async def test_the_same_scenario_has_the_same_results(
    face: str, manager: BrowserManager, site: Site, tmp_path: Path, expected: dict[str, list[Any]]
):
    if not expected:
        expected["door"] = await played("door", manager, site, tmp_path / "door")
    found = await played(face, manager, site, tmp_path / face)
    for (verb, wanted, _), (_, had, omitted) in zip(expected["door"], found, strict=True):
        # Over MCP, what is long is told in words.
        shown = {key: value for key, value in wanted.items() if key not in omitted}
        assert had == shown, verb
