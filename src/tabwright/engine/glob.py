"""Which addresses a pattern means: a part of the address, a glob or a regular expression.

- `/orders?page=2`: without `*` and `{a,b}`, a part of the address; `?` stands for itself.
- `**/api/*.{json,xml}`: a glob is the whole address, query included. `*` stops at a slash, `**`
  does not. One that begins with a slash begins at the path; one that begins with neither that, `**`
  nor a scheme may begin at any slash: `*.png` is `**/*.png`.
- `/orders/\\d+$/i`: between slashes, a regular expression that is looked for anywhere; flag `i`.
"""

from __future__ import annotations

import re
import warnings
from functools import lru_cache

from tabwright.errors import InputError

# Paths may end in a slash and letters too, so only the flags that change something are taken;
# g is what those who write JavaScript are used to.
_REGEX = re.compile(r"/(.+)/(|g|i|gi|ig)", re.DOTALL)
# What no regular expression has reason to hold: `/api/*/` is a glob.
_STARS = re.compile(r"(?:^|(?<!\\)/)\*|\*\*")
_WILD = re.compile(r"\*|\{[^{}]*,[^{}]*\}")
_TOKEN = re.compile(r"(?P<deep>\*{2,})(?P<slash>/?)|(?P<star>\*)|\{(?P<any>[^{}]*,[^{}]*)\}")
_ORIGIN = r"[a-z][a-z0-9+.-]*://[^/]*"
_ROOTED = re.compile(r"\*\*|[^/]*://|(?:about|blob|data):", re.IGNORECASE)


def url_matches(pattern: str, url: str) -> bool:
    """Whether the pattern means this address.

    Raises:
        InputError: the pattern is empty, or not a regular expression where it says so.
    """
    return url_pattern(pattern).search(url) is not None


@lru_cache(maxsize=256)
def url_pattern(pattern: str) -> re.Pattern[str]:
    """The pattern as a regular expression to search an address with.

    Raises:
        InputError: the pattern is empty, or not a regular expression where it says so.
    """
    if not pattern:
        raise InputError("The pattern of an address is empty.", hint="For example '**/api/**'.")
    written = _REGEX.fullmatch(pattern)
    if written and not _STARS.search(written[1]):
        return _regex(pattern, written[1], written[2])
    if not _WILD.search(pattern):
        return re.compile(re.escape(pattern))
    return re.compile(rf"\A{_whole(pattern)}\Z", re.DOTALL)


def text_pattern(pattern: str) -> re.Pattern[str]:
    """Words to look for in any case, or `/a regular expression/`.

    Raises:
        InputError: the expression cannot be read.
    """
    written = _REGEX.fullmatch(pattern)
    if written:
        return _regex(pattern, written[1], written[2])
    return re.compile(re.escape(pattern), re.IGNORECASE)


def _regex(pattern: str, body: str, flags: str) -> re.Pattern[str]:
    try:
        with warnings.catch_warnings():
            # Python warns of what it may read differently one day; that day is not ours to tell.
            warnings.simplefilter("ignore")
            return re.compile(body, re.IGNORECASE if "i" in flags else 0)
    except (re.error, RecursionError, OverflowError) as error:
        raise InputError(
            f"{pattern!r:.300} is not a regular expression: {error}.",
            hint="Mend it, or do without the slashes around it.",
            pattern=pattern[:300],
        ) from None


def _whole(pattern: str) -> str:
    if pattern.startswith("/"):
        return _ORIGIN + _glob(pattern)
    return _glob(pattern if _ROOTED.match(pattern) else f"**/{pattern}")


def _glob(pattern: str) -> str:
    parts: list[str] = []
    at = 0
    for token in _TOKEN.finditer(pattern):
        parts.append(re.escape(pattern[at : token.start()]))
        at = token.end()
        if token["star"]:
            parts.append("[^/]*")
        elif token["any"] is not None:
            parts.append(f"(?:{'|'.join(_glob(each) for each in token['any'].split(','))})")
        elif token["slash"]:
            # `/**/` is also a single slash: no directory between is one of any number.
            begins = token.start() == 0 or pattern[token.start() - 1] == "/"
            parts.append("(?:.*/)?" if begins else ".*/")
        else:
            parts.append(".*")
    parts.append(re.escape(pattern[at:]))
    return "".join(parts)
