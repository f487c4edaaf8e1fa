"""Actions by their type: the ten kinds of `BrowserAction`, and the further ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.errors import InputError
from tabwright.outcome import Outcome

Given = dict[str, Any]
Call = tuple[str, Given]
Make = Callable[[Given], Call]


def _same(verb: str, /, _rename: dict[str, str] | None = None, **fixed: Any) -> Make:
    """The verb itself, with other names for some parameters and some parameters fixed."""
    names = _rename or {}

    def make(given: Given) -> Call:
        return verb, {**{names.get(key, key): value for key, value in given.items()}, **fixed}

    return make


def _wait(given: Given) -> Call:
    condition = given.pop("condition", None)
    conditions = ("selector", "navigation", "load_state", "timeout")
    if condition not in conditions:
        raise InputError(
            f"wait: `condition` = {condition!r} must be one of {', '.join(conditions)}.",
            hint="Example: {'type': 'wait', 'condition': 'selector', 'selector': '#done'}.",
        )
    if condition == "navigation":
        given["navigation"] = True
    elif condition == "timeout":
        given = {"time": given.get("timeout", 0), "timeout": 86_400_000}
    elif condition == "load_state":
        given.setdefault("loadState", "load")
    return "wait", given


def _scroll(given: Given) -> Call:
    target = given.pop("target", None)
    targets = ("element", "coordinates", "top", "bottom")
    if target not in targets:
        raise InputError(
            f"scroll: `target` = {target!r} must be one of {', '.join(targets)}.",
            hint="Example: {'type': 'scroll', 'target': 'coordinates', 'x': 0, 'y': 500}.",
        )
    if target in ("top", "bottom"):
        given["to"] = target
    elif target == "element":
        given["to"] = "view"
    return "scroll", given


def _snapshot(given: Given) -> Call:
    return "snapshot", {"format": "json", **given}


KINDS: dict[str, Make] = {
    "navigate": _same("navigate"),
    "click": _same("click"),
    "type": _same("type"),
    "screenshot": _same("screenshot", {"format": "type"}),
    "snapshot": _snapshot,
    "execute_js": _same("evaluate", {"script": "expression"}),
    "wait": _wait,
    "scroll": _scroll,
    "select": _same("select", {"values": "options"}),
    "upload": _same("upload"),
    "back": _same("back"),
    "forward": _same("forward"),
    "reload": _same("reload"),
    "double_click": _same("click", clickCount=2),
    "right_click": _same("click", button="right"),
    "hover": _same("hover"),
    "fill": _same("fill"),
    "clear": _same("fill", text=""),
    "press": _same("press"),
    "check": _same("check"),
    "uncheck": _same("uncheck"),
    "drag": _same("drag"),
    "download": _same("downloads"),
    "pdf": _same("pdf"),
}


def read(given: Any) -> Call:
    """The call that an action is.

    Raises:
        InputError: there is no such kind of action.
    """
    if not isinstance(given, dict):
        raise InputError(
            f"An action is an object, not {type(given).__name__}.",
            hint="Example: {'type': 'click', 'selector': '#save'}.",
        )
    params = dict(cast("Given", given))
    kind = params.pop("type", None)
    make = KINDS.get(kind) if isinstance(kind, str) else None
    if make is None:
        raise InputError(
            f"There is no action {kind!r:.80}.",
            hint=f"There are {', '.join(KINDS)}.",
            type=str(kind)[:80],
        )
    return make(params)


async def act(context: ToolContext, given: Any) -> Outcome:
    """Do an action; the outcome names it by its kind."""
    kind = cast("Given", given).get("type") if isinstance(given, dict) else None
    name = kind if isinstance(kind, str) and kind in KINDS else "action"
    return await call(context, name, cast("Given", given), translate=read)
