import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.config_machine import GIVEN, Machine, as_text, camel, seen, snake, value_of
from tabwright.config import Settings, known_keys, load, places, show
from tabwright.config.source import UPSTREAM_NAMES


def test_every_key_is_tried_below():
    assert set(GIVEN) == set(known_keys())


@pytest.mark.proves("S3-CFG-01", "S3-BM-03", "S0-24")
@pytest.mark.parametrize("key", GIVEN)
def test_each_key_can_be_set_by_file_environment_and_flag(machine: Machine, key: str):
    real, given = key.replace("NAME", "name"), GIVEN[key]
    assert real.startswith("profiles.") or value_of(machine.load(), real) != seen(key)
    text = as_text(given)
    *tables, last = real.split(".")
    machine.user_file.write_text(f"[{'.'.join(tables)}]\n{last} = {json.dumps(given)}\n")
    by_file = machine.load()
    assert value_of(by_file, real) == seen(key)
    assert by_file.origin(real) == f"user file {machine.user_file}"
    machine.user_file.unlink()
    for variable in (camel(real), snake(real)):
        by_variable = machine.load(**{variable: text})
        assert value_of(by_variable, real) == seen(key)
        assert by_variable.origin(real) == f"environment {variable}"
    assert value_of(machine.load({real: text}), real) == seen(key)
    assert value_of(machine.load({real: given}), real) == seen(key)


@pytest.mark.proves("S3-CFG-01")
@pytest.mark.parametrize(("variable", "key"), UPSTREAM_NAMES.items())
def test_the_upstream_variables_work_and_ours_win_over_them(
    machine: Machine, variable: str, key: str
):
    given = GIVEN[key]
    text = as_text(given)
    loaded = machine.load(**{variable: text})
    assert (value_of(loaded, key), loaded.origin(key)) == (given, f"environment {variable}")
    default = value_of(machine.load(), key)
    if default != "":
        both = {variable: text, snake(key): as_text(default)}
        assert value_of(machine.load(**both), key) == default


@pytest.mark.proves("S3-CFG-01", "U-35")
def test_flag_wins_over_environment_project_user_and_default(machine: Machine):
    seen: list[tuple[int, str]] = []

    def look(overrides: dict[str, object] | None = None, **env: str) -> None:
        loaded = machine.load(overrides, **env)
        seen.append((loaded.control_server.port, loaded.origin("controlServer.port")))

    look()
    machine.user_file.write_text("[controlServer]\nport = 20001\n")
    look()
    machine.project_file.write_text("[controlServer]\nport = 20002\n")
    look()
    look(TABWRIGHT_CONTROL_SERVER__PORT="20003")
    look({"controlServer.port": 20004}, TABWRIGHT_CONTROL_SERVER__PORT="20003")
    assert seen == [
        (18791, "default"),
        (20001, f"user file {machine.user_file}"),
        (20002, f"project file {machine.project_file}"),
        (20003, "environment TABWRIGHT_CONTROL_SERVER__PORT"),
        (20004, "flag controlServer.port"),
    ]


def test_the_project_file_is_the_nearest_one_within_the_repository(machine: Machine):
    inner = machine.project / "a" / "b"
    inner.mkdir(parents=True)
    machine.project_file.write_text("browser.headless = false\n")
    assert load(cwd=inner, env={}, home=machine.home).browser.headless is False
    (inner / ".git").mkdir()
    assert load(cwd=inner, env={}, home=machine.home).browser.headless is True


def test_layers_are_merged_key_by_key(machine: Machine):
    machine.user_file.write_text("[profiles.Work]\npersistent = true\n[browser]\nstealth = true\n")
    machine.project_file.write_text("[profiles.Work.launchOptions]\nargs = ['--a']\n")
    loaded = machine.load(TABWRIGHT_PROFILES__WORK__TYPE="remote")
    work = loaded.profiles["Work"]
    assert (work.persistent, work.launch_options.args, work.type) == (True, ["--a"], "remote")
    assert loaded.browser.stealth is True
    assert set(loaded.profiles) == {"Work", "isolated", "chrome-extension", "remote"}


def test_json_is_read_with_profiles_as_a_list(machine: Machine):
    given = {"browser": {"headless": False}, "profiles": [{"name": "work", "type": "openclaw"}]}
    machine.user_file.with_suffix(".json").write_text(json.dumps(given))
    loaded = machine.load()
    assert loaded.browser.headless is False
    assert loaded.profiles["work"].type == "isolated"


@pytest.mark.proves("S0-24")
def test_a_key_with_two_names_takes_what_was_written_last(machine: Machine):
    machine.user_file.write_text(
        "[browser]\nexecutablePath = '/opt/a'\nidleTimeout = '5m'\n"
        "[tools.browser]\nbrowserBin = '/opt/b'\nsessionTimeout = '6m'\n"
    )
    loaded = machine.load(TABWRIGHT_TOOLS__BROWSER__HEADLESS="false", BROWSER_HEADLESS="true")
    assert loaded.browser.executable_path == "/opt/b"
    assert loaded.browser.headless is False
    rows = {row.key: (row.value, row.origin) for row in show(loaded)}
    source = f"user file {machine.user_file}"
    assert rows["tools.browser.sessionTimeout"] == rows["browser.idleTimeout"] == ("6m", source)


def test_other_names_count_in_a_model_made_by_hand():
    made = Settings.model_validate({"tools": {"browser": {"sessionTimeout": "5m"}}})
    assert made.browser.idle_timeout == 300_000
    assert Settings.model_validate({"browser": {"noSandbox": True}}).browser.sandbox == "off"


def test_no_sandbox_is_another_way_to_say_off(machine: Machine):
    machine.user_file.write_text("browser.noSandbox = true\n")
    assert machine.load().browser.sandbox == "off"
    assert machine.load({"browser.sandbox": "on"}).browser.sandbox == "on"


def test_relative_paths_start_at_their_file_and_tilde_is_home(machine: Machine):
    machine.project_file.write_text("[paths]\nscreenshotDir = 'shots'\ndownloadDir = '~/got'\n")
    loaded = machine.load({"browser.executablePath": "chromium"})
    assert loaded.paths.screenshot_dir == machine.project / "shots"
    assert loaded.paths.download_dir == machine.home / "got"
    assert loaded.browser.executable_path == "chromium"


def test_places_follow_the_platform(machine: Machine):
    home = machine.home
    linux = places({"XDG_DATA_HOME": "/xdg", "XDG_CACHE_HOME": "relative"}, home, platform="linux")
    assert (linux.state, linux.cache) == (Path("/xdg/tabwright"), home / ".cache/tabwright")
    assert linux.user_file == machine.user_file
    mac = places({}, home, platform="darwin")
    assert mac.cache == home / "Library/Caches/tabwright"
    assert places({}, home, platform="win32").config == home / "AppData/Roaming/tabwright"


def test_importing_the_configuration_leaves_heavy_modules_alone():
    heavy = "{'tomlkit', 'pydantic_settings'}"
    code = f"import sys, tabwright.config; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
