"""A small web app that its service worker can serve without a network."""

from __future__ import annotations

from support.engine import do, value
from support.site import Site
from tabwright.engine.context import ToolContext

SCRIPT = "text/javascript"
PAGE = """<!doctype html><title>App</title><h1>App</h1><script src="{base}/app.js"></script>"""
APP = "window.ran = true;"
WORKER = """
    const BASE = '{base}';
    addEventListener('install', (e) => e.waitUntil((async () => {{
        const cache = await caches.open('v1');
        await cache.addAll([BASE + '/', BASE + '/app.js']);
        await skipWaiting();
    }})()));
    addEventListener('activate', (e) => e.waitUntil(clients.claim()));
    addEventListener('fetch', (e) => {{
        const {{ pathname }} = new URL(e.request.url);
        if (pathname === BASE + '/made') e.respondWith(new Response('made'));
        else if (pathname !== BASE + '/direct')
            e.respondWith(caches.match(e.request).then((found) => found || fetch(e.request)));
    }});
    addEventListener('message', async (e) => {{
        const answer = await fetch(e.data).then((r) => r.text(), (error) => String(error));
        e.source.postMessage(answer);
    }});
"""
REGISTER = """
    (async () => {{
        const claimed = new Promise((done) => {{
            navigator.serviceWorker.oncontrollerchange = () => done(true);
        }});
        await navigator.serviceWorker.register('{base}/sw.js');
        return claimed;
    }})()
"""


class App:
    """Served below a path of its own."""

    def __init__(self, site: Site, base: str) -> None:
        self.base = base
        self.url = site.content(f"{base}/", PAGE.format(base=base).encode())
        site.content(f"{base}/app.js", APP.encode(), mime=SCRIPT)
        self.script = site.content(f"{base}/sw.js", WORKER.format(base=base).encode(), mime=SCRIPT)
        for name in ("data", "direct"):
            site.content(f"{base}/{name}", b'{"served": 1}', mime="application/json")

    async def open(self, context: ToolContext) -> None:
        """Visit it, and wait until its worker has taken over."""
        await do(context, "navigate", url=self.url)
        assert await value(context, REGISTER.format(base=self.base)) is True

    async def ask_worker(self, context: ToolContext, path: str) -> str:
        """Have the worker fetch something; returns the text, or what was thrown."""
        return await value(
            context,
            f"""new Promise((done) => {{
                navigator.serviceWorker.onmessage = (e) => done(e.data);
                navigator.serviceWorker.controller.postMessage('{self.base}/{path}');
            }})""",
        )
