"""A loop of tool calls as OpenAI's models make them; a script stands in for the model."""

import asyncio
import json
import sys
from typing import Any

from tabwright import Tabwright, ToolRegistry, load
from tabwright.faces.schemas import openai

Message = dict[str, Any]


def model(messages: list[Message], tools: list[dict[str, Any]], url: str) -> Message:
    """What a model would answer; put `client.chat.completions.create(...)` in its place."""
    assert any(tool["function"]["name"] == "browser_navigate" for tool in tools)
    steps = [("browser_navigate", {"url": url}), ("browser_snapshot", {"format": "refs"})]
    done = sum(message["role"] == "tool" for message in messages)
    if done == len(steps):
        return {"role": "assistant", "content": f"I saw:\n{messages[-1]['content']}"}
    name, given = steps[done]
    called = {"name": name, "arguments": json.dumps(given)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": f"call_{done}", "type": "function", "function": called}],
    }


async def main(url: str) -> None:
    """Ask, do what is asked for, tell what came of it, until there is an answer."""
    settings = load({"tools.browser.enabled": "true"})
    registry = ToolRegistry(settings)
    messages: list[Message] = [{"role": "user", "content": "What is on the page?"}]
    async with Tabwright(settings) as browser:
        context = browser.manager.context("example")
        while True:
            answer = model(messages, openai(registry), url)
            messages.append(answer)
            for call in answer.get("tool_calls", ()):
                wanted = call["function"]
                given = json.loads(wanted["arguments"])
                outcome = await registry.call(context, wanted["name"], given)
                said = {"role": "tool", "tool_call_id": call["id"], "content": outcome.text()}
                messages.append(said)
            if not answer.get("tool_calls"):
                print(answer["content"])
                return


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "https://example.com/"))
