"""The form itself, on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import DescendantBlur, DescendantFocus
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Footer, Input, Label, Static

from tabwright.errors import ConfigError
from tabwright.faces.onboarding.field import ENABLED, FIELDS, Answers, Field, visible, wrong_with

Save = Callable[[dict[str, Any]], None]


class Choice(Static, can_focus=True):
    """A choice among a few words that space goes through: yes and no, or names."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "next", "Change")]

    class Changed(Message):
        """Another word was chosen."""

    chosen: reactive[str] = reactive("")

    def __init__(self, words: tuple[str, ...], chosen: str) -> None:
        super().__init__()
        self.words = words
        self.set_reactive(Choice.chosen, chosen)

    def render(self) -> Content:
        """The chosen word, marked."""
        return Content(self._marked())

    def _marked(self) -> str:
        if self.words != YES_OR_NO:
            return " ".join(
                f"({'o' if word == self.chosen else ' '}) {word}" for word in self.words
            )
        return "[x]" if self.chosen == "yes" else "[ ]"

    def watch_chosen(self) -> None:
        """Tell the form."""
        self.post_message(self.Changed())

    def action_next(self) -> None:
        """The next word."""
        at = self.words.index(self.chosen)
        self.chosen = self.words[(at + 1) % len(self.words)]

    def on_click(self) -> None:
        """A click does what space does."""
        self.action_next()


YES_OR_NO = ("no", "yes")


class Question(Vertical):
    """A field: its name, its answer, what is wrong with it, and what it means."""

    def __init__(self, field: Field, shown: bool | str) -> None:
        super().__init__()
        self.field = field
        self.control = _control(field, shown)
        self.wrong = Label("", classes="wrong", markup=False)
        self.description = Label(field.description, classes="description", markup=False)
        self.description.display = False
        self.wrong.display = False

    def compose(self) -> ComposeResult:
        """Name and answer on one line; the rest below, where there is any."""
        with Horizontal(classes="line"):
            yield Label(self.field.label, classes="name", markup=False)
            yield self.control
        yield self.wrong
        yield self.description

    @property
    def given(self) -> bool | str:
        """The answer as it stands."""
        if isinstance(self.control, Input):
            return self.control.value
        chosen = self.control.chosen
        return chosen == "yes" if self.field.kind == "toggle" else chosen

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        """Describe the field that has the focus."""
        del event
        self.description.display = True
        # The whole of it, now that it is longer.
        self.call_after_refresh(self.scroll_visible, animate=False)

    def on_descendant_blur(self, event: DescendantBlur) -> None:
        """And no other one."""
        del event
        self.description.display = False

    def on_input_changed(self) -> None:
        """Say what is wrong while it is typed."""
        self.judge()

    def judge(self) -> bool:
        """Whether the answer is right; says so below it when it is not."""
        return self.complain(wrong_with(self.field, self.given))

    def complain(self, wrong: str) -> bool:
        """Show what is wrong, or that nothing is; returns whether nothing is."""
        self.wrong.update(f"{self.field.label} {wrong}." if wrong else "")
        self.wrong.display = bool(wrong)
        return not wrong


def _control(field: Field, shown: bool | str) -> Input | Choice:
    if field.kind == "toggle":
        return Choice(YES_OR_NO, "yes" if shown else "no")
    if field.kind == "choice":
        return Choice(field.choices, str(shown))
    return Input(str(shown), placeholder=field.placeholder, compact=True, select_on_focus=False)


class Form(App[bool]):
    """Asks, and saves when told to; the result is whether it saved."""

    TITLE = "Tabwright"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        # Before the scrolling container can take them.
        Binding("down", "app.focus_next", "Next", priority=True),
        Binding("up", "app.focus_previous", "Back", priority=True),
        Binding("enter", "save", "Save", priority=True),
        Binding("escape", "cancel", "Cancel", priority=True),
    ]
    CSS = """
    Question { height: auto; margin: 0 1 1 1; }
    .line { height: 1; }
    .name { width: 26; }
    Choice { width: 1fr; }
    Choice:focus { text-style: reverse; width: auto; }
    Input { width: 1fr; }
    .wrong { color: $text-error; margin-left: 26; width: 1fr; }
    .description { color: $text-muted; margin-left: 26; width: 1fr; }
    #refused { color: $text-error; margin: 0 1; }
    """

    def __init__(self, answers: Answers, save: Save) -> None:
        super().__init__()
        self._answers = answers
        self._save = save
        self.questions: dict[str, Question] = {}
        self.refused = Label("", id="refused", markup=False)

    def compose(self) -> ComposeResult:
        """The fields, what was refused as a whole, and the keys."""
        # Not before: an input with a text in it wants a running program.
        self.questions = {each.key: Question(each, self._answers.shown(each)) for each in FIELDS}
        with VerticalScroll(can_focus=False):
            yield from self.questions.values()
            yield self.refused
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Begin with the first field."""
        self._show()
        self.questions[ENABLED].control.focus()

    def on_choice_changed(self) -> None:
        """A choice may hide fields."""
        self._show()

    def asked(self) -> list[Question]:
        """The fields that are shown, in their order."""
        enabled = bool(self.questions[ENABLED].given)
        return [self.questions[field.key] for field in visible(FIELDS, enabled=enabled)]

    def _show(self) -> None:
        asked = self.asked()
        if self._question_of(self.focused) not in [None, *asked]:
            asked[-1].control.focus()
        for question in self.questions.values():
            question.display = question in asked

    def _question_of(self, widget: Widget | None) -> Question | None:
        questions = self.questions.values()
        return next((each for each in questions if each.control is widget), None)

    def action_save(self) -> None:
        """Write what was changed, unless something is wrong."""
        asked = self.asked()
        wrong = [question for question in asked if not question.judge()]
        if wrong:
            wrong[0].control.focus()
            return
        given = {question.field.key: question.given for question in asked}
        try:
            self._save(self._answers.changes(given))
        except ConfigError as error:
            self._complain(error)
            return
        self.exit(True)

    def action_cancel(self) -> None:
        """Leave without writing anything."""
        self.exit(False)

    def _complain(self, error: ConfigError) -> None:
        """What only shows in the whole configuration: beside its field, or below all."""
        rest: list[str] = []
        by_key = {self._answers.stored_key(each.field): each for each in self.questions.values()}
        for problem in error.details.get("problems", []):
            question = by_key.get(problem["key"])
            if question is None:
                rest.append(f"{problem['key']}: {problem['expected']}")
            else:
                question.complain(problem["expected"])
                question.control.focus()
        self.refused.update(
            "\n".join(rest) or ("" if error.details.get("problems") else str(error))
        )
