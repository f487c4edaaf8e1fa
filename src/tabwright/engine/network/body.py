"""What was sent and what was answered, as long as the browser still has it."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tabwright.engine.cdp import Params, ProtocolError
from tabwright.engine.network.mask import masked_body
from tabwright.engine.network.record import Record
from tabwright.errors import BrowserError, DialogOpen

if TYPE_CHECKING:
    from tabwright.engine.session import Session

ANSWER_S = 5.0
GONE = "the browser has it no more"
Gone = str
"""Why there is no body to show."""


@dataclass(frozen=True)
class Body:
    """Bytes, and the text that they are, if they are text."""

    data: bytes
    text: str | None
    masked: bool = False
    """Whether something in it was masked."""

    def safe(self, content_type: str) -> Body:
        """The body with secrets masked."""
        data = masked_body(self.data, content_type)
        if data == self.data:
            return self
        text = None if self.text is None else data.decode("utf-8", "surrogatepass")
        return Body(data, text, masked=True)


async def response_body(session: Session, record: Record) -> Body | Gone:
    """What the server answered, or why it cannot be shown."""
    if record.redirected_to is not None:
        return "a redirect's body is not kept by the browser"
    if record.stream is not None:
        return "it is a stream; see its messages"
    if record.responded is None:
        return "there is no answer" + (" yet" if record.pending else "")
    if record.pending:
        return "the answer is not whole yet"
    if record.failure is not None and record.failure.kind == "download":
        return "it is a file; see `downloads`"
    answer = await _ask(session, record, "Network.getResponseBody")
    if isinstance(answer, str) and record.source == "service-worker":
        behind = _behind(session, record)
        if behind is None:
            return "a service worker answered, and the browser does not keep what it says"
        answer = await _ask(session, behind, "Network.getResponseBody")
    return answer if isinstance(answer, str) else _body(answer["body"], answer)


async def request_body(session: Session, record: Record) -> Body | Gone | None:
    """What was sent; None if nothing was."""
    if record.post_data is not None:
        return _read(record.post_data)
    if not record.has_post_data:
        return None
    answer = await _ask(session, record, "Network.getRequestPostData")
    return answer if isinstance(answer, str) else _body(answer["postData"], answer)


def _behind(session: Session, record: Record) -> Record | None:
    """The request that a service worker made in order to answer this one."""
    if record.worker_source != "network":
        return None
    for other in session.network.log:
        same = other.context == "service-worker" and other.url == record.url
        if same and other.redirected_to is None and other.began >= record.began:
            return other
    return None


async def _ask(session: Session, record: Record, method: str) -> Params | Gone:
    """Ask the session that spoke of it; the page's own has what its frames and workers left."""
    homes = [s for s in session.sources if s.session_id == record.session_id]
    homes += [s for s in session.sources if record.tab == s.tab and s.kind == "page"]
    for source in dict.fromkeys(homes):
        try:
            async with asyncio.timeout(ANSWER_S):
                return await source.post(method, {"requestId": record.request_id})
        except (ProtocolError, BrowserError, DialogOpen):
            continue
        except TimeoutError:
            return "the page does not answer"
    return GONE


def _body(content: str, answer: Params) -> Body:
    if not answer.get("base64Encoded"):
        return Body(content.encode("utf-8", "surrogatepass"), content)
    # What a worker or a cache gives comes so even if it is text.
    return _read(base64.b64decode(content))


def _read(data: bytes) -> Body:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return Body(data, None)
    return Body(data, None if "\0" in text else text)
