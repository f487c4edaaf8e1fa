"""Few tools that do much: `browser_action`."""

from typing import Any, ClassVar, Literal, Self

from pydantic import model_validator

from tabwright.dispatch import call
from tabwright.duration import Seconds
from tabwright.engine.context import ToolContext
from tabwright.outcome import Outcome
from tabwright.verb import Params, Text, read_params

WITHOUT_SELECTOR = ("eval",)
WITH_TEXT = ("type", "eval")


class BrowserAction(Params):
    """Act on the current page."""

    example: ClassVar[dict[str, Any]] = {"action": "click", "selector": "#save"}

    action: Literal["click", "type", "eval", "get_text", "get_element_info", "wait"]
    """What to do."""

    selector: Text | None = None
    """Element; required but for eval."""

    text: str | None = None
    """What to type, or the script to run."""

    timeout: Seconds = 10_000.0
    """Time limit: seconds, or a duration such as '500ms'."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.selector is None and self.action not in WITHOUT_SELECTOR:
            raise ValueError(f"`selector` is required for action {self.action!r}")
        if self.text is None and self.action in WITH_TEXT:
            raise ValueError(f"`text` is required for action {self.action!r}")
        return self


def browser_action(given: Any) -> tuple[str, dict[str, Any]]:
    """The call that a `browser_action` is.

    Raises:
        InputError: the arguments do not fit.
    """
    params = read_params("browser_action", BrowserAction, given)
    assert isinstance(params, BrowserAction)
    limit = {"timeout": params.timeout}
    on = {"selector": params.selector, **limit}
    match params.action:
        case "click":
            return "click", on
        case "type":
            return "type", {**on, "text": params.text}
        case "eval":
            return "evaluate", {"expression": params.text, **limit}
        case "get_text":
            return "get", {**on, "what": "text"}
        case "get_element_info":
            return "info", on
        case "wait":
            return "wait", on


async def act(context: ToolContext, given: Any) -> Outcome:
    """Do a `browser_action`."""
    return await call(context, "browser_action", given, translate=browser_action)
