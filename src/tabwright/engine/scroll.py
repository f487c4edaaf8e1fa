"""Scrolling the page, a container, or an element into view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from tabwright.engine.act import Act
from tabwright.engine.aim import Aim, Aimed, Needs
from tabwright.engine.evidence import Kind
from tabwright.engine.receipt import Receipt
from tabwright.engine.selector import Selector

if TYPE_CHECKING:
    from tabwright.engine.tab import Tab

Place = Literal["view", "top", "bottom", "up", "down", "left", "right", "point"]
PAGE = Selector("the page", ({"by": "page"},))
WHEEL_PX = 400.0
WHEEL: dict[str, tuple[int, int]] = {
    "up": (0, -1),
    "down": (0, 1),
    "left": (-1, 0),
    "right": (1, 0),
}


@dataclass(frozen=True)
class Wish:
    """Where to scroll."""

    to: Place
    amount: float | None = None
    x: float = 0.0
    y: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """As the page script reads it."""
        return {"to": self.to, "amount": self.amount, "x": self.x, "y": self.y}


async def scroll(
    tab: Tab, selector: str | None, wish: Wish, *, wait: bool, timeout_ms: float
) -> tuple[Receipt, dict[str, Any]]:
    """Scroll, and say where it ended; what the wheel alone moves gets the wheel."""

    async def deliver(aimed: Aimed) -> None:
        if not aimed.facts["scroll"].get("wheel"):
            if aimed.facts["scroll"]["moved"]:
                await aimed.frame.call("afterScroll")
            return
        across, down = WHEEL[wish.to]
        amount = wish.amount or WHEEL_PX
        await tab.mouse.wheel(aimed.x, aimed.y, across * amount, down * amount)
        aimed.facts["scroll"] = await aimed.frame.call("afterWheel")

    wheel = selector is not None and wish.to in WHEEL
    aim = Aim.at(
        selector or PAGE,
        Needs(point=wheel, shown=selector is not None),
        timeout_ms,
        wait=wait,
        prepare="scroll",
        wish=wish.as_dict(),
        watch=f"scroll {wish}",
    )
    act = Act(tab, Kind("scroll", ("scroll", "wheel"), passive=True), aim)
    receipt = await act.run(deliver)
    assert act.aimed is not None
    where: dict[str, Any] = act.aimed.facts["scroll"]
    receipt.scrolled = None
    if where["moved"] or receipt.changed():
        receipt.verdict, receipt.why = "effective", ""
    elif where.get("inView"):
        receipt.verdict, receipt.why = "effective", "it was in view already"
    else:
        receipt.verdict, receipt.why = "no_effect", "it did not move: it is at its end already"
    return receipt, where
