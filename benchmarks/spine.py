"""How much slower than raw CDP is Tabwright? One table, both sides measured in the same run."""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import signal
import sys
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import crowd
import harness
import measure
from measure import Row, in_turns
from raw_cdp import Launch, Raw, connected, launched

from tabwright import Settings, Tabwright

HERE = Path(__file__).parent
CHILD_S = 60.0


def main() -> int:
    """Measure, print, and say with the exit code whether everything ran."""
    return harness.main(__doc__ or "", _all)


async def _all(directory: Path, url: str, options: argparse.Namespace) -> None:
    settings = harness.settings_in(directory)
    launch, version = await harness.launch_of(settings)
    rows = await _cold(launch, url, directory, options.runs)
    rows += await _warm(settings, launch, url, options.runs)
    by_hand, tabwright = await crowd.raw(launch, url), await crowd.own(settings, url)
    rows += crowd.rows(by_hand, tabwright)
    print(measure.shown(rows), crowd.shown(by_hand, tabwright), sep="\n\n")
    if options.json:
        facts = {
            "browser": version,
            "rows": [row.facts() for row in rows],
            "crowd": {"raw": asdict(by_hand), "tabwright": asdict(tabwright)},
        }
        options.json.write_text(json.dumps(facts, indent=1), encoding="utf-8")


async def _cold(launch: Launch, url: str, directory: Path, runs: int) -> list[Row]:
    whole = Row("cold start, from the process's start", 1.6)
    inner = Row("cold start, from the first call", 1.6)
    raw = [str(HERE / "raw_cdp.py"), json.dumps(launch), url], whole.raw, inner.raw
    own = [str(HERE / "cold_start.py"), url], whole.own, inner.own
    sides = [raw, own]
    for command, _, _ in sides:
        await _child(command, directory)
    for _ in range(runs):
        for command, outside, inside in sides:
            from_spawn, from_call = await _child(command, directory)
            outside.append(from_spawn)
            inside.append(from_call)
        sides.reverse()
    return [whole, inner]


async def _child(command: list[str], directory: Path) -> tuple[float, float]:
    """Milliseconds to "loaded": from the process's start, and as the process itself counts."""
    began = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *command,
        cwd=directory,
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(CHILD_S):
            word, _, said = (await process.stdout.readline()).decode().partition(" ")
            taken = (time.perf_counter() - began) * 1000
            code = await process.wait()
        if word != "loaded" or code:
            raise RuntimeError(f"{Path(command[0]).name} ended with exit code {code}")
        return taken, float(said)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


async def _warm(settings: Settings, launch: Launch, url: str, turns: int) -> list[Row]:
    async with Tabwright(settings) as page:
        await page.navigate(url)
        browser = page.manager.get_active_browser()
        assert browser is not None
        async with connected(browser.cdp_endpoint) as raw:
            context, target = await raw.blank()
            session = await raw.attach(target)
            await raw.navigate(session, url)
            rows = [
                await in_turns(
                    Row("evaluate 1+1", 3),
                    lambda: raw.evaluate(session, "1+1"),
                    lambda: page.evaluate("1+1"),
                    turns=turns,
                    each=50,
                ),
                await in_turns(
                    Row("navigate, warm", 1.3),
                    lambda: raw.navigate(session, url),
                    lambda: page.navigate(url),
                    turns=turns,
                    each=5,
                ),
            ]
            await raw.dispose(context)
        # In Tabwright's browser a page of the raw side would wait for Tabwright to let it go.
        async with launched(launch) as raw:
            return [*rows, *await _conversations(page, raw, url, turns)]


async def _conversations(page: Tabwright, raw: Raw, url: str, turns: int) -> list[Row]:
    blank = Row("new conversation, blank page", 1.5)
    loaded = Row("new conversation, page loaded", 1.5)
    names = (f"bench {number}" for number in itertools.count())
    manager = page.manager

    async def by_hand() -> None:
        began = time.perf_counter()
        context, target = await raw.blank()
        blank.raw.append((time.perf_counter() - began) * 1000)
        await raw.navigate(await raw.attach(target), url)
        loaded.raw.append((time.perf_counter() - began) * 1000)
        await raw.dispose(context)

    async def own() -> None:
        name = next(names)
        began = time.perf_counter()
        async with manager.context(name).browser():
            blank.own.append((time.perf_counter() - began) * 1000)
        await page.conversation(name).navigate(url)
        loaded.own.append((time.perf_counter() - began) * 1000)
        await manager.close_session(name)

    # The steps keep their own times, which leave the closing out.
    await in_turns(Row("with closing"), by_hand, own, turns=turns, each=2)
    for row in (blank, loaded):
        del row.raw[0], row.own[0]  # the warm-up
    return [blank, loaded]


if __name__ == "__main__":
    sys.exit(main())
