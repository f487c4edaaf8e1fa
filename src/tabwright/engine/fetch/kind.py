"""What an answer is: a page, another text, or no text; and how its bytes are read."""

from __future__ import annotations

import codecs
import re

HTML = ("text/html", "application/xhtml+xml")
TEXTS = frozenset(
    {
        "application/json",
        "application/xml",
        "application/javascript",
        "application/ecmascript",
        "application/x-javascript",
        "application/x-ndjson",
        "application/x-www-form-urlencoded",
        "application/yaml",
        "application/x-yaml",
        "application/toml",
        "application/sql",
        "application/graphql",
        "application/rtf",
        "application/x-sh",
        "application/x-tex",
        "application/pgp-signature",
        "message/rfc822",
    }
)
TEXT_ENDINGS = ("+json", "+xml", "+yaml", "json-seq")
# Servers say this of whatever they do not know.
UNKNOWN = ("", "application/octet-stream", "binary/octet-stream", "application/x-unknown")
LOOKED_AT_BYTES = 4096
MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Names that browsers take for a larger charset, as pages expect.
LARGER = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
}
# Python has these, browsers do not.
NOT_OF_THE_WEB = ("idna", "punycode", "raw_unicode_escape", "undefined", "unicode_escape", "utf-7")
_NAMED = re.compile(
    rb"""<(?:meta\s[^>]*?charset|\?xml\s[^>]*?encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE
)
_PARAMETER = re.compile(r"""charset\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)


def mime(content_type: str) -> str:
    """The type alone, in small letters."""
    return content_type.partition(";")[0].strip().lower()


def is_text(content_type: str) -> bool | None:
    """Whether it is text by its type; None: the type does not say."""
    kind = mime(content_type)
    if kind in UNKNOWN:
        return None
    return kind.startswith("text/") or kind in TEXTS or kind.endswith(TEXT_ENDINGS)


def looks_like_text(data: bytes) -> bool:
    """Whether the first bytes are those of a text."""
    start = data[:LOOKED_AT_BYTES]
    return start.startswith(tuple(mark for mark, _ in MARKS)) or b"\0" not in start


def decode(data: bytes, content_type: str) -> str:
    """The text of bytes: by their mark, by what the server or the page says, or by their look."""
    for mark, charset in MARKS:
        if data.startswith(mark):
            return data.decode(charset, "replace")
    said = _PARAMETER.search(content_type)
    named = _NAMED.search(data[:LOOKED_AT_BYTES]) if "ml" in mime(content_type) else None
    for name in (said and said[1], named and named[1].decode("ascii")):
        if name and (charset := _known(name)):
            return data.decode(charset, "replace")
    try:
        # The last character may have been cut.
        return codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _known(name: str) -> str:
    """Python's name of a charset; empty: there is none of this name, or no page may have it."""
    try:
        found = codecs.lookup(name).name
        b"a".decode(found, "replace")
    except (LookupError, ValueError):
        return ""
    return "" if found in NOT_OF_THE_WEB else LARGER.get(found, found)
