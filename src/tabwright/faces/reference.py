"""The reference: pages for readers and a stub for type checkers, written from the declarations.

`python -m tabwright.faces.reference` writes them. With `--check` nothing is written, and exit code
1 names what is stale.
"""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.alias_generators import to_snake

from tabwright import errors
from tabwright.argv.parameter import command_line
from tabwright.config import BrowserProfile, Settings, known_keys, places
from tabwright.config.keys import annotation_at, names_of
from tabwright.config.loading import combine
from tabwright.config.source import PREFIX, UPSTREAM_NAMES
from tabwright.errors import TabwrightError
from tabwright.faces.catalogue import commands_page, http_page, tools_page
from tabwright.faces.cli.page import make_pages
from tabwright.faces.markdown import table
from tabwright.faces.stub import COMMAND, PREFACE, in_order, stub
from tabwright.verb import Params, Verb, positional_names, schema_of
from tabwright.verbs import VERBS

ROOT = Path(__file__).resolve().parents[3]
HOME = Path("~")

Schema = dict[str, Any]

VERBS_PREFACE = f"""\
# Verbs

{PREFACE}

Each verb is a command, a method of the Python API and a JSON call, with the same parameters.
A verb that reads leaves the page as it is; one that acts may change it."""

ERRORS_PREFACE = f"""\
# Errors

{PREFACE}

The reply to a call that failed has an `error` with a `code`, a `message` and `details`, among them
the `class`, the `advice` and, where there is one, a `hint`. In Python, methods raise these errors;
`call` returns them in its outcome. The advice is one of:

- `retry`: the same call may succeed later.
- `adapt`: another call may succeed; look at the page, or at what is allowed.
- `stop`: nothing of the kind succeeds until somebody changes something."""

CONFIG_PREFACE = f"""\
# Configuration

{PREFACE}

A flag (`--set KEY=VALUE`) wins over the environment, that over the project's file
(`tabwright.toml`), that over the user's file, and that over the default. `tabwright config show`
prints what holds and where it comes from, `tabwright config path` where the files are.

Durations are texts such as `500ms` or `1h30m`, or numbers of milliseconds. In the environment,
lists are JSON. Default directories are those of Linux; other systems have their own."""


def pages() -> dict[str, str]:
    """Every file of the reference, by its path from the root of the repository."""
    return {
        "docs/reference/verbs.md": verbs_page(),
        "docs/reference/errors.md": errors_page(),
        "docs/reference/config.md": config_page(),
        "docs/reference/commands.md": commands_page(),
        "docs/reference/tools.md": tools_page(),
        "docs/reference/http.md": http_page(),
        "src/tabwright/faces/cli/help.json": json.dumps(make_pages(), indent=1) + "\n",
        "src/tabwright/faces/python.pyi": stub(),
    }


def verbs_page() -> str:
    """What can be done: parameters, results and an example of each verb."""
    rows = [(f"[{name}](#{name})", verb.effect, verb.summary) for name, verb in VERBS.items()]
    parts = [VERBS_PREFACE, table(("verb", "effect", "what it does"), rows)]
    for verb in VERBS.values():
        parts += _verb_parts(verb)
    return "\n\n".join(parts) + "\n"


def _verb_parts(verb: Verb) -> Iterator[str]:
    yield f"## {verb.name}"
    yield f"{verb.summary}\n\n{verb.description}".rstrip()
    again = "is made" if verb.repeatable else "is not made"
    yield f"Effect: `{verb.effect}`. A call that a crash cut off {again} again."
    if verb.params.model_fields:
        header = ("parameter", "in Python", "type", "default", "meaning")
        yield table(header, _parameter_rows(verb.params))
    if names := positional_names(verb.params):
        spelled = ", ".join(f"`{name}`" for name in names)
        yield f"On the command line and in Python, {spelled} can be given without a name."
    for model in _results(verb.result):
        what = "Result" if model is verb.result else "In it"
        yield f"{what}: `{model.__name__}`. {_first_line(model)}"
        yield table(("field", "in Python", "type", "meaning"), _result_rows(model))
    yield "\n".join(
        (
            f"- Command line: `{command_line(verb, verb.params.example)}`",
            f"- Python: `await page.{python_line(verb, verb.params.example)}`",
            f"- JSON: `{json.dumps(verb.params.example)}`",
        )
    )


def _parameter_rows(params: type[Params]) -> Iterator[tuple[str, ...]]:
    found = schema_of(params)
    for name in in_order(params):
        field = params.model_fields[name]
        schema: Schema = found["properties"][field.alias or name]
        default = "required" if field.is_required() else _shown(schema.get("default"))
        yield f"`{field.alias}`", f"`{name}`", _words(schema), default, schema["description"]


def _result_rows(model: type[BaseModel]) -> Iterator[tuple[str, ...]]:
    found = schema_of(model)
    for name, field in model.model_fields.items():
        schema: Schema = found["properties"][field.alias or name]
        null = " or null" if {"type": "null"} in schema.get("anyOf", []) else ""
        yield f"`{field.alias}`", f"`{name}`", _words(schema) + null, schema["description"]


def _results(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    yield model
    for field in model.model_fields.values():
        for inner in _models_in(field.annotation):
            yield from _results(inner)


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for each in get_args(annotation) for model in _models_in(each)]


def python_line(verb: Verb, given: Schema) -> str:
    """The call as a program makes it, such as `navigate("https://example.com/")`."""
    fields = verb.params.model_fields
    values = {name: given[str(f.alias)] for name, f in fields.items() if f.alias in given}
    free = [name for name in positional_names(verb.params) if name in values]
    words = [_literal(values[name]) for name in free]
    words += [f"{name}={_literal(values[name])}" for name in values if name not in free]
    return f"{verb.python_name}({', '.join(words)})"


def _literal(value: object) -> str:
    return json.dumps(value) if isinstance(value, str) else repr(value)


def errors_page() -> str:
    """What can go wrong: every error, its code, and what to do about it."""
    header = ("error", "is a", "code", "class", "advice", "HTTP status", "exit code", "meaning")
    return f"{ERRORS_PREFACE}\n\n{table(header, _error_rows())}\n"


def _error_rows() -> Iterator[tuple[str, ...]]:
    for found in vars(errors).values():
        if not (isinstance(found, type) and issubclass(found, TabwrightError)):
            continue
        parent = found.__bases__[0]
        yield (
            f"`{found.__name__}`",
            f"`{parent.__name__}`",
            f"`{found.code}`",
            found.kind,
            f"`{found.advice}`",
            str(found.status),
            str(found.exit_code),
            _first_line(found),
        )


def config_page() -> str:
    """What can be set: every key, its type, default and names in the environment."""
    parts = [CONFIG_PREFACE]
    for section, field in names_of(Settings).items():
        keys = [key for key in known_keys() if key.split(".")[0] == section]
        (model,) = _models_in(field.annotation)
        parts += [f"## {section}", _first_line(model)]
        header = ("key", "type", "default", "environment", "meaning")
        parts.append(table(header, map(_key_row, keys)))
    return "\n\n".join(parts) + "\n"


def _key_row(key: str) -> tuple[str, ...]:
    parts = key.split(".")
    (model,) = _models_in(annotation_at(parts[:-1]))
    schema: Schema = schema_of(model)["properties"][parts[-1]]
    names = [f"`{name}`" for name in environment_names(key)]
    default = _shown(_default_at(parts))
    return f"`{key}`", _words(schema), default, "<br>".join(names), schema["description"]


def environment_names(key: str) -> list[str]:
    """The variables that set a key; the first one wins."""
    ours = PREFIX + "__".join(to_snake(part) for part in key.split(".")).upper()
    return [ours, *(name for name, other in UPSTREAM_NAMES.items() if other == key)]


def _default_at(parts: list[str]) -> Any:
    tree = combine([], env={}, home=HOME).model_dump(mode="json", by_alias=True)
    tree["profiles"] = {"NAME": BrowserProfile().model_dump(mode="json", by_alias=True)}
    for part in parts:
        tree = tree[part] if tree is not None else None
    return _on_linux(tree) if isinstance(tree, str) else tree


def _on_linux(text: str) -> str:
    here, there = places({}, HOME), places({}, HOME, platform="linux")
    for mine, shown in ((here.cache, there.cache), (here.state, there.state)):
        if Path(text).is_relative_to(mine):
            return (shown / Path(text).relative_to(mine)).as_posix()
    return text


def _words(schema: Schema) -> str:
    """The type as a reader wants it; that a value may be left out is not part of it."""
    if "anyOf" in schema:
        return _either([_words(each) for each in schema["anyOf"] if each != {"type": "null"}])
    if "enum" in schema:
        return _either([f"`{word}`" for word in schema["enum"]])
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2].replace("JsonValue", "any")
    kind = "path" if schema.get("format") == "path" else str(schema.get("type", "any"))
    if kind == "array":
        return f"list of {_words(schema['items'])}"
    if "minimum" in schema:
        most = f" to {schema['maximum']}" if "maximum" in schema else ""
        return f"{kind} from {schema['minimum']}{most}"
    return kind


def _either(words: list[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def _shown(default: object) -> str:
    if default is None:
        return "not set"
    if isinstance(default, float):
        return f"`{default:g}`"
    return f"`{json.dumps(default)}`"


def _first_line(documented: type) -> str:
    return inspect.cleandoc(documented.__doc__ or "").partition("\n")[0]


def stale(root: Path) -> list[str]:
    """The files that are not what they would be if they were written now."""
    return [path for path, text in pages().items() if _text_of(root / path) != text]


def _text_of(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def write(root: Path) -> None:
    """Write every file."""
    for path, text in pages().items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def main() -> None:
    """Write or check the reference of the repository that this module stands in."""
    parser = argparse.ArgumentParser(description="Write docs/reference and the stub of the API.")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a file is stale")
    checking = parser.parse_args().check
    if not (ROOT / "pyproject.toml").exists():
        sys.exit(f"{ROOT} is not a clone of the repository. Run it in one.")
    if not checking:
        write(ROOT)
    elif found := stale(ROOT):
        sys.exit(f"{', '.join(found)}: stale. Run: {COMMAND}")


if __name__ == "__main__":
    main()
