"""The one door. Every call of every face passes `call`, and nothing else reaches the engine.

1 validate, 2 policy, 3 lease, 4 deadline, 5 the verb, 6 budget, 7 redact, 8 journal: each is one
step below. Settling and the receipt stand around the input itself, in `engine/act.py`.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from tabwright.engine.context import ToolContext
from tabwright.engine.navigation import check_local
from tabwright.engine.redact import redact, redact_text
from tabwright.engine.session import Session
from tabwright.engine.tab import Tab
from tabwright.errors import (
    BrowserDisabled,
    Cancelled,
    DriverCrashError,
    InputError,
    InternalError,
    NextAction,
    TabwrightError,
    TimedOut,
)
from tabwright.outcome import Outcome
from tabwright.verb import Params, Result, Verb
from tabwright.verbs import VERBS

# A verb that keeps its own time limit is let speak first; the door's own word comes after it.
VERB_GRACE_MS = 300.0
DOOR_GRACE_MS = 1400.0
QUIET_SAVE_S = 0.1
GIVEN_UP = "The call was given up by its caller."
UNSAID = ("text", "value", "cookies", "items", "args", "steps")
Translate = Callable[[Any], tuple[str, dict[str, Any]]]
HUNG_PAGE = [
    NextAction("interrupt", {}, "stops the script that the page is running"),
    NextAction("reload", {}, "loads the page again"),
    NextAction("tabs", {"action": "close"}, "gives the page up"),
]


async def call(
    context: ToolContext,
    name: str,
    given: dict[str, Any] | None = None,
    *,
    translate: Translate | None = None,
) -> Outcome:
    """Do one thing for one conversation, and say truly what came of it. Never raises.

    A surface that has other names for things passes what turns them into a verb and its
    parameters, so that its refusals are told and journalled like all others.
    """
    began = time.perf_counter()
    call_id = uuid.uuid4().hex[:12]
    outcome = Outcome(action=str(name))
    counted_as = "unknown"
    try:
        verb, table = _wanted(name, given, translate)
        counted_as = verb.name
        params = verb.read(table)
        _allowed(context, verb)
        outcome.result = await context.home.run(
            lambda: _cancellable(context, _run(context, verb, params, outcome))
        )
        outcome.artifacts = outcome.result.files()
        outcome.next_actions += outcome.result.next_actions()
    except Exception as error:  # noqa: BLE001  # the edge: a defect must not take the server down
        outcome.error = _told(context, name, error, call_id)
    outcome.execution_time = round((time.perf_counter() - began) * 1000, 3)
    _finish(context, outcome, _plain(given), call_id, counted_as)
    return outcome


def refusal(
    context: ToolContext, name: str, given: Any, *, translate: Translate | None = None
) -> Outcome | None:
    """What a call would be refused with before anything is done; None if it would be made.

    Like that of a call, a refusal is told and journalled. Never raises.
    """
    counted_as = "unknown"
    try:
        verb, table = _wanted(name, given, translate)
        counted_as = verb.name
        verb.read(table)
        _allowed(context, verb)
    except Exception as error:  # noqa: BLE001  # the edge, as that of a call
        return refused(context, name, given, error, counted_as)
    return None


def refused(
    context: ToolContext, name: str, given: Any, error: Exception, counted_as: str = "unknown"
) -> Outcome:
    """What is said of a call that was not made, for this reason; told and journalled."""
    call_id = uuid.uuid4().hex[:12]
    outcome = Outcome(action=str(name), error=_told(context, name, error, call_id))
    _finish(context, outcome, _plain(given), call_id, counted_as)
    return outcome


def _wanted(name: str, given: Any, translate: Translate | None) -> tuple[Verb, dict[str, Any]]:
    verb, table = translate(given) if translate else (name, _table(given))
    return _find(verb), table


def _told(context: ToolContext, name: str, error: Exception, call_id: str) -> TabwrightError:
    if isinstance(error, TabwrightError):
        return error
    context.journal.error(error, call_id=call_id)
    return InternalError(
        f"{name} failed for a reason that Tabwright does not know: {type(error).__name__}.",
        hint="The log has the details; please report it.",
    )


def _plain(given: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", given) if isinstance(given, dict) else {}


def _table(given: Any) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise InputError(
            f"Parameters must be an object of names and values, not {given!r:.80}.",
            hint="For example {'url': 'https://example.com/'}.",
        )
    return cast("dict[str, Any]", given)


def _find(name: str) -> Verb:
    verb = VERBS.get(name) if isinstance(name, str) else None  # pyright: ignore[reportUnnecessaryIsInstance]  # faces pass on what they were given
    if verb is None:
        raise InputError(
            f"There is no verb {name!r}.", hint=f"There are: {', '.join(sorted(VERBS))}."
        )
    return verb


def _allowed(context: ToolContext, verb: Verb) -> None:
    if context.settings.tools.browser.enabled is False and verb.on != "context":
        raise BrowserDisabled(
            "The browser is switched off (tools.browser.enabled is false).",
            hint="Switch it on with `tabwright config set tools.browser.enabled true`.",
        )


async def _cancellable(context: ToolContext, work: Any) -> Result:
    if context.cancel is None:
        return await work
    if context.cancel.is_set():
        work.close()
        raise Cancelled(GIVEN_UP)
    running = asyncio.ensure_future(work)
    given_up = asyncio.ensure_future(context.cancel.wait())
    try:
        await asyncio.wait({running, given_up}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            return running.result()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        raise Cancelled(GIVEN_UP)
    finally:
        given_up.cancel()
        running.cancel()


async def _run(context: ToolContext, verb: Verb, params: Params, outcome: Outcome) -> Result:
    limit_ms: float = getattr(params, "timeout", None) or context.settings.browser.default_timeout
    door = asyncio.timeout((limit_ms + DOOR_GRACE_MS) / 1000)
    work = _Work(context, verb, params, outcome, limit_ms, door)
    try:
        async with door:
            try:
                return await work.once()
            except DriverCrashError as crash:
                if not verb.repeatable or crash.retried:
                    raise
                context.journal.event("retry", {"during": verb.name, "error": crash.message})
                return await work.once()
    except TimeoutError:
        await context.end_hung()
        raise TimedOut(
            f"The call {verb.name!r}",
            limit_ms,
            hint="The browser was being made ready, or another call of the conversation ran.",
        ) from None


@dataclass
class _Work:
    """One call behind the door."""

    context: ToolContext
    verb: Verb
    params: Params
    outcome: Outcome
    limit_ms: float
    door: asyncio.Timeout

    async def once(self) -> Result:
        if self.verb.on == "context":
            return await self._timed(self.context)
        async with _held(self.context) as session:
            try:
                saves = session.saves
                result = await self._verb(session)
                if self.verb.effect != "read":
                    sure = self.verb.on == "session"
                    await _save(session, sure=sure, fresh=session.saves > saves)
                return result
            except TimedOut:
                # What the verb said stands, however late a busy browser shows that it lives.
                if not self.door.expired():
                    self.door.reschedule(None)
                if await _page_hung(session):
                    self.outcome.next_actions += HUNG_PAGE
                raise
            except TabwrightError as error:
                if session.current is not None:
                    error.about(url=session.current.url)
                raise
            finally:
                self.outcome.notices += session.take_notices()

    async def _verb(self, session: Session) -> Result:
        subject = session.current if self.verb.on == "tab" else session
        if self.verb.name != "navigate" and isinstance(subject, Tab):
            # A local page may have gone on, by itself, to a file that its caller may not read.
            check_local(subject, subject.url)
        return await self._timed(subject)

    async def _timed(self, subject: ToolContext | Session | Tab | None) -> Result:
        try:
            async with asyncio.timeout((self.limit_ms + VERB_GRACE_MS) / 1000):
                return await self.verb.function(subject, self.params)
        except TimeoutError:
            raise TimedOut(f"The call {self.verb.name!r}", self.limit_ms) from None


class _held:  # noqa: N801  # reads as a phrase: async with _held(context)
    """The lease, with crashes on the way in marked: they were retried already."""

    def __init__(self, context: ToolContext) -> None:
        self._context = context
        self._guard = context.browser()

    async def __aenter__(self) -> Session:
        try:
            session = await self._guard.__aenter__()
        except DriverCrashError as crash:
            crash.retried = True
            raise
        session.caller = self._context.caller
        return session

    async def __aexit__(self, *exc: Any) -> None:  # noqa: PYI036  # passed on as they came
        await self._guard.__aexit__(*exc)


async def _save(session: Session, *, sure: bool, fresh: bool) -> None:
    """Checkpoint what the call may have changed.

    Signs of a change are saved before the reply; without any, a moment later, so that a series
    of small calls is not slowed down.
    """
    if session.stirred() or sure:
        await session.save()
    elif not fresh:
        session.save_soon(QUIET_SAVE_S)


async def _page_hung(session: Session) -> bool:
    """Tell a page that runs on from a browser that is gone quiet; the latter is ended."""
    if not session.entered:
        return False
    if not await session.browser.answers():
        session.browser.kill("it does not answer")
        return False
    tab = session.current
    return tab is not None and not await tab.answers()


def _unsaid(value: Any) -> Any:
    """What is typed or stored may be a secret: the journal keeps its length only."""
    if isinstance(value, str):
        return f"<{len(value)} characters>"
    return f"<{len(cast('list[Any]', value))} entries>" if isinstance(value, list | dict) else value


def _finish(
    context: ToolContext, outcome: Outcome, given: dict[str, Any], call_id: str, counted_as: str
) -> None:
    error = outcome.error
    outcome.next_actions += error.next_actions if error else []
    for action in outcome.next_actions:
        if not action.verb:
            # The same call, but for what the suggestion changes.
            action.verb, action.params = outcome.action, {**given, **action.params}
    if error is not None:
        error.about(action=outcome.action, selector=given.get("selector"))
        error.message = redact_text(error.message)
        error.details = redact(error.details)
        error.context = redact(error.context)
        if not isinstance(error, InternalError):
            context.journal.error(error, call_id=call_id)
    context.journal.action(
        outcome.action,
        {key: _unsaid(value) if key in UNSAID else value for key, value in given.items()},
        counted_as=counted_as,
        duration_ms=outcome.execution_time,
        status=error.code if error else "success",
        call_id=call_id,
        conversation=context.conversation_id,
    )
