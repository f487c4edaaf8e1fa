"""An outcome as a tool's result: words and pictures for the model; facts for programs that ask.

Where there are facts (`structuredContent`), most agents show their model these alone, without the
words and without the pictures; others show both. So they are only for who asked.
"""

from __future__ import annotations

import json
from typing import Any

from tabwright.engine.artifacts import SPILL_BYTES, Artifact
from tabwright.outcome import Outcome
from tabwright.surfaces.tool import Tool
from tabwright.verb import schema_of

Json = dict[str, Any]
FACTS = "tabwright/structured"
"""In the `_meta` of a call: true asks for the facts, and for links to the files."""
FACTS_SINCE = "2025-06-18"
"""The first version of the protocol that knows them."""


def reply(outcome: Outcome, *, structured: bool) -> Json:
    """The answer to a call of a tool, with facts or without."""
    pictures = outcome.result.pictures() if outcome.result else []
    content: list[Json] = [{"type": "text", "text": outcome.text()}]
    content += [{"type": "image", "data": data, "mimeType": kind} for kind, data in pictures]
    answer: Json = {"content": content, "isError": not outcome.success}
    if structured:
        content += [{"type": "resource_link", **described(each)} for each in outcome.artifacts]
        answer["structuredContent"] = facts(outcome)
    return answer


def facts_schema(tool: Tool) -> Json:
    """What the facts of a tool look like; of the result, what is too long is left out."""
    found = schema_of(tool.acts.result)
    result = {"type": "object", "properties": found.get("properties", {})}
    schema: Json = {
        "type": "object",
        "properties": {
            "success": {"type": "boolean"},
            "action": {"type": "string"},
            "result": {"type": "object"} if tool.varies else result,
            "error": {
                "type": "object",
                "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
                "required": ["code", "message"],
            },
        },
        "required": ["success", "action"],
    }
    if "$defs" in found and not tool.varies:
        schema["$defs"] = found["$defs"]
    return schema


def described(artifact: Artifact) -> Json:
    """A file as a resource."""
    return {
        "uri": artifact.path.as_uri(),
        "name": artifact.path.name,
        "mimeType": artifact.mime_type or "application/octet-stream",
        "size": artifact.size_bytes,
    }


def facts(outcome: Outcome) -> Json:
    """The outcome for programs: S3-ACT-03 and S3-ERR-03.

    What is too long is told in words or in a file, and left out here.
    """
    told = outcome.as_dict()
    result: Json = told.get("result", {})
    while _size(result) > SPILL_BYTES:
        longest = max(result, key=lambda name: _size(result[name]))
        del result[longest]
        told.setdefault("omitted", []).append(longest)
    return told


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))
