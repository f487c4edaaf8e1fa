"""The files that replies named, to be had by their names."""

from __future__ import annotations

from collections import OrderedDict
from urllib.parse import quote

from starlette.responses import FileResponse, Response

from tabwright.engine.artifacts import Artifact
from tabwright.faces.http.refusal import NotFound

KEPT = 1000


class Shelf:
    """The newest files; those of one conversation are not seen by another."""

    def __init__(self) -> None:
        self._files: OrderedDict[tuple[str, str], Artifact] = OrderedDict()

    def put(self, conversation: str, artifact: Artifact) -> str:
        """Remember a file; returns where it can be had."""
        name = artifact.path.name
        self._files[conversation, name] = artifact
        self._files.move_to_end((conversation, name))
        while len(self._files) > KEPT:
            self._files.popitem(last=False)
        return f"/artifacts/{quote(name, safe='')}"

    def get(self, conversation: str, name: str) -> Response:
        """The file of this name.

        Raises:
            NotFound: no reply to this conversation named it, or it is gone.
        """
        artifact = self._files.get((conversation, name))
        if artifact is None or artifact.path.is_symlink() or not artifact.path.is_file():
            raise NotFound(
                f"There is no artifact {name!r:.200} in this conversation.",
                hint="Use the `url` that a reply gave; files go with their session.",
            )
        return FileResponse(
            artifact.path,
            media_type=artifact.mime_type or "application/octet-stream",
            filename=name,
            headers={"content-security-policy": "sandbox"},
        )
