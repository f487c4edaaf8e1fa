"""Evidence of an act: what stood before, what the page and the browser show after, the verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabwright.engine.aim import Element
from tabwright.engine.listeners import listens
from tabwright.engine.receipt import Receipt

if TYPE_CHECKING:
    from tabwright.engine.frame import Frame
    from tabwright.engine.tab import Tab

Facts = dict[str, Any]
"""What the page script reports."""

SHOWN_URL = 80
# Requests that say nothing of what an act did.
SILENT = ("Image", "Font", "Stylesheet", "Script", "Media", "Ping", "Other")
# A mouse that passes is no reason for a page to have listened.
NONE = [0, 0, 0]
PASSING = {"mousemove", "mouseover", "pointerover", "scroll", "wheel"}
# Elements that a press does something to, whether the page listens or not.
HANDLED = {
    "link",
    "combobox",
    "listbox",
    "option",
    "textbox",
    "searchbox",
    "checkbox",
    "radio",
    "switch",
    "slider",
    "spinbutton",
    "date",
    "time",
    "datetime",
    "color",
    "file",
    "summary",
    "label",
    "iframe",
    "video",
    "audio",
}


@dataclass(frozen=True)
class Kind:
    """What sort of act it is: which events prove it."""

    verb: str
    primary: tuple[str, ...]
    """Any of these, at the element, means that the input was delivered."""
    expect: str = ""
    """The event after which there is nothing more to wait for."""
    passive: bool = False
    """Delivering it is all there is to it: nothing need change."""
    count: int = 1
    """How many clicks make it complete."""
    drop: bool = False
    """It ends at another element, which has to take it."""
    takes_s: float = 0.0
    """How long the input itself may take, such as typing slowly; longer is a page that hangs."""


@dataclass
class Before:
    """How things stood before an act."""

    loader: str
    url: str
    dialogs: int
    tabs: set[str]
    downloads: set[str]
    console: int
    requests: int

    @classmethod
    def of(cls, tab: Tab) -> Before:
        """How things stand now."""
        tab.begin_act()
        tab.chooser = None
        # What an earlier act asked for and never came is not this one's doing.
        tab.document.requested = ""
        tab.frames.told.clear()
        return cls(
            loader=tab.document.loader_id,
            url=tab.url,
            dialogs=tab.dialogs.seen,
            tabs=set(tab.session.tabs),
            downloads=set(tab.session.downloads.all),
            console=tab.session.console.last,
            requests=tab.act_mark,
        )


def from_page(receipt: Receipt, facts: Facts) -> None:
    """What the page shows: events, state, changes, what is pending."""
    receipt.delivered = {name: seen[1] for name, seen in facts["events"].items() if seen[1]}
    receipt.value = facts["value"]
    receipt.state = {
        key: value for key, value in facts["changed"].items() if key not in ("value", "scroll")
    }
    if "value" in facts["changed"]:
        receipt.state["value"] = facts["value"]
    if "scroll" in facts["changed"]:
        receipt.scrolled = facts["scrolled"] or [
            float(n) for n in facts["changed"]["scroll"].split(",")[:2]
        ]
    receipt.dom = {"near": facts["dom"]["near"], "far": facts["dom"]["far"]}
    receipt.seen = [
        f"{one['what']} {Element(one['role'], one['name'], one['ref'])}"
        for one in facts["dom"]["seen"]
    ]
    receipt.title = facts["title"]
    receipt.focus = Element.of(facts["focus"]) if facts["focus"] else None
    receipt.repeated = facts["repeated"]
    if not facts["connected"]:
        receipt.seen.insert(0, "the element was taken off the page")
    pending = facts["pending"]
    for count, noun in ((pending["timers"], "timer"), (pending["animations"], "animation")):
        if count:
            receipt.pending.append(f"{count} {noun}{'s' if count > 1 else ''}")


def left_behind(facts: Facts | None) -> Facts | None:
    """What a page told before it was left: its events count, its changes are of no interest."""
    if facts is None:
        return None
    return {
        **facts,
        "changed": {},
        "value": None,
        "dom": {"near": 0, "far": 0, "seen": []},
        "title": None,
        "focus": None,
        "connected": True,
        "pending": {"timers": 0, "animations": 0},
    }


def from_browser(receipt: Receipt, tab: Tab, before: Before) -> None:
    """What only the browser knows: tabs, dialogs, downloads, requests, errors."""
    session = tab.session
    if tab.closed and tab.id not in session.tabs:
        current = session.current
        now = f"the current one is {current.id} {current.url:.{SHOWN_URL}}" if current else ""
        receipt.closed = ", ".join(filter(None, (f"tab {tab.id} is closed", now)))
    elif tab.url != before.url:
        receipt.url = tab.url
    if tab.dialogs.seen != before.dialogs and tab.dialogs.last is not None:
        receipt.dialog = tab.dialogs.last.as_dict()
        tab.dialogs.told(tab.dialogs.last)
    receipt.tabs = [
        f"{new.id} {new.url:.{SHOWN_URL}}"
        for new in session.tabs.values()
        if new.id not in before.tabs
    ]
    receipt.downloads = [
        f"{one.id} {one.suggested_filename} ({one.state})"
        for key, one in session.downloads.all.items()
        if key not in before.downloads
    ]
    if tab.chooser is not None:
        receipt.chooser = "several files" if "Multiple" in tab.chooser.mode else "one file"
    receipt.errors = session.console.errors(tab.id, since=before.console)
    receipt.requests = [
        f"{one.method} {_short(one.url)}" + (f" {one.status}" if one.status else "")
        for one in tab.traffic.since(before.requests)
        if one.type not in SILENT
    ]
    receipt.pending += [
        f"{one.method} {_short(one.url)}" for one in tab.traffic.pending(before.requests)
    ]
    receipt.pending += [
        f"stream {_short(one.url)}"
        for one in tab.traffic.since(before.requests)
        if one.stream and not one.ended
    ]
    if tab.document.requested or tab.document.pending_loader:
        receipt.pending.append(f"loading {_short(tab.document.requested or tab.url)}")


async def judge(
    receipt: Receipt, kind: Kind, tab: Tab, frame: Frame, facts: Facts | None, *, busy: bool
) -> None:
    """Give the verdict, from nothing but what was shown."""
    if facts is None:
        _judge_gone(receipt, kind, list(tab.frames.told), busy=busy)
        return
    events: dict[str, list[int]] = facts["events"]
    here = any(events.get(name, NONE)[1] for name in kind.primary)
    if not here:
        _judge_missed(receipt, kind, facts, events)
    elif kind.count > 1 and events.get("click", NONE)[1] < kind.count:
        receipt.why = f"only {events.get('click', NONE)[1]} of {kind.count} clicks arrived"
        if facts["stray"]:
            receipt.verdict = "misdirected"
            receipt.why += f", {Element.of(facts['stray'])} received another"
    elif kind.drop and not _dropped(events):
        receipt.why = "it was dragged, but not taken where it was dropped"
    elif kind.passive or receipt.changed() or receipt.element.role in HANDLED:
        receipt.verdict = "effective"
    else:
        listened = await listens(frame, tuple(events.keys() - PASSING))
        _judge_silent(receipt, listened, " in its frame" if len(tab.frames) > 1 else "")


def _judge_silent(receipt: Receipt, listened: bool | None, where: str) -> None:
    """It arrived and nothing changed that can be seen: does anything on the page listen for it?"""
    if listened is None:
        receipt.why = f"it arrived, nothing visible changed{where}, and who listens cannot be told"
    elif listened:
        receipt.verdict, receipt.why = "effective", f"nothing visible changed{where}"
    else:
        receipt.verdict = "no_effect"
        receipt.why = "it arrived, but nothing on the page listens for it and nothing changed"


def _judge_gone(receipt: Receipt, kind: Kind, told: list[Facts], *, busy: bool) -> None:
    """The page cannot be asked any more: what it said in time has to do."""
    primary = [fact for fact in told if fact["event"] in kind.primary]
    pressed = any(fact["here"] for fact in told)
    if busy:
        receipt.why = "the page is busy with a script that does not come back"
    elif any(fact["here"] for fact in primary) or (pressed and receipt.dialog):
        receipt.verdict = "effective"
    elif primary:
        receipt.verdict, receipt.why = "misdirected", "another element received it"
    else:
        receipt.why = "the page was left before it could be asked"


def _dropped(events: dict[str, list[int]]) -> bool:
    """Whether a drag ended where it was to end; a page that captures the mouse hears it itself."""
    if "dragstart" in events:
        return events.get("drop", NONE)[2] > 0
    ends = [events.get(name, NONE) for name in ("pointerup", "mouseup")]
    return any(here or there for _, here, there in ends)


def _judge_missed(receipt: Receipt, kind: Kind, facts: Facts, events: dict[str, list[int]]) -> None:
    pressed = any(events.get(name, NONE)[1] for name in ("pointerdown", "mousedown"))
    if facts["elsewhere"] and pressed and facts["around"]:
        if facts["reacted"]:
            receipt.verdict = "effective"
        receipt.why = "the press arrived, and the page changed before the click was complete"
    elif facts["elsewhere"]:
        receipt.verdict = "misdirected"
        receipt.why = f"{Element.of(facts['elsewhere'])} received it"
    elif events.keys() & set(kind.primary):
        receipt.why = "the page kept it from the element, or from the closed root that it is in"
    elif events:
        receipt.why = "the element was gone before the input was complete"
    else:
        receipt.verdict, receipt.why = "no_effect", "no event arrived at the element"


def _short(url: str) -> str:
    """An address without its origin, cut to what a reply can afford."""
    path = "/" + url.split("/", 3)[3] if url.count("/") >= 3 else url
    return path if len(path) <= SHOWN_URL else f"{path[: SHOWN_URL - 1]}…"
