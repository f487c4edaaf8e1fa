from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.config_machine import Machine
from tabwright.config import (
    BrowserProfile,
    Settings,
    load,
    profile_dir,
    profile_key,
    resolve_profile,
    show,
)
from tabwright.errors import ConfigError, InputError


def test_profiles_are_found_in_any_spelling(machine: Machine):
    machine.user_file.write_text("[profiles.Work]\n")
    loaded = machine.load()
    assert resolve_profile(loaded).name == "isolated"
    assert resolve_profile(loaded, "openclaw") is resolve_profile(loaded, "Isolated")
    assert resolve_profile(loaded, "wORK").name == "Work"
    assert resolve_profile(loaded, "remote").type == "remote"
    with pytest.raises(InputError, match="Did you mean 'work'"):
        resolve_profile(loaded, "wrk")
    renamed = machine.load(
        {"browser.defaultProfile": "openclaw", "profiles.openclaw.stealth": True}
    )
    assert resolve_profile(renamed).stealth is True


names = st.one_of(
    st.text(max_size=70),
    st.text(alphabet="aA.é\u0065\u0301ﬁß/\\ -", max_size=6),
    st.sampled_from(
        ["work", "Work", "WORK", "work.", "work..", "../work", "work/x", "\uff57ork", "con"]
    ),
)


# Feature: browser-automation, Property 11: any two profiles have directories of which neither
# is the other one or lies within it; names that could break this are refused.
@pytest.mark.proves("S3-P11")
@settings(max_examples=300)
@given(one=names, other=names)
def test_two_profiles_never_share_a_directory(one: str, other: str):
    try:
        same, first, second = profile_key(one) == profile_key(other), *both(one, other)
    except InputError:
        return
    assert first.parent == second.parent == Path("/base")
    assert first.name not in {"", ".", ".."}
    if same:
        with pytest.raises(ConfigError, match=r"same profile|given twice|must be"):
            refuse_both(one, other)
        return
    assert str(first).casefold() != str(second).casefold()
    assert not first.is_relative_to(second)
    assert not second.is_relative_to(first)


def both(one: str, other: str) -> tuple[Path, Path]:
    made = Settings.model_validate({"paths": {"userDataBaseDir": "/base"}})
    return profile_dir(made, one), profile_dir(made, other)


def refuse_both(one: str, other: str) -> None:
    rows = [{"name": one}, {"name": other}]
    load({"profiles": rows}, cwd=Path("/"), env={}, home=Path("/nowhere"))


@pytest.mark.proves("S3-BM-03")
def test_a_token_is_never_shown(machine: Machine):
    loaded = machine.load({"profiles.remote.connectionOptions.authToken": "hush"})
    token = loaded.profiles["remote"].connection_options.auth_token
    assert token is not None
    assert token.get_secret_value() == "hush"
    texts = (str(show(loaded)), repr(loaded), str(loaded), loaded.model_dump_json())
    assert not [text for text in texts if "hush" in text]
    assert set(BrowserProfile.model_fields) >= {"name", "type", "user_data_dir", "launch_options"}
