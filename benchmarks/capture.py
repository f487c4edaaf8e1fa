"""What does it cost a page to have its console and its requests recorded?

Both sides are Tabwright: one records, the other does not listen to consoles and requests.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import harness
import measure
from measure import Row, in_turns

from tabwright import Tabwright
from tabwright.engine.console import buffer
from tabwright.engine.network import recorder
from tabwright.engine.source import Sources, Told


def main() -> int:
    """Measure, print, and say with the exit code whether everything ran."""
    return harness.main(__doc__ or "", _all)


@contextmanager
def _deaf() -> Generator[None]:
    """Sessions that begin here tell the console and the network log of no source."""
    each = Sources.each

    def but_not_those(self: Sources, came: Told, went: Told | None = None) -> None:
        if came.__module__ not in (buffer.__name__, recorder.__name__):
            each(self, came, went)

    Sources.each = but_not_those
    try:
        yield
    finally:
        Sources.each = each


async def _all(directory: Path, url: str, options: argparse.Namespace) -> None:
    busy = f"{url}busy"
    async with (
        Tabwright(harness.settings_in(directory / "deaf")) as deaf,
        Tabwright(harness.settings_in(directory / "own")) as page,
    ):
        with _deaf():
            await deaf.navigate(busy)
        await page.navigate(busy)
        if (await deaf.console()).matching or not (await page.console()).matching:
            raise RuntimeError("the sides are not what they should be")
        rows = [
            await _loads(deaf, page, Row("80 requests over 30 ms", 1.05), f"{url}distant", options),
            await _loads(deaf, page, Row("80 requests at once"), busy, options),
        ]
    print(measure.shown(rows, "deaf"))
    if options.json:
        facts = [row.facts() for row in rows]
        options.json.write_text(json.dumps(facts, indent=1), encoding="utf-8")


async def _loads(
    deaf: Tabwright, page: Tabwright, row: Row, url: str, options: argparse.Namespace
) -> Row:
    return await in_turns(
        row, lambda: deaf.navigate(url), lambda: page.navigate(url), turns=options.runs, each=5
    )


if __name__ == "__main__":
    sys.exit(main())
