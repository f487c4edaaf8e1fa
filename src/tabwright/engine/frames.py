"""The frames of a tab, of this process or another, and the refs that were given out in them."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Iterator

from tabwright.engine.cdp import CDPClient, Params
from tabwright.engine.frame import TELL, WORLD, Frame
from tabwright.engine.silence import Silence
from tabwright.engine.source import SourceKind
from tabwright.errors import TargetClosed
from tabwright.page import script

REMEMBERED_REFS = 2000
MOST_RANGES = 2000
ATTACH: Params = {
    "autoAttach": True,
    "waitForDebuggerOnStart": True,
    "flatten": True,
    "filter": [{"type": "iframe"}, {"type": "worker"}],
}
Prepare = Callable[[str, SourceKind, str], None]
"""Told of each new protocol session, its kind and its script, before anything runs in it."""

_Range = tuple[int, int, Frame, int]
"""Refs from the first to before the last, the frame they are of, and which document of it."""


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
        self.silence = Silence(self)
        self._prepare = prepare
        self._ended = ended
        """Told of each protocol session that is gone."""
        self._check = check
        """Raises when the page cannot answer."""
        self._client: CDPClient | None = None
        self._by_id: dict[str, Frame] = {main_id: self.main}
        self._ranges: list[_Range] = []
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
        for given in reversed(self._ranges):
            first, last, frame, _ = given
            if first <= ref < last:
                return frame, self._lives(given)
        return None

    def _lives(self, given: _Range) -> bool:
        _, _, frame, document = given
        return self._by_id.get(frame.id) is frame and frame.documents == document

    def has_issued(self, frame: Frame, first: int) -> bool:
        """Whether refs from a number on were given out in a frame."""
        return any(last > first and owner is frame for _, last, owner, _ in self._ranges)

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
        if len(self._ranges) > MOST_RANGES:
            living = [given for given in self._ranges if self._lives(given)]
            # By half, so that not every call has to look through them.
            self._ranges = living[-MOST_RANGES // 2 :]

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
