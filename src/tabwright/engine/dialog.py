"""The dialogs of a tab: an alert, confirm, prompt or beforeunload never blocks a call.

While one is open, no script of the page runs. Under `ask` it waits for the caller's answer, but
not for ever; under `accept` and `dismiss` it is answered at once. Either way the caller is told.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tabwright.engine.cdp import Params
from tabwright.engine.redact import redact_text
from tabwright.errors import DialogOpen, InputError

Policy = Literal["ask", "accept", "dismiss"]

REMEMBERED = 20
NOTED_CHARACTERS = 1000
# What happens to a dialog that nobody answers: nothing is agreed to, and nothing is held up.
UNANSWERED = {"alert": True, "confirm": False, "prompt": False, "beforeunload": True}


@dataclass
class Dialog:
    """One dialog, and how it was answered."""

    type: str
    message: str
    default: str = ""
    """What a prompt suggests."""
    accepted: bool | None = None
    """None while it is open."""
    how: str = ""
    """Who answered: the caller, the policy, or nobody in time."""

    def as_dict(self) -> dict[str, object]:
        """As replies carry it."""
        facts: dict[str, object] = {
            "type": self.type,
            "message": self.message,
            "accepted": self.accepted,
        }
        if self.type == "prompt":
            facts["default"] = self.default
        return facts

    def noted(self) -> dict[str, object]:
        """As the journal has it. A secret is masked before it could be cut in two."""
        message = redact_text(self.message[: 2 * NOTED_CHARACTERS])[:NOTED_CHARACTERS]
        return {"type": self.type, "message": message}

    def words(self) -> str:
        """The dialog in a sentence."""
        article = "an" if self.type == "alert" else "a"
        return f"{article} {self.type} {self.message!r:.200}"


class Dialogs:
    """The dialogs of one tab; at most one is open."""

    def __init__(
        self,
        policy: Callable[[], Policy],
        wait_s: Callable[[], float],
        send: Callable[[str, Params], asyncio.Future[Params]],
        opened: Callable[[Dialog], None],
    ) -> None:
        self.open: Dialog | None = None
        self.untold: deque[Dialog] = deque(maxlen=REMEMBERED)
        """Answered, and no reply has said so yet."""
        self.seen = 0
        """Counts dialogs, so that an act knows which are its own."""
        self.last: Dialog | None = None
        self._policy = policy
        self._wait_s = wait_s
        self._send = send
        self._opened = opened
        self._timer: asyncio.TimerHandle | None = None

    def came(self, params: Params) -> None:
        """The page opened a dialog."""
        dialog = Dialog(params["type"], params["message"], params.get("defaultPrompt", ""))
        self.open = self.last = dialog
        self.seen += 1
        policy = self._policy()
        if policy == "ask":
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._wait_s(), self._give_up)
        else:
            # A page that asks whether to leave it asks so because a caller wants to leave.
            accept = policy == "accept" or dialog.type in ("alert", "beforeunload")
            self._close(accept, "", "by policy")
        self._opened(dialog)

    def answer(self, *, accept: bool, text: str = "") -> Dialog:
        """Answer the open dialog.

        Raises:
            InputError: none is open.
        """
        dialog = self.open
        if dialog is None:
            raise InputError("No dialog is open.", hint="Go on: the page waits for nothing.")
        self._close(accept, text, "")
        self.untold.clear()
        return dialog

    def told(self, dialog: Dialog) -> None:
        """A reply carries the dialog already: no notice need say it again."""
        if dialog in self.untold:
            self.untold.remove(dialog)

    def check(self, tab_id: str) -> None:
        """Raise if a dialog holds the page up."""
        if self.open is not None:
            raise DialogOpen(tab_id, self.open.type, self.open.message, self.open.default)

    def went(self) -> None:
        """The dialog is gone, answered or with its page."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.open = None

    def notices(self, tab_id: str) -> list[str]:
        """A sentence for each dialog that was answered since the last time."""
        told = [
            f"The page in {tab_id} showed {dialog.words()}; "
            f"it was {'accepted' if dialog.accepted else 'dismissed'} {dialog.how}.".replace(
                " .", "."
            )
            for dialog in self.untold
        ]
        self.untold.clear()
        return told

    def _give_up(self) -> None:
        if self.open is not None:
            self._close(UNANSWERED.get(self.open.type, False), "", "since nobody answered in time")

    def _close(self, accept: bool, text: str, how: str) -> None:
        dialog = self.open
        assert dialog is not None
        dialog.accepted, dialog.how = accept, how
        self.untold.append(dialog)
        self.went()
        params: Params = {"accept": accept}
        if accept and dialog.type == "prompt":
            params["promptText"] = text
        self._send("Page.handleJavaScriptDialog", params)
