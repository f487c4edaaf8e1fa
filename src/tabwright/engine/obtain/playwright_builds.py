"""The Chromium builds that Playwright hosts, in the version its installed driver expects."""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from pydantic import BaseModel, Field, ValidationError

from tabwright.engine.obtain.browser import Kind, machine
from tabwright.engine.obtain.download import Http
from tabwright.engine.obtain.source import Job, Parcel, SourceFailed
from tabwright.engine.obtain.zipped import product, zipped

HOST = "https://cdn.playwright.dev"
OVERRIDES = ("PLAYWRIGHT_CHROMIUM_DOWNLOAD_HOST", "PLAYWRIGHT_DOWNLOAD_HOST")
REGISTERED: dict[Kind, str] = {"shell": "chromium-headless-shell", "full": "chromium"}


class Registered(BaseModel):
    """A browser in the driver's list."""

    name: str
    version: str = Field(default="", validation_alias="browserVersion")


class Registry(BaseModel):
    """The driver's list of browsers."""

    browsers: list[Registered]


@dataclass(frozen=True)
class PlaywrightBuilds:
    """Respects the environment variables that move Playwright's own downloads to a mirror."""

    http: Http = field(default_factory=Http)

    name: ClassVar[str] = "playwright"
    kinds: ClassVar[frozenset[Kind]] = frozenset({"shell", "full"})

    def unfit(self) -> str:
        """It needs a build for the platform, and the driver's list to know the version."""
        if machine() in {"", "win32"}:
            return "there are no builds for this platform"
        return "" if _registry_file() else "the playwright package is not installed"

    async def fetch(self, job: Job) -> Parcel:
        """Download and unpack the version the driver names."""
        version = _version(job.kind)
        host = next(filter(None, map(os.environ.get, OVERRIDES)), HOST)
        file = f"{product(job.kind)}-{machine()}.zip"
        url = f"{host.rstrip('/')}/builds/cft/{version}/{machine()}/{file}"
        return await zipped(job, url, version, http=self.http, sibling=host != HOST)


def _registry_file() -> Path | None:
    # Finding the package is enough; importing it would start nothing but cost 0.2 s.
    spec = importlib.util.find_spec("playwright")
    for root in (spec.submodule_search_locations if spec else None) or []:
        file = Path(root) / "driver" / "package" / "browsers.json"
        if file.is_file():
            return file
    return None


def _version(kind: Kind) -> str:
    file = _registry_file()
    assert file is not None
    try:
        registry = Registry.model_validate_json(file.read_text(encoding="utf-8"))
    except ValidationError as error:
        raise SourceFailed(f"{file} cannot be read: {error.errors()[0]['msg']}") from error
    for browser in registry.browsers:
        if browser.name == REGISTERED[kind] and browser.version:
            return browser.version
    raise SourceFailed(f"{file} names no version of {REGISTERED[kind]}")
