"""`tabwright serve`: started, found, ended, and nothing left behind."""

from __future__ import annotations

import json
import signal
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.engine import browser_processes
from support.machine import DEADLINE_S, Machine
from support.site import Site
from tabwright.config import Settings
from tabwright.config.places import places


@pytest.fixture
def machine(tmp_path: Path, settings: Settings) -> Machine:
    return Machine(tmp_path, settings.paths.cache_dir)


@contextmanager
def serving(
    machine: Machine, *options: str
) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    with machine.start("serve", "--port", "0", "--json", *options) as process:
        assert process.stdout is not None
        try:
            yield process, json.loads(process.stdout.readline())
        finally:
            process.kill()


@pytest.mark.proves("S3-CS-01")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_until_a_signal_and_leaves_only_its_token(
    machine: Machine, site: Site, number: signal.Signals
):
    url = site.page("/serve/page", "served")
    with serving(machine, "--enable") as (process, told):
        assert told["pid"] == process.pid
        file = Path(told["tokenFile"])
        assert file == places(machine.env, machine.home).token_file
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        bearer = {"Authorization": f"Bearer {file.read_text(encoding='ascii').strip()}"}
        body = {"type": "navigate", "url": url}
        with httpx.Client(
            base_url=told["address"], headers=bearer, timeout=DEADLINE_S, trust_env=False
        ) as client:
            reply = client.post("/browser/action", json=body).json()
            assert reply["data"]["result"]["url"] == url
            assert browser_processes(machine.home) != []
            # A connection that is kept open holds nothing up.
            process.send_signal(number)
            _, complaints = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == 128 + number
    assert complaints == ""
    assert browser_processes(machine.home) == []
    assert machine.leftovers() == []
    assert file.exists()


@pytest.mark.proves("S3-CS-01")
def test_a_second_one_says_where_the_first_is(machine: Machine):
    with serving(machine) as (process, told):
        port = told["address"].rpartition(":")[2]
        _, words = machine.run("serve", "--port", port, code=1)
        assert told["address"] in words
        assert f"pid {process.pid}" in words
        refused = machine.json("serve", "--port", port, code=1)
        assert refused["error"]["code"] == "PORT_TAKEN"
        assert refused["error"]["details"]["address"] == told["address"]


@pytest.mark.proves("S3-P26")
@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--set", "controlServer.host=0.0.0.0"], 5, "controlServer.host"),
        (["--set", "controlServer.enabled=false"], 5, "switched off"),
        (["--port", "70000"], 2, "70000"),
        (["--tools", "everything"], 2, "everything"),
        (["--profile", "nobody"], 2, "nobody"),
    ],
)
def test_what_is_wrong_is_refused_before_it_listens(
    machine: Machine, options: list[str], code: int, words: str
):
    _, complaint = machine.run("serve", *options, code=code)
    assert words in complaint
    assert machine.leftovers() == []


def test_without_enable_it_serves_tools_that_need_no_browser(machine: Machine):
    with serving(machine) as (_, told):
        token = Path(told["tokenFile"]).read_text(encoding="ascii").strip()
        with httpx.Client(
            base_url=told["address"], headers={"Authorization": f"Bearer {token}"}, trust_env=False
        ) as client:
            tools = client.get("/tools").json()["data"]["tools"]
            assert [tool["name"] for tool in tools] == ["web_fetch", "read_image"]
            assert client.post("/browser/launch").status_code == 403
