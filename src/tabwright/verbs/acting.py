"""What every acting verb takes and gives: an element, and the receipt."""

from typing import Any, Literal, Self

from pydantic import PrivateAttr

from tabwright.engine.receipt import Receipt
from tabwright.errors import Misdirected, NextAction
from tabwright.verb import Params, Result, Selector, Timeout


class OnElement(Params):
    """Which element, and how long to wait for it."""

    selector: Selector
    """Ref (`e12`), CSS, XPath, or text=, label=, role=button "Save", placeholder=, testid=."""

    wait: bool = False
    """Wait up to `timeout` for the element, instead of a moment."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'."""


class Acted(Result):
    """What an act did, from what the page itself showed."""

    verdict: Literal["effective", "no_effect", "misdirected", "unknown"]
    """effective: it arrived and was taken; no_effect: nothing came of it; unknown: no telling."""

    element: str
    """Role, name and ref of the element that was acted on."""

    receipt: dict[str, Any]
    """Events that arrived, and everything that changed."""

    _said: str = PrivateAttr("")

    @classmethod
    def of(cls, done: str, receipt: Receipt, *more: str, **facts: Any) -> Self:
        """The result that a receipt makes, with further words and fields.

        Raises:
            Misdirected: another element received the input.
        """
        if receipt.verdict == "misdirected":
            raise Misdirected(
                f"The input for {receipt.element} was misdirected: {receipt.why}.",
                hint="Look at the page: something moved or came up over the element meanwhile.",
                receipt=receipt.as_dict(),
            )
        verdict = receipt.verdict + (f" ({receipt.why})" if receipt.why else "")
        which = f" (1st shown of {receipt.matches})" if receipt.matches > 1 else ""
        said = "; ".join([f"{done} {receipt.element}{which}: {verdict}", *more, *receipt.lines()])
        acted = cls(
            verdict=receipt.verdict,
            element=str(receipt.element),
            receipt=receipt.as_dict(),
            **facts,
        )
        acted._said = said
        return acted

    def text(self) -> str:
        """What was done, the verdict, and what changed."""
        return f"{self._said}."

    def next_actions(self) -> list[NextAction]:
        """Answer a dialog, look at a new tab, give a chooser its files."""
        actions: list[NextAction] = []
        dialog = self.receipt.get("dialog")
        if dialog and dialog["accepted"] is None:
            actions.append(NextAction("dialog", {"action": "accept"}, "answers OK"))
            actions.append(NextAction("dialog", {"action": "dismiss"}, "answers Cancel"))
        for tab in self.receipt.get("newTabs", ()):
            tab_id = tab.split(" ")[0]
            actions.append(NextAction("tabs", {"action": "select", "tab": tab_id}, "goes there"))
        for download in self.receipt.get("downloads", ()):
            if "(in_progress)" in download:
                wait = {"action": "wait", "id": download.split(" ")[0]}
                actions.append(NextAction("downloads", wait, "waits until the file is whole"))
        if self.receipt.get("fileChooser"):
            actions.append(NextAction("upload", {"files": ["…"]}, "gives the chooser its files"))
        if "a script that runs on" in self.receipt.get("pending", ()):
            actions.append(NextAction("interrupt", {}, "stops the script that the page is running"))
        return actions
