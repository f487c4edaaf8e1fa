"""Running a caller's JavaScript in the page, and bringing its value back whole."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass
from typing import Any

from tabwright.engine.cdp import Params, ProtocolError
from tabwright.engine.tab import Tab
from tabwright.errors import InputError, ScriptError, TargetClosed, TimedOut
from tabwright.page import script

MAX_DEPTH = 100
MAX_VALUES = 1_000_000
STACK_LINES = 5
ANONYMOUS = re.compile(r"\s*(async\s+)?function\b")
FUNCTION = re.compile(r"\s*\(*\s*((async\s*)?(function\b|\(|[\w$]+\s*=>))|.*=>", re.DOTALL)
STACK_POSITION = re.compile(r":(\d+):(\d+)\)?$")
MAY_STORE = re.compile(r"cookie|storage", re.IGNORECASE)
INTERNAL_ERROR = -32603
# As JSON text, because Chromium reads an argument as an object literal, where __proto__ is no key.
CALL = "function (args) { return this(...JSON.parse(args)); }"
HUNG_AFTER_S = 0.2
UNSERIALIZABLE = {"NaN", "Infinity", "-Infinity", "-0"}


@dataclass
class Value:
    """What a script gave."""

    type: str
    """JavaScript's own word for it, `null` and `undefined` told apart."""
    value: Any


async def evaluate(
    tab: Tab,
    source: str,
    *,
    args: list[Any] | None = None,
    await_promise: bool = True,
    timeout_ms: float,
) -> Value:
    """Evaluate an expression or statements; a function is called, with `args` if given.

    Raises:
        ScriptError: it threw, or its promise was rejected.
        TimedOut: it did not end; a script that runs on is stopped, the page stays usable.
    """
    try:
        async with asyncio.timeout(timeout_ms / 1000):
            return await _evaluate(tab, source, args, await_promise, timeout_ms)
    except TimeoutError:
        if not await tab.answers(HUNG_AFTER_S):
            await tab.interrupt()
            raise _stopped(timeout_ms) from None
        raise TimedOut(
            "The script",
            timeout_ms,
            hint="Raise `timeout`, or pass await: false for a promise that takes long.",
        ) from None
    except ProtocolError as error:
        raise _protocol(error, timeout_ms) from error


async def _evaluate(
    tab: Tab, source: str, args: list[Any] | None, await_promise: bool, timeout_ms: float
) -> Value:
    if MAY_STORE.search(source):
        tab.stirred = True
    answer = await _compiled(tab, source, await_promise, timeout_ms)
    result = await _awaited(tab, await _result(tab, answer), await_promise)
    if result["type"] == "function" and (args is not None or FUNCTION.match(source)):
        result = await _call(tab, result["objectId"], args or [], await_promise)
    elif args is not None:
        raise InputError(
            "`args` need a function to be passed to.",
            hint="For example: script '(a, b) => a + b' with args [1, 2].",
        )
    return await _value(tab, result)


async def _compiled(tab: Tab, source: str, await_promise: bool, timeout_ms: float) -> Params:
    params = {
        "expression": source,
        "replMode": True,
        "awaitPromise": await_promise,
        "userGesture": True,
        "allowUnsafeEvalBlockedByCSP": True,
        # A little earlier than our own deadline, so that the page says it and is free again.
        "timeout": max(timeout_ms - 20, 1),
    }
    answer = await tab.send("Runtime.evaluate", params)
    if _is_syntax_error(answer) and ANONYMOUS.match(source):
        # `function (a) {…}` is a statement without its name, and an expression in parentheses.
        return await tab.send("Runtime.evaluate", {**params, "expression": f"({source}\n)"})
    return answer


def _is_syntax_error(answer: Params) -> bool:
    exception = answer.get("exceptionDetails", {}).get("exception", {})
    return exception.get("className") == "SyntaxError"


async def _awaited(tab: Tab, result: Params, await_promise: bool) -> Params:
    """REPL mode, which allows `await` and repeated `const`, hands a promise back as it is."""
    if not await_promise or result.get("subtype") != "promise":
        return result
    answer = await tab.send("Runtime.awaitPromise", {"promiseObjectId": result["objectId"]})
    tab.post("Runtime.releaseObject", {"objectId": result["objectId"]})
    return await _result(tab, answer)


async def _call(tab: Tab, function: str, args: list[Any], await_promise: bool) -> Params:
    answer = await tab.send(
        "Runtime.callFunctionOn",
        {
            "functionDeclaration": CALL,
            "objectId": function,
            "arguments": [{"value": json.dumps(args)}],
            "awaitPromise": await_promise,
            "userGesture": True,
        },
    )
    tab.post("Runtime.releaseObject", {"objectId": function})
    return await _result(tab, answer)


async def _value(tab: Tab, result: Params) -> Value:
    kind = result.get("subtype", result["type"])
    if "objectId" in result and kind != "promise" and result["type"] == "object":
        return Value(kind, json.loads(await _plain(tab, result["objectId"])))
    if result.get("unserializableValue"):
        text = result["unserializableValue"]
        return Value(kind, text if text in UNSERIALIZABLE else text.removesuffix("n"))
    if kind in ("function", "symbol", "promise"):
        return Value(kind, result.get("description", kind))
    return Value("null" if result.get("subtype") == "null" else kind, result.get("value"))


async def _plain(tab: Tab, object_id: str) -> str:
    answer = await tab.send(
        "Runtime.callFunctionOn",
        {
            "functionDeclaration": script("plain.js"),
            "objectId": object_id,
            "arguments": [{"value": MAX_DEPTH}, {"value": MAX_VALUES}],
            "returnByValue": True,
        },
    )
    tab.post("Runtime.releaseObject", {"objectId": object_id})
    return (await _result(tab, answer))["value"]


async def _result(tab: Tab, answer: Params) -> Params:
    thrown = answer.get("exceptionDetails")
    if thrown is None:
        return answer["result"]
    exception = thrown.get("exception", {})
    is_error = exception.get("subtype") == "error"
    if is_error or "objectId" not in exception:
        description = str(exception.get("description") or json.dumps(exception.get("value")))
    else:
        description = await _plain(tab, exception["objectId"])
    message, *stack = description.splitlines()
    line, column = _position(thrown, stack)
    raise ScriptError(
        f"The script threw {message if is_error else description:.500}"
        f" (line {line}, column {column}).",
        exception=exception.get("className") or exception.get("type", ""),
        line=line,
        column=column,
        stack=[line.strip() for line in stack[:STACK_LINES]] or None,
    )


def _position(thrown: Params, stack: list[str]) -> tuple[int, int]:
    """Where it was thrown. In REPL mode only the stack says it truly."""
    found = STACK_POSITION.search(stack[0]) if stack else None
    if found is not None:
        return int(found[1]), int(found[2])
    return thrown["lineNumber"] + 1, thrown["columnNumber"] + 1


def _protocol(error: ProtocolError, timeout_ms: float) -> Exception:
    reason = error.reason.lower()
    if error.protocol_code == INTERNAL_ERROR or "terminated" in reason:
        # How V8 reports a script that it stopped at the time limit we gave.
        return _stopped(timeout_ms)
    if "context was destroyed" in reason or "navigated or closed" in reason:
        return TargetClosed(
            "The page went elsewhere while the script ran, and its value went with it.",
            hint="Look where the page is now; the script may have run.",
        )
    return ScriptError(f"The script could not run: {error.reason}.")


def _stopped(timeout_ms: float) -> TimedOut:
    return TimedOut(
        "The script", timeout_ms, hint="It ran on and was stopped; the page is free again."
    )
