"""Open a page, ask it something, keep a picture of it."""

import asyncio
import sys

from tabwright import Tabwright


async def main(url: str) -> None:
    """Visit one address."""
    async with Tabwright() as page:
        arrived = await page.navigate(url)
        links = await page.evaluate("document.links.length")
        shot = await page.screenshot("page.png", full_page=True)
        print(f"{arrived.title}: HTTP {arrived.status}, links: {links.value}")
        print(f"picture: {shot.path}, {shot.width} x {shot.height} px")


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "https://example.com/"))
