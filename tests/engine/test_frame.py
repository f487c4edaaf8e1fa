"""A frame and our world in it."""

from __future__ import annotations

import pytest

from support.engine import do, session_of
from support.site import Site
from tabwright.engine.cdp import ProtocolError
from tabwright.engine.context import ToolContext


async def test_a_part_that_fails_to_load_is_not_learnt(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/frame/learn", "page"))
    tab = (await session_of(context)).current
    assert tab is not None
    frame = tab.frames.main
    for part in ("({ odd: unheardOf.thing })", "({ odd:"):
        for _ in range(2):
            with pytest.raises(ProtocolError, match=r"unheardOf|SyntaxError"):
                await frame.learn(part)
    await frame.learn("({ even: () => 2 })")
    assert await frame.call("even") == 2
