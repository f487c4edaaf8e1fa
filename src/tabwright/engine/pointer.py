"""What a mouse does to elements: click, hover, drag, drop files, scroll."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tabwright.engine.act import Act
from tabwright.engine.aim import Aim, Aimed, Needs
from tabwright.engine.evidence import Kind
from tabwright.engine.mouse import Button
from tabwright.engine.receipt import Receipt

if TYPE_CHECKING:
    from tabwright.engine.tab import Tab

Modifier = Literal["Alt", "Control", "Meta", "Shift"]
MODIFIERS: dict[Modifier, int] = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}
PRESSED: dict[str, tuple[str, ...]] = {
    "left": ("click",),
    "middle": ("auxclick",),
    "right": ("contextmenu", "auxclick"),
}
PRESSABLE = Needs(point=True, enabled=True)
REACHABLE = Needs(point=True)


@dataclass(frozen=True)
class Press:
    """How a click is made."""

    button: Literal["left", "right", "middle"] = "left"
    count: int = 1
    modifiers: tuple[Modifier, ...] = ()
    position: dict[str, float] | None = None


async def click(tab: Tab, selector: str, press: Press, *, wait: bool, timeout_ms: float) -> Receipt:
    """Click an element where it is free."""
    held = sum(MODIFIERS[name] for name in press.modifiers)

    async def deliver(aimed: Aimed) -> None:
        await tab.mouse.click(
            aimed.x, aimed.y, button=press.button, count=press.count, modifiers=held
        )

    events = PRESSED[press.button]
    last = "dblclick" if press.count > 1 and press.button == "left" else events[0]
    expect = last if press.count < 3 else ""
    left = press.button == "left"
    kind = Kind("click", events, expect=expect, count=press.count if left else 1)
    aim = Aim.at(
        selector,
        PRESSABLE,
        timeout_ms,
        wait=wait,
        position=press.position,
        watch=f"click {press}",
    )
    return await Act(tab, kind, aim).run(deliver)


async def hover(tab: Tab, selector: str, *, wait: bool, timeout_ms: float) -> Receipt:
    """Bring the mouse over an element."""

    async def deliver(aimed: Aimed) -> None:
        await tab.mouse.move(aimed.x, aimed.y)

    kind = Kind("hover", ("mousemove", "mouseover"), expect="mousemove", passive=True)
    aim = Aim.at(selector, REACHABLE, timeout_ms, wait=wait, watch="hover")
    return await Act(tab, kind, aim).run(deliver)


async def drag(tab: Tab, selector: str, to: str, *, wait: bool, timeout_ms: float) -> Receipt:
    """Drag an element onto another."""
    end = await Aim.at(to, REACHABLE, timeout_ms, wait=wait).take(tab)

    async def deliver(aimed: Aimed) -> None:
        await tab.mouse.drag((aimed.x, aimed.y), (end.x, end.y))

    kind = Kind("drag", ("mousedown", "dragstart"), drop=True)
    aim = Aim.at(
        selector, PRESSABLE, timeout_ms, wait=wait, watch=f"drag {to}", other=end.element.ref
    )
    return await Act(tab, kind, aim).run(deliver)


async def drop_files(
    tab: Tab, selector: str, files: list[Path], *, wait: bool, timeout_ms: float
) -> Receipt:
    """Drop files on an element, as from a file manager."""

    async def deliver(aimed: Aimed) -> None:
        await tab.mouse.drop_files(aimed.x, aimed.y, files)

    kind = Kind("drop", ("drop",), expect="drop")
    aim = Aim.at(selector, REACHABLE, timeout_ms, wait=wait, watch=f"drop {files}")
    return await Act(tab, kind, aim).run(deliver)


__all__ = ["Button", "Modifier", "Press", "click", "drag", "drop_files", "hover"]
