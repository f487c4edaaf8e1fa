"""Variables of the environment, read the way pydantic-settings does.

Imported only when there is a variable to read: pydantic-settings takes as long to import as
pydantic itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from pydantic_settings import BaseSettings, EnvSettingsSource

from tabwright.config.keys import Tree, file_spelling, plain
from tabwright.config.model import Settings


class _Variable(EnvSettingsSource):
    """One variable at a time, so that whatever is wrong with it can be told apart."""

    def __init__(self, name: str, text: str) -> None:
        self._given = {name: text}
        super().__init__(
            # It reads nothing but the fields; a settings class of its own would read the
            # environment of the process, whatever the caller passed.
            cast("type[BaseSettings]", Settings),
            env_nested_delimiter="__",
            case_sensitive=False,
        )

    def _load_env_vars(self) -> Mapping[str, str | None]:
        return self._given


def tree_of(name: str, text: str) -> Tree | None:
    """What `BROWSER__DEFAULT_TIMEOUT` sets; None when its first part is no section.

    Raises:
        ValueError: the variable is a list or a table, and the text is not JSON.
    """
    head, *rest = name.lower().split("__")
    sections = {plain(field): field for field in Settings.model_fields}
    section = sections.get(plain(head))
    if section is None:
        return None
    tree: dict[str, Any] = _Variable("__".join([section, *rest]), text)()
    return file_spelling(tree)
