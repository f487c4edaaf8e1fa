"""How many tokens a text costs a model, without a tokenizer.

The estimate is for `o200k_base` and errs upwards: over some fifty words it is practically never
below the true number. A text is cut where the tokenizer cuts it. A word then costs what its
letters, three by three, were found to cost; punctuation goes by pairs, other scripts by the
character. The tables in `tokens.txt` are fitted with the true tokenizer, which the tests compare
with; it weighs 48 MB and stays out of here.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from pathlib import Path

_TOKEN = 100
"""Costs are whole numbers of hundredths of a token."""

_DIGIT = 15
"""What one step in the tables stands for."""

_REMEMBERED = 20_000
_LONGEST_REMEMBERED = 24

_LOWER = "a-zß-öø-ſơưạ-ỹ"
_UPPER = "A-ZÀ-ÖØ-ÞƠƯ"
_MARK = r"!-/:-@\[-`{-~"
_BLANK = r"[\t-\r ]"
_PIECE = re.compile(
    rf"[\t {_MARK}]?(?:[{_UPPER}]*[{_LOWER}]+|[{_UPPER}]+)"
    r"|[0-9]{1,3}"
    rf"| ?[{_MARK}]+[\r\n/]*"
    rf"|{_BLANK}*[\r\n]+"
    rf"|{_BLANK}+(?!{_BLANK[0]}^{_BLANK[1:]})"
    rf"| ?[^\x00-\x7f{_LOWER}{_UPPER}]+"
    r"|.",
    re.DOTALL,
)
_WORD = re.compile(rf"([\t {_MARK}]?)([{_UPPER}{_LOWER}]+)")

_RUN = re.compile(r"(.)(\1*)", re.DOTALL)
_BEFORE = {"": 29, " ": -4, **dict.fromkeys("._-(/", 64)}
"""What stands before a word: nothing, a blank, a mark that is often one token with it."""

_REPEATED = {
    **dict.fromkeys("-*.=_", 10),
    **dict.fromkeys("!#%+/:;~", 14),
    **dict.fromkeys("<>?@^", 22),
    **dict.fromkeys("&[]`{}", 52),
}
"""What each further mark of a long run costs."""

_JOINER = "\u200d"
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]")
_EXTENDS = re.compile("[\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
"""Colours of skin, and the letters of regional flags."""

_OF_A_CHARACTER = (
    (0x0080, 100),
    (0x0180, 200),
    (0x0370, 180),
    (0x0386, 45),  # Greek
    (0x03CF, 190),
    (0x0400, 110),
    (0x0410, 27),  # Cyrillic
    (0x044A, 110),
    (0x044B, 27),
    (0x0450, 110),
    (0x0460, 190),
    (0x0531, 38),  # Armenian
    (0x0588, 190),
    (0x05D0, 42),  # Hebrew
    (0x05EB, 100),
    (0x0610, 150),
    (0x0620, 31),  # Arabic
    (0x0660, 60),
    (0x066E, 150),
    (0x067E, 45),  # Persian
    (0x06CD, 150),
    (0x06F0, 60),
    (0x0700, 200),
    (0x0800, 300),
    (0x0900, 34),  # Devanagari
    (0x0980, 42),  # Bengali
    (0x0A00, 80),  # Gurmukhi
    (0x0A80, 70),  # Gujarati
    (0x0B00, 110),  # Oriya
    (0x0B80, 42),  # Tamil
    (0x0C00, 50),  # Telugu
    (0x0C80, 45),  # Kannada
    (0x0D00, 42),  # Malayalam
    (0x0D80, 70),  # Sinhala
    (0x0E00, 46),  # Thai
    (0x0E80, 200),
    (0x0F80, 300),
    (0x1000, 62),  # Burmese
    (0x10A0, 200),
    (0x10D0, 38),  # Georgian
    (0x1100, 300),
    (0x1200, 205),
    (0x1380, 300),
    (0x1780, 66),  # Khmer
    (0x17D4, 200),
    (0x1800, 300),
    (0x1E00, 195),
    (0x1F00, 230),
    (0x2000, 130),
    (0x2010, 95),  # dashes, quotation marks, dots
    (0x2023, 190),
    (0x2026, 95),
    (0x2027, 195),
    (0x2340, 300),
    (0x2420, 200),
    (0x26B0, 300),
    (0x2700, 200),
    (0x27B0, 300),
    (0x3000, 100),
    (0x3003, 160),
    (0x3041, 76),  # kana
    (0x30F7, 150),
    (0x30FC, 76),
    (0x30FD, 200),
    (0x3180, 300),
    (0x4E00, 212),  # Chinese
    (0xA000, 300),
    (0xAC00, 240),  # Hangul
    (0xD7A4, 300),
    (0xFE00, 200),
    (0xFF00, 105),
    (0xFF20, 140),
    (0xFF40, 190),
    (0x10000, 400),
    (0x1D400, 300),
    (0x1D800, 400),
    (0x1EF00, 300),
    (0x1F1E6, 200),  # flags
    (0x1F200, 300),
    (0x1F300, 205),  # emoji
    (0x1F540, 300),
    (0x1F600, 205),
    (0x1F6C0, 300),
    (0x1F900, 205),
    (0x1F980, 300),
    (0x20000, 400),
)
"""From this code point on, a character costs this much."""

_STARTS = [start for start, _ in _OF_A_CHARACTER]
_FIRST_LETTER = "\u0370"
_START_OF_RUN = 50
"""Beside its characters, a run of letters of another script; Latin signs and marks go without."""

_FULL_WIDTH_COST = {"一": 91, "가": 70}
"""Chinese and Hangul that are one token each, from these characters on."""


def _tables() -> tuple[bytes, dict[str, int], frozenset[str], frozenset[str]]:
    """Letters by three, marks by two, then what is one token: words and marks, characters."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    threes, pairs, common, characters = text.split("\n\n")
    marks = "\n !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    return (
        bytes(map(int, threes.replace("\n", ""))),
        {
            first + second: int(steps) * _DIGIT
            for first, row in zip(marks, pairs.split("\n"), strict=True)
            for second, steps in zip(marks, row, strict=True)
        },
        frozenset(one.replace("␣", " ").replace("⏎", "\n") for one in common.split()),
        frozenset(characters),
    )


_FIRST_THREE = ord("`") * (27 * 27 + 27 + 1)
"""The backquote comes before `a` and stands for the edge of a word."""

_THREES, _PAIRS, _COMMON, _SINGLE = _tables()


class _Characters(dict[str, int]):
    """What each character outside ASCII costs; there are too many to list, and few are met."""

    def __missing__(self, character: str) -> int:
        if character in _SINGLE:
            cost = _FULL_WIDTH_COST["가" if character >= "가" else "一"]
        else:
            cost = _OF_A_CHARACTER[bisect_right(_STARTS, ord(character)) - 1][1]
        self[character] = cost
        return cost


class _Pieces(dict[str, int]):
    """What each piece costs; the words of a text repeat, so short ones are remembered."""

    def __missing__(self, piece: str) -> int:
        cost = _cost(piece)
        if len(piece) <= _LONGEST_REMEMBERED:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[piece] = cost
        return cost


_CHARACTERS = _Characters()
_PIECES = _Pieces()


def count(text: str) -> int:
    """About how many tokens a text costs; seldom fewer than it does."""
    return -(-sum(map(_PIECES.__getitem__, _PIECE.findall(text))) // _TOKEN)


_OTHER_SCRIPTS = re.compile("[\u0370-\u1fff]")
_RARE_LETTER = 13
"""What a letter of another script costs beyond the estimate where no word is a common one."""


def bound(text: str) -> int:
    """How many tokens a text costs at most, even if all its words are rare ones."""
    if text.isascii():
        return count(text)
    return count(text) + -(-len(_OTHER_SCRIPTS.findall(text)) * _RARE_LETTER // _TOKEN)


def cut(text: str, budget: int) -> str:
    """The longest beginning of a text that `count` puts at no more than `budget` tokens.

    What people see as one character is not cut in two, unless it alone is more than the budget.
    """
    left = budget * _TOKEN
    for piece in _PIECE.finditer(text):
        cost = _PIECES[piece[0]]
        if cost > left:
            fitting = bisect_right(
                range(1, len(piece[0])), left, key=lambda length: _cost(piece[0][:length])
            )
            return text[: _whole(text, piece.start() + fitting)]
        left -= cost
    return text


def _whole(text: str, end: int) -> int:
    """The last place not after `end` that is between two characters as people see them."""
    at = end
    while at and _joined(text, at):
        at -= 1
    return at or end


def _joined(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at]
    if _FLAG.match(before) and _FLAG.match(after):
        first = at - 1
        while first and _FLAG.match(text[first - 1]):
            first -= 1
        return (at - first) % 2 == 1
    return (
        before == _JOINER
        or after == _JOINER
        or bool(_EXTENDS.match(after))
        or before + after == "\r\n"
        or ("\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff")
        or unicodedata.category(after) in {"Mn", "Mc", "Me"}
    )


def _cost(piece: str) -> int:
    if piece[-1] in "0123456789":
        return _TOKEN
    if not piece.strip("\t\n\v\f\r "):
        return _blank(piece)
    word = _WORD.fullmatch(piece)
    if word:
        return _word(word[1], word[2])
    if piece.isascii():
        return _marks(piece)
    letters = piece.lstrip(" ")
    start = _START_OF_RUN if letters[0] >= _FIRST_LETTER else 0
    return max(_TOKEN, start + sum(map(_CHARACTERS.__getitem__, letters)))


def _word(lead: str, word: str) -> int:
    alone = lead in {"", " "}
    folded = word.lower()
    if folded in _COMMON and word[1:] == folded[1:]:
        return _TOKEN if alone else _TOKEN + (70 if lead in "._-" else 100)
    accents = 0
    if not folded.isascii():
        accents = sum(32 if letter < "Ā" else 45 for letter in folded if letter > "~")
        folded = "".join(map(_base, folded))
    codes = f"`{folded}`".encode()
    steps = sum(
        _THREES[(first * 27 + second) * 27 + third - _FIRST_THREE]
        for first, second, third in zip(codes, codes[1:], codes[2:], strict=False)
    )
    cost = _BEFORE.get(lead, 116) + _form(word) + accents + steps * _DIGIT
    return max(cost, _TOKEN if alone else _TOKEN + 50)


def _form(word: str) -> int:
    if len(word) == 1:
        return 23
    if word.islower():
        return 37
    if word.isupper():
        return 34 + 9 * len(word)
    return 55 if word[1:].islower() else 67


def _base(letter: str) -> str:
    plain = unicodedata.normalize("NFD", letter)[0]
    return plain if "a" <= plain <= "z" else "z"


def _marks(piece: str) -> int:
    if piece in _COMMON:
        return _TOKEN
    # The longer a mixture, the fewer of its pairs are in the midst of a token.
    cost = _TOKEN + 3 * max(0, len(piece) - 4)
    before = ""
    for run in _RUN.finditer(piece.replace("\r", "\n")):
        mark = run[1]
        cost += _PAIRS.get(before + mark, 0)
        if run[2]:
            cost += _PAIRS[mark * 2] + (len(run[2]) - 1) * _REPEATED.get(mark, 30)
        before = mark
    return cost


def _blank(piece: str) -> int:
    """Runs of one kind are long tokens, mixtures are not."""
    runs = [(run[1], len(run[0])) for run in _RUN.finditer(piece.replace("\r", "\n"))]
    long = sum((length - 1) // (64 if kind == " " else 12) for kind, length in runs)
    return (
        _TOKEN + max(0, len(runs) - 2) * 82 + sum(30 for _, n in runs[1:] if n > 3) + long * _TOKEN
    )
