"""Endpoints of the browser: launched, closed, acted on and looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from tabwright.dispatch import call
from tabwright.engine.state import BrowserState
from tabwright.errors import InputError
from tabwright.faces.http.body import Given, query, table, typed
from tabwright.faces.http.control import Call, Control
from tabwright.faces.http.refusal import BrowserNotFound
from tabwright.faces.http.reply import done
from tabwright.surfaces import action
from tabwright.verbs import VERBS

LOOKS: dict[str, Callable[[Given], Call]] = {
    "screenshot": action.KINDS["screenshot"],
    "snapshot": lambda given: ("snapshot", {"format": "json", **given}),
    "pdf": action.KINDS["pdf"],
}
"""What a look is, as a verb and its parameters."""


async def launch(control: Control, request: Request) -> Response:
    """Start the browser of a profile; one that runs already is used."""
    given = await table(request)
    name = _word(given, "profileName")
    _nothing_else(given, "profileName")
    profile = control.profile(request, name)
    control.check_enabled()
    browser = await control.timed("The start", control.manager.launch_browser(profile))
    return done(
        {
            "browserId": browser.id,
            "profile": browser.profile,
            "cdpEndpoint": browser.cdp_endpoint,
            "createdAt": browser.created_at,
        }
    )


async def close(control: Control, request: Request) -> Response:
    """Close a browser, by its id or by its profile. Its pages come back with the next one."""
    given = await table(request)
    browser_id = _word(given, "browserId")
    _nothing_else(given, "browserId")
    profile = control.profile(request)
    if browser_id is None:
        browser = control.active(profile)
    else:
        running = {
            each.id: each
            for known in control.manager.list_profiles()
            if known.type == "isolated"
            and (each := control.manager.get_active_browser(known.name)) is not None
        }
        if browser_id not in running:
            raise BrowserNotFound(
                f"There is no browser {browser_id!r:.80}.",
                hint=f"Running: {', '.join(running) or 'none'}.",
            )
        browser = running[browser_id]
    await control.timed("The close", control.manager.close_browser(browser.profile))
    return done({"browserId": browser.id, "profile": browser.profile, "closed": True})


async def act(control: Control, request: Request) -> Response:
    """Do one thing: an action by its type, or a verb with its parameters."""
    given = await table(request)

    def translate(given: Given) -> Call:
        verb, params = _verb(given) if "verb" in given else action.read(given)
        if verb not in VERBS or VERBS[verb].on != "context":
            control.check_enabled()
        return verb, params

    name = given.get("verb", given.get("type"))
    known = isinstance(name, str) and (name in VERBS or name in action.KINDS)
    return await control.call(request, cast("str", name) if known else "action", given, translate)


async def screenshot(control: Control, request: Request) -> Response:
    """A picture of the page, if a browser runs."""
    return await _look(control, request, "screenshot", _asked(request, "screenshot"))


async def snapshot(control: Control, request: Request) -> Response:
    """The page as data or text, if a browser runs."""
    return await _look(control, request, "snapshot", _asked(request, "snapshot"))


async def pdf(control: Control, request: Request) -> Response:
    """The page as a PDF document, if a browser runs."""
    return await _look(control, request, "pdf", await table(request))


async def get_state(control: Control, request: Request) -> Response:
    """Cookies and storage of the conversation, if a browser runs."""
    conversation, profile = control.conversation(request), control.profile(request)
    control.check_enabled()
    control.active(profile)
    reading = control.manager.get_state(conversation, profile=profile)
    state = await control.timed("Reading the state", reading)
    return done(state.model_dump(mode="json", by_alias=True))


async def set_state(control: Control, request: Request) -> Response:
    """Put cookies and storage into the conversation."""
    conversation, profile = control.conversation(request), control.profile(request)
    state = _state(await table(request))
    control.check_enabled()
    writing = control.manager.set_state(state, conversation, profile=profile)
    await control.timed("Writing the state", writing)
    return done({"cookies": len(state.cookies), "origins": len(state.local_storage)})


async def tabs(control: Control, request: Request) -> Response:
    """The tabs of the conversation."""
    conversation, profile = control.conversation(request), control.profile(request)
    control.check_enabled()
    open_ones = [
        session
        for session in control.manager.sessions()
        if session.key.conversation == conversation
        and session.key.profile == profile
        and session.entered
    ]
    if not open_ones:
        return done({"tabs": []})
    async with control.caller(request) as context:
        outcome = await call(context, "tabs")
    return done(outcome.unwrap().model_dump(mode="json", by_alias=True))


async def _look(control: Control, request: Request, kind: str, given: Given) -> Response:
    profile = control.profile(request)

    def translate(given: Given) -> Call:
        verb, params = LOOKS[kind](dict(given))
        # What is wrong with the request is told before what is wrong with the browser.
        VERBS[verb].read(params)
        control.check_enabled()
        control.active(profile)
        return verb, params

    return await control.call(request, kind, given, translate)


def _asked(request: Request, kind: str) -> Given:
    given = {name: word for name, word in query(request).items() if name != "profile"}
    return typed(VERBS[kind], given)


def _verb(given: Given) -> Call:
    _nothing_else(given, "verb", "params")
    verb, params = given["verb"], given.get("params", {})
    if not isinstance(verb, str) or not isinstance(params, dict):
        raise InputError(
            "`verb` must be a string and `params` an object.",
            hint="Example: {'verb': 'click', 'params': {'selector': '#save'}}.",
        )
    return verb, cast("Given", params)


def _state(given: Given) -> BrowserState:
    try:
        return BrowserState.model_validate(given)
    except ValidationError as error:
        wrong = "; ".join(
            f"`{'.'.join(map(str, each['loc']))[:80]}`: {each['msg']}"
            for each in error.errors(include_input=False)[:5]
        )
        raise InputError(
            f"The state does not fit: {wrong}.",
            hint="Send what GET /browser/state gave: version, cookies, localStorage, "
            "sessionStorage.",
        ) from None


def _word(given: Given, name: str) -> str | None:
    value: Any = given.get(name)
    if value is not None and not (isinstance(value, str) and value.strip()):
        raise InputError(f"`{name}` = {value!r:.80} must be a string that is not empty.")
    return value


def _nothing_else(given: Given, *names: str) -> None:
    extra = sorted(given.keys() - names)
    if extra:
        raise InputError(
            f"`{extra[0]:.80}` is not known here.", hint=f"There are: {', '.join(names)}."
        )
