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
    "user[password]={0}",
    "user%5Bpassword%5D={0}",
    "password_confirmation={0}",
    "newpassword: {0}",
    "https://example.com/?sid={0}",
    "https://example.com/?a=1&session={0}",
    "https://example.com/?key={0}#top",
    "https://example.com/?jwt={0}",
    "https://example.com/?a=1&amp;sig={0}",
    "https://example.com/?user%5Bpin%5D={0}",
    "https://example.com/#access_token={0}&state=1",
    "/go?next=/back?token={0}",
    "body: password={0}",
    "<password>{0}</password>",
    '<ns:apiKey type="x">{0}</ns:apiKey>',
    '"{{\\"password\\": \\"{0}\\"}}"',
    'cut: {{"token": "{0}',
    "Authorization: Digest {0}",
]
KEYS = (
    "password Passwd apiKey api_key token accessToken authorization cookie cookies sessionId"
    " clientSecret private-key credential password_confirmation user[password] csrftoken PHPSESSID"
    " pin X-Auth user.pin jwt password2 user_OTP X-API-Key newpassword"
)
PLAIN_KEYS = (
    "spin compass mapPin key code session tokens tokenType cookie_name author passenger bypass"
    " token_expires_in keyboard"
)


@given(secret=secrets, shape=st.sampled_from(SHAPES), around=st.text(max_size=20))
@settings(max_examples=300)
def test_what_looks_like_a_secret_is_masked_wherever_it_stands(
    secret: str, shape: str, around: str
):
    assume(secret not in around)
    masked = redact_text(f"{around} {shape.format(secret)} {around}")
    assert secret not in masked
    assert MASK in masked


@given(secret=secrets, key=st.sampled_from(KEYS.split()), nested=st.booleans())
@settings(max_examples=200)
def test_a_value_under_a_telling_name_is_masked(secret: str, key: str, nested: bool):
    given_value: Any = {"deep": [{"er": secret}]} if nested else secret
    masked = redact({"list": [{key: given_value}], "kept": "as it is"})
    assert secret not in json.dumps(masked)
    assert masked["kept"] == "as it is"


@pytest.mark.parametrize("key", PLAIN_KEYS.split())
def test_a_name_that_only_sounds_like_a_secret_hides_nothing(key: str):
    assert redact({key: "as it is"}) == {key: "as it is"}
    assert redact_text(f"{key}: shown, {key}='shown'") == f"{key}: shown, {key}='shown'"


def test_one_secret_is_masked_once():
    assert redact_text("Authorization: Bearer abcdefgh") == "Authorization: [redacted]"
    assert redact_text("{'token': 'abc', \"pin\": 12}") == (
        "{'token': '[redacted]', \"pin\": [redacted]}"
    )
    assert redact_text("GET /x?token=abc123 now") == "GET /x?token=[redacted] now"
    assert redact_text("fetch('/x?token=abc123')") == "fetch('/x?token=[redacted]')"


@given(text=st.text())
@settings(max_examples=300)
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
        "https://example.com/?zipcode=12345&keyword=pin&compass=n",
        "if (token == null) password => 1",
        '{"password": null, "cookie": true}',
        "<title>Your password</title>",
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


@pytest.mark.parametrize(
    "unit",
    ["ab-_", "a.", "-eyJaaaaaaaa", "password ", "token:", "&a=", "<a ", "<pin>", "://a", "a[", " "],
)
def test_a_long_text_costs_no_more_than_its_length(unit: str):
    # Were it quadratic, the test's own time limit would end it.
    text = unit * (2_000_000 // len(unit))
    assert redact_text(text).count(unit[:1]) > 0
