"""Parameters as a JSON schema that is cheap to read: no references, no titles, no nulls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from tabwright.verb import Params, schema_of

Schema = dict[str, Any]
# A time limit is a number of milliseconds to those who read a schema; a duration works as well.
TIMES = ("timeout", "networkIdle", "time", "latency")
KEPT = ("type", "description", "enum", "items", "properties", "required", "default", "const")


def parameters(
    model: type[Params], names: Mapping[str, str], defaults: Mapping[str, Any]
) -> Schema:
    """The parameters of a model: those of `names`, from the model's name to the one shown."""
    whole = schema_of(model)
    found: Schema = {}
    for name, said in cast("dict[str, Schema]", whole["properties"]).items():
        if name not in names:
            continue
        shown = names[name]
        found[shown] = _plain(said, whole.get("$defs", {}))
        if shown in TIMES:
            found[shown] = {"type": "number", **_without(found[shown], "type", "anyOf")}
        if shown in defaults:
            found[shown]["default"] = defaults[shown]
        if found[shown].get("default") in (None, "", [], {}):
            found[shown].pop("default", None)
    required = [names.get(name, name) for name in whole.get("required", ())]
    return {
        "type": "object",
        "properties": {name: found[name] for name in names.values()},
        "required": [name for name in required if name in found],
    }


def _plain(said: Schema, shared: Mapping[str, Schema]) -> Schema:
    if "$ref" in said:
        inner = shared.get(str(said["$ref"]).rpartition("/")[2], {})
        said = {**inner, **_without(said, "$ref")}
    choices = [each for each in said.get("anyOf", ()) if each != {"type": "null"}]
    if choices:
        # One form is enough to know how to use it; all forms work.
        said = {**_plain(choices[0], shared), **_without(said, "anyOf")}
    plain = {key: said[key] for key in KEPT if key in said}
    if plain.get("type") == "integer":
        plain["type"] = "number"
    if isinstance(plain.get("default"), float) and plain["default"].is_integer():
        plain["default"] = int(plain["default"])
    if plain.get("default", "") is None:
        del plain["default"]
    if "description" in plain:
        plain["description"] = " ".join(plain["description"].split())
    if "const" in plain:
        plain["enum"] = [plain.pop("const")]
    if "enum" in plain:
        plain.setdefault("type", "string")
    if isinstance(plain.get("items"), dict):
        plain["items"] = _plain(plain["items"], shared)
    inner = cast("dict[str, Schema]", plain.get("properties", {}))
    if inner:
        plain["properties"] = {name: _plain(each, shared) for name, each in inner.items()}
    return plain


def _without(said: Schema, *names: str) -> Schema:
    return {key: value for key, value in said.items() if key not in names}
