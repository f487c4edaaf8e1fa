"""The same without async: methods are called, not awaited."""

import sys

from tabwright import SyncTabwright

url = sys.argv[1] if len(sys.argv) > 1 else "https://example.com/"

with SyncTabwright() as page:
    arrived = page.navigate(url)
    heading = page.evaluate("document.querySelector('h1')?.textContent")
    printed = page.pdf("page.pdf", format="A4")
    print(f"{arrived.title}: {heading.value}")
    print(f"document: {printed.path}, {printed.size_bytes} bytes")
