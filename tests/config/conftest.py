import sys
from pathlib import Path

import pytest

from support.config_machine import Machine


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setattr(sys, "platform", "linux")
    return Machine(tmp_path)
