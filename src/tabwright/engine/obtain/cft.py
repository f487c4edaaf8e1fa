"""Chrome for Testing: the builds Google publishes for automation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from pydantic import BaseModel, Field, ValidationError

from tabwright.engine.obtain.browser import Kind, machine
from tabwright.engine.obtain.download import Http
from tabwright.engine.obtain.source import Job, Parcel, SourceFailed
from tabwright.engine.obtain.zipped import product, zipped

INDEX = (
    "https://googlechromelabs.github.io/chrome-for-testing/"
    "last-known-good-versions-with-downloads.json"
)


class Build(BaseModel):
    """A file for a platform."""

    platform: str
    url: str


class Channel(BaseModel):
    """A release channel; older ones lack some products."""

    version: str
    downloads: dict[str, list[Build]]


class Index(BaseModel):
    """The document that names the newest good version of each channel."""

    stable: Channel = Field(validation_alias="Stable")


class Document(BaseModel):
    """The index as it is published."""

    channels: Index


@dataclass(frozen=True)
class ChromeForTesting:
    """Takes the stable channel from an index, here or on a mirror."""

    index: str = INDEX
    files: str = ""
    """Where a mirror keeps the files, as `<files>/<version>/<platform>/…`; else the index says."""
    http: Http = field(default_factory=Http)

    name: ClassVar[str] = "cft"
    kinds: ClassVar[frozenset[Kind]] = frozenset({"shell", "full"})

    def unfit(self) -> str:
        """No builds exist for some platforms."""
        return "" if machine() else "there are no builds for this platform"

    async def fetch(self, job: Job) -> Parcel:
        """Look the newest stable version up, download and unpack it."""
        channel = self._read(await self.http.text(self.index))
        builds = channel.downloads.get(product(job.kind), [])
        url = next((build.url for build in builds if build.platform == machine()), "")
        if not url:
            raise SourceFailed(f"{channel.version} has no {product(job.kind)} for {machine()}")
        if self.files:
            file = url.rpartition("/")[2]
            url = f"{self.files.rstrip('/')}/{channel.version}/{machine()}/{file}"
        mirrored = self.index != INDEX or bool(self.files)
        return await zipped(job, url, channel.version, http=self.http, sibling=mirrored)

    def _read(self, text: str) -> Channel:
        try:
            return Document.model_validate_json(text).channels.stable
        except ValidationError as error:
            first = error.errors()[0]["msg"]
            raise SourceFailed(f"{self.index} is not an index of builds: {first}") from error
