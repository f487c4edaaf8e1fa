"""The main job, step by step: open, look, fill, click, read the result, keep a picture."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from tabwright.config import load
from tabwright.demo.shop import Shop
from tabwright.errors import TabwrightError
from tabwright.faces.python import Tabwright

TITLE = "The Lighthouse Tea Room"
WIDTH, HEIGHT = 1280, 720
SIZE = {"browser.defaultViewport.width": WIDTH, "browser.defaultViewport.height": HEIGHT}
ORDER = {"Name": "Grace Darling", "Tea": "Smoked Lapsang", "Cups": "2"}
RECEIPT = "Order 1: 2 x Smoked Lapsang for Grace Darling."


class Unexpected(Exception):
    """A step did not come out as it should; the message says how."""


async def take(out: Path) -> None:
    """Do the whole job with a real browser, and say what was done.

    Raises:
        Unexpected: something that was seen is not what it should be.
        TabwrightError: a call failed.
    """
    began = time.perf_counter()
    with Shop() as shop:
        async with Tabwright(load(SIZE), working_dir=out) as page:
            await _visit(page, shop)
            await _keep(page, out)
    click.echo(f"Done in {time.perf_counter() - began:.1f} s. The files are in {out}")


async def _visit(page: Tabwright, shop: Shop) -> None:
    with _step("start a browser and open the page") as say:
        opened: Any = await page.navigate(shop.url)
        _check("the HTTP status", opened.status, 200)
        _check("the title", opened.title, TITLE)
        say(f"{opened.title} at {opened.url}")
    with _step("look at it") as say:
        seen: Any = await page.evaluate(
            "[...document.querySelectorAll('li')].map(e => e.innerText)"
        )
        _check("the number of teas", len(seen.value), 3)
        say(", ".join(" ".join(tea.split()) for tea in seen.value))
    with _step("fill in the form, each kind of control by its label") as say:
        for label, wanted in ORDER.items():
            done: Any = await page.set(f"label={label}", wanted)
            _check(f"what {label} holds", done.value, wanted)
            say(done.text())
    with _step("click on Order, and read what came of it") as say:
        clicked: Any = await page.click('role=button "Order"')
        _check("the verdict", clicked.verdict, "effective")
        say(clicked.text())
        shown: Any = await page.get("text", "#receipt")
        _check("the receipt", shown.value, RECEIPT)
        _check(
            "what the server received",
            shop.orders,
            [{label.lower(): wanted for label, wanted in ORDER.items()}],
        )


async def _keep(page: Tabwright, out: Path) -> None:
    with _step("take a screenshot") as say:
        shot: Any = await page.screenshot(str(out / "page.png"))
        _check("the size of the picture", (shot.width, shot.height), (WIDTH, HEIGHT))
        _check_file(shot.path, b"\x89PNG")
        say(shot.text())
    with _step("print it to PDF") as say:
        printed: Any = await page.pdf(str(out / "page.pdf"), print_background=True)
        _check_file(printed.path, b"%PDF")
        say(printed.text())


@contextmanager
def _step(what: str) -> Generator[Callable[[str], None]]:
    """Time a step; what it found is printed behind its time, once it is done."""
    said: list[str] = []
    began = time.perf_counter()
    try:
        yield said.append
    except (Unexpected, TabwrightError):
        click.echo(f"   failed  {what}")
        raise
    elapsed_ms = (time.perf_counter() - began) * 1000
    click.echo(f"{elapsed_ms:6.0f} ms  {what}")
    for line in said:
        click.echo(f"{'':11}{line}")


def _check(what: str, seen: object, expected: object) -> None:
    if seen != expected:
        raise Unexpected(f"{what} is {seen!r}, and should be {expected!r}.")


def _check_file(path: str, start: bytes) -> None:
    with Path(path).open("rb") as file:
        _check(f"the beginning of {path}", file.read(len(start)), start)
