"""A frame, with our own world and the page script in its document."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any

from tabwright.engine.cdp import Params, ProtocolError
from tabwright.engine.timers import Timers
from tabwright.errors import TabwrightError, TargetClosed
from tabwright.page import bundle

if TYPE_CHECKING:
    from tabwright.engine.frames import Frames

logger = logging.getLogger("tabwright.frame")

WORLD = "tabwright"
TELL = "tabwrightTell"
"""What the page script calls, in our world only, to tell what a page may be left before."""
SCRIPT = "page script"
# How long a look at a whole page waits for one of the frames in it.
GLANCE_S = 2.0
# One string each way: Chromium compiles a script for each argument, and objects take it long.
ON_NODE = "function (said) { return tabwright.call(said, this); }"
CALL = "function (said) { return globalThis.tabwright?.call(said); }"


class Frame:
    """A place for documents: the page itself, or an iframe at any depth."""

    def __init__(self, frames: Frames, frame_id: str, parent_id: str, session_id: str) -> None:
        self.id = frame_id
        self.parent_id = parent_id
        self.session_id = session_id
        """The protocol session that speaks for it; frames of one process share one."""
        self.url = ""
        self.documents = 0
        """Counts documents: what was learned of an earlier one holds no more."""
        self._frames = frames
        self._world: asyncio.Future[Params] | None = None
        self._learnt: dict[str, int] = {}
        """Which further parts the page script has, and in which document it got them."""
        self.heard: set[int] = set()
        """The nodes of the present document that are known to listen for presses."""
        self._equipped: asyncio.Future[Params] | None = None
        """The page script on its way into the world."""
        self.timers = Timers(self)

    def post(self, method: str, params: Params | None = None) -> asyncio.Future[Params]:
        """Queue a command to the process that the frame lives in."""
        return self._frames.post(method, params, self.session_id)

    async def send(self, method: str, params: Params | None = None) -> Params:
        """Send a command to the process that the frame lives in, and wait for its answer."""
        return await self.post(method, params)

    def renew(self, *, eager: bool) -> None:
        """The frame has another document: its world went with the old one."""
        self.documents += 1
        self._world = None
        self.heard = set()
        if eager:
            self._make_world()

    async def run(self, function: str, *args: Any) -> Any:
        """Call one of our functions in our own world, where the page cannot interfere."""
        try:
            return await self._run(function, args)
        except ProtocolError as error:
            if not error.moved:
                raise
            # The document changed under us: its world went with it.
            self._world = None
            return await self._run(function, args)

    def within(self, patience_s: float) -> AbstractAsyncContextManager[None]:
        """Ask no longer than this, unless the frame lives in the page's own process.

        A process that was silent for so long already is not asked.

        Raises:
            Silent: it did not answer.
        """
        return self._frames.silence.limit(self, patience_s)

    async def call(self, name: str, *args: Any) -> Any:
        """Call a function of the page script, by its name.

        Unlike `run` it is not repeated in a new document: what it was about is gone.
        """
        world = await self._equip()
        given = self._frames.next_ref
        try:
            return await self._ask(world, given, name, args)
        except asyncio.CancelledError:
            self._disown(given)
            raise

    async def glance(self, name: str, *args: Any) -> Any:
        """Call a function that gives out no refs: if nobody waits for it, none are to be lost."""
        world = await self._equip()
        return await self._ask(world, self._frames.next_ref, name, args)

    async def _ask(self, world: int, given: int, name: str, args: tuple[Any, ...]) -> Any:
        equipped = self._equipped
        answer = await self._call(CALL, (json.dumps((given, name, args)),), world)
        if answer is None:
            assert equipped is not None
            raise _unequipped(await equipped)
        return self._heard(given, answer)

    def _heard(self, given: int, answer: str) -> Any:
        """What the page script answered, without the refs that it gave out on the way."""
        following, fresh, value = json.loads(answer)
        self._frames.issued(self, given, following, fresh)
        return value

    def _disown(self, given: int) -> None:
        """Have the refs taken back that a call may give out though nobody waits for it any more.

        Other frames will be given the same numbers.
        """
        if self._frames.has_issued(self, given):
            return
        try:
            self.tell("disown", given)
        except TabwrightError as error:
            logger.debug("nothing to disown: %r", error)

    async def learn(self, part: str) -> None:
        """Bring a further part of the page script into the present document, once."""
        if self._learnt.get(part) != self.documents:
            document = self.documents
            await self.handle(f"tabwright.extend({json.dumps(part)})")
            self._learnt[part] = document

    def tell(self, name: str, *args: Any) -> None:
        """Call a function of the page script in the present world, and do not wait for it."""
        if self._world is not None and self._world.done() and not self._world.exception():
            self.post(
                "Runtime.callFunctionOn",
                {
                    "functionDeclaration": CALL,
                    "executionContextId": self._world.result()["executionContextId"],
                    "arguments": [{"value": json.dumps((self._frames.next_ref, name, args))}],
                },
            )

    async def _equip(self) -> int:
        """Our world, with the page script in it or on its way there."""
        world = await self.world()
        if self._equipped is None or _failed(self._equipped):
            # Not once and for all: the first document of a popup or frame may take over the window
            # of the blank one before, and bindings are lost on the way.
            self.post("Runtime.addBinding", {"name": TELL, "executionContextName": WORLD})
            bring = {"expression": bundle(), "contextId": world}
            self._equipped = self.post("Runtime.evaluate", bring)
        return world

    async def world(self) -> int:
        """The execution context of our world in the present document."""
        if self._world is None or _failed(self._world):
            self._make_world()
        assert self._world is not None
        return (await asyncio.shield(self._world))["executionContextId"]

    async def on_node(self, backend_id: int, name: str, *args: Any) -> Any:
        """Call a function of the page script with a node that the browser names."""
        world = await self._equip()
        resolved = await self.send(
            "DOM.resolveNode", {"backendNodeId": backend_id, "executionContextId": world}
        )
        node = {"objectId": resolved["object"]["objectId"]}
        given = self._frames.next_ref
        try:
            answer = await self.send(
                "Runtime.callFunctionOn",
                {
                    "functionDeclaration": ON_NODE,
                    "arguments": [{"value": json.dumps((given, name, args))}],
                    "returnByValue": True,
                    **node,
                },
            )
        finally:
            # What is not let go of is kept until its document goes.
            self._let_go("Runtime.releaseObject", node)
        if "exceptionDetails" in answer:
            raise _thrown(answer["exceptionDetails"])
        return self._heard(given, answer["result"]["value"])

    def around(self) -> Frame | None:
        """The frame that this one is in."""
        return self._frames.get(self.parent_id) if self.parent_id else None

    async def owner(self) -> int:
        """The element that shows this frame, as the browser names it.

        Raises:
            TargetClosed, ProtocolError: the frame, or the document that it is in, went.
        """
        parent = self.around()
        if parent is None:
            raise TargetClosed("The frame is gone.")
        found = await parent.send("DOM.getFrameOwner", {"frameId": self.id})
        return found["backendNodeId"]

    async def on_owner(self, name: str, *args: Any) -> Any:
        """Call a function of the page script with the element that shows this frame.

        None when the frame, or the document that it is in, went meanwhile.
        """
        parent = self.around()
        if parent is None:
            return None
        try:
            return await parent.on_node(await self.owner(), name, *args)
        except (ProtocolError, TargetClosed) as error:
            if isinstance(error, ProtocolError) and error.method == SCRIPT and not error.moved:
                raise
            logger.debug("what shows %s went: %r", self.url, error)
            return None

    async def handle(self, expression: str) -> str:
        """The object that an expression gives in our world, as an id."""
        params = {"expression": expression, "contextId": await self._equip(), "objectGroup": WORLD}
        answer = await self.send("Runtime.evaluate", params)
        if "exceptionDetails" in answer:
            raise _thrown(answer["exceptionDetails"])
        return answer["result"].get("objectId", "")

    async def in_page(self, node: str) -> str:
        """A node of our world as an object of the page's own; what is the page's is seen there."""
        described = await self.send("DOM.describeNode", {"objectId": node})
        backend = described["node"]["backendNodeId"]
        own = await self.send("DOM.resolveNode", {"backendNodeId": backend, "objectGroup": WORLD})
        return own["object"]["objectId"]

    async def page_document(self) -> str:
        """The document, as an object of the page's own world."""
        if self.parent_id:
            return await self.in_page(await self.handle("document"))
        # No page can put anything else in the place of this name.
        own = await self.send("Runtime.evaluate", {"expression": "document", "objectGroup": WORLD})
        return own["result"]["objectId"]

    async def items(self, array: str) -> list[str]:
        """The objects in an array that `handle` gave."""
        listed = await self.send(
            "Runtime.getProperties", {"objectId": array, "ownProperties": True}
        )
        return [
            entry["value"]["objectId"]
            for entry in listed["result"]
            if entry["name"].isdigit() and "objectId" in entry.get("value", {})
        ]

    def release(self) -> None:
        """Let go of the objects that `handle` gave."""
        self._let_go("Runtime.releaseObjectGroup", {"objectGroup": WORLD})

    def _let_go(self, method: str, params: Params) -> None:
        try:
            self.post(method, params)
        except TabwrightError as error:
            # A page that is gone has let go already.
            logger.debug("nothing to release: %r", error)

    async def _run(self, function: str, args: tuple[Any, ...]) -> Any:
        return await self._call(function, args, await self.world())

    async def _call(self, function: str, args: tuple[Any, ...], world: int) -> Any:
        answer = await self.send(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": function,
                "executionContextId": world,
                "arguments": [{"value": arg} for arg in args],
                "returnByValue": True,
                "awaitPromise": True,
            },
        )
        self._frames.ran_at = asyncio.get_running_loop().time()
        if "exceptionDetails" in answer:
            raise _thrown(answer["exceptionDetails"])
        return answer["result"].get("value")

    def _make_world(self) -> None:
        params = {"frameId": self.id, "worldName": WORLD}
        self._equipped = None
        self._world = self.post("Page.createIsolatedWorld", params)


def _thrown(details: Params) -> ProtocolError:
    text = details.get("exception", {}).get("description", "it threw")
    return ProtocolError(SCRIPT, 0, text)


def _failed(answer: asyncio.Future[Params]) -> bool:
    """Whether it is worth asking again: a dialog may have come between."""
    return answer.done() and (answer.cancelled() or answer.exception() is not None)


def _unequipped(brought: Params) -> ProtocolError:
    """Why a world has no page script: it failed to load, or the document was replaced."""
    if "exceptionDetails" in brought:
        return _thrown(brought["exceptionDetails"])
    return ProtocolError(SCRIPT, 0, "the context was replaced")
