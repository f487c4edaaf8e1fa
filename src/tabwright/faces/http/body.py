"""Bodies and queries, as data: of bounded size, depth and time."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import orjson
from starlette.requests import ClientDisconnect, Request

from tabwright.errors import Cancelled, InputError
from tabwright.faces.depth import DEPTH, too_deep
from tabwright.faces.http.refusal import TooLarge, TooSlow, WrongType
from tabwright.verb import Verb, schema_of

Given = dict[str, Any]

BODY_BYTES = 1024 * 1024
BODY_S = 30.0
# A client that is refused before it has sent all hears of it only when it has.
DRAINED_BYTES = 16 * 1024 * 1024
DRAINED_S = 5.0
WORDS = {"true": True, "1": True, "": True, "false": False, "0": False}


async def table(request: Request) -> Given:
    """The JSON object that a request carries; one without a body carries an empty one.

    Raises:
        InputError: it carries something else, or too much of it.
    """
    data = await _bytes(request)
    if not data:
        return {}
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise WrongType(
            f"The body is said to be {kind[:80] or 'nothing in particular'!r}.",
            hint="Send JSON with `Content-Type: application/json`.",
        )
    try:
        value = orjson.loads(data)
    except ValueError as error:
        raise InputError(f"The body is not JSON: {error}."[:300]) from None
    if not isinstance(value, dict):
        raise InputError(f"The body must be an object, not {type(value).__name__}.")
    if too_deep(value):
        raise InputError(f"The body is nested more than {DEPTH} levels deep.")
    return cast("Given", value)


async def _bytes(request: Request) -> bytes:
    parts: list[bytes] = []
    size = 0
    announced = request.headers.get("content-length", "")
    too_large = announced.isascii() and announced.isdigit() and int(announced[:20]) > BODY_BYTES
    try:
        async with asyncio.timeout(DRAINED_S if too_large else BODY_S):
            async for part in request.stream():
                size += len(part)
                if size > DRAINED_BYTES:
                    break
                too_large = too_large or size > BODY_BYTES
                if too_large:
                    parts.clear()
                else:
                    parts.append(part)
    except TimeoutError:
        if not too_large:
            raise TooSlow(f"The body was not there within {BODY_S:g} s.") from None
    except ClientDisconnect:
        raise Cancelled("The client left before it had sent its request.") from None
    if too_large:
        raise TooLarge(
            f"The body has more than {BODY_BYTES} bytes.", hint="Send less, or name a file."
        )
    return b"".join(parts)


def query(request: Request) -> dict[str, str]:
    """The query of a request; each name once.

    Raises:
        InputError: a name is given twice.
    """
    pairs = request.query_params.multi_items()
    found = dict(pairs)
    if len(found) < len(pairs):
        raise InputError("A parameter is given twice in the query.", hint="Give each name once.")
    return found


def typed(verb: Verb, given: dict[str, str]) -> Given:
    """Words of a query as the values that a verb takes; what does not fit stays a word."""
    properties: Given = schema_of(verb.params)["properties"]
    return {name: _value(properties.get(name, {}), word) for name, word in given.items()}


def _value(schema: Given, word: str) -> Any:
    kinds = {each.get("type") for each in (schema, *schema.get("anyOf", ()))}
    if "boolean" in kinds and word.lower() in WORDS:
        return WORDS[word.lower()]
    for kind, made in (("integer", int), ("number", float)):
        if kind in kinds and word.isascii() and len(word) <= 20:
            try:
                return made(word)
            except ValueError:
                continue
    return word
