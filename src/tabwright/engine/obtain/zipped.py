"""Builds that come as one zip per platform, as Chrome for Testing names them."""

from __future__ import annotations

from tabwright.engine.obtain.binary import locate
from tabwright.engine.obtain.browser import Kind
from tabwright.engine.obtain.download import Http
from tabwright.engine.obtain.source import Job, Parcel
from tabwright.engine.obtain.unpack import unpack
from tabwright.engine.obtain.worker import in_thread


def product(kind: Kind) -> str:
    """What the builds call a kind."""
    return "chrome-headless-shell" if kind == "shell" else "chrome"


async def zipped(job: Job, url: str, version: str, *, http: Http, sibling: bool) -> Parcel:
    """Download and unpack a zip; `sibling` asks a mirror for the checksum beside it."""
    file = job.work / url.rpartition("/")[2]
    expected = await http.published_sha256(url) if sibling else ""
    label = f"{product(job.kind)} {version}"
    fetched = await http.file(url, file, progress=job.progress, label=label, sha256=expected)
    await in_thread(lambda stop: unpack(file, job.tree, stop))
    return Parcel(
        path=locate(job.tree, job.kind),
        kind=job.kind,
        version=version,
        sha256={file.name: fetched.sha256},
        note=f"verified by {fetched.checked or 'the CRCs of its zip only'}",
    )
