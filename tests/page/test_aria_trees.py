"""Names and roles in trees that nobody would write, held against Chrome's accessibility tree."""

from __future__ import annotations

import random

from support.accessibility import compare, page_tab, words

PAGES = 40

STYLE = """<style>
.p::before { content: "P" } .q::after { content: "Q" / "alt" } .u { text-transform: uppercase }
.r::before { content: ""; display: inline-block } .s::after { content: "S"; display: block }
</style>"""
TEXTS = ["alpha", " beta ", "gamma ", "  ", "delta&nbsp;", "\n", "x", "Y z", "é"]
INLINE = words("span b i em strong code small label abbr u sub time mark a cite")
BLOCK = words("div p section ul h2 details fieldset pre div")
DISPLAYS = words("""inline block inline-block flex none contents inline-flex grid table
inline;visibility:hidden block;float:left inline;position:absolute""")
ROLES = words("""
    button link heading img group list listitem option checkbox none presentation region
    note tab status generic paragraph menuitem tooltip foo cell switch
""")
ATTRIBUTES = (
    (0.06, ('aria-label="lab"', 'aria-label="  "', 'aria-label="two words"')),
    (0.06, ('title="tip"', 'title="t t"')),
    (0.03, ("hidden",)),
    (0.04, ("tabindex=0",)),
    (0.03, ("lang=en",)),
    (0.06, tuple(f"class={name}" for name in "pqrsu")),
    (0.15, tuple(f'style="display:{display}"' for display in DISPLAYS)),
)
CONTROLS = (
    '<input{} value="v">',
    '<input{} value="" placeholder=ph>',
    "<input type=checkbox{}>",
    "<input type=range{}>",
    "<input type=submit{}>",
    "<input type=button value=go{}>",
    "<select{}><option>o1<option selected>o 2</select>",
)
GRAPHICS = (
    "<img{} alt=pic>",
    '<img{} alt="">',
    "<svg width=9 height=9{}><title>st</title></svg>",
    "<svg width=9 height=9{}><path d=M0 /></svg>",
)


class Tree:
    """A page of random markup: every way of naming meets every way of laying out."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.ids = 0

    def page(self) -> str:
        return STYLE + "".join(f"<div>{self.node(3)}</div>" for _ in range(24))

    def node(self, depth: int, *, phrase: bool = False, inner: bool = False) -> str:
        """Some markup; a phrase has no blocks in it, and what is inner nothing to be pressed."""
        kind = self.random.random()
        if depth == 0 or kind < 0.3:
            return self.leaf()
        if kind < 0.5 and not inner:
            return self.pressed(depth - 1)
        if kind < 0.54:
            return self.host(depth - 1, inner=inner)
        tag = self.random.choice(INLINE if phrase or kind < 0.8 else BLOCK)
        within = self.nodes(depth - 1, phrase=phrase or tag == "p", inner=inner)
        match tag:
            case "details":
                summary = self.nodes(depth - 1, phrase=True, inner=True)
                return f"<details open><summary{self.some()}>{summary}</summary>{within}</details>"
            case "fieldset":
                return f"<fieldset><legend>{self.leaf()}</legend>{within}</fieldset>"
            case "ul":
                return f"<ul{self.some()}><li{self.some()}>{within}</li><li>{self.leaf()}</li></ul>"
        return f"<{tag}{self.some(roles=True)}>{within}</{tag}>"

    def nodes(self, depth: int, *, phrase: bool = False, inner: bool = False) -> str:
        count = self.random.randint(0, 4)
        return "".join(self.node(depth, phrase=phrase, inner=inner) for _ in range(count))

    def pressed(self, depth: int) -> str:
        within = self.nodes(depth, inner=True)
        kind = self.random.choice(["button", "a href=#", "label"])
        if kind == "label":
            return f"<label>{within}<input type={self.random.choice(['text', 'checkbox'])}></label>"
        return f"<{kind}{self.some()}>{within}</{kind.split()[0]}>"

    def host(self, depth: int, *, inner: bool) -> str:
        shadow = f"{self.nodes(depth, inner=inner)}<slot></slot>{self.leaf()}"
        template = f"<template shadowrootmode=open>{shadow}</template>"
        return f"<x-c>{template}{self.nodes(depth, inner=inner)}</x-c>"

    def leaf(self) -> str:
        kind = self.random.random()
        if kind < 0.05:
            return f"<i aria-hidden=true>{self.random.choice(TEXTS)}</i>"
        if kind < 0.7:
            return self.random.choice(TEXTS)
        if kind < 0.83:
            return self.random.choice(GRAPHICS).format(self.some(roles=kind < 0.72))
        if kind < 0.95:
            return self.random.choice(CONTROLS).format(self.some())
        return self.random.choice(["<br>", "<!-- c -->", "<hr>"])

    def some(self, *, roles: bool = False) -> str:
        """A few attributes, mostly none."""
        chosen = [
            self.random.choice(values)
            for chance, values in ATTRIBUTES
            if self.random.random() < chance
        ]
        if self.random.random() < 0.12:
            self.ids += 1
            chosen.append(f"id=i{self.ids}")
        if self.random.random() < 0.08:
            name = self.random.choice(["aria-labelledby", "aria-describedby"])
            chosen.append(f'{name}="i{self.random.randint(1, 9)} i{self.random.randint(10, 30)}"')
        if roles and self.random.random() < 0.08:
            chosen.append(f"role={self.random.choice(ROLES)}")
        return "".join(f" {attribute}" for attribute in chosen)


async def test_random_trees_are_told_as_chrome_tells_them(context, site):
    """Chrome leaves out spaces that are in the source where a box ends; so two measures."""
    rows = []
    for seed in range(PAGES):
        tab = await page_tab(context, site.page(f"/tree/{seed}", Tree(seed).page()))
        rows += [row for row in await compare(tab) if row.interactive]
    unequal = [row for row in rows if row.differences]
    other_words = [row for row in unequal if not only_spaces_differ(row)]
    assert len(rows) > 1500
    assert len(unequal) / len(rows) <= 0.03, "\n".join(map(str, unequal))
    assert len(other_words) / len(rows) <= 0.01, "\n".join(map(str, other_words))


def only_spaces_differ(row):
    keys = ("role", "name", "description")
    ours, chrome = (
        [told.get(key, "").replace(" ", "") for key in keys] for told in (row.ours, row.chrome)
    )
    return ours == chrome and row.ours["exposed"]
