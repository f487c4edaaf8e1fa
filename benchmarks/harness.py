"""What the benchmarks share: an isolated run, its settings, and how the browser is started."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from raw_cdp import Launch

from page import served
from tabwright import Settings, Tabwright, load

WHOLE_S = 1200.0
Work = Callable[[Path, str, argparse.Namespace], Awaitable[None]]


def main(description: str, work: Work) -> int:
    """Measure, print, and say with the exit code whether everything ran."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--runs", type=int, default=10, help="turns of each measurement")
    parser.add_argument("--json", type=Path, help="write every single measurement here")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs must be at least 1")
    with tempfile.TemporaryDirectory(prefix="tabwright-bench-") as directory, served() as url:
        _isolate(Path(directory))
        try:
            asyncio.run(asyncio.wait_for(_run(work, Path(directory), url, options), WHOLE_S))
        except Exception as error:  # noqa: BLE001  # whatever it was, the run is void
            print(f"failed: {type(error).__name__}: {error}", file=sys.stderr)
            return 1
    return 0


def settings_in(directory: Path) -> Settings:
    """The default configuration, with everything below one directory."""
    return load(
        {
            "paths.userDataBaseDir": str(directory / "profiles"),
            "paths.artifactDir": str(directory / "artifacts"),
        },
        cwd=directory,
    )


async def launch_of(settings: Settings) -> tuple[Launch, str]:
    """How Tabwright starts its browser; one is obtained here if the machine has none."""
    async with Tabwright(settings) as tabwright:
        browser = await tabwright.manager.launch_browser()
        plan = browser.process.plan
        assert browser.version is not None
        launch = Launch(str(plan.executable), list(plan.args), plan.env)
        print(f"{browser.version.browser}, {launch.executable}\n", file=sys.stderr)
        return launch, browser.version.browser


async def _run(work: Work, directory: Path, url: str, options: argparse.Namespace) -> None:
    await work(directory, url, options)


def _isolate(directory: Path) -> None:
    """No settings of the machine's own, here or in the children; only its browsers."""
    for name in [name for name in os.environ if name.startswith("TABWRIGHT_")]:
        del os.environ[name]
    os.environ["XDG_CONFIG_HOME"] = str(directory / "config")
    os.environ["XDG_DATA_HOME"] = str(directory / "data")
    # An installed package is compiled; one that runs from its sources should not be told apart.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(directory / "compiled")
