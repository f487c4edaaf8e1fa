"""Fill in a form by its labels, send it, and read what came of it."""

import asyncio
import sys

from tabwright import Tabwright


async def main(url: str) -> None:
    """Order a pot of tea."""
    async with Tabwright() as page:
        await page.navigate(url)
        await page.set("label=Name", "Grace Darling")
        await page.set("label=Tea", "Smoked Lapsang")
        await page.set("label=Cups", "2")
        clicked = await page.click('role=button "Order"')
        print(clicked.verdict, clicked.receipt.get("changes"))


asyncio.run(main(sys.argv[1]))
