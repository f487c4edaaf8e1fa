"""A loop of tool calls as Anthropic's models make them; a script stands in for the model."""

import asyncio
import sys
from typing import Any

from tabwright import Outcome, Tabwright, ToolRegistry, load
from tabwright.faces.schemas import anthropic

Block = dict[str, Any]


def model(messages: list[Block], tools: list[Block], url: str) -> list[Block]:
    """What a model would answer; put `client.messages.create(...).content` in its place."""
    assert any(tool["name"] == "browser_navigate" for tool in tools)
    steps: list[tuple[str, Block]] = [
        ("browser_navigate", {"url": url}),
        ("browser_screenshot", {}),
    ]
    done = len(messages) // 2
    if done == len(steps):
        seen = [block["type"] for block in messages[-1]["content"][0]["content"]]
        return [{"type": "text", "text": f"I was shown: {', '.join(seen)}"}]
    name, given = steps[done]
    return [{"type": "tool_use", "id": f"toolu_{done}", "name": name, "input": given}]


def shown(outcome: Outcome) -> list[Block]:
    """An outcome as a model reads and sees it."""
    pictures = outcome.result.pictures() if outcome.result else []
    sources = [{"type": "base64", "media_type": kind, "data": data} for kind, data in pictures]
    words = {"type": "text", "text": outcome.text()}
    return [words, *({"type": "image", "source": source} for source in sources)]


async def main(url: str) -> None:
    """Ask, do what is asked for, tell what came of it, until there is an answer."""
    settings = load({"tools.browser.enabled": "true"})
    registry = ToolRegistry(settings)
    messages: list[Block] = [{"role": "user", "content": "Look at the page."}]
    async with Tabwright(settings) as browser:
        context = browser.manager.context("example")
        while True:
            answer = model(messages, anthropic(registry), url)
            messages.append({"role": "assistant", "content": answer})
            results: list[Block] = []
            for block in answer:
                if block["type"] == "text":
                    print(block["text"])
                    return
                outcome = await registry.call(context, block["name"], block["input"])
                told = {"type": "tool_result", "tool_use_id": block["id"]}
                failed = not outcome.success
                results.append({**told, "content": shown(outcome), "is_error": failed})
            messages.append({"role": "user", "content": results})


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "https://example.com/"))
