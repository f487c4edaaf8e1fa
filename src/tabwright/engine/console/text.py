"""What a console message says, in words: the forms of values.

A string stands plain, in an object as well: `{userId: 123, status: active}`; an empty one in an
object is `""`. Values that are logged together stand with a space between them; `%s %d %i %f %o %O`
are filled in, `%c` and its style are left out. What has no end to show is marked `…`:

| logged | shown |
|---|---|
| numbers, BigInt, booleans, symbols | `1`, `-0`, `NaN`, `-Infinity`, `10n`, `true`, `Symbol(key)` |
| null, undefined | `null`, `undefined` |
| object, instance of a class | `{a: 1}`, `Cart {items: 2}` |
| array, its holes, a typed array | `[1, 2, 3]`, `[2 empty, 1]`, `Uint8Array(2) [1, 2]` |
| Map, Set, weak ones | `Map(1) {key => value}`, `Set(2) {1, 2}`, `WeakMap {…}` |
| Date, RegExp | as the browser writes them |
| Error | `TypeError: message`, then what else it holds: `Error: failed {code: 7, cause: …}` |
| function, class | its source; in an object `function` |
| DOM node | `<button#save.primary>`, `<#document>` |
| Promise | `Promise {pending}`, `Promise {fulfilled: 5}`, `Promise {rejected: Error: no}` |
| Proxy | `Proxy(Object) {a: 1}`: what it stands for; its traps are not run |
| boxed primitive | `Number {5}` |
| getter | `(getter)`: it is not run |

Objects show what Chromium notes at the very moment of the call: the first 5 properties or 100
elements, strings in them up to 100 characters. If that is all of the object, what is inside its
values, and long strings whole, are read a moment later, one level deep, unless it changed in
between or the page logs faster than that; deeper still is `{…}` and `[…]`. If it is not all, the
braces end with `…`.

`console.table` shows the rows as arrays or objects; `console.dir` and `dirxml` their value;
`console.group` its label; `groupEnd`, and `log` without a value, say nothing. `assert`,
`count` and the timers say what the browser makes of them.
"""

from __future__ import annotations

import re
from typing import Any

Remote = dict[str, Any]
"""A value as the protocol describes it."""

MORE = "…"
CUT_STRING = 100
"""How long a string in a preview is that Chromium cut in its middle."""
FORMATTED = frozenset(
    {"log", "debug", "info", "error", "warning", "trace", "assert", "startGroup"}
    | {"startGroupCollapsed"}
)
_PLACEHOLDER = re.compile(r"%([sdifoOc%])")
_LENGTH = re.compile(r"\((\d+)\)$")
_EMPTY = re.compile(r"\(0\)$")
_STACK = re.compile(r"\n +at ")
_INTERNAL = re.compile(r"\[\[\w+\]\]")
# What an error shows by its first line, or does not own up to.
_ERROR_OWN = {"stack", "message", "name"}
_WHOLE = {"null", "error", "node", "date", "regexp", "proxy"}
"""Objects that are shown by their description alone, or must not be looked into."""


def message(kind: str, args: list[Remote]) -> str:
    """What a call of a console method says."""
    if kind == "table":
        args = [_only_columns(arg) for arg in args]
    if kind not in FORMATTED or len(args) < 2 or args[0]["type"] != "string":
        return " ".join(map(form, args))
    rest = iter(args[1:])

    def fill(found: re.Match[str]) -> str:
        if found[1] == "%":
            return "%"
        value = next(rest, None)
        if value is None:
            return found[0]
        return "" if found[1] == "c" else form(value)

    said = _PLACEHOLDER.sub(fill, args[0]["value"]) if "%" in args[0]["value"] else args[0]["value"]
    return " ".join([said, *map(form, rest)])


def _only_columns(table: Remote) -> Remote:
    """A table whose rows are as long as the columns that were asked for."""
    rows: list[Remote] = table.get("preview", {}).get("properties", [])
    shown: list[Remote] = []
    for row in rows:
        inner = row.get("valuePreview")
        if inner and inner.get("subtype") == "array":
            cells = len(inner["properties"])
            inner = {**inner, "description": f"Array({cells})"}
        shown.append({**row, "valuePreview": inner})
    return {**table, "preview": {**table["preview"], "properties": shown}} if rows else table


def form(value: Remote) -> str:
    """A value as it stands in a message."""
    if value["type"] == "string":
        return value["value"]
    if "preview" in value:
        return _preview(value["preview"])
    if "unserializableValue" in value:
        return value["unserializableValue"]
    if value.get("subtype") == "null":
        return "null"
    if value["type"] == "boolean":
        return "true" if value["value"] else "false"
    return value.get("description") or value["type"]


def stack_of(value: Remote) -> list[str]:
    """The lines of an error's own stack."""
    if value.get("subtype") != "error":
        return []
    _, *lines = _STACK.split(value.get("description", ""))
    return [line.strip() for line in lines]


def has_more(value: Remote) -> bool:
    """Whether a second look would show more of an object, and is sure to be a short one."""
    preview = value.get("preview")
    if preview is None or preview["overflow"] or preview.get("subtype") in _WHOLE - {"error"}:
        return False
    return any(_hides(one) for one in preview["properties"] if one["name"] not in _ERROR_OWN)


def deepen(value: Remote, found: list[Remote]) -> bool:
    """Put what a second look found into an object's preview, unless the object has changed."""
    values = {one["name"]: one.get("value") for one in found}
    fuller: list[Remote] = []
    for noted in value["preview"]["properties"]:
        now = values.get(noted["name"])
        if not _hides(noted):
            if now is not None and not _same(noted, now):
                return False
            fuller.append(noted)
        elif now is None or not _same(noted, now):
            return False
        elif noted["type"] == "string":
            fuller.append({**noted, "value": now["value"]})
        else:
            fuller.append({**noted, "valuePreview": now.get("preview")})
    value["preview"]["properties"] = fuller
    return True


def _hides(noted: Remote) -> bool:
    """Whether a property in a preview holds more than it shows."""
    if noted.get("valuePreview"):
        return False
    if noted["type"] == "string":
        return len(noted["value"]) == CUT_STRING and MORE in noted["value"]
    looked_into = noted["type"] == "object" and noted.get("subtype") not in _WHOLE
    return looked_into and not _EMPTY.search(noted["value"])


def _same(noted: Remote, now: Remote) -> bool:
    if noted["type"] == "accessor":
        return True
    if noted["type"] != now["type"] or noted.get("subtype") != now.get("subtype"):
        return False
    match noted["type"]:
        case "string":
            if not _hides(noted):
                return now["value"] == noted["value"]
            head, _, tail = noted["value"].partition(MORE)
            return now["value"].startswith(head) and now["value"].endswith(tail)
        case "object" if noted.get("subtype") in _WHOLE:
            return True
        case "object" | "number" | "bigint":
            return now.get("description") == noted["value"]
        case "boolean":
            return str(now["value"]).lower() == noted["value"]
        case _:
            return True


def _preview(preview: Remote) -> str:
    name, properties = preview["description"], preview["properties"]
    if preview["type"] != "object":
        return _string(name) if preview["type"] == "string" else name
    match preview.get("subtype"):
        case "null" | "date" | "regexp":
            return name
        case "node":
            return f"<{name}>"
        case "error":
            return _error(preview)
        case "array" | "typedarray":
            return _array(preview)
        case "map" | "set" | "weakmap" | "weakset" | "iterator":
            inside = [_entry(one) for one in preview.get("entries", ())]
            return _braced(f"{name} ", inside, preview["overflow"])
        case "promise":
            return _promise(preview)
        case _:
            pass
    boxed = next((one for one in properties if one["name"] == "[[PrimitiveValue]]"), None)
    if boxed is not None:
        return f"{name} {{{_property_value(boxed)}}}"
    prefix = "" if name == "Object" else f"{name} "
    return _braced(prefix, _pairs(properties), preview["overflow"])


def _pairs(properties: list[Remote]) -> list[str]:
    return [
        f"{one['name']}: {_property_value(one)}"
        for one in properties
        if not _INTERNAL.fullmatch(one["name"])
    ]


def _property_value(noted: Remote) -> str:
    if noted.get("valuePreview"):
        return _preview(noted["valuePreview"])
    kind, subtype, value = noted["type"], noted.get("subtype"), noted.get("value", "")
    if kind == "accessor":
        return "(getter)"
    if kind == "function":
        return "function"
    if kind == "string":
        return _string(value)
    if kind != "object" or subtype in ("null", "date", "regexp"):
        return value
    if subtype == "node":
        return f"<{value}>"
    if subtype == "error":
        return _STACK.split(value)[0]
    inside = "" if _EMPTY.search(value) else MORE
    if subtype in ("array", "typedarray"):
        return f"[{inside}]" if value.startswith("Array(") else f"{value} [{inside}]"
    return f"{{{inside}}}" if value == "Object" else f"{value} {{{inside}}}"


def _string(text: str) -> str:
    return text or '""'


def _array(preview: Remote) -> str:
    name = preview["description"]
    length = _LENGTH.search(name)
    shown: list[str] = []
    place = 0
    for one in preview["properties"]:
        if not one["name"].isdigit():
            continue
        index = int(one["name"])
        shown += _holes(index - place)
        shown.append(_property_value(one))
        place = index + 1
    if not preview["overflow"]:
        shown += _holes((int(length[1]) if length else place) - place)
    if preview.get("subtype") == "array" and name.startswith("Array("):
        # What else hangs on an array; other lists repeat their elements there.
        shown += _pairs([one for one in preview["properties"] if not one["name"].isdigit()])
        name = ""
    return _braced(name and f"{name} ", shown, preview["overflow"], brackets="[]")


def _holes(count: int) -> list[str]:
    return [] if count <= 0 else ["empty" if count == 1 else f"{count} empty"]


def _error(preview: Remote) -> str:
    title = _STACK.split(preview["description"])[0]
    own = {one["name"] for one in preview["properties"]}
    # A DOMException has a number for its name.
    said = _ERROR_OWN | {"code"} if {"name", "code"} <= own else _ERROR_OWN
    pairs = _pairs([one for one in preview["properties"] if one["name"] not in said])
    return f"{title} {_braced('', pairs, preview['overflow'])}" if pairs else title


def _promise(preview: Remote) -> str:
    inside = {one["name"]: one for one in preview["properties"]}
    state = inside.get("[[PromiseState]]", {}).get("value", "")
    result = inside.get("[[PromiseResult]]")
    if state == "pending" or result is None:
        return f"{preview['description']} {{{state}}}"
    return f"{preview['description']} {{{state}: {_property_value(result)}}}"


def _entry(one: Remote) -> str:
    value = _preview(one["value"])
    return f"{_preview(one['key'])} => {value}" if "key" in one else value


def _braced(prefix: str, inside: list[str], overflow: bool, *, brackets: str = "{}") -> str:
    shown = [*inside, MORE] if overflow else inside
    return f"{prefix}{brackets[0]}{', '.join(shown)}{brackets[1]}"
