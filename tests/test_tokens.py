"""The estimate of tokens against the tokenizer itself."""

from __future__ import annotations

import base64
import json
import string
import unicodedata
import uuid
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rs_bpe.bpe import openai

from tabwright import tokens

TRUE = openai.o200k_base()

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = dict(
    line.split(": ", 1)
    for line in (ROOT / "tests/fixtures/languages.txt").read_text("utf-8").splitlines()
)
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
FLAG = "\U0001f1e9\U0001f1ea"
HEART = "\u2764\ufe0f"
THUMB = "\U0001f44d\U0001f3ff"


def excess(text: str) -> float:
    """By which part the estimate is above the truth."""
    return tokens.count(text) / TRUE.count(text) - 1


def outline(rows: int) -> str:
    return "\n".join(
        f'  button "Save changes" e{row} disabled\n'
        f'  link "Item {row}" e{row + 3} -> /items/{row}\n'
        f'  textbox "Street and number" e{row + 4} = "High Street {row}" required'
        for row in range(10, 10 + rows * 7, 7)
    )


def table(rows: int) -> str:
    return "\n".join(
        f"| {row} | Maria Keller | maria.{row}@example.com | 2025-03-{row % 28 + 1:02} "
        f"| {row * 3.25:.2f} | active |"
        for row in range(rows)
    )


def records(rows: int) -> str:
    return json.dumps(
        [
            {"id": row, "name": f"Item {row}", "tags": ["new", "blue"], "price": row / 4}
            for row in range(rows)
        ]
    )


def addresses(rows: int) -> str:
    return "\n".join(
        f"https://www.example.com/shop/shoes/running-{row}?size={row % 9 + 36}&colour=blue#reviews"
        for row in range(rows)
    )


PYTHON = '''
@dataclass
class Basket:
    """What a customer is going to buy."""

    items: dict[str, int] = field(default_factory=dict)
    limit: int = 100

    def add(self, name: str, amount: int = 1) -> None:
        if amount <= 0:
            raise ValueError(f"amount must be above zero, not {amount!r}")
        self.items[name] = min(self.limit, self.items.get(name, 0) + amount)

    def total(self, prices: dict[str, float]) -> float:
        return sum(prices[name] * amount for name, amount in self.items.items())
'''
JAVASCRIPT = """
function visible(element) {
  const box = element.getBoundingClientRect();
  if (box.width === 0 || box.height === 0) return false;
  return getComputedStyle(element).visibility !== "hidden";
}

document.querySelectorAll("button.buy").forEach((button) => {
  button.addEventListener("click", async (event) => {
    const reply = await fetch(`/api/items/${button.dataset.id}`, { method: "POST" });
    if (!reply.ok) throw new Error("cannot buy: " + reply.status);
    document.title = (await reply.json()).count + " items";
  });
});
"""

CLOSE = {
    "english": LANGUAGES["english"],
    "an outline": outline(20),
    "a table": table(40),
    "python": PYTHON,
    "javascript": JAVASCRIPT,
    "json": records(40),
    "addresses": addresses(30),
}


@pytest.mark.parametrize("kind", CLOSE)
def test_what_agents_mostly_read_is_estimated_closely(kind: str):
    assert 0 <= excess(CLOSE[kind]) <= 0.15


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_is_estimated_from_above(language: str):
    assert 0 <= excess(LANGUAGES[language]) <= 0.4


def words(chance: Random, alphabet: str) -> str:
    return " ".join("".join(chance.choices(alphabet, k=chance.randint(1, 14))) for _ in range(120))


def runs(chance: Random, alphabet: str, longest: int) -> str:
    return "".join(chance.choice(alphabet) * chance.randint(1, longest) for _ in range(120))


def characters(chance: Random, *ranges: tuple[int, int]) -> str:
    known = [
        chr(code)
        for first, last in ranges
        for code in range(first, last + 1)
        if unicodedata.category(chr(code)) != "Cn"
    ]
    return "".join(chance.choices(known, k=300))


def parts(chance: Random, *texts: str, between: str = "") -> str:
    return between.join(chance.choices(texts, k=120))


def unique_ids(chance: Random) -> str:
    return "\n".join(str(uuid.UUID(bytes=chance.randbytes(16))) for _ in range(30))


GENERATED: dict[str, Callable[[Random], str]] = {
    "letters": lambda chance: words(chance, string.ascii_lowercase),
    "capitals": lambda chance: words(chance, string.ascii_uppercase),
    "mixed letters": lambda chance: words(chance, string.ascii_letters),
    "letters and digits": lambda chance: words(chance, string.ascii_letters + string.digits),
    "base64": lambda chance: base64.b64encode(chance.randbytes(300)).decode(),
    "hex": lambda chance: chance.randbytes(200).hex(),
    "uuid": unique_ids,
    "digits": lambda chance: "".join(chance.choices(string.digits, k=300)),
    "blanks": lambda chance: runs(chance, " \t\n", 40),
    "punctuation": lambda chance: "".join(chance.choices(string.punctuation, k=300)),
    "runs of punctuation": lambda chance: runs(chance, string.punctuation, 60),
    "emoji": lambda chance: characters(chance, (0x1F300, 0x1F64F), (0x1F680, 0x1F9FF)),
    "joined emoji": lambda chance: parts(chance, FAMILY, HEART, THUMB, "\U0001f600"),
    "flags": lambda chance: parts(chance, FLAG, "\U0001f1eb\U0001f1f7", between=" "),
    "beyond the first plane": lambda chance: characters(chance, (0x10000, 0x1EFFF)),
    "combining marks": lambda chance: characters(chance, (0x300, 0x36F)),
    "private use": lambda chance: characters(chance, (0xE000, 0xF8FF)),
    "rare Chinese": lambda chance: characters(chance, (0x4E00, 0x9FFF)),
    **{
        f"words in {language}": lambda chance, text=text: parts(chance, *text.split(), between=" ")
        for language, text in LANGUAGES.items()
    },
}


@pytest.mark.parametrize("kind", GENERATED)
def test_no_kind_of_text_costs_more_than_estimated(kind: str):
    @settings(max_examples=40)
    @given(st.integers(0, 2**32))
    def holds(seed: int) -> None:
        text = GENERATED[kind](Random(seed))
        assert tokens.count(text) >= TRUE.count(text)

    holds()


def test_nothing_costs_nothing():
    assert tokens.count("") == 0


def test_half_a_surrogate_pair_is_counted():
    assert tokens.count("\ud83d") >= 1


ANY_TEXT = st.text(
    st.one_of(st.characters(), st.sampled_from(f"{FAMILY}{FLAG}{THUMB}e\u0301 \r\nab")), max_size=60
)


@given(ANY_TEXT, st.integers(-1, 40))
def test_a_cut_text_is_a_beginning_and_fits(text: str, budget: int):
    beginning = tokens.cut(text, budget)
    assert text.startswith(beginning)
    assert tokens.count(beginning) <= max(budget, 0)


@given(ANY_TEXT)
def test_a_text_that_fits_is_not_cut(text: str):
    assert tokens.cut(text, tokens.count(text)) == text


def test_a_cut_text_is_as_long_as_fits():
    text = LANGUAGES["english"]
    beginning = tokens.cut(text, 40)
    assert tokens.count(text[: len(beginning) + 12]) > 40


@pytest.mark.parametrize("seen", [FAMILY, FLAG, THUMB, HEART, "e\u0301", "\r\n"])
def test_what_looks_like_one_character_is_not_cut_in_two(seen: str):
    text = "Hello " + seen * 20
    cuts = {tokens.cut(text, budget) for budget in range(2, tokens.count(text))}
    assert cuts <= {"Hello " + seen * times for times in range(20)} | {"Hello"}


def test_a_single_character_that_does_not_fit_is_cut_after_all():
    assert 0 < len(tokens.cut(FAMILY * 2, 4)) < len(FAMILY)


def test_what_is_remembered_is_bounded():
    for number in range(3):
        tokens.count(
            " ".join(f"{word:x}z" for word in range(number * 10_000, number * 10_000 + 10_000))
        )
    assert len(tokens._PIECES) <= tokens._REMEMBERED
