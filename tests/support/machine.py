"""A machine of a test's own, on which commands run as real processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from support.engine import browser_processes

DEADLINE_S = 120


class Machine:
    """A machine with nothing on it but a home directory and the run's browser."""

    def __init__(self, home: Path, cache: Path) -> None:
        self.home = home
        foreign = ("TABWRIGHT_", "BROWSER_", "XDG_")
        kept = {name: text for name, text in os.environ.items() if not name.startswith(foreign)}
        self.env = {**kept, "HOME": str(home), "TABWRIGHT_PATHS__CACHEDIR": str(cache)}

    def start(self, *args: str, module: str = "tabwright") -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", module, *args],
            cwd=self.home,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *args: str, code: int = 0, module: str = "tabwright") -> tuple[str, str]:
        with self.start(*args, module=module) as process:
            out, err = process.communicate(timeout=DEADLINE_S)
        assert process.returncode == code, err
        return out, err

    def json(self, *args: str, code: int = 0) -> Any:
        return json.loads(self.run(*args, "--json", code=code)[0])

    def stop(self) -> None:
        """End its server, and see that nothing is left."""
        self.run("stop")
        assert self.leftovers() == []
        assert browser_processes(self.home) == []

    def leftovers(self) -> list[Path]:
        """Directories and ledger entries of runs that are over."""
        return [*self.home.rglob("run-*")]
