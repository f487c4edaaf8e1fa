"""What can be measured of a page: web vitals, accessibility."""

import json
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from tabwright.engine import audit as engine
from tabwright.engine import navigation
from tabwright.engine.artifacts import Artifact, spills
from tabwright.engine.outline import quoted
from tabwright.engine.tab import Tab
from tabwright.engine.vitals import vitals as measure
from tabwright.verb import Params, Positional, Result, Selector, Text, Timeout, verb
from tabwright.wording import many

Impact = Literal["critical", "serious", "moderate", "minor"]
Rating = Literal["good", "needs-improvement", "poor"]
POINTS_SHOWN = 2
PARTS = {
    "timeToFirstByte": "waiting for the server",
    "resourceLoadDelay": "before its file was asked for",
    "resourceLoadDuration": "loading its file",
    "elementRenderDelay": "painting it",
    "inputDelay": "waiting for the main thread",
    "processingDuration": "in event handlers",
    "presentationDelay": "painting",
}
"""What values are made of, in words."""


class Vitals(Params):
    """Of which load."""

    example: ClassVar[dict[str, Any]] = {"reload": True}

    reload: bool = False
    """Load the page again and measure that; what was typed into it is lost."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""


class Metric(Result):
    """One measure of a page."""

    name: Literal["LCP", "CLS", "INP", "FCP", "TTFB"]
    """Largest paint, layout shift, slowest interaction, first paint, first byte."""

    value: float | None
    """Milliseconds, for CLS a number without unit; null when there is none."""

    rating: Rating | None
    """By the thresholds that are in common use."""

    why: str = ""
    """Why there is no value."""

    element: dict[str, str] | None = None
    """Role, name, ref and tag of what was painted, shifted most, or acted on."""

    selector: str = ""
    """CSS of that element."""

    kind: str = ""
    """INP: pointer or keyboard."""

    parts: dict[str, float] = Field(default_factory=dict[str, float])
    """What the value is made of."""

    def text(self) -> str:
        """One line."""
        if self.value is None:
            return f"{self.name} none: {self.why}"
        number = f"{self.value:.3g}" if self.name == "CLS" else f"{self.value:.0f} ms"
        line = f"{self.name} {number} {(self.rating or '').replace('-', ' ')}"
        subject = _shown(self.element) if self.element else self.selector and quoted(self.selector)
        if subject:
            line += f", {subject}"
        return line if self.rating == "good" else line + self._mostly()

    def _mostly(self) -> str:
        """What most of the value was spent on."""
        if self.name == "CLS":
            return f", largest shift {self.parts['largestShiftValue']:.3g}"
        part = max(self.parts, key=self.parts.__getitem__, default="")
        return f", {self.parts[part]:.0f} ms {PARTS[part]}" if part else ""


class Measured(Result):
    """How fast and steady the page was for who looks at it."""

    url: str
    """Address of the page."""

    metrics: list[Metric]
    """LCP, CLS, INP, FCP, TTFB."""

    def text(self) -> str:
        """A line for each metric."""
        return "\n".join(metric.text() for metric in self.metrics)


@verb(effect="act", repeatable=True)
async def vitals(tab: Tab, params: Vitals) -> Measured:
    """Measure the page's web vitals, LCP, CLS, INP, FCP and TTFB, and name what caused them.

    Works for a page that is loaded already. INP needs an interaction, such as a click.
    """
    if params.reload:
        await navigation.reload(tab, wait_until="load", timeout_ms=params.timeout)
    metrics = [Metric.model_validate(metric) for metric in await measure(tab)]
    return Measured(url=tab.url, metrics=metrics)


class Audit(Params):
    """Of what, and by which rules."""

    example: ClassVar[dict[str, Any]] = {"tags": ["wcag2a", "wcag2aa"]}

    selector: Annotated[Selector | None, Positional] = None
    """Only this element and what is in it."""

    tags: Annotated[list[Text], Field(min_length=1)] | None = None
    """Only rules with one of these tags: wcag2a, wcag2aa, wcag21aa, best-practice …"""

    rules: Annotated[list[Text], Field(min_length=1)] | None = None
    """Only these rules, by their ids: image-alt, color-contrast …"""

    limit: Annotated[int, Field(ge=1, le=1000)] = 20
    """Most elements to name, the worst first. Counts are of all; the file names up to 500 of a rule
    in each frame."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.tags is not None and self.rules is not None:
            raise ValueError("`tags` and `rules` do not go together")
        return self

    def chosen(self) -> engine.Rules | None:
        """Which rules to apply."""
        if self.rules is not None:
            return engine.Rules("rule", self.rules)
        return engine.Rules("tag", self.tags) if self.tags is not None else None


class Culprit(Result):
    """An element that breaks a rule."""

    ref: str
    """Its ref; empty when it is gone already."""

    role: str
    """Its role."""

    name: str
    """Its accessible name."""

    selector: str
    """CSS; ` >> ` leads into a shadow root."""

    frame: str
    """Address of the frame it is in; empty for the page itself."""

    fix: str
    """What fails and what would do; empty when it is as for the first element of the rule."""


class Violation(Result):
    """A rule that is broken."""

    id: str
    """The rule."""

    impact: Impact
    """How bad it is for people who depend on it."""

    help: str
    """What the rule wants."""

    help_url: str
    """More about it."""

    count: int
    """How many elements break it."""

    nodes: list[Culprit]
    """Some or all of them."""

    def text(self) -> str:
        """The rule, the elements, and what would do."""
        lines = [f"{self.impact} {self.id}, {self.count}x: {self.help}"]
        if self.nodes:
            names = "; ".join(_shown(node.model_dump()) for node in self.nodes)
            more = self.count - len(self.nodes)
            lines.append(f"  {names}{f'; {more} more' if more else ''}")
            lines.append(f"  {_advice(self.nodes[0].fix)}")
        return "\n".join(lines)


class Audited(Result):
    """What is hard to use for people who cannot see, hear or point."""

    url: str
    """Address of the page."""

    counts: dict[str, int]
    """How many elements break rules, by impact."""

    violations: list[Violation]
    """The rules that are broken, the worst first."""

    passed: int
    """How many rules hold."""

    unsure: list[str]
    """Rules that a person has to decide on."""

    frames: int
    """How many documents were audited."""

    silent: list[str]
    """Frames that did not answer."""

    axe_version: str
    """Version of axe-core, which did it."""

    path: str | None = None
    """JSON file with the elements and checks, when it is longer than 4096 bytes."""

    size_bytes: int | None = None
    """Length of the file."""

    written: int | None = None
    """How many elements the file names."""

    def text(self) -> str:
        """The counts, then the worst first."""
        said = [f"{number} {impact}" for impact, number in self.counts.items() if number]
        total = sum(self.counts.values())
        head = f"{many(total, 'problem')}: {', '.join(said)}" if total else "No problem"
        facts = [f"rules that hold: {self.passed}"]
        facts += [f"undecided: {', '.join(self.unsure)}"] if self.unsure else []
        facts += [f"{self.frames} frames"] if self.frames > 1 else []
        facts += [f"no answer from {', '.join(self.silent)}"] if self.silent else []
        lines = [f"{head} ({'; '.join(facts)}; axe-core {self.axe_version})"]
        lines += [violation.text() for violation in self.violations]
        if self.path:
            total = sum(self.counts.values())
            what = "All of it" if self.written == total else f"{self.written} of {total}"
            lines.append(f"{what}: {self.path}")
        return "\n".join(lines)

    def files(self) -> list[Artifact]:
        """The file, when there is one."""
        if self.path is None or self.size_bytes is None:
            return []
        return [Artifact(Path(self.path), "application/json", self.size_bytes)]


@verb(effect="read")
async def audit(tab: Tab, params: Audit) -> Audited:
    """Find accessibility problems, in the page and all its frames, and name what causes them.

    Only what a machine can tell; nothing in the page is changed.
    """
    report = await engine.audit(tab, params.selector or "", params.chosen())
    found = report.worst_first()
    audited = Audited(
        url=tab.url,
        counts={impact: number for impact, number in report.counts().items() if number},
        violations=_named(found, params.limit),
        passed=len(report.passed - report.violations.keys()),
        unsure=sorted(report.unsure - report.violations.keys()),
        frames=report.frames,
        silent=report.silent,
        axe_version=report.version,
    )
    whole = json.dumps({"url": tab.url, "violations": found}, ensure_ascii=False, indent=1)
    if spills(whole):
        artifact = tab.session.artifacts.spill(whole, suffix=".json", mime_type="application/json")
        audited.path, audited.size_bytes = str(artifact.path), artifact.size_bytes
        audited.written = sum(len(rule["nodes"]) for rule in found)
    return audited


def _named(found: list[dict[str, Any]], limit: int) -> list[Violation]:
    """The rules with no more elements than asked for; each advice is given once."""
    violations: list[Violation] = []
    for rule in found:
        nodes = [Culprit.model_validate(node) for node in rule["nodes"][:limit]]
        limit -= len(nodes)
        for node in nodes[1:]:
            if node.fix == nodes[0].fix:
                node.fix = ""
        violations.append(Violation.model_validate({**rule, "nodes": nodes}))
    return violations


def _shown(element: dict[str, str]) -> str:
    name = f" {quoted(element['name'])}" if element["name"] else ""
    return f"{element['role']}{name} {element['ref']}".rstrip()


def _advice(summary: str) -> str:
    """The beginning of axe's summary, in one line."""
    head, *points = [line.strip() for line in summary.splitlines() if line.strip()] or [""]
    text = "; ".join(points[:POINTS_SHOWN]) + ("; …" if len(points) > POINTS_SHOWN else "")
    return f"{head.removesuffix(' of the following:')}: {text}" if text else head
