"""How much slower than raw CDP is Tabwright? One table, both sides measured in the same run."""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import signal
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import crowd
import measure
from measure import Row, in_turns
from page import served
from raw_cdp import Launch, Raw, connected, launched

from tabwright import Settings, Tabwright, load

HERE = Path(__file__).parent
CHILD_S = 60.0
WHOLE_S = 1200.0


def main() -> int:
    """Measure, print, and say with the exit code whether everything ran."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10, help="cold starts, and turns of the rest")
    parser.add_argument("--json", type=Path, help="write every single measurement here")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs must be at least 1")
    with tempfile.TemporaryDirectory(prefix="tabwright-bench-") as directory, served() as url:
        _isolate(Path(directory))
        try:
            asyncio.run(asyncio.wait_for(_all(Path(directory), url, options), WHOLE_S))
        except Exception as error:  # noqa: BLE001  # whatever it was, the run is void
            print(f"failed: {type(error).__name__}: {error}", file=sys.stderr)
            return 1
    return 0


def _isolate(directory: Path) -> None:
    """No settings of the machine's own, here or in the children; only its browsers."""
    for name in [name for name in os.environ if name.startswith("TABWRIGHT_")]:
        del os.environ[name]
    os.environ["XDG_CONFIG_HOME"] = str(directory / "config")
    os.environ["XDG_DATA_HOME"] = str(directory / "data")
    # An installed package is compiled; one that runs from its sources should not be told apart.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(directory / "compiled")


async def _all(directory: Path, url: str, options: argparse.Namespace) -> None:
    settings = load(
        {
            "paths.userDataBaseDir": str(directory / "profiles"),
            "paths.artifactDir": str(directory / "artifacts"),
        },
        cwd=directory,
    )
    launch, version = await _launch_of(settings)
    print(f"{version}, {launch.executable}\n", file=sys.stderr)
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


async def _launch_of(settings: Settings) -> tuple[Launch, str]:
    """How Tabwright starts its browser; one is obtained here if the machine has none."""
    async with Tabwright(settings) as tabwright:
        browser = await tabwright.manager.launch_browser()
        plan = browser.process.plan
        assert browser.version is not None
        launch = Launch(str(plan.executable), list(plan.args), plan.env)
        return launch, browser.version.browser


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
