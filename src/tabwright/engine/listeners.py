"""Whether a page listens for an event at an element: asked only when nothing else tells."""

from __future__ import annotations

import asyncio

from tabwright.engine.cdp import ProtocolError
from tabwright.engine.frame import WORLD, Frame

# In the page's own world, where a form's fields may pass for its parent: hence the getter, and an
# end to the walk.
PATH = """function () {
  const { get } = Object.getOwnPropertyDescriptor(Node.prototype, "parentNode");
  const path = [window];
  for (let at = this; at && path.length < 1000; at = get.call(at) || at.host) path.push(at);
  return path;
}"""


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
    target = await frame.handle("tabwright.target()")
    if not target:
        return None
    node = await frame.send("DOM.describeNode", {"objectId": target})
    # The page's own listeners are listed only for objects of its own world.
    own = await frame.send(
        "DOM.resolveNode",
        {"backendNodeId": node["node"]["backendNodeId"], "objectGroup": WORLD},
    )
    path = await frame.send(
        "Runtime.callFunctionOn",
        {
            "functionDeclaration": PATH,
            "objectId": own["object"]["objectId"],
            "objectGroup": WORLD,
        },
    )
    listed = await frame.send(
        "Runtime.getProperties", {"objectId": path["result"]["objectId"], "ownProperties": True}
    )
    objects = [
        entry["value"]["objectId"]
        for entry in listed["result"]
        if entry["name"].isdigit() and "objectId" in entry.get("value", {})
    ]
    answers = await asyncio.gather(
        *(frame.send("DOMDebugger.getEventListeners", {"objectId": one}) for one in objects)
    )
    return any(listener["type"] in types for answer in answers for listener in answer["listeners"])
