"""The accessibility of a page, as axe-core sees it, in the page and in all its frames."""

from __future__ import annotations

import asyncio
import difflib
import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from tabwright.engine.aim import not_found
from tabwright.engine.cdp import ProtocolError
from tabwright.engine.frame import GLANCE_S, Frame
from tabwright.engine.selector import parse
from tabwright.errors import InputError, InvalidSelector, TargetClosed
from tabwright.page import audit as audit_part
from tabwright.page import axe

if TYPE_CHECKING:
    from tabwright.engine.tab import Tab

logger = logging.getLogger("tabwright.audit")

Place = dict[str, Any]
"""What a document is to the page: the page itself, or a frame of some size."""
IMPACTS = ("critical", "serious", "moderate", "minor")
MOST_FRAMES = 50
MOST_NODES = 2000
FRAME_S = 10.0
KNOWN_SHOWN = 12
# The page has what these want if any of its frames has it.
SOMEWHERE = ("landmark-one-main", "page-has-heading-one")
# Said of the element that shows the frame, not of what is in it.
OF_THE_FRAME = ("region",)
# Whether frames were tested: we did.
OURS = ("frame-tested",)


@dataclass(frozen=True)
class Rules:
    """Which rules to apply: some by name, those with a tag, or all that are on by default."""

    type: Literal["rule", "tag"]
    values: list[str]

    def as_dict(self) -> dict[str, Any]:
        """As axe takes it."""
        return {"type": self.type, "values": self.values}


@dataclass
class Report:
    """What was found, rule by rule, the worst first."""

    version: str = ""
    frames: int = 0
    silent: list[str] = field(default_factory=list[str])
    """Addresses of frames that did not answer."""
    violations: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    passed: set[str] = field(default_factory=set[str])
    unsure: set[str] = field(default_factory=set[str])
    """Rules that only a person can decide on."""

    def conclude(self) -> Report:
        """Take back what one frame lacks and another has."""
        for rule in self.passed.intersection(SOMEWHERE):
            self.violations.pop(rule, None)
        return self

    def worst_first(self) -> list[dict[str, Any]]:
        """The rules that are broken, by impact and then by how often."""
        return sorted(
            self.violations.values(),
            key=lambda rule: (IMPACTS.index(rule["impact"]), -rule["count"], rule["id"]),
        )

    def counts(self) -> dict[str, int]:
        """How many elements break rules, by impact."""
        return {
            impact: sum(
                rule["count"] for rule in self.violations.values() if rule["impact"] == impact
            )
            for impact in IMPACTS
        }

    def add(self, found: dict[str, Any], frame_url: str) -> None:
        """Take over what was found in one frame."""
        self.version = found["version"]
        self.frames += 1
        self.passed.update(found["passed"])
        self.unsure.update(set(found["unsure"]).difference(OURS))
        for rule in found["violations"]:
            if frame_url and rule["id"] in OF_THE_FRAME:
                continue
            for node in rule["nodes"]:
                node["frame"] = frame_url
            known = self.violations.setdefault(rule["id"], {**rule, "count": 0, "nodes": []})
            known["impact"] = min(known["impact"], rule["impact"], key=IMPACTS.index)
            known["count"] += rule["count"]
            known["nodes"] += rule["nodes"][: MOST_NODES - len(known["nodes"])]


async def audit(tab: Tab, selector: str = "", rules: Rules | None = None) -> Report:
    """Audit the page, or a part of it, with all frames in it.

    Raises:
        InputError: there is no such rule or tag.
        ElementNotFound: there is no such part.
    """
    main = tab.frames.main
    if selector:
        frame, found = await _part(tab, selector, rules)
    else:
        frame, found = main, await _inspect(main, None, {"initiator": True}, rules)
    report = Report()
    report.add(_known(found, rules), "" if frame is main else frame.url)
    await _below(tab, frame, rules, report)
    return report.conclude()


async def _part(tab: Tab, selector: str, rules: Rules | None) -> tuple[Frame, dict[str, Any]]:
    wanted = parse(selector)
    owner = tab.frames.owner_of(wanted.ref) if wanted.ref else None
    frames = [owner[0]] if owner and owner[1] else list(tab.frames)
    found: dict[str, Any] = {"ok": False, "reason": "absent", "count": 0}
    silent: list[Frame] = []
    for frame in frames:
        place = {"initiator": frame is tab.frames.main, "page": False}
        try:
            async with frame.within(GLANCE_S):
                await frame.learn(audit_part())
        except TimeoutError:
            silent.append(frame)
            continue
        found = await _inspect(frame, wanted.parts, place, rules)
        if found["ok"] or found["reason"] == "unknown":
            return frame, found
        if found["reason"] == "invalid":
            raise InvalidSelector(selector, found["text"])
    raise await not_found(tab, wanted, found, 0.0, silent)


async def _inspect(
    frame: Frame, parts: tuple[dict[str, Any], ...] | None, place: Place, rules: Rules | None
) -> dict[str, Any]:
    await frame.learn(audit_part())
    if not await frame.call("hasAxe"):
        await frame.handle(axe())
    return await frame.call("audit", parts, place, rules and rules.as_dict())


async def _below(tab: Tab, frame: Frame, rules: Rules | None, report: Report) -> None:
    """Audit the frames that the audit of a frame came by, and those below them."""
    children = [child for child in tab.frames if child.parent_id == frame.id]
    places: list[Place | None] = await asyncio.gather(
        *(child.on_owner("placeOf") for child in children)
    )
    # One after the other: each goes on with the refs where the one before it ended.
    for child, place in zip(children, places, strict=True):
        if place is None or report.frames >= MOST_FRAMES:
            continue
        try:
            async with asyncio.timeout(FRAME_S):
                # A frame that hangs shows it long before an audit would be done.
                async with child.within(GLANCE_S):
                    await child.learn(audit_part())
                found = await _inspect(child, None, place, rules)
        except (TimeoutError, ProtocolError, TargetClosed) as error:
            logger.debug("no audit of %s: %r", child.url, error)
            report.silent.append(child.url)
            continue
        report.add(found, child.url or "about:blank")
        await _below(tab, child, rules, report)


def _known(found: dict[str, Any], rules: Rules | None) -> dict[str, Any]:
    if found["ok"] or found["reason"] != "unknown":
        return found
    assert rules is not None
    word, known = found["text"], found["known"]
    near = difflib.get_close_matches(word, known, n=3) or known[:KNOWN_SHOWN]
    raise InputError(
        f"axe-core has no {rules.type} {word!r}.",
        hint=f"There are, among {len(known)}: {', '.join(near)}.",
        near=near,
    )
