"""Archives, unpacked so that nothing lands outside the directory they belong in.

Files are written before any link is made, so no file can be written through a link; every link
is then followed to its end, and must end inside.
"""

from __future__ import annotations

import lzma
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from tabwright.engine.obtain.source import SourceFailed
from tabwright.engine.obtain.worker import Stop

DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    KeyError,
    RuntimeError,
)


@dataclass(frozen=True)
class Entry:
    """A file, a directory (no `open`) or a link (with a `link`)."""

    name: str
    mode: int = 0o755
    open: Callable[[], IO[bytes]] | None = None
    link: str = ""


def unpack(archive: Path, into: Path, stop: Stop) -> None:
    """Unpack a zip or a tar of any compression; every CRC of a zip is checked on the way.

    Raises:
        SourceFailed: it is neither, is damaged, or reaches outside.
    """
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as opened:
                _write(_zip_entries(opened), into, stop)
        elif tarfile.is_tarfile(archive):
            with tarfile.open(archive) as opened:
                _write(_tar_entries(opened), into, stop)
        else:
            raise SourceFailed(f"{archive.name} is neither a zip nor a tar archive, or is damaged")
    except DAMAGE as error:
        raise SourceFailed(f"{archive.name} is damaged: {error}") from error


def _zip_entries(archive: zipfile.ZipFile) -> Iterator[Entry]:
    for info in archive.infolist():
        mode = info.external_attr >> 16
        if info.is_dir():
            yield Entry(info.filename)
        elif stat.S_ISLNK(mode):
            yield Entry(info.filename, link=archive.read(info).decode())
        else:
            # Archives made on Windows carry no mode.
            permissions = stat.S_IMODE(mode) or 0o644
            yield Entry(info.filename, permissions, open=_opener(archive, info))


def _opener(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Callable[[], IO[bytes]]:
    return lambda: archive.open(info)


def _tar_entries(archive: tarfile.TarFile) -> Iterator[Entry]:
    for info in archive:
        if info.isdir():
            yield Entry(info.name)
        elif info.issym():
            yield Entry(info.name, link=info.linkname)
        elif (content := archive.extractfile(info)) is not None:
            yield Entry(info.name, info.mode & 0o777, open=lambda content=content: content)
        else:
            raise SourceFailed(f"{info.name!r} is not a file, a directory or a link")


def _write(entries: Iterator[Entry], into: Path, stop: Stop) -> None:
    links: list[tuple[Path, str]] = []
    for entry in entries:
        stop.check()
        place = into / _inside(entry.name)
        if entry.link:
            links.append((place, entry.link))
        elif entry.open is None:
            place.mkdir(parents=True, exist_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            with entry.open() as content, place.open("wb") as file:
                shutil.copyfileobj(content, file, 2**20)
            place.chmod(entry.mode | stat.S_IRUSR | stat.S_IWUSR)
    for place, link in links:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(link)
    for place, link in links:
        if not place.resolve().is_relative_to(into.resolve()):
            raise SourceFailed(f"The link {place.name!r} leads outside, to {link!r}")


def _inside(name: str) -> PurePosixPath:
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in name.split("/", 1)[0]:
        raise SourceFailed(f"The archive holds {name!r}, which leads outside of it")
    return path
