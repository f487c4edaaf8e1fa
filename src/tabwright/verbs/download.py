"""Downloads: list them, wait for one, give one up."""

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import model_validator

from tabwright.engine.artifacts import Artifact
from tabwright.engine.download import Download, DownloadState, amount
from tabwright.engine.session import Session
from tabwright.verb import Params, Positional, Result, Text, Timeout, verb

DIGEST_CHARACTERS = 12


class Downloads(Params):
    """What to do with which download."""

    example: ClassVar[dict[str, Any]] = {"action": "wait", "timeout": "1m"}

    action: Annotated[Literal["list", "wait", "cancel"], Positional] = "list"
    """list all, wait until one is over, or cancel one."""

    id: Text | None = None
    """Download id such as d1. Wait without it takes the newest under way, or the next to begin."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.action == "cancel" and not self.id:
            raise ValueError("`id` is required to cancel a download, for example 'd1'")
        if self.action == "list" and self.id:
            raise ValueError("`id` goes with actions 'wait' and 'cancel' only")
        return self


class DownloadInfo(Result):
    """One download."""

    id: str
    """Its name in this conversation."""

    state: DownloadState
    """Only `completed` has a file."""

    suggested_filename: str
    """The name that the server gave it."""

    path: str | None
    """Where the whole file is."""

    size_bytes: int
    """Size of the file, or of what is here of it."""

    received_bytes: int
    """How much is here."""

    total_bytes: int | None
    """How much there will be, if the server said so."""

    sha256: str | None
    """Digest of the whole file."""

    reason: str | None
    """Why there is no file."""

    url: str
    """Where it comes from."""

    @classmethod
    def of(cls, download: Download) -> Self:
        """The facts of a download, told from now on."""
        return cls.model_validate(download.tell())

    def text(self) -> str:
        """One line."""
        name = f"{self.id} {self.suggested_filename}"
        if self.state == "completed":
            digest = (self.sha256 or "")[:DIGEST_CHARACTERS]
            return f"{name} {self.size_bytes:,} bytes sha256 {digest}… completed {self.path}"
        if self.state == "in_progress":
            return f"{name} {amount(self.received_bytes, self.total_bytes)} in_progress"
        return f"{name} {self.state}: {self.reason}"


class DownloadList(Result):
    """Downloads of the conversation."""

    downloads: list[DownloadInfo]
    """All of them, oldest first; for wait and cancel the one in question."""

    def text(self) -> str:
        """One line a download."""
        return "\n".join(each.text() for each in self.downloads) or "Nothing was downloaded."

    def files(self) -> list[Artifact]:
        """The files that are whole."""
        return [
            Artifact(Path(each.path), "application/octet-stream", each.size_bytes)
            for each in self.downloads
            if each.path is not None
        ]


@verb(effect="act")
async def downloads(session: Session, params: Downloads) -> DownloadList:
    """List the files that pages sent, wait for one, or cancel one.

    A file counts as completed when it is whole, in its place and hashed. Cancelling removes what
    was received; a download that is over already stays as it is.
    """
    match params.action:
        case "list":
            chosen = session.downloads.listed()
        case "wait":
            chosen = [await session.downloads.wait(params.id, timeout_ms=params.timeout)]
        case "cancel":
            assert params.id is not None
            chosen = [await session.downloads.cancel(params.id, timeout_ms=params.timeout)]
    return DownloadList(downloads=[DownloadInfo.of(each) for each in chosen])
