"""Starting a browser by hand, and closing it again."""

from __future__ import annotations

import click

from tabwright.engine.browser import Chromium
from tabwright.errors import BrowserError
from tabwright.faces.cli.output import print_json, print_text
from tabwright.faces.cli.shared import Shared, shared, shared_options
from tabwright.faces.cli.signals import until_signal
from tabwright.faces.cli.verb_command import bring_browser
from tabwright.faces.python import Tabwright


@click.command("launch", params=shared_options())
def command() -> None:
    """Start the browser, say where it is, and close it when this command is ended.

    Any program that speaks CDP can join it at the endpoint meanwhile. Ctrl-C closes it.
    """
    said = shared()
    until_signal(lambda: _hold(said))


async def _hold(said: Shared) -> None:
    async with Tabwright(said.settings()) as page:
        if said.profile is not None:
            await page.manager.switch_profile(said.profile)
        await bring_browser(page.manager)
        browser = await page.manager.launch_browser()
        _tell(browser, as_json=said.json)
        await browser.until_gone()
        raise BrowserError("The browser ended.", hint="Run the command again.")


def _tell(browser: Chromium, *, as_json: bool) -> None:
    version = browser.version.browser if browser.version else ""
    facts = {
        "id": browser.id,
        "profile": browser.profile,
        "browser": version,
        "pid": browser.process.pid,
        "cdpEndpoint": browser.cdp_endpoint,
        "createdAt": browser.created_at,
    }
    if as_json:
        print_json(facts)
    else:
        print_text(f"{version} of profile {browser.profile}\n  {browser.cdp_endpoint}")
