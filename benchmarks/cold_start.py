"""A cold start of Tabwright: what a first program of a user does, and then says "loaded"."""

from __future__ import annotations

import asyncio
import sys
import time

from tabwright import Tabwright


async def main(url: str) -> None:
    began = time.perf_counter()
    async with Tabwright() as page:
        await page.navigate(url)
        print("loaded", (time.perf_counter() - began) * 1000, flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
