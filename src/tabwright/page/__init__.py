"""Scripts that run in a page. Each file holds one function expression."""

from functools import cache
from importlib.resources import files

__all__ = ["script"]


@cache
def script(name: str) -> str:
    """The source of a page script."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")
