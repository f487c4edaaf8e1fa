"""The tools as functions with schemas, as agent frameworks want them.

With pydantic-ai: `Tool.from_schema(each.function, each.name, each.description, each.schema)`;
with LangChain: `StructuredTool(name=…, description=…, args_schema=each.schema, coroutine=…)`.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from tabwright import Tabwright, ToolContext, ToolRegistry, load


@dataclass
class FunctionTool:
    """One tool, bound to one conversation."""

    name: str
    description: str
    schema: dict[str, Any]
    function: Callable[..., Awaitable[str]]


def function_tools(registry: ToolRegistry, context: ToolContext) -> list[FunctionTool]:
    """All tools that are listed."""

    def bound(name: str) -> Callable[..., Awaitable[str]]:
        async def call(**given: Any) -> str:
            return (await registry.call(context, name, given, in_words=True)).text()

        return call

    return [
        FunctionTool(tool.name, tool.told, tool.parameters, bound(tool.name))
        for tool in registry.listed()
    ]


async def main(url: str) -> None:
    """Use two of them, as a framework would."""
    settings = load({"tools.browser.enabled": "true"})
    async with Tabwright(settings) as browser:
        found = function_tools(ToolRegistry(settings), browser.manager.context("example"))
        tools = {tool.name: tool for tool in found}
        print(await tools["browser_navigate"].function(url=url))
        print(await tools["browser_click"].function(selector="text=two"))


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "https://example.com/"))
