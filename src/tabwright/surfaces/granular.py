"""One tool for each thing that can be done, in groups: the names of the second and third document.

What is listed of a tool is what is mostly needed; every parameter of its verb works.
"""

from __future__ import annotations

from tabwright.surfaces.batch import Batch
from tabwright.surfaces.tool import Call, Given, Tool
from tabwright.surfaces.waiting import WaitFor, WaitForSelector, wait, wait_for_selector

LOADED = ("waitUntil", "timeout")
NOW = ("selector", "timeout")

# What can only be had in lines.
IN_LINES = {"diff", "more", "find", "full", "role", "depth", "viewport", "interactive"}


def snapshot(given: Given) -> Call:
    """A `browser_snapshot`: text to read and data for programs, unless it asks for lines only."""
    data = {} if IN_LINES & given.keys() else {"format": "json"}
    return "snapshot", {**data, **given}


CORE = [
    Tool("browser_navigate", "navigate", "core", shows=("url", *LOADED)),
    Tool("browser_back", "back", "core", shows=LOADED),
    Tool(
        "browser_snapshot",
        "snapshot",
        "core",
        "See the page: its text and controls with refs to act on, within a budget of tokens; json "
        "also gives html and accessibility tree as data, in a file when long.",
        shows=("selector", "budget", "diff", "find", "more", "full", "includeIframes", "format"),
        make=snapshot,
        for_programs=("format",),
        schema={"format": {"default": "json"}, "includeIframes": {"default": False}},
    ),
    Tool(
        "browser_click",
        "click",
        "core",
        shows=("selector", "button", "clickCount", "wait", "timeout"),
    ),
    Tool(
        "browser_type",
        "type",
        "core",
        shows=("selector", "text", "clear", "delay", "timeout"),
    ),
    Tool("browser_fill", "fill", "core", shows=("selector", "text", "timeout")),
    Tool("browser_set", "set", "core", shows=("selector", "value", "timeout")),
    Tool("browser_press", "press", "core", shows=("key", "selector", "timeout")),
    Tool("browser_select", "select", "core", shows=("selector", "options", "timeout")),
    Tool("browser_scroll", "scroll", "core", shows=("to", "selector", "amount", "x", "y")),
    Tool(
        "browser_wait_for_selector",
        "wait",
        "core",
        "Wait for an element.",
        model=WaitForSelector,
        make=wait_for_selector,
    ),
    Tool("browser_wait", "wait", "core", "Wait for a condition.", model=WaitFor, make=wait),
    Tool(
        "browser_screenshot",
        "screenshot",
        "core",
        shows=("selector", "clip", "fullPage", "type", "quality", "path", "encoding", "annotate"),
    ),
    Tool(
        "browser_eval",
        "evaluate",
        "core",
        shows=("expression", "args", "await", "timeout"),
    ),
    Tool("browser_tabs", "tabs", "core", shows=("action", "tab", "url")),
    Tool(
        "browser_batch",
        "evaluate",
        "core",
        "Several calls of tools in one, when the steps are known.",
        model=Batch,
        several=True,
    ),
]

INPUT = [
    Tool("browser_hover", "hover", "input", shows=NOW),
    Tool("browser_drag", "drag", "input", shows=("selector", "to", "timeout")),
    Tool("browser_drop", "drop", "input", shows=("selector", "files", "timeout")),
    Tool("browser_check", "check", "input", shows=NOW),
    Tool("browser_uncheck", "uncheck", "input", shows=NOW),
    Tool("browser_focus", "focus", "input", shows=NOW),
    Tool("browser_blur", "blur", "input", shows=NOW),
    Tool("browser_key", "key", "input", shows=("action", "key")),
    Tool("browser_insert", "insert", "input", shows=("text",)),
    Tool("browser_dialog", "dialog", "input", shows=("action", "text", "policy")),
    Tool("browser_get", "get", "input", shows=("what", "selector", "name")),
    Tool("browser_info", "info", "input", shows=NOW),
    Tool("browser_is", "is", "input", shows=("what", "selector")),
]

NETWORK = [
    Tool(
        "browser_recent_console_logs",
        "console",
        "network",
        "What pages and workers wrote to their consoles, the newest first.",
        shows=("limit", "level", "text", "context", "stack"),
        fixed={"action": "read"},
    ),
    Tool(
        "browser_clear_console_logs",
        "console",
        "network",
        "Forget what was written to the console.",
        shows=(),
        fixed={"action": "clear"},
    ),
    Tool(
        "browser_network_requests",
        "network",
        "network",
        "The requests of pages, frames and workers, the newest first.",
        shows=("filter", "status", "resourceType", "method", "limit"),
        names={"filter": "url"},
        fixed={"action": "list"},
    ),
    Tool(
        "browser_network_request",
        "network",
        "network",
        "One request whole: headers, timings and bodies.",
        shows=("id", "reveal"),
        fixed={"action": "get"},
    ),
    Tool(
        "browser_clear_network_requests",
        "network",
        "network",
        "Forget the requests so far.",
        shows=(),
        fixed={"action": "clear"},
    ),
    Tool(
        "browser_export_har",
        "network",
        "network",
        "Write the requests to a HAR file.",
        shows=("path", "filter", "bodies"),
        names={"filter": "url"},
        fixed={"action": "har"},
    ),
    Tool("browser_route", "route", "network"),
]

STORAGE = [
    Tool(
        "browser_get_cookies",
        "cookies",
        "storage",
        "The cookies of this conversation, of all domains or of one.",
        shows=("domain",),
        fixed={"action": "get"},
    ),
    Tool(
        "browser_set_cookies",
        "cookies",
        "storage",
        "Set cookies, all or none of them.",
        shows=("cookies",),
        required=("cookies",),
        fixed={"action": "set"},
    ),
    Tool(
        "browser_delete_cookies",
        "cookies",
        "storage",
        "Delete the cookies of a name, a domain, a path.",
        shows=("name", "domain", "path"),
        fixed={"action": "delete"},
    ),
    *(
        tool
        for kind in ("local", "session")
        for tool in (
            Tool(
                f"browser_get_{kind}_storage",
                "storage",
                "storage",
                f"The {kind} storage of the current page's origin.",
                shows=(),
                fixed={"action": "get", "kind": kind},
            ),
            Tool(
                f"browser_set_{kind}_storage",
                "storage",
                "storage",
                f"Set items of the {kind} storage of the current page's origin, all or none.",
                shows=("items",),
                required=("items",),
                fixed={"action": "set", "kind": kind},
            ),
        )
    ),
    Tool("browser_storage", "storage", "storage"),
]

EMULATION = [
    Tool("browser_resize", "resize", "emulation"),
    Tool("browser_throttle", "conditions", "emulation"),
    Tool("browser_set_geolocation", "geolocation", "emulation"),
]

PWA = [
    Tool(
        "browser_get_service_workers",
        "service_workers",
        "pwa",
        "The service workers of the page's origin: state, scope, script, controlling or not.",
        shows=(),
        fixed={"action": "list"},
    ),
    Tool(
        "browser_set_offline",
        "conditions",
        "pwa",
        "Cut all tabs and workers off from the network, or connect them again.",
        shows=("offline",),
    ),
    Tool("browser_service_workers", "service_workers", "pwa"),
]

AUDIT = [Tool("browser_audit", "audit", "audit"), Tool("browser_vitals", "vitals", "audit")]

FILES = [
    Tool("web_fetch", "fetch", "files", shows=("url", "maxLength", "useBrowser")),
    Tool("read_image", "read_image", "files", shows=("path",)),
    Tool("browser_upload", "upload", "files", shows=("files", "selector", "timeout")),
    Tool("browser_downloads", "downloads", "files"),
    Tool("browser_pdf", "pdf", "files"),
]

ADMIN = [
    Tool("browser_forward", "forward", "admin", shows=LOADED),
    Tool("browser_reload", "reload", "admin", shows=LOADED),
    Tool("browser_interrupt", "interrupt", "admin"),
]

# Other names of the same things: they work, and are not told of.
OTHERS = [
    Tool(
        "browser_execute_js",
        "evaluate",
        "core",
        "Run JavaScript in the page; arguments are passed to the function that it gives.",
        shows=("script", "args"),
        names={"script": "expression"},
        schema={"args": {"items": {"type": "string"}}},
        listed=False,
    ),
    Tool(
        "browser_take_screenshot",
        "screenshot",
        "core",
        shows=("selector", "clip", "fullPage", "type", "quality", "path", "encoding"),
        defaults={"encoding": "path"},
        listed=False,
    ),
]

GRANULAR = [
    *CORE,
    *INPUT,
    *NETWORK,
    *STORAGE,
    *EMULATION,
    *PWA,
    *AUDIT,
    *FILES,
    *ADMIN,
    *OTHERS,
]
