"""Listening to the console of one page, frame or worker."""

from __future__ import annotations

import asyncio
import json
import logging
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from tabwright.engine.cdp import Handler, Params
from tabwright.engine.console.entry import LEVELS, Entry, Level
from tabwright.engine.console.text import deepen, form, has_more, message, stack_of
from tabwright.engine.frame import WORLD
from tabwright.engine.source import Source, SourceKind

if TYPE_CHECKING:
    from tabwright.engine.console.buffer import Console

logger = logging.getLogger("tabwright.console")

RAW_CHARACTERS = 64 * 1024
STACK_FRAMES = 50
# Second looks under way at once; a page that logs faster, or hangs, is content with previews.
LOOKS = 64
RELEASE_S = 0.2


class Ear:
    """Listens to one source."""

    def __init__(self, console: Console, source: Source) -> None:
        self._console = console
        self._source = source
        self._key = source.tab or source.url
        self._worlds: dict[int, tuple[str, bool]] = {}
        """Of each execution context its frame, and whether it is our own."""
        self._replayed_until = console.heard_until(self._key)
        """Chromium repeats what it remembers to those who connect again."""
        self._releasing = False
        self._looks = 0

    def listen(self) -> None:
        """Begin, before the source's first script runs."""
        handlers: dict[str, Handler] = {
            "Runtime.executionContextCreated": self._world_came,
            "Runtime.executionContextDestroyed": self._world_went,
            "Runtime.executionContextsCleared": lambda _params, _: self._worlds.clear(),
            "Runtime.consoleAPICalled": self._called,
            "Runtime.exceptionThrown": self._threw,
            "Runtime.exceptionRevoked": self._revoked,
            "Log.entryAdded": self._remarked,
        }
        for event, handler in handlers.items():
            self._source.on(event, handler)
        self._source.post("Runtime.enable")
        self._source.post("Log.enable").add_done_callback(self._caught_up)

    def _caught_up(self, _: asyncio.Future[Params]) -> None:
        self._replayed_until = 0.0

    def _world_came(self, params: Params, _: str | None) -> None:
        world = params["context"]
        frame = world.get("auxData", {}).get("frameId", "")
        self._worlds[world["id"]] = (frame, world["name"] == WORLD)

    def _world_went(self, params: Params, _: str | None) -> None:
        self._worlds.pop(params["executionContextId"], None)

    def _called(self, params: Params, _: str | None) -> None:
        kind, args = params["type"], cast("list[Params]", params["args"])
        if kind == "endGroup":
            return
        level = LEVELS.get(kind, "log")
        trace = params.get("stackTrace")
        stack: list[str] = []
        if level == "error" or kind == "trace":
            stack = next((own for own in map(stack_of, args) if own), None) or _calls(trace)
        entry = self._entry(
            level=level,
            kind=kind,
            text=message(kind, args),
            timestamp=params["timestamp"],
            where=_where(trace),
            stack=stack,
            world=params["executionContextId"],
        )
        if entry is not None:
            self._keep_objects(entry, kind, args)
            self._console.add(entry)

    def _threw(self, params: Params, _: str | None) -> None:
        details = params["exceptionDetails"]
        thrown = details.get("exception")
        text = f"{details['text']} {form(thrown)}" if thrown else details["text"]
        place = ""
        if details.get("url"):
            place = f"{details['url']}:{details['lineNumber'] + 1}:{details['columnNumber'] + 1}"
        entry = self._entry(
            level="error",
            kind="exception",
            text=text,
            timestamp=params["timestamp"],
            where=place or _where(details.get("stackTrace")),
            stack=(stack_of(thrown) if thrown else []) or _calls(details.get("stackTrace")),
            world=details.get("executionContextId", 0),
        )
        if entry is not None:
            entry.exception = (self._source.session_id, details["exceptionId"])
            self._keep_objects(entry, "exception", [thrown] if thrown else [])
            self._console.add(entry)

    def _revoked(self, params: Params, _: str | None) -> None:
        self._console.revoke((self._source.session_id, params["exceptionId"]))

    def _remarked(self, params: Params, _: str | None) -> None:
        remark = params["entry"]
        if remark["source"] == "worker":
            # A page repeats what its workers say; they are listened to themselves.
            return
        where = _where(remark.get("stackTrace")) or remark.get("url", "")
        if "stackTrace" not in remark and "lineNumber" in remark and not remark.get("category"):
            where += f":{remark['lineNumber'] + 1}"
        level = LEVELS.get(remark["level"], "log")
        entry = self._entry(
            level=level,
            kind=remark["source"],
            text=remark["text"],
            timestamp=remark["timestamp"],
            where=where,
            stack=_calls(remark.get("stackTrace")) if level == "error" else [],
            world=0,
        )
        if entry is not None:
            self._console.add(entry)

    def _entry(
        self,
        *,
        level: Level,
        kind: str,
        text: str,
        timestamp: float,
        where: str,
        stack: list[str],
        world: int,
    ) -> Entry | None:
        if timestamp <= self._replayed_until:
            return None
        frame_id, ours = self._worlds.get(world, ("", False))
        if ours:
            logger.warning("a script of ours failed in a page: %s", text)
            return None
        context, frame = self._place(frame_id)
        self._console.heard(self._key, timestamp)
        return Entry(
            level=level,
            type=kind,
            text=text,
            timestamp=timestamp,
            where=where,
            stack=tuple(stack[:STACK_FRAMES]),
            context=context,
            frame=frame,
            tab=self._source.tab,
        )

    def _place(self, frame_id: str) -> tuple[SourceKind, str]:
        """Whether it is the page itself that speaks, or which of its frames."""
        kind = self._source.kind
        tab = self._console.tabs.get(self._source.tab)
        frame = tab.frames.get(frame_id) if tab is not None and frame_id else None
        if tab is None or frame is None or kind not in ("page", "frame"):
            return kind, ""
        return ("page", "") if frame is tab.frames.main else ("frame", frame.url)

    def _keep_objects(self, entry: Entry, kind: str, args: list[Params]) -> None:
        """Note the arguments, look at objects that hide something, and let them all go."""
        hidden = [(arg, arg["objectId"]) for arg in args if "objectId" in arg and has_more(arg)]
        if any("objectId" in arg for arg in args):
            self._release_soon()
        for arg in args:
            arg.pop("objectId", None)
        if len(args) != 1 or args[0]["type"] != "string":
            raw = json.dumps(args, separators=(",", ":"))
            entry.raw = raw if len(raw) <= RAW_CHARACTERS else ""
        if kind == "exception" or self._looks + len(hidden) > LOOKS:
            return
        for arg, object_id in hidden:
            look = self._source.post(
                "Runtime.getProperties",
                {"objectId": object_id, "ownProperties": True, "generatePreview": True},
            )
            self._looks += 1
            self._console.await_look(look)
            look.add_done_callback(partial(self._looked, entry, kind, args, arg))

    def _looked(
        self,
        entry: Entry,
        kind: str,
        args: list[Params],
        arg: Params,
        look: asyncio.Future[Params],
    ) -> None:
        self._looks -= 1
        if look.cancelled() or look.exception() is not None:
            return
        if deepen(arg, look.result()["result"]):
            self._console.reword(entry, message(kind, args))

    def _release_soon(self) -> None:
        """Let go of what was logged: the page must not keep objects because somebody listens.

        `Runtime.discardConsoleEntries` would also free what Chromium itself remembers, but it
        sets the page's `console.count` back.
        """
        if not self._releasing:
            self._releasing = True
            asyncio.get_running_loop().call_later(RELEASE_S, self._release)

    def _release(self) -> None:
        self._releasing = False
        self._source.post("Runtime.releaseObjectGroup", {"objectGroup": "console"})


def _calls(trace: dict[str, Any] | None) -> list[str]:
    found: list[str] = []
    for call in (trace or {}).get("callFrames", ())[:STACK_FRAMES]:
        place = f"{call['url']}:{call['lineNumber'] + 1}:{call['columnNumber'] + 1}"
        found.append(f"{call['functionName']} ({place})" if call["functionName"] else place)
    return found


def _where(trace: dict[str, Any] | None) -> str:
    if not trace or not trace["callFrames"]:
        return ""
    call = trace["callFrames"][0]
    if not call["url"]:
        return ""
    return f"{call['url']}:{call['lineNumber'] + 1}:{call['columnNumber'] + 1}"
