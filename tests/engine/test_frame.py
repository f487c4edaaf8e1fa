"""A frame and our world in it."""

from __future__ import annotations

import asyncio

import pytest

from support.engine import do, session_of, value
from support.site import Site
from tabwright.engine.cdp import ProtocolError
from tabwright.engine.context import ToolContext

BUSY = "for (const end = performance.now() + 500; performance.now() < end;);"


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


async def test_a_node_that_was_called_on_can_be_forgotten_by_the_browser(
    context: ToolContext, site: Site
):
    body = "<p id=gone>Gone soon</p><script>seen = new WeakRef(gone)</script>"
    await do(context, "navigate", url=site.page("/frame/release", body))
    tab = (await session_of(context)).current
    assert tab is not None
    frame = tab.frames.main
    node = await frame.handle("document.querySelector('p')")
    named = (await frame.send("DOM.describeNode", {"objectId": node}))["node"]["backendNodeId"]
    frame.release()
    assert (await frame.on_node(named, "innerSize"))[0] > 0
    with pytest.raises(ProtocolError, match="TypeError"):
        await frame.on_node(named, "nothing of this name")
    await value(context, "document.querySelector('p').remove()")
    for _ in range(5):
        await frame.send("HeapProfiler.collectGarbage")
    assert await value(context, "seen.deref() === undefined")


async def test_a_call_that_was_given_up_shares_no_refs_with_later_ones(
    isolated: ToolContext, site: Site
):
    site.page("/frame/inner", "<button>Inner</button>")
    far = f"http://localhost:{site.port}/frame/inner"
    body = f"<button>Outer</button><iframe src='{far}'></iframe>"
    await do(isolated, "navigate", url=site.page("/frame/given-up", body))
    tab = (await session_of(isolated)).current
    assert tab is not None
    inner = next(frame for frame in tab.frames if frame.parent_id)
    button = ([{"by": "css", "value": "button"}], "text", "", 0)
    await inner.call("count", button[0])
    inner.post("Runtime.evaluate", {"expression": BUSY})
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await inner.call("read", *button)
    for frame in (tab.frames.main, inner):
        ref = (await frame.call("read", *button))["element"]["ref"]
        assert tab.frames.owner_of(int(ref[1:])) == (frame, True)
