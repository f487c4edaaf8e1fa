"""What those who are served are offered: which tools, and whether the browser is switched on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from tabwright.faces.cli.shared import Shared

if TYPE_CHECKING:
    from tabwright.config import Settings
    from tabwright.surfaces.registry import ToolRegistry

Command = Callable[..., Any]


def offering_options(command: Command) -> Command:
    """The options that say so."""
    for option in (
        click.option(
            "--structured",
            is_flag=True,
            help="Over MCP, answer with data besides the words. Many agents show their model the "
            "data alone then, without pictures.",
        ),
        click.option(
            "--surface",
            default="granular",
            type=click.Choice(["granular", "compact", "native", "all"]),
            help="Which names the tools have.",
        ),
        click.option(
            "--tools",
            default="core",
            metavar="GROUPS",
            help="Groups of tools to list, with commas: core, input, network, storage, emulation, "
            "pwa, audit, files, admin. Default: core.",
        ),
        click.option("--enable", is_flag=True, help="Switch the browser on for those served."),
    ):
        command = option(command)
    return command


@dataclass(frozen=True)
class Offer:
    """What the options say."""

    enable: bool
    tools: str
    surface: str
    structured: bool

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Offer:
        """What a command was given."""
        return cls(**options)

    def settings(self, said: Shared) -> Settings:
        """The configuration of this directory, with the profile that was named."""
        from tabwright.config import resolve_profile

        settings = said.settings()
        if said.profile is not None:
            settings.browser.default_profile = resolve_profile(settings, said.profile).name
        return settings

    def registry(self, settings: Settings) -> ToolRegistry:
        """The tools."""
        from tabwright.surfaces.registry import ToolRegistry

        return ToolRegistry(
            settings,
            surface=self.surface,
            groups=[group.strip() for group in self.tools.split(",")],
            enabled=True if self.enable else None,
            structured=self.structured,
        )
