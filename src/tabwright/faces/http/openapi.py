"""What can be asked over HTTP, as an OpenAPI document made from the verbs and the tools."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from pydantic import BaseModel

from tabwright.engine.state import BrowserState
from tabwright.surfaces.action import KINDS
from tabwright.surfaces.registry import ToolRegistry
from tabwright.verb import described
from tabwright.verbs import VERBS

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
REF = "#/components/schemas/"
HTTP_ERRORS = {
    "400": "What was sent is wrong; nothing has changed.",
    "401": "The bearer token is missing or wrong.",
    "403": "Not allowed: a foreign Host, a web page, a disabled browser, a path.",
    "404": "There is no such profile, browser, element or file.",
    "413": "The body is too large.",
    "415": "The body is not JSON.",
    "422": "The page did not do what was asked.",
    "500": "A defect of Tabwright.",
    "503": "The browser cannot be had, or the server is going.",
    "504": "Not done by its deadline.",
}
CONVERSATION: Schema = {
    "name": "X-Tabwright-Conversation",
    "in": "header",
    "description": "Whose pages are meant; default: 'default'.",
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9._:@-]{1,128}$"},
}
PROFILE: Schema = {
    "name": "profile",
    "in": "query",
    "description": "Which profile is meant; default: the one in use.",
    "schema": TEXT,
}


def document(registry: ToolRegistry) -> Schema:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tabwright control server",
            "version": version("tabwright"),
            "description": "Events come over a WebSocket at /events.",
        },
        "security": [{"token": []}],
        "paths": {**_browser_paths(), **_listing_paths(), **_tool_paths(registry)},
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "parameters": {"conversation": CONVERSATION, "profile": PROFILE},
            "responses": {"error": _json("What went wrong.", {"$ref": f"{REF}Error"})},
            "schemas": _schemas(),
        },
    }


def _browser_paths() -> Schema:
    looks = {
        f"/browser/{verb}": {
            "get": _operation(verb, VERBS[verb].summary, _outcome(verb), parameters=_query(verb))
        }
        for verb in ("screenshot", "snapshot")
    }
    state = {"$ref": f"{REF}BrowserState"}
    return {
        "/browser/launch": _post(
            "launch",
            "Start the browser of a profile.",
            _object(browserId=TEXT, profile=TEXT, cdpEndpoint=TEXT, createdAt=TEXT),
            _object(profileName=TEXT),
        ),
        "/browser/close": _post(
            "close",
            "Close a browser.",
            _object(browserId=TEXT, profile=TEXT, closed={"type": "boolean"}),
            _object(browserId=TEXT),
        ),
        "/browser/action": _post(
            "action",
            "Do one thing: an action by its type, or a verb with its parameters.",
            {"anyOf": [_outcome(verb) for verb in VERBS]},
            {"oneOf": [{"$ref": f"{REF}Action"}, *map(_verb_call, VERBS)]},
        ),
        "/browser/state": {
            "get": _operation("getState", "Cookies and storage of the conversation.", state),
            **_post("setState", "Put cookies and storage in.", {"type": "object"}, state),
        },
        "/browser/pdf": _post(
            "pdf", VERBS["pdf"].summary, _outcome("pdf"), {"$ref": f"{REF}pdf.params"}
        ),
        **looks,
    }


def _listing_paths() -> Schema:
    told = {"type": "object"}
    health = _operation("health", "Who the server is.", told)
    name = {"name": "name", "in": "path", "required": True, "schema": TEXT}
    file = _operation("artifact", "A file that a reply named.", {}, parameters=[name])
    file["responses"]["200"] = {"description": "The file.", "content": {"*/*": {}}}
    counts = _operation("metrics", "Counts in Prometheus' text format.", {})
    counts["responses"]["200"] = {
        "description": "The counts.",
        "content": {"text/plain": {"schema": TEXT}},
    }
    return {
        "/health": {"get": {**health, "security": []}},
        "/profiles": {"get": _operation("profiles", "All profiles.", told)},
        "/sessions": {"get": _operation("sessions", "All conversations.", told)},
        "/tabs": {"get": _operation("tabs", "The tabs of the conversation.", _ref("tabs.result"))},
        "/artifacts/{name}": {"get": file},
        "/metrics": {"get": counts},
        "/metrics.json": {"get": _operation("metricsJson", "Counts as data.", told)},
        "/openapi.json": {"get": _operation("openapi", "This document.", told)},
        "/tools": {"get": _operation("tools", "The tools that agents are told of.", told)},
    }


def _tool_paths(registry: ToolRegistry) -> Schema:
    return {
        f"/tools/{tool.name}": _post(
            f"tool.{tool.name}", tool.told, {"$ref": f"{REF}Outcome"}, tool.parameters
        )
        for tool in registry.listed()
    }


def _schemas() -> Schema:
    found: Schema = {
        "Error": {
            "type": "object",
            "required": ["success", "error"],
            "properties": {
                "success": {"const": False},
                "error": {
                    "type": "object",
                    "required": ["code", "message", "timestamp"],
                    "properties": {
                        "code": TEXT,
                        "message": TEXT,
                        "details": {"type": "object"},
                        "timestamp": TEXT,
                        "context": {"type": "object"},
                    },
                },
                "timestamp": TEXT,
            },
        },
        "Outcome": {
            "type": "object",
            "required": ["success", "action", "executionTime", "timestamp"],
            "properties": {
                "success": {"type": "boolean"},
                "action": TEXT,
                "notices": {"type": "array", "items": TEXT},
                "artifacts": {"type": "array", "items": {"type": "object"}},
                "nextActions": {"type": "array", "items": {"type": "object"}},
                "executionTime": {"type": "number"},
                "timestamp": TEXT,
            },
        },
        "Action": {
            "type": "object",
            "required": ["type"],
            "properties": {"type": {"enum": list(KINDS)}},
        },
        "BrowserState": _model("BrowserState", BrowserState),
    }
    for verb in VERBS.values():
        found[f"{verb.name}.params"] = _model(f"{verb.name}.params", verb.params)
        found[f"{verb.name}.result"] = _model(f"{verb.name}.result", verb.result)
    return found


def _model(name: str, model: type[BaseModel]) -> Schema:
    """A model's schema; what it is made of stays inside, so that no two can have one name."""
    inside = f"{REF}{name}/$defs/{{model}}"
    schema = model.model_json_schema(by_alias=True, ref_template=inside)
    for field, text in described(model).items():
        schema["properties"][model.model_fields[field].alias or field]["description"] = text
    return schema


def _query(verb: str) -> list[Schema]:
    properties: Schema = _model(f"{verb}.params", VERBS[verb].params)["properties"]
    return [
        {"name": name, "in": "query", "schema": schema, "description": schema["description"]}
        for name, schema in properties.items()
    ]


def _outcome(verb: str) -> Schema:
    result = {"type": "object", "properties": {"result": _ref(f"{verb}.result")}}
    return {"allOf": [{"$ref": f"{REF}Outcome"}, result]}


def _verb_call(verb: str) -> Schema:
    return _object(required=["verb"], verb={"const": verb}, params=_ref(f"{verb}.params"))


def _ref(name: str) -> Schema:
    return {"$ref": f"{REF}{name}"}


def _object(required: list[str] | None = None, **properties: Schema) -> Schema:
    found: Schema = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }
    return {**found, "required": required} if required else found


def _post(operation_id: str, summary: str, data: Schema, body: Schema) -> Schema:
    operation = _operation(operation_id, summary, data)
    operation["requestBody"] = {"content": {"application/json": {"schema": body}}}
    return {"post": operation}


def _operation(
    operation_id: str, summary: str, data: Schema, *, parameters: list[Schema] | None = None
) -> Schema:
    envelope = _object(success={"const": True}, data=data, timestamp=TEXT)
    errors = {
        status: {"$ref": "#/components/responses/error", "description": text}
        for status, text in HTTP_ERRORS.items()
    }
    shared = [{"$ref": f"#/components/parameters/{name}"} for name in ("conversation", "profile")]
    return {
        "operationId": operation_id,
        "summary": summary,
        "parameters": [*shared, *(parameters or [])],
        "responses": {"200": _json("Done.", envelope), **errors},
    }


def _json(text: str, schema: Schema) -> Schema:
    return {"description": text, "content": {"application/json": {"schema": schema}}}
