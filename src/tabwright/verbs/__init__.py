"""What an agent can do, by subject: a module each, imported when one of its verbs is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from tabwright.verb import DECLARED, Verb

# To import them all takes a quarter of the time that the first page takes.
MODULES = {
    "audit": ("vitals", "audit"),
    "capture": ("screenshot",),
    "conditions": ("conditions",),
    "console": ("console",),
    "control": ("set",),
    "cookies": ("cookies",),
    "dialog": ("dialog",),
    "download": ("downloads",),
    "element": ("get", "info", "is"),
    "fetch": ("fetch",),
    "form": ("select", "check", "uncheck", "focus", "blur", "upload"),
    "geolocation": ("geolocation",),
    "image": ("read_image",),
    "keyboard": ("type", "fill", "press", "key", "insert"),
    "navigate": ("navigate", "back", "forward", "reload"),
    "network": ("network",),
    "pointer": ("click", "hover", "drag", "drop"),
    "printing": ("pdf",),
    "route": ("route",),
    "script": ("evaluate",),
    "scroll": ("scroll",),
    "service_worker": ("service_workers",),
    "snapshot": ("snapshot",),
    "storage": ("storage",),
    "tab": ("tabs", "resize", "interrupt"),
    "wait": ("wait",),
}


class _Verbs(Mapping[str, Verb]):
    def __init__(self) -> None:
        self._homes = {name: module for module, names in MODULES.items() for name in names}

    def __getitem__(self, name: str) -> Verb:
        import_module(f"{__name__}.{self._homes[name]}")
        return DECLARED[name]

    def __contains__(self, name: object) -> bool:
        return name in self._homes

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)


VERBS = _Verbs()
"""Every verb by its name."""
