"""Secrets stay out of logs and errors; what is not secret stays readable."""

from __future__ import annotations

import json
import string
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tabwright.engine.redact import MASK, redact, redact_text

secrets = st.text(string.ascii_letters + string.digits, min_size=12, max_size=40)
SHAPES = [
    "https://user:{0}@example.com/path",
    "https://example.com/?token={0}",
    "https://example.com/?a=1&access_token={0}&b=2",
    "https://example.com/cb#x;auth={0}",
    "https://example.com/?X-Amz-Signature={0}",
    "Authorization: Bearer {0}",
    "authorization: basic {0}",
    "Cookie: sid={0}; other={0}",
    "Set-Cookie: sid={0}; HttpOnly",
    "password={0}",
    "'password': '{0}'",
    '{{"api_key": "{0}"}}',
    "document.querySelector('#pw').value; secret = '{0}'",
    "sk-{0}aaaa",
    "ghp_{0}aaaa",
    "eyJ{0}.{0}.{0}",
]
KEYS = ["password", "Passwd", "apiKey", "api_key", "token", "accessToken", "authorization"]
KEYS += ["cookie", "cookies", "sessionId", "clientSecret", "private-key", "credential"]


@given(secret=secrets, shape=st.sampled_from(SHAPES), around=st.text(max_size=20))
@settings(max_examples=300, deadline=None)
def test_what_looks_like_a_secret_is_masked_wherever_it_stands(
    secret: str, shape: str, around: str
):
    assume(secret not in around)
    masked = redact_text(f"{around} {shape.format(secret)} {around}")
    assert secret not in masked
    assert MASK in masked


@given(secret=secrets, key=st.sampled_from(KEYS), nested=st.booleans())
@settings(max_examples=200, deadline=None)
def test_a_value_under_a_telling_name_is_masked(secret: str, key: str, nested: bool):
    given_value: Any = {"deep": [{"er": secret}]} if nested else secret
    masked = redact({"list": [{key: given_value}], "kept": "as it is"})
    assert secret not in json.dumps(masked)
    assert masked["kept"] == "as it is"


def test_one_secret_is_masked_once():
    assert redact_text("GET /x?token=abc123 now") == "GET /x?token=[redacted] now"
    assert redact_text("fetch('/x?token=abc123')") == "fetch('/x?token=[redacted]')"


@given(text=st.text())
@settings(max_examples=300, deadline=None)
def test_masking_twice_is_masking_once(text: str):
    once = redact_text(text)
    assert redact_text(once) == once


@pytest.mark.parametrize(
    "text",
    [
        "https://example.com/tokens/12?page=2#top",
        "The password is wrong.",
        "document.title",
        "(a, b) => a + b",
        "12:30@noon",
        "basic usage",
        "t1 Sign in - https://example.com/login",
    ],
)
def test_what_is_no_secret_stays(text: str):
    assert redact_text(text) == text


@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["a", "width"]), inner),
    )
)
def test_numbers_and_structure_stay(value: Any):
    assert redact(value) == value
