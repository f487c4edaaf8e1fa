"""Where things are heard from: pages, frames of other processes, and workers of every kind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from tabwright.engine.cdp import CDPClient, Handler, Params

SourceKind = Literal["page", "frame", "worker", "shared-worker", "service-worker"]
PATIENCE_S = 1.0
WORKERS: dict[str, SourceKind] = {
    "worker": "worker",
    "shared_worker": "shared-worker",
    "service_worker": "service-worker",
}
"""What the protocol calls a target, and what we do."""


@dataclass(frozen=True)
class Source:
    """One protocol session, from before its first script runs until it ends."""

    client: CDPClient
    session_id: str
    kind: SourceKind
    url: str
    """Of a worker, its script; of a page or a frame it changes, and is not known here."""
    tab: str = ""
    """The tab that it belongs to; a shared or a service worker belongs to none."""
    first: list[asyncio.Future[Params]] = field(
        default_factory=list[asyncio.Future[Params]], compare=False
    )
    """What has to be done before its scripts run."""

    def on(self, event: str, handler: Handler) -> None:
        """Call `handler` for each event of this name that comes from here."""
        self.client.on(event, handler, session_id=self.session_id)

    def post(self, method: str, params: Params | None = None) -> asyncio.Future[Params]:
        """Queue a command to it. One that is gone answers with an error that nobody need hear."""
        return self.client.post(method, params, self.session_id)

    def let_go(self) -> None:
        """Let its scripts run, if they wait for it, as soon as what has to come first is done."""
        left = [each for each in self.first if not each.done()]
        if left:
            left[0].add_done_callback(lambda _: self.let_go())
            # A script that never ran would be worse than one that ran too early.
            asyncio.get_running_loop().call_later(PATIENCE_S, self._run)
        else:
            self._run()

    def _run(self) -> None:
        self.post("Runtime.runIfWaitingForDebugger")


Told = Callable[[Source], None]


class Sources:
    """The sources of a conversation that are there now."""

    def __init__(self) -> None:
        self._all: dict[str, Source] = {}
        self._came: list[Told] = []
        self._went: list[Told] = []

    def __iter__(self) -> Iterator[Source]:
        return iter(list(self._all.values()))

    def each(self, came: Told, went: Told | None = None) -> None:
        """Tell of each source that comes, before its first script runs, and of its end."""
        self._came.append(came)
        if went is not None:
            self._went.append(went)

    def came(self, source: Source) -> None:
        """A source is there; it waits to be let go."""
        self._all[source.session_id] = source
        for tell in self._came:
            tell(source)

    def went(self, session_id: str) -> Source | None:
        """A source is gone."""
        source = self._all.pop(session_id, None)
        if source is not None:
            for tell in self._went:
                tell(source)
        return source

    def clear(self) -> None:
        """All are gone: the connection is."""
        for session_id in list(self._all):
            self.went(session_id)
