"""What is said of an act agrees with what the page itself recorded, on hundreds of random pages.

To look at the page of a seed: `make(seed)` in `support/random_page.py`, and its `files(port)`.
"""

from __future__ import annotations

from collections import Counter

import pytest

from support.engine import do
from support.random_page import make
from support.site import Site
from support.verdicts import REFUSALS, Bench, Trial
from tabwright.engine import aim
from tabwright.engine.context import ToolContext

PAGES = 500
PART = 250
CALM_PAGES = 100
# Refusals are tried for this long, so that hundreds of them do not take minutes.
PATIENCE_MS = 120.0


@pytest.fixture
async def bench(context: ToolContext, site: Site, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setattr(aim, "BLOCKED_MS", PATIENCE_MS)
    monkeypatch.setattr(aim, "ABSENT_MS", PATIENCE_MS)
    await do(context, "dialog", policy="accept")
    return Bench(context, site)


def disagreements(trials: list[Trial]) -> list[str]:
    return [trial.line() for trial in trials if trial.problem()]


# In two parts: the tests run in as many processes as there are cores.
@pytest.mark.parametrize("first", range(0, PAGES, PART))
@pytest.mark.timeout(600)
async def test_every_verdict_agrees_with_what_the_page_recorded(bench: Bench, first: int):
    seeds = range(first, first + PART)
    trials = [trial for seed in seeds for trial in await bench.run(make(seed))]
    found = disagreements(trials)
    assert not found, "\n".join(found)
    counts = Counter(trial.said for trial in trials)
    assert counts["effective"] > 125
    assert counts["no_effect"] > 3
    assert counts["MISDIRECTED"] > 2
    assert sum(counts[code] for code in REFUSALS) > 50
    assert counts["unknown"] < 20


@pytest.mark.proves("S3-P07")
@pytest.mark.timeout(600)
async def test_what_is_plainly_there_is_acted_on(bench: Bench):
    pages = (make(seed, calm=True) for seed in range(CALM_PAGES))
    trials = [trial for page in pages for trial in await bench.run(page)]
    found = disagreements(trials)
    assert not found, "\n".join(found)
    # Inside a closed root nobody can tell who listens; that it arrived is told all the same.
    acted = [
        trial
        for trial in trials
        if trial.said in ("effective", "no_effect") or "cannot be told" in trial.text
    ]
    assert len(acted) > 0.9 * len(trials)
    assert {"click", "hover", "type", "fill", "check"} <= {trial.step.verb for trial in acted}
