"""A verb's parameters as arguments and options, derived from the schema of its model."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any, cast

import click

from tabwright.verb import Params, Verb, positional_names, schema_of

Schema = dict[str, Any]


class JsonText(click.ParamType):  # pyright: ignore[reportMissingTypeArgument]  # new in 8.5
    """A list or another value that only JSON can say."""

    name = "json"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """The value that the text stands for."""
        try:
            return json.loads(value)
        except (ValueError, RecursionError) as error:
            # It may be a secret, so it is not repeated.
            self.fail(f"It is not JSON such as '[1, \"two\"]': {error}.", param, ctx)


class Words(click.ParamType):  # pyright: ignore[reportMissingTypeArgument]  # new in 8.5
    """One or several texts: a plain word is itself, several are a JSON list."""

    name = "text|json"

    def __init__(self, *, single: bool) -> None:
        self.single = single
        """Whether the parameter takes a text as well as a list."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """The text, or the list."""
        if str(value).lstrip().startswith("["):
            try:
                return json.loads(value)
            except (ValueError, RecursionError) as error:
                self.fail(f"It is not a list such as '[\"a\"]': {error}.", param, ctx)
        return value if self.single else [value]


class NumberOrText(click.ParamType):  # pyright: ignore[reportMissingTypeArgument]  # new in 8.5
    """A duration: digits are a number, `10s` is left to the model."""

    name = "number|text"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float | str:
        """A number where it is one."""
        del param, ctx
        try:
            return float(value)
        except ValueError:
            return str(value)


class TextOrList(click.ParamType):  # pyright: ignore[reportMissingTypeArgument]  # new in 8.5
    """A text, or a list of texts as JSON."""

    name = "text|json"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """The list, where it is one."""
        del param, ctx
        try:
            found = json.loads(value) if str(value).startswith("[") else value
        except (ValueError, RecursionError):
            return value
        return cast("object", found)


class DescribedArgument(click.Argument):
    """An argument that says what it is, which not every version of click can."""

    def __init__(self, decls: list[str], *, description: str, **attributes: Any) -> None:
        super().__init__(decls, **attributes)
        self.description = description


def parameters_of(params: type[Params]) -> list[click.Parameter]:
    """An argument for each parameter that may stand without its name, an option for each other."""
    found: Schema = schema_of(params)
    schemas: dict[str, Schema] = found.get("properties", {})
    aliases = {name: field.alias or name for name, field in params.model_fields.items()}
    arguments = [aliases[name] for name in positional_names(params)]
    required: list[str] = found.get("required", [])
    return [
        *(_argument(name, schemas[name], required=name in required) for name in arguments),
        *(
            _option(name, schema, required=name in required)
            for name, schema in schemas.items()
            if name not in arguments
        ),
    ]


def kebab(name: str) -> str:
    """`fullPage` and `full_page` as `full-page`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"-\1", name).replace("_", "-").lower()


def command_line(verb: Verb, given: dict[str, Any]) -> str:
    """The call as a person would type it."""
    return shlex.join(["tabwright", *words_of(verb, given)])


def words_of(verb: Verb, given: dict[str, Any]) -> list[str]:
    """The call as a command and what belongs to it."""
    positional = {
        verb.params.model_fields[name].alias or name: None for name in positional_names(verb.params)
    }
    arguments = [_typed(given[name]) for name in positional if name in given]
    options: list[str] = []
    for name, value in given.items():
        if isinstance(value, bool):
            options.append(f"--{'' if value else 'no-'}{kebab(name)}")
        elif name not in positional:
            options += [f"--{kebab(name)}", _typed(value)]
    if any(word.startswith("-") for word in arguments):
        return [kebab(verb.name), *options, "--", *arguments]
    return [kebab(verb.name), *arguments, *options]


def _typed(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _argument(name: str, schema: Schema, *, required: bool) -> DescribedArgument:
    shown = "|".join(_choices(schema)) or kebab(name).upper()
    return DescribedArgument(
        [name],
        type=_type(schema),
        required=required,
        metavar=shown if required else f"[{shown}]",
        description=schema.get("description", ""),
    )


def _option(name: str, schema: Schema, *, required: bool) -> click.Option:
    flag = f"--{kebab(name)}"
    switch = _kinds(schema) == {"boolean"}
    default = schema.get("default")
    return click.Option(
        [f"{flag}/--no-{kebab(name)}" if switch else flag, name],
        type=click.BOOL if switch else _type(schema),
        required=required,
        default=None,
        show_default=default if isinstance(default, str) and default else False,
        help=schema.get("description", ""),
    )


def _type(schema: Schema) -> click.ParamType[Any]:
    if choices := _choices(schema):
        return click.Choice(choices)
    kinds = _kinds(schema)
    if kinds == {"string"}:
        return click.STRING
    if kinds == {"integer"}:
        return click.INT
    if kinds == {"number"}:
        return click.FLOAT
    if kinds in ({"array"}, {"string", "array"}) and _of_texts(schema):
        return Words(single="string" in kinds)
    if kinds == {"string", "array"}:
        return TextOrList()
    return NumberOrText() if kinds == {"string", "number"} else JsonText()


def _of_texts(schema: Schema) -> bool:
    lists = [each for each in _alternatives(schema) if each.get("type") == "array"]
    return all(each.get("items", {}).get("type") == "string" for each in lists)


def _choices(schema: Schema) -> list[str]:
    return [word for each in _alternatives(schema) for word in each.get("enum", [])]


def _kinds(schema: Schema) -> set[str]:
    return {each.get("type", "") for each in _alternatives(schema)}


def _alternatives(schema: Schema) -> list[Schema]:
    """What a value may be; that it may be left out goes without saying."""
    given = cast("list[Schema]", schema.get("anyOf", [schema]))
    return [each for each in given if each.get("type") != "null"]
