"""Running JavaScript in the page."""

import json
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import Field, JsonValue

from tabwright.engine import script
from tabwright.engine.artifacts import Artifact, spills
from tabwright.engine.tab import Tab
from tabwright.verb import Params, Positional, Result, Text, Timeout, verb


class Evaluate(Params):
    """What to run."""

    example: ClassVar[dict[str, Any]] = {"expression": "document.title"}

    expression: Annotated[Text, Positional]
    """Expression, statements, or a function that is called. Top-level await works."""

    args: list[JsonValue] | None = None
    """JSON values passed to the function that `expression` gives."""

    await_promise: Annotated[bool, Field(alias="await")] = True
    """Wait for a promise and return what it resolves to."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""


class Evaluated(Result):
    """What the script gave."""

    type: str
    """JavaScript type: undefined and null are told apart."""

    value: Any = None
    """The value as JSON; {"$type": …} where JSON has no word. Null when it is in the file."""

    path: str | None = None
    """File with the whole value as JSON, when it is longer than 4096 bytes."""

    size_bytes: int | None = None
    """Length of the value as JSON, when it is in the file."""

    def text(self) -> str:
        """The value as JSON, or where it is."""
        if self.path is not None:
            return f"The value ({self.size_bytes} bytes of JSON) is in {self.path}"
        return "undefined" if self.type == "undefined" else _json(self.value)

    def files(self) -> list[Artifact]:
        """The file, when the value was too long."""
        if self.path is None or self.size_bytes is None:
            return []
        return [Artifact(Path(self.path), "application/json", self.size_bytes)]


@verb(effect="act")
async def evaluate(tab: Tab, params: Evaluate) -> Evaluated:
    """Run JavaScript in the page and return its value.

    Promises are awaited unless `await` is false. A script that runs on is stopped at `timeout`.
    """
    found = await script.evaluate(
        tab,
        params.expression,
        args=params.args,
        await_promise=params.await_promise,
        timeout_ms=params.timeout,
    )
    text = _json(found.value)
    if not spills(text):
        return Evaluated(type=found.type, value=found.value)
    # The file gets exactly what the page gave: a mask would make it another value.
    artifact = tab.session.artifacts.spill(text, suffix=".json", mime_type="application/json")
    return Evaluated(type=found.type, path=str(artifact.path), size_bytes=artifact.size_bytes)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
