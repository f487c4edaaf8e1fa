"""The keyboard of a tab: real key events, in order, many on the way at once."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Iterable
from typing import Protocol

from tabwright.engine.cdp import Params
from tabwright.engine.keys import (
    ALT,
    BITS,
    CHARACTERS,
    CONTROL,
    META,
    NAMES,
    NUMPAD,
    SHIFT,
    Key,
    graphemes,
    parse_combination,
    parse_key,
    with_shift,
)

IN_FLIGHT = 100
"""Commands without an answer yet: enough to hide the way there and back, and no flood."""

TYPED_NAMES = {"\n": "Enter", "\r": "Enter", "\r\n": "Enter", "\t": "Tab"}

# On macOS the system, not Chromium, knows what Command and the arrows do, and it is not asked
# about keys that come over DevTools. These are its bindings, as Chromium's editing commands.
MAC_COMMANDS: dict[tuple[int, str], str] = {
    (META, "KeyA"): "selectAll",
    (META, "KeyC"): "copy",
    (META, "KeyX"): "cut",
    (META, "KeyV"): "paste",
    (META | SHIFT, "KeyV"): "pasteAndMatchStyle",
    (META, "KeyZ"): "undo",
    (META | SHIFT, "KeyZ"): "redo",
    (META, "Backspace"): "deleteToBeginningOfLine",
    (META, "Delete"): "deleteToEndOfLine",
    (CONTROL, "KeyA"): "moveToBeginningOfParagraph",
    (CONTROL, "KeyE"): "moveToEndOfParagraph",
    (CONTROL, "KeyK"): "deleteToEndOfParagraph",
    (META, "ArrowLeft"): "moveToBeginningOfLine",
    (META, "ArrowRight"): "moveToEndOfLine",
    (META, "ArrowUp"): "moveToBeginningOfDocument",
    (META, "ArrowDown"): "moveToEndOfDocument",
    (META | SHIFT, "ArrowLeft"): "moveToBeginningOfLineAndModifySelection",
    (META | SHIFT, "ArrowRight"): "moveToEndOfLineAndModifySelection",
    (META | SHIFT, "ArrowUp"): "moveToBeginningOfDocumentAndModifySelection",
    (META | SHIFT, "ArrowDown"): "moveToEndOfDocumentAndModifySelection",
}


class Page(Protocol):
    """What an input device needs of a tab."""

    def post(self, method: str, params: Params | None = None) -> asyncio.Future[Params]:
        """Queue a command to the page."""
        ...

    async def send(self, method: str, params: Params | None = None) -> Params:
        """Send a command to the page and wait for its answer."""
        ...


class Keyboard:
    """A US keyboard. The page sees trusted events and cannot tell it from a real one."""

    def __init__(self, page: Page, *, platform: str = sys.platform) -> None:
        self._page = page
        self._platform = platform
        self._held: dict[str, Key] = {}

    @property
    def held(self) -> tuple[Key, ...]:
        """The keys that are down, the first one pressed first."""
        return tuple(self._held.values())

    @property
    def modifiers(self) -> int:
        """The modifiers that are down, as DevTools counts them: every mouse event carries them."""
        return _bits(self._held.values())

    def reset(self) -> None:
        """Hold nothing and send nothing: another renderer has taken the page's place."""
        self._held.clear()

    async def down(self, key: str) -> None:
        """Press a key and keep it down; once more while it is down, it repeats."""
        await self._press(parse_key(key, platform=self._platform))

    async def up(self, key: str) -> None:
        """Let go of a key."""
        await self._release(parse_key(key, platform=self._platform))

    async def press(self, combination: str) -> None:
        """Press and let go of a key, with modifiers: `Enter`, `Control+A`, `Shift+ArrowDown`."""
        wanted = parse_combination(combination, platform=self._platform)
        if not wanted.key.code:
            await self.insert(wanted.key.text)
            return
        modifiers = [
            NAMES[f"{name}Left"] for name in wanted.modifiers if not BITS[name] & self.modifiers
        ]
        # All of it is on the way before the first answer, so a cancelled call leaves no key down.
        sent = [self._press(key) for key in (*modifiers, wanted.key)]
        sent += [self._release(key) for key in (wanted.key, *reversed(modifiers))]
        for answer in sent:
            await answer

    async def type(self, text: str, delay_ms: float = 0) -> None:
        """Type text, character by character; a line break is Enter and a tab the Tab key.

        Characters that have no key on a US keyboard are inserted, each as a whole.
        """
        waiting: deque[asyncio.Future[Params]] = deque()
        for at, character in enumerate(graphemes(text)):
            if at and delay_ms:
                await asyncio.sleep(delay_ms / 1000)
            waiting.extend(self._strike(character))
            while len(waiting) > (0 if delay_ms else IN_FLIGHT):
                await waiting.popleft()
        for answer in waiting:
            await answer

    async def insert(self, text: str) -> None:
        """Put text in at the cursor at once, as an input method does: no key events."""
        await self._page.send("Input.insertText", {"text": text})

    async def release_all(self) -> None:
        """Let go of every key that is down, the last one pressed first."""
        for answer in [self._release(key) for key in reversed(self.held)]:
            await answer

    def _strike(self, character: str) -> list[asyncio.Future[Params]]:
        key = CHARACTERS.get(character) or NAMES.get(TYPED_NAMES.get(character, ""))
        if key is None:
            # It keeps its place among the key events: Chromium has one queue for both.
            return [self._page.post("Input.insertText", {"text": character})]
        return [self._press(key), self._release(key)]

    def _press(self, key: Key) -> asyncio.Future[Params]:
        if self.modifiers & SHIFT:
            key = with_shift(key)
        # A typed 'A' says that Shift is down, as a real one does, or pages warn of CapsLock. Shift
        # itself sends no events then: a page that counts key presses counts one per character.
        modifiers = self.modifiers | BITS.get(key.key, 0) | (SHIFT if key.shifted else 0)
        text = "" if modifiers & (ALT | CONTROL | META) else key.text
        params = _event("keyDown" if text else "rawKeyDown", key, modifiers)
        params["autoRepeat"] = key.code in self._held
        if text:
            params |= {"text": text, "unmodifiedText": text}
        if self._platform == "darwin" and (modifiers, key.code) in MAC_COMMANDS:
            params["commands"] = [MAC_COMMANDS[modifiers, key.code]]
        sent = self._page.post("Input.dispatchKeyEvent", params)
        # Not before it is sent: a page that cannot be reached now has no key down.
        self._held[key.code] = key
        return sent

    def _release(self, key: Key) -> asyncio.Future[Params]:
        key = self._held.get(key.code, key)
        others = [held for held in self.held if held.code != key.code]
        modifiers = _bits(others) | (SHIFT if key.shifted else 0)
        sent = self._page.post("Input.dispatchKeyEvent", _event("keyUp", key, modifiers))
        self._held.pop(key.code, None)
        return sent


def _bits(keys: Iterable[Key]) -> int:
    return sum({BITS.get(key.key, 0) for key in keys})


def _event(kind: str, key: Key, modifiers: int) -> Params:
    return {
        "type": kind,
        "modifiers": modifiers,
        "key": key.key,
        "code": key.code,
        "windowsVirtualKeyCode": key.key_code,
        "location": key.location,
        "isKeypad": key.location == NUMPAD,
    }
