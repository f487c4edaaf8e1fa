"""Scripts that run in a page.

The bundle is one scope made of the files in `BUNDLE`, in that order, run in our own world of each
frame; `api.js` says what can be called. Every other file holds one function expression.
"""

from functools import cache
from importlib.resources import files

__all__ = ["audit", "axe", "bundle", "controls", "eyes", "script", "snippet", "vitals"]

BUNDLE = (
    "dom.js",
    "exposed.js",
    "table.js",
    "role.js",
    "content.js",
    "name.js",
    "state.js",
    "refs.js",
    "find.js",
    "near.js",
    "early.js",
    "shape.js",
    "aim.js",
    "read.js",
    "watch.js",
    "choose.js",
    "scroll.js",
    "await.js",
    "mark.js",
    "spot.js",
    "api.js",
)
# What only `set` needs, brought into the scope of the bundle when it is first used in a document.
CONTROLS = (
    "dates.js",
    "calendar.js",
    "item.js",
    "tree.js",
    "seek.js",
    "scale.js",
    "control.js",
)
# What only a snapshot needs.
EYES = (
    "sight.js",
    "hint.js",
    "operated.js",
    "part.js",
    "snapshot.js",
    "readable.js",
)

SNIPPET = ("dom.js", "sight.js", "early.js", "snippet.js")
AUDIT = ("audit.js",)
VITALS = ("vendor/web-vitals.attribution.iife.js", "vitals.js")


@cache
def script(name: str) -> str:
    """The source of a page script."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


@cache
def bundle() -> str:
    """The page script as a whole."""
    scope = "\n".join(script(name) for name in BUNDLE)
    # It may come twice, when nobody could wait for the first to be done.
    once = f'if (!globalThis.tabwright) (() => {{\n"use strict";\n{scope}\n}})()'
    return f"({script('ears.js')})();\n{once}"


@cache
def snippet() -> str:
    """A function of its own: a page that was just opened need not have the whole page script."""
    scope = "\n".join(script(name) for name in SNIPPET)
    return f"function (limit) {{\n{scope}\nreturn snippet(limit);\n}}"


@cache
def controls() -> str:
    """The part of the page script that knows controls; its value is what can be called of it."""
    return _part(CONTROLS, "controlApi")


@cache
def eyes() -> str:
    """The part of the page script that sees the page as a whole."""
    return _part(EYES, "eyesApi")


@cache
def audit() -> str:
    """The part of the page script that audits; it needs axe in the same world."""
    return _part(AUDIT, "auditApi")


def axe() -> str:
    """The audit engine itself, as its makers made it."""
    return script("vendor/axe.min.js")


@cache
def vitals() -> str:
    """The part of the page script that measures how fast and steady a page is."""
    return _part(VITALS, "vitalsApi")


def _part(names: tuple[str, ...], api: str) -> str:
    scope = "\n".join(script(name) for name in names)
    return f'(() => {{\n"use strict";\n{scope}\nreturn {api};\n}})()'
