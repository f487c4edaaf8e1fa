"""What the tests of the faces share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.commands import free_port
from support.machine import Machine
from tabwright.config import Settings


@pytest.fixture
def machine(tmp_path: Path, settings: Settings) -> Iterator[Machine]:
    """A machine whose server is stopped at the end, and leaves nothing."""
    own = Machine(tmp_path, settings.paths.cache_dir)
    own.env["BROWSER_CONTROL_PORT"] = str(free_port())
    yield own
    own.stop()
