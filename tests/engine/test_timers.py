"""The stand-ins for timers: those of one document are no use in the next."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from support.engine import do, value
from support.site import Site
from support.traffic import tab_of
from tabwright.engine import timers
from tabwright.engine.context import ToolContext
from tabwright.engine.frame import Frame

PAGE = """<button id=b onclick="setTimeout(() => { o.textContent = 'done' }, 60)">x</button>
<p id=o></p>"""


def held_up(monkeypatch: pytest.MonkeyPatch) -> tuple[asyncio.Event, asyncio.Event]:
    """Stand-ins stop half-way: tells that they are there, and lets them go on."""
    send, on_the_way, go_on = Frame.send, asyncio.Event(), asyncio.Event()

    async def slowly(self: Frame, method: str, params: Any = None) -> Any:
        if method == "DOM.describeNode":
            on_the_way.set()
            await go_on.wait()
        return await send(self, method, params)

    monkeypatch.setattr(Frame, "send", slowly)
    return on_the_way, go_on


async def test_those_of_the_page_before_are_not_taken_for_this_ones(
    context: ToolContext, site: Site, monkeypatch: pytest.MonkeyPatch
):
    await do(context, "navigate", url=site.page("/timers/one", PAGE))
    await do(context, "click", selector="#b")
    await do(context, "navigate", url=site.page("/timers/two", PAGE))
    frame = (await tab_of(context)).frames.main
    on_the_way, go_on = held_up(monkeypatch)
    frame.timers.begin()
    await on_the_way.wait()
    # An act that begins while they are on their way, as one does after one that was refused.
    frame.timers.begin()
    go_on.set()
    acted = await do(context, "click", selector="#b")
    assert 'now paragraph "done"' in acted.text()


async def test_those_that_come_after_their_act_is_over_leave_again(
    context: ToolContext, site: Site, monkeypatch: pytest.MonkeyPatch
):
    await do(context, "navigate", url=site.page("/timers/refused", PAGE))
    frame = (await tab_of(context)).frames.main
    own = await value(context, "setTimeout.toString()")
    monkeypatch.setattr(timers, "LINGER_S", 2.0)
    on_the_way, go_on = held_up(monkeypatch)
    frame.timers.begin()
    await on_the_way.wait()
    frame.timers.end()
    go_on.set()
    await do(context, "wait", expression=f"setTimeout.toString() !== {own!r}")
    await do(context, "wait", expression=f"setTimeout.toString() === {own!r}")


async def test_a_timer_that_shows_nothing_has_time_for_what_it_asked(
    context: ToolContext, site: Site
):
    body = """<p id=o></p><script>const channel = new MessageChannel();
      channel.port1.onmessage = () => { o.textContent = 'rendered' };</script>
      <button id=b onclick="setTimeout(() => channel.port2.postMessage(1), 30)">x</button>"""
    await do(context, "navigate", url=site.page("/timers/asked", body))
    acted = await do(context, "click", selector="#b")
    assert 'now paragraph "rendered"' in acted.text()


async def test_every_timer_of_a_row_is_waited_for_though_each_shows_something(
    context: ToolContext, site: Site
):
    body = """<p id=o></p><script>const step = (left) => { o.textContent += left;
      if (left) setTimeout(step, 30, left - 1) };</script>
      <button id=b onclick="setTimeout(step, 30, 4); setTimeout(() => { b.title = 'x' }, 200)">x
      </button>"""
    await do(context, "navigate", url=site.page("/timers/row", body))
    acted = await do(context, "click", selector="#b")
    assert 'now paragraph "43210"' in acted.text()
    assert await value(context, "b.title") == "x"


async def test_an_act_that_follows_at_once_on_the_next_page_waits_for_its_timers(
    context: ToolContext, site: Site
):
    for number in range(5):
        await do(context, "navigate", url=site.page(f"/timers/next/{number}", PAGE))
        acted = await do(context, "click", selector="#b")
        assert 'now paragraph "done"' in acted.text()


async def test_those_of_a_frame_do_not_leave_in_the_middle_of_the_next_act(
    context: ToolContext, site: Site
):
    inner = """<button id=one onclick="1">One</button><p id=q></p><button id=two onclick="
      setTimeout(() => { q.textContent = 'late' }, 150)">Two</button>"""
    frame = site.page("/timers/inner", inner)
    body = f"<iframe src='{frame}' width=400 height=200></iframe>"
    await do(context, "navigate", url=site.page("/timers/frame", body))
    for number in range(8):
        await do(context, "click", selector="#one")
        acted = await do(context, "click", selector="#two")
        assert 'now paragraph "late"' in acted.text(), number
        await do(context, "evaluate", expression="frames[0].q.textContent = ''")


@pytest.mark.parametrize("how", ["history.back()", "history.go(-1)", "navigation.back()"])
async def test_a_step_back_in_history_is_waited_for(context: ToolContext, site: Site, how: str):
    body = f"""<p id=o></p><button id=b onclick="{how}">x</button>
      <script>addEventListener('popstate', () => {{ o.textContent = 'at ' + location.hash }})
      location.hash = 1; for (let i = 2; i < 8; i++) history.pushState(0, '', '#' + i)</script>"""
    url = site.page("/timers/back", body)
    await do(context, "navigate", url=url)
    for number in range(6, 1, -1):
        acted = await do(context, "click", selector="#b")
        assert acted.receipt["url"] == f"{url}#{number}"
        assert f'paragraph "at #{number}"' in acted.text()


async def test_a_step_in_history_that_leads_nowhere_is_not_waited_for_long(
    context: ToolContext, site: Site
):
    body = '<button id=b onclick="history.forward()">x</button>'
    await do(context, "navigate", url=site.page("/timers/nowhere", body))
    acted = await do(context, "click", selector="#b")
    assert (acted.verdict, acted.receipt.get("pending")) == ("effective", None)
    own = "function forward() { [native code] }"
    await do(context, "wait", expression=f"History.prototype.forward.toString() === {own!r}")


@pytest.mark.parametrize("how", ["ask()", "setTimeout(ask, 30)"])
async def test_the_answer_of_a_worker_is_waited_for(context: ToolContext, site: Site, how: str):
    body = f"""<p id=o></p><button id=b onclick="{how}">x</button><script>
      const code = new Blob(['onmessage = ({{ data }}) => postMessage(data + 1)']);
      const worker = new Worker(URL.createObjectURL(code));
      let number = 0;
      const ask = () => worker.postMessage(number);
      worker.onmessage = ({{ data }}) => {{ o.textContent = `answer ${{number = data}}` }};
      </script>"""
    await do(context, "navigate", url=site.page("/timers/worker", body))
    for number in range(1, 9):
        acted = await do(context, "click", selector="#b")
        assert f'paragraph "answer {number}"' in acted.text()


async def test_a_worker_that_does_not_answer_is_not_waited_for_long(
    context: ToolContext, site: Site
):
    body = """<button id=b onclick="worker.postMessage(1)">x</button><script>
      const worker = new Worker(URL.createObjectURL(new Blob(['onmessage = () => 0'])));</script>"""
    await do(context, "navigate", url=site.page("/timers/silent", body))
    acted = await do(context, "click", selector="#b")
    assert (acted.verdict, acted.receipt.get("pending")) == ("effective", None)


NATIVE = "function setTimeout() { [native code] }"


async def test_stand_ins_leave_when_a_dialog_that_the_act_opened_is_answered(
    context: ToolContext, site: Site
):
    body = '<button id=b onclick="alert(1)">x</button>'
    await do(context, "navigate", url=site.page("/timers/dialog", body))
    await do(context, "click", selector="#b")
    await do(context, "wait", time=200)
    await do(context, "dialog", action="accept")
    await do(context, "wait", expression=f"setTimeout.toString() === {NATIVE!r}")


@pytest.mark.parametrize(
    "guard",
    [
        "History.prototype, 'back', { get: () => () => 0, set() { throw 1 } }",
        "window, 'clearTimeout', { get: () => () => 0, set() { throw 1 } }",
        "window, 'Navigation', { get() { throw 1 } }",
        "window, 'Worker', { value: class { postMessage(word) { o.title = word } } }",
        "window, 'event', { get() { return 7 } }",
        "window, 'queueMicrotask', { value() { throw 1 } }",
        "window, 'navigation', { get() { throw 1 } }",
        "window, 'MessageEvent', { value: 7 }",
        "window, 'Promise', { value: class { then() { throw 1 } } }",
    ],
)
async def test_pages_that_guard_or_replace_their_functions_work_as_before(
    context: ToolContext, site: Site, guard: str
):
    body = f"""<script>Object.defineProperty({guard})</script><p id=o></p>
      <button id=b onclick="worker.postMessage(1); history.forward();
        setTimeout(() => {{ o.textContent += 'done' }}, 60)">x</button><script>
      const worker = new Worker(URL.createObjectURL(new Blob(['onmessage = () => 0'])));</script>"""
    await do(context, "navigate", url=site.page("/timers/guarded", body))
    acted = await do(context, "click", selector="#b")
    assert 'now paragraph "done"' in acted.text()
    assert "errors" not in acted.receipt
    await do(context, "wait", expression=f"setTimeout.toString() === {NATIVE!r}")


async def test_a_page_that_asks_for_very_much_is_not_slowed_down(context: ToolContext, site: Site):
    body = """<p id=o></p><script>
      const worker = new Worker(URL.createObjectURL(new Blob(['onmessage = () => 0'])));
      let ran = 0;
      const many = () => { for (let n = 0; n < 5000; n++) worker.postMessage(n);
        for (let n = 0; n < 5000; n++) setTimeout(() => { ran += 1 }, 1);
        setTimeout(() => { o.textContent = `${ran} ran` }, 1) };</script>
      <button id=b onclick="many()">x</button>"""
    await do(context, "navigate", url=site.page("/timers/many", body))
    acted = await do(context, "click", selector="#b")
    assert acted.verdict == "effective"
    await do(context, "wait", text="5000 ran")


ANSWERS = {
    "a worker": """const worker = new Worker(URL.createObjectURL(new Blob(
      ['onmessage = () => postMessage(1)']))); worker.onmessage = answered;
      const ask = () => worker.postMessage(1);""",
    "history": """history.pushState(0, '', '#1'); history.pushState(0, '', '#2');
      addEventListener('popstate', answered); const ask = () => history.back();""",
    "a router": """history.pushState(0, '', '#1'); history.pushState(0, '', '#2');
      addEventListener('hashchange', answered); const ask = () => history.back();""",
    "a port": """const channel = new MessageChannel(); channel.port1.onmessage = answered;
      const ask = () => channel.port2.postMessage(1);""",
}


@pytest.mark.parametrize("who", ANSWERS)
@pytest.mark.parametrize("first", ["ask()", "setTimeout(ask, 30)"])
@pytest.mark.parametrize("then", ["setTimeout(render, 100)", "requestAnimationFrame(render)"])
async def test_what_an_answer_puts_off_is_waited_for(
    context: ToolContext, site: Site, who: str, first: str, then: str
):
    body = f"""<p id=o></p><button id=b onclick="{first}">x</button>
      <script>const render = () => {{ o.textContent += 'rendered' }};
      const answered = () => {then};</script><script>{ANSWERS[who]}</script>"""
    url = site.page(f"/timers/chain/{who.replace(' ', '-')}", body)
    await do(context, "navigate", url=url)
    await do(context, "wait", time=100)
    await do(context, "evaluate", expression="o.textContent = ''")
    acted = await do(context, "click", selector="#b")
    assert 'now paragraph "rendered"' in acted.text()


@pytest.mark.parametrize(
    "how",
    [
        "const id = setInterval(() => { clearInterval(id); done() }, 60)",
        "setTimeout('done()', 60)",
        "scheduler.postTask(done, { delay: 60 })",
    ],
)
async def test_other_ways_to_do_something_later(context: ToolContext, site: Site, how: str):
    body = f"""<p id=o></p><script>const done = () => {{ o.textContent = 'done' }};
      const act = () => {{ {how} }};</script><button id=b onclick="act()">x</button>"""
    await do(context, "navigate", url=site.page("/timers/ways", body))
    acted = await do(context, "click", selector="#b")
    assert 'now paragraph "done"' in acted.text()


async def test_nothing_of_ours_is_in_the_timers_that_a_page_keeps_itself(
    context: ToolContext, site: Site
):
    body = """<script>const queue = []; window.setTimeout = (task) => queue.push(task);
      performance.now = () => 5;</script><button id=b onclick="history.go(5)">x</button>"""
    await do(context, "navigate", url=site.page("/timers/own", body))
    acted = await do(context, "click", selector="#b")
    assert "pending" not in acted.receipt
    assert await value(context, "queue.length") == 0
