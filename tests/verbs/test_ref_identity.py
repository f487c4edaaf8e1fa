"""A ref means one node: always the same, never another, and gone for good when it is gone."""

from __future__ import annotations

import random
import re

import pytest

from support.engine import do, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext

BODY = "<main id=m></main>"
# What a framework does to a list: it adds, moves, renames, replaces and takes away.
CHURN = """(seed) => {
  let state = seed;
  const next = (below) => (state = (state * 1103515245 + 12345) % 2147483648) % below;
  const any = () => m.children[next(m.children.length)];
  const fresh = () => {
    globalThis.made = (globalThis.made ?? 0) + 1;
    const button = document.createElement("button");
    button.dataset.id = button.textContent = `node ${globalThis.made}`;
    return button;
  };
  while (m.children.length < 12) m.append(fresh());
  for (let steps = 0; steps < 8; steps++) {
    const one = any();
    switch (next(6)) {
      case 0: one.remove(); break;
      case 1: m.insertBefore(fresh(), one); break;
      case 2: m.insertBefore(one, any()); break;
      case 3: one.replaceWith(fresh()); break;
      case 4: one.textContent += " again"; break;
      case 5: { const copy = one.cloneNode(true); copy.dataset.id += " copy"; one.after(copy); }
    }
  }
  return m.children.length;
}"""


@pytest.mark.parametrize("seed", range(3))
async def test_the_same_ref_always_means_the_same_node(context: ToolContext, site: Site, seed: int):
    await do(context, "navigate", url=site.page("/refs/churn", BODY))
    rng = random.Random(seed)
    meant: dict[str, str] = {}
    seen: set[str] = set()
    for _ in range(8):
        await value(context, f"({CHURN})({rng.randrange(10**6)})")
        shown = (await do(context, "snapshot")).content
        refs = re.findall(r'button "[^"]*" (e\d+)', shown)
        assert len(refs) == len(set(refs))
        for ref in refs:
            got = await do(context, "get", selector=ref, what="attribute", name="data-id")
            assert meant.setdefault(ref, got.value) == got.value
        seen |= set(refs)
        gone = sorted(seen - set(refs))
        for ref in rng.sample(gone, min(3, len(gone))):
            outcome = await call(context, "get", {"selector": ref, "what": "text"})
            assert outcome.error is not None
            assert "was taken off the page" in str(outcome.error)
    assert len(set(meant.values())) == len(meant)
    assert len(seen) > 20
