"""Clicking: real events at the right element, or the reason why not."""

from __future__ import annotations

import pytest

from support.engine import do, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext

RECORD = """<script>
  const log = [];
  const types = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick",
    "auxclick", "contextmenu"];
  for (const type of types) addEventListener(type, (event) => log.push(
    [type, event.isTrusted, event.target.id, event.clientX, event.clientY, event.detail]), true);
</script>"""


async def opened(context: ToolContext, site: Site, path: str, body: str) -> None:
    await do(context, "navigate", url=site.page(path, RECORD + body))


async def log(context: ToolContext) -> list[list[object]]:
    return await value(context, "log")


async def refused(context: ToolContext, selector: str, **more: object) -> tuple[str, str]:
    outcome = await call(context, "click", {"selector": selector, **more})
    assert outcome.error is not None
    return outcome.error.code, outcome.error.message


@pytest.mark.proves("S2-BT-008a", "S0-07", "S3-6.2", "U-11")
async def test_a_click_is_trusted_events_in_order_at_the_centre(context: ToolContext, site: Site):
    await opened(
        context,
        site,
        "/click",
        '<button id=b style="position:absolute;left:40px;top:60px;width:100px;height:30px">go',
    )
    result = await do(context, "click", selector="#b")
    assert await log(context) == [
        [name, True, "b", 90, 75, 0 if name.startswith("pointer") else 1]
        for name in ("pointerdown", "mousedown", "pointerup", "mouseup", "click")
    ]
    assert result.verdict == "effective"
    assert result.receipt["delivered"] == {
        "pointerdown": 1,
        "mousedown": 1,
        "pointerup": 1,
        "mouseup": 1,
        "click": 1,
        **{k: v for k, v in result.receipt["delivered"].items() if "over" in k or "move" in k},
        **{k: v for k, v in result.receipt["delivered"].items() if "focus" in k},
    }


@pytest.mark.proves("S2-BT-008b", "S0-07")
async def test_a_missing_element_is_named_within_a_second(context: ToolContext, site: Site):
    await opened(context, site, "/click/missing", "<button>Save</button>")
    outcome = await call(context, "click", {"selector": "#nowhere"})
    assert outcome.error is not None
    assert outcome.error.code == "ELEMENT_NOT_FOUND"
    assert "#nowhere" in outcome.error.message
    assert outcome.error.details["waitedMs"] < 1000
    assert await log(context) == []


@pytest.mark.proves("S2-BT-008c")
async def test_a_click_can_wait_for_an_element_that_comes_later(context: ToolContext, site: Site):
    await opened(
        context,
        site,
        "/click/later",
        """<script>setTimeout(() => document.body.insertAdjacentHTML("beforeend",
        "<button id=late>Late</button>"), 700)</script>""",
    )
    result = await do(context, "click", selector="#late", wait=True)
    assert result.verdict == "effective"
    assert [entry[0] for entry in await log(context)][-1] == "click"


@pytest.mark.proves("S2-BT-008c", "S3-P10")
async def test_waiting_in_vain_is_a_timeout_that_says_so(context: ToolContext, site: Site):
    await opened(context, site, "/click/never", "nothing")
    outcome = await call(context, "click", {"selector": "#never", "wait": True, "timeout": 300})
    assert outcome.error is not None
    assert outcome.error.code == "TIMEOUT"
    assert "'#never'" in outcome.error.message
    assert outcome.error.details["state"] == "absent"
    assert outcome.error.details["waitedMs"] >= 240


@pytest.mark.parametrize(
    ("given", "events"),
    [
        ({"clickCount": 2}, ["click", "click", "dblclick"]),
        ({"clickCount": 3}, ["click", "click", "dblclick", "click"]),
        ({"button": "right"}, ["contextmenu", "auxclick"]),
        ({"button": "middle"}, ["auxclick"]),
    ],
)
@pytest.mark.proves("S3-6.2", "S3-ACT-02")
async def test_buttons_and_counts(
    context: ToolContext, site: Site, given: dict[str, object], events: list[str]
):
    await opened(context, site, "/click/counts", "<button id=b>go</button>")
    await do(context, "click", selector="#b", **given)
    seen = [entry[0] for entry in await log(context)]
    assert sorted(name for name in seen if name in set(events)) == sorted(events)


async def test_modifiers_and_position(context: ToolContext, site: Site):
    await opened(
        context,
        site,
        "/click/where",
        """<div id=box style="position:absolute;left:10px;top:50px;width:200px;height:100px"
        onclick="where = [event.offsetX, event.offsetY, event.shiftKey, event.altKey]"></div>""",
    )
    await do(context, "click", selector="#box", position="5,90", modifiers="Shift+Alt")
    assert await value(context, "where") == [5, 90, True, True]


@pytest.mark.proves("S2-BT-008d")
async def test_a_covered_element_is_refused_and_its_cover_named(context: ToolContext, site: Site):
    await opened(
        context,
        site,
        "/click/covered",
        """<button id=b style="width:100px;height:30px">Pay</button>
        <div role=dialog aria-label=Cookies style="position:fixed;inset:0">We use cookies</div>""",
    )
    outcome = await call(context, "click", {"selector": "#b"})
    assert outcome.error is not None
    assert outcome.error.code == "ELEMENT_NOT_ACTIONABLE"
    assert 'button "Pay"' in outcome.error.message
    assert 'covered by dialog "Cookies" e' in outcome.error.message
    cover = outcome.error.details["cover"]["ref"]
    assert (await do(context, "get", what="text", selector=cover)).value == "We use cookies"
    assert await log(context) == []


async def test_another_free_point_is_taken_when_the_centre_is_covered(
    context: ToolContext, site: Site
):
    await opened(
        context,
        site,
        "/click/half",
        """<button id=b style="position:absolute;left:0;top:0;width:300px;height:40px">wide</button>
        <i id=lid style="position:absolute;left:20px;top:0;width:260px;height:40px"></i>""",
    )
    await do(context, "click", selector="#b")
    entry = (await log(context))[-1]
    assert entry[:3] == ["click", True, "b"]
    assert not 20 <= float(str(entry[3])) < 280


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ("<button id=b disabled>x</button>", "ELEMENT_NOT_ACTIONABLE", "disabled"),
        (
            "<fieldset id=f disabled><button id=b>x</button></fieldset>",
            "ELEMENT_NOT_ACTIONABLE",
            'in a disabled <fieldset id="f">',
        ),
        ("<div aria-disabled=true><button id=b>x", "ELEMENT_NOT_ACTIONABLE", "aria-disabled"),
        ('<button id=b style="display:none">x', "ELEMENT_NOT_VISIBLE", "display: none"),
        (
            '<p id=p style="display:none"><button id=b>x',
            "ELEMENT_NOT_VISIBLE",
            'display: none on its ancestor <p id="p">',
        ),
        ('<button id=b style="visibility:hidden">x', "ELEMENT_NOT_VISIBLE", "visibility: hidden"),
        ('<div id=b style="width:0;height:0;overflow:hidden">', "ELEMENT_NOT_VISIBLE", "no size"),
        ("<div inert><button id=b>x", "ELEMENT_NOT_ACTIONABLE", "inert"),
        (
            '<button id=b style="position:fixed;left:-500px">x',
            "ELEMENT_NOT_ACTIONABLE",
            "outside",
        ),
        (
            """<button id=b>x</button><dialog aria-label=Terms>ok</dialog>
            <script>document.querySelector('dialog').showModal()</script>""",
            "ELEMENT_NOT_ACTIONABLE",
            'the dialog "Terms"',
        ),
        (
            """<style>@keyframes run { to { rotate: 360deg } }
            #b { position: absolute; left: 300px; top: 100px; transform-origin: 20px 200px;
                 animation: run .4s linear infinite }</style><button id=b>x""",
            "ELEMENT_NOT_ACTIONABLE",
            "moving",
        ),
    ],
)
@pytest.mark.proves("S2-BT-008d", "S3-P10")
async def test_an_element_that_cannot_be_clicked_says_why_and_nothing_is_pressed(
    context: ToolContext, site: Site, body: str, code: str, words: str
):
    await opened(context, site, "/click/not", body)
    found, message = await refused(context, "#b")
    assert found == code
    assert words in message
    assert await log(context) == []


@pytest.mark.proves("S2-BT-008d")
async def test_a_cover_that_goes_away_is_waited_for(context: ToolContext, site: Site):
    await opened(
        context,
        site,
        "/click/fading",
        """<button id=b>x</button><div id=c style="position:fixed;inset:0"></div>
        <script>setTimeout(() => document.getElementById("c").remove(), 300)</script>""",
    )
    assert (await do(context, "click", selector="#b")).verdict == "effective"
    assert (await log(context))[-1][:3] == ["click", True, "b"]


@pytest.mark.proves("S2-BT-008d")
async def test_elements_off_screen_are_scrolled_to(context: ToolContext, site: Site):
    await opened(
        context,
        site,
        "/click/far",
        """<div style="height:200px;overflow:auto"><div style="height:4000px"></div>
        <div style="width:9000px;text-align:right"><button id=in>in</button></div></div>
        <div style="height:5000px"></div><button id=far>far</button><p style="height:300px">
        <div style="position:fixed;bottom:0;left:0;right:0;height:200px">bar</div>""",
    )
    for name in ("far", "in"):
        await do(context, "click", selector=f"#{name}")
        assert (await log(context))[-1][:3] == ["click", True, name]


@pytest.mark.proves("S2-BT-008d")
async def test_an_element_that_moves_slowly_or_stops_is_clicked(context: ToolContext, site: Site):
    await opened(
        context,
        site,
        "/click/moving",
        """<style>@keyframes slide { from { transform: translateX(400px) } }
        @keyframes pulse { to { transform: scale(1.1) } }
        #a { animation: slide .3s } #b { animation: pulse 1s infinite alternate }</style>
        <button id=a>a</button><br><button id=b>b</button><br><button id=c>c</button>
        <script>const began = performance.now();
        (function step() { const past = performance.now() - began;
          c.style.marginLeft = Math.max(0, 300 - past) + "px";
          if (past < 300) requestAnimationFrame(step); })();</script>""",
    )
    for name in ("a", "b", "c"):
        await do(context, "click", selector=f"#{name}")
        assert (await log(context))[-1][:3] == ["click", True, name]


async def test_a_hidden_checkbox_is_clicked_on_its_label(context: ToolContext, site: Site):
    await opened(
        context,
        site,
        "/click/pretty",
        """<label><input id=c type=checkbox style="position:absolute;opacity:0;width:0;height:0">
        Pretty</label>""",
    )
    result = await do(context, "click", selector="#c")
    assert result.verdict == "effective"
    assert await value(context, "c.checked") is True


async def test_of_several_matches_the_first_that_is_shown_is_taken(
    context: ToolContext, site: Site
):
    await opened(
        context,
        site,
        "/click/several",
        """<button id=a hidden>Save</button><button id=b>Save</button><button id=c>Save</button>""",
    )
    result = await do(context, "click", selector="text=Save")
    assert (await log(context))[-1][2] == "b"
    assert result.receipt["matches"] == 3
    await do(context, "click", selector="text=Save >> nth=2")
    assert (await log(context))[-1][2] == "c"


async def test_a_page_that_tampers_with_its_own_world_is_clicked_all_the_same(
    context: ToolContext, site: Site
):
    await opened(
        context,
        site,
        "/click/hostile",
        """<form id=f><input name=parentNode><input name=querySelector><input name=nodeType>
        <button id=b type=button>go</button></form><img name=body><img name=querySelectorAll>
        <script>for (const type of [Element, Node, Document, MutationObserver, EventTarget])
          for (const name of Object.getOwnPropertyNames(type.prototype))
            try { if (typeof type.prototype[name] === "function" && !/addEvent/.test(name))
              type.prototype[name] = () => { throw new Error("mine"); } } catch {}
        window.getComputedStyle = () => ({});
        </script>""",
    )
    result = await do(context, "click", selector="#b")
    assert result.element.startswith('button "go"')
    assert (await log(context))[-1][:3] == ["click", True, "b"]
