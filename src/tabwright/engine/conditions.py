"""Under which conditions pages and workers run: without a network, with a slow one, or slowly.

Chromium keeps them for each protocol session, so they are given to every page, frame and worker
that is there, and to each that comes before its first script runs. A session outlives its browser:
after a restart they hold again.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from tabwright.engine.cdp import Params
from tabwright.engine.source import Source, Sources

ANSWER_S = 1.0
UNLIMITED = -1.0
BYTES_OF_KILOBIT = 125


@dataclass(frozen=True)
class Conditions:
    """How good the network and the processor are."""

    offline: bool = False
    latency_ms: float = 0.0
    """From a request to the head of its answer, at least."""
    download_kbps: float | None = None
    """Kilobits a second; None: as fast as it goes."""
    upload_kbps: float | None = None
    cpu: float = 1.0
    """How many times slower scripts run."""

    def network(self) -> Params:
        """As the protocol takes it."""
        return {
            "offline": self.offline,
            "latency": self.latency_ms,
            "downloadThroughput": _bytes_a_second(self.download_kbps),
            "uploadThroughput": _bytes_a_second(self.upload_kbps),
        }


PRESETS: dict[str, tuple[float, float | None, float | None]] = {
    "none": (0.0, None, None),
    "2g": (800.0, 250.0, 50.0),
    "slow-3g": (2000.0, 400.0, 400.0),
    "fast-3g": (560.0, 1440.0, 675.0),
    "4g": (165.0, 8100.0, 1350.0),
}
"""Latency in milliseconds, then kilobits a second down and up."""

PERFECT = Conditions()


class Climate:
    """The conditions of a conversation, now and for all that comes."""

    def __init__(self, sources: Sources) -> None:
        self.now = PERFECT
        self._sources = sources
        sources.each(self._came)

    async def become(self, conditions: Conditions) -> None:
        """Change them, for everything that is there and everything to come."""
        before, self.now = self.now, conditions
        answers = [
            answer for source in self._sources for answer in self._give(source, changed_from=before)
        ]
        if answers:
            # A busy page answers late; the browser's own process has then long obeyed.
            await asyncio.wait(answers, timeout=ANSWER_S)

    def _came(self, source: Source) -> None:
        self._give(source, changed_from=PERFECT)

    def _give(self, source: Source, *, changed_from: Conditions) -> list[asyncio.Future[Params]]:
        answers: list[asyncio.Future[Params]] = []
        if self.now.network() != changed_from.network():
            answers.append(source.post("Network.emulateNetworkConditions", self.now.network()))
        if self.now.cpu != changed_from.cpu and source.kind in ("page", "frame"):
            rate = {"rate": self.now.cpu}
            answers.append(source.post("Emulation.setCPUThrottlingRate", rate))
        return answers


def _bytes_a_second(kbps: float | None) -> float:
    return UNLIMITED if kbps is None else kbps * BYTES_OF_KILOBIT
