"""The console's buffer: who is heard, what is kept, and for how long."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from support.crash import kill_browser
from support.engine import do, make_settings, session_of, value
from support.proxy import Proxy
from support.site import Site
from tabwright.engine.console.buffer import KEPT_BYTES, KEPT_ENTRIES, TEXT_CHARACTERS
from tabwright.engine.console.entry import Entry
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager
from tabwright.engine.session import Session


async def entries(session: Session) -> list[Entry]:
    """All that is kept, oldest first, when nothing more is to be learned of it."""
    await session.console.settled()
    return list(session.console.newest(lambda _: True))[::-1]


async def heard(context: ToolContext, text: str, count: int = 1) -> list[Entry]:
    """The entries with this text, once there are so many."""
    session = await session_of(context)
    async with asyncio.timeout(10):
        while len(found := [e for e in await entries(session) if text in e.text]) < count:
            await value(context, "0")
    return found


async def logged(context: ToolContext, expression: str) -> list[Entry]:
    """What an expression writes to the console."""
    await do(context, "evaluate", expression=f"{{{expression}}}; 0")
    return await entries(await session_of(context))


@pytest.mark.proves("U-27")
async def test_the_arguments_are_kept_as_the_browser_described_them(context: ToolContext):
    two, one = await logged(context, "console.log('n', {a: 'b'}); console.log('only')")
    name, thing = two.args
    assert name == {"type": "string", "value": "n"}
    assert thing["preview"]["properties"] == [{"name": "a", "type": "string", "value": "b"}]
    assert "objectId" not in thing
    assert one.args == [{"type": "string", "value": "only"}]


@pytest.mark.proves("S2-BT-004a")
async def test_everything_is_heard_from_the_first_script_on_and_across_navigations(
    context: ToolContext, site: Site
):
    site.page("/con/inner", "<script>console.info('inner')</script>")
    first = site.page(
        "/con/first",
        """<script>console.log('l'); console.warn('w'); console.error('e'); console.info('i');
        console.debug('d')</script><iframe src="/con/inner"></iframe>""",
    )
    await do(context, "navigate", url=first)
    await do(context, "navigate", url=site.page("/con/second", "<script>console.log(2)</script>"))
    said = await entries(await session_of(context))
    assert [(e.level, e.text, e.context) for e in said] == [
        ("log", "l", "page"),
        ("warning", "w", "page"),
        ("error", "e", "page"),
        ("info", "i", "page"),
        ("debug", "d", "page"),
        ("info", "inner", "frame"),
        ("log", "2", "page"),
    ]
    assert [e.number for e in said] == [1, 2, 3, 4, 5, 6, 7]
    assert said[0].where == f"{first}:1:51"
    assert said[5].frame == site.url("/con/inner")
    assert {e.tab for e in said} == {"t1"}
    assert said[0].timestamp <= said[-1].timestamp


async def test_frames_of_other_processes_and_workers_of_all_kinds_are_heard_once(
    tmp_path: Path, site: Site
):
    manager = BrowserManager(make_settings(tmp_path, **{"browser.args": ["--site-per-process"]}))
    context = manager.context("a")
    other = f"http://localhost:{site.port}/con/far"
    site.page("/con/far", "<script>console.log('far'); throw new Error('far off')</script>")
    script = {"mime": "text/javascript"}
    site.content("/con/w.js", b"console.log('worker'); throw new Error('worker broke')", **script)
    site.content("/con/s.js", b"console.log('shared')", **script)
    url = site.page(
        "/con/all",
        f"""<iframe src="{other}"></iframe><script>new Worker('/con/w.js').onerror = () => 0;
        new SharedWorker('/con/s.js')</script>""",
    )
    await do(context, "navigate", url=url)
    for text in ("far off", "worker broke", "shared"):
        await heard(context, text)
    said = sorted((e.context, e.tab, e.text) for e in await entries(await session_of(context)))
    assert said == [
        ("frame", "t1", "Uncaught Error: far off"),
        ("frame", "t1", "far"),
        ("shared-worker", "", "shared"),
        ("worker", "t1", "Uncaught Error: worker broke"),
        ("worker", "t1", "worker"),
    ]
    (far,) = await heard(context, "far off")
    assert far.frame == other
    assert far.where.startswith(f"{other}:1:")
    await manager.stop()


async def test_what_is_thrown_is_an_error_with_its_stack(context: ToolContext, site: Site):
    url = site.page(
        "/con/throw",
        """<script>
        function inner() { throw new TypeError('boom') }
        function outer() { inner() }
        setTimeout(outer);
        Promise.reject(new Error('rejected'));
        setTimeout(() => { throw {code: 7} });
        </script><script>not JavaScript</script>""",
    )
    await do(context, "navigate", url=url)
    (boom,) = await heard(context, "boom")
    assert (boom.level, boom.type, boom.text) == ("error", "exception", "Uncaught TypeError: boom")
    assert boom.where == f"{url}:2:34"
    assert [line.split(" ")[0] for line in boom.stack] == ["inner", "outer"]
    assert (await heard(context, "rejected"))[0].text == "Uncaught (in promise) Error: rejected"
    assert (await heard(context, "code"))[0].text == "Uncaught {code: 7}"
    assert (await heard(context, "Syntax"))[0].text.startswith("Uncaught SyntaxError: ")


async def test_a_rejection_that_is_handled_after_all_is_an_error_no_more(context: ToolContext):
    await do(
        context,
        "evaluate",
        expression="late = Promise.reject(new Error('late')); setTimeout(() => 0, 0); 0",
    )
    (entry,) = await heard(context, "late")
    assert entry.level == "error"
    await do(context, "evaluate", expression="late.catch(() => 0); 0")
    await heard(context, "handled later")
    assert (entry.level, entry.text) == (
        "debug",
        "Uncaught (in promise) Error: late (handled later)",
    )


async def test_a_resource_that_fails_to_load_is_an_error_with_its_address(
    context: ToolContext, site: Site
):
    await do(context, "navigate", url=site.page("/con/lost", "<img src=/con/none.png>"))
    (entry,) = await heard(context, "404")
    assert (entry.level, entry.type) == ("error", "network")
    assert entry.where == site.url("/con/none.png")


async def test_the_newest_1000_are_kept_and_the_rest_is_counted(context: ToolContext):
    await do(context, "evaluate", expression="for (let i = 0; i < 10000; i++) console.log({i}, i)")
    session = await session_of(context)
    said = await entries(session)
    assert len(said) == KEPT_ENTRIES == 1000
    assert said[-1].text == "{i: 9999} 9999"
    assert (said[0].number, session.console.dropped, session.console.last) == (9001, 9000, 10_000)


async def test_large_entries_are_bounded_in_bytes_and_one_is_whole_up_to_a_million_characters(
    context: ToolContext,
):
    repeats = KEPT_BYTES // TEXT_CHARACTERS + 4
    await do(
        context,
        "evaluate",
        expression=f"for (i = 0; i < {repeats}; i++) console.log('x'.repeat({TEXT_CHARACTERS}))",
    )
    session = await session_of(context)
    said = await entries(session)
    assert {len(entry.text) for entry in said} == {TEXT_CHARACTERS}
    assert sum(entry.size() for entry in said) <= KEPT_BYTES
    assert len(said) + session.console.dropped == repeats
    assert session.console.dropped >= 4
    await do(context, "evaluate", expression="console.log('y'.repeat(1_000_007))")
    newest = (await entries(session))[-1]
    assert newest.text.endswith("y… [7 more characters not kept]")


async def test_a_page_does_not_keep_objects_because_they_were_logged(context: ToolContext):
    # Chromium itself remembers the last thousand messages, whether anyone listens or not.
    await do(
        context,
        "evaluate",
        expression="""{
          globalThis.gone = 0;
          const registry = new FinalizationRegistry(() => gone++);
          globalThis.keep = registry;
          for (let i = 0; i < 1500; i++) {
            const logged = {i};
            registry.register(logged);
            console.log(logged);
          }
        }; 0""",
    )
    session = await session_of(context)
    assert session.current is not None
    async with asyncio.timeout(10):
        while await value(context, "gone") < 400:
            await session.current.send("HeapProfiler.collectGarbage")
    assert await value(context, "console.count('k'); console.count('k'); 1") == 1
    assert (await entries(session))[-1].text == "k: 2"


async def test_a_tab_that_hangs_takes_no_looks_from_others_and_is_not_waited_for(
    context: ToolContext,
):
    session = await session_of(context)
    assert session.current is not None
    hanging = "for (let i = 0; i < 100; i++) console.log({a: {b: i}}); for (;;);"
    session.current.post("Runtime.evaluate", {"expression": hanging})
    await do(context, "tabs", action="new")
    await heard(context, "{a: ", count=100)
    await do(context, "evaluate", expression="console.log({c: {d: 1}}); 0")
    await heard(context, "{c: {d: 1}}")
    async with asyncio.timeout(10):
        while not await at_once(session.console.settled()):
            await value(context, "0")
    await do(context, "tabs", action="select", tab="t1")
    await do(context, "interrupt")


async def at_once(settling: Coroutine[Any, Any, None]) -> bool:
    """Whether there was nothing to wait for."""
    try:
        async with asyncio.timeout(0):
            await settling
    except TimeoutError:
        return False
    return True


async def test_conversations_have_consoles_of_their_own(
    manager: BrowserManager, context: ToolContext
):
    other = manager.context("console of another")
    await logged(context, "console.log('mine')")
    assert await logged(other, "0") == []
    await manager.close_session("console of another")


async def test_entries_outlive_the_browser_and_the_next_one_is_heard_as_well(
    own_manager: BrowserManager, site: Site
):
    context = own_manager.context("a")
    await do(context, "navigate", url=site.page("/con/killed", "<script>console.log(1)</script>"))
    kill_browser(own_manager)
    await value(context, "console.log('again')")
    said = [(e.number, e.text) for e in await entries(await session_of(context))]
    # The page is put back, and says once more what it says.
    assert said == [(1, "1"), (2, "1"), (3, "again")]


async def test_a_new_connection_repeats_nothing_and_brings_what_was_missed(
    tmp_path: Path, site: Site
):
    proxy = Proxy()
    manager = BrowserManager(make_settings(tmp_path), launch=proxy.launch)
    context = manager.context("a")
    await do(
        context,
        "navigate",
        url=site.page(
            "/con/cut", "<script>console.log('once', {a: 1}); throw 1</script><img src=x>"
        ),
    )
    await heard(context, "404")
    client = manager.get_active_browser().client
    await do(context, "evaluate", expression="setTimeout(() => console.log('missed'), 300); 0")
    proxy.cut()
    await client.closed.wait()
    await value(context, "new Promise((done) => setTimeout(done, 300))")
    await heard(context, "missed")
    said = [e.text for e in await entries(await session_of(context))]
    assert len(said) == 4
    assert {"once {a: 1}", "Uncaught 1"} < set(said[:3])
    assert said[3] == "missed"
    await manager.stop()
    await proxy.close()


async def test_the_errors_of_a_tab_are_those_that_it_threw_or_logged(
    context: ToolContext, site: Site
):
    await do(context, "navigate", url=site.page("/con/errs", "<img src=/con/none2.png>"))
    await heard(context, "404")
    await logged(context, "console.error('bad', {a: 1}); console.warn('odd')")
    console = (await session_of(context)).console
    mark = console.last
    await logged(context, "setTimeout(() => { throw new Error('first\\nsecond') })")
    await heard(context, "first")
    await do(context, "tabs", action="new")
    await logged(context, "console.error('elsewhere')")
    assert console.errors("t1", since=0) == ["bad {a: 1}", "Error: first"]
    assert console.errors("t1", since=mark) == ["Error: first"]
    assert console.errors("t2", since=mark) == ["elsewhere"]
