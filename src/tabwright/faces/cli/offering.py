"""What those who are served are offered: which tools, and whether the browser is switched on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from tabwright.faces.cli.shared import shared

if TYPE_CHECKING:
    from tabwright.config import Settings
    from tabwright.surfaces.registry import ToolRegistry

Command = Callable[..., Any]


def offering_options(command: Command) -> Command:
    """The options that say so."""
    for option in (
        click.option(
            "--surface",
            default="granular",
            type=click.Choice(["granular", "compact", "all"]),
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


def offered(*, enable: bool, tools: str, surface: str) -> tuple[Settings, ToolRegistry]:
    """The configuration and the tools, as the options and the shared ones want them."""
    from tabwright.config import resolve_profile
    from tabwright.surfaces.registry import ToolRegistry

    said = shared()
    settings = said.settings()
    if said.profile is not None:
        settings.browser.default_profile = resolve_profile(settings, said.profile).name
    groups = [group.strip() for group in tools.split(",")]
    enabled = True if enable else None
    return settings, ToolRegistry(settings, surface=surface, groups=groups, enabled=enabled)
