"""Reading what a snapshot says."""

from __future__ import annotations

import re
from typing import Any

from support.engine import do
from tabwright.engine.context import ToolContext


def inside(content: str) -> list[str]:
    """The lines between the marks."""
    found = re.search(r"<page (\w+)>\n(.*)\n</page \1>", content, re.DOTALL)
    assert found, content
    return found[2].split("\n")


async def seen_lines(context: ToolContext, **params: Any) -> list[str]:
    """The lines of a snapshot of the present page."""
    return inside((await do(context, "snapshot", **params)).content)


async def told_by_handles(context: ToolContext, budget: int) -> str:
    """All that a page says, by following every handle; each reply keeps the budget."""
    seen = await do(context, "snapshot", budget=budget)
    text, handles, asked = seen.content, [*seen.cut], set[str]()
    while handles:
        handle = handles.pop(0)
        assert handle not in asked, f"{handle} leads back to itself"
        asked.add(handle)
        more = await do(context, "snapshot", more=handle, budget=budget)
        assert more.tokens <= budget
        text += f"\n{more.content}"
        # A handle of the lines that follow is in the reply to the one before it.
        handles += [one for one in more.cut if one not in asked and one not in handles]
    return text
