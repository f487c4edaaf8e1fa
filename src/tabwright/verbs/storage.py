"""What the current page's origin has stored: read, set, delete, clear."""

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from tabwright.engine import storage as engine
from tabwright.engine.outline import quoted
from tabwright.engine.tab import Tab
from tabwright.verb import Params, Positional, Private, Result, verb
from tabwright.wording import many

SHOWN_CHARACTERS = 200
SHOWN_ITEMS = 100
FIELDS = {"items": ("set",), "keys": ("get", "delete")}


class Storage(Params):
    """What to do with which items."""

    example: ClassVar[dict[str, Any]] = {"action": "get", "keys": ["theme"]}

    action: Annotated[Literal["get", "set", "delete", "clear"], Positional] = "get"
    """get or delete items by their keys, set items, or clear the whole storage."""

    kind: Literal["local", "session"] = "local"
    """local: all tabs of the origin share it; session: the current tab's own."""

    keys: Annotated[list[str], Field(min_length=1)] | None = None
    """Items to get or delete; get without keys: all."""

    items: Annotated[dict[str, str] | None, Private] = None
    """Keys and values to set, all or none of them; other items stay."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for name, actions in FIELDS.items():
            if getattr(self, name) is not None and self.action not in actions:
                raise ValueError(f"`{name}` goes with action {' or '.join(map(repr, actions))}")
        if self.action == "set" and self.items is None:
            raise ValueError("`items` are needed to set")
        if self.action == "delete" and self.keys is None:
            raise ValueError("`keys` are needed to delete; action 'clear' removes everything")
        return self


class Stored(Result):
    """Items of a storage."""

    action: Literal["get", "set", "delete", "clear"]
    """What was done."""

    kind: Literal["local", "session"]
    """Which storage."""

    origin: str
    """Whose storage: scheme, host and port of the current page."""

    keys: list[str]
    """Items that were read, set or removed."""

    items: dict[str, str]
    """Keys and values that were read, whole; empty for other actions."""

    def model_dump(self, **options: Any) -> dict[str, Any]:
        """The facts; pydantic would spoil a key that has half of a surrogate pair."""
        return {**super().model_dump(**options), "keys": self.keys, "items": self.items}

    def text(self) -> str:
        """How many, and the items that were read; long values are cut here, not in `items`."""
        done = {"get": "", "set": " set", "delete": " deleted", "clear": " deleted"}[self.action]
        head = f"{many(len(self.keys), 'item')}{done} in {self.kind} storage of {self.origin}"
        if not self.items:
            return f"{head}."
        shown = list(self.items.items())[:SHOWN_ITEMS]
        lines = [f"{quoted(_cut(key))}: {quoted(_cut(value))}" for key, value in shown]
        left = len(self.items) - len(shown)
        lines += [f"… {many(left, 'item')} more: give their `keys`"] if left else []
        return "\n".join([f"{head}:", *lines])


@verb(effect="act", repeatable=True)
async def storage(tab: Tab, params: Storage) -> Stored:
    """Read, set, delete or clear local or session storage of the current page's origin.

    A set that does not fit changes nothing.
    """
    match params.action:
        case "get":
            found = await engine.read(tab, params.kind, params.keys)
        case "set":
            found = await engine.put(tab, params.kind, params.items or {})
        case "delete" | "clear":
            found = await engine.remove(tab, params.kind, params.keys)
    return Stored(
        action=params.action,
        kind=params.kind,
        origin=found.origin,
        keys=found.keys,
        items=found.items,
    )


def _cut(text: str) -> str:
    if len(text) <= SHOWN_CHARACTERS:
        return text
    return f"{text[:SHOWN_CHARACTERS]}… ({len(text)} characters)"
