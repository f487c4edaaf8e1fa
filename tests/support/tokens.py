"""The true number of tokens, from the true tokenizer."""

from __future__ import annotations

from typing import Any, cast

from rs_bpe import bpe

_TRUE = cast("Any", bpe).openai.o200k_base()


def true_count(text: str) -> int:
    """How many tokens of o200k_base a text has."""
    return cast("int", _TRUE.count(text))
