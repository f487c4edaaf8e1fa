"""What a page shows: all its frames, shadow roots and controls, as lines with refs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tabwright.engine.aim import not_found
from tabwright.engine.cdp import ProtocolError
from tabwright.engine.frame import GLANCE_S, WORLD, Frame
from tabwright.engine.outline import Line, origin_of, quoted, render
from tabwright.engine.roots import open_closed
from tabwright.engine.selector import parse
from tabwright.errors import InvalidSelector, TargetClosed
from tabwright.page import eyes
from tabwright.tokens import cut
from tabwright.wording import many

if TYPE_CHECKING:
    from tabwright.engine.tab import Tab

logger = logging.getLogger("tabwright.sight")

Parts = tuple[dict[str, Any], ...]
PRESSES = {"click", "mousedown", "pointerdown", "mouseup", "pointerup", "dblclick"}
MOST_LISTENERS = 300
MOST_FRAMES = 200
MOST_LINES = 20_000
TITLE_TOKENS, URL_TOKENS = 15, 30
HEARD = "function (...nodes) { tabwright.listens(nodes); }"
MORE_PER_WALK = 200


@dataclass
class Sight:
    """A page as it was at one moment."""

    url: str
    title: str
    viewport: tuple[int, int]
    scroll: tuple[int, int]
    size: tuple[int, int]
    focus: str
    modal: str
    frames: int
    hidden: int
    """Texts that a person cannot see; they are left out."""
    whole: bool
    """Whether everything was walked that was to be: no frame has more lines than are told."""
    lines: list[Line] = field(default_factory=list[Line])
    own: list[Line] = field(default_factory=list[Line])
    """The lines without those of the frames in it."""
    silent: list[Frame] = field(default_factory=list[Frame])
    """Frames that did not answer."""
    unseen: set[int] = field(default_factory=set[int])
    """The refs of the elements that show them."""
    skipped: int = 0
    """Frames that were not looked into, since there are too many."""

    @classmethod
    def of(cls, page: dict[str, Any]) -> Sight:
        """What the page script found in the document that the look begins with."""
        return cls(
            url=page["url"],
            title=page["title"],
            viewport=tuple(page["viewport"]),
            scroll=tuple(page["scroll"]),
            size=tuple(page["size"]),
            focus=page["focus"],
            modal=page["modal"],
            frames=1,
            hidden=page["hidden"],
            whole=not page["cut"],
        )

    def add(self, page: dict[str, Any]) -> None:
        """What it found in a frame."""
        self.frames += 1
        self.whole = self.whole and not page["cut"]
        self.hidden += page["hidden"]
        self.focus = self.focus or page["focus"]

    def missed(self) -> list[str]:
        """Which frames are not in it, in words."""
        facts = [f"no answer from {many(len(self.silent), 'frame')}"] if self.silent else []
        return facts + (
            [f"{many(self.skipped, 'further frame')} not looked into"] if self.skipped else []
        )

    def head(self) -> str:
        """Where and what the page is, in two lines."""
        (width, height), (x, y) = self.viewport, self.scroll
        facts = [f"{width}x{height} at {x},{y} of {self.size[0]}x{self.size[1]}"]
        facts += [f"focus {self.focus}"] if self.focus else []
        facts += [f"dialog {self.modal} is open over the page"] if self.modal else []
        facts += [f"{self.frames} frames"] if self.frames > 1 else []
        facts += [f"{many(self.hidden, 'hidden text')} left out"] if self.hidden else []
        facts += self.missed()
        facts += [f"not whole: only {MOST_LINES:,} lines of a frame are told"] * (not self.whole)
        return f"{self.name()}\n{'; '.join(facts)}"

    def name(self) -> str:
        """Title and address."""
        title, url = shortened(self.title, TITLE_TOKENS), shortened(self.url, URL_TOKENS)
        return f"{quoted(title)} {url}"


def shortened(text: str, tokens: int) -> str:
    """As much of it as costs no more than this."""
    short = cut(text, tokens)
    return text if len(short) == len(text) else f"{short}…"


@dataclass(frozen=True)
class Wish:
    """What of a page is to be seen."""

    selector: str = ""
    everything: bool = False
    """Walk long rows of children to their end."""
    interactive: bool = False
    hidden: bool = False
    urls: bool = False
    boxes: bool = False
    frames: bool = True
    after: int = 0
    """Begin with this child of the element."""
    whole: bool = False
    """It is a look at the page as a whole: what changes is counted from here."""
    head: int = 3
    """How many of a long row of children to show, beside those in view."""

    def options(self) -> dict[str, Any]:
        """As the page script takes them."""
        return {
            "everything": self.everything,
            "interactive": self.interactive,
            "hidden": self.hidden,
            "urls": self.urls,
            "boxes": self.boxes,
            "from": self.after,
            "most": MORE_PER_WALK,
            "head": self.head,
            "lines": MOST_LINES,
            "whole": self.whole,
        }


async def see(tab: Tab, wish: Wish) -> Sight:
    """Look at the page, or at a part of it.

    Raises:
        ElementNotFound: there is no such part.
    """
    frame, found = await _start(tab, wish)
    lines = _lines(found)
    sight = Sight.of(found)
    sight.url = tab.url
    if frame is not tab.frames.main:
        sight.title = await tab.title()
    sight.own = lines
    sight.lines = await _with_frames(tab, frame, lines, wish, sight) if wish.frames else lines
    render(sight.lines, origin_of(tab.url))
    return sight


async def _start(tab: Tab, wish: Wish) -> tuple[Frame, dict[str, Any]]:
    if not wish.selector:
        main = tab.frames.main
        return main, await _look(main, None, wish, alone=len(tab.frames) == 1)
    wanted = parse(wish.selector)
    owner = tab.frames.owner_of(wanted.ref) if wanted.ref else None
    frames = [owner[0]] if owner and owner[1] else list(tab.frames)
    found: dict[str, Any] = {"ok": False, "reason": "absent", "count": 0}
    silent: list[Frame] = []
    for frame in frames:
        try:
            async with frame.within(GLANCE_S):
                found = await _look(frame, wanted.parts, wish, alone=len(tab.frames) == 1)
        except TimeoutError:
            silent.append(frame)
            continue
        if found["ok"]:
            return frame, found
        if found["reason"] == "invalid":
            raise InvalidSelector(wish.selector, found["text"])
    raise await not_found(tab, wanted, found, 0.0, silent)


async def _look(frame: Frame, parts: Parts | None, wish: Wish, *, alone: bool) -> dict[str, Any]:
    await frame.learn(eyes())
    await open_closed(frame)
    await _hear(frame, alone=alone)
    return await frame.call("snapshot", parts, wish.options())


async def _hear(frame: Frame, *, alone: bool) -> None:
    """Tell the page script which elements listen for presses: no script can see listeners.

    The page's own document is asked: functions of the page that are handed into another world have
    crashed Chromium some time after.
    """
    try:
        document = await frame.page_document()
        answer = await frame.send(
            "DOMDebugger.getEventListeners", {"objectId": document, "depth": -1, "pierce": True}
        )
        nodes = {one["backendNodeId"] for one in answer["listeners"] if one["type"] in PRESSES}
        fresh = list(nodes - frame.heard)[:MOST_LISTENERS]
        frame.heard.update(fresh)
        if fresh and not alone:
            fresh = await _own(frame, document, fresh)
        if fresh:
            await _note(frame, fresh)
    except ProtocolError as error:
        if not error.moved:
            raise
    finally:
        frame.release()


async def _own(frame: Frame, document: str, nodes: list[int]) -> list[int]:
    """Those of the nodes that are in this very frame and not in one inside of it.

    A node must never be brought into the world of another frame than its own: it would have the
    wrong prototypes there for good. An object's id begins with the context that it belongs to.
    """
    answers = await asyncio.gather(
        *(
            frame.send("DOM.resolveNode", {"backendNodeId": node, "objectGroup": WORLD})
            for node in nodes
        ),
        return_exceptions=True,
    )
    context = document.rpartition(".")[0]
    return [
        node
        for node, answer in zip(nodes, answers, strict=True)
        if isinstance(answer, dict)
        and answer["object"].get("objectId", "").rpartition(".")[0] == context
    ]


async def _note(frame: Frame, nodes: list[int]) -> None:
    world = await frame.world()
    where = {"executionContextId": world, "objectGroup": WORLD}
    answers = await asyncio.gather(
        *(frame.send("DOM.resolveNode", {"backendNodeId": node, **where}) for node in nodes),
        return_exceptions=True,
    )
    objects = [
        {"objectId": answer["object"]["objectId"]} for answer in answers if isinstance(answer, dict)
    ]
    await frame.send(
        "Runtime.callFunctionOn",
        {"functionDeclaration": HEARD, "executionContextId": world, "arguments": objects},
    )


async def _with_frames(
    tab: Tab, frame: Frame, lines: list[Line], wish: Wish, sight: Sight
) -> list[Line]:
    """The lines with those of the frames below the lines that show them."""
    owners = {part["e"] for line in lines for part in line.refs() if part.get("f")}
    if not owners:
        return lines
    inner: dict[int, list[Line]] = {}
    # One after the other: each goes on with the refs where the one before it ended.
    for ref, child in (await shown_in(tab, frame, owners)).items():
        if sight.frames < MOST_FRAMES:
            inner[ref] = await _inside(tab, child, wish, sight)
            if child in sight.silent:
                sight.unseen.add(ref)
        else:
            sight.skipped += 1
    result: list[Line] = []
    for line in lines:
        result.append(line)
        for part in line.refs():
            for below in inner.get(part["e"], ()) if part.get("f") else ():
                below.depth += line.depth + 1
                result.append(below)
    return result


async def _inside(tab: Tab, frame: Frame, wish: Wish, sight: Sight) -> list[Line]:
    all_of_it = replace(wish, selector="", after=0)
    found = await look_into(frame, lambda: _look(frame, None, all_of_it, alone=False), sight)
    return await _with_frames(tab, frame, _lines(found), wish, sight) if found else []


async def shown_in(tab: Tab, frame: Frame, owners: Collection[int]) -> dict[int, Frame]:
    """The frames in a frame, by the refs of the elements that show them."""
    children = [child for child in tab.frames if child.parent_id == frame.id]
    refs = await asyncio.gather(*(child.on_owner("knownRef") for child in children))
    return {ref: child for child, ref in zip(children, refs, strict=True) if ref in owners}


async def look_into(
    frame: Frame, look: Callable[[], Awaitable[dict[str, Any]]], sight: Sight
) -> dict[str, Any] | None:
    """What a look into a frame finds; nothing where the frame went or does not answer."""
    try:
        async with frame.within(GLANCE_S), asyncio.timeout(GLANCE_S):
            found = await look()
    except TimeoutError:
        sight.silent.append(frame)
        return None
    except (ProtocolError, TargetClosed) as error:
        logger.debug("no sight of %s: %r", frame.url, error)
        return None
    sight.add(found)
    return found


def _lines(found: dict[str, Any]) -> list[Line]:
    return [Line(*line) for line in found["lines"]]
