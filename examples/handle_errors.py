"""What to do when a call fails: raised errors, whole outcomes, and the next step they offer."""

import asyncio
import sys

from tabwright import Tabwright, TabwrightError


async def main(url: str) -> None:
    """Miss an element, then meet a page that hangs, and get it to answer again."""
    async with Tabwright() as page:
        await page.navigate(url)

        # A method raises; the error says what to do next.
        try:
            await page.screenshot(selector="#missing")
        except TabwrightError as error:
            print(f"{error.code} ({error.advice}): {error}")

        # `call` raises nothing; the outcome has the error, and calls that may help.
        await page.evaluate("setTimeout(() => { while (true) {} })")
        outcome = await page.call("screenshot", path="page.png", timeout="500ms")
        if outcome.error is not None:
            print(f"{outcome.error.code} ({outcome.error.advice})")
        for step in outcome.next_actions:
            print(f"next: {step.verb} {step.why}")
            if (await page.call(step.verb, **step.params)).success:
                break

        print(f"title: {(await page.evaluate('document.title')).value}")


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "https://example.com/"))
