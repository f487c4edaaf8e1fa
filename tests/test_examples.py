"""Every example runs, as a program of its own, and does what it says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from pypdf import PdfReader

from support.engine import browser_processes
from support.machine import DEADLINE_S, Machine
from support.site import Site
from tabwright.config import Settings
from tabwright.demo.shop import Shop

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


@pytest.fixture
def machine(tmp_path: Path, settings: Settings) -> Machine:
    return Machine(tmp_path, settings.paths.cache_dir)


@pytest.fixture
def url(site: Site) -> str:
    body = "<h1>Teapots</h1><a href='/one'>one</a> <a href='/two'>two</a>"
    return site.page("/examples", body, title="Shop")


def output_of(example: str, url: str, machine: Machine) -> list[str]:
    """What an example prints; it must succeed, complain of nothing and leave nothing behind."""
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / example), url],
        cwd=machine.home,
        env=machine.env,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert machine.leftovers() == []
    assert browser_processes(machine.home) == []
    return done.stdout.splitlines()


def test_every_example_is_run_here():
    tested = Path(__file__).read_text(encoding="utf-8")
    assert [path.name for path in EXAMPLES.glob("*.py") if f'"{path.name}"' not in tested] == []


def test_quickstart_reads_the_page_and_keeps_a_picture(machine: Machine, url: str):
    picture = machine.home / "page.png"
    assert output_of("quickstart.py", url, machine) == [
        "Shop: HTTP 200, links: 2",
        f"picture: {picture}, 1280 x 720 px",
    ]
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_sync_quickstart_reads_the_page_and_prints_it(machine: Machine, url: str):
    document = machine.home / "page.pdf"
    assert output_of("sync_quickstart.py", url, machine) == [
        "Shop: Teapots",
        f"document: {document}, {document.stat().st_size} bytes",
    ]
    assert "Teapots" in PdfReader(document).pages[0].extract_text()


def test_two_conversations_do_not_share_cookies(machine: Machine, url: str):
    assert output_of("two_conversations.py", url, machine) == ["ann has 'user=ann'", "bob has ''"]


def test_handle_errors_gets_a_page_that_hangs_to_answer(machine: Machine, url: str):
    assert output_of("handle_errors.py", url, machine) == snapshot(
        [
            (
                "ELEMENT_NOT_FOUND (adapt): No element matches '#missing'. Nothing is like it; "
                'the page has link "one" e1, link "two" e2.'
            ),
            "TIMEOUT (retry)",
            "next: interrupt stops the script that the page is running",
            "title: Shop",
        ]
    )


def test_openai_loop_sees_the_page(machine: Machine, url: str):
    assert 'h1 "Teapots"' in output_of("openai_loop.py", url, machine)


def test_anthropic_loop_is_shown_words_and_a_picture(machine: Machine, url: str):
    assert output_of("anthropic_loop.py", url, machine) == ["I was shown: text, image"]


def test_framework_tools_open_a_page_and_click(machine: Machine, url: str, site: Site):
    site.page("/two", "second", title="Two")
    lines = output_of("framework_tools.py", url, machine)
    assert lines[0] == f"Shop - {url}"
    assert lines[-1].startswith('Clicked link "two"')
    assert len((EXAMPLES / "framework_tools.py").read_text("utf-8").splitlines()) < 60


def test_fill_a_form_orders_tea(machine: Machine):
    with Shop() as shop:
        (line,) = output_of("fill_a_form.py", shop.url, machine)
        assert shop.orders == [{"name": "Grace Darling", "tea": "Smoked Lapsang", "cups": "2"}]
    assert line.startswith("effective ")
    assert "Order 1: 2 x Smoked Lapsang for Grace Darling." in line
