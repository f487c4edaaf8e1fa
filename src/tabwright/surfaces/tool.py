"""A tool: a verb under a name of its own, as agents are told of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, cast

from tabwright.errors import InputError
from tabwright.surfaces.schema import Schema, parameters
from tabwright.verb import Effect, Params, Verb
from tabwright.verbs import VERBS

Given = dict[str, Any]
Call = tuple[str, Given]
Group = Literal[
    "core", "input", "network", "storage", "emulation", "pwa", "audit", "files", "admin"
]
GROUPS: tuple[Group, ...] = (
    "core",
    "input",
    "network",
    "storage",
    "emulation",
    "pwa",
    "audit",
    "files",
    "admin",
)


READING = ("read", "list", "get")
"""Actions of verbs that change nothing."""


@dataclass(frozen=True)
class Tool:
    """One entry of a surface."""

    name: str
    verb: str
    group: Group
    description: str = ""
    """Default: what the verb says of itself."""
    shows: tuple[str, ...] | None = None
    """The parameters that are listed, by their names here; the verb's others work too.

    Default: all."""
    required: tuple[str, ...] = ()
    """What is required here, though it is not of the verb."""
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    """Parameters that have another name here: this one, and the verb's."""
    fixed: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What is always given to the verb."""
    defaults: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Defaults that are not the verb's."""
    listed: bool = True
    """Whether agents are told of it; it works in any case."""
    model: type[Params] | None = None
    """Parameters of its own, where they are not the verb's."""
    make: Callable[[Given], Call] | None = None
    """Turns those into a call."""
    first: Callable[[Given], Call | None] | None = None
    """A call that has to succeed before it."""
    several: bool = False
    """It is calls of other tools."""
    various: bool = False
    """Which verb it is depends on what it is given."""
    by_line: bool = False
    """It takes command lines."""
    for_programs: tuple[str, ...] = ()
    """Defaults that are of no use to who only reads the words."""
    schema: Mapping[str, Schema] = field(default_factory=dict[str, Schema])
    """What is said of a parameter in place of what the verb says."""

    @property
    def acts(self) -> Verb:
        """The verb that it is, or that it mostly is."""
        return VERBS[self.verb]

    @property
    def varies(self) -> bool:
        """Whether nothing can be said beforehand of what it does and answers."""
        return self.several or self.various

    @property
    def effect(self) -> Effect:
        """Whether it leaves the page as it is. What it does may be less than the verb can."""
        if self.varies:
            return "act"
        action = self.fixed.get("action")
        if action in READING:
            return "read"
        return "act" if action else self.acts.effect

    @property
    def told(self) -> str:
        """What it is for, in a sentence or two."""
        return self.description or self.acts.summary

    @property
    def needs_browser(self) -> bool:
        """Whether it is of no use without a browser."""
        return self.acts.on != "context"

    @cached_property
    def parameters(self) -> Schema:
        """The JSON schema of its parameters."""
        model = self.model or self.acts.params
        own = [field.alias or name for name, field in model.model_fields.items()]
        shows = self.shows if self.shows is not None else [n for n in own if n not in self.fixed]
        names = {self.names.get(name, name): name for name in shows}
        found = parameters(model, names, self.defaults)
        found["required"] += self.required
        for name, said in self.schema.items():
            found["properties"][name] = {**found["properties"].get(name, {}), **said}
        return found

    def translate(self, given: Any) -> Call:
        """The call that it is.

        Raises:
            InputError: the arguments do not fit.
        """
        if given is None:
            given = {}
        if not isinstance(given, dict):
            raise InputError(
                f"{self.name}: the arguments must be an object, not {type(given).__name__}.",
                hint="For example {'url': 'https://example.com/'}.",
            )
        table = cast("Given", given)
        if self.make is not None:
            return self.make(table)
        taken = set(self.fixed) | set(self.names.values())
        wrong = [name for name in table if name in taken and name not in self.names]
        if wrong:
            raise InputError(
                f"{self.name}: there is no parameter {wrong[0]!r}.",
                hint=f"There are {', '.join(self.parameters['properties'])}.",
            )
        renamed = {self.names.get(name, name): value for name, value in table.items()}
        return self.verb, {**self.defaults, **renamed, **self.fixed}
