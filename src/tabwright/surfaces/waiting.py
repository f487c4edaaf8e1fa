"""Waiting under the names of the second and third document."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from pydantic import model_validator

from tabwright.duration import Duration
from tabwright.verb import Params, Text, read_params

Given = dict[str, Any]
Call = tuple[str, Given]


class WaitForSelector(Params):
    """An element, and what it shall be."""

    example: ClassVar[Given] = {"selector": "#results", "state": "visible"}

    selector: Text
    """CSS selector, XPath or ref of the element."""

    state: Literal["attached", "detached", "visible", "hidden"] | None = None
    """What the element shall be; default: attached."""

    visible: bool | None = None
    """true is another way to say state 'visible', false 'attached'."""

    timeout: Duration = 30_000.0
    """Time limit in milliseconds."""


class WaitFor(Params):
    """A condition, and what belongs to it."""

    example: ClassVar[Given] = {"condition": "load_state", "loadState": "networkidle"}

    condition: Literal[
        "selector", "navigation", "load_state", "timeout", "network_idle", "request", "function"
    ]
    """What to wait for."""

    selector: Text | None = None
    """The element, for selector."""

    state: Literal["attached", "detached", "visible", "hidden"] | None = None
    """What the element shall be; default: attached."""

    load_state: Literal["load", "domcontentloaded", "networkidle"] | None = None
    """For load_state; default load."""

    network_idle: Duration | None = None
    """For network_idle: milliseconds without a request; default 500."""

    request: Text | None = None
    """For request: its address, as a glob or '/regex/'."""

    function: Text | None = None
    """For function: JavaScript that shall become true."""

    timeout: Duration = 30_000.0
    """Time limit in milliseconds; for timeout, how long to wait."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for needed in ("selector", "request", "function"):
            if self.condition == needed and getattr(self, needed) is None:
                raise ValueError(f"`{needed}` is required for condition {needed!r}")
        return self


def wait_for_selector(given: Given) -> Call:
    """The call that a `browser_wait_for_selector` is.

    Raises:
        InputError: the arguments do not fit.
    """
    params = read_params("browser_wait_for_selector", WaitForSelector, given)
    return "wait", params.model_dump(by_alias=True, exclude_none=True)


def wait(given: Given) -> Call:
    """The call that a `browser_wait` is.

    Raises:
        InputError: the arguments do not fit.
    """
    params = read_params("browser_wait", WaitFor, given)
    assert isinstance(params, WaitFor)
    limit = {"timeout": params.timeout}
    match params.condition:
        case "selector":
            state = {"state": params.state} if params.state else {}
            return "wait", {"selector": params.selector, **state, **limit}
        case "navigation":
            return "wait", {"navigation": True, **limit}
        case "load_state":
            return "wait", {"loadState": params.load_state or "load", **limit}
        case "network_idle":
            return "wait", {"networkIdle": params.network_idle or 500.0, **limit}
        case "request":
            return "wait", {"request": params.request, **limit}
        case "function":
            return "wait", {"expression": params.function, **limit}
        case "timeout":
            return "wait", {"time": params.timeout}
