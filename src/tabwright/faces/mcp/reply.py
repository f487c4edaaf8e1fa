"""An outcome as a tool's result: words for the model, pictures, links to files, and the facts."""

from __future__ import annotations

import json
from typing import Any

from tabwright.engine.artifacts import SPILL_BYTES, Artifact
from tabwright.outcome import Outcome

Json = dict[str, Any]
LINKS_SINCE = "2025-06-18"
"""The first version of the protocol that knows links to resources and structured content."""
SCHEMA: Json = {
    "type": "object",
    "properties": {"success": {"type": "boolean"}},
    "required": ["success"],
}
"""Of the facts: S3-ACT-03 and S3-ERR-03. What is in `result` is in the reference of the verbs."""


def reply(outcome: Outcome, version: str) -> Json:
    """The answer to a call of a tool, for a client of this version of the protocol."""
    pictures = outcome.result.pictures() if outcome.result else []
    content: list[Json] = [{"type": "text", "text": outcome.text()}]
    content += [{"type": "image", "data": data, "mimeType": kind} for kind, data in pictures]
    answer: Json = {"content": content, "isError": not outcome.success}
    if version >= LINKS_SINCE:
        content += [{"type": "resource_link", **described(each)} for each in outcome.artifacts]
        answer["structuredContent"] = facts(outcome)
    return answer


def described(artifact: Artifact) -> Json:
    """A file as a resource."""
    return {
        "uri": artifact.path.as_uri(),
        "name": artifact.path.name,
        "mimeType": artifact.mime_type or "application/octet-stream",
        "size": artifact.size_bytes,
    }


def facts(outcome: Outcome) -> Json:
    """The outcome for programs. What is long is told in words or in a file, and left out here."""
    told = outcome.as_dict()
    result: Json = told.get("result", {})
    while _size(result) > SPILL_BYTES:
        longest = max(result, key=lambda name: _size(result[name]))
        del result[longest]
        told.setdefault("omitted", []).append(longest)
    return told


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))
