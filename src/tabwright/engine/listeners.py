"""Whether a page listens for an event at an element: asked only when nothing else tells."""

from __future__ import annotations

import asyncio

from tabwright.engine.cdp import Params, ProtocolError
from tabwright.engine.frame import WORLD, Frame


async def listens(frame: Frame, types: tuple[str, ...]) -> bool | None:
    """Whether the watched element or anything around it listens; None when it cannot be told."""
    try:
        return await _listens(frame, types)
    except ProtocolError as error:
        if not error.moved:
            raise
        return None
    finally:
        frame.release()


async def _listens(frame: Frame, types: tuple[str, ...]) -> bool | None:
    path = await frame.handle("tabwright.path()")
    if not path:
        return None
    nodes = await frame.items(path)
    answers = await asyncio.gather(_window(frame), *(_own(frame, node) for node in nodes))
    return any(listener["type"] in types for answer in answers for listener in answer["listeners"])


async def _own(frame: Frame, node: str) -> Params:
    """The listeners of a node. The page's own are listed only for objects of its own world."""
    return await _of(frame, await frame.in_page(node))


async def _window(frame: Frame) -> Params:
    document = await frame.page_document()
    window = await frame.send(
        "Runtime.callFunctionOn",
        {
            "functionDeclaration": "function () { return globalThis; }",
            "objectId": document,
            "objectGroup": WORLD,
        },
    )
    return await _of(frame, window["result"]["objectId"])


async def _of(frame: Frame, thing: str) -> Params:
    return await frame.send("DOMDebugger.getEventListeners", {"objectId": thing})
