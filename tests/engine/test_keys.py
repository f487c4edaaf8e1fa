"""The names of keys: what is read, what is refused, and what the refusal says."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwright.engine.keys import (
    CHARACTERS,
    NAMES,
    Combination,
    Key,
    graphemes,
    parse_combination,
    parse_key,
)
from tabwright.errors import InputError

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
FLAG = "\U0001f1eb\U0001f1f7"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
WAVE = "\U0001f44b\U0001f3fd"
KEYCAP = "1\ufe0f\u20e3"
HANGUL = "\u1100\u1161\u11a8"


def read(text: str, platform: str = "linux") -> tuple[str, ...]:
    """Modifiers, key and code."""
    combination = parse_combination(text, platform=platform)
    return (*combination.modifiers, combination.key.key, combination.key.code)


def test_every_printable_ascii_character_has_a_key_that_types_it():
    printable = [c for c in string.printable if c.isprintable()]
    assert {c: CHARACTERS[c].text for c in printable} == {c: c for c in printable}
    assert len(CHARACTERS) == len(printable)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Enter", ("Enter", "Enter")),
        ("a", ("a", "KeyA")),
        ("A", ("Shift", "A", "KeyA")),
        ("!", ("Shift", "!", "Digit1")),
        ("Control+Shift+A", ("Control", "Shift", "A", "KeyA")),
        ("Control+A", ("Control", "a", "KeyA")),
        ("Alt+Meta+x", ("Alt", "Meta", "x", "KeyX")),
        ("Shift+a", ("Shift", "A", "KeyA")),
        ("Shift+1", ("Shift", "!", "Digit1")),
        ("Shift+KeyQ", ("Shift", "Q", "KeyQ")),
        ("Control+?", ("Control", "Shift", "?", "Slash")),
        ("Control+Control+c", ("Control", "c", "KeyC")),
        ("Control+Shift", ("Control", "Shift", "ShiftLeft")),
        ("Control + a", ("Control", "a", "KeyA")),
        ("F24", ("F24", "F24")),
        ("Numpad7", ("7", "Numpad7")),
        ("NumpadEnter", ("Enter", "NumpadEnter")),
        ("ShiftRight", ("Shift", "ShiftRight")),
        ("MediaPlayPause", ("MediaPlayPause", "MediaPlayPause")),
    ],
)
def test_a_combination_is_read(text: str, expected: tuple[str, ...]):
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("ctrl+c", "Control+c"),
        ("Cmd+c", "Meta+c"),
        ("COMMAND+c", "Meta+c"),
        ("super+c", "Meta+c"),
        ("Option+c", "Alt+c"),
        ("esc", "Escape"),
        ("Return", "Enter"),
        ("\n", "Enter"),
        ("\t", "Tab"),
        ("del", "Delete"),
        ("Up", "ArrowUp"),
        ("left", "ArrowLeft"),
        ("page_down", "PageDown"),
        ("pagedown", "PageDown"),
        (" ", "Space"),
        ("Control+ ", "Control+Space"),
        ("+", "Plus"),
        ("Control++", "Control+Plus"),
        ("Shift+=", "+"),
    ],
)
def test_other_spellings_mean_the_same(text: str, same: str):
    assert parse_combination(text) == parse_combination(same)


def test_control_or_meta_is_the_platforms_own():
    assert read("ControlOrMeta+c", "linux") == ("Control", "c", "KeyC")
    assert read("ControlOrMeta+c", "win32") == ("Control", "c", "KeyC")
    assert read("ControlOrMeta+c", "darwin") == ("Meta", "c", "KeyC")


@pytest.mark.parametrize("character", ["é", "字", "\U0001f600", FAMILY, FLAG, WAVE, "ß"])
def test_a_character_without_a_key_is_allowed_alone(character: str):
    assert parse_combination(character) == Combination((), Key(character, "", text=character))
    with pytest.raises(InputError, match="no key on a US keyboard"):
        parse_combination(f"Control+{character}")
    with pytest.raises(InputError, match="cannot be held"):
        parse_key(character)


def test_surrogates_are_joined():
    assert parse_combination("\ud83d\ude00").key.text == "\U0001f600"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' lacks a key. Write one after the last '+'; the plus key itself is 'Plus'."),
        ("Control+", "'Control+' lacks a key. Write one after the last '+'"),
        ("++", "'++' lacks a key."),
        ("Enetr", "'Enetr' is not a key. Did you mean 'Enter'"),
        ("Control+Entre", "'Entre' is not a key. Did you mean 'Enter'"),
        ("arowup", "'arowup' is not a key. Did you mean 'ArrowUp'"),
        ("F25", "'F25' is not a key."),
        ("Control+C Control+V", "'Control+C Control+V' is a sequence of keys. Press one"),
        ("A B", "'A B' is a sequence of keys."),
        ("Enter+A", "'Enter' is not a modifier, so it cannot stand before another key."),
        ("a+b", "The modifiers are Alt, Control, Meta, Shift and ControlOrMeta."),
        ("\x07", "'\\x07' is not a key."),
        ("\ud800", "half of a surrogate pair"),
        ("x" * 5000, f"'{'x' * 40}'… is not a key."),
    ],
)
def test_what_is_no_key_is_refused_with_a_way_on(text: str, message: str):
    with pytest.raises(InputError) as caught:
        parse_combination(text)
    assert message in str(caught.value)
    assert str(caught.value).endswith("Examples: 'Enter', 'a', 'Control+Shift+K'.")


def test_one_key_is_wanted_where_one_is_held():
    assert parse_key("ctrl") == NAMES["ControlLeft"]
    assert parse_key("+") == CHARACTERS["+"]
    with pytest.raises(InputError, match="more than one key"):
        parse_key("Control+A")


@given(st.text())
def test_any_text_is_a_combination_or_refused(text: str):
    for parse in (parse_combination, parse_key):
        try:
            found = parse(text)
        except InputError:
            continue
        assert isinstance(found, Combination | Key)


@given(
    st.lists(st.sampled_from(["Alt", "ctrl", "Meta", "shift", "ControlOrMeta", "", "Ctrl "])),
    st.sampled_from([*NAMES, *CHARACTERS, "é", "", " "]),
)
def test_any_list_of_names_is_a_combination_or_refused(modifiers: list[str], key: str):
    try:
        found = parse_combination("+".join([*modifiers, key]))
    except InputError:
        return
    assert len(found.modifiers) == len(set(found.modifiers))
    assert found.key.code or not found.modifiers


@pytest.mark.parametrize("whole", [FAMILY, FLAG, SCOTLAND, WAVE, KEYCAP, "e\u0301", "\r\n", HANGUL])
def test_a_character_of_several_code_points_stays_whole(whole: str):
    assert list(graphemes(f"a{whole}b{whole}{whole}")) == ["a", whole, "b", whole, whole]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_cutting_loses_nothing(text: str):
    assert "".join(graphemes(text)) == text


@given(st.text(alphabet=string.printable.replace("\r", "")))
def test_plain_text_is_cut_into_its_characters(text: str):
    assert list(graphemes(text)) == list(text)
