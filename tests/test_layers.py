"""A module imports only from above it, and what is heavy is imported in one place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src"

LAYERS = (
    "wording",
    "errors",
    "duration",
    "tokens",
    "config",
    "clients",
    "page",
    "engine",
    "doctor",
    "verb",
    "outcome",
    "verbs",
    "argv",
    "dispatch",
    "surfaces",
    "faces",
    "demo",
)
ALLOWED = {layer: {*LAYERS[: at + 1]} for at, layer in enumerate(LAYERS)}
ALLOWED["relay"] = {"wording", "errors", "config", "relay"}
ENTRIES = {"__init__", "__main__"}
"""The package's own door: imports anything public, and nothing imports it."""

OWNERS = {
    "playwright": "tabwright.engine.driver",
    "mcp": "tabwright.faces.mcp",
    "starlette": "tabwright.faces.http",
    "uvicorn": "tabwright.faces.http",
    "textual": "tabwright.faces.onboarding.form",
}


def violations(source: Path) -> list[str]:
    """Every import under `source` that the map does not allow."""
    found: list[str] = []
    for path in sorted((source / "tabwright").rglob("*.py")):
        module = module_name(path.relative_to(source))
        place = path.relative_to(source / "tabwright").as_posix()
        if layer_of(module) not in {*ALLOWED, *ENTRIES}:
            found.append(f"{place} is not on the map: add it to LAYERS where it belongs")
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for name, line, at_run_time in imports(tree, source):
            if complaint := objection(module, name, at_run_time=at_run_time):
                found.append(f"{place}:{line} {complaint}")
    return found


def module_name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 2 else parts)


def imports(tree: ast.Module, source: Path) -> Iterator[tuple[str, int, bool]]:
    """Every imported name, its line, and whether it is imported at run time."""
    for_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If)
        and ast.unparse(node.test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in ast.walk(tree):
        for name in imported_names(node, source):
            yield name, node.lineno, id(node) not in for_types


def imported_names(node: ast.AST, source: Path) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(level=level) if level:
            yield "." * level + (node.module or "")
        case ast.ImportFrom(module="tabwright", names=names):
            for alias in names:
                yield f"tabwright.{alias.name}" if is_module(source, alias.name) else "tabwright"
        case ast.ImportFrom(module=str(module), names=names):
            yield from (f"{module}.{alias.name}" for alias in names)
        case ast.Call(args=[ast.Constant(value=str(name)), *_]):
            if ast.unparse(node.func) in {"import_module", "importlib.import_module", "__import__"}:
                yield name
        case _:
            pass


def is_module(source: Path, name: str) -> bool:
    package = source / "tabwright"
    return (package / f"{name}.py").exists() or (package / name).is_dir()


def layer_of(module: str) -> str:
    """The layer of `tabwright.engine.tab` is `engine`."""
    parts = module.split(".")
    name = parts[1] if len(parts) > 1 else "__init__"
    return "config" if name.startswith("config") else name


def objection(module: str, name: str, *, at_run_time: bool) -> str | None:
    if name.startswith("."):
        return "imports are absolute"
    if not is_within(name, "tabwright"):
        return foreign_objection(module, name) if at_run_time else None
    layer, wanted = layer_of(module), layer_of(name)
    if layer in ENTRIES:
        private = any(re.match(r"_(?!_)", part) for part in name.split("."))
        return f"imports {name}, which is not public" if private else None
    if wanted not in ALLOWED[layer]:
        return f"{layer} imports {name}"
    return None


def foreign_objection(module: str, name: str) -> str | None:
    owner = OWNERS.get(name.partition(".")[0])
    if owner is None or is_within(module, owner):
        return None
    return f"imports {name}; only {owner} may"


def is_within(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def test_every_import_follows_the_map():
    assert violations(SOURCE) == []


def tree_with(folder: Path, path: str, text: str) -> Path:
    """A small package that is right, and one module of the caller's."""
    files = {
        "__init__.py": "from tabwright.engine.tab import Tab\n",
        "errors.py": "",
        "config.py": "from tabwright import errors\n",
        "engine/driver.py": "from playwright.async_api import Page\n",
        "engine/tab.py": "from tabwright.config_file import read\nfrom tabwright.errors import X\n",
        "config_file.py": "import tomllib\nimport tabwright.config\n",
        "verb.py": "from tabwright.engine import tab\n",
        "verbs/pointer.py": "from tabwright.verb import verb\n",
        "dispatch.py": "from tabwright import verbs\n",
        "surfaces/compact.py": "from tabwright.verbs import pointer\n",
        "faces/mcp.py": "import mcp.server\n",
        "faces/http/server.py": "from starlette.routing import Route\n",
        "relay/server.py": "from tabwright import config\nfrom tabwright.relay import wire\n",
        path: text,
    }
    for name, content in files.items():
        file = folder / "tabwright" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("path", "text", "complaint"),
    [
        ("errors.py", "import tabwright.config", "errors.py:1 errors imports tabwright.config"),
        ("verb.py", "from tabwright import verbs", "verb.py:1 verb imports tabwright.verbs"),
        ("config_file.py", "from tabwright.page import x", "config imports tabwright.page.x"),
        ("engine/a.py", "def f():\n    import tabwright.dispatch", "engine/a.py:2 engine imports"),
        ("page/a.py", "if TYPE_CHECKING:\n    import tabwright.engine.tab", "page imports"),
        ("engine/__init__.py", "from tabwright.verbs.pointer import x", "engine imports"),
        ("relay/a.py", "from tabwright.engine import tab", "relay imports tabwright.engine.tab"),
        ("engine/a.py", "from tabwright.relay import server", "engine imports tabwright.relay"),
        ("faces/a.py", "from tabwright import Tab", "faces imports tabwright"),
        ("faces/a.py", "from ..engine import tab", "imports are absolute"),
        ("toolbox.py", "", "toolbox.py is not on the map"),
        ("__init__.py", "from tabwright.engine.tab import _secret", "which is not public"),
        ("engine/a.py", "import playwright", "only tabwright.engine.driver may"),
        ("engine/drivers.py", "import playwright", "only tabwright.engine.driver may"),
        ("faces/a.py", "def f():\n    from mcp import x", "only tabwright.faces.mcp may"),
        ("faces/mcp.py", "import starlette.routing", "only tabwright.faces.http may"),
        ("faces/a.py", "import_module('mcp')", "only tabwright.faces.mcp may"),
        (
            "faces/a.py",
            "if TYPE_CHECKING:\n    pass\nelse:\n    import mcp",
            "only tabwright.faces.mcp may",
        ),
    ],
)
def test_a_wrong_import_is_found(tmp_path: Path, path: str, text: str, complaint: str):
    (found,) = violations(tree_with(tmp_path, path, text))
    assert complaint in found


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("engine/a.py", "if TYPE_CHECKING:\n    from playwright.async_api import Page"),
        ("engine/a.py", "from tabwright.engine import tab\nimport mcpx"),
        ("faces/http/a.py", "def f():\n    import starlette"),
        ("faces/cli/__init__.py", "from tabwright import dispatch, surfaces"),
        ("__main__.py", "from tabwright.faces.cli import main"),
        ("duration.py", "import re\nfrom tabwright.errors import InputError"),
    ],
)
def test_a_right_import_is_let_through(tmp_path: Path, path: str, text: str):
    assert violations(tree_with(tmp_path, path, text)) == []
