"""What an agent can do, by subject. Importing this package declares every verb."""

from tabwright.verb import VERBS
from tabwright.verbs import (
    capture,
    control,
    dialog,
    download,
    element,
    form,
    keyboard,
    navigate,
    pointer,
    script,
    scroll,
    tab,
    wait,
)

__all__ = [
    "VERBS",
    "capture",
    "control",
    "dialog",
    "download",
    "element",
    "form",
    "keyboard",
    "navigate",
    "pointer",
    "script",
    "scroll",
    "tab",
    "wait",
]
