"""How long does a snapshot take beside Playwright's, and what does it cost in tokens?"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import harness
import measure
from measure import Row, in_turns
from playwright.async_api import async_playwright

from tabwright import Tabwright
from tabwright.tokens import count

WORDS = [
    "river",
    "copper",
    "lantern",
    "orbit",
    "meadow",
    "granite",
    "signal",
    "harbor",
    "willow",
    "ember",
    "canyon",
    "thread",
    "marble",
    "tundra",
    "velvet",
    "anchor",
    "beacon",
    "cobalt",
    "drift",
    "fennel",
    "glacier",
    "hollow",
    "indigo",
    "juniper",
]


def inventory(rows: int) -> str:
    """Rows with a link, words, a field, a button and a state."""
    rng = random.Random(7)
    words = [[rng.choice(WORDS) for _ in range(4)] for _ in range(rows)]
    lines = (
        f"<tr><td><a href='/item/{n}'>{a} {b} {n}</a><td><div><span>{c}</span> <em>{d}</em></div>"
        f"<td><input aria-label='Qty {n}' value='{n % 90}'><td><button>Buy {n}</button><td>in stock"
        for n, (a, b, c, d) in enumerate(words)
    )
    head = "<tr><th>Item<th>Notes<th>Qty<th>Action<th>State"
    return f"<h1>Inventory</h1><table><thead>{head}<tbody>{''.join(lines)}</table>"


FORM = """<h1>Contact</h1><form><label>Full name <input></label><label>Email <input></label>
<button>Send</button></form><button>Ping</button><p role=status></p>"""
PAGES = {
    "1,500 controls": inventory(500),
    "a small form": FORM,
    "a table of 3,000 rows": inventory(3000),
}


def main() -> int:
    """Measure, print, and say with the exit code whether everything ran."""
    return harness.main(__doc__ or "", _all)


async def _all(directory: Path, url: str, options: argparse.Namespace) -> None:
    rows: list[Row] = []
    costs: list[list[str]] = [["", "default", "full", "Playwright"]]
    async with Tabwright(harness.settings_in(directory)) as page, async_playwright() as driver:
        await page.navigate(url)
        browser = page.manager.get_active_browser()
        assert browser is not None
        plan = browser.process.plan
        theirs = await driver.chromium.launch(
            executable_path=str(plan.executable), env={**plan.env}
        )
        other = await theirs.new_page()
        await other.goto(url)
        for name, body in PAGES.items():
            write = f"document.body.innerHTML = {json.dumps(body)}; 1"
            await page.evaluate(write)
            await other.evaluate(write)
            rows += await _snapshots(page, other, name, options.runs)
            costs.append(await _costs(page, other, name))
    print(measure.shown(rows, "Playwright"), "tokens\n" + measure.table(costs), sep="\n\n")
    if options.json:
        facts = {"rows": [row.facts() for row in rows], "tokens": costs}
        options.json.write_text(json.dumps(facts, indent=1), encoding="utf-8")


async def _snapshots(page: Tabwright, other: Any, name: str, turns: int) -> list[Row]:
    async def theirs() -> object:
        return await other.aria_snapshot(mode="ai")

    def row(what: str, target: float | None, own: Callable[[], Awaitable[object]]) -> Any:
        return in_turns(Row(f"{what}, {name}", target), theirs, own, turns=turns, each=3)

    return [
        await row("snapshot", 1 / 6, page.snapshot),
        await row("everything", 1 / 6, lambda: page.snapshot(full=True)),
    ]


async def _costs(page: Tabwright, other: Any, name: str) -> list[str]:
    default = await page.snapshot()
    full = await page.snapshot(full=True)
    whole = Path(full.path).read_text(encoding="utf-8") if full.path else full.content
    theirs = await other.aria_snapshot(mode="ai")
    return [name, *(f"{count(text):,}" for text in (default.content, whole, theirs))]


if __name__ == "__main__":
    sys.exit(main())
