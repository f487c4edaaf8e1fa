"""Sliders and spin buttons: the step is measured with one key, the way is computed, then gone."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from tabwright.engine import text
from tabwright.engine.control.hand import (
    Control,
    Hand,
    Reading,
    folded,
    not_done,
    not_offered,
    one_of,
    refused,
)
from tabwright.engine.place import in_page
from tabwright.errors import ElementBlocked, ElementNotVisible, NotDone

NUMBER = re.compile(r"[^\d+\-.,]*([+-]?\d+(?:[.,]\d+)*)[^\d]*")
THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
KEY_MS = 400.0
SETTLE_MS = 500.0
ROUNDS = 12
# From here on it pays to look for a larger stride.
MANY_STEPS = 15
MOST_WORDS = 300
DRAGS = 10
# How exactly the place of a handle tells its value, in percent.
GUESS = 0.7


def amount(given: str) -> float | None:
    """The number in a text such as '40', '40 %' or '1,000'."""
    found = NUMBER.fullmatch(given.strip())
    if found is None:
        return None
    digits = found[1].replace(",", "") if THOUSANDS.fullmatch(found[1]) else found[1]
    try:
        return float(digits.replace(",", "."))
    except ValueError:
        return None


def goal_of(control: Control, wanted: list[str]) -> float | None:
    """The number that is asked for; None when it is a word such as 'Medium'.

    Raises:
        InputError: it is not within the bounds, or not on a step.
    """
    given = one_of(control, wanted)
    goal = amount(given)
    low, high, step = (control.facts.get(name) for name in ("min", "max", "step"))
    if goal is None:
        if control.facts.get("text"):
            return None
        raise refused(control, f"takes a number, not {given!r}", f"It goes {_bounds(low, high)}.")
    if (low is not None and goal < low) or (high is not None and goal > high):
        raise refused(control, f"cannot be {given}", f"It goes {_bounds(low, high)}.")
    if step and low is not None and not _is_whole((goal - low) / step):
        below = low + math.floor((goal - low) / step) * step
        raise refused(
            control,
            f"cannot be {given}",
            f"It goes in steps of {step:g} {_bounds(low, high)}: {below:g} or {below + step:g}.",
        )
    return goal


def _bounds(low: float | None, high: float | None) -> str:
    words = [f"from {low:g}"] if low is not None else []
    words += [f"to {high:g}"] if high is not None else []
    return " ".join(words) or "in numbers"


def _is_whole(ratio: float) -> bool:
    return abs(ratio - round(ratio)) < 1e-6


def is_at(control: Control, wanted: list[str], goal: float | None) -> bool:
    """Whether it stands there, by its number or by its words."""
    words = control.facts.get("text") or ""
    if words and folded(words) == folded(wanted[0]):
        return True
    now = control.facts.get("now")
    if goal is None or now is None:
        return False
    return abs(now - goal) <= (GUESS if control.facts.get("guessed") else 1e-9 * max(1, abs(goal)))


def already(control: Control, wanted: list[str]) -> bool:
    """Whether it stands there."""
    return is_at(control, wanted, goal_of(control, wanted))


async def read(hand: Hand, control: Control, wanted: list[str]) -> Reading:
    """Where it stands."""
    now = await hand.again(control)
    if now is None:
        return Reading("", None)
    words = now.facts.get("text") or ""
    by_words = words and folded(words) == folded(wanted[0])
    return Reading(words if by_words else now.value, is_at(now, wanted, goal_of(control, wanted)))


async def operate(hand: Hand, control: Control, wanted: list[str]) -> None:
    """Bring it there, and say so where its value is only guessed."""
    await _bring(hand, control, wanted)
    if control.facts.get("guessed"):
        hand.did("in percent of its length: it tells no value")


async def _bring(hand: Hand, control: Control, wanted: list[str]) -> None:
    """Bring it there: by typing where it can be typed, by keys, by buttons, by dragging."""
    goal = goal_of(control, wanted)
    if control.facts.get("editable") and await _typed(hand, control, wanted, goal):
        return
    walk = _Walk(hand, control, wanted, goal)
    if await hand.focus(control.ref):
        if await (walk.by_words() if goal is None else walk.by_keys()):
            return
    elif control.kind == "spin" and not control.facts.get("more"):
        await hand.must_focus(control)
    if goal is not None and not walk.moved and control.kind == "spin":
        await walk.by_buttons()
    elif goal is not None and control.kind == "slider":
        # A hand may be finer than keys.
        await walk.by_mouse()
    if walk.step and not walk.there():
        raise not_done(
            walk.control,
            f"goes in steps of {walk.step:g} and stands at {walk.now:g}, not at {goal:g}",
            "Ask for a value that it can have.",
        )


async def _typed(hand: Hand, control: Control, wanted: list[str], goal: float | None) -> bool:
    field = control.facts.get("field") or control.ref
    asked = wanted[0] if goal is None else f"{goal:.12g}"
    try:
        await text.fill(hand.tab, field, asked, wait=False, timeout_ms=hand.left_ms())
    except NotDone:
        return False
    hand.did("typed it")
    now = await hand.again(control)
    if now is not None and not is_at(now, wanted, goal):
        # Many read what was typed only when it is left.
        await text.focus(hand.tab, field, away=True, wait=False, timeout_ms=hand.left_ms())
        now = await hand.again(control)
    return now is None or is_at(now, wanted, goal)


@dataclass
class _Walk:
    """The way from where a control stands to where it shall stand."""

    hand: Hand
    control: Control
    wanted: list[str]
    goal: float | None
    moved: bool = False
    step: float = 0.0
    """How far a key goes, if it does not lead to the goal."""

    @property
    def now(self) -> float:
        """Where it stands."""
        return float(self.control.facts["now"] or 0)

    def there(self) -> bool:
        return is_at(self.control, self.wanted, self.goal)

    async def press(self, key: str, times: int = 1, expected: float | None = None) -> float:
        """Press a key and see how far it went."""
        before, group = self.now, self.control.facts["group"] or None
        await self.hand.press(key, times)
        ref = self.control.ref
        if expected is None:
            facts = await self.hand.wait_for("awaitChange", ref, group, "now", before, ms=KEY_MS)
        else:
            facts = await self.hand.wait_for(
                "awaitControl", ref, group, "now", expected, ms=SETTLE_MS
            )
        if facts is None:
            raise not_done(self.control, "was taken off the page while its keys were pressed")
        self.control = Control.of(facts)
        self.moved = self.moved or self.now != before
        return self.now - before

    async def by_keys(self) -> bool:
        """Measure a step, compute the way, go it; as often as the steps turn out uneven."""
        goal = self.goal
        assert goal is not None
        if await self._edge(goal):
            return True
        up, down, step = await self._measure(goal)
        if not step:
            return False
        pressed, crossed = 1, 0
        for _ in range(ROUNDS):
            if self.there():
                self.hand.did(f"pressed keys {pressed} times" if pressed > 1 else "pressed a key")
                return True
            pressed += await self._stride(goal, step)
            key = up if goal > self.now else down
            steps = max(1, round(abs(goal - self.now) / step))
            expected = self.now + math.copysign(steps * step, goal - self.now)
            went = await self.press(key, steps, expected)
            pressed += steps
            if went == 0:
                break
            step = abs(went) / steps if steps > 1 or abs(went) < step else step
            crossed += steps == 1
            if crossed > 2:
                break
        self.step = step
        if self.there():
            self.hand.did(f"pressed keys {pressed} times")
        return self.there()

    async def _edge(self, goal: float) -> bool:
        for name, key in (("min", "Home"), ("max", "End")):
            if self.control.facts.get(name) == goal and self.control.kind == "slider":
                await self.press(key, expected=goal)
                if self.there():
                    self.hand.did(f"pressed {key}")
                    return True
        return False

    async def _measure(self, goal: float) -> tuple[str, str, float]:
        """The keys that lead up and down, and how far one goes."""
        across = ("ArrowRight", "ArrowLeft")
        along = ("ArrowUp", "ArrowDown")
        first = (
            along if self.control.facts.get("vertical") or self.control.kind == "spin" else across
        )
        for up, down in (first, across if first is along else along):
            key = up if goal > self.now else down
            went = await self.press(key)
            if went == 0:
                continue
            # From right to left, the arrows are the other way around.
            turned = (went > 0) != (key == up)
            return (down, up, abs(went)) if turned else (up, down, abs(went))
        return "", "", 0.0

    async def _stride(self, goal: float, step: float) -> int:
        """Take larger strides while they shorten the way; how many keys it took."""
        if abs(goal - self.now) / step <= MANY_STEPS:
            return 0
        pressed = 0
        for name, key in (("min", "Home"), ("max", "End")):
            edge = self.control.facts.get(name)
            if edge is not None and abs(goal - edge) < abs(goal - self.now) / 2:
                await self.press(key, expected=edge)
                pressed += 1
        if abs(goal - self.now) / step <= MANY_STEPS:
            return pressed
        key = "PageUp" if goal > self.now else "PageDown"
        went = await self.press(key)
        if abs(went) > step and (went > 0) == (key == "PageUp"):
            times = int(abs(goal - self.now) / abs(went))
            if times > 0 and (goal > self.now) == (went > 0):
                await self.press(key, times, self.now + times * went)
            pressed += times
        return pressed + 1

    async def by_words(self) -> bool:
        """Go through what it says, from its beginning."""
        before, said = self.now, list[str]()
        if self.control.kind == "slider":
            await self.press("Home")
        for _ in range(MOST_WORDS):
            said.append(str(self.control.facts["text"]))
            if self.there():
                self.hand.did("went through its values with the arrow keys")
                return True
            if await self.press("ArrowUp") == 0:
                break
        self.goal = before
        await self.by_keys()
        raise not_offered(self.control, self.wanted[0], said)

    async def by_buttons(self) -> None:
        """Click the buttons beside it."""
        goal = self.goal
        assert goal is not None
        clicks, step = 0, 0.0
        while not self.there():
            ref = self.control.facts["more" if goal > self.now else "less"]
            if not ref or (step and abs(goal - self.now) < step * (1 - 1e-9)):
                break
            before = self.now
            await self.hand.click(ref)
            group = self.control.facts["group"] or None
            facts = await self.hand.wait_for(
                "awaitChange", self.control.ref, group, "now", before, ms=KEY_MS
            )
            if facts is None:
                break
            self.control, clicks = Control.of(facts), clicks + 1
            step = abs(self.now - before)
            if not step:
                break
        self.hand.did(f"clicked its buttons {clicks} times")

    async def by_mouse(self) -> None:
        """Drag the handle; each try corrects the one before."""
        low, high = self.control.facts["min"], self.control.facts["max"]
        goal = self.goal
        if goal is None or low is None or high is None or high <= low:
            return
        per_unit, drags = 1 / (high - low), 0
        for drags in range(1, DRAGS + 1):
            before = abs(goal - self.now)
            if not await self._drag(goal, per_unit, first=drags == 1) or self.there():
                break
            if drags > 2 and abs(goal - self.now) >= before:
                break
        why = "keys are too coarse" if self.step else "keys did nothing"
        self.hand.did(f"dragged the handle{f' {drags} times' if drags > 1 else ''}: {why}")

    async def _drag(self, goal: float, per_unit: float, *, first: bool) -> bool:
        """Move the handle by what is missing; whether that moved it."""
        facts = self.control.facts
        if facts["track"] == facts["handle"]:
            start, length = self._native()
        else:
            try:
                await self.hand.aim(self.control.ref)
            except (ElementBlocked, ElementNotVisible):
                if first:
                    raise
            facts = (await self.hand.again(self.control) or self.control).facts
            start = _middle(facts["handle"])
            length = facts["track"]["height" if facts["vertical"] else "width"]
        by = (goal - self.now) * per_unit * length
        if abs(by) < 1:
            by = math.copysign(1, by)
        end = (start[0], start[1] - by) if facts["vertical"] else (start[0] + by, start[1])
        places = [await in_page(self.hand.frame, *place) for place in (start, end)]
        if not isinstance(places[0], tuple) or not isinstance(places[1], tuple):
            return False
        before = self.now
        await self.hand.tab.mouse.drag(places[0], places[1])
        after = await self.hand.wait_for(
            "awaitChange", self.control.ref, facts["group"] or None, "now", before, ms=KEY_MS
        )
        if after is None:
            return False
        self.control = Control.of(after)
        return self.now != before

    def _native(self) -> tuple[tuple[float, float], float]:
        """Where the thumb of the browser's own slider is: it tells only the bar's place."""
        facts = self.control.facts
        box, part = facts["handle"], (self.now - facts["min"]) / (facts["max"] - facts["min"])
        thumb = 16.0
        if facts["vertical"]:
            length = box["height"] - thumb
            return (box["x"] + box["width"] / 2, box["y"] + thumb / 2 + (1 - part) * length), length
        length = box["width"] - thumb
        return (box["x"] + thumb / 2 + part * length, box["y"] + box["height"] / 2), length


def _middle(box: dict[str, float]) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
