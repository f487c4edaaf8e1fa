import os
from pathlib import Path

import pytest

from tabwright.engine.obtain import Browser, find_browser, found
from tabwright.engine.obtain.places import places
from tabwright.errors import LaunchFailed


@pytest.mark.proves("S0-21")
@pytest.mark.parametrize(
    "name",
    [
        *("google-chrome", "google-chrome-stable", "chrome", "chromium", "chromium-browser"),
        *("msedge", "microsoft-edge", "brave", "brave-browser"),
    ],
)
def test_a_browser_on_path_is_found_without_being_started(name, program, tmp_path):
    path = program(name, f"touch {tmp_path}/started")
    browser = find_browser("full", cache=tmp_path)
    assert browser == Browser(path=path, kind="full", source="system")
    assert not (tmp_path / "started").exists()


@pytest.mark.proves("S0-21")
@pytest.mark.parametrize(
    "name", ["chromium-headless-shell", "headless_shell", "chrome-headless-shell"]
)
def test_a_headless_shell_on_path_is_preferred_when_one_will_do(name, program, tmp_path):
    program("google-chrome")
    shell = program(name)
    assert find_browser("shell", cache=tmp_path) == Browser(shell, "shell", "system")


@pytest.mark.proves("S0-21")
def test_a_browser_at_a_known_location_is_found(bare, tmp_path, monkeypatch):
    place = tmp_path / "opt" / "chrome"
    place.parent.mkdir()
    place.write_text("#!/bin/sh\n", encoding="utf-8")
    place.chmod(0o755)
    monkeypatch.setattr(found, "places", lambda kind: iter([tmp_path / "absent", place]))
    browser = find_browser("full", cache=tmp_path)
    assert browser
    assert browser.path == place


def test_a_full_browser_stands_in_for_a_shell(program, tmp_path):
    path = program("chromium")
    assert find_browser("shell", cache=tmp_path) == Browser(path, "full", "system")


def test_a_shell_never_stands_in_for_a_full_browser(program, tmp_path):
    program("chromium-headless-shell")
    link = program("chromium-headless-shell").with_name("chromium")
    link.symlink_to("chromium-headless-shell")
    assert find_browser("full", cache=tmp_path) is None


def test_installed_browsers_can_be_left_aside(program, tmp_path):
    program("chromium")
    assert find_browser("full", cache=tmp_path, system=False) is None


@pytest.mark.proves("S0-22")
def test_the_configured_browser_wins_over_one_on_path(program, tmp_path):
    program("chromium")
    chosen = program("my-own-build")
    browser = find_browser("shell", executable=chosen, cache=tmp_path)
    assert browser == Browser(chosen, "full", "configured")


def test_a_configured_name_is_looked_up_on_path(program, tmp_path):
    chosen = program("my-own-build")
    browser = find_browser("full", executable=Path("my-own-build"), cache=tmp_path)
    assert browser
    assert browser.path == chosen


@pytest.mark.proves("S0-22")
def test_a_configured_browser_that_is_missing_is_an_error_and_nothing_else_is_taken(
    program, tmp_path
):
    program("chromium")
    missing = tmp_path / "gone" / "chrome"
    with pytest.raises(LaunchFailed) as caught:
        find_browser("full", executable=missing, cache=tmp_path)
    assert caught.value.code == "BROWSER_UNAVAILABLE"
    assert str(caught.value) == (
        f"The configured browser '{missing}' does not exist. "
        "Correct `browser.executablePath`, or remove it to have a browser found."
    )


@pytest.mark.proves("S0-22")
def test_a_configured_file_that_cannot_be_executed_is_an_error(program, tmp_path):
    chosen = program("my-own-build")
    chosen.chmod(0o644)
    with pytest.raises(LaunchFailed, match="is not an executable file"):
        find_browser("full", executable=chosen, cache=tmp_path)


def test_a_configured_shell_is_refused_where_a_full_browser_is_needed(program, tmp_path):
    chosen = program("chrome-headless-shell")
    with pytest.raises(LaunchFailed, match="is a headless shell"):
        find_browser("full", executable=chosen, cache=tmp_path)


def test_known_locations_include_playwrights_browsers_newest_first(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    for revision in ("999", "1254"):
        chrome = tmp_path / f"chromium-{revision}" / "chrome-linux64" / "chrome"
        chrome.parent.mkdir(parents=True)
        chrome.touch()
    inside = [path for path in places("full") if path.is_relative_to(tmp_path)]
    assert [path.parts[-3] for path in inside] == ["chromium-1254", "chromium-999"]


@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        ("linux", "/opt/google/chrome/chrome"),
        ("darwin", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
        ("win32", "/Programs/Google/Chrome/Application/chrome.exe"),
    ],
)
def test_each_system_has_its_known_locations(platform, expected, monkeypatch):
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setitem(os.environ, "PROGRAMFILES", "/Programs")
    assert Path(expected) in list(places("full"))
