"""Bad parameters of the verbs that have to do with the network."""

from __future__ import annotations

import math
from typing import Any

NO_SWITCHES: list[Any] = ["true", 1, 0, None, "yes", []]
BAD_NETWORK: dict[tuple[str, str], list[Any]] = {
    ("network", "action"): ["", "show", "LIST", 1, None, ["list"]],
    ("network", "id"): ["", " ", 1, True, ["r1"]],
    ("network", "url"): ["", " ", 1, "/(/"],
    ("network", "method"): ["", "get", "FETCH", 1],
    ("network", "status"): [0, 99, 600, "6xx", "40x", "", "ok", True, 200.5, []],
    ("network", "resourceType"): ["", "Fetch", "html", 1],
    ("network", "source"): ["", "cache", "Network", 1],
    ("network", "tab"): ["", " ", 1, True, ["t1"]],
    ("network", "since"): ["", "12", "r", "5 minutes", "-1s", 5, True],
    ("network", "limit"): [0, -1, 1001, 1.5, "10", True],
    ("network", "reveal"): NO_SWITCHES,
    ("network", "bodies"): NO_SWITCHES,
    ("network", "path"): ["", "  ", 1, True, ["a.har"]],
    ("conditions", "offline"): ["true", 1, 0, "yes", []],
    ("conditions", "network"): ["", "3g", "4G", 1, []],
    ("conditions", "latency"): [-1, 60_001, "5", True, math.nan, []],
    ("conditions", "download"): [0, -1, "400", True, math.inf, 1e9],
    ("conditions", "upload"): [0, -1, "400", True, math.inf, 1e9],
    ("conditions", "cpu"): [0, 0.5, 101, "2", True, math.nan],
    ("service_workers", "action"): ["", "remove", "LIST", 1, None],
    ("service_workers", "scope"): ["", " ", 1, True, ["/"]],
    ("route", "action"): ["", "block", "ABORT", 1, None],
    ("route", "url"): ["", " ", 1, "/(/"],
    ("route", "method"): ["", "get", "FETCH", 1],
    ("route", "resourceType"): ["", "Fetch", "html", 1],
    ("route", "error"): ["", "Failed", "net::ERR_FAILED", 1],
    ("route", "status"): [0, 101, 600, "200", True, 200.5],
    ("route", "headers"): [[], "a: b", {"a b": "c"}, {"": "c"}, {"a": "b\nc"}, {"a": 1}],
    ("route", "body"): [1, True, {}, ["a"]],
    ("route", "path"): ["", " ", 1, True, ["a"]],
    ("route", "newUrl"): ["", "/path", "file:///etc/passwd", 1],
    ("route", "newMethod"): ["", "get", 1],
    ("route", "id"): ["", " ", 1, True],
}
NETWORK_TOGETHER: list[tuple[str, dict[str, Any], str]] = [
    ("network", {"action": "get"}, "id"),
    ("network", {"id": "r1"}, "id"),
    ("network", {"action": "clear", "method": "GET"}, "method"),
    ("network", {"action": "get", "id": "r1", "url": "x"}, "url"),
    ("network", {"bodies": True}, "bodies"),
    ("network", {"path": "a.har"}, "path"),
    ("service_workers", {"scope": "/"}, "scope"),
    ("route", {"action": "abort"}, "url"),
    ("route", {"url": "x"}, "url"),
    ("route", {"action": "abort", "url": "x", "status": 200}, "status"),
    ("route", {"action": "fulfil", "url": "x", "body": "a", "path": "b"}, "path"),
    ("route", {"action": "fulfil", "url": "x", "newUrl": "http://h/"}, "newUrl"),
    ("route", {"action": "modify", "url": "x"}, "headers"),
    ("route", {"action": "remove", "method": "GET"}, "method"),
    ("route", {"id": "route1"}, "id"),
]
