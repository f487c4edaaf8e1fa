"""The control server's life: where it listens, who has the port, its token, its end."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from support.control import Served, data, error, served
from support.engine import make_settings
from support.gate import MakeGate
from support.site import Site
from tabwright.config import load
from tabwright.config.places import places
from tabwright.engine.manager import BrowserManager
from tabwright.errors import ConfigError, InputError
from tabwright.faces.http.refusal import PortTaken
from tabwright.faces.http.server import ControlServer


@pytest.fixture(scope="module")
async def control(
    manager: BrowserManager, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Served]:
    async with served(manager, tmp_path_factory.mktemp("control")) as found:
        yield found


@pytest.mark.proves("S3-CS-01", "S3-1.1", "S3-13.2")
async def test_it_starts_says_where_it_is_and_stops(own_manager: BrowserManager, tmp_path: Path):
    assert load(cwd=tmp_path).control_server.port == 18791
    server = ControlServer(own_manager, token_file=tmp_path / "token")
    assert (server.is_running(), server.get_address()) == (False, "http://127.0.0.1:18791")
    await server.start(0)
    address = server.get_address()
    assert server.is_running()
    assert address == f"http://127.0.0.1:{server.get_port()}"
    async with httpx.AsyncClient(trust_env=False) as client:
        told = data(await client.get(f"{address}/health"))
        assert (told["name"], told["status"], told["pid"]) == ("tabwright", "ok", os.getpid())
        with pytest.raises(InputError, match="runs already"):
            await server.start(0)
        await server.stop()
        assert not server.is_running()
        with pytest.raises(httpx.ConnectError):
            await client.get(f"{address}/health")
        await server.stop()
        await server.start(int(address.rpartition(":")[2]))
        assert server.get_address() == address
        assert data(await client.get(f"{address}/health"))["status"] == "ok"
    await server.stop()


@pytest.mark.proves("S3-CS-01")
async def test_a_taken_port_is_an_error_that_says_by_whom(
    control: Served, own_manager: BrowserManager, tmp_path: Path
):
    second = ControlServer(own_manager, token_file=tmp_path / "token")
    with pytest.raises(PortTaken, match=f"already listens at {control.server.get_address()}"):
        await second.start(control.port)
    assert not second.is_running()
    assert not second.token_file.exists()
    with (
        socket.create_server(("127.0.0.1", 0)) as other,
        pytest.raises(PortTaken, match="taken by another program") as refused,
    ):
        await second.start(other.getsockname()[1])
    assert "pid" not in refused.value.details
    assert not second.is_running()


@pytest.mark.proves("S3-P26")
@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", "example.com"])
async def test_a_host_that_others_can_reach_does_not_start(
    host: str, own_manager: BrowserManager, tmp_path: Path
):
    with pytest.raises(ConfigError, match=r"controlServer\.host"):
        make_settings(tmp_path, **{"controlServer.host": host})
    own_manager.settings.control_server.host = host  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(ConfigError, match=host):
        await ControlServer(own_manager, token_file=tmp_path / "token").start(0)


async def test_a_server_that_is_switched_off_does_not_start(tmp_path: Path):
    manager = BrowserManager(make_settings(tmp_path, **{"controlServer.enabled": False}))
    with pytest.raises(ConfigError, match="switched off"):
        await ControlServer(manager, token_file=tmp_path / "token").start(0)


async def test_a_stop_gives_up_the_calls_that_are_under_way(
    own_manager: BrowserManager, tmp_path: Path, site: Site
):
    gate = threading.Event()
    url = site.silent("/http/stop", gate)
    async with served(own_manager, tmp_path) as own:
        waiting = asyncio.create_task(own.post("/browser/action", {"type": "navigate", "url": url}))
        await asyncio.to_thread(site.arrived("/http/stop").wait, 30)
        await own.server.stop()
        error(await waiting, 499, "CANCELLED")
    gate.set()


async def test_a_client_that_leaves_gives_its_call_up(control: Served, gate: MakeGate, site: Site):
    gate("/http/left")
    heard: asyncio.Queue[str] = asyncio.Queue()
    deaf = control.manager.journal.listen(
        lambda entry: entry["event"] == "action" and heard.put_nowait(entry["status"])
    )
    body = {"type": "navigate", "url": site.url("/http/left")}
    waiting = asyncio.create_task(control.post("/browser/action", body, "leaver"))
    await asyncio.to_thread(site.arrived("/http/left").wait, 30)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert await asyncio.wait_for(heard.get(), 30) == "CANCELLED"
    deaf()


@pytest.mark.proves("S3-CS-04")
async def test_the_token_is_made_once_and_only_its_owner_can_read_it(
    own_manager: BrowserManager, tmp_path: Path
):
    file = tmp_path / "deep" / "token"
    first = ControlServer(own_manager, token_file=file)
    await first.start(0)
    await first.stop()
    made = file.read_text(encoding="ascii").strip()
    assert len(made) >= 43
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [each.name for each in file.parent.iterdir()] == ["token"]
    await first.start(0)
    await first.stop()
    assert file.read_text(encoding="ascii").strip() == made
    assert ControlServer(own_manager).token_file == places().token_file


@pytest.mark.proves("S3-CS-04")
@pytest.mark.parametrize(
    ("text", "mode", "words"),
    [
        ("x" * 43, 0o644, "not private"),
        ("", 0o600, "holds no token"),
        ("short", 0o600, "holds no token"),
        ("é" * 50, 0o600, "holds no token"),
    ],
)
async def test_a_token_file_that_is_no_secret_is_refused(
    text: str, mode: int, words: str, own_manager: BrowserManager, tmp_path: Path
):
    file = tmp_path / "token"
    file.write_text(text, encoding="utf-8")
    file.chmod(mode)
    server = ControlServer(own_manager, token_file=file)
    with pytest.raises(ConfigError, match=words):
        await server.start(0)
    assert not server.is_running()
    assert file.read_text(encoding="utf-8") == text


async def test_a_token_file_that_is_a_link_is_refused(own_manager: BrowserManager, tmp_path: Path):
    file = tmp_path / "token"
    file.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match="cannot be used"):
        await ControlServer(own_manager, token_file=file).start(0)
    assert not (tmp_path / "elsewhere").exists()
