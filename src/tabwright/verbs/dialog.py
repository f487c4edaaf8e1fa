"""Answering alerts, confirms and prompts."""

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import model_validator

from tabwright.engine.session import Session
from tabwright.verb import Params, Positional, Result, verb


class Dialog(Params):
    """How to answer."""

    example: ClassVar[dict[str, Any]] = {"action": "accept"}

    action: Annotated[Literal["status", "accept", "dismiss"], Positional] = "status"
    """Look whether one is open, answer OK, or answer Cancel."""

    text: str | None = None
    """What to type into a prompt before accepting it; default: what it suggests."""

    tab: str | None = None
    """Tab whose dialog is meant; default: the current one."""

    policy: Literal["ask", "accept", "dismiss"] | None = None
    """From now on in this conversation: leave dialogs open for an answer, or answer at once."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.text is not None and self.action != "accept":
            raise ValueError("`text` goes with action 'accept' only")
        return self


class DialogState(Result):
    """The dialog, if there is one."""

    open: bool
    """Whether a dialog waits for an answer."""

    type: str | None = None
    """alert, confirm, prompt or beforeunload."""

    message: str | None = None
    """What it says."""

    default: str | None = None
    """What a prompt suggests."""

    accepted: bool | None = None
    """How it was answered just now."""

    policy: str
    """How dialogs are answered."""

    def text(self) -> str:
        """What is open, or how it was answered."""
        if self.type is None:
            return f"No dialog is open; policy {self.policy}."
        if self.open:
            return f"Open: {self.type} {self.message!r}."
        return f"{'Accepted' if self.accepted else 'Dismissed'} {self.type} {self.message!r}."


@verb(effect="act")
async def dialog(session: Session, params: Dialog) -> DialogState:
    """Answer an alert, confirm or prompt that the page shows, or set how they are answered."""
    if params.policy is not None:
        session.dialogs = params.policy
    policy = session.dialog_policy()
    tab = session.tab_by_id(params.tab) if params.tab else session.current
    shown = tab.dialogs.open if tab is not None else None
    if params.action != "status" and tab is not None:
        default = shown.default if shown else ""
        text = default if params.text is None else params.text
        shown = tab.dialogs.answer(accept=params.action == "accept", text=text)
    if shown is None:
        return DialogState(open=False, policy=policy)
    return DialogState(
        open=shown.accepted is None,
        type=shown.type,
        message=shown.message,
        default=shown.default if shown.type == "prompt" else None,
        accepted=shown.accepted,
        policy=policy,
    )
