"""Options that every command takes, before or after its name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tabwright.config import Settings


@dataclass
class Shared:
    """What they say."""

    json: bool = False
    profile: str | None = None
    session: str | None = None
    overrides: dict[str, str] = field(default_factory=dict[str, str])

    def settings(self) -> Settings:
        """The configuration, with what --set changes in it."""
        from tabwright.config import load
        from tabwright.faces.cli.output import log_to_stderr

        settings = load(self.overrides)
        log_to_stderr(settings)
        return settings

    def within(self, outer: Shared) -> Shared:
        """The same, with what is said around it where it says nothing itself."""
        return Shared(
            self.json or outer.json,
            self.profile or outer.profile,
            self.session or outer.session,
            {**outer.overrides, **self.overrides},
        )


def shared() -> Shared:
    """What was said on this command line."""
    return click.get_current_context().find_root().ensure_object(Shared)


OVERRIDE = "Change a setting for this call, as browser.headless=false. May be repeated."


def shared_options(*, setting: str = OVERRIDE) -> list[click.Parameter]:
    """The options themselves; they keep what they are given, and no command sees them.

    `setting` is the help of --set, where it does more than change a setting for this call.
    """
    return [
        click.Option(
            ["--json"],
            is_flag=True,
            expose_value=False,
            callback=_keep_json,
            help="Print JSON, for programs.",
        ),
        click.Option(
            ["--profile"],
            metavar="NAME",
            expose_value=False,
            callback=_keep_profile,
            help="Use this profile instead of the default one.",
        ),
        click.Option(
            ["--session"],
            metavar="NAME",
            expose_value=False,
            callback=_keep_session,
            help="Use the pages and cookies of this session instead of the directory's.",
        ),
        click.Option(
            ["--set", "override"],
            metavar="KEY=VALUE",
            multiple=True,
            expose_value=False,
            callback=_keep_overrides,
            help=setting,
        ),
    ]


def _keep_json(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    ctx.find_root().ensure_object(Shared).json |= value


def _keep_profile(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is not None:
        ctx.find_root().ensure_object(Shared).profile = value


def _keep_session(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is not None:
        ctx.find_root().ensure_object(Shared).session = value


def _keep_overrides(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> None:
    for given in values:
        key, equals, value = given.partition("=")
        if not key.strip() or not equals:
            raise click.BadParameter(
                f"{given!r} is not KEY=VALUE, as browser.headless=false.", ctx, param
            )
        ctx.find_root().ensure_object(Shared).overrides[key.strip()] = value
