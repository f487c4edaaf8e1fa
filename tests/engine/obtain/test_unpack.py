import io
import stat
import tarfile
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwright.engine.obtain.source import SourceFailed
from tabwright.engine.obtain.unpack import _inside, unpack
from tabwright.engine.obtain.worker import Stop

LINK = (stat.S_IFLNK | 0o777) << 16


def make_zip(path, entries):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content, attributes in entries:
            info = zipfile.ZipInfo(name)
            info.external_attr = attributes
            archive.writestr(info, content)
    return path


def make_tar(path, *members):
    with tarfile.open(path, "w:xz") as archive:
        for name, kind, value in members:
            info = tarfile.TarInfo(name)
            info.type = kind
            content = b""
            if kind == tarfile.REGTYPE:
                content, info.mode = value.encode(), 0o755
                info.size = len(content)
            else:
                info.linkname = value
            archive.addfile(info, io.BytesIO(content))
    return path


@pytest.fixture
def into(tmp_path):
    (tmp_path / "into").mkdir()
    return tmp_path / "into"


def test_a_zip_keeps_executable_bits_and_inner_links(tmp_path, into):
    entries = [("a/run", "x", 0o755 << 16), ("a/data", "y", 0o644 << 16), ("a/now", "run", LINK)]
    unpack(make_zip(tmp_path / "a.zip", entries), into, Stop())
    assert (into / "a/run").stat().st_mode & 0o111
    assert not (into / "a/data").stat().st_mode & 0o111
    assert (into / "a/now").resolve() == into / "a/run"


def test_a_tar_keeps_executable_bits_and_inner_links(tmp_path, into):
    file = make_tar(
        tmp_path / "a.tar.xz",
        ("a/run", tarfile.REGTYPE, "x"),
        ("a/soft", tarfile.SYMTYPE, "run"),
        ("a/hard", tarfile.LNKTYPE, "a/run"),
    )
    unpack(file, into, Stop())
    assert (into / "a/hard").read_text() == (into / "a/soft").read_text() == "x"
    assert (into / "a/run").stat().st_mode & 0o111


@pytest.mark.parametrize("name", ["../out", "a/../../out", "/tmp/out", "..\\out", "C:/out"])
def test_names_that_lead_outside_are_refused(name, tmp_path, into):
    for file in (
        make_zip(tmp_path / "a.zip", [(name, "x", 0o644 << 16)]),
        make_tar(tmp_path / "a.tar", (name, tarfile.REGTYPE, "x")),
    ):
        with pytest.raises(SourceFailed, match="leads outside"):
            unpack(file, into, Stop())
    assert not list(into.iterdir())


@pytest.mark.parametrize("target", ["/etc/passwd", "../../secret", "."])
def test_links_that_lead_outside_are_refused(target, tmp_path, into):
    """The last case hides the way out behind another link: `b` is `a/..`, and `a` is `.`."""
    links = [("a", target, LINK)] + ([("b", "a/..", LINK)] if target == "." else [])
    with pytest.raises(SourceFailed, match="leads outside"):
        unpack(make_zip(tmp_path / "a.zip", links), into, Stop())
    tars = [(name, tarfile.SYMTYPE, link) for name, link, _ in links]
    with pytest.raises((SourceFailed, FileExistsError)):
        unpack(make_tar(tmp_path / "a.tar", *tars), into, Stop())


def test_nothing_is_written_through_a_link(tmp_path, into):
    outside = tmp_path / "outside"
    outside.mkdir()
    file = make_tar(
        tmp_path / "a.tar",
        ("way", tarfile.SYMTYPE, str(outside)),
        ("way/file", tarfile.REGTYPE, "x"),
    )
    with pytest.raises((SourceFailed, FileExistsError)):
        unpack(file, into, Stop())
    assert not list(outside.iterdir())


def test_devices_are_refused(tmp_path, into):
    file = make_tar(tmp_path / "a.tar", ("null", tarfile.CHRTYPE, ""))
    with pytest.raises(SourceFailed, match="is not a file"):
        unpack(file, into, Stop())


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04 cut off"])
def test_what_is_no_archive_is_named(content, tmp_path, into):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(SourceFailed, match="neither a zip nor a tar"):
        unpack(tmp_path / "file", into, Stop())


@given(st.text(alphabet="ab./\\:", min_size=1, max_size=12))
def test_a_name_is_either_refused_or_stays_inside(name):
    try:
        path = _inside(name)
    except SourceFailed:
        return
    assert not path.is_absolute()
    assert ".." not in path.parts
