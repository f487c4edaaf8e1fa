"""Each verb, each face: the same parameters, all described."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from support.engine import make_settings
from support.machine import DEADLINE_S
from tabwright.argv.parameter import DescribedArgument
from tabwright.engine.context import ToolContext
from tabwright.faces import python
from tabwright.faces.cli.program import program
from tabwright.faces.python import Conversation, SyncTabwright
from tabwright.faces.reference import python_line
from tabwright.outcome import Outcome
from tabwright.verb import Result, Verb, described, positional_names
from tabwright.verbs import VERBS

ROOT = Path(__file__).resolve().parent.parent
STUB = ast.parse(Path(str(python.__file__)).with_suffix(".pyi").read_text(encoding="utf-8"))

VERB_METHODS = {verb.python_name for verb in VERBS.values()}
EACH = pytest.mark.parametrize("verb", VERBS.values(), ids=lambda verb: verb.name)
BOTH = pytest.mark.parametrize("owner", ["Conversation", "SyncConversation"])

Method = ast.FunctionDef | ast.AsyncFunctionDef


def wire_names(verb: Verb) -> set[str]:
    return {field.alias or name for name, field in verb.params.model_fields.items()}


def methods(owner: str) -> dict[str, Method]:
    (found,) = (node for node in STUB.body if isinstance(node, ast.ClassDef) and node.name == owner)
    return {node.name: node for node in found.body if isinstance(node, Method)}


def defaults(method: Method) -> Iterator[tuple[str, ast.expr | None]]:
    """Every parameter of a stub's method with its default."""
    plain, given = method.args.args[1:], method.args.defaults
    padded = [None] * (len(plain) - len(given)) + given
    yield from ((name.arg, default) for name, default in zip(plain, padded, strict=True))
    named = zip(method.args.kwonlyargs, method.args.kw_defaults, strict=True)
    yield from ((name.arg, default) for name, default in named)


@EACH
def test_each_verb_its_parameters_and_its_results_are_described(verb: Verb):
    assert verb.summary.endswith(".")
    assert "\n" not in verb.summary
    for model in (verb.params, verb.result):
        assert model.__doc__
        assert set(described(model)) == set(model.model_fields)


@EACH
def test_each_verb_is_a_command_with_the_same_parameters(verb: Verb):
    command = program.get_command(click.Context(program), verb.name.replace("_", "-"))
    assert command is not None
    assert str(command.help).startswith(verb.summary)
    own = {str(each.name): each for each in command.params if each.expose_value}
    own.pop("at", None)
    assert set(own) == wire_names(verb)
    required = {name for name, field in verb.params.model_fields.items() if field.is_required()}
    aliases = {verb.params.model_fields[name].alias for name in required}
    assert {name for name, each in own.items() if each.required} == aliases
    arguments = [name for name, each in own.items() if isinstance(each, DescribedArgument)]
    fields = verb.params.model_fields
    assert arguments == [fields[name].alias for name in positional_names(verb.params)]


@BOTH
@EACH
def test_each_verb_is_a_typed_method_with_the_same_parameters(verb: Verb, owner: str):
    method = methods(owner)[verb.python_name]
    assert isinstance(method, ast.AsyncFunctionDef) is (owner == "Conversation")
    assert [each.arg for each in method.args.args[1:]] == positional_names(verb.params)
    assert {name for name, _ in defaults(method)} == set(verb.params.model_fields)
    assert all(each.annotation for each in [*method.args.args[1:], *method.args.kwonlyargs])
    assert method.returns is not None
    assert ast.unparse(method.returns) == verb.result.__name__


@BOTH
@EACH
def test_each_typed_method_shows_the_defaults_that_hold(verb: Verb, owner: str):
    for name, default in defaults(methods(owner)[verb.python_name]):
        field = verb.params.model_fields[name]
        assert field.is_required() is (default is None)
        if default is not None and ast.unparse(default) != "...":
            assert ast.literal_eval(default) == field.default


@BOTH
@EACH
def test_each_typed_method_is_described(verb: Verb, owner: str):
    text = ast.get_docstring(methods(owner)[verb.python_name]) or ""
    assert text.startswith(verb.summary)
    words = " ".join(text.split())
    for name, meaning in described(verb.params).items():
        assert f"{name}: {' '.join(meaning.split())}" in words


@pytest.mark.parametrize(
    "owner", ["Conversation", "Tabwright", "SyncConversation", "SyncTabwright"]
)
def test_the_stub_has_the_other_methods_too(owner: str):
    public = {name for name in vars(getattr(python, owner)) if not name.startswith("_")}
    assert {name for name in methods(owner) if not name.startswith("_")} - VERB_METHODS == public


def test_a_conversation_lists_its_verbs(context: ToolContext):
    page = Conversation(context)
    assert set(dir(page)) >= VERB_METHODS
    assert page.navigate.__doc__ == VERBS["navigate"].summary


class Door:
    """Keeps what comes to the one door, and answers with nothing."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []

    async def __call__(self, context: ToolContext, name: str, given: dict[str, Any]) -> Outcome:
        self.calls.append((name, given))
        return Outcome(name, result=Result())


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Door:
    stand_in = Door()
    monkeypatch.setattr(python, "call", stand_in)
    return stand_in


@EACH
async def test_the_example_in_python_brings_the_same_to_the_door(
    verb: Verb, door: Door, context: ToolContext
):
    line = python_line(verb, verb.params.example)
    if any(field.is_required() for field in verb.params.model_fields.values()):
        assert verb.params.example
    await eval(f"page.{line}", {"page": Conversation(context)})
    ((name, given),) = door.calls
    assert name == verb.name
    assert set(given) <= set(verb.params.model_fields)
    assert verb.read(given) == verb.read(verb.params.example)


def test_methods_that_are_called_bring_the_same_to_the_door(door: Door, tmp_path: Path):
    with SyncTabwright(make_settings(tmp_path)) as page:
        for verb in VERBS.values():
            eval(f"page.{python_line(verb, verb.params.example)}", {"page": page})
    assert [name for name, _ in door.calls] == list(VERBS)
    for name, given in door.calls:
        verb = VERBS[name]
        assert verb.read(given) == verb.read(verb.params.example)


WRONG = """\
from tabwright import SyncTabwright, Tabwright


async def main() -> None:
    async with Tabwright() as page:
        found = await page.evaluate("1")
        await page.navigate(1)  # wrong
        await page.navigate("x", wait_until="never")  # wrong
        await page.resize(1)  # wrong
        await page.screenshot("x.png", True)  # wrong
        await page.fly()  # wrong
        print(found.type, found.nothing)  # wrong


with SyncTabwright() as page:
    print(page.navigate("x").title)
    print(page.pdf(format="A7"))  # wrong
"""


def test_a_type_checker_takes_the_examples_and_refuses_wrong_calls(tmp_path: Path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text(WRONG, encoding="utf-8")
    checker = [sys.executable, "-m", "basedpyright", "--outputjson", "--level", "error"]
    done = subprocess.run(
        [*checker, "--pythonpath", sys.executable, str(wrong), str(ROOT / "examples")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
    )
    found = json.loads(done.stdout)["generalDiagnostics"]
    refused = {(Path(each["file"]), each["range"]["start"]["line"]) for each in found}
    lines = enumerate(WRONG.splitlines())
    assert refused == {(wrong, at) for at, line in lines if line.endswith("# wrong")}
