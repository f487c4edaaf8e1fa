import os
import shutil
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tabwright.engine.obtain import found
from tabwright.engine.obtain.download import Http

from .mirror import Mirror


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in ("PLAYWRIGHT_CHROMIUM_DOWNLOAD_HOST", "PLAYWRIGHT_DOWNLOAD_HOST"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    mirror = Mirror()
    yield mirror
    mirror.close()


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def http(pauses: list[float]) -> Http:
    """Retries at once, and remembers how long it would have waited."""

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    return Http(sleep=sleep)


@pytest.fixture
def closed() -> str:
    """An address at which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without a browser or any package client; returns the one directory on PATH."""
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setattr(found, "places", lambda kind: iter(()))
    return programs


@pytest.fixture
def program(bare: Path) -> Callable[[str, str], Path]:
    """Put a shell script on the PATH of the bare machine."""

    def make(name: str, body: str = "") -> Path:
        path = bare / name
        path.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\n{body}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    return make


@pytest.fixture(scope="session")
def real_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Real browsers are obtained once; TABWRIGHT_TEST_CACHE keeps them for the next run."""
    if kept := os.environ.get("TABWRIGHT_TEST_CACHE"):
        yield Path(kept)
        return
    root = tmp_path_factory.mktemp("real")
    yield root
    shutil.rmtree(root, ignore_errors=True)
