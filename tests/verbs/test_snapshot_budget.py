"""A budget is a promise: no page, however it is made, costs more than was asked for."""

from __future__ import annotations

import random
import re

import pytest

from support.engine import do
from support.site import Site
from support.tokens import true_count
from tabwright.engine.context import ToolContext

BUDGETS = (100, 300, 2000)
ALPHABETS = {
    "english": "the river copper lantern orbit meadow granite signal harbor willow ember",
    "german": "Donaudampfschifffahrtsgesellschaft Straßenverkehr möglicherweise überfüllt",
    "russian": "быстрая коричневая лиса перепрыгивает через ленивую собаку",
    "arabic": "الثعلب البني السريع يقفز فوق الكلب الكسول",
    "hebrew": "השועל החום המהיר קופץ מעל הכלב העצלן",
    "chinese": "敏捷的棕色狐狸跳过了懒狗 服务器 订单 购物车",
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇫🇷 😀 ❤️ 🧑‍🚀",
    "noise": "xqzjv kkwpt zzyqx 0x9f3a ZmFrZQ== a1b2c3d4-e5f6 %$#@! ~~~ {}[]",
}


def words(rng: random.Random, kind: str, count: int) -> str:
    return " ".join(rng.choice(ALPHABETS[kind].split()) for _ in range(count))


def element(rng: random.Random, depth: int) -> str:
    kind = rng.choice(list(ALPHABETS))
    text = words(rng, kind, rng.randint(1, 12))
    shape = rng.randrange(9 if depth else 7)
    if shape == 0:
        return f"<p>{text}</p>"
    if shape == 1:
        return f"<button title='{text}'>{text}</button>"
    if shape == 2:
        return f"<a href='/{text}'>{text}</a>"
    if shape == 3:
        return f"<label>{text} <input value='{text}'></label>"
    if shape == 4:
        return f"<h{rng.randint(1, 6)}>{text}</h{rng.randint(1, 6)}>"
    if shape == 5:
        return f"<select>{''.join(f'<option>{text} {n}' for n in range(9))}</select>"
    if shape == 6:
        return f"<ul>{''.join(f'<li>{text} {n}' for n in range(rng.randint(1, 60)))}</ul>"
    inner = "".join(element(rng, depth - 1) for _ in range(rng.randint(1, 6)))
    tag = rng.choice(["div", "section aria-label=x", "nav", "fieldset", "form", "article"])
    return f"<{tag}>{inner}</{tag.split()[0]}>"


def generated(seed: int) -> str:
    rng = random.Random(seed)
    return "".join(element(rng, 4) for _ in range(rng.randint(5, 40)))


def deep() -> str:
    return "<div role=group aria-label=g>" * 300 + "<button>Bottom</button>"


def wide() -> str:
    return "".join(f"<button>Button number {n}</button>" for n in range(3000))


PAGES = {
    **{f"generated {seed}": generated(seed) for seed in range(12)},
    "deep": deep(),
    "wide": wide(),
    "huge text": f"<p>{words(random.Random(1), 'english', 40_000)}</p>",
    "huge word": f"<p>{'x' * 300_000}</p>",
    "one long name": f"<button>{words(random.Random(2), 'emoji', 3000)}</button>",
    "huge title": f"<html><title>{words(random.Random(3), 'chinese', 9000)}</title><p>x",
    "huge values": "".join(f"<textarea>{'value ' * 500}</textarea>" for _ in range(50)),
    "no words": "<canvas></canvas>" * 500,
    **{kind: f"<p>{words(random.Random(4), kind, 3000)}</p>" for kind in ALPHABETS},
}


@pytest.mark.parametrize("name", PAGES)
async def test_no_snapshot_costs_more_than_its_budget(context: ToolContext, site: Site, name: str):
    await do(context, "navigate", url=site.page("/budget/page", PAGES[name]))
    for budget in BUDGETS:
        seen = await do(context, "snapshot", budget=budget)
        assert true_count(seen.text()) <= budget
        assert seen.tokens <= budget
        assert seen.title or "</page" in seen.content


async def test_a_hundred_frames_keep_the_budget(context: ToolContext, site: Site):
    inner = site.page("/budget/inner", "<button>Inside the frame</button><p>Some words here</p>")
    await do(
        context,
        "navigate",
        url=site.page("/budget/frames", f"<iframe src='{inner}'></iframe>" * 100),
    )
    for budget in BUDGETS:
        assert true_count((await do(context, "snapshot", budget=budget)).text()) <= budget
    seen = await do(context, "snapshot")
    assert 20 < seen.frames <= 101
    refs = re.findall(r"\be\d+\b", seen.content)
    assert len(refs) == len(set(refs))
    assert 'button "Inside the frame"' in seen.content
