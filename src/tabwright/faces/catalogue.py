"""Pages of the reference about the faces: the commands, the tools, the endpoints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tabwright.argv.command import OTHER_NAMES
from tabwright.config import Settings
from tabwright.faces.cli.page import make_pages
from tabwright.faces.cli.program import OTHERS
from tabwright.faces.http.openapi import document
from tabwright.faces.markdown import table
from tabwright.faces.stub import PREFACE
from tabwright.surfaces.compact import COMPACT
from tabwright.surfaces.granular import GRANULAR
from tabwright.surfaces.native import NATIVE
from tabwright.surfaces.registry import ToolRegistry
from tabwright.surfaces.tool import GROUPS, Tool

COMMANDS_PREFACE = f"""\
# Commands

{PREFACE}

Every verb is a command; [verbs](verbs.md) has their parameters. These are the others. The first
command starts a server in the background, which holds the browser; commands that name no session
share that of their directory, or of the repository that it is in. The exit code is that of the
[error](errors.md): 0 for none."""

TOOLS_PREFACE = f"""\
# Tools

{PREFACE}

What an agent is told of, over MCP, over HTTP and in Python (`ToolRegistry`). `--tools` chooses
groups, `--surface` other names; every tool here works when it is called, listed or not. A tool is
a [verb](verbs.md) under a name of its own. Parameters with a star are required."""

HTTP_PREFACE = f"""\
# Control server

{PREFACE}

`tabwright serve` listens on the loopback address, and so does the server that commands start.
Every request but `/health` needs `Authorization: Bearer` with what is in the token file. Replies
are `{{"success": true, "data": …}}` or `{{"success": false, "error": …}}` with the
[error](errors.md). `/openapi.json` says it all to programs; events come over a WebSocket at
`/events`, and MCP is at `/mcp`."""


def commands_page() -> str:
    """The commands that are no verbs."""
    pages = make_pages()
    parts = [COMMANDS_PREFACE]
    for subject, names in OTHERS.items():
        parts.append(f"## {subject}")
        about = [page for page in pages if page.split(" ")[0] in names]
        parts += [f"### {page}\n\n```text\n{pages[page]}\n```" for page in about]
    rows = [(f"`{name}`", f"`{verb}`") for name, verb in OTHER_NAMES.items()]
    parts += ["## Other names", table(("command", "verb"), rows)]
    return "\n\n".join(parts) + "\n"


def tools_page() -> str:
    """The tools of all surfaces."""
    parts = [TOOLS_PREFACE]
    header = ("tool", "verb", "parameters", "what it does")
    for group in GROUPS:
        tools = [tool for tool in GRANULAR if tool.group == group]
        parts += [f"## {group}", table(header, map(_tool_row, tools))]
    parts += ["## The compact surface", table(header, map(_tool_row, COMPACT))]
    parts += ["## The native surface", table(header, map(_tool_row, NATIVE))]
    return "\n\n".join(parts) + "\n"


def _tool_row(tool: Tool) -> tuple[str, ...]:
    name = f"`{tool.name}`" if tool.listed else f"`{tool.name}` (not listed)"
    schema = tool.parameters
    required: list[str] = schema.get("required", [])
    names = [f"`{each}`{'*' if each in required else ''}" for each in schema["properties"]]
    verb = "several" if tool.several else f"[{tool.verb}](verbs.md#{tool.verb})"
    return name, verb, ", ".join(names), tool.told


def http_page() -> str:
    """The endpoints."""
    paths: dict[str, Any] = document(ToolRegistry(Settings(), enabled=True))["paths"]
    rows = [row for path, methods in paths.items() for row in _endpoint_rows(path, methods)]
    return f"{HTTP_PREFACE}\n\n{table(('request', 'what it does', 'parameters'), rows)}\n"


def _endpoint_rows(path: str, methods: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    if path.startswith("/tools/"):
        return
    for method, operation in methods.items():
        names = [each["name"] for each in operation.get("parameters", []) if "name" in each]
        shown = ", ".join(f"`{name}`" for name in names)
        yield f"`{method.upper()} {path}`", operation["summary"], shown
