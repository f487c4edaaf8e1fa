"""Acts on random pages, and whether what was said of them agrees with the page's own record."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from support.engine import do, session_of
from support.page_tree import PREFIX, Document, left_page
from support.random_page import RandomPage, Step
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.cdp import ProtocolError
from tabwright.engine.context import ToolContext
from tabwright.engine.frame import Frame
from tabwright.errors import TabwrightError

BUTTON = {"pointerdown", "mousedown", "pointerup", "mouseup"}
PRESSES = {"pointerdown", "mousedown"}
TYPED = {"keydown", "beforeinput", "input"}
HOVERED = {"pointerover", "mouseover", "mousemove"}
DROPPED = {"drop", "mouseup", "pointerup"}
PRESSED = BUTTON | TYPED | {"click", "dblclick", "auxclick", "contextmenu", "dragstart", "drop"}
PRIMARY = {
    "click": {"click"},
    "check": {"click"},
    "uncheck": {"click"},
    "hover": HOVERED,
    "drag": {"mousedown"},
    "type": {"keydown"},
    "press": {"keydown"},
    "fill": {"beforeinput", "input"},
}
FAMILY = {"drag": {"pointerdown", "mousedown", "dragstart"}, "type": TYPED}
REFUSALS = {"ELEMENT_NOT_ACTIONABLE", "ELEMENT_NOT_VISIBLE", "ELEMENT_NOT_FOUND", "TIMEOUT"}
# What the browser itself does something with, whether the page listens or not.
NATIVE = {
    "link",
    "lines",
    "text",
    "textarea",
    "editable",
    "checkbox",
    "labelled",
    "pretty",
    "radio",
    "label",
    "summary",
}
ASK = "function (name, args) { return this.defaultView.record[name](...args); }"
NAME = "function () { return this.defaultView.record?.name; }"
BY_VALUE = {"returnByValue": True, "awaitPromise": True}
COUNTED = ("click", "dblclick", "contextmenu", "mousedown", "keydown", "input")


@dataclass
class Trial:
    """One act: what was said of it, and what the page knows of it."""

    page: RandomPage
    step: Step
    said: str = ""
    """The verdict, or the code of the error."""
    text: str = ""
    receipt: dict[str, Any] = field(default_factory=dict[str, Any])
    entries: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    hosts: list[str] = field(default_factory=list[str])
    hears: set[str] = field(default_factory=set[str])
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    plain: bool = False
    witness: bool = False

    def at(self, target: str) -> set[str]:
        """The types of the events that the page recorded at an element."""
        return {entry["type"] for entry in self.entries if self._is_at(entry, target)}

    def _is_at(self, entry: dict[str, Any], target: str) -> bool:
        return target in entry["ids"] or (
            target == self.step.target and entry["first"] in self.hosts
        )

    def line(self) -> str:
        """The trial in a line, for a test that fails."""
        step = self.step
        act = f"{step.verb} #{step.target} ({step.kind}) {step.params} {step.hazards}"
        return f"seed {self.page.seed}: {act}: {self.problem()}; said: {self.text:.160}"

    def problem(self) -> str:
        """In what the words and the record disagree; empty when they agree."""
        if self.said == "effective":
            return self._effective()
        if self.said == "no_effect":
            return self._no_effect()
        if self.said == "unknown":
            return self._unknown()
        if self.said == "MISDIRECTED":
            return self._misdirected()
        if self.said == "NOT_DONE":
            return self._not_done()
        return self._refused() if self.said in REFUSALS else f"not a verdict: {self.said}"

    def primary(self) -> set[str]:
        """The events that prove an act of this sort."""
        if self.step.verb == "click" and self.step.params.get("button") == "right":
            return {"contextmenu", "auxclick"}
        return PRIMARY[self.step.verb]

    def family(self) -> set[str]:
        """All events that an act of this sort makes at its element."""
        if self.step.verb == "click":
            # A press on a label reaches its control as a click only.
            down = set[str]() if self.step.kind in ("labelled", "pretty") else BUTTON
            return down | self.primary()
        return FAMILY.get(self.step.verb, self.primary())

    def _effective(self) -> str:
        found = self.at(self.step.target)
        if "before the click was complete" in self.receipt.get("why", ""):
            pressed = bool(found & PRESSES & self.hears)
            return self._state() if pressed else "effective without a press"
        for wanted in (self.primary() & self.hears, self.family() & self.hears):
            if wanted:
                return self._matched(found, wanted)
        if self.step.verb == "hover" or self.step.kind in NATIVE or found & self.family():
            return self._state()
        if self.step.verb == "drag" and self.at(self.step.params["to"][1:]) & DROPPED:
            return ""
        return "" if self._changed() else "effective, though nobody listens and nothing changed"

    def _matched(self, found: set[str], wanted: set[str]) -> str:
        if not found & wanted:
            same = self.step.verb in ("check", "uncheck", "fill") and not self._moved()
            return self._state() if same else "effective without an event"
        twice = self.step.params.get("clickCount") == 2 and "button" not in self.step.params
        if twice and "dblclick" in self.hears - found:
            return "effective without the second click"
        return self._counted() or self._state()

    def _counted(self) -> str:
        """Whether the receipt has as many events as the page."""
        if not self.witness or self.step.verb in ("check", "uncheck"):
            return ""
        delivered = self.receipt.get("delivered")
        if delivered is None:
            return ""
        for name in COUNTED:
            same = (one for one in self.entries if one["type"] == name)
            here = sum(self._is_at(one, self.step.target) for one in same)
            if name in self.hears and here != delivered.get(name, 0):
                return f"the receipt has {delivered.get(name, 0)} {name}, the page {here}"
        return ""

    def _state(self) -> str:
        """Whether what the act was for is so."""
        step, after = self.step, self.after
        if after is None:
            return ""
        if step.verb in ("check", "uncheck") and after["checked"] is not (step.verb == "check"):
            return "effective, but the state is not as asked for"
        held = after["value"] if after["text"] is None else after["text"]
        if step.verb == "fill" and not self._moved() and held != step.params["text"]:
            return "effective, but the field is as it was"
        # Links are dragged away by the browser itself, and nobody need take them.
        dragged = step.verb == "drag" and step.kind not in ("link", "lines")
        if dragged and not self.at(step.params["to"][1:]) & DROPPED:
            return "effective, but nothing was dropped"
        return ""

    def _moved(self) -> bool:
        return self.before != self.after

    def _changed(self) -> bool:
        return self._moved() or bool(
            {"changes", "url", "dialog", "errors", "dom"} & set(self.receipt)
        )

    def _no_effect(self) -> str:
        found = self.at(self.step.target) & self.family()
        if found:
            return f"no_effect with {sorted(found)}"
        return "no_effect, but its state changed" if self._moved() and self.after else ""

    def _unknown(self) -> str:
        # A drag that arrived and was not taken where it ended is neither done nor without effect.
        if self.step.verb in ("hover", "drag"):
            return ""
        # The page kept the event from the closed root that the element is in, and so from our ears.
        if "kept it from the element" in self.text or "cannot be told" in self.text:
            return ""
        if "changed before the click was complete" in self.text:
            return ""
        return "unknown, though it arrived" if self.at(self.step.target) & self.primary() else ""

    def _misdirected(self) -> str:
        sure = {one["type"] for one in self.entries if self.step.target in one["ids"]}
        if sure & self.primary() and self.step.params.get("clickCount") != 2:
            return "misdirected, though it arrived"
        elsewhere = [one for one in self.entries if not self._is_at(one, self.step.target)]
        if (
            self.witness
            and not self.hosts
            and not any(one["type"] in self.family() for one in elsewhere)
        ):
            return "misdirected, but nothing else received it"
        return self._missed("misdirected")

    def _missed(self, how: str) -> str:
        calm = self.page.calm and "position" not in self.step.params
        return f"{how}, though it was plain" if self.plain and calm else ""

    def _not_done(self) -> str:
        if self.step.verb in ("check", "uncheck") and self.after:
            done = self.after["checked"] is (self.step.verb == "check")
            return "not done, though it is so" if done else ""
        return "not done, though it changed" if self._moved() and self.after else ""

    def _refused(self) -> str:
        pressed = sorted({one["type"] for one in self.entries} & PRESSED)
        if pressed:
            return f"refused after {pressed}"
        # What came to rest only after the refusal was not plain before it.
        sure = self.plain and "position" not in self.step.params
        return "refused, though it was plain" if sure and "animated" not in self.hazards() else ""

    def hazards(self) -> set[str]:
        """What hinders any act on the page."""
        return {hazard for step in self.page.steps for hazard in step.hazards}


class Bench:
    """One tab that is shown page after page."""

    def __init__(self, context: ToolContext, site: Site) -> None:
        self.context = context
        self.site = site
        self._known: dict[str, list[tuple[Frame, str]]] = {}
        site.page(f"{PREFIX}/left", left_page())

    async def run(self, page: RandomPage) -> list[Trial]:
        """Show the page and do what is to be done on it."""
        for path, text in page.files(self.site.port).items():
            self.site.page(path, text)
        await do(
            self.context,
            "navigate",
            url=self.site.url(f"{PREFIX}/{page.seed}/{page.document.name}"),
        )
        self._known = {}
        trials: list[Trial] = []
        for step in page.steps:
            trials.append(await self.attempt(page, step))
            if not await self.ask(page.document.name, "alive"):
                break
        return trials

    async def attempt(self, page: RandomPage, step: Step) -> Trial:
        """One act, between a cleared record and the reading of it."""
        trial = Trial(page, step)
        documents = list(page.document.documents())
        here = page.chain(step.target)[-1][0]
        trial.witness = next(one for one in documents if one.name == here).witness
        await self._prepare(trial, documents, here)
        given = {"selector": f"#{step.target}", **step.params}
        outcome = await call(self.context, step.verb, given)
        trial.text = outcome.text()
        if outcome.error is not None:
            trial.said = outcome.error.code
            trial.receipt = outcome.error.details.get("receipt") or {}
        else:
            trial.said, trial.receipt = outcome.result.verdict, outcome.result.receipt
        await self._read(trial, documents, here)
        return trial

    async def _prepare(self, trial: Trial, documents: list[Document], here: str) -> None:
        await asyncio.gather(*(self.ask(one.name, "reset") for one in documents))
        trial.hears = set(await self.ask(here, "hears", trial.step.target) or [])
        trial.hosts = await self.ask(here, "hosts", trial.step.target) or []
        trial.before = await self.ask(here, "state", trial.step.target)

    async def _read(self, trial: Trial, documents: list[Document], here: str) -> None:
        late = trial.said != "effective"
        answers = await asyncio.gather(*(self.ask(one.name, "take", late) for one in documents))
        self._known.pop("left", None)
        answers.append(
            await self.ask("left", "left") if any(one.keep for one in documents) else None
        )
        trial.entries = [entry for answer in answers for entry in answer or ()]
        trial.after = await self.ask(here, "state", trial.step.target)
        if trial.said in REFUSALS or trial.said == "MISDIRECTED":
            trial.plain = await self._plain(trial)

    async def _plain(self, trial: Trial) -> bool:
        """Whether the page says that nobody could miss the element, nor the frames around it."""
        targets = [trial.step.target]
        if "to" in trial.step.params:
            targets.append(trial.step.params["to"][1:])
        for target in targets:
            for document, element in trial.page.chain(target):
                if not await self.ask(document, "plain", element):
                    return False
        return True

    async def ask(self, document: str, function: str, *args: object) -> Any:
        """Ask a document of the page about itself; None when it is gone."""
        if document not in self._known:
            await self._look_around()
        for frame, node in self._known.get(document, ()):
            params = {"functionDeclaration": ASK, "objectId": node, **BY_VALUE}
            params["arguments"] = [{"value": function}, {"value": args}]
            try:
                answer = await frame.send("Runtime.callFunctionOn", params)
            except (ProtocolError, TabwrightError):
                continue
            assert "exceptionDetails" not in answer, answer
            return answer["result"].get("value")
        return None

    async def _look_around(self) -> None:
        """Find the documents of all frames, each as an object of the page's own world."""
        tab = (await session_of(self.context)).current
        assert tab is not None
        self._known = defaultdict(list)
        for frame in tab.frames:
            try:
                own = await _document(frame)
            except ProtocolError:
                continue
            named = {"functionDeclaration": NAME, "objectId": own, **BY_VALUE}
            name = (await frame.send("Runtime.callFunctionOn", named))["result"].get("value")
            self._known[name].append((frame, own))


async def _document(frame: Frame) -> str:
    """The document of a frame as an object of the page's own world."""
    named = {"frameId": frame.id, "worldName": "record"}
    world = await frame.send("Page.createIsolatedWorld", named)
    at = {"expression": "document", "contextId": world["executionContextId"]}
    found = (await frame.send("Runtime.evaluate", at))["result"]["objectId"]
    node = await frame.send("DOM.describeNode", {"objectId": found})
    backend = {"backendNodeId": node["node"]["backendNodeId"]}
    return (await frame.send("DOM.resolveNode", backend))["object"]["objectId"]
