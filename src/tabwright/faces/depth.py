"""How deep what a client sends may be nested: all that reads it goes down by calls."""

from __future__ import annotations

from typing import Any, cast

DEPTH = 64


def too_deep(value: Any) -> bool:
    """Whether lists and objects are nested in each other more than `DEPTH` times."""
    level: list[Any] = [value]
    for _ in range(DEPTH):
        inner: list[Any] = []
        for each in level:
            if isinstance(each, dict):
                inner += cast("dict[str, Any]", each).values()
            elif isinstance(each, list):
                inner += cast("list[Any]", each)
        if not inner:
            return False
        level = inner
    return True
