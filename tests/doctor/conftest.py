from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tabwright.config import Settings
from tabwright.doctor import CHECKS, Finding, Machine

Check = Callable[..., list[Finding]]


@pytest.fixture
def check(tmp_path: Path, settings: Settings) -> Check:
    """Runs one check on a machine with an empty home, the run's browser, and what is given."""

    def run(subject: str, env: dict[str, str] | None = None, **options: Any) -> list[Finding]:
        own = {
            "HOME": str(tmp_path),
            "PATH": "/usr/bin:/bin",
            "TABWRIGHT_PATHS__CACHEDIR": str(settings.paths.cache_dir),
        }
        machine = Machine.here(cwd=tmp_path, env={**own, **(env or {})}, **options)
        return list(CHECKS[subject](machine))

    return run
