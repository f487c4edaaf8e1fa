"""Tools as the makers of models want them described."""

from __future__ import annotations

from typing import Any

from tabwright.surfaces.registry import ToolRegistry

Described = list[dict[str, Any]]


def openai(registry: ToolRegistry) -> Described:
    """For `tools` of an OpenAI chat or responses call."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.told,
                "parameters": tool.parameters,
            },
        }
        for tool in registry.listed()
    ]


def anthropic(registry: ToolRegistry) -> Described:
    """For `tools` of an Anthropic messages call."""
    return [
        {"name": tool.name, "description": tool.told, "input_schema": tool.parameters}
        for tool in registry.listed()
    ]


def mcp(registry: ToolRegistry) -> Described:
    """For the answer to `tools/list`."""
    return [
        {"name": tool.name, "description": tool.told, "inputSchema": tool.parameters}
        for tool in registry.listed()
    ]
