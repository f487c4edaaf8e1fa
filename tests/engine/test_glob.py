"""Patterns of addresses: parts, globs and regular expressions."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tabwright.engine.glob import url_matches
from tabwright.errors import InputError

API = "https://shop.test/api/v1/orders?page=2"

segments = st.text("abc.?=&%-_~(+$[1", min_size=1, max_size=6)
paths = st.lists(segments, min_size=1, max_size=5)


def address(path: list[str]) -> str:
    return f"https://shop.test/{'/'.join(path)}"


@pytest.mark.parametrize(
    "pattern",
    [
        API,
        "orders?page=2",
        "/orders",
        "shop.test",
        "https://shop.test/api/v1/*",
        "https://*/api/**",
        "*://shop.test/**",
        "**/orders*",
        "**/orders?page=*",
        "**",
        "*",
        "/api/*/orders?page=*",
        "/api/**",
        "/**/orders*",
        "/api/v1/**/orders*",
        "/**/v{1,2}/*",
        "orders*",
        "shop.test/**",
        "{api,rest}/v1/*",
        "**/{orders,*.json}?page=2",
        "/orders/",
        r"/v\d\/orders\?page=\d+$/",
        "/ORDERS/i",
        "/ORDERS/gi",
    ],
)
def test_a_pattern_means_the_address(pattern: str):
    assert url_matches(pattern, API)


@pytest.mark.parametrize(
    "pattern",
    [
        "orders?page=3",
        "ORDERS",
        "/ORDERS/",
        "https://shop.test/*",
        "**/orders",
        "**/orders?",
        "/api/*",
        "/api/*/",
        "/api/**/",
        "/orders*",
        "/v1/**",
        "/store/us",
        "https://shop.test/api**/v2/*",
        "{api,rest}/*",
        "/^orders/",
    ],
)
def test_a_pattern_does_not_mean_the_address(pattern: str):
    assert not url_matches(pattern, API)


@given(path=paths, data=st.data())
def test_every_part_of_an_address_means_it(path: list[str], data: st.DataObject):
    url = address(path)
    start = data.draw(st.integers(0, len(url) - 1))
    part = url[start : data.draw(st.integers(start + 1, len(url)))]
    assume(not (part.startswith("/") and part.endswith("/") and len(part) > 2))
    assert url_matches(part, url)


@given(path=paths, data=st.data())
def test_a_star_is_what_stands_between_two_slashes(path: list[str], data: st.DataObject):
    at = data.draw(st.integers(0, len(path) - 1))
    starred = address([*path[:at], "*", *path[at + 1 :]])
    assert url_matches(starred, address(path))
    assert not url_matches(starred, address([*path[:at], "a", "a", *path[at + 1 :]]))


@given(path=paths, data=st.data())
def test_two_stars_are_any_stretch_of_the_address(path: list[str], data: st.DataObject):
    url = address(path)
    start = data.draw(st.integers(0, len(url)))
    end = data.draw(st.integers(start, len(url)))
    assume(not url[end:].startswith("/"))
    starred = f"{url[:start]}**{url[end:]}"
    assume(start == 0 or "://" in starred)
    assert url_matches(starred, url)


def plainly(glob: str, url: str, before: str = "/") -> bool:
    """The meaning of stars, written down as slowly as it is simple."""
    if not glob:
        return not url
    if glob.startswith("**/") and before == "/":
        after = [url[at + 1 :] for at, letter in enumerate(url) if letter == "/"]
        return any(plainly(glob[3:], rest) for rest in [url, *after])
    if glob.startswith("**"):
        return any(plainly(glob[2:], url[at:], "*") for at in range(len(url) + 1))
    if glob.startswith("*"):
        stop = url.find("/") if "/" in url else len(url)
        return any(plainly(glob[1:], url[at:], "*") for at in range(stop + 1))
    return bool(url) and url[0] == glob[0] and plainly(glob[1:], url[1:], glob[0])


@given(
    glob=st.lists(st.sampled_from(["a", "b", "/", "*", "/**/", "/**", "."]), max_size=8),
    url=st.text("ab/.", max_size=8),
)
@settings(max_examples=500)
@example(glob=["/**/", "*"], url="/")
def test_stars_mean_what_they_plainly_mean(glob: list[str], url: str):
    pattern = "".join(glob).replace("***", "**")
    assume("*" in pattern and "***" not in pattern)
    assert url_matches(f"http://h/{pattern}", f"http://h/{url}") is plainly(pattern, url)


@given(pattern=st.text() | st.text("/[](){}*+?\\|^$.,abi", max_size=30))
@settings(max_examples=500)
def test_any_text_is_a_pattern_or_is_refused(pattern: str):
    try:
        assert url_matches(pattern, API) in (True, False)
    except InputError:
        assert not pattern or pattern.startswith("/")


@pytest.mark.parametrize("pattern", ["", "/(/", "/[/i", "/+/", "/a{2,1}/"])
def test_what_cannot_be_read_is_refused_with_a_way_out(pattern: str):
    with pytest.raises(InputError) as refused:
        url_matches(pattern, API)
    way_out = "do without the slashes" if pattern else "**/api/**"
    assert way_out in refused.value.hint
