"""What went wrong with a command line, as one of our errors."""

from __future__ import annotations

import logging

import click

from tabwright.errors import InputError, InternalError, TabwrightError

logger = logging.getLogger("tabwright.cli")


def error_of(wrong: Exception) -> TabwrightError:
    """The error that tells a person what to do about it."""
    if isinstance(wrong, TabwrightError):
        return wrong
    if isinstance(wrong, click.ClickException):
        return _refusal(wrong)
    logger.error("the command line failed", exc_info=wrong)
    return InternalError(
        f"It failed for a reason that Tabwright does not know: {wrong!r}.",
        hint="Run it again with `--set logging.level=debug`, and please report it.",
    )


def _refusal(wrong: click.ClickException) -> TabwrightError:
    context = wrong.ctx if isinstance(wrong, click.UsageError) else None
    if context is None:
        return InputError(wrong.format_message())
    error = InputError(wrong.format_message(), hint=f"Run `{context.command_path} --help`.")
    return error.about(action=context.command_path.partition(" ")[2] or None)
