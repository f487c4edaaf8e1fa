"""A real browser that AI agents, and people, can trust."""

import logging
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabwright.config import Settings, load
    from tabwright.engine.cdp import CDPClient
    from tabwright.engine.context import ToolContext
    from tabwright.engine.driver import PlaywrightAdapter
    from tabwright.engine.manager import BrowserManager
    from tabwright.errors import TabwrightError
    from tabwright.faces.python import Conversation, SyncConversation, SyncTabwright, Tabwright
    from tabwright.outcome import Outcome
    from tabwright.surfaces.registry import ToolRegistry

__all__ = [
    "BrowserManager",
    "CDPClient",
    "Conversation",
    "Outcome",
    "PlaywrightAdapter",
    "Settings",
    "SyncConversation",
    "SyncTabwright",
    "Tabwright",
    "TabwrightError",
    "ToolContext",
    "ToolRegistry",
    "load",
]

# Each name is imported when it is first asked for: a reader of errors need not load the engine.
_HOMES = {
    "BrowserManager": "tabwright.engine.manager",
    "CDPClient": "tabwright.engine.cdp",
    "Conversation": "tabwright.faces.python",
    "Outcome": "tabwright.outcome",
    "PlaywrightAdapter": "tabwright.engine.driver",
    "Settings": "tabwright.config",
    "SyncConversation": "tabwright.faces.python",
    "SyncTabwright": "tabwright.faces.python",
    "TabwrightError": "tabwright.errors",
    "Tabwright": "tabwright.faces.python",
    "ToolContext": "tabwright.engine.context",
    "ToolRegistry": "tabwright.surfaces.registry",
    "load": "tabwright.config",
}

logging.getLogger(__name__).addHandler(logging.NullHandler())


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
