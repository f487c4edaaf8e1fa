"""The machine's own clients when they fail, played by scripts; `test_real.py` has real ones."""

import asyncio
import os
from pathlib import Path

import psutil
import pytest

from tabwright.engine.obtain import find_browser, obtain
from tabwright.engine.obtain.apt import Apt, Package
from tabwright.engine.obtain.binary import font_env, library_paths
from tabwright.engine.obtain.debian import Debian
from tabwright.engine.obtain.process import run
from tabwright.errors import NoBrowser

LISTS = """
for word in "$@"; do case "$word" in Dir::State::lists=*) lists="${word#*=}";; esac; done
"""
UPDATED = f"""{LISTS}
case "$*" in *" update") touch "$lists/some_Packages"; exit 0;; esac
"""


async def failure(source: str, cache: Path) -> str:
    with pytest.raises(NoBrowser) as caught:
        await obtain("shell", cache=cache, sources=[source])
    assert find_browser("shell", cache=cache) is None
    return caught.value.details["tried"][source]


async def test_apt_without_a_network_says_what_it_could_not_fetch(program, tmp_path):
    program("dpkg-deb")
    program("apt-get", "echo 'W: Failed to fetch the list' >&2; exit 0")
    assert await failure("debian", tmp_path) == "apt-get update: W: Failed to fetch the list"


async def test_apt_without_the_package_says_so(program, tmp_path):
    program("dpkg-deb")
    program("apt-get", f"{UPDATED}\necho noise\necho 'E: Unable to locate package' >&2; exit 100")
    reason = await failure("debian", tmp_path)
    assert reason == "apt-get install chromium-headless-shell: E: Unable to locate package"


async def test_a_package_that_does_not_match_its_checksum_is_fetched_again_then_refused(
    program, tmp_path
):
    name = "chromium-headless-shell_1.2_amd64.deb"
    program(
        "apt-get",
        f"""{UPDATED}
        case "$*" in
        *--print-uris*) echo "'http://host/{name}' {name} 5 SHA256:{"0" * 64}";;
        *" download "*) echo wrong > {name}; echo >> {tmp_path}/tries;;
        esac""",
    )
    program("dpkg-deb")
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    with pytest.raises(NoBrowser, match="apt-get download chromium-headless-shell"):
        await obtain("shell", cache=tmp_path, sources=[Debian(sleep)])
    assert (tmp_path / "tries").read_text() == "\n\n\n"
    assert pauses == [0.5, 2.0]


async def test_only_the_packages_that_failed_are_fetched_again(program, tmp_path):
    program(
        "apt-get",
        f"""echo "$*" | sed 's/.* download //' >> {tmp_path}/asked
        printf a > a_1_all.deb
        if [ -e {tmp_path}/second ]; then printf b > b_1%3a2_all.deb; fi
        touch {tmp_path}/second
        echo dlstatus:1:50.0:Retrieving""",
    )
    (tmp_path / "debs").mkdir()

    async def sleep(_: float) -> None:
        pass

    seen = []
    packages = [Package("a_1_all.deb", 1, "", ""), Package("b_1%3a2_all.deb", 1, "", "")]
    await Apt(tmp_path, sleep).download(packages, lambda *a: seen.append(a))
    assert (tmp_path / "asked").read_text() == "a=1 b=1:2\nb=1:2\n"
    assert seen[0] == (1, 2, "Debian packages")


async def test_npm_that_fails_says_why(program, tmp_path):
    program("node")
    program("npm", "echo 'npm warn old' >&2; echo 'npm error code E404' >&2; exit 1")
    assert await failure("npm", tmp_path) == "npm view: npm error code E404"


async def test_an_npm_package_with_another_checksum_is_refused(program, tmp_path):
    program("node")
    program(
        "npm",
        """case "$1" in
        view) echo '{"version": "1.2.3", "dist.integrity": "sha512-AAAA"}';;
        pack) echo other > sparticuz-chromium-1.2.3.tgz;;
        esac""",
    )
    reason = await failure("npm", tmp_path)
    assert reason.startswith("sparticuz-chromium-1.2.3.tgz: its checksum is sha512-")
    assert reason.endswith("and should be sha512-AAAA")


async def test_cancelling_ends_the_client_and_its_children(program, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    program("dpkg-deb")
    program("apt-get", f"sleep 1000 &\necho $$ $! > {pipe}\nwait")
    task = asyncio.create_task(obtain("shell", cache=tmp_path, sources=["debian"]))
    text = await asyncio.to_thread(pipe.read_text, "utf-8")
    client, grandchild = map(int, text.split())
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not psutil.pid_exists(client)
    assert ended(grandchild)
    assert not list((tmp_path / "browsers").glob(".partial-*"))


@pytest.mark.parametrize("turns", range(12))
async def test_a_program_cancelled_while_it_starts_leaves_no_children(turns, program, tmp_path):
    """asyncio alone would wait for ever here, or leave the grandchild running."""
    path = program("lingers", "sleep 1000 &\nwait")
    task = asyncio.create_task(run(path, cwd=tmp_path, timeout_s=60))
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    left = [process for process in psutil.process_iter(["cwd"]) if lives_in(process, tmp_path)]
    assert psutil.wait_procs(left, timeout=10)[1] == []


def lives_in(process: psutil.Process, directory: Path) -> bool:
    return process.info["cwd"] == str(directory)


def ended(pid: int) -> bool:
    try:
        process = psutil.Process(pid)
        return process.status() == psutil.STATUS_ZOMBIE or process.wait(timeout=10) is None
    except psutil.NoSuchProcess:
        return True


def test_every_directory_with_libraries_is_on_the_library_path(tmp_path):
    for name in ("libnss3.so", "pulseaudio/libpulsecommon-16.1.so", "nested/deep/lib.so.1"):
        file = tmp_path / "usr/lib/x86_64-linux-gnu" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    (tmp_path / "usr/lib/chromium").mkdir()
    (tmp_path / "usr/lib/chromium/libother.so").touch()
    root = "usr/lib/x86_64-linux-gnu"
    assert library_paths(tmp_path) == [root, f"{root}/nested/deep", f"{root}/pulseaudio"]


def test_unpacked_fonts_are_used_only_where_the_machine_has_none(tmp_path):
    (tmp_path / "usr/share/fonts").mkdir(parents=True)
    (tmp_path / "host").mkdir()
    env = font_env(tmp_path, "usr/share/fonts", host=tmp_path / "host")
    assert env == {"FONTCONFIG_FILE": ["fonts.conf"]}
    assert '<dir prefix="relative">usr/share/fonts</dir>' in (tmp_path / "fonts.conf").read_text()
    (tmp_path / "host/fonts.conf").touch()
    assert font_env(tmp_path, "usr/share/fonts", host=tmp_path / "host") == {}
