"""Replies: one envelope for what went well, one for what did not."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import Response

from tabwright.errors import TabwrightError, now_iso


class Json(Response):
    """JSON that any reader takes, whatever a page put into it."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Half a surrogate pair has no form in UTF-8, but one in escapes."""
        text = json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
        return text.encode("ascii")


def done(data: Any) -> Response:
    """It went well."""
    return Json({"success": True, "data": data, "timestamp": now_iso()})


def failed(error: TabwrightError, headers: dict[str, str] | None = None) -> Response:
    """It did not: S3-ERR-03, as from the command line."""
    body = {"success": False, "error": error.as_dict(), "timestamp": error.timestamp}
    return Json(body, status_code=error.status, headers=headers)
