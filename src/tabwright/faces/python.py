"""The Python API: every verb as a method, awaited or, with `SyncTabwright`, called.

The methods are made from the verbs, so they cannot differ from the other faces. Their types for
editors and checkers are in `python.pyi`, which `faces/reference.py` writes.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Self, TypeVar, cast

from tabwright.config import Settings, load
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager
from tabwright.errors import BrowserError
from tabwright.outcome import Outcome
from tabwright.verb import Result, Verb, positional_names
from tabwright.verbs import VERBS

T = TypeVar("T")


class Conversation:
    """One conversation's browser. Each verb is a method: `await page.navigate(url)`."""

    def __init__(self, context: ToolContext) -> None:
        self._context = context

    async def call(self, verb: str, **params: Any) -> Outcome:
        """Call a verb by its name and get the whole outcome; errors are in it, not raised."""
        return await call(self._context, verb, params)

    def __getattr__(self, name: str) -> Callable[..., Coroutine[Any, Any, Result]]:
        verb = _verb(name)

        async def method(*args: Any, **params: Any) -> Result:
            outcome = await call(self._context, verb.name, {**_named(verb, args), **params})
            return outcome.unwrap()

        method.__name__ = name
        method.__doc__ = verb.summary
        return method

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(verb.python_name for verb in VERBS.values())]


class Tabwright(Conversation):
    """A browser of your own: `async with Tabwright() as page: await page.navigate(url)`.

    It is itself a conversation; `conversation(name)` gives others, isolated from it.
    """

    def __init__(
        self, settings: Settings | None = None, *, working_dir: Path | None = None, **options: Any
    ) -> None:
        self.manager = BrowserManager(settings or load(_dotted(options)), execute=call)
        self._working_dir = working_dir
        super().__init__(self.manager.context(working_dir=working_dir, person=True))

    def conversation(self, name: str) -> Conversation:
        """The conversation of this name: its own cookies, storage and tabs."""
        context = self.manager.context(name, working_dir=self._working_dir, person=True)
        return Conversation(context)

    async def start(self) -> Self:
        """Clear up after runs that died. The browser itself starts with the first call."""
        await self.manager.start()
        return self

    async def stop(self) -> None:
        """Close the browser and remove every temporary file."""
        await self.manager.home.run(self.manager.stop)

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(self, *exc: object) -> None:
        await self.stop()


class SyncConversation:
    """A conversation whose methods are called, not awaited."""

    def __init__(self, conversation: Conversation, thread: _LoopThread) -> None:
        self._conversation = conversation
        self._thread = thread

    def call(self, verb: str, **params: Any) -> Outcome:
        """Call a verb by its name and get the whole outcome; errors are in it, not raised."""
        return self._thread.run(self._conversation.call(verb, **params))

    def __getattr__(self, name: str) -> Callable[..., Result]:
        verb = _verb(name)

        def method(*args: Any, **params: Any) -> Result:
            return self.call(verb.name, **_named(verb, args), **params).unwrap()

        method.__name__ = name
        method.__doc__ = verb.summary
        return method

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(verb.python_name for verb in VERBS.values())]


class SyncTabwright(SyncConversation):
    """A browser of your own: `with SyncTabwright() as page: page.navigate(url)`."""

    def __init__(self, settings: Settings | None = None, **options: Any) -> None:
        self._tabwright = Tabwright(settings, **options)
        super().__init__(self._tabwright, _LoopThread())

    def conversation(self, name: str) -> SyncConversation:
        """The conversation of this name: its own cookies, storage and tabs."""
        return SyncConversation(self._tabwright.conversation(name), self._thread)

    def __enter__(self) -> Self:
        self._thread.start()
        self._thread.run(self._tabwright.start())
        return self

    def __exit__(self, *exc: object) -> None:
        self._thread.run(self._tabwright.stop())
        self._thread.stop()


class _LoopThread:
    """An event loop in a thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="tabwright", daemon=True
        )

    def start(self) -> None:
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        if not self._thread.is_alive():
            work.close()
            raise BrowserError(
                "This browser is not open.", hint="Use it as `with SyncTabwright() as page:`."
            )
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def _verb(name: str) -> Verb:
    verb = VERBS.get(name.removesuffix("_"))
    if verb is None or name != verb.python_name:
        raise AttributeError(f"There is no verb {name!r}; there are {', '.join(VERBS)}.")
    return verb


def _named(verb: Verb, args: tuple[Any, ...]) -> dict[str, Any]:
    names = positional_names(verb.params)
    if len(args) > len(names):
        raise TypeError(f"{verb.name}() takes {len(names)} positional arguments: {names}")
    return dict(zip(names, args, strict=False))


def _dotted(options: dict[str, Any]) -> dict[str, object]:
    """`browser={"headless": False}` as the configuration's own `browser.headless`."""
    flat: dict[str, object] = {}
    for key, value in options.items():
        if isinstance(value, dict):
            inner = _dotted(cast("dict[str, Any]", value))
            flat |= {f"{key}.{name}": given for name, given in inner.items()}
        else:
            flat[key] = value
    return flat
