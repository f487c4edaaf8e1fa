"""Receipts: what was delivered, what changed, what is pending, and a verdict that is true."""

from __future__ import annotations

import re
import threading
import time
from http.server import BaseHTTPRequestHandler

import pytest

from support.engine import do, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext


async def clicked(context: ToolContext, site: Site, path: str, body: str, selector: str = "#b"):
    await do(context, "navigate", url=site.page(path, body))
    return await do(context, "click", selector=selector)


async def test_a_listener_that_shows_nothing_is_still_effective(context: ToolContext, site: Site):
    acted = await clicked(context, site, "/r/silent", "<button id=b onclick='n = 1'>x</button>")
    assert await value(context, "n") == 1
    assert (acted.verdict, acted.receipt["why"]) == ("effective", "nothing visible changed")


async def test_a_click_that_nobody_listens_for_has_no_effect(context: ToolContext, site: Site):
    acted = await clicked(context, site, "/r/dead", "<button id=b>dead</button><p>text</p>")
    assert acted.verdict == "no_effect"
    assert "nothing on the page listens" in acted.text()
    assert acted.receipt["delivered"]["click"] == 1
    assert (await do(context, "click", selector="p")).verdict == "no_effect"


async def test_listeners_far_up_count(context: ToolContext, site: Site):
    body = "<div><p id=b>x</p></div><script>window.addEventListener('click', () => n = 1)</script>"
    assert (await clicked(context, site, "/r/far", body)).verdict == "effective"
    assert await value(context, "n") == 1


async def test_input_that_another_element_received_is_misdirected(context: ToolContext, site: Site):
    body = """<button id=b>x</button><script>
      b.addEventListener("pointerover", () => {
        const lid = document.createElement("div");
        lid.style = "position:fixed;inset:0";
        lid.textContent = "Thief";
        lid.id = "lid";
        document.body.append(lid);
      });
      addEventListener("click", (event) => { got = event.target.id; }, true);</script>"""
    await do(context, "navigate", url=site.page("/r/thief", body))
    outcome = await call(context, "click", {"selector": "#b"})
    assert outcome.error is not None
    assert outcome.error.code == "MISDIRECTED"
    assert 'div "Thief"' in outcome.error.message
    assert await value(context, "got") == "lid"


async def test_an_element_that_goes_between_press_and_release_is_not_called_clicked(
    context: ToolContext, site: Site
):
    body = """<div id=all><button id=b onmousedown="this.remove()">x</button></div>"""
    acted = await clicked(context, site, "/r/gone", body)
    assert acted.verdict == "unknown"
    assert "gone before the input was complete" in acted.text()


@pytest.mark.parametrize(
    ("handler", "key", "expected"),
    [
        ("o.textContent = 'Saved'", "changes", 'says status "Saved" e2'),
        ("setTimeout(() => o.textContent = 'Later', 50)", "changes", 'says status "Later" e2'),
        (
            "setTimeout(() => setTimeout(() => o.textContent = 'Chained', 60), 60)",
            "changes",
            'says status "Chained" e2',
        ),
        (
            "requestAnimationFrame(() => o.textContent = 'Frame')",
            "changes",
            'says status "Frame" e2',
        ),
        (
            "Promise.resolve().then(() => o.textContent = 'Promised')",
            "changes",
            'says status "Promised" e2',
        ),
        (
            """const c = new MessageChannel(); c.port1.onmessage = () => o.textContent = 'Posted';
            c.port2.postMessage(1)""",
            "changes",
            'says status "Posted" e2',
        ),
        (
            "document.body.insertAdjacentHTML('beforeend','<i role=dialog aria-label=Sure>?</i>')",
            "changes",
            'appeared dialog "Sure" e2',
        ),
        ("this.setAttribute('aria-expanded', 'true')", "state", {"expanded": True}),
        ("document.title = 'New'", "title", "New"),
        ("history.pushState({}, '', '/r/pushed')", "url", "/r/pushed"),
        ("throw new Error('boom')", "errors", ["Error: boom"]),
        ("console.error('bad', 7)", "errors", ["bad 7"]),
        ("i.focus()", "focus", {"role": "textbox", "name": "Field", "ref": "e2"}),
    ],
)
@pytest.mark.proves("S1-07")
async def test_what_changed_is_in_the_receipt(
    context: ToolContext, site: Site, handler: str, key: str, expected: object
):
    acted = await clicked(
        context,
        site,
        "/r/changes",
        f"""<button id=b onclick="{handler}" aria-expanded=false>x</button>
        <p id=o role=status></p><input id=i aria-label=Field>""",
    )
    assert acted.verdict == "effective"
    found = acted.receipt[key]
    if key == "changes":
        assert found == [expected]
    elif key == "url":
        assert found.endswith(str(expected))
    elif key == "state":
        assert {k: v for k, v in found.items() if k != "focused"} == expected
    else:
        assert found == expected


@pytest.mark.proves("S1-07")
async def test_a_change_after_300_ms_is_waited_for_and_an_animation_is_not(
    context: ToolContext, site: Site
):
    body = """<style>@keyframes spin { to { transform: rotate(1turn) } }
      #s { animation: spin 1s infinite linear; width: 20px; height: 20px }</style><div id=s></div>
      <button id=b onclick="setTimeout(() => o.textContent = 'done', 300)">x</button><p id=o></p>"""
    acted = await clicked(context, site, "/r/late", body)
    assert await value(context, "o.textContent") == "done"
    assert 'now paragraph "done"' in acted.text()
    assert "pending" not in acted.receipt


async def test_timers_of_the_page_itself_are_not_waited_for(context: ToolContext, site: Site):
    body = """<p id=clock></p><button id=b onclick="n = 1">x</button><script>
      (function tick() { clock.textContent = Math.random(); setTimeout(tick, 40); })();</script>"""
    await do(context, "navigate", url=site.page("/r/clock", body))
    await do(context, "click", selector="#b")
    outcome = await call(context, "click", {"selector": "#b"})
    assert "pending" not in outcome.unwrap().receipt
    assert outcome.execution_time < 900


async def test_what_is_not_done_in_time_is_named(context: ToolContext, site: Site):
    gate = threading.Event()
    slow = site.silent("/r/slow-api", gate)
    body = f"""<button id=b onclick="fetch('{slow}'); (function go() {{ setTimeout(go, 300) }})()">x
      </button>"""
    try:
        acted = await clicked(context, site, "/r/pending", body)
    finally:
        gate.set()
    assert acted.verdict == "effective"
    assert any("/r/slow-api" in one for one in acted.receipt["pending"])
    assert any("timer" in one for one in acted.receipt["pending"])


async def test_requests_and_what_they_bring_are_in_the_receipt(context: ToolContext, site: Site):
    def answer(request: BaseHTTPRequestHandler) -> None:
        time.sleep(0.1)
        request.send_response(201)
        request.send_header("content-length", "2")
        request.end_headers()
        request.wfile.write(b"ok")

    url = site.route("/r/api", answer)
    acted = await clicked(
        context,
        site,
        "/r/fetch",
        f"""<p id=o role=status></p><button id=b onclick="fetch('{url}', {{method: 'POST'}})
        .then((r) => r.text()).then((t) => o.textContent = t)">x</button>""",
    )
    assert acted.receipt["requests"] == ["POST /r/api 201"]
    assert acted.receipt["changes"] == ['says status "ok" e2']


async def test_an_element_that_acts_on_the_press_and_goes_is_effective(
    context: ToolContext, site: Site
):
    body = """<input id=f><ul><li id=b>Oban</ul><script>b.onmousedown = (e) => {
      e.preventDefault(); f.value = b.textContent; b.hidden = true }</script>"""
    acted = await clicked(context, site, "/r/suggestion", body)
    assert await value(context, "f.value") == "Oban"
    assert acted.verdict == "effective"
    assert "click" not in acted.receipt["delivered"]
    assert "before the click was complete" in acted.receipt["why"]


async def test_what_is_new_is_told_once_and_by_its_words(context: ToolContext, site: Site):
    body = """<div id=o></div><button id=b>x</button><script>b.onclick = () => {
      const table = document.createElement('table'); o.append(table);
      for (const day of ['Mon', 'Tue', 'Wed']) table.insertRow().insertCell().append(day) }</script>
      """
    acted = await clicked(context, site, "/r/nested", body)
    assert acted.receipt["changes"] == ['appeared table "Mon Tue Wed" e2']


async def test_an_answer_that_came_while_a_new_tab_was_waited_for_is_in_the_receipt(
    context: ToolContext, site: Site
):
    def slowly(seconds: float, mime: str):
        def answer(request: BaseHTTPRequestHandler) -> None:
            time.sleep(seconds)
            request.send_response(200)
            request.send_header("content-type", mime)
            request.send_header("content-length", "2")
            request.end_headers()
            request.wfile.write(b"ok")

        return answer

    popup = site.route("/r/slow-popup", slowly(0.4, "text/html"))
    api = site.route("/r/quick-api", slowly(0.05, "text/plain"))
    acted = await clicked(
        context,
        site,
        "/r/popup-and-fetch",
        f"""<p id=o role=status></p><button id=b onclick="window.open('{popup}'); fetch('{api}')
        .then((r) => r.text()).then((t) => o.textContent = t)">x</button>""",
    )
    assert acted.receipt["newTabs"] == [f"t2 {popup}"]
    assert acted.receipt["changes"] == ['says status "ok" e2']


async def test_a_stream_is_named_and_not_waited_for(context: ToolContext, site: Site):
    gate = threading.Event()

    def stream(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("content-type", "text/event-stream")
        request.end_headers()
        request.wfile.write(b"data: 1\n\n")
        request.wfile.flush()
        gate.wait(30)
        request.close_connection = True

    url = site.route("/r/stream", stream)
    try:
        acted = await clicked(
            context,
            site,
            "/r/sse",
            f"""<p id=o></p><button id=b onclick="new EventSource('{url}').onmessage =
            (e) => o.textContent = e.data">x</button>""",
        )
    finally:
        gate.set()
    assert acted.receipt["pending"] == ["stream /r/stream"]


async def test_a_new_tab_is_named_and_following_it_is_the_callers_choice(
    context: ToolContext, site: Site
):
    url = site.page("/r/popup", "popup", title="Popup")
    for number, body in enumerate(
        (
            f"<button id=b onclick=\"window.open('{url}')\">x</button>",
            f'<a id=b target=_blank href="{url}">x</a>',
            f'<a id=b target=_blank rel=noopener href="{url}">x</a>',
        ),
        2,
    ):
        await do(context, "tabs", action="select", tab="t1") if number > 2 else None
        await do(context, "navigate", url=site.page(f"/r/opener{number}", body))
        outcome = await call(context, "click", {"selector": "#b"})
        opened = outcome.unwrap().receipt["newTabs"]
        assert opened == [f"t{number} {url}"]
        assert outcome.next_actions[-1].params == {"action": "select", "tab": f"t{number}"}
        assert await value(context, "location.pathname") == f"/r/opener{number}"
    await do(context, "tabs", action="select", tab="t2")
    await do(context, "wait", url="**/r/popup")
    assert await value(context, "document.title") == "Popup"


async def test_a_link_is_followed_and_its_page_told(context: ToolContext, site: Site):
    target = site.page("/r/target", "arrived", title="Target")
    acted = await clicked(context, site, "/r/link", f'<a id=b href="{target}">go</a>')
    assert (acted.verdict, acted.receipt["url"], acted.receipt["title"]) == (
        "effective",
        target,
        "Target",
    )


async def test_a_form_is_submitted_and_its_page_told(context: ToolContext, site: Site):
    site.page("/r/submitted", "thanks", title="Thanks")
    acted = await clicked(
        context, site, "/r/form", "<form action=/r/submitted><input name=q value=1><button id=b>x"
    )
    assert acted.receipt["url"].endswith("/r/submitted?q=1")
    assert acted.verdict == "effective"


async def test_a_link_that_downloads_names_the_file(context: ToolContext, site: Site):
    url = site.content(
        "/r/file",
        b"data",
        mime="application/octet-stream",
        headers={"content-disposition": "attachment; filename=data.bin"},
    )
    acted = await clicked(context, site, "/r/dl", f'<a id=b href="{url}">get</a>')
    assert acted.verdict == "effective"
    assert acted.receipt["downloads"][0].startswith("d1 data.bin")


async def test_a_button_that_closes_its_tab(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/r/stays", "stays"))
    url = site.page("/r/closes", "<button id=b onclick='window.close()'>x</button>")
    await do(context, "evaluate", expression=f"window.open({url!r}); 1")
    await do(context, "wait", time=300)
    await do(context, "tabs", action="select", tab="t2")
    outcome = await call(context, "click", {"selector": "#b", "wait": True, "timeout": 5000})
    assert outcome.success, outcome.text()
    assert outcome.unwrap().verdict == "effective"
    assert await value(context, "location.pathname") == "/r/stays"


async def test_the_same_act_on_an_unchanged_page_is_called_so(context: ToolContext, site: Site):
    body = "<button id=b onclick='n = 1'>x</button><button id=c onclick='this.append(1)'>y</button>"
    acted = await clicked(context, site, "/r/again", body)
    assert "repeated" not in acted.receipt
    again = await do(context, "click", selector="#b")
    assert again.receipt["repeated"] is True
    assert "the same act as before" in again.text()
    for _ in range(2):
        assert "repeated" not in (await do(context, "click", selector="#c")).receipt
    assert "repeated" not in (await do(context, "click", selector="#b")).receipt


def tokens(text: str) -> int:
    """No fewer than a model's tokenizer makes: every word of up to four letters, every sign."""
    return sum(max(1, -(-len(word) // 4)) for word in re.findall(r"\w+|[^\w\s]", text))


async def test_an_act_with_nothing_to_report_costs_at_most_40_tokens(
    context: ToolContext, site: Site
):
    body = """<button id=b onclick='n = 1'>Save changes</button><input id=i aria-label="Full name">
      <input type=checkbox id=c aria-label="I agree"><select id=s aria-label=Colour><option>red
      <option>green</select>"""
    await do(context, "navigate", url=site.page("/r/cheap", body))
    for verb, params in (
        ("click", {"selector": "#b"}),
        ("hover", {"selector": "#b"}),
        ("fill", {"selector": "#i", "text": "Ada Lovelace"}),
        ("type", {"selector": "#i", "text": "!"}),
        ("press", {"key": "ArrowLeft"}),
        ("check", {"selector": "#c"}),
        ("select", {"selector": "#s", "options": ["green"]}),
        ("focus", {"selector": "#b"}),
    ):
        outcome = await call(context, verb, params)
        assert outcome.success, outcome.text()
        assert tokens(outcome.text()) <= 40, outcome.text()


async def test_a_hung_handler_is_answered_in_time_and_other_tabs_are_not_slowed(
    context: ToolContext, site: Site
):
    plain = site.page("/r/plain", "<button id=b onclick='n = 1'>x</button>")
    await do(context, "navigate", url=site.page("/r/hang", "<button id=b onclick='for (;;);'>x"))
    outcome = await call(context, "click", {"selector": "#b", "timeout": 8000})
    assert outcome.unwrap().verdict == "unknown"
    assert "a script that runs on" in outcome.unwrap().receipt["pending"]
    assert outcome.next_actions[0].verb == "interrupt"
    assert outcome.execution_time < 8000
    await do(context, "tabs", action="new", url=plain)
    assert (await do(context, "click", selector="#b", timeout=3000)).verdict == "effective"
    await do(context, "tabs", action="select", tab="t1")
    assert (await do(context, "interrupt")).responsive


async def test_an_animation_that_an_act_starts_is_named(context: ToolContext, site: Site):
    body = """<style>#m { transition: transform 3s } .on { transform: translateX(99px) }
      button { transition: color 3s } button:hover { color: red }</style><div id=m>menu</div>
      <button id=b onclick="m.classList.add('on')">x</button>"""
    acted = await clicked(context, site, "/r/moves", body)
    assert acted.receipt["pending"] == ["1 animation"]


async def test_what_is_said_are_the_words_that_are_seen(context: ToolContext, site: Site):
    body = """<div id=o role=status></div><button id=b onclick="
      o.innerHTML = '<p>One</p><p>Two</p><p hidden>Three</p>'">x</button>"""
    acted = await clicked(context, site, "/r/said", body)
    assert acted.receipt["changes"][0] == 'says status "One Two" e2'
