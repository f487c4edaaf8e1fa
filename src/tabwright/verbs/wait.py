"""Waiting for something to happen."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator
from pydantic.alias_generators import to_camel

from tabwright.engine import wait as engine
from tabwright.engine.network.record import Method
from tabwright.engine.selector import Selector as Read
from tabwright.engine.selector import parse
from tabwright.engine.tab import Tab
from tabwright.verb import Params, Positional, Result, Selector, Text, Timeout, verb
from tabwright.verbs.pattern import UrlPattern

PAUSE_GRACE_MS = 1000.0
State = Literal["attached", "detached", "visible", "hidden"]
CONDITIONS = (
    "selector",
    "text",
    "text_gone",
    "url",
    "navigation",
    "load_state",
    "network_idle",
    "request",
    "download",
    "expression",
    "time",
)


def _yes(given: bool) -> bool:
    if not given:
        raise ValueError("must be true, or left out")
    return given


Yes = Annotated[bool, AfterValidator(_yes)]


class Wait(Params):
    """One condition to wait for."""

    example: ClassVar[dict[str, Any]] = {"selector": "#results", "state": "visible"}

    selector: Annotated[Selector | None, Positional] = None
    """Element to wait for: ref, CSS, XPath, text=, label=, role= …"""

    state: State | None = None
    """What the element shall be; default: attached."""

    visible: bool | None = None
    """true is another way to say state 'visible', false 'attached'."""

    text: Text | None = None
    """Text that shall be visible somewhere."""

    text_gone: Text | None = None
    """Text that shall be visible no more."""

    url: UrlPattern | None = None
    """Address the tab shall be at: glob such as '**/done*', or '/regex/'."""

    navigation: Yes | None = None
    """true: the tab shall be at another document than before the last act."""

    load_state: Literal["load", "domcontentloaded", "networkidle"] | None = None
    """State of loading that the page shall have reached."""

    network_idle: Timeout | None = None
    """No request for this long; streams are left out."""

    request: UrlPattern | None = None
    """Address of a request since the last act: glob or '/regex/'."""

    method: Method | None = None
    """Method of the request."""

    status: Annotated[int, Field(ge=100, le=599)] | None = None
    """Status of the answer to the request."""

    download: Yes | None = None
    """true: the newest download shall be whole."""

    expression: Text | None = None
    """JavaScript that shall become true; what it throws ends the wait."""

    time: Timeout | None = None
    """Simply let this much time pass."""

    timeout: Timeout = 30_000.0
    """Time limit: milliseconds, or a duration such as '10s'. Where `time` is longer, that."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        given = [name for name in CONDITIONS if getattr(self, name) is not None]
        if len(given) != 1:
            allowed = ", ".join(f"`{to_camel(name)}`" for name in CONDITIONS)
            found = " and ".join(map(to_camel, given)) or "none"
            raise ValueError(f"give exactly one of {allowed}, not {found}")
        if (self.state or self.visible is not None) and self.selector is None:
            raise ValueError("`state` and `visible` go with `selector` only")
        if (self.method or self.status) and self.request is None:
            raise ValueError("`method` and `status` go with `request` only")
        said = None if self.visible is None else "visible" if self.visible else "attached"
        if said and self.state and said != self.state:
            raise ValueError(f"`visible` = {self.visible} and `state` = {self.state!r} disagree")
        if self.time is not None:
            # A pause is its own limit.
            self.timeout = max(self.timeout, self.time + PAUSE_GRACE_MS)
        return self

    def element_state(self) -> State:
        """The state that an element is waited for."""
        return self.state or ("visible" if self.visible else "attached")


class Waited(Result):
    """What came."""

    condition: str
    """What was waited for."""

    waited_ms: float
    """How long it took."""

    found: Any = None
    """The element, address, request, download or value that ended the wait."""

    left_out: list[str] | None = None
    """Streams that are open and were not waited for."""

    def text(self) -> str:
        """What came, and when."""
        found = "" if self.found is None else f": {self.found}"
        streams = f"; streams left out: {', '.join(self.left_out)}" if self.left_out else ""
        return f"Waited {self.waited_ms:.0f} ms for {self.condition}{found}{streams}"


@verb(effect="read")
async def wait(tab: Tab, params: Wait) -> Waited:
    """Wait for an element, text, address, load state, silence, request, download or script.

    A wait that takes too long says what was waited for and how things are instead.
    """
    began = asyncio.get_running_loop().time()
    waiter = _Waiter(tab, params)
    what, waiting, standing = waiter.plan()
    found = await engine.until(tab, what, params.timeout, waiting, standing)
    took = (asyncio.get_running_loop().time() - began) * 1000
    return Waited(
        condition=what, waited_ms=round(took, 1), found=found, left_out=waiter.left_out or None
    )


Plan = tuple[str, Callable[[], Awaitable[Any]], Callable[[], engine.Standing] | None]


class _Waiter:
    """Chooses the way to wait."""

    def __init__(self, tab: Tab, params: Wait) -> None:
        self.tab = tab
        self.params = params
        self.left_out: list[str] = []

    def plan(self) -> Plan:
        tab, params = self.tab, self.params
        if params.selector is not None:
            return self._element(parse(params.selector), params.element_state())
        if params.text is not None:
            return self._text(params.text, "visible")
        if params.text_gone is not None:
            return self._text(params.text_gone, "hidden")
        if (url := params.url) is not None:
            return f"the address {url!r}", lambda: engine.for_url(tab, url), None
        if params.navigation:
            return "a navigation", lambda: engine.for_navigation(tab), None
        if (load := params.load_state) is not None:
            return f"the load state {load!r}", lambda: engine.for_load(tab, load), None
        if (quiet := params.network_idle) is not None:
            return f"{quiet:g} ms without requests", lambda: self._silence(quiet), None
        if (code := params.expression) is not None:
            what = f"the script {code!r:.100}"
            return what, lambda: engine.for_script(tab, code, params.timeout), None
        if (pause := params.time) is not None:
            return "the time to pass", lambda: asyncio.sleep(pause / 1000), None
        if params.request is not None:
            return self._request(params.request)
        return "a download", self._download, None

    def _element(self, selector: Read, state: State) -> Plan:
        waiting = engine.ElementWait(self.tab, selector, state)

        async def run() -> str | None:
            found = await waiting.run()
            if found is None:
                return None
            name = f' "{found["name"]}"' if found["name"] else ""
            return f"{found['role']}{name} {found['ref']}"

        return f"{selector.text!r} to be {state}", run, waiting.standing

    def _text(self, text: str, state: State) -> Plan:
        part = {"by": "text", "value": text, "exact": False}
        _, run, standing = self._element(Read(text, (part,)), state)
        return f"the text {text!r} to be {state}", run, standing

    async def _silence(self, quiet_ms: float) -> None:
        self.left_out = [one.url for one in await engine.for_silence(self.tab, quiet_ms)]

    def _request(self, pattern: str) -> Plan:
        params, tab = self.params, self.tab
        what = " ".join(filter(None, ["a request", params.method, repr(pattern)]))

        async def run() -> dict[str, Any]:
            row = await tab.traffic.request(
                pattern,
                possible=tab.check,
                method=params.method or "",
                status=params.status,
                since=tab.act_mark,
            )
            return {"method": row.method, "url": row.url, "status": row.status}

        return what + (f" with status {params.status}" if params.status else ""), run, None

    async def _download(self) -> dict[str, Any]:
        downloads, tab = self.tab.session.downloads, self.tab

        def newest() -> Any:
            return next(reversed(downloads.all.values()), None)

        await downloads.changed.until(
            lambda: newest() is not None and newest().state != "in_progress", possible=tab.check
        )
        return newest().as_dict()
