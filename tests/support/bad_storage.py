"""Bad parameters of the verbs that have to do with what a browser keeps, and of fetch."""

from __future__ import annotations

import math
from typing import Any

NO_DURATIONS: list[Any] = [0, -1, math.nan, "", "-5s", "5 minutes", "10", True, []]
NO_COOKIES: list[Any] = [
    "a=b",
    {},
    [1],
    ["a=b"],
    [{}],
    [{"name": "a"}],
    [{"value": "a"}],
    [{"name": 1, "value": "b", "domain": "e.com"}],
    [{"name": "a", "value": None, "domain": "e.com"}],
    [{"name": "a", "value": "b", "domain": ""}],
    [{"name": "a", "value": "b", "url": "e.com"}],
    [{"name": "a", "value": "b", "domain": "e.com", "path": ""}],
    [{"name": "a", "value": "b", "domain": "e.com", "expires": "1"}],
    [{"name": "a", "value": "b", "domain": "e.com", "expires": math.inf}],
    [{"name": "a", "value": "b", "domain": "e.com", "httpOnly": 1}],
    [{"name": "a", "value": "b", "domain": "e.com", "secure": "yes"}],
    [{"name": "a", "value": "b", "domain": "e.com", "sameSite": "lax"}],
    [{"name": "a", "value": "b", "domain": "e.com", "size": 2}],
    [{"name": "a", "value": "b", "domain": "e.com"}] * 3001,
]
BAD_STORAGE: dict[tuple[str, str], list[Any]] = {
    ("cookies", "action"): ["", "list", "GET", "clear", 1, None],
    ("cookies", "cookies"): NO_COOKIES,
    ("cookies", "name"): [1, True, ["a"], {}],
    ("cookies", "domain"): ["", " ", 1, True, ["e.com"]],
    ("cookies", "path"): ["", " ", 1, True],
    ("cookies", "urls"): ["https://e.com/", [], [""], ["e.com"], ["file:///a"], [1]],
    ("storage", "action"): ["", "list", "GET", 1, None],
    ("storage", "kind"): ["", "LOCAL", "localStorage", "cookies", 1, None],
    ("storage", "keys"): ["a", [], [1], [None], {}, 5],
    ("storage", "items"): ["a", [], ["a"], {"a": 1}, {"a": None}, {"a": {}}, 5],
    ("geolocation", "action"): ["", "get", "SET", 1, None],
    ("geolocation", "latitude"): [-90.01, 91, "52", True, math.nan, math.inf, []],
    ("geolocation", "longitude"): [-180.01, 181, "13", True, math.nan, math.inf, []],
    ("geolocation", "accuracy"): [-1, "1", True, math.nan, math.inf, []],
    ("fetch", "url"): [
        "",
        " ",
        "two words",
        "file:///etc/passwd",
        "javascript:1",
        "about:blank",
        5,
    ],
    ("fetch", "maxLength"): [0, -1, 1_000_001, 1.5, "10", True, None],
    ("fetch", "start"): [-1, 10_000_001, 1.5, "10", True, None],
    ("fetch", "useBrowser"): ["", "auto", "always", "NEVER", 1, None, False],
    ("fetch", "timeout"): NO_DURATIONS,
}


def _setting(**fields: Any) -> tuple[str, dict[str, Any], str]:
    cookie = {"name": "a", "value": "b", "domain": "e.com", **fields}
    return "cookies", {"action": "set", "cookies": [cookie]}, "cookies"


STORAGE_TOGETHER: list[tuple[str, dict[str, Any], str]] = [
    ("cookies", {"action": "set"}, "cookies"),
    ("cookies", {"cookies": []}, "cookies"),
    ("cookies", {"action": "set", "cookies": [], "name": "a"}, "name"),
    ("cookies", {"action": "delete"}, "name"),
    ("cookies", {"action": "delete", "urls": ["https://e.com/"]}, "urls"),
    ("cookies", {"action": "set", "cookies": [{"name": "a", "value": "b"}]}, "cookies"),
    _setting(sameSite="None"),
    _setting(expires=1),
    ("storage", {"action": "set"}, "items"),
    ("storage", {"items": {"a": "b"}}, "items"),
    ("storage", {"action": "delete"}, "keys"),
    ("storage", {"action": "clear", "keys": ["a"]}, "keys"),
    ("geolocation", {"latitude": 1}, "longitude"),
    ("geolocation", {"longitude": 1}, "latitude"),
    ("geolocation", {"action": "clear", "accuracy": 1}, "accuracy"),
]
