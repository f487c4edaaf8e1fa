"""The page script as a whole: one scope in which nothing is named twice."""

from __future__ import annotations

import re
from collections import Counter

from tabwright.page import BUNDLE, script

DECLARED = re.compile(r"(?m)^(?:async )?(?:function\*?|const|let|class) ([A-Za-z_$][\w$]*)")
COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)


def test_no_name_is_declared_twice():
    names = Counter(name for file in BUNDLE for name in DECLARED.findall(script(file)))
    assert [name for name, count in names.items() if count > 1] == []


def test_a_document_is_asked_only_through_the_platforms_own_getters():
    """`<img name=title>` is a document's title, in our world too."""
    found = [
        (file, use)
        for file in BUNDLE
        for use in re.findall(r"\bdocument\.\w+", COMMENT.sub("", script(file)))
    ]
    assert found == []
