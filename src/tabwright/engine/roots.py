"""Closed shadow roots: no script can see them, but the browser hands them to our own world."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import Any

from tabwright.engine.cdp import ProtocolError
from tabwright.engine.frame import WORLD, Frame
from tabwright.errors import TargetClosed

logger = logging.getLogger("tabwright.roots")

MOST_HOSTS = 3000
DEEPEST = 5
ADOPT = "function (root) { tabwright.adopt(this, root); }"


async def open_closed(frame: Frame, *, thorough: bool = False) -> bool:
    """Let the page script see the closed roots of a frame; whether there were new ones.

    Custom elements and empty elements are asked; if it is to be thorough, all that can have a root.
    """
    found = False
    try:
        for _ in range(DEEPEST):
            if not await _open_level(frame, thorough=thorough):
                break
            found = True
    except ProtocolError as error:
        if not error.moved:
            raise
    finally:
        frame.release()
    return found


async def open_everywhere(
    frames: Iterable[Frame], patience_s: float, *, thorough: bool = False
) -> bool:
    """The same in several frames, those of other processes if they answer soon."""
    found = False
    for frame in frames:
        try:
            async with frame.within(patience_s):
                found = await open_closed(frame, thorough=thorough) or found
        except (TimeoutError, TargetClosed) as error:
            if not frame.parent_id:
                raise
            logger.debug("no roots of %s: %r", frame.url, error)
    return found


async def _open_level(frame: Frame, *, thorough: bool) -> bool:
    listed = await frame.handle(f"tabwright.closedHosts({'true' if thorough else 'false'})")
    if not listed:
        return False
    hosts = (await frame.items(listed))[:MOST_HOSTS]
    described = await asyncio.gather(
        *(frame.send("DOM.describeNode", {"objectId": host, "depth": 0}) for host in hosts)
    )
    closed = [
        (host, root["backendNodeId"])
        for host, answer in zip(hosts, described, strict=True)
        for root in answer["node"].get("shadowRoots", ())
        if root["shadowRootType"] == "closed"
    ]
    await asyncio.gather(*(_adopt(frame, host, root) for host, root in closed))
    return bool(closed)


async def _adopt(frame: Frame, host: str, root: int) -> None:
    world = await frame.world()
    node: dict[str, Any] = await frame.send(
        "DOM.resolveNode",
        {"backendNodeId": root, "executionContextId": world, "objectGroup": WORLD},
    )
    await frame.send(
        "Runtime.callFunctionOn",
        {
            "functionDeclaration": ADOPT,
            "objectId": host,
            "arguments": [{"objectId": node["object"]["objectId"]}],
        },
    )
