import hashlib
import tarfile

import pytest

from tabwright.engine.obtain import find_browser, obtain
from tabwright.errors import InputError, NoBrowser

from .mirror import VERSION, script, zipped


@pytest.fixture
def brought(tmp_path):
    """A zip made where files have no modes, so that nothing in it is executable."""
    file = tmp_path / "brought.zip"
    file.write_bytes(zipped("some/where/chrome-headless-shell", script(), mode=0))
    return file


@pytest.fixture
def tree(tmp_path):
    binary = tmp_path / "tree/usr/lib/chromium/chromium"
    binary.parent.mkdir(parents=True)
    binary.write_text(script(), encoding="utf-8")
    return tmp_path / "tree"


async def test_a_zip_somebody_brought_is_installed(brought, tmp_path):
    browser = await obtain("shell", cache=tmp_path, archive=brought)
    assert (browser.kind, browser.version, browser.source) == ("shell", VERSION, "cache:archive")
    assert find_browser("shell", cache=tmp_path, system=False) == browser


@pytest.mark.parametrize("packing", ["directory", "w:gz", "w:xz"])
async def test_directories_and_tars_are_installed_and_a_full_browser_will_do(
    packing, tree, tmp_path
):
    source = tree
    if packing != "directory":
        source = tmp_path / "brought.tar"
        with tarfile.open(source, packing) as archive:
            archive.add(tree, "chromium-build")
    browser = await obtain("shell", cache=tmp_path, archive=source)
    assert (browser.kind, browser.version) == ("full", VERSION)
    assert find_browser("full", cache=tmp_path, system=False) == browser


async def test_a_shell_is_not_installed_as_a_full_browser(brought, tmp_path):
    with pytest.raises(NoBrowser, match="archive: it holds no browser"):
        await obtain("full", cache=tmp_path, archive=brought)


async def test_the_checksum_given_is_compared(brought, tmp_path):
    with pytest.raises(NoBrowser, match="its SHA-256 is"):
        await obtain("shell", cache=tmp_path, archive=brought, sha256="0" * 64)
    digest = hashlib.sha256(brought.read_bytes()).hexdigest().upper()
    browser = await obtain("shell", cache=tmp_path, archive=brought, sha256=digest)
    assert browser.note == "verified by the SHA-256 given"


async def test_an_archive_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"gone.zip' does not exist"):
        await obtain("shell", cache=tmp_path, archive=tmp_path / "gone.zip")
