"""The onboarding form, driven by keys as a person does, and what it shows."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.events import Paste
from textual.pilot import Pilot

from tabwright.config import places, set_values
from tabwright.faces.onboarding.field import Answers
from tabwright.faces.onboarding.form import Form, Question


class Desk:
    """A form on a terminal, for the configuration file of a home directory."""

    def __init__(self, form: Form, pilot: Pilot[bool]) -> None:
        self.form = form
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def write(self, text: str) -> None:
        """Key by key, as it is typed."""
        await self.press(*("space" if letter == " " else letter for letter in text))

    async def paste(self, text: str) -> None:
        """At once, which is quicker."""
        assert self.form.focused is not None
        self.form.focused.post_message(Paste(text))
        await self.pilot.pause()

    def text(self) -> str:
        """What stands on the terminal."""
        strips = self.form.screen._compositor.render_strips()
        lines = ["".join(segment.text for segment in strip).rstrip() for strip in strips]
        return "\n".join(lines).rstrip()

    def question(self, label: str) -> Question:
        return next(each for each in self.form.questions.values() if each.field.label == label)

    def labels(self) -> list[str]:
        """The names of the fields that are shown, from top to bottom."""
        shown = [each for each in self.form.query(Question) if each.display]
        return [each.field.label for each in sorted(shown, key=lambda each: each.region.y)]

    def focus(self) -> str:
        """The name of the field that has the focus."""
        held = [each for each in self.form.query(Question) if each.control.has_focus]
        return held[0].field.label if held else ""


@asynccontextmanager
async def seated(home: Path, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Desk]:
    """The form for `home`, as `tabwright onboard` opens it."""
    path = places({}, home).user_file

    def save(changes: dict[str, object]) -> None:
        set_values(changes, path=path, cwd=home, env={}, home=home)

    form = Form(Answers.read(path), save)
    form.animation_level = "none"
    async with form.run_test(size=size) as pilot:
        await pilot.pause()
        yield Desk(form, pilot)
