"""What a verb is: a model of parameters, a model of results, and one function."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from keyword import iskeyword
from typing import Annotated, Any, ClassVar, Literal, TypeVar, cast, get_type_hints

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict
from pydantic import ValidationError as PydanticError
from pydantic.alias_generators import to_camel

from tabwright.duration import Duration
from tabwright.engine.artifacts import Artifact
from tabwright.engine.context import ToolContext
from tabwright.engine.selector import parse
from tabwright.engine.session import Session
from tabwright.engine.tab import Tab
from tabwright.errors import InputError, NextAction

Effect = Literal["read", "act", "admin"]
Subject = Literal["tab", "session", "context"]
SUBJECTS: dict[type, Subject] = {Tab: "tab", Session: "session", ToolContext: "context"}


@dataclass(frozen=True)
class PositionalMark:
    """The command line takes this parameter without its name."""


@dataclass(frozen=True)
class PrivateMark:
    """What is given here may be a secret: no error repeats it."""


Positional = PositionalMark()
Private = PrivateMark()
Timeout = Duration


def _not_blank(value: Any) -> Any:
    if isinstance(value, str) and not value.strip():
        raise ValueError("must not be empty")
    return value


def _readable(value: str) -> str:
    if parse(value).spot is not None:
        raise ValueError("a point of a picture can only be clicked, hovered over or dragged")
    return value


def _reachable(value: str) -> str:
    parse(value)
    return value


Selector = Annotated[str, BeforeValidator(_not_blank), AfterValidator(_readable), Positional]
Target = Annotated[str, BeforeValidator(_not_blank), AfterValidator(_reachable), Positional]
"""A selector, or a point of a picture such as `s3@120,45`."""
Text = Annotated[str, BeforeValidator(_not_blank)]


class Params(BaseModel):
    """Parameters of a verb: snake_case in Python, camelCase on the wire, nothing unknown."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        strict=True,
        allow_inf_nan=False,
        defer_build=True,
    )
    example: ClassVar[dict[str, Any]] = {}
    """A call that works, shown when parameters are wrong."""


class Result(BaseModel):
    """What a verb found or did: facts, and a sentence made of them."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, defer_build=True)

    def text(self) -> str:
        """The facts as an agent or a person reads them."""
        return self.model_dump_json(by_alias=True, exclude_none=True)

    def files(self) -> list[Artifact]:
        """The files that this result names."""
        return []

    def pictures(self) -> list[tuple[str, str]]:
        """What is to be seen, not read: MIME type and base64 of each."""
        return []

    def next_actions(self) -> list[NextAction]:
        """Calls that would be good next steps."""
        return []


P = TypeVar("P", bound=Params)
R = TypeVar("R", bound=Result)
AnyFunction = Callable[[Any, Any], Awaitable[Result]]


@dataclass(frozen=True)
class Verb:
    """A thing the engine can do, as every face needs to know it."""

    name: str
    effect: Effect
    repeatable: bool
    """Whether a call that a crash cut off may be made again without asking."""
    params: type[Params]
    result: type[Result]
    function: AnyFunction
    on: Subject
    """What the function works on; a verb on the context needs no browser, and starts none."""
    summary: str
    description: str

    @property
    def python_name(self) -> str:
        """The name as a method has it: `is` is Python's own word."""
        return f"{self.name}_" if iskeyword(self.name) else self.name

    def read(self, given: dict[str, Any]) -> Params:
        """Check the given parameters.

        Raises:
            InputError: lists everything that is wrong, what is allowed, and an example.
        """
        return read_params(self.name, self.params, given)


def read_params(name: str, model: type[Params], given: Any) -> Params:
    """Check what was given for something that is called by a name.

    Raises:
        InputError: lists everything that is wrong, what is allowed, and an example.
    """
    try:
        return model.model_validate(given)
    except PydanticError as error:
        problems = [_problem(model, item) for item in error.errors(include_url=False)]
        raise InputError(
            # `cookies: …` would read like the value of a cookie, and be masked.
            f"{name} was refused: {'; '.join(problems)}.",
            hint=f"Example: {model.example}.",
            problems=problems,
            example=model.example,
        ) from None


DECLARED: dict[str, Verb] = {}
"""The verbs whose modules are imported; `tabwright.verbs.VERBS` has them all."""


def positional_names(params: type[Params]) -> list[str]:
    """The parameters that may be given without their names, in order."""
    return [name for name, field in params.model_fields.items() if Positional in field.metadata]


def verb(
    *, effect: Effect, repeatable: bool | None = None
) -> Callable[[Callable[[Any, P], Awaitable[R]]], Callable[[Any, P], Awaitable[R]]]:
    """Declare a verb. Its name, parameters, results and texts are taken from the function.

    A verb that only reads may be repeated after a crash; one that acts, only where it says so.
    """

    def declare(function: Callable[[Any, P], Awaitable[R]]) -> Callable[[Any, P], Awaitable[R]]:
        hints = get_type_hints(function)
        subject, params = list(inspect.signature(function).parameters)[:2]
        summary, _, rest = inspect.cleandoc(function.__doc__ or "").partition("\n")
        name = function.__name__.rstrip("_")
        DECLARED[name] = Verb(
            name=name,
            effect=effect,
            repeatable=effect == "read" if repeatable is None else repeatable,
            params=hints[params],
            result=hints["return"],
            function=function,
            on=SUBJECTS[hints[subject]],
            summary=summary,
            description=rest.strip(),
        )
        return function

    return declare


@cache
def described(model: type[BaseModel]) -> dict[str, str]:
    """What the docstring under each field says.

    Pydantic can collect these itself, but does so for every model at import: 0.1 s in all.
    """
    texts: dict[str, str] = {}
    for owner in reversed(model.__mro__):
        if issubclass(owner, BaseModel) and owner is not BaseModel:
            texts |= _docstrings(owner)
    return {name: texts[name] for name in model.model_fields if name in texts}


@cache
def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a model, by its names on the wire, with a description for each field."""
    schema = model.model_json_schema(by_alias=True)
    for name, text in described(model).items():
        alias = model.model_fields[name].alias or name
        schema["properties"][alias]["description"] = text
    return schema


def _docstrings(owner: type) -> dict[str, str]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(owner)))
    body = cast("ast.ClassDef", tree.body[0]).body
    found: dict[str, str] = {}
    for field, text in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
            name, value = cast("ast.Name", field.target).id, cast("ast.Constant", text.value).value
            found[name] = inspect.cleandoc(str(value))
    return found


def _problem(model: type[Params], item: Any) -> str:
    location = ".".join(str(part) for part in item["loc"]) or "parameters"
    kind, context = item["type"], item.get("ctx", {})
    if kind == "missing":
        return f"`{location}` is required"
    if kind == "extra_forbidden":
        if len(item["loc"]) > 1:
            return f"`{location}` is not known there"
        known = ", ".join(field.alias or name for name, field in model.model_fields.items())
        return f"`{location}` is not a parameter (there are: {known or 'none'})"
    if kind == "value_error" and not item["loc"]:
        return str(context["error"])
    text = str(context.get("error") or item["msg"])
    given = "" if _private(model, item) else f" = {item['input']!r:.80}"
    return f"`{location}`{given}: {text[0].lower()}{text[1:]}"


def _private(model: type[Params], item: Any) -> bool:
    fields = model.model_fields.items()
    return any(
        Private in field.metadata and item["loc"][:1] in ((name,), (field.alias,))
        for name, field in fields
    )
