"""The keys of a US keyboard, and how their names are read: `Enter`, `a`, `Control+Shift+K`."""

from __future__ import annotations

import difflib
import string
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, cast

from tabwright.errors import InputError

Modifier = Literal["Alt", "Control", "Meta", "Shift"]

ALT, CONTROL, META, SHIFT = 1, 2, 4, 8
BITS: dict[str, int] = {"Alt": ALT, "Control": CONTROL, "Meta": META, "Shift": SHIFT}
"""The modifiers as DevTools counts them."""

LEFT, RIGHT, NUMPAD = 1, 2, 3
EXAMPLE = "Examples: 'Enter', 'a', 'Control+Shift+K'."
LONGEST_NAME = 40
ZERO_WIDTH_JOINER = "\u200d"
MARKS = {"Mn", "Me", "Mc"}
REGIONAL_INDICATORS = ("\U0001f1e6", "\U0001f1ff")
# Vowels and finals of Hangul, skin tones, and the letters of subdivision flags.
JOINED = (("\u1160", "\u11ff"), ("\U0001f3fb", "\U0001f3ff"), ("\U000e0020", "\U000e007f"))


@dataclass(frozen=True)
class Key:
    """One key and what it does, in the words of the UI Events specification."""

    key: str
    code: str
    """The place on the keyboard; nothing for a character that has no key on a US layout."""
    key_code: int = 0
    """Windows' virtual key code, which pages see as `keyCode`."""
    location: int = 0
    text: str = ""
    """What it types, if anything."""
    shifted: bool = False
    """Whether it is what the key gives only together with Shift."""


@dataclass(frozen=True)
class Combination:
    """A key, and the modifiers that are held while it is pressed."""

    modifiers: tuple[Modifier, ...]
    key: Key


# Code, virtual key code, and what the key types without and with Shift.
SYMBOLS = (
    ("Space", 32, "  "),
    ("Backquote", 192, "`~"),
    ("Minus", 189, "-_"),
    ("Equal", 187, "=+"),
    ("BracketLeft", 219, "[{"),
    ("BracketRight", 221, "]}"),
    ("Backslash", 220, "\\|"),
    ("Semicolon", 186, ";:"),
    ("Quote", 222, "'\""),
    ("Comma", 188, ",<"),
    ("Period", 190, ".>"),
    ("Slash", 191, "/?"),
    *(
        (f"Digit{digit}", ord(digit), digit + sign)
        for digit, sign in zip("1234567890", "!@#$%^&*()", strict=True)
    ),
    *((f"Key{letter}", ord(letter), letter.lower() + letter) for letter in string.ascii_uppercase),
)

# Keys whose name is both their key and their code.
NAMED = {
    "Backspace": 8,
    "Tab": 9,
    "Pause": 19,
    "CapsLock": 20,
    "Escape": 27,
    "Convert": 28,
    "NonConvert": 29,
    "PageUp": 33,
    "PageDown": 34,
    "End": 35,
    "Home": 36,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
    "PrintScreen": 44,
    "Insert": 45,
    "Delete": 46,
    "Help": 47,
    "ContextMenu": 93,
    **{f"F{number}": 111 + number for number in range(1, 25)},
    "NumLock": 144,
    "ScrollLock": 145,
    "BrowserBack": 166,
    "BrowserForward": 167,
    "BrowserRefresh": 168,
    "BrowserStop": 169,
    "BrowserSearch": 170,
    "BrowserFavorites": 171,
    "BrowserHome": 172,
    "AudioVolumeMute": 173,
    "AudioVolumeDown": 174,
    "AudioVolumeUp": 175,
    "MediaTrackNext": 176,
    "MediaTrackPrevious": 177,
    "MediaStop": 178,
    "MediaPlayPause": 179,
    "LaunchMail": 180,
}

NUMPAD_SIGNS = (
    ("Multiply", 106, "*"),
    ("Add", 107, "+"),
    ("Comma", 194, ","),
    ("Subtract", 109, "-"),
    ("Decimal", 110, "."),
    ("Divide", 111, "/"),
    ("Equal", 187, "="),
    *((digit, 96 + int(digit), digit) for digit in string.digits),
)

# Other names for a key or a modifier, as people and other tools write them.
ALIASES = {
    "alt": "AltLeft",
    "option": "AltLeft",
    "opt": "AltLeft",
    "altgr": "AltGraph",
    "control": "ControlLeft",
    "ctrl": "ControlLeft",
    "shift": "ShiftLeft",
    "meta": "MetaLeft",
    "cmd": "MetaLeft",
    "command": "MetaLeft",
    "super": "MetaLeft",
    "win": "MetaLeft",
    "windows": "MetaLeft",
    "esc": "Escape",
    "return": "Enter",
    "\r": "Enter",
    "\n": "Enter",
    "\t": "Tab",
    "del": "Delete",
    "ins": "Insert",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "pgup": "PageUp",
    "pgdn": "PageDown",
    "pgdown": "PageDown",
    "spacebar": "Space",
    "menu": "ContextMenu",
}


def _characters() -> dict[str, Key]:
    found: dict[str, Key] = {}
    for code, key_code, (plain, shifted) in SYMBOLS:
        found[shifted] = Key(shifted, code, key_code, text=shifted, shifted=True)
        found[plain] = Key(plain, code, key_code, text=plain)
    return found


def _names() -> dict[str, Key]:
    keys = [Key(name, name, key_code) for name, key_code in NAMED.items()]
    keys += [
        Key(sign, f"Numpad{name}", key_code, NUMPAD, sign) for name, key_code, sign in NUMPAD_SIGNS
    ]
    for at, side in ((LEFT, "Left"), (RIGHT, "Right")):
        keys += [
            Key("Shift", f"Shift{side}", 16, at),
            Key("Control", f"Control{side}", 17, at),
            Key("Alt", f"Alt{side}", 18, at),
            Key("Meta", f"Meta{side}", 90 + at, at),
        ]
    by_code = {key.code: key for key in (*keys, *(k for k in CHARACTERS.values() if not k.shifted))}
    return {
        **by_code,
        "Enter": Key("Enter", "Enter", 13, text="\r"),
        "NumpadEnter": Key("Enter", "NumpadEnter", 13, NUMPAD, "\r"),
        "AltGraph": Key("AltGraph", "AltRight", 225, RIGHT),
        "MediaSelect": Key("LaunchMediaPlayer", "MediaSelect", 181),
        "Plus": CHARACTERS["+"],
    }


CHARACTERS = _characters()
"""Every printable ASCII character, and the key that types it."""

NAMES = _names()
"""Every key that has a name, with codes such as `KeyA` and `Digit1` among them."""

BY_FOLDED = {
    **{name.casefold(): key for name, key in NAMES.items()},
    **{alias: NAMES[name] for alias, name in ALIASES.items()},
}
SPELLINGS = {name.casefold(): name for name in (*NAMES, *BITS, "ControlOrMeta")}
WITH_SHIFT = {key.code: key for key in CHARACTERS.values() if key.shifted}
WITHOUT_SHIFT = {key.code: key for key in CHARACTERS.values() if not key.shifted}


def with_shift(key: Key) -> Key:
    """What the same key gives while Shift is held."""
    return WITH_SHIFT.get(key.code, key)


def parse_key(text: str, *, platform: str = sys.platform) -> Key:
    """Read the name of one key, as for holding it down.

    Raises:
        InputError: it is a combination, or no key of a US keyboard.
    """
    *modifiers, name = _split(text)
    if modifiers:
        raise _refused(
            f"{_shown(text)} is more than one key.", "Name one key, or press the combination."
        )
    key = _find(name, platform)
    if not key.code:
        raise _refused(
            f"{_shown(text)} has no key on a US keyboard, so it cannot be held.",
            "Type it as text instead.",
        )
    return key


def parse_combination(text: str, *, platform: str = sys.platform) -> Combination:
    """Read a key, or modifiers and a key joined by `+`.

    Raises:
        InputError: an unknown name, a sequence, or nothing after the last `+`.
    """
    *names, last = _split(text)
    held: dict[Modifier, None] = dict.fromkeys(_modifier(name, platform) for name in names)
    key = _find(last, platform)
    if held and not key.code:
        raise _refused(
            f"{last!r} has no key on a US keyboard, so it does not go with {names[0]!r}.",
            "Name the key by its place, such as 'Control+KeyA'.",
        )
    if key.shifted and key.text.isalpha() and held and "Shift" not in held:
        # 'Control+A' is how shortcuts are written; nobody means Shift by it.
        key = WITHOUT_SHIFT[key.code]
    if key.shifted:
        held["Shift"] = None
    if "Shift" in held:
        key = with_shift(key)
    return Combination(tuple(held), key)


def graphemes(text: str) -> Iterator[str]:
    """Cut text into what people call characters: an emoji of several code points stays whole.

    Raises:
        InputError: half of a surrogate pair, which is no character.
    """
    text = _whole(text)
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or not _continues(text[at - 1], text[at], at - start):
            yield text[start:at]
            start = at


def _whole(text: str) -> str:
    """The text with its surrogates joined to pairs."""
    try:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError as error:
        raise _refused(
            "The text has half of a surrogate pair in it, which is no character.",
            "Send the whole character.",
        ) from error


def _continues(before: str, char: str, length: int) -> bool:
    """Whether `char` belongs to the character that is `length` code points long so far."""
    if char.isascii() or before < " ":
        return before == "\r" and char == "\n"
    if ZERO_WIDTH_JOINER in {before, char}:
        return True
    if REGIONAL_INDICATORS[0] <= char <= REGIONAL_INDICATORS[1]:
        # Two of them are one flag.
        return length == 1 and REGIONAL_INDICATORS[0] <= before <= REGIONAL_INDICATORS[1]
    joined = any(first <= char <= last for first, last in JOINED)
    return joined or unicodedata.category(char) in MARKS


def _split(text: str) -> list[str]:
    """The names between the plus signs; a plus sign at the end is the key itself."""
    text = _whole(text)
    if len(text) == 1:
        return [text]
    head, plus = (text[:-2], ["+"]) if text.endswith("++") else (text, [])
    names = [name if len(name) == 1 else name.strip() for name in head.split("+")] + plus
    if not all(names):
        raise _refused(
            f"{_shown(text)} lacks a key.",
            "Write one after the last '+'; the plus key itself is 'Plus'.",
        )
    if any(len(name.split()) > 1 for name in names):
        raise _refused(
            f"{_shown(text)} is a sequence of keys.", "Press one combination after the other."
        )
    return names


def _find(name: str, platform: str) -> Key:
    if name in CHARACTERS:
        return CHARACTERS[name]
    folded = name.casefold().replace("_", "")
    if folded == "controlormeta":
        folded = "meta" if platform == "darwin" else "control"
    if folded in BY_FOLDED:
        return BY_FOLDED[folded]
    if len(name) < LONGEST_NAME and _is_character(name):
        return Key(name, "", text=name)
    raise _unknown(name)


def _is_character(name: str) -> bool:
    """Whether it is one character that a person could have typed."""
    return unicodedata.category(name[0]) != "Cc" and len(list(graphemes(name))) == 1


def _modifier(name: str, platform: str) -> Modifier:
    key = _find(name, platform)
    if key.key not in BITS:
        raise _refused(
            f"{name!r} is not a modifier, so it cannot stand before another key.",
            f"The modifiers are {', '.join(BITS)} and ControlOrMeta.",
        )
    return cast("Modifier", key.key)


def _unknown(name: str) -> InputError:
    near = (
        [SPELLINGS[found] for found in difflib.get_close_matches(name.casefold(), SPELLINGS)]
        if len(name) < LONGEST_NAME
        else []
    )
    meant = f"Did you mean {' or '.join(map(repr, near))}?" if near else ""
    return _refused(f"{_shown(name)} is not a key.", meant, near=near)


def _shown(text: str) -> str:
    return repr(text) if len(text) < LONGEST_NAME else f"{text[:LONGEST_NAME]!r}…"


def _refused(message: str, hint: str, near: list[str] | None = None) -> InputError:
    return InputError(message, hint=f"{hint} {EXAMPLE}".lstrip(), near=near or None)
