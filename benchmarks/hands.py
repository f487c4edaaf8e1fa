"""How much slower than raw CDP without any check are Tabwright's acts, receipts included?"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import harness
import measure
from measure import Row, in_turns
from raw_cdp import Raw, connected

from tabwright import Tabwright

FORM = """<label>Name <input id=name></label> <button id=ping>Ping</button> <output id=o>0</output>
<button id=late>Late</button> <output id=p>0</output>"""
SCRIPT = """ping.onclick = () => o.textContent = Number(o.textContent) + 1;
late.onclick = () => setTimeout(() => p.textContent = Number(p.textContent) + 1, 50);"""
SPINNER = """<style>@keyframes spin { to { transform: rotate(1turn) } }
#s { width: 40px; height: 40px; background: teal; animation: spin 1s linear infinite }</style>
<div id=s></div>"""
CONTROLS = "".join(
    f"<tr><td>Row {n}<td><input aria-label='Field {n}'><td><a href='#{n}'>Open {n}</a>"
    f"<td><button>Do {n}</button>"
    for n in range(500)
)
PAGES = {
    "a plain page": FORM,
    "an animation elsewhere": SPINNER + FORM,
    "1,500 controls": f"{FORM}<table>{CONTROLS}</table>",
}
BOX = """(() => {{ const r = document.querySelector("{}").getBoundingClientRect();
return [r.x + r.width / 2, r.y + r.height / 2] }})()"""
TEXT = "twenty characters, ok"[:20]


def main() -> int:
    """Measure, print, and say with the exit code whether everything ran."""
    return harness.main(__doc__ or "", _all)


async def _all(directory: Path, url: str, options: argparse.Namespace) -> None:
    settings = harness.settings_in(directory)
    rows: list[Row] = []
    async with Tabwright(settings) as page:
        await page.navigate(url)
        browser = page.manager.get_active_browser()
        assert browser is not None
        async with connected(browser.cdp_endpoint) as raw:
            _, target = await raw.blank()
            by_hand = ByHand(raw, await raw.attach(target))
            await raw.navigate(by_hand.session, url)
            for name, body in PAGES.items():
                rows += await _acts(page, by_hand, name, body, options.runs)
    print(measure.shown(rows))
    if options.json:
        facts = [row.facts() for row in rows]
        options.json.write_text(json.dumps(facts, indent=1), encoding="utf-8")


class ByHand:
    """The least that does the same: find the box, send the input, look at nothing."""

    def __init__(self, raw: Raw, session: str) -> None:
        self.raw = raw
        self.session = session

    async def click(self, selector: str) -> None:
        x, y = await self.raw.evaluate(self.session, BOX.format(selector))
        where = {"x": x, "y": y, "button": "left", "clickCount": 1}
        await asyncio.gather(
            *(
                self.raw.send("Input.dispatchMouseEvent", {"type": kind, **where}, self.session)
                for kind in ("mousePressed", "mouseReleased")
            )
        )

    async def fill(self, selector: str, text: str) -> None:
        # What the field held goes, as it does on our side.
        select = f"document.querySelector('{selector}').select()"
        await self.raw.send("Runtime.evaluate", {"expression": select}, self.session)
        await self.raw.send("Input.insertText", {"text": text}, self.session)


async def _acts(page: Tabwright, by_hand: ByHand, name: str, body: str, turns: int) -> list[Row]:
    html = json.dumps(body)
    write = f"document.body.innerHTML = {html}; {SCRIPT} 1"
    await page.evaluate(write)
    await by_hand.raw.evaluate(by_hand.session, write)
    target = None if name == "1,500 controls" else 2.5

    def row(
        what: str,
        raw: Callable[[], Awaitable[object]],
        own: Callable[[], Awaitable[object]],
    ) -> Awaitable[Row]:
        return in_turns(Row(f"{what}, {name}", target), raw, own, turns=turns, each=20)

    return [
        await row("click", lambda: by_hand.click("#ping"), lambda: page.click("#ping")),
        await row(
            "fill 20 characters",
            lambda: by_hand.fill("#name", TEXT),
            lambda: page.fill("#name", TEXT),
        ),
    ]


if __name__ == "__main__":
    sys.exit(main())
