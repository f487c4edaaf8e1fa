"""How fast and steady a page was: its web vitals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tabwright.page import vitals as vitals_part

if TYPE_CHECKING:
    from tabwright.engine.tab import Tab


async def vitals(tab: Tab) -> list[dict[str, Any]]:
    """Each metric with its rating, or why there is none."""
    main = tab.frames.main
    await main.learn(vitals_part())
    return await main.call("vitals")
