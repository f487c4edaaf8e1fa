"""Several calls in one: for an agent that knows its next steps, one reply instead of five."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from tabwright.outcome import Outcome
from tabwright.verb import Params, Result, Text, read_params

MOST_STEPS = 50
Call = Callable[[str, dict[str, Any]], Awaitable[Outcome]]
Check = Callable[[str, dict[str, Any]], Outcome | None]
"""What a call would be refused with, if it would."""


class Step(BaseModel):
    """One call."""

    model_config = ConfigDict(extra="forbid", strict=True)

    tool: Text
    args: dict[str, Any] = Field(default_factory=dict[str, Any])


class Batch(Params):
    """Which calls, in their order."""

    example: ClassVar[dict[str, Any]] = {
        "steps": [
            {"tool": "browser_fill", "args": {"selector": "label=Email", "text": "a@example.org"}},
            {"tool": "browser_click", "args": {"selector": "text=Send"}},
        ]
    }

    steps: Annotated[list[Step], Field(min_length=1, max_length=MOST_STEPS)]
    """Calls of tools, one after the other: tool, args."""

    bail: bool = True
    """Stop at the first one that fails."""


class Done(Result):
    """What came of each call."""

    steps: list[dict[str, Any]]
    """The outcomes, in order."""

    told: list[str]
    """The same in words."""

    def text(self) -> str:
        """A line or more for each call."""
        return "\n".join(self.told)


def read(name: str, given: Any) -> Batch:
    """The calls of a batch, each with its name and arguments.

    Raises:
        InputError: it is no batch.
    """
    params = read_params(name, Batch, given)
    assert isinstance(params, Batch)
    return params


async def batch(name: str, wanted: Batch, check: Check, call: Call) -> Outcome:
    """Make the calls, one after the other.

    They are all checked before the first one is made, so that a wrong one changes nothing. If one
    fails the outcome is its error; what was done before, and what was not, is told with it.
    """
    began = time.perf_counter()
    outcome = Outcome(action=name)
    for number, step in enumerate(wanted.steps, 1):
        refused = check(step.tool, step.args)
        if refused is not None and refused.error is not None:
            refused.error.message = f"Step {number}: {refused.error.message} Nothing was done."
            outcome.error = refused.error
            return outcome
    made: list[Outcome] = []
    for step in wanted.steps:
        made.append(await call(step.tool, step.args))
        if wanted.bail and not made[-1].success:
            break
    told = [f"{number}. {one.text()}" for number, one in enumerate(made, 1)]
    failed = next((one for one in made if not one.success), None)
    if failed is None:
        outcome.result = Done(steps=[one.as_dict() for one in made], told=told)
    else:
        outcome.error = failed.error
        left = len(wanted.steps) - len(made)
        outcome.notices = [*told, *([f"{left} not done."] if left else [])]
    outcome.artifacts = [artifact for one in made for artifact in one.artifacts]
    outcome.execution_time = round((time.perf_counter() - began) * 1000, 3)
    return outcome
