"""fetch: pages over plain HTTP as text, bounded, honest about what is missing, no browser."""

from __future__ import annotations

import gzip
import re
import socket
import threading
from collections.abc import AsyncIterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.engine import make_settings
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.fetch import address, http
from tabwright.engine.manager import BrowserManager
from tabwright.errors import BrowserNeeded, NavigationFailed, NetworkFailed, SecurityError, TimedOut
from tabwright.outcome import Outcome
from tabwright.verbs.fetch import Fetch, Fetched

SENTENCE = "The lighthouse keeper of island {} wrote of storms and of ships that came late. "
ARTICLE = "".join(f"<p>{SENTENCE.format(n) * 3}</p>" for n in range(8))
PAGE = f"""<nav><a href="/">Home</a> <a href="/shop">Shop for lamps</a></nav>
    <main><article><h1>Storms</h1>{ARTICLE}</article></main><footer>Imprint and cookies</footer>
    <script>document.title = 'run'</script>"""


@pytest.fixture
async def reader(tmp_path: Path) -> AsyncIterator[ToolContext]:
    """A conversation that fails when a browser is launched for it."""
    launched: list[Any] = []

    async def launch(plan: Any) -> Any:
        launched.append(plan)
        raise AssertionError("a browser was launched")

    manager = BrowserManager(make_settings(tmp_path), launch=launch)
    yield manager.context(working_dir=tmp_path)
    assert launched == []
    assert manager.sessions() == []
    await manager.stop()


async def fetch(context: ToolContext, url: str, **params: Any) -> Fetched:
    return (await call(context, "fetch", {"url": url, **params})).unwrap()


async def failing(context: ToolContext, url: str, **params: Any) -> Outcome:
    outcome = await call(context, "fetch", {"url": url, **params})
    assert outcome.error is not None
    return outcome


@pytest.mark.proves("S1-15")
async def test_a_page_is_read_without_what_is_around_it_and_without_a_browser(
    reader: ToolContext, site: Site
):
    url = site.page("/fetch/article", PAGE, title="Storms &amp; ships")
    found = await fetch(reader, url)
    assert (found.url, found.status, found.content_type) == (url, 200, "text/html")
    assert (found.title, found.article, found.via) == ("Storms & ships", True, "http")
    assert all(SENTENCE.format(n).strip() in found.content for n in range(8))
    assert not re.search("Home|lamps|Imprint|document.title", found.content)
    assert (found.length, found.truncated, found.whole) == (len(found.content), False, True)
    assert Fetch(url=url).timeout == 30_000
    marked = re.fullmatch(
        r'Title: "Storms & ships"\nURL: (\S+)\n<page (\w+)>\n(.*)\n</page \2>',
        found.text(),
        re.DOTALL,
    )
    assert marked is not None
    assert (marked[1], marked[3]) == (url, found.content)


async def test_a_page_without_an_article_gives_all_its_words(reader: ToolContext, site: Site):
    links = "".join(f"<li><a href='/{n}'>Offer number {n}</a></li>" for n in range(60))
    url = site.page("/fetch/list", f"<ul>{links}</ul><style>p {{ top: 0 }}</style>")
    found = await fetch(reader, url)
    assert all(f"Offer number {n}" in found.content for n in range(60))
    assert "top: 0" not in found.content


@pytest.mark.proves("S1-15")
@pytest.mark.parametrize(
    ("mime", "data"),
    [
        ("text/plain", b"short"),
        ("application/json", b'{"a": [1, 2]}'),
        ("application/vnd.api+json; charset=utf-8", '{"é": 1}'.encode()),
        ("text/csv", b"a,b\n1,2\n"),
        ("image/svg+xml", b"<svg><text>drawn</text></svg>"),
        ("application/octet-stream", "plain after all: é".encode()),
        ("", b"said nothing of itself"),
        ("text/plain", b""),
    ],
)
async def test_what_is_no_page_comes_as_it_is(
    reader: ToolContext, site: Site, mime: str, data: bytes
):
    found = await fetch(reader, site.content("/fetch/plain", data, mime=mime))
    assert found.content == data.decode()
    assert found.content_type == mime.partition(";")[0]


@pytest.mark.proves("S1-15")
@pytest.mark.parametrize(
    ("mime", "data"),
    [
        ("application/pdf", b"%PDF-1.7 text all the same"),
        ("image/png", b"\x89PNG\r\n"),
        ("application/zip", b"PK\x03\x04"),
        ("application/octet-stream", b"\x7fELF\x00\x01"),
        ("text/plain", b"not\x00text"),
        ("", b"\x00\x01\x02"),
    ],
)
async def test_what_is_no_text_is_refused_with_its_type_and_size(
    reader: ToolContext, site: Site, mime: str, data: bytes
):
    url = site.content("/fetch/binary", data, mime=mime)
    outcome = await failing(reader, url)
    assert isinstance(outcome.error, NavigationFailed)
    assert f"it is {mime or 'of no known type'}, {len(data)} bytes" in outcome.error.message
    assert outcome.error.details["sizeBytes"] == len(data)
    assert [(a.verb, a.params) for a in outcome.next_actions] == [("navigate", {"url": url})]


WORDS = {
    "windows-1251": "Привет, мир",
    "shift_jis": "日本語の文章",
    "iso-8859-1": "Äpfel, “naïve”, 5 €",
}


@pytest.mark.proves("S1-15")
@pytest.mark.parametrize("charset", WORDS)
@pytest.mark.parametrize("said", ["header", "meta"])
async def test_the_charset_is_honoured(reader: ToolContext, site: Site, charset: str, said: str):
    words = WORDS[charset]
    meta = f"<meta charset={charset}>" if said == "meta" else ""
    mime = "text/html" if said == "meta" else f'text/html; charset="{charset}"'
    # What calls itself ISO-8859-1 is windows-1252 to every browser.
    real = "cp1252" if charset == "iso-8859-1" else charset
    body = f"<html>{meta}<title>{words}</title><p>{(words + '. ') * 40}</p></html>"
    found = await fetch(reader, site.content("/fetch/charset", body.encode(real), mime=mime))
    assert found.title == words
    assert words in found.content


async def test_an_address_that_names_a_charset_is_not_the_pages_charset(
    reader: ToolContext, site: Site
):
    words = "Äpfel und Öl. " * 40
    body = f"<a href='?charset=shift_jis&encoding=latin1'>x</a><p>{words}</p>"
    found = await fetch(reader, site.content("/fetch/naming", body.encode(), mime="text/html"))
    assert words.strip() in found.content


@pytest.mark.parametrize(
    ("data", "mime"),
    [
        ("naïve 😀".encode("utf-16"), "text/plain"),
        (b"\xef\xbb\xbf" + "naïve 😀".encode(), "text/plain; charset=latin-1"),
        ("naïve 😀".encode(), "text/plain"),
        ("naïve 😀".encode(), "text/plain; charset=no-such-charset"),
        ("naïve 😀".encode(), "text/plain; charset=base64"),
        ("naïve 😀".encode(), "text/plain; charset=idna"),
    ],
)
async def test_text_without_a_charset_is_known_by_its_bytes(
    reader: ToolContext, site: Site, data: bytes, mime: str
):
    found = await fetch(reader, site.content("/fetch/bytes", data, mime=mime))
    assert found.content == "naïve 😀"


@settings(max_examples=100)
@given(data=st.binary(max_size=300), mime=st.text(st.characters(codec="ascii"), max_size=20))
async def test_no_answer_is_a_defect_of_ours(
    reader: ToolContext, site: Site, data: bytes, mime: str
):
    kind = "".join(c for c in mime if c.isprintable())
    url = site.content("/fetch/odd", data, mime=f"text/html; charset={kind}")
    outcome = await call(reader, "fetch", {"url": url})
    if outcome.error is not None:
        assert outcome.error.code in ("NAVIGATION_FAILED", "NETWORK_ERROR"), outcome.error


@pytest.mark.proves("S1-15")
async def test_a_long_text_is_cut_at_ten_thousand_and_says_how_to_have_the_rest(
    reader: ToolContext, site: Site
):
    text = "".join(f"line {n}\n" for n in range(3000))
    url = site.content("/fetch/long", text.encode(), mime="text/plain")
    found = await fetch(reader, url)
    assert found.content == text[:10_000]
    assert (found.length, found.truncated) == (len(text), True)
    total = len(text)
    assert found.text().endswith(f"… (characters 0 to 10000 of {total}; more: start 10000)")
    parts, start = [], 0
    while True:
        part = await fetch(reader, url, start=start, maxLength=7000)
        parts.append(part.content)
        start += len(part.content)
        if not part.truncated:
            break
    assert "".join(parts) == text
    assert part.text().endswith(f"… (characters {start - len(parts[-1])} to {total} of {total})")


@pytest.mark.proves("S1-15")
async def test_an_answer_without_an_end_is_read_up_to_a_size(reader: ToolContext, site: Site):
    left = threading.Event()

    def endless(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("content-type", "text/plain")
        request.end_headers()
        request.close_connection = True
        try:
            while True:
                request.wfile.write(b"for ever " * 10_000)
        except OSError:
            left.set()

    found = await fetch(reader, site.route("/fetch/endless", endless))
    assert (found.length, found.whole) == (http.MOST_BYTES, False)
    assert found.text().endswith("(the answer was too large and was not read to its end)")
    assert left.wait(30)


async def test_a_packed_answer_is_unpacked_and_bounded(reader: ToolContext, site: Site):
    packed = {"content-encoding": "gzip"}
    url = site.content("/fetch/zip", gzip.compress(b"hello"), mime="text/plain", headers=packed)
    assert (await fetch(reader, url)).content == "hello"
    bomb = gzip.compress(b"x" * 50_000_000)
    url = site.content("/fetch/bomb", bomb, mime="text/plain", headers=packed)
    assert (await fetch(reader, url)).length == http.MOST_BYTES


@pytest.mark.proves("S1-15")
async def test_a_server_that_does_not_answer_is_given_up_at_the_time_limit(
    reader: ToolContext, site: Site
):
    gate = threading.Event()
    try:
        outcome = await failing(reader, site.silent("/fetch/silent", gate), timeout=300)
    finally:
        gate.set()
    assert isinstance(outcome.error, TimedOut)
    assert outcome.error.details["waitedMs"] == 300


@pytest.mark.proves("S1-15")
async def test_redirects_are_followed_with_their_cookies(reader: ToolContext, site: Site):
    end = site.content("/fetch/end", b"the end", mime="text/plain")
    site.redirect("/fetch/second", "end?a=1#part")
    headers = {"location": "/fetch/second", "set-cookie": "way=1"}
    start = site.content("/fetch/start", b"", status=301, headers=headers)
    found = await fetch(reader, start)
    assert (found.content, found.url.partition("#")[0]) == ("the end", f"{end}?a=1")
    assert site.headers["/fetch/end"][-1]["Cookie"] == "way=1"
    circle = site.redirect("/fetch/circle", "/fetch/circle")
    site.hits["/fetch/circle"] = 0
    outcome = await failing(reader, circle)
    assert isinstance(outcome.error, NavigationFailed)
    assert "redirects more than 10 times" in outcome.error.message
    assert outcome.error.details["redirects"] == [circle] * 11
    assert site.hits["/fetch/circle"] == 11


async def test_a_proxy_is_asked_for_others_and_never_for_this_machine(
    reader: ToolContext, site: Site, monkeypatch: pytest.MonkeyPatch
):
    for name in ("HTTP_PROXY", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", site.origin)
    far = "http://far.invalid/page"
    site.content(far, b"through the proxy", mime="text/plain")
    assert (await fetch(reader, far)).content == "through the proxy"
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    near = site.content("/fetch/near", b"straight", mime="text/plain")
    for url in (near, near.replace("127.0.0.1", "localhost")):
        assert (await fetch(reader, url)).content == "straight"


METADATA = [
    "http://169.254.169.254/latest/meta-data/",
    "http://[::ffff:169.254.169.254]/",
    "http://[fe80::1]/",
    "http://[fd00:ec2::254]/",
    "http://100.100.100.200/",
    "http://2852039166/",
    "http://0xa9.0xfe.0xa9.0xfe/",
]


@pytest.mark.parametrize("url", METADATA)
async def test_a_clouds_metadata_is_not_asked_for(reader: ToolContext, site: Site, url: str):
    for asked in (url, site.redirect("/fetch/inward", url)):
        outcome = await failing(reader, asked)
        assert isinstance(outcome.error, SecurityError), outcome.error
        assert "metadata" in outcome.error.message


async def test_a_name_that_leads_elsewhere_the_second_time_is_not_believed(
    reader: ToolContext, site: Site, monkeypatch: pytest.MonkeyPatch
):
    async def nothing(url: str) -> None:
        del url

    monkeypatch.setattr(address, "check", nothing)
    monkeypatch.setattr(address, "REFUSED", (address.ip_network("127.0.0.0/8"),))
    url = site.content("/fetch/rebound", b"inner secrets", mime="text/plain")
    outcome = await failing(reader, url)
    assert isinstance(outcome.error, SecurityError)


@pytest.mark.parametrize("to", ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://h/a"])
async def test_a_redirect_out_of_the_web_is_refused(reader: ToolContext, site: Site, to: str):
    outcome = await failing(reader, site.redirect("/fetch/outward", to))
    assert isinstance(outcome.error, SecurityError)
    assert f"{to!r} is not an address of the web" in outcome.error.message


CHALLENGE = "<title>Just a moment...</title><p>Checking your browser before you go on." + "x" * 300
SHELL = "<title>App</title><div id=root></div><script src=app.js></script><p>Loading"


@pytest.mark.proves("S1-16")
@pytest.mark.parametrize(
    ("status", "headers", "body", "reason"),
    [
        (403, {}, PAGE, "HTTP 403"),
        (503, {}, PAGE, "HTTP 503"),
        (429, {}, "", "HTTP 429"),
        (200, {"cf-mitigated": "challenge"}, PAGE, "whether a person is there"),
        (200, {}, CHALLENGE, "whether a person is there"),
        (403, {}, f"<title>a</title><script>_cf_chl_opt = 1</script>{PAGE[:300]}", "person"),
        (200, {}, SHELL, "without scripts it has 7 characters of text"),
        (200, {}, "", "without scripts it has 0 characters of text"),
    ],
)
async def test_a_page_that_needs_a_browser_says_so_and_names_the_call(
    reader: ToolContext, site: Site, status: int, headers: dict[str, str], body: str, reason: str
):
    url = site.content("/fetch/needs", body.encode(), status=status, headers=headers)
    outcome = await failing(reader, url)
    assert isinstance(outcome.error, BrowserNeeded)
    assert outcome.error.advice == "retry"
    assert reason in outcome.error.message
    assert "`navigate`" in outcome.error.hint
    assert [(a.verb, a.params) for a in outcome.next_actions] == [("navigate", {"url": url})]


async def test_a_long_page_that_names_a_challenge_is_a_page(reader: ToolContext, site: Site):
    body = f"{PAGE}<script src='/cdn-cgi/challenge-platform/x.js'></script><i class=cf-chl-a></i>"
    assert (await fetch(reader, site.page("/fetch/guarded", body))).article


async def test_an_error_answer_is_an_error(reader: ToolContext, site: Site):
    url = site.page("/fetch/none", "<p>No such page here.", title="Gone", status=404)
    outcome = await failing(reader, url)
    assert isinstance(outcome.error, NavigationFailed)
    assert not isinstance(outcome.error, BrowserNeeded)
    details = outcome.error.details
    assert (details["status"], details["title"]) == (404, "Gone")
    assert "No such page here." in details["snippet"]


async def test_a_server_that_is_not_reached_is_a_network_error(reader: ToolContext, site: Site):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{free.getsockname()[1]}/"
    for url in (closed, "http://no-such-host.invalid/", site.broken("/fetch/broken")):
        outcome = await failing(reader, url)
        assert isinstance(outcome.error, NetworkFailed), outcome.error
        assert url in outcome.error.message


@pytest.mark.parametrize("choice", ["auto", "always"])
async def test_a_browser_is_not_used_and_that_is_said(reader: ToolContext, site: Site, choice: str):
    outcome = await failing(reader, site.page("/fetch/auto", PAGE), useBrowser=choice)
    assert outcome.error is not None
    assert "only 'never' is possible so far; `navigate`" in outcome.error.message
    assert site.hits["/fetch/auto"] == 0
