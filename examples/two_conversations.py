"""Two conversations in one browser: what one is told, the other does not know."""

import asyncio
import sys

from tabwright import Conversation, Tabwright


async def cookies(page: Conversation) -> str:
    """What the page's own script can see of its cookies."""
    return str((await page.evaluate("document.cookie")).value)


async def main(url: str) -> None:
    """Sign in as Ann; Bob stays a stranger."""
    async with Tabwright() as browser:
        ann, bob = browser.conversation("ann"), browser.conversation("bob")
        await asyncio.gather(ann.navigate(url), bob.navigate(url))
        await ann.evaluate("document.cookie = 'user=ann'")
        print(f"ann has {await cookies(ann)!r}")
        print(f"bob has {await cookies(bob)!r}")


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "https://example.com/"))
