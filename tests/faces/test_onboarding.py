"""The onboarding form: what it asks, how it is moved through, and what it saves."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from support.engine import browser_processes
from support.form import Desk, seated
from tabwright.config import load, places
from tabwright.faces.onboarding.field import FIELDS

DOCS = Path(__file__).resolve().parents[2] / "docs/onboarding.md"
ALL = [field.label for field in FIELDS]
TIMEOUT = "Browser Session Timeout"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return places({}, tmp_path).user_file


def put(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")


def saved(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


async def enable(desk: Desk) -> None:
    """Switch the browser on, so that every field is shown."""
    assert desk.focus() == "Browser Enabled"
    await desk.press("space")


@pytest.mark.proves("S0-18")
async def test_browser_enabled_is_a_toggle_before_browser_headless(tmp_path: Path):
    async with seated(tmp_path) as desk:
        assert desk.labels() == ["Browser Enabled"]
        assert desk.question("Browser Enabled").given is False
        await enable(desk)
        assert desk.question("Browser Enabled").given is True
        assert desk.labels()[:3] == ["Browser Enabled", "Browser Headless", TIMEOUT]
        assert desk.labels() == ALL
        assert "Browser Enabled           [x]" in desk.text()
        await desk.press("space")
        assert desk.question("Browser Enabled").given is False
        assert "Browser Enabled           [ ]" in desk.text()


@pytest.mark.proves("S0-18")
async def test_browser_enabled_is_saved_both_ways_and_starts_nothing(tmp_path: Path, file: Path):
    for expected in (True, False):
        async with seated(tmp_path) as desk:
            await desk.press("space", "enter")
        assert desk.form.return_value is True
        assert saved(file) == {"tools": {"browser": {"enabled": expected}}}
        assert load(cwd=tmp_path, env={}, home=tmp_path).tools.browser.enabled is expected
    assert browser_processes(tmp_path) == []


@pytest.mark.proves("S0-18")
async def test_headless_is_toggled_by_space(tmp_path: Path, file: Path):
    async with seated(tmp_path) as desk:
        await enable(desk)
        await desk.press("down", "space", "enter")
    assert saved(file)["tools"]["browser"] == {"enabled": True, "headless": False}


@pytest.mark.proves("S0-19")
async def test_the_session_timeout_follows_headless_and_shows_5m_where_it_is_empty(tmp_path: Path):
    async with seated(tmp_path) as desk:
        await enable(desk)
        assert desk.labels().index(TIMEOUT) == desk.labels().index("Browser Headless") + 1
        assert desk.question(TIMEOUT).given == ""
        assert f"{TIMEOUT}   5m" in desk.text()


@pytest.mark.proves("S0-19")
@pytest.mark.parametrize("given", ["5m", "10m", "1h30m", "500ms", "1.5h", "2m0.5s"])
async def test_a_go_duration_is_saved_and_comes_back_as_it_was_written(
    tmp_path: Path, file: Path, given: str
):
    async with seated(tmp_path) as desk:
        await enable(desk)
        await desk.press("down", "down")
        await desk.paste(given)
        await desk.press("enter")
    assert saved(file)["tools"]["browser"]["sessionTimeout"] == given
    before = file.read_bytes()
    async with seated(tmp_path) as desk:
        assert desk.question(TIMEOUT).given == given
        await desk.press("enter")
    assert file.read_bytes() == before


@pytest.mark.proves("S0-19")
@pytest.mark.parametrize("given", ["5 minutes", "abc", "-5m", "5", "0s", "5m x"])
async def test_what_is_no_duration_is_told_beside_the_field_and_not_saved(
    tmp_path: Path, file: Path, given: str
):
    async with seated(tmp_path) as desk:
        await enable(desk)
        await desk.press("down", "down")
        await desk.write(given)
        assert "must be a duration with its\n" in desk.text()
        await desk.press("up", "enter")
        assert desk.form.is_running
        assert desk.focus() == TIMEOUT
        assert desk.question(TIMEOUT).given == given
        assert not file.exists()
        await desk.press("ctrl+u")
        assert "must be a duration" not in desk.text()
        await desk.paste("5m")
        await desk.press("enter")
    assert saved(file)["tools"]["browser"]["sessionTimeout"] == "5m"


@pytest.mark.proves("S0-20")
@pytest.mark.parametrize(("forward", "back"), [("down", "up"), ("tab", "shift+tab")])
async def test_arrows_and_tab_move_among_the_visible_fields(
    tmp_path: Path, forward: str, back: str
):
    async with seated(tmp_path) as desk:
        await desk.press(forward)
        assert desk.focus() == "Browser Enabled"
        await enable(desk)
        passed = []
        for _ in ALL:
            passed.append(desk.focus())
            await desk.press(forward)
        assert passed == ALL
        assert desk.focus() == "Browser Enabled"
        await desk.press(back)
        assert desk.focus() == ALL[-1]
        await desk.press(back)
        assert desk.focus() == ALL[-2]


@pytest.mark.proves("S0-20")
async def test_arrows_move_also_where_the_form_has_to_be_scrolled(tmp_path: Path):
    async with seated(tmp_path, size=(60, 8)) as desk:
        await enable(desk)
        for label in [*ALL[1:], ALL[0]]:
            await desk.press("down")
            assert desk.focus() == label
            assert label in desk.text()


@pytest.mark.proves("S0-20")
async def test_only_the_field_with_the_focus_is_described(tmp_path: Path):
    async with seated(tmp_path, size=(120, 30)) as desk:
        await enable(desk)
        for field in FIELDS:
            assert desk.focus() == field.label
            text = " ".join(desk.text().split())
            described = [each.label for each in FIELDS if each.description in text]
            assert described == [field.label]
            await desk.press("down")


@pytest.mark.proves("S0-20")
async def test_escape_leaves_without_writing(tmp_path: Path, file: Path):
    put(file, "[tools.browser]\nenabled = true # mine\n")
    before = (file.read_bytes(), file.stat().st_mtime_ns, sorted(tmp_path.rglob("*")))
    async with seated(tmp_path) as desk:
        await desk.press("down", "space", "down")
        await desk.paste("7m")
        await desk.press("escape")
    assert desk.form.return_value is False
    assert (file.read_bytes(), file.stat().st_mtime_ns, sorted(tmp_path.rglob("*"))) == before


@pytest.mark.proves("S0-20")
async def test_escape_in_a_new_home_makes_no_file(tmp_path: Path):
    async with seated(tmp_path) as desk:
        await desk.press("space", "escape")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.proves("S0-20")
@pytest.mark.parametrize("label", ALL[1:])
async def test_a_toggle_that_hides_the_focused_field_leaves_the_focus_on_a_visible_one(
    tmp_path: Path, label: str
):
    async with seated(tmp_path) as desk:
        await enable(desk)
        desk.question(label).control.focus()
        await desk.pilot.pause()
        assert desk.focus() == label
        desk.question("Browser Enabled").control.chosen = "no"
        await desk.pilot.pause()
        assert desk.labels() == ["Browser Enabled"]
        assert desk.focus() == "Browser Enabled"
        await desk.press("space")
        assert desk.labels() == ALL


async def test_a_click_toggles_as_space_does(tmp_path: Path):
    async with seated(tmp_path) as desk:
        await desk.pilot.click(desk.question("Browser Enabled").control)
        await desk.pilot.pause()
        assert desk.labels() == ALL


async def test_what_is_hidden_is_neither_checked_nor_saved(tmp_path: Path, file: Path):
    async with seated(tmp_path) as desk:
        await enable(desk)
        await desk.press("down", "down")
        await desk.paste("abc")
        await desk.press("up", "up", "space", "enter")
    assert desk.form.return_value is True
    assert not file.exists() or saved(file) == {}


async def test_the_rest_of_the_file_and_its_comments_stay(tmp_path: Path, file: Path):
    put(
        file,
        "# mine\n[browser] # here\nheadless = true # why\nidleTimeout = 600000\n"
        '[logging]\nlevel = "debug"\n',
    )
    async with seated(tmp_path) as desk:
        assert desk.question(TIMEOUT).given == "10m"
        await enable(desk)
        await desk.press("down", "space", "enter")
    text = file.read_text(encoding="utf-8")
    assert text.startswith("# mine\n[browser] # here\nheadless = false # why\nidleTimeout = 600000")
    assert saved(file)["tools"] == {"browser": {"enabled": True}}
    assert saved(file)["logging"] == {"level": "debug"}


async def test_every_other_field_is_saved_under_its_key(tmp_path: Path, file: Path):
    async with seated(tmp_path) as desk:
        await enable(desk)
        await desk.press("down", "down", "down")
        await desk.paste("sh")
        await desk.press("down")
        await desk.paste("remote")
        await desk.press("down", "space", "space", "down")
        await desk.paste("/srv/in, ~/out")
        await desk.press("enter")
        assert not desk.form.is_running, desk.text()
    assert saved(file) == {
        "tools": {"browser": {"enabled": True}},
        "browser": {
            "executablePath": "sh",
            "defaultProfile": "remote",
            "sandbox": "off",
        },
        "security": {"allowedPaths": ["/srv/in", "~/out"]},
    }


async def test_an_emptied_field_is_taken_out_of_the_file(tmp_path: Path, file: Path):
    put(file, "[tools.browser]\nenabled = true\nsessionTimeout = '9m' # old\n")
    async with seated(tmp_path) as desk:
        await desk.press("down", "down", "end", "ctrl+u", "enter")
    assert saved(file) == {"tools": {"browser": {"enabled": True}}}


@pytest.mark.parametrize(
    ("label", "given", "says"),
    [
        ("Browser Executable", "/no/such/browser", "must be a program that exists"),
        ("Browser Executable", "bin/browser", "must be a program that exists"),
        ("Browser Profile", "nobody", "must be one of isolated"),
        ("Allowed Paths", "/srv/../etc", "must be a path without '..'"),
    ],
)
async def test_a_wrong_answer_is_told_beside_its_field(
    tmp_path: Path, file: Path, label: str, given: str, says: str
):
    async with seated(tmp_path) as desk:
        await enable(desk)
        desk.question(label).control.focus()
        await desk.paste(given)
        await desk.press("enter")
        assert desk.form.is_running
        assert desk.focus() == label
        assert f"{label} {says}" in " ".join(desk.text().split())
        assert not file.exists()


@pytest.mark.parametrize("picture", [0, 1])
async def test_the_form_looks_as_the_docs_show_it(tmp_path: Path, picture: int):
    pictures = re.findall(r"(?ms)^```text\n(.*?)\n```", DOCS.read_text(encoding="utf-8"))
    async with seated(tmp_path, size=(80, 20)) as desk:
        await enable(desk)
        await desk.press("down", "down")
        if picture == 1:
            await desk.paste("5 minutes")
        shown = desk.text()
    assert pictures[picture] == shown
