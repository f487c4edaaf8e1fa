"""The shape of an HTTP Archive 1.2, as far as the specification demands it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NoReturn

PAIR = {"name": str, "value": str}
NUMBER = (int, float)
TIMINGS = ("blocked", "dns", "connect", "ssl", "send", "wait", "receive")
NEEDED: dict[str, dict[str, Any]] = {
    "log": {"version": str, "creator": dict, "entries": list},
    "creator": {"name": str, "version": str},
    "page": {"startedDateTime": str, "id": str, "title": str, "pageTimings": dict},
    "entry": {
        "startedDateTime": str,
        "time": NUMBER,
        "request": dict,
        "response": dict,
        "cache": dict,
        "timings": dict,
    },
    "request": {
        "method": str,
        "url": str,
        "httpVersion": str,
        "cookies": list,
        "headers": list,
        "queryString": list,
        "headersSize": int,
        "bodySize": int,
    },
    "response": {
        "status": int,
        "statusText": str,
        "httpVersion": str,
        "cookies": list,
        "headers": list,
        "content": dict,
        "redirectURL": str,
        "headersSize": int,
        "bodySize": int,
    },
    "content": {"size": int, "mimeType": str},
    "postData": {"mimeType": str, "text": str},
    "timings": {"send": NUMBER, "wait": NUMBER, "receive": NUMBER},
}


def check_har(har: Any) -> None:
    """Fail where a viewer would."""
    log = har["log"]
    _has("log", log)
    _has("creator", log["creator"])
    assert log["version"] == "1.2"
    for page in log["pages"]:
        _has("page", page)
        _moment(page["startedDateTime"])
    ids = {page["id"] for page in log["pages"]}
    for entry in log["entries"]:
        _check_entry(entry)
        assert entry.get("pageref") in ids | {None}


def _check_entry(entry: Any) -> None:
    request, response, timings = entry["request"], entry["response"], entry["timings"]
    _has("entry", entry)
    _has("request", request)
    _has("response", response)
    _has("content", response["content"])
    _has("timings", timings)
    _moment(entry["startedDateTime"])
    if "postData" in request:
        _has("postData", request["postData"])
    for owner in (request, response):
        for pair in (*owner["headers"], *owner["cookies"], *owner.get("queryString", ())):
            assert isinstance(pair["name"], str)
            assert isinstance(pair["value"], str)
    assert set(timings) <= set(TIMINGS)
    for name in ("send", "wait", "receive"):
        assert timings[name] >= 0
    whole = sum(ms for name, ms in timings.items() if ms >= 0 and name != "ssl")
    assert abs(entry["time"] - whole) < 0.01
    own = {key for part in (entry, request, response) for key in part if key.startswith("_")}
    unknown = set(entry) - set(NEEDED["entry"]) - {"pageref", "serverIPAddress", "connection"} - own
    assert unknown == set()


def _has(kind: str, given: Any) -> None:
    for name, wanted in NEEDED[kind].items():
        if name not in given or not isinstance(given[name], wanted):
            _wrong(f"{kind}.{name} = {given.get(name)!r}")


def _moment(text: str) -> None:
    assert datetime.fromisoformat(text).tzinfo is not None


def _wrong(what: str) -> NoReturn:
    raise AssertionError(what)
