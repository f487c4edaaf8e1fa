"""What clients are told about us, in their own files."""

from __future__ import annotations

import json
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from tabwright.clients import (
    CLIENTS,
    Client,
    ClientFile,
    Entry,
    client_named,
    merge,
    our_entries,
    server_entry,
)
from tabwright.clients import snippet as snippet_of
from tabwright.errors import ConfigError, InputError

EACH = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)


def user_file(client: Client, home: Path) -> ClientFile:
    return client.user_file({}, home)


def read(file: ClientFile) -> Any:
    text = file.path.read_text(encoding="utf-8")
    return tomllib.loads(text) if file.toml else json.loads(text)


def test_every_file_of_every_client_on_every_platform(tmp_path: Path):
    places = {
        client.name: [
            str(client.user_file({}, tmp_path, platform=platform).path.relative_to(tmp_path))
            for platform in ("linux", "darwin", "win32")
        ]
        + [client.project]
        for client in CLIENTS
    }
    assert places == snapshot(
        {
            "claude-desktop": [
                ".config/Claude/claude_desktop_config.json",
                "Library/Application Support/Claude/claude_desktop_config.json",
                "AppData/Roaming/Claude/claude_desktop_config.json",
                "",
            ],
            "claude-code": [".claude.json", ".claude.json", ".claude.json", ".mcp.json"],
            "cursor": [
                ".cursor/mcp.json",
                ".cursor/mcp.json",
                ".cursor/mcp.json",
                ".cursor/mcp.json",
            ],
            "vscode": [
                ".config/Code/User/mcp.json",
                "Library/Application Support/Code/User/mcp.json",
                "AppData/Roaming/Code/User/mcp.json",
                ".vscode/mcp.json",
            ],
            "codex": [
                ".codex/config.toml",
                ".codex/config.toml",
                ".codex/config.toml",
                ".codex/config.toml",
            ],
        }
    )


@pytest.mark.parametrize(
    ("name", "env", "path"),
    [
        ("codex", {"CODEX_HOME": "/x"}, "/x/config.toml"),
        ("claude-code", {"CLAUDE_CONFIG_DIR": "/x"}, "/x/.claude.json"),
        ("vscode", {"XDG_CONFIG_HOME": "/x"}, "/x/Code/User/mcp.json"),
        ("vscode", {"XDG_CONFIG_HOME": "x"}, "/home/.config/Code/User/mcp.json"),
    ],
)
def test_variables_move_the_files(name: str, env: dict[str, str], path: str):
    found = client_named(name).user_file(env, Path("/home"), platform="linux")
    assert str(found.path) == path


def test_a_client_is_named_in_either_way_or_refused():
    assert client_named("vscode") is client_named("VS Code")
    with pytest.raises(InputError, match="claude-desktop, claude-code, cursor, vscode, codex"):
        client_named("emacs")


@EACH
def test_the_snippet_is_what_a_merge_writes_into_a_new_file(client: Client, tmp_path: Path):
    file = user_file(client, tmp_path)
    done = merge(client, file, "tabwright")
    assert done.change == "made"
    pasted = snippet_of(client, "tabwright")
    assert read(file) == (tomllib.loads(pasted) if file.toml else json.loads(pasted))
    assert read(file)[client.key]["tabwright"]["command"] == "tabwright"
    assert read(file)[client.key]["tabwright"]["args"] == ["mcp"]
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    assert [entry.name for entry in our_entries(file)] == ["tabwright"]


@EACH
def test_a_merge_keeps_what_is_there_and_the_second_one_changes_nothing(
    client: Client, tmp_path: Path
):
    file = user_file(client, tmp_path)
    file.path.parent.mkdir(parents=True, exist_ok=True)
    other = {"command": "other", "args": ["é"], "env": {"A": "1"}}
    if file.toml:
        file.path.write_text(
            '# mine\nmodel = "x" # why\n\n[mcp_servers.other]\ncommand = "other"\nargs = ["é"]\n'
            '[mcp_servers.other.env]\nA = "1"\n\n[tail]\nb = 2\n',
            encoding="utf-8",
        )
    else:
        before = {"first": [1, 2.5, None], client.key: {"other": other}, "last": True}
        text = json.dumps(before, indent=4, ensure_ascii=False)
        file.path.write_text(text + "\n", encoding="utf-8")
    file.path.chmod(0o640)
    before = read(file)
    done = merge(client, file, "tabwright")
    assert done.change == "added"
    after = read(file)
    assert after[client.key].pop("tabwright") == server_entry(client, "tabwright")
    assert after == before
    assert [*after] == [*before]
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o640
    assert [*file.path.parent.iterdir()] == [file.path]
    text = file.path.read_text(encoding="utf-8")
    assert "é" in text
    assert ("# mine\n" in text and "# why" in text) if file.toml else '\n    "first"' in text

    facts = file.path.stat()
    assert merge(client, file, "tabwright").change == "none"
    assert file.path.stat().st_ino == facts.st_ino


def test_what_differs_is_changed_and_said(tmp_path: Path):
    client, file = client_named("cursor"), ClientFile(tmp_path / "mcp.json", "mcpServers")
    old = {"command": "old", "env": {"TABWRIGHT_LOGGING__LEVEL": "debug"}}
    file.path.write_text(json.dumps({"mcpServers": {"tabwright": old}}), encoding="utf-8")
    done = merge(client, file, "tabwright")
    assert done.text.replace(str(tmp_path), "~") == snapshot(
        "'tabwright' of 'mcpServers' was changed in ~/mcp.json: command was \"old\" and is "
        '"tabwright", args was not set and is ["mcp"].'
    )
    assert read(file)["mcpServers"]["tabwright"] == {
        **old,
        "command": "tabwright",
        "args": ["mcp"],
    }


def test_a_file_that_names_us_otherwise_is_left_alone(tmp_path: Path):
    client, file = client_named("cursor"), ClientFile(tmp_path / "mcp.json", "mcpServers")
    entry = {"command": "uvx", "args": ["tabwright@latest", "mcp"]}
    file.path.write_text(json.dumps({"mcpServers": {"browser": entry}}), encoding="utf-8")
    before = file.path.read_bytes()
    done = merge(client, file, "tabwright")
    assert (done.change, file.path.read_bytes()) == ("none", before)
    assert "as 'browser'" in done.text


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b'{ // mine\n "servers": {} }', "not JSON without comments"),
        (b'{"servers": {}', "not JSON without comments"),
        (b"[1]", "not a JSON object"),
        (b'{"a": 1, "a": 2}', "gives a key twice"),
        (b'{"servers": [1]}', "'servers' is no table"),
        (b'{"servers": {"tabwright": 1}}', "'tabwright' is no table"),
        (b'"\xff"', "not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_understood_is_refused_with_what_to_paste(
    tmp_path: Path, content: bytes, why: str
):
    file = ClientFile(tmp_path / "mcp.json", "servers")
    file.path.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        merge(client_named("vscode"), file, "tabwright")
    assert why in caught.value.message
    assert '"args": [' in caught.value.hint
    assert file.path.read_bytes() == content
    assert [*tmp_path.iterdir()] == [file.path]


def test_toml_that_cannot_be_understood_is_refused(tmp_path: Path):
    file = ClientFile(tmp_path / "config.toml", "mcp_servers")
    file.path.write_text("a = \n", encoding="utf-8")
    with pytest.raises(ConfigError, match="not TOML"):
        merge(client_named("codex"), file)
    assert file.path.read_text(encoding="utf-8") == "a = \n"


def test_a_link_stays_a_link(tmp_path: Path):
    real = tmp_path / "dotfiles.json"
    real.write_text("{}", encoding="utf-8")
    file = ClientFile(tmp_path / "mcp.json", "mcpServers")
    file.path.symlink_to(real)
    merge(client_named("cursor"), file, "tabwright")
    assert file.path.is_symlink()
    assert "tabwright" in real.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("given", "ours"),
    [
        ({"command": "tabwright", "args": ["mcp"]}, True),
        ({"command": "/opt/venv/bin/tabwright", "args": ["mcp", "--enable"]}, True),
        ({"command": "C:\\py\\tabwright.exe", "args": ["mcp"]}, True),
        ({"command": "uvx", "args": ["tabwright", "mcp"]}, True),
        ({"command": "uvx", "args": ["tabwright==0.1", "mcp"]}, True),
        ({"command": "python", "args": ["-m", "tabwright", "mcp"]}, True),
        ({"url": "http://127.0.0.1:18791/mcp"}, True),
        ({"command": "tabwright", "args": ["serve"]}, False),
        ({"command": "npx", "args": ["tabwright-other", "mcp"]}, False),
        ({"command": "mcp", "args": ["tabwright"]}, False),
        ({"command": 5, "args": "mcp"}, False),
        ({}, False),
    ],
)
def test_an_entry_is_ours_however_it_starts_us(given: dict[str, Any], ours: bool):
    assert Entry("any", Path(), given).ours is ours
