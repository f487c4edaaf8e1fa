import stat
import tomllib
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from support.config_machine import GIVEN, Machine, as_text, seen, value_of
from tabwright.config import set_value, set_values
from tabwright.errors import ConfigError


def test_set_keeps_comments_and_changes_one_key(machine: Machine):
    machine.user_file.write_text(
        "# mine\n[browser] # here\nheadless = true # why\nstealth = true\n"
    )
    put(machine, "browser.headless", "false")
    assert machine.user_file.read_text() == snapshot("""\
# mine
[browser] # here
headless = false # why
stealth = true
""")
    assert stat.S_IMODE(machine.user_file.stat().st_mode) == 0o600
    assert list(machine.user_file.parent.iterdir()) == [machine.user_file]


def put(machine: Machine, key: str, value: object, path: Path | None = None) -> None:
    set_value(
        key, value, path=path or machine.user_file, cwd=machine.project, env={}, home=machine.home
    )


@pytest.mark.parametrize("ending", [".toml", ".json"])
@pytest.mark.parametrize("key", GIVEN)
def test_what_is_set_is_shown_and_what_is_taken_out_is_gone(
    machine: Machine, key: str, ending: str
):
    real, given = key.replace("NAME", "name"), GIVEN[key]
    path = machine.user_file.with_suffix(ending)
    put(machine, "logging.logErrors", "false", path)
    put(machine, real, as_text(given), path)
    loaded = machine.load()
    assert value_of(loaded, real) == seen(key)
    assert loaded.logging.log_errors is False
    put(machine, real, None, path)
    assert machine.load().origin(real) == "default"


def test_set_keeps_the_line_ends_of_a_file(machine: Machine):
    machine.user_file.write_bytes(b"[browser]\r\nheadless = true\r\n")
    put(machine, "browser.headless", "false")
    assert machine.user_file.read_bytes() == b"[browser]\r\nheadless = false\r\n"


def test_set_replaces_the_other_name_of_a_key(machine: Machine):
    machine.user_file.write_text("[tools.browser]\nenabled = true\nsessionTimeout = '9m'\n")
    put(machine, "browser.idleTimeout", "250000")
    assert tomllib.loads(machine.user_file.read_text()) == {
        "tools": {"browser": {"enabled": True}},
        "browser": {"idleTimeout": 250000.0},
    }


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("controlServer.port", "80"),
        ("browser.idleTimeout", "5 minutes"),
        ("browser.headles", "true"),
        ("browser.defaultProfile", "nobody"),
        ("browser.args", "--a"),
        ("profiles.ISOLATED.type", "isolated"),
        ("profiles.a/b.type", "isolated"),
        ("paths.cacheDir", "../up"),
        ("browser", "5"),
        ("", "x"),
    ],
)
def test_a_value_that_is_refused_leaves_the_file_as_it_was(machine: Machine, key: str, value: str):
    before = b"# mine\r\n[profiles.isolated]\r\npersistent=true\r\n"
    machine.user_file.write_bytes(before)
    with pytest.raises(ConfigError):
        put(machine, key, value)
    assert machine.user_file.read_bytes() == before
    assert list(machine.user_file.parent.iterdir()) == [machine.user_file]


def test_several_keys_are_set_at_once_or_not_at_all(machine: Machine):
    where = {"path": machine.user_file, "cwd": machine.project, "env": {}, "home": machine.home}
    machine.user_file.write_text("# mine\n[browser]\nstealth = true\n")
    set_values({"browser.headless": "false", "browser.stealth": None}, **where)
    assert machine.user_file.read_text() == "# mine\n[browser]\nheadless = false\n"
    before = machine.user_file.stat().st_mtime_ns
    changes = {"browser.args": "[]", "browser.headless": "perhaps", "controlServer.port": "80"}
    with pytest.raises(ConfigError) as caught:
        set_values(changes, **where)
    wrong = [problem["key"] for problem in caught.value.details["problems"]]
    assert wrong == ["browser.headless", "controlServer.port"]
    assert machine.user_file.stat().st_mtime_ns == before
