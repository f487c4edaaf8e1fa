"""Peers that are no browser: every way in which a connection can fail."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from websockets.asyncio.server import serve

from tabwright.engine.cdp import CDPClient
from tabwright.errors import ConnectFailed, DriverCrashError


def answer(head: str, body: str = "") -> bytes:
    return f"HTTP/1.1 {head}\r\ncontent-length: {len(body)}\r\n\r\n{body}".encode()


PEERS = {
    "closed": None,
    "silent": b"",
    "not found": answer("404 Not Found"),
    "broken": answer("500 Internal Server Error"),
    "web page": answer("200 OK", "<title>hello</title>"),
    "other service": answer("200 OK", "{}"),
    "garbage": b"\x00\xff\x16 nothing that anyone speaks \r\n\r\n",
}


def held() -> tuple[int, int]:
    """How many tasks and descriptors this process has."""
    return len(asyncio.all_tasks()), len(list(Path("/proc/self/fd").iterdir()))


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110  # sockets and tasks send no event when they are gone
            await asyncio.sleep(0)


async def assert_no_more_than(before: tuple[int, int]) -> None:
    """The peer's end of a closed connection stands in this process too, and goes a moment later."""
    await until(lambda: all(now <= then for now, then in zip(held(), before, strict=True)))


@pytest.fixture(scope="session")
async def peers() -> AsyncIterator[dict[str, int]]:
    """Ports behind which no browser is."""
    ports: dict[str, int] = {}
    servers: list[asyncio.Server] = []
    unheard = socket.socket()
    unheard.bind(("127.0.0.1", 0))
    for name, said in PEERS.items():
        if said is None:
            ports[name] = unheard.getsockname()[1]
            continue

        async def serve(reader, writer, said=said) -> None:
            await reader.read(65536)
            writer.write(said)
            if not said:
                await reader.read()
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        servers.append(server)
        ports[name] = server.sockets[0].getsockname()[1]
    yield ports
    unheard.close()
    for server in servers:
        server.close()


def assert_complete(error: ConnectFailed, endpoint: str) -> None:
    assert error.details["endpoint"] == endpoint
    assert error.details["reason"].strip()
    assert error.details["reason"] in error.message
    assert datetime.fromisoformat(error.as_dict()["timestamp"])
    assert error.code == "BROWSER_DISCONNECTED"


# Feature: browser-automation, Property 4: Connection failure error completeness
@pytest.mark.proves("S3-P04")
@hypothesis_settings(max_examples=100)
@given(
    peer=st.sampled_from(sorted(PEERS)),
    scheme=st.sampled_from(["ws", "wss", "http"]),
    path=st.text("abz019/-_.~%20?=&#", max_size=30),
)
async def test_any_peer_that_is_no_browser_is_a_complete_connect_error(peers, peer, scheme, path):
    endpoint = f"{scheme}://127.0.0.1:{peers[peer]}/{path}"
    before = held()
    with pytest.raises(ConnectFailed) as caught:
        await CDPClient().connect(endpoint, timeout=0.3)
    assert_complete(caught.value, endpoint)
    await assert_no_more_than(before)


# Feature: browser-automation, Property 4: Connection failure error completeness
@pytest.mark.proves("S3-P04")
@hypothesis_settings(max_examples=100)
@given(endpoint=st.text(st.characters(exclude_categories=("C", "Zl", "Zp"))))
async def test_any_text_that_is_no_address_is_a_complete_connect_error(endpoint):
    with pytest.raises(ConnectFailed) as caught:
        await CDPClient().connect(endpoint, timeout=0.3)
    assert_complete(caught.value, endpoint)


@pytest.mark.proves("S3-P04")
@pytest.mark.parametrize(
    ("scheme", "peer", "reason"),
    [
        ("ws", "closed", "Connect call failed"),
        ("http", "closed", "connection attempts failed"),
        ("ws", "silent", "no answer within 0.5 s"),
        ("http", "silent", "no answer within 0.5 s"),
        ("ws", "not found", "HTTP 404"),
        ("http", "not found", "404 Not Found"),
        ("ws", "broken", "HTTP 500"),
        ("ws", "web page", "HTTP 200"),
        ("http", "other service", "does not name a debugging socket"),
        ("ws", "garbage", "did not receive a valid HTTP response"),
        ("wss", "web page", "SSL"),
        ("https", "web page", "SSL"),
    ],
)
async def test_the_reason_says_what_the_peer_did(peers, scheme, peer, reason):
    client = CDPClient()
    limit = 0.5 if peer == "silent" else 30
    with pytest.raises(ConnectFailed) as caught:
        await client.connect(f"{scheme}://127.0.0.1:{peers[peer]}/devtools", timeout=limit)
    assert reason in caught.value.details["reason"]
    assert not client.is_connected


@pytest.mark.proves("S3-P04")
async def test_a_wrong_path_at_a_real_browser_is_a_complete_connect_error(manager):
    endpoint = (await manager.launch_browser()).cdp_endpoint
    wrong = endpoint.rpartition("/")[0] + "/no-such-browser"
    with pytest.raises(ConnectFailed) as caught:
        await CDPClient().connect(wrong)
    assert_complete(caught.value, wrong)
    assert "HTTP 404" in caught.value.details["reason"]


async def test_a_peer_that_answers_nonsense_after_the_handshake_ends_the_connection():
    async def babble(connection) -> None:
        async for _ in connection:
            await connection.send("this is no JSON")

    before = held()
    async with serve(babble, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        client = CDPClient()
        await client.connect(f"ws://127.0.0.1:{port}/")
        with pytest.raises(DriverCrashError):
            await client.send_command("Browser.getVersion")
        assert not client.is_connected
        await client.disconnect()
    await assert_no_more_than(before)
