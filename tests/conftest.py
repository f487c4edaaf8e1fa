"""What every test has."""

from __future__ import annotations

import signal
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from support.engine import make_settings
from support.gate import Gate, MakeGate
from support.site import Site
from tabwright.config import Settings
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager

# How long an example takes tells of the machine only, and browsers are too dear for one each.
hypothesis_settings.register_profile(
    "tabwright",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
hypothesis_settings.load_profile("tabwright")


def pytest_configure() -> None:
    """Give the programs that tests start the signals they get.

    A run in the background of a script ignores some, which children inherit; a handler they do not.
    """
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A `proves` mark without proper ids would count as proof of nothing, so it ends the run."""
    faulty = [
        f"{item.nodeid}: proves({', '.join(map(repr, mark.args))}) needs ids as strings"
        for item in items
        for mark in item.iter_markers("proves")
        if not mark.args or not all(isinstance(row, str) and row for row in mark.args)
    ]
    if faulty:
        raise pytest.UsageError(*faulty)


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """One web server for the run; a test serves its pages under paths of its own."""
    server = Site()
    yield server
    server.close()


@pytest.fixture
def gate(site: Site) -> Iterator[MakeGate]:
    """Makes addresses that answer when the test says so; at its end they all do."""
    made: list[Gate] = []

    def make(path: str, data: bytes = b"whole", **options: Any) -> Gate:
        made.append(Gate(site, path, data, **options))
        return made[-1]

    yield make
    for each in made:
        each.open()


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The configuration of the run: nothing of the machine's own, but for the browser cache."""
    return make_settings(tmp_path_factory.mktemp("tabwright"))


@pytest.fixture(scope="session")
async def manager(settings: Settings) -> AsyncIterator[BrowserManager]:
    """One browser for the run."""
    shared = BrowserManager(settings, execute=call)
    yield shared
    await shared.stop()


@pytest.fixture
async def context(manager: BrowserManager, tmp_path: Path) -> AsyncIterator[ToolContext]:
    """A conversation of the test's own, in the run's browser."""
    conversation = uuid.uuid4().hex
    yield manager.context(conversation, working_dir=tmp_path)
    await manager.close_session(conversation)


@pytest.fixture
async def isolated(tmp_path: Path) -> AsyncIterator[ToolContext]:
    """A conversation in a browser with a process for each site."""
    args = {"browser.args": ["--site-per-process"]}
    own = BrowserManager(make_settings(tmp_path, **args), execute=call)
    yield own.context("isolated", working_dir=tmp_path)
    await own.stop()


@pytest.fixture
async def own_manager(tmp_path: Path) -> AsyncIterator[BrowserManager]:
    """A manager of the test's own, for tests that kill things."""
    own = BrowserManager(make_settings(tmp_path), execute=call)
    yield own
    await own.stop()
