"""Service workers: whether the page has one, in which state, and whether it controls the page."""

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import model_validator

from tabwright.engine import service_worker as engine
from tabwright.engine.tab import Tab
from tabwright.verb import Params, Positional, Result, Text, verb


class ServiceWorkers(Params):
    """What to do with which worker."""

    example: ClassVar[dict[str, Any]] = {"action": "update"}

    action: Annotated[Literal["list", "update", "unregister"], Positional] = "list"
    """list them, fetch the script of one again, or remove one."""

    scope: Text | None = None
    """Scope of the worker to update or unregister; default: the one of the current page."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.scope is not None and self.action == "list":
            raise ValueError("`scope` goes with actions 'update' and 'unregister' only")
        return self


class WorkerInfo(Result):
    """One registered worker."""

    scope: str
    """Addresses that begin so are its own."""

    script: str
    """Address of its script."""

    state: str
    """installing, installed, activating, activated or redundant."""

    controlling: bool
    """Whether the requests of the current page pass it."""

    update: str | None
    """State of a newer version that is on its way."""

    @classmethod
    def of(cls, one: engine.Registration) -> Self:
        """The facts of a registration."""
        return cls(
            scope=one.scope,
            script=one.script,
            state=one.state,
            controlling=one.controls,
            update=one.update or None,
        )

    def text(self) -> str:
        """One line."""
        newer = f", newer version {self.update}" if self.update else ""
        control = "controls the page" if self.controlling else "does not control the page"
        return f"{self.scope} {self.script} {self.state}, {control}{newer}"


class WorkerList(Result):
    """The service workers of the page's origin."""

    registered: bool
    """Whether a worker is registered for the current page."""

    controlling: bool
    """Whether it controls the page; one that was just registered does after a reload."""

    state: str | None = None
    """State of the page's worker."""

    scope: str | None = None
    """Its scope."""

    script: str | None = None
    """Its script."""

    workers: list[WorkerInfo]
    """All workers of the origin, the page's own first."""

    unregistered: str | None = None
    """Scope of the worker that was removed just now."""

    possible: bool = True
    """Whether the page may have workers at all: it must be secure, or local."""

    def text(self) -> str:
        """A line a worker."""
        done = [f"Unregistered {self.unregistered}"] if self.unregistered else []
        if not self.registered:
            secure = "" if self.possible else "; it is not a secure page, so it cannot have one"
            done.append(f"No service worker is registered for this page{secure}.")
        return "\n".join([*done, *(each.text() for each in self.workers)])


@verb(effect="act")
async def service_workers(tab: Tab, params: ServiceWorkers) -> WorkerList:
    """Tell whether the page has a service worker, and update or unregister workers.

    Lists all workers of the page's origin, the page's own first.
    """
    removed = None
    match params.action:
        case "update":
            await engine.update(tab, params.scope)
        case "unregister":
            removed = (await engine.unregister(tab, params.scope)).scope
        case "list":
            pass
    found = await engine.look(tab)
    own = next((one for one in found or () if one.own), None)
    return WorkerList(
        registered=own is not None,
        controlling=own is not None and own.controls,
        state=own.state if own else None,
        scope=own.scope if own else None,
        script=own.script if own else None,
        workers=[WorkerInfo.of(one) for one in found or ()],
        unregistered=removed,
        possible=found is not None,
    )
