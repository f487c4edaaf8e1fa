"""Frames at any depth, of this process and of others, and shadow roots, open and closed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from support.engine import do, make_settings, session_of, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager

LOG = """<script>addEventListener("click", (e) => top.postMessage(
  [location.pathname, e.target.id, e.isTrusted], "*"), true)</script>"""
TOP = """<script>got = []; addEventListener("message", (e) => got.push(e.data))</script>"""


@pytest.fixture(params=["one process", "a process for each site"])
async def framed(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ToolContext]:
    isolated = request.param != "one process"
    args = ["--site-per-process"] if isolated else ["--disable-site-isolation-trials"]
    own = BrowserManager(make_settings(tmp_path, **{"browser.args": args}), execute=call)
    yield own.context("framed", working_dir=tmp_path)
    await own.stop()


def nested(site: Site) -> str:
    """Three levels, each of another site than the one around it."""
    other = f"http://localhost:{site.port}"
    site.page(
        "/f/deep",
        LOG
        + """<button id=deep>Deep</button><input id=field aria-label=Field>
        <p id=echo></p><script>field.oninput = () => echo.textContent = field.value</script>""",
    )
    site.page(
        "/f/middle",
        LOG
        + f"""<div style="height:900px">tall</div><iframe src="{site.url("/f/deep")}"
        style="border:7px solid;padding:5px" width=300 height=120></iframe>""",
    )
    return site.page(
        "/f/top",
        TOP
        + LOG
        + f"""<button id=here>Here</button><div style="height:1500px"></div>
        <iframe src="{other}/f/middle" width=400 height=200
        style="transform:scale(.8);margin:20px"></iframe>
        <iframe id=own srcdoc="<button id=own>Own</button>"></iframe>""",
    )


async def test_an_element_three_frames_down_is_clicked_and_typed_into(
    framed: ToolContext, site: Site
):
    await do(framed, "navigate", url=nested(site))
    acted = await do(framed, "click", selector="text=Deep", wait=True)
    assert acted.element.startswith('button "Deep"')
    assert await value(framed, "got") == [["/f/deep", "deep", True]]
    filled = await do(framed, "fill", selector="label=Field", text="inside")
    assert filled.receipt["value"] == "inside"
    await do(framed, "type", selector="label=Field", text="!")
    assert (await do(framed, "press", key="Backspace")).element.startswith('textbox "Field"')
    assert (await do(framed, "get", what="text", selector="#echo")).value == "inside"
    assert (await do(framed, "wait", text="inside")).found
    assert (await do(framed, "get", what="count", selector="button")).value == 3


async def test_the_processes_are_what_the_test_says(
    framed: ToolContext, site: Site, request: pytest.FixtureRequest
):
    await do(framed, "navigate", url=nested(site))
    await do(framed, "wait", selector="#deep")
    tab = (await session_of(framed)).current
    assert tab is not None
    several = len(set(tab.frames.sessions())) > 1
    assert several is ("each site" in request.node.name)
    assert len(tab.frames) == 4


async def test_a_frame_under_a_cover_is_refused_and_the_cover_named(
    framed: ToolContext, site: Site
):
    nested(site)
    url = site.page(
        "/f/covered",
        TOP
        + f"""<iframe src="http://localhost:{site.port}/f/deep"></iframe>
        <div style="position:fixed;inset:0" role=dialog aria-label=Consent>x</div>""",
    )
    await do(framed, "navigate", url=url)
    await do(framed, "wait", selector="#deep")
    outcome = await call(framed, "click", {"selector": "#deep"})
    assert outcome.error is not None
    assert outcome.error.code == "ELEMENT_NOT_ACTIONABLE"
    assert 'covered by dialog "Consent"' in outcome.error.message
    assert await value(framed, "got") == []


async def test_frames_that_come_go_and_move_on(framed: ToolContext, site: Site):
    nested(site)
    await do(framed, "navigate", url=site.page("/f/empty", TOP + "<p>nothing yet</p>"))
    await value(
        framed,
        f"""setTimeout(() => {{ const f = document.createElement("iframe");
        f.src = "http://localhost:{site.port}/f/deep"; document.body.append(f); }}, 300); 1""",
    )
    acted = await do(framed, "click", selector="#deep", wait=True)
    ref = acted.element.split(" ")[-1]
    site.page("/f/second", LOG + "<button id=second>Second</button>")
    await value(framed, f"document.querySelector('iframe').src = '{site.url('/f/second')}'; 1")
    await do(framed, "click", selector="#second", wait=True)
    assert [entry[1] for entry in await value(framed, "got")] == ["deep", "second"]
    outcome = await call(framed, "click", {"selector": ref})
    assert outcome.error is not None
    assert outcome.error.code == "ELEMENT_NOT_FOUND"
    await value(framed, "document.querySelector('iframe').remove(); 1")
    await do(framed, "wait", selector="#second", state="detached")


async def test_shadow_roots_open_and_closed_slots_and_nesting(context: ToolContext, site: Site):
    await do(
        context,
        "navigate",
        url=site.page(
            "/f/shadow",
            """<open-box><button id=slotted>Slotted</button></open-box><closed-box></closed-box>
            <div id=plain>light<b>er</b></div><script>got = [];
            const put = (host, mode, html) => {
              const root = host.attachShadow({ mode });
              root.innerHTML = html;
              root.addEventListener("click", (e) => got.push([e.target.id, e.isTrusted]));
              return root;
            };
            customElements.define("open-box", class extends HTMLElement { constructor() { super();
              put(this, "open", "<button id=a>Alpha</button><slot></slot><in-box></in-box>"); } });
            customElements.define("in-box", class extends HTMLElement { constructor() { super();
              put(this, "closed", "<button id=i>Inner</button>"); } });
            customElements.define("closed-box", class extends HTMLElement { constructor() { super();
              const root = put(this, "closed", "<button id=c>Gamma</button><span id=h></span>");
              put(root.getElementById("h"), "closed", "<input id=f aria-label=Hidden-field>"); } });
            put(document.getElementById("plain"), "closed",
              "<slot></slot><button id=p>Plain</button>")
            </script>""",
        ),
    )
    for name, element in (
        ("Alpha", "a"),
        ("Inner", "i"),
        ("Gamma", "c"),
        ("Plain", "p"),
        ("Slotted", "slotted"),
    ):
        acted = await do(context, "click", selector=f"text={name}")
        assert acted.verdict == "effective"
        assert (await value(context, "got"))[-1][1] is True
        assert element in [entry[0] for entry in await value(context, "got")]
    await do(context, "fill", selector="label=Hidden-field", text="deep")
    assert (await do(context, "get", what="value", selector="#f")).value == "deep"
    assert (await do(context, "click", selector="open-box #a")).verdict == "effective"


WRITTEN = """<p id=p></p><button id=b onclick=p.textContent="pressed">x</button>"""


@pytest.mark.parametrize(
    "into",
    ["document", "document.body.appendChild(document.createElement('iframe')).contentDocument"],
)
async def test_acts_are_heard_in_a_document_that_was_written_anew(
    context: ToolContext, site: Site, into: str
):
    await do(context, "navigate", url=site.page("/frames/written", "<button id=a>x</button>"))
    await do(context, "click", selector="#a")
    write = f"(into) => {{ into.open(); into.write(`{WRITTEN}`); into.close() }}"
    await do(context, "evaluate", expression=f"({write})({into})")
    acted = await do(context, "click", selector="#b")
    assert acted.verdict == "effective"
    assert 'now paragraph "pressed"' in acted.text()
