"""Endpoints that tell what there is: the server, profiles, sessions, tools, files, counts."""

from __future__ import annotations

import os
from importlib.metadata import version

from starlette.requests import Request
from starlette.responses import Response

from tabwright.faces.http.body import table
from tabwright.faces.http.control import Control
from tabwright.faces.http.refusal import NotFound
from tabwright.faces.http.reply import Json, done

PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


async def health(control: Control, _: Request) -> Response:
    """Who we are; it needs no token."""
    del control
    facts = {"name": "tabwright", "version": version("tabwright"), "pid": os.getpid()}
    return done({"status": "ok", **facts})


async def profiles(control: Control, _: Request) -> Response:
    """All profiles, and which of them have a browser."""
    manager = control.manager
    current = manager.get_current_profile().name
    told: list[dict[str, object]] = []
    for profile in manager.list_profiles():
        usable = profile.type == "isolated"
        browser = manager.get_active_browser(profile.name) if usable else None
        told.append(
            {
                "name": profile.name,
                "type": profile.type,
                "persistent": profile.persistent,
                "current": profile.name == current,
                "browserId": browser.id if browser else None,
                "state": browser.state if browser else "closed",
            }
        )
    return done({"profiles": told})


async def sessions(control: Control, _: Request) -> Response:
    """All conversations, sleeping ones included."""
    told = [
        {
            "conversation": session.key.conversation,
            "profile": session.key.profile,
            "active": session.entered,
            "tabs": len(session.tabs),
            "url": session.current.url if session.current else None,
        }
        for session in control.manager.sessions()
    ]
    return done({"sessions": told})


async def tools(control: Control, _: Request) -> Response:
    """The tools that agents are told of."""
    told = [
        {
            "name": tool.name,
            "description": tool.told,
            "parameters": tool.parameters,
            "effect": tool.effect,
        }
        for tool in control.registry.listed()
    ]
    return done({"tools": told})


async def call_tool(control: Control, request: Request) -> Response:
    """Call a tool; `text` is what a model reads of it."""
    name = request.path_params["name"]
    if not control.registry.has(name):
        raise NotFound(f"There is no tool {name!r:.80}.", hint="GET /tools lists them.")
    given = await table(request)
    async with control.caller(request) as context:
        outcome = await control.registry.call(context, name, given)
    return control.told(context.conversation_id, outcome, text=outcome.text())


async def artifact(control: Control, request: Request) -> Response:
    """A file that a reply named."""
    return control.shelf.get(control.conversation(request), request.path_params["name"])


async def metrics(control: Control, _: Request) -> Response:
    """Counts in Prometheus' text format."""
    text = control.manager.journal.metrics.prometheus()
    return Response(text, headers={"content-type": PROMETHEUS})


async def metrics_json(control: Control, _: Request) -> Response:
    """Counts as data."""
    return done(control.manager.journal.metrics.as_dict())


async def openapi(control: Control, _: Request) -> Response:
    """What can be asked, for programs that make programs of it."""
    from tabwright.faces.http.openapi import document

    return Json(document(control.registry))
