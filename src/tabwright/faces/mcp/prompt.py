"""Prompts: the three stories that people most often ask a browser for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Prompt:
    """Something to be asked of an agent, with an address to be filled in."""

    name: str
    description: str
    text: str

    def listed(self) -> Json:
        """As `prompts/list` tells it."""
        wanted = {"name": "url", "description": "Address of the page.", "required": True}
        return {"name": self.name, "description": self.description, "arguments": [wanted]}

    def filled(self, url: str) -> Json:
        """As `prompts/get` tells it."""
        text = {"type": "text", "text": self.text.format(url=url)}
        return {"description": self.description, "messages": [{"role": "user", "content": text}]}


PROMPTS = {
    prompt.name: prompt
    for prompt in (
        Prompt(
            "inspect_app",
            "Look at a web app that is being developed, at three sizes.",
            "Open {url}. Look at it at 390x844, 820x1180 and 1440x900: take a screenshot of each "
            "and say what is cut off, overlaps or is out of place. Then read the console and the "
            "failed requests, and say which of them a user would notice, with file and line.",
        ),
        Prompt(
            "form_flow",
            "Fill in a form, send it, and bring the evidence.",
            "Open {url} and fill in its form with plausible data: use browser_set for every "
            "control. Send it. Say what the page answered, which request was sent with which "
            "status, and show a screenshot of the end. If anything was refused, say by what.",
        ),
        Prompt(
            "pwa_offline",
            "Find out whether a web app works without a network.",
            "Open {url} and wait until its service worker controls the page. Take the network "
            "away, reload, and say what still works: which requests came from a cache, and which "
            "failed. Then connect it again, and check that it recovers by itself.",
        ),
    )
}
