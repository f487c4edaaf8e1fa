"""All tools, what of them an agent is told, and how one is called."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from tabwright.config import Settings
from tabwright.dispatch import call, refusal, refused
from tabwright.engine.context import ToolContext
from tabwright.errors import BrowserDisabled, InputError
from tabwright.outcome import Outcome
from tabwright.surfaces.batch import batch
from tabwright.surfaces.batch import read as read_batch
from tabwright.surfaces.compact import COMPACT
from tabwright.surfaces.granular import GRANULAR
from tabwright.surfaces.native import NATIVE
from tabwright.surfaces.tool import GROUPS, Call, Tool
from tabwright.verbs import VERBS

SURFACES = ("granular", "compact", "native", "all")
COMPACT_NAMES = ("browser_navigate", "browser_action", "browser_screenshot", "browser")
ALWAYS = ("web_fetch", "read_image")
"""They need no browser, so they are there even if the browser is not switched on."""
HOW_TO_ENABLE = (
    "Start it with --enable, run `tabwright config set tools.browser.enabled true` or "
    "`tabwright onboard`, or set TABWRIGHT_TOOLS__BROWSER__ENABLED=true."
)


class ToolRegistry:
    """The tools of a configuration. It holds no state of any conversation."""

    def __init__(
        self,
        settings: Settings,
        *,
        surface: str = "granular",
        groups: Iterable[str] = ("core",),
        enabled: bool | None = None,
        structured: bool = False,
    ) -> None:
        self._all = {tool.name: tool for tool in (*GRANULAR, *COMPACT, *NATIVE)}
        self.surface = _known("surface", surface, SURFACES)
        """Which names agents are told of."""
        self.groups = {_known("group", group, GROUPS) for group in groups}
        """Of the granular surface, what agents are told of."""
        self.enabled = settings.tools.browser.enabled if enabled is None else enabled
        """Whether the browser was switched on, by somebody who may."""
        self.structured = structured
        """Whether agents get every outcome as data besides the words."""

    def get(self, name: str) -> Tool:
        """A tool by its name, listed or not.

        Raises:
            InputError: there is none.
        """
        tool = self._all.get(name)
        if tool is None:
            listed = ", ".join(tool.name for tool in self.listed())
            raise InputError(f"There is no tool {name!r:.80}.", hint=f"There are {listed}.")
        return tool

    def has(self, name: str) -> bool:
        """Whether there is a tool of this name, listed or not."""
        return name in self._all

    def listed(self) -> list[Tool]:
        """The tools that an agent is told of."""
        return [tool for tool in self._all.values() if self._is_listed(tool)]

    def _is_listed(self, tool: Tool) -> bool:
        if self.surface != "native" and tool.name in ALWAYS:
            return True
        if not self.enabled:
            return False
        match self.surface:
            case "granular":
                return tool.listed and tool in GRANULAR and tool.group in self.groups
            case "compact":
                return tool.name in COMPACT_NAMES
            case "native":
                return tool in NATIVE
            case _:
                return True

    async def call(
        self, context: ToolContext, name: str, given: Any = None, *, in_words: bool = False
    ) -> Outcome:
        """Call a tool for a conversation. Never raises.

        `in_words` says that nobody looks at more than the outcome's text and pictures.
        """
        if self.enabled and self.has(name) and self._all[name].several:
            return await self._call_several(context, name, given, in_words=in_words)
        if self.has(name) and self._all[name].by_line:
            return await self._call_line(context, name, given, in_words=in_words)
        try:
            first = self._first(name, given)
        except InputError:
            first = None  # The call itself says so.
        if first is not None:
            opened = await call(context, name, given, translate=lambda _: first)
            if not opened.success:
                return self._named(opened)
        return self._named(
            await call(
                context, name, given, translate=partial(self._translate, name, in_words=in_words)
            )
        )

    async def _call_several(
        self, context: ToolContext, name: str, given: Any, *, in_words: bool
    ) -> Outcome:
        try:
            wanted = read_batch(name, given)
        except InputError as error:
            return refused(context, name, given, error)
        step = partial(self.call, context, in_words=in_words)
        return await batch(name, wanted, partial(self._refusal, context), step)

    def _refusal(self, context: ToolContext, name: str, given: Any) -> Outcome | None:
        """What a step of a batch would be refused with, if it would."""
        if self.has(name) and self._all[name].several:
            error = InputError("A batch holds no batches.", hint="List all its steps in one.")
            return refused(context, name, given, error)
        read = partial(self._translate, name, in_words=False)
        wrong = refusal(context, name, given, translate=read)
        if wrong is not None:
            return wrong
        first = self._first(name, given)
        return refusal(context, name, given, translate=lambda _: first) if first else None

    async def _call_line(
        self, context: ToolContext, name: str, given: Any, *, in_words: bool
    ) -> Outcome:
        """Call the verb of a command line. What follows is told in command lines, too."""
        from tabwright.argv.parameter import words_of

        read = partial(self._translate, name, in_words=in_words)
        try:
            verb, params = read(given)
        except Exception as error:  # noqa: BLE001  # the edge: told like what a verb fails with
            return refused(context, name, given, error)
        # With the parameters of the verb, so that the journal knows which of them are secrets.
        outcome = await call(context, name, params, translate=lambda _: (verb, params))
        for action in outcome.next_actions:
            meant = VERBS[verb if action.verb == name else action.verb]
            action.verb, action.params = name, {"args": words_of(meant, action.params)}
        return outcome

    def _named(self, outcome: Outcome) -> Outcome:
        """The outcome, with the good next steps under the names of tools."""
        for action in outcome.next_actions:
            if not self.has(action.verb):
                tool = next((each for each in GRANULAR if each.verb == action.verb), None)
                action.verb = tool.name if tool else action.verb
        return outcome

    def _first(self, name: str, given: Any) -> Call | None:
        tool = self._all.get(name)
        if tool is None or tool.first is None or not self.enabled:
            return None
        return tool.first(given)

    def _translate(self, name: str, given: Any, *, in_words: bool) -> Call:
        tool = self.get(name)
        verb, params = tool.translate(given)
        if tool.needs_browser and not self.enabled:
            raise BrowserDisabled(
                f"{name} needs the browser, which is disabled.", hint=HOW_TO_ENABLE
            )
        unused = set(tool.for_programs) - set(given or ()) if in_words else set[str]()
        return verb, {key: value for key, value in params.items() if key not in unused}


def _known(what: str, word: str, words: tuple[str, ...]) -> str:
    if word not in words:
        raise InputError(f"There is no {what} {word!r:.80}.", hint=f"There are {', '.join(words)}.")
    return word
