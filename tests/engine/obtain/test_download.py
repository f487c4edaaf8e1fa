"""The downloader against a server that stumbles; see `mirror.py` for what it serves."""

import hashlib

import pytest

from tabwright.engine.obtain import obtain
from tabwright.engine.obtain.cft import ChromeForTesting
from tabwright.engine.obtain.playwright_builds import PlaywrightBuilds, _version
from tabwright.errors import NoBrowser

from .mirror import VERSION, zipped


@pytest.fixture
def cft(mirror, http):
    return ChromeForTesting(index=mirror.index, http=http)


@pytest.mark.parametrize("kind", ["shell", "full"])
async def test_chrome_for_testing_is_obtained_and_described(kind, mirror, cft, tmp_path):
    path = mirror.offer(kind)
    mirror.name_md5(path, mirror.files[path])
    seen = []
    browser = await obtain(kind, cache=tmp_path, sources=[cft], progress=lambda *a: seen.append(a))
    assert (browser.kind, browser.version, browser.source) == (kind, VERSION, "cache:cft")
    assert browser.note == "verified by MD5 of the server"
    size = len(mirror.files[path])
    assert seen[-1][:2] == (size, size)


async def test_the_files_of_a_mirror_may_lie_elsewhere_than_its_index_says(mirror, http, tmp_path):
    path = mirror.offer("shell")
    mirror.files[f"/kept{path}"] = mirror.files.pop(path)
    cft = ChromeForTesting(index=mirror.index, files=f"{mirror.base}/kept/", http=http)
    assert (await obtain("shell", cache=tmp_path, sources=[cft])).version == VERSION


@pytest.mark.parametrize(
    "variable", ["PLAYWRIGHT_DOWNLOAD_HOST", "PLAYWRIGHT_CHROMIUM_DOWNLOAD_HOST"]
)
@pytest.mark.parametrize("kind", ["shell", "full"])
async def test_playwrights_host_may_be_moved_and_keeps_its_path(
    variable, kind, mirror, http, closed, tmp_path, monkeypatch
):
    monkeypatch.setenv("PLAYWRIGHT_DOWNLOAD_HOST", closed)
    monkeypatch.setenv(variable, f"{mirror.base}/mirror")
    path = mirror.offer(kind, prefix="/mirror/builds/cft", version=_version(kind))
    source = PlaywrightBuilds(http=http)
    browser = await obtain(kind, cache=tmp_path, sources=[source])
    assert (browser.kind, browser.version, browser.source) == (
        kind,
        _version(kind),
        "cache:playwright",
    )
    assert mirror.count(path) == 1


async def test_a_server_that_fails_once_is_asked_again(mirror, cft, pauses, tmp_path):
    path = mirror.offer("shell")
    mirror.plans[path] = [500]
    assert (await obtain("shell", cache=tmp_path, sources=[cft])).version == VERSION
    assert (mirror.count(path), pauses) == (2, [0.5])


async def test_a_body_that_breaks_off_is_fetched_again(mirror, cft, tmp_path):
    path = mirror.offer("shell")
    mirror.plans[path] = ["truncate"]
    assert (await obtain("shell", cache=tmp_path, sources=[cft])).version == VERSION
    assert mirror.count(path) == 2


async def test_a_server_that_keeps_failing_is_given_up_after_three_tries(
    mirror, cft, pauses, tmp_path
):
    path = mirror.offer("shell")
    mirror.plans[path] = [503, "truncate", 503]
    with pytest.raises(NoBrowser, match="the server answered 503"):
        await obtain("shell", cache=tmp_path, sources=[cft])
    assert (mirror.count(path), pauses) == (3, [0.5, 2.0])


async def test_a_file_that_is_not_there_is_not_asked_for_again(mirror, cft, pauses, tmp_path):
    path = mirror.offer("shell")
    del mirror.files[path]
    with pytest.raises(NoBrowser, match="the server answered 404"):
        await obtain("shell", cache=tmp_path, sources=[cft])
    assert (mirror.count(path), pauses) == (1, [])


@pytest.mark.proves("S2-BT-007b")
@pytest.mark.parametrize("published", ["md5", "sha256"])
async def test_a_file_with_the_wrong_checksum_never_reaches_the_cache(
    published, mirror, cft, tmp_path
):
    path = mirror.offer("shell")
    if published == "md5":
        mirror.name_md5(path, b"something else")
    else:
        mirror.files[f"{path}.sha256"] = hashlib.sha256(b"something else").hexdigest().encode()
    with pytest.raises(NoBrowser, match="and should be"):
        await obtain("shell", cache=tmp_path, sources=[cft])
    assert mirror.count(path) == 3
    assert not list((tmp_path / "browsers").glob("*shell-*/**/chrome-headless-shell"))


async def test_a_checksum_beside_the_file_on_a_mirror_is_used(mirror, cft, tmp_path):
    path = mirror.offer("shell")
    digest = hashlib.sha256(mirror.files[path]).hexdigest()
    mirror.files[f"{path}.sha256"] = f"{digest}  chrome.zip\n".encode()
    browser = await obtain("shell", cache=tmp_path, sources=[cft])
    assert browser.note == "verified by SHA-256"


async def test_a_zip_with_a_damaged_file_is_refused(mirror, cft, tmp_path):
    path = mirror.offer("shell")
    mirror.files[path] = mirror.files[path].replace(b"echo", b"ECHO")
    with pytest.raises(NoBrowser, match="Bad CRC-32"):
        await obtain("shell", cache=tmp_path, sources=[cft])


async def test_a_page_in_place_of_the_index_is_named_as_such(mirror, cft, tmp_path):
    mirror.files["/index.json"] = b"<html>please log in</html>"
    with pytest.raises(NoBrowser, match="is not an index of builds"):
        await obtain("shell", cache=tmp_path, sources=[cft])


async def test_an_index_without_this_platform_says_so(mirror, cft, tmp_path):
    mirror.offer("full")
    with pytest.raises(NoBrowser, match="has no chrome-headless-shell for"):
        await obtain("shell", cache=tmp_path, sources=[cft])


async def test_a_zip_without_a_browser_says_so(mirror, cft, tmp_path):
    path = mirror.offer("shell")
    mirror.files[path] = zipped("readme.txt", "nothing here")
    with pytest.raises(NoBrowser, match="it holds no headless shell"):
        await obtain("shell", cache=tmp_path, sources=[cft])
