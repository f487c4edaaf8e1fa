"""What pages and workers wrote to their consoles."""

from itertools import islice
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self, cast, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    SerializerFunctionWrapHandler,
    WithJsonSchema,
    model_serializer,
    model_validator,
)

from tabwright.engine.artifacts import Artifact, spills
from tabwright.engine.console.buffer import KEPT_ENTRIES, Console
from tabwright.engine.console.entry import Entry, Level
from tabwright.engine.glob import text_pattern
from tabwright.engine.redact import redact_text
from tabwright.engine.session import Session
from tabwright.engine.source import SourceKind
from tabwright.verb import Params, Positional, Result, Text, verb
from tabwright.verbs.pattern import TextPattern
from tabwright.wording import indented, iso, many

SHOWN_CHARACTERS = 500
ALIASES = {"warn": "warning"}
LEVEL_WORDS = get_args(Level)


def _levels(given: Any) -> Any:
    words = given.split(",") if isinstance(given, str) else given
    if not isinstance(words, list) or not words:
        raise ValueError(f"must be of {', '.join(LEVEL_WORDS)}, or several with commas")
    named = [ALIASES.get(str(w).strip(), str(w).strip()) for w in cast("list[Any]", words)]
    unknown = [word for word in named if word not in LEVEL_WORDS]
    if unknown:
        raise ValueError(f"there is no level {unknown[0]!r}; there are {', '.join(LEVEL_WORDS)}")
    return named


Levels = Annotated[Any, BeforeValidator(_levels), WithJsonSchema({"type": "string"})]


class ReadConsole(Params):
    """Which entries."""

    example: ClassVar[dict[str, Any]] = {"level": "error,warning", "limit": 20}

    action: Annotated[Literal["read", "clear"], Positional] = "read"
    """read entries, or clear: discard all of them."""

    limit: Annotated[int, Field(ge=1, le=KEPT_ENTRIES)] = 100
    """How many at most, the newest first."""

    level: Levels | None = None
    """debug, log, info, warning or error; several with commas."""

    text: TextPattern | None = None
    """Only entries with this text in any case, or that match a '/regex/' ('/regex/i')."""

    context: SourceKind | None = None
    """Only what a page itself, a frame in it or a worker of this kind wrote."""

    tab: Text | None = None
    """Only this tab, its frames and its own workers. By default all tabs."""

    since: Annotated[int, Field(ge=0)] | None = None
    """Only entries after the one of this number."""

    stack: bool = False
    """Show the calls that led to errors and traces, too."""

    reveal: bool = False
    """Show cookies, tokens and passwords, which are masked otherwise."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        extra = sorted(self.model_fields_set - {"action"})
        if self.action == "clear" and extra:
            raise ValueError(f"`{extra[0]}` goes with action 'read' only: clear discards all")
        return self

    def wants(self, entry: Entry) -> bool:
        """Whether an entry is asked for."""
        return (
            (self.since is None or entry.number > self.since)
            and (self.level is None or entry.level in self.level)
            and (self.context is None or entry.context == self.context)
            and (self.tab is None or entry.tab == self.tab)
            and (self.text is None or text_pattern(self.text).search(entry.text) is not None)
        )


class ConsoleEntry(BaseModel):
    """One message."""

    model_config = Result.model_config

    number: int
    """Its number in the conversation."""

    level: Level
    """How grave it is; exceptions are errors."""

    type: str
    """Console method, `exception`, or what Chromium remarks on: network, security …"""

    text: str
    """What it says, whole; secrets are masked."""

    timestamp: str
    """When, in UTC."""

    source: str
    """url:line:column of the call, or the address that it is about."""

    context: SourceKind
    """Who wrote it."""

    frame: str | None
    """Address of the frame, if it is not the page itself."""

    tab: str | None
    """Its tab; none for shared and service workers."""

    stack: list[str] | None
    """The calls that led to it, if asked for."""

    @classmethod
    def of(cls, entry: Entry, *, reveal: bool) -> Self:
        """An entry as callers see it."""
        shown = str if reveal else redact_text
        return cls(
            number=entry.number,
            level=entry.level,
            type=entry.type,
            text=shown(entry.text),
            timestamp=iso(entry.timestamp / 1000),
            source=shown(entry.where),
            context=entry.context,
            frame=shown(entry.frame) or None,
            tab=entry.tab or None,
            stack=list(map(shown, entry.stack)) or None,
        )

    def line(self, *, cut: int | None = None, tab: bool = False) -> str:
        """One line, and further ones indented; the text no longer than `cut` characters."""
        said = self.text if cut is None or len(self.text) <= cut else f"{self.text[:cut]}…"
        by = f"{self.tab} {self.context}" if tab and self.tab else self.context
        by += f" {self.frame}" if self.frame else ""
        line = f"#{self.number} {self.timestamp[11:]} {self.level} {by}: {said}"
        line += f" ({self.source})" if self.source else ""
        return "\n    at ".join(map(indented, [line, *(self.stack or ())]))


class ConsoleLog(Result):
    """Entries of the console."""

    entries: list[ConsoleEntry] = Field(default_factory=list[ConsoleEntry])
    """The newest first. On the wire none if they are in the file."""

    matching: int = 0
    """How many there are of those that were asked for."""

    dropped: int = 0
    """How many older ones were not kept, since the last clear."""

    last: int = 0
    """Number of the newest entry there ever was: `since` for what comes next."""

    cleared: int | None = None
    """How many were discarded."""

    path: str | None = None
    """File with all entries uncut and with stacks, when they are longer than 4096 bytes."""

    size_bytes: int | None = None
    """Length of the file."""

    @model_serializer(mode="wrap")
    def _short(self, whole: SerializerFunctionWrapHandler) -> dict[str, Any]:
        told = whole(self)
        return told | {"entries": []} if self.path else told

    def text(self) -> str:
        """One line an entry, or where they are."""
        if self.cleared is not None:
            return f"{many(self.cleared, 'entry')} discarded."
        if self.path is not None:
            said = many(len(self.entries), "entry")
            return f"{said} ({self.size_bytes} bytes) in {self.path}"
        lines = self.rendered(cut=SHOWN_CHARACTERS) if self.entries else "No entries."
        older = self.matching - len(self.entries)
        if older:
            lines += f"\n{many(older, 'entry')} more, older: raise `limit`."
        if self.dropped:
            lines += f"\n{many(self.dropped, 'entry')} older still: not kept."
        return lines

    def rendered(self, *, cut: int | None = None) -> str:
        """The entries as lines."""
        tabs = len({entry.tab for entry in self.entries if entry.tab}) > 1
        return "\n".join(entry.line(cut=cut, tab=tabs) for entry in self.entries)

    def without_stacks(self) -> Self:
        """The same entries, without the calls that led to them."""
        bare = [entry.model_copy(update={"stack": None}) for entry in self.entries]
        return self.model_copy(update={"entries": bare})

    def files(self) -> list[Artifact]:
        """The file, when there was too much to say."""
        if self.path is None or self.size_bytes is None:
            return []
        return [Artifact(Path(self.path), "text/plain", self.size_bytes)]


@verb(effect="read")
async def console(session: Session, params: ReadConsole) -> ConsoleLog:
    """Read what pages, frames and workers wrote to the console, or clear it.

    Everything since the conversation began counts: messages, uncaught errors, failed loads. More
    than 4096 bytes go to a file.
    """
    kept = session.console
    if params.action == "clear":
        return ConsoleLog(cleared=kept.clear(), last=kept.last)
    if params.tab is not None:
        session.check_tab(params.tab)
    await kept.settled()
    found = list(kept.newest(params.wants))
    whole = _log(kept, found, params)
    log = whole if params.stack else whole.without_stacks()
    if not spills(log.rendered()):
        return log
    artifact = session.artifacts.spill(whole.rendered())
    return log.model_copy(update={"path": str(artifact.path), "size_bytes": artifact.size_bytes})


def _log(kept: Console, found: list[Entry], params: ReadConsole) -> ConsoleLog:
    return ConsoleLog(
        entries=[
            ConsoleEntry.of(entry, reveal=params.reveal) for entry in islice(found, params.limit)
        ],
        matching=len(found),
        dropped=kept.dropped,
        last=kept.last,
    )
