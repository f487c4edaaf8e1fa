"""The stub of the Python API: a typed method for each verb, for editors and type checkers."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from tabwright.faces import python
from tabwright.verb import Params, Verb, positional_names, schema_of
from tabwright.verbs import VERBS

COMMAND = "python -m tabwright.faces.reference"
PREFACE = f"Written by `{COMMAND}`. Do not edit."
LINE_LENGTH = 100

Schema = dict[str, Any]
Function = ast.FunctionDef | ast.AsyncFunctionDef

TYPES = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "object": "dict[str, Any]",
    "null": "None",
}


@dataclass(frozen=True)
class _Method:
    """A method of the Python API, as a stub has it."""

    name: str
    parameters: list[str]
    returns: str
    doc: str
    awaited: bool

    def __str__(self) -> str:
        head = f"    {'async ' * self.awaited}def {self.name}("
        tail = f") -> {self.returns}:" + " ..." * (not self.doc)
        given = ["self", *self.parameters]
        line = f"{head}{', '.join(given)}{tail}"
        if len(line) > LINE_LENGTH:
            line = "\n        ".join((head, *map(_parameter_line, given))) + f"\n    {tail}"
        return f"{line}\n{_docstring(self.doc, 8)}" if self.doc else f"{line}\n"


def _parameter_line(text: str) -> str:
    if len(text) + 9 <= LINE_LENGTH:
        return f"{text},"
    words, end = text.partition("[")[2].rsplit("]", 1)
    inner = "".join(f"            {word},\n" for word in words.split(", "))
    # As the formatter breaks it.
    end = end.replace(" | ", "\n        | ", 1) if end.startswith(" | ") else end
    return f"{text.partition('[')[0]}[\n{inner}        ]{end},"


def stub() -> str:
    """The Python API with a typed method for each verb, for editors and type checkers."""
    module = ast.parse(inspect.getsource(python))
    classes = [n for n in module.body if isinstance(n, ast.ClassDef) and not _private(n.name)]
    body = "\n".join(_class_text(node) for node in classes)
    head = f'"""Types of the Python API.\n\n{PREFACE}\n"""\n'
    # Docstrings are what editors show; names such as `type` are those of the wire.
    return f"{head}\n# ruff: noqa: A002, PYI021\n\n{_imports(module, body)}\n{body}"


def _class_text(node: ast.ClassDef) -> str:
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    lines = [f"class {node.name}{f'({bases})' if bases else ''}:\n"]
    lines.append(_docstring(ast.get_docstring(node) or "", 4) + "\n")
    functions = [n for n in node.body if isinstance(n, Function)]
    lines += [f"    {name}: {kind}\n" for each in functions for name, kind in _attributes(each)]
    lines += [str(_written(each)) for each in functions if _open(each)]
    if not bases:
        awaited = any(isinstance(each, ast.AsyncFunctionDef) for each in functions)
        lines += [str(verb_method(verb, awaited=awaited)) for verb in VERBS.values()]
    return "".join(lines)


def _private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def _open(function: Function) -> bool:
    """Whether callers may use it: what takes private things is ours, and verbs stand apart."""
    names = [node.id for node in ast.walk(function.args) if isinstance(node, ast.Name)]
    derived = function.name in {"__getattr__", "__dir__"}
    return not derived and not any(map(_private, [function.name, *names]))


def _attributes(function: Function) -> Iterator[tuple[str, str]]:
    """Public attributes that are made in place, as `self.manager = BrowserManager(…)`."""
    for node in function.body:
        match node:
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=ast.Call(func=kind)):
                if not _private(name):
                    yield name, ast.unparse(kind)
            case _:
                pass


def _written(node: Function) -> _Method:
    """A method that stands in the module itself."""
    return _Method(
        name=node.name,
        parameters=list(_arguments(node.args)),
        returns=ast.unparse(cast("ast.expr", node.returns)),
        doc=ast.get_docstring(node) or "",
        awaited=isinstance(node, ast.AsyncFunctionDef),
    )


def _arguments(given: ast.arguments) -> Iterator[str]:
    plain = given.args[1:]
    missing = [None] * (len(plain) - len(given.defaults))
    pairs = list(zip(plain, [*missing, *given.defaults], strict=True))
    yield from (_argument(name, default) for name, default in pairs)
    if given.vararg or given.kwonlyargs:
        yield f"*{ast.unparse(given.vararg) if given.vararg else ''}"
    for name, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        yield _argument(name, default)
    if given.kwarg:
        yield f"**{ast.unparse(given.kwarg)}"


def _argument(name: ast.arg, default: ast.expr | None) -> str:
    return ast.unparse(name) + (f" = {ast.unparse(default)}" if default else "")


def in_order(params: type[Params]) -> list[str]:
    """The parameters as a call gives them: first those that need no name."""
    free = positional_names(params)
    return [*free, *(name for name in params.model_fields if name not in free)]


def verb_method(verb: Verb, *, awaited: bool) -> _Method:
    """The method that a verb is."""
    properties: dict[str, Schema] = schema_of(verb.params).get("properties", {})
    aliases = {name: str(field.alias) for name, field in verb.params.model_fields.items()}
    schemas = {name: properties[aliases[name]] for name in in_order(verb.params)}
    free = len(positional_names(verb.params))
    typed = [f"{name}: {_type(s)}{_default(s)}" for name, s in schemas.items()]
    return _Method(
        name=verb.python_name,
        parameters=[*typed[:free], *["*"][: len(typed) - free], *typed[free:]],
        returns=verb.result.__name__,
        doc=_verb_doc(verb, {name: schema["description"] for name, schema in schemas.items()}),
        awaited=awaited,
    )


def _type(schema: Schema) -> str:
    if "anyOf" in schema:
        return " | ".join(_type(each) for each in schema["anyOf"])
    if "enum" in schema:
        return f"Literal[{', '.join(map(_quoted, schema['enum']))}]"
    if schema.get("type") == "array":
        return f"list[{_type(schema['items'])}]"
    return TYPES.get(schema.get("type", ""), "Any")


def _default(schema: Schema) -> str:
    if "default" not in schema:
        return ""
    default = schema["default"]
    if isinstance(default, str):
        return f" = {_quoted(default)}"
    # What the wire has no word for is told in the text.
    return f" = {default!r}" if isinstance(default, bool | int | float | None) else " = ..."


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _verb_doc(verb: Verb, meanings: dict[str, str]) -> str:
    parts = [verb.summary, textwrap.fill(verb.description, 88)]
    if meanings:
        lines = [f"{name}: {text}" for name, text in meanings.items()]
        wrapped = [textwrap.fill(line, 84, subsequent_indent="    ") for line in lines]
        parts.append("Args:\n" + textwrap.indent("\n".join(wrapped), "    "))
    return "\n\n".join(part for part in parts if part)


def _docstring(text: str, indent: int) -> str:
    if "\n" not in text:
        return textwrap.indent(f'"""{text}"""\n', " " * indent)
    return textwrap.indent(f'"""{text}\n"""\n', " " * indent)


def _imports(module: ast.Module, body: str) -> str:
    """Only what the stub names: of the module's own imports, and of the verbs' results."""
    homes = {"Any": "typing", "Literal": "typing"}
    for node in module.body:
        if isinstance(node, ast.ImportFrom):
            homes |= {alias.name: str(node.module) for alias in node.names}
    homes |= {verb.result.__name__: verb.result.__module__ for verb in VERBS.values()}
    used = {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)}
    named = homes.keys() & used
    modules = sorted({homes[name] for name in named}, key=lambda m: (m.startswith("tabwright"), m))
    lines: list[str] = []
    for home in modules:
        if home.startswith("tabwright") and lines and "tabwright" not in lines[-1]:
            lines.append("")
        names = ", ".join(sorted(name for name in named if homes[name] == home))
        lines.append(f"from {home} import {names}")
    return "\n".join(lines) + "\n"
