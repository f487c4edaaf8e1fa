# ruff: noqa: E501 - texts that a person reads stand here as they are shown

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from support.config_machine import Machine
from tabwright.config import check
from tabwright.errors import ConfigError


def test_what_is_wrong_is_told_with_place_value_and_what_is_allowed(machine: Machine):
    machine.user_file.write_text(
        "[browser]\nheadles = true\ndefaultTimeout = '5 minutes'\n"
        "[profiles.work.connectionOptions]\nauthToken = 5\n"
        "wsEndpoint = 'ftp://me:hush@browsers.test/?token=hush'\n"
    )
    machine.project_file.write_text("[browser]\nheadless = maybe\n")
    told = machine.problems({"paths.cacheDir": "a/../b"}, TABWRIGHT_BROWSER__ARGS="--a")
    assert "hush" not in told
    lines = told.replace("user file ~/.config/tabwright/config.toml", "USER").splitlines()
    assert lines == snapshot(
        [
            "The configuration has 7 problems:",
            "- USER: browser.headles = True: there is no such key; did you mean 'browser.headless'?",
            "- USER: browser.defaultTimeout = '5 minutes': must be a duration above zero such as '500ms', '5m' or '1h30m', or a number of milliseconds",
            "- USER: profiles.work.connectionOptions.wsEndpoint = 'ftp://********@browsers.test/?token=********': must be a URL that starts with ws://, wss://, http:// or https://",
            "- USER: profiles.work.connectionOptions.authToken = '********': must be text",
            "- project file ./tabwright.toml: not TOML: Invalid value at line 2, column 12",
            '- environment TABWRIGHT_BROWSER__ARGS: browser.args = \'--a\': must be JSON, such as ["a", "b"] or {"width": 800}',
            "- flag paths.cacheDir: paths.cacheDir = 'a/../b': must be a path without '..'",
        ]
    )


def test_a_variable_with_too_few_underscores_is_told_and_a_stranger_is_left_alone(
    machine: Machine,
):
    assert machine.load(TABWRIGHT_TOKEN="x").origin("browser.headless") == "default"
    told = machine.problems(TABWRIGHT_BROWSER_HEADLESS="false")
    assert "did you mean TABWRIGHT_BROWSER__HEADLESS?" in told
    assert "did you mean" in machine.problems(TABWRIGHT_BROWSER__SANBOX="on")
    assert "brwser.x" in machine.problems(TABWRIGHT_BRWSER__X="1")


@pytest.mark.parametrize(
    ("name", "text", "where"),
    [
        ("config.toml", "a = 1\nb = = 2\n", "line 2, column 5"),
        ("config.toml", "a = '", "line 1, column 6"),
        ("config.json", '{"browser":\n  }', "line 2, column 3"),
        ("config.json", '{"logging": {}, "logging": {}}', "'logging' is given twice"),
        ("config.json", "[]", "must be a JSON object"),
    ],
)
def test_a_file_that_cannot_be_parsed_is_told_with_its_place(
    machine: Machine, name: str, text: str, where: str
):
    machine.user_file.with_name(name).write_text(text)
    assert where in machine.problems()


BROKEN: dict[str, Any] = {
    "controlServer.port": st.integers(max_value=1023) | st.integers(min_value=65536),
    "controlServer.host": st.sampled_from(["0.0.0.0", "::", "example.com", "10.0.0.1", ""]),
    "browser.defaultProfile": st.sampled_from(["nobody", "../isolated", "iso lated"]),
    "browser.headless": st.sampled_from(["perhaps", 7, []]),
    "browser.idleTimeout": st.sampled_from(["5 minutes", "abc", -1, 0, "-5m"]),
    "browser.executablePath": st.sampled_from(["../chromium", "/opt/../chromium"]),
    "browser.nonsense": st.integers(),
    "logging.level": st.sampled_from(["loud", "", 5]),
    "paths.screenshotDir": st.sampled_from(["../up", "a/../../b", "/x/..", "..\\up", ""]),
    "paths.userDataBaseDir": st.sampled_from(["..", "/x/../y"]),
    "profiles.isolatéd.": st.just({"type": "sideways"}),
    "profiles.ISOLATED": st.just({"type": "isolated"}),
    "profiles...": st.just({"type": "isolated"}),
    "profiles.a/b": st.just({"type": "isolated"}),
    "profiles.isolated.userDataDir": st.just("/data/shared"),
}


# Feature: browser-automation, Property 39: an invalid configuration is refused, and every one
# of its problems is named in one message.
@pytest.mark.proves("S3-P39")
@settings(max_examples=150)
@given(data=st.data(), keys=st.sets(st.sampled_from(sorted(BROKEN)), min_size=1))
def test_every_broken_key_is_named(machine: Machine, data: st.DataObject, keys: set[str]):
    tree: dict[str, Any] = {"profiles": {"twin": {"userDataDir": "/data/shared/inner"}}}
    for key in sorted(keys):
        section, name = key.split(".", 1)
        if key == "profiles.isolated.userDataDir":
            name, value = "isolated", {"userDataDir": data.draw(BROKEN[key])}
        else:
            value = data.draw(BROKEN[key])
        tree.setdefault(section, {})[name] = value
    machine.user_file.with_suffix(".json").write_text(json.dumps(tree))
    with pytest.raises(ConfigError) as caught:
        machine.load()
    named = [problem["key"] for problem in caught.value.details["problems"]]
    for key in keys:
        assert any(each == key or each.startswith(f"{key}.") for each in named), (key, named)
        assert key in caught.value.message
    assert caught.value.exit_code != 0


@pytest.mark.proves("S3-P39")
def test_a_missing_executable_is_found_by_the_check_of_a_server_not_by_loading(machine: Machine):
    program = machine.home / "chromium"
    loaded = machine.load({"tools.browser.browserBin": str(program)})
    (problem,) = check(loaded)
    assert (problem.key, problem.source) == (
        "browser.executablePath",
        "flag tools.browser.browserBin",
    )
    program.write_text("")
    program.chmod(0o755)
    assert check(loaded) == []
