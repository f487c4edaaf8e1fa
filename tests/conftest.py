"""What every test has."""

from __future__ import annotations

import pytest


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
