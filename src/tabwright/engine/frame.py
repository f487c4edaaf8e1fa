"""The frames of a tab, of this process or another, each with our own world in its document."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from tabwright.engine.cdp import CDPClient, Params, ProtocolError
from tabwright.engine.source import SourceKind
from tabwright.engine.timers import Timers
from tabwright.errors import TabwrightError, TargetClosed
from tabwright.page import bundle, script

logger = logging.getLogger("tabwright.frame")

WORLD = "tabwright"
REMEMBERED_REFS = 2000
TELL = "tabwrightTell"
"""What the page script calls, in our world only, to tell what a page may be left before."""
# One string each way: Chromium compiles a script for each argument, and objects take it long.
ON_NODE = "function (said) { return tabwright.call(said, this); }"
CALL = "function (said) { return globalThis.tabwright?.call(said); }"
ATTACH: Params = {
    "autoAttach": True,
    "waitForDebuggerOnStart": True,
    "flatten": True,
    "filter": [{"type": "iframe"}, {"type": "worker"}],
}
Prepare = Callable[[str, SourceKind, str], None]
"""Told of each new protocol session, its kind and its script, before anything runs in it."""


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

    async def call(self, name: str, *args: Any) -> Any:
        """Call a function of the page script, by its name.

        Unlike `run` it is not repeated in a new document: what it was about is gone.
        """
        world = await self._equip()
        given, equipped = self._frames.next_ref, self._equipped
        answer = await self._call(CALL, (json.dumps((given, name, args)),), world)
        if answer is None:
            assert equipped is not None
            raise _unequipped(await equipped)
        following, fresh, value = json.loads(answer)
        self._frames.issued(self, given, following, fresh)
        return value

    async def learn(self, part: str) -> None:
        """Bring a further part of the page script into the present document, once."""
        if self._learnt.get(part) != self.documents:
            document = self.documents
            await self.handle(f"tabwright.extend({json.dumps(part)})")
            self._learnt[part] = document

    def tell(self, name: str) -> None:
        """Call a function of the page script in the present world, and do not wait for it."""
        if self._world is not None and self._world.done() and not self._world.exception():
            self.post(
                "Runtime.callFunctionOn",
                {
                    "functionDeclaration": CALL,
                    "executionContextId": self._world.result()["executionContextId"],
                    "arguments": [{"value": json.dumps((self._frames.next_ref, name, ()))}],
                },
            )

    async def _equip(self) -> int:
        """Our world, with the page script in it or on its way there."""
        world = await self.world()
        if self._equipped is None or _failed(self._equipped):
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
        node = await self.send(
            "DOM.resolveNode", {"backendNodeId": backend_id, "executionContextId": world}
        )
        given = self._frames.next_ref
        answer = await self.send(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": ON_NODE,
                "objectId": node["object"]["objectId"],
                "arguments": [{"value": json.dumps((given, name, args))}],
                "returnByValue": True,
            },
        )
        if "exceptionDetails" in answer:
            raise _thrown(answer["exceptionDetails"])
        following, fresh, value = json.loads(answer["result"]["value"])
        self._frames.issued(self, given, following, fresh)
        return value

    def around(self) -> Frame | None:
        """The frame that this one is in."""
        return self._frames.get(self.parent_id) if self.parent_id else None

    async def handle(self, expression: str) -> str:
        """The object that an expression gives in our world, as an id."""
        params = {"expression": expression, "contextId": await self._equip(), "objectGroup": WORLD}
        return (await self.send("Runtime.evaluate", params))["result"].get("objectId", "")

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
        """Let go of the objects that `handle` gave; a page that is gone has let go already."""
        try:
            self.post("Runtime.releaseObjectGroup", {"objectGroup": WORLD})
        except TabwrightError as error:
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


class Frames:
    """All frames of a tab, the main one first."""

    def __init__(
        self,
        main_id: str,
        prepare: Prepare,
        ended: Callable[[str], None],
        check: Callable[[], None],
    ) -> None:
        self.main = Frame(self, main_id, "", "")
        self.next_ref = 1
        self.ran_at = 0.0
        self.told: deque[Params] = deque(maxlen=100)
        """What page scripts said of events, before the page could be left."""
        self._prepare = prepare
        self._ended = ended
        """Told of each protocol session that is gone."""
        self._check = check
        """Raises when the page cannot answer."""
        self._client: CDPClient | None = None
        self._by_id: dict[str, Frame] = {main_id: self.main}
        self._ranges: list[tuple[int, int, Frame, int]] = []
        self._names: dict[int, tuple[str, str]] = {}

    def __contains__(self, frame_id: object) -> bool:
        return frame_id in self._by_id

    def __iter__(self) -> Iterator[Frame]:
        return iter(list(self._by_id.values()))

    def __len__(self) -> int:
        return len(self._by_id)

    def get(self, frame_id: str) -> Frame | None:
        """The frame of this id, if the tab has it."""
        return self._by_id.get(frame_id)

    def bind(self, client: CDPClient, session_id: str, main_id: str) -> None:
        """Begin again with a freshly attached page: every frame has yet to show itself."""
        self._client = client
        self.main = Frame(self, main_id, "", session_id)
        self._by_id = {main_id: self.main}
        self._listen(session_id)

    def post(self, method: str, params: Params | None, session_id: str) -> asyncio.Future[Params]:
        """Queue a command to one of the tab's protocol sessions."""
        self._check()
        if self._client is None or not session_id:
            raise TargetClosed("The frame is gone.")
        return self._client.post(method, params, session_id)

    def sessions(self) -> list[str]:
        """The protocol sessions of the tab: the page's, and one for each other process."""
        return list({frame.session_id for frame in self._by_id.values() if frame.session_id})

    def owner_of(self, ref: int) -> tuple[Frame, bool] | None:
        """The frame that a ref was given out in, and whether its document is still there."""
        for first, last, frame, document in reversed(self._ranges):
            if first <= ref < last:
                alive = self._by_id.get(frame.id) is frame and frame.documents == document
                return frame, alive
        return None

    def remembered(self, ref: int | None) -> dict[str, str] | None:
        """Role and name of what a ref stood for, if that is still known."""
        known = self._names.get(ref or 0)
        return {"role": known[0], "name": known[1]} if known else None

    def issued(
        self, frame: Frame, first: int, following: int, fresh: list[tuple[int, str, str]]
    ) -> None:
        """Remember which refs a call gave out, so that they are found again."""
        if following == first:
            return
        for ref, role, name in fresh:
            self._names[ref] = (role, name)
        while len(self._names) > REMEMBERED_REFS:
            del self._names[next(iter(self._names))]
        self.next_ref = max(self.next_ref, following)
        if self._ranges:
            begin, end, owner, document = self._ranges[-1]
            if owner is frame and document == frame.documents and end == first:
                self._ranges[-1] = (begin, following, frame, document)
                return
        self._ranges.append((first, following, frame, frame.documents))

    def _listen(self, session_id: str) -> None:
        client = self._client
        assert client is not None
        client.on("Page.frameAttached", self._attached, session_id=session_id)
        client.on("Page.frameNavigated", self._navigated, session_id=session_id)
        client.on("Page.frameDetached", self._detached, session_id=session_id)
        client.on("Target.attachedToTarget", self._process_came, session_id=session_id)
        client.on("Target.detachedFromTarget", self._process_went, session_id=session_id)
        client.on("Runtime.bindingCalled", self._said, session_id=session_id)
        client.post("Page.enable", session_id=session_id)
        client.post("Target.setAutoAttach", ATTACH, session_id)
        client.post("Runtime.addBinding", {"name": TELL, "executionContextName": WORLD}, session_id)
        ears = {"source": f"({script('ears.js')})()", "worldName": WORLD}
        client.post("Page.addScriptToEvaluateOnNewDocument", ears, session_id)
        tree = client.post("Page.getFrameTree", session_id=session_id)
        tree.add_done_callback(lambda done: self._tree(done, session_id))
        self._prepare(session_id, "page" if session_id == self.main.session_id else "frame", "")

    def _said(self, params: Params, _: str | None) -> None:
        if params["name"] == TELL:
            self.told.append(json.loads(params["payload"]))

    def _tree(self, done: asyncio.Future[Params], session_id: str) -> None:
        if done.cancelled() or done.exception() is not None:
            return

        def add(tree: Params) -> None:
            frame = tree["frame"]
            known = self._by_id.get(frame["id"])
            if known is None:
                known = self._add(frame["id"], frame.get("parentId", ""), session_id)
            known.url = known.url or frame["url"]
            for child in tree.get("childFrames", ()):
                add(child)

        add(done.result()["frameTree"])

    def _add(self, frame_id: str, parent_id: str, session_id: str) -> Frame:
        frame = self._by_id[frame_id] = Frame(self, frame_id, parent_id, session_id)
        return frame

    def _attached(self, params: Params, session_id: str | None) -> None:
        self._add(params["frameId"], params["parentFrameId"], session_id or "")

    def _navigated(self, params: Params, session_id: str | None) -> None:
        given = params["frame"]
        frame = self._by_id.get(given["id"])
        if frame is None:
            frame = self._add(given["id"], given.get("parentId", ""), session_id or "")
        frame.session_id = session_id or frame.session_id
        frame.url = given["url"]
        # Chromium does not always say that the frames of a document went with it.
        for child in [one for one in self._by_id.values() if one.parent_id == frame.id]:
            self._remove(child)
        # Asked for at once, so that it is there when the page is.
        frame.renew(eager=frame is self.main)

    def _detached(self, params: Params, session_id: str | None) -> None:
        frame = self._by_id.get(params["frameId"])
        if frame is None or frame.session_id != session_id:
            return
        if params.get("reason") != "swap":
            self._remove(frame)

    def _remove(self, frame: Frame) -> None:
        self._by_id.pop(frame.id, None)
        for child in [f for f in self._by_id.values() if f.parent_id == frame.id]:
            self._remove(child)

    def _process_came(self, params: Params, _: str | None) -> None:
        """A frame went to a process of its own, or a worker began; it waits to be let go."""
        assert self._client is not None
        session_id, target = params["sessionId"], params["targetInfo"]
        if target["type"] == "worker":
            # Workers have workers.
            self._client.on("Target.attachedToTarget", self._process_came, session_id=session_id)
            self._client.on("Target.detachedFromTarget", self._process_went, session_id=session_id)
            self._client.post("Target.setAutoAttach", ATTACH, session_id)
            self._prepare(session_id, "worker", target["url"])
        else:
            known = self._by_id.get(target["targetId"])
            parent = target.get("parentFrameId") or (known.parent_id if known else "")
            self._add(target["targetId"], parent, session_id)
            self._listen(session_id)
        self._client.post("Runtime.runIfWaitingForDebugger", session_id=session_id)

    def _process_went(self, params: Params, _: str | None) -> None:
        session_id = params["sessionId"]
        if self._client is not None:
            self._client.end_session(session_id, TargetClosed("The frame is gone."))
        self._ended(session_id)
        for frame in [f for f in self._by_id.values() if f.session_id == session_id]:
            self._remove(frame)


def _thrown(details: Params) -> ProtocolError:
    text = details.get("exception", {}).get("description", "it threw")
    return ProtocolError("page script", 0, text)


def _failed(answer: asyncio.Future[Params]) -> bool:
    """Whether it is worth asking again: a dialog may have come between."""
    return answer.done() and (answer.cancelled() or answer.exception() is not None)


def _unequipped(brought: Params) -> ProtocolError:
    """Why a world has no page script: it failed to load, or the document was replaced."""
    if "exceptionDetails" in brought:
        return _thrown(brought["exceptionDetails"])
    return ProtocolError("page script", 0, "the context was replaced")
