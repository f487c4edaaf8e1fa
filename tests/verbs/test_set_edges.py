"""`set` where pages are difficult: frames, shadow roots, redrawing, dialogs, deadlines."""

from __future__ import annotations

import pytest

from support.controls import LATE_OPTIONS, open_controls, said, serve_controls
from support.engine import do, value
from support.frameworks import APPS, serve
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext


@pytest.mark.proves("S3-6.4")
@pytest.mark.parametrize("app", APPS)
async def test_forms_that_frameworks_draw(context: ToolContext, site: Site, app: str):
    await do(context, "navigate", url=serve(site, app))
    for label, given in (
        ("Name", "Ada"),
        ("Agree", "true"),
        ("Colour", "blue"),
        ("Fruit", "Mango"),
    ):
        done = await do(context, "set", selector=f'label="{label}"', value=given)
        assert (done.verdict, done.value) == ("effective", given)
    card = await do(context, "set", selector="label=Card", value="4242424242424242")
    assert card.value == "4242 4242 4242 4242"
    shown = "['echo', 'agreed', 'coloured', 'fruited'].map((id) => find(id).textContent)"
    assert await value(context, shown) == ["Ada", "yes", "blue", "Mango"]
    assert await value(context, "events.filter((event) => !event.isTrusted)") == []
    assert await value(context, "problems") == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_controls_in_a_frame(context: ToolContext, site: Site, host: str):
    inner = serve_controls(site, "scales").replace("127.0.0.1", host)
    body = f"<p style='height: 300px'>above</p><iframe src='{inner}' width=700 height=900></iframe>"
    await do(context, "navigate", url=site.page(f"/set-frame-{host}", body))
    moved = await do(context, "set", selector="label=Volume", value="42", wait=True)
    dragged = await do(context, "set", selector="#dragged", value="73")
    assert (moved.value, dragged.value) == ("42", "73")
    assert dragged.how.startswith("dragged the handle")


async def test_a_control_that_is_drawn_anew_is_found_again(context: ToolContext, site: Site):
    body = """
        <div id=root></div><script>
        function draw(on) {
          root.innerHTML = `<button role=switch aria-checked=${on} aria-label=Light></button>`;
          root.firstChild.onclick = () => draw(!on);
        }
        draw(false);
        </script>
    """
    await do(context, "navigate", url=site.page("/set-redrawn", body))
    done = await do(context, "set", selector="label=Light", value="true")
    assert (done.verdict, done.value) == ("effective", "true")


async def test_a_list_in_a_modal_dialog_leaves_the_dialog_open(context: ToolContext, site: Site):
    body = """
        <dialog id=d><label for=i>Pets</label>
        <input id=i role=combobox aria-controls=l aria-expanded=false aria-autocomplete=list>
        <ul id=l role=listbox aria-multiselectable=true hidden></ul><p id=chips></p></dialog>
        <script>
        const chosen = new Set();
        for (const name of ['Cat', 'Dog', 'Cow']) {
          const option = document.createElement('li');
          option.role = 'option';
          option.textContent = name;
          option.ariaSelected = 'false';
          option.onmousedown = (event) => event.preventDefault();
          option.onclick = () => {
            chosen.has(name) ? chosen.delete(name) : chosen.add(name);
            option.ariaSelected = String(chosen.has(name));
            chips.textContent = [...chosen].join(', ');
          };
          l.append(option);
        }
        const open = (yes) => { l.hidden = !yes; i.ariaExpanded = String(yes); };
        i.onclick = () => open(true);
        i.onblur = () => open(false);
        d.showModal();
        </script>
    """
    await do(context, "navigate", url=site.page("/set-modal", body))
    done = await do(context, "set", selector="label=Pets", value=["Cat", "Cow"])
    assert done.verdict == "effective"
    assert await value(context, "[d.open, l.hidden, chips.textContent]") == [True, True, "Cat, Cow"]


async def test_a_picker_that_does_not_open_is_told(context: ToolContext, site: Site):
    body = """
        <input id=c type=color onclick="event.preventDefault()"><input id=next>
        <script>
        heard = [];
        for (const kind of ['input', 'change']) c['on' + kind] = () => heard.push(kind + c.value);
        </script>
    """
    await do(context, "navigate", url=site.page("/set-unpicked", body))
    done = await do(context, "set", selector="#c", value="#ff8800")
    assert done.how == "set by script: the browser's own picker cannot be operated"
    assert done.value == "#ff8800"
    assert await value(context, "heard") == ["input#ff8800", "change#ff8800"]
    assert await value(context, "document.getElementById('next').value") == ""


async def test_a_list_that_never_opens_is_told(context: ToolContext, site: Site):
    body = "<div role=combobox tabindex=0 aria-expanded=false aria-label=Dead>None</div>"
    await do(context, "navigate", url=site.page("/set-dead", body))
    error = (await call(context, "set", {"selector": "label=Dead", "value": "x"})).error
    assert error is not None
    assert error.code == "ELEMENT_NOT_ACTIONABLE"
    assert "neither a click nor keys open it" in error.message


async def test_the_deadline_holds(context: ToolContext, site: Site):
    await open_controls(context, site, "lists")
    given = {"selector": "#mixed", "value": "Item 1", "timeout": 1500}
    outcome = await call(context, "set", given)
    assert outcome.error is not None
    assert outcome.error.code in ("TIMEOUT", "ELEMENT_NOT_FOUND")
    assert outcome.execution_time < 4000
    assert await said(context, "mixed") is None


@pytest.mark.parametrize(
    ("handler", "why"),
    [
        ("alert('hello')", "a dialog is open"),
        ("location.search = '?next'", "the page was left"),
        ("for (;;);", "a script that does not come back"),
    ],
)
async def test_a_field_that_leads_to_something_else_is_unknown(
    context: ToolContext, site: Site, handler: str, why: str
):
    body = f'<input aria-label=Trap oninput="{handler}">'
    await do(context, "navigate", url=site.page("/set-trap", body))
    done = await do(context, "set", selector="label=Trap", value="x")
    assert done.verdict == "unknown"
    assert why in done.receipt["why"]
    if why == "a dialog is open":
        await do(context, "dialog", action="accept")
    elif "script" in why:
        await do(context, "interrupt")


async def test_a_page_that_only_changes_its_address_is_read_back(context: ToolContext, site: Site):
    body = "<input aria-label=Route oninput=\"history.pushState(0, '', '?q=' + this.value)\">"
    await do(context, "navigate", url=site.page("/set-route", body))
    done = await do(context, "set", selector="label=Route", value="x")
    assert (done.verdict, done.value) == ("effective", "x")
    assert done.receipt["url"].endswith("?q=x")


async def test_a_page_that_hangs_is_a_time_out(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/set-hung", "<input id=i aria-label=Name>"))
    await value(context, "setTimeout(() => { for (;;); }); 1")
    asked = {"what": "value", "selector": "#i", "timeout": 100}
    while (await call(context, "get", asked)).success:
        pass
    outcome = await call(context, "set", {"selector": "label=Name", "value": "x", "timeout": 4000})
    assert outcome.error is not None
    assert outcome.error.code == "TIMEOUT"
    assert "interrupt" in [action.verb for action in outcome.next_actions]
    await do(context, "interrupt")


async def test_a_control_that_comes_late_can_be_waited_for(context: ToolContext, site: Site):
    body = """<script>setTimeout(() => {
        document.body.innerHTML = '<label><input type=checkbox id=late>Late</label>';
    }, 900)</script>"""
    await do(context, "navigate", url=site.page("/set-late", body))
    done = await do(context, "set", selector="label=Late", value="true", wait=True)
    assert done.value == "true"
    assert await value(context, "late.checked") is True


async def test_options_that_come_late_are_waited_for(context: ToolContext, site: Site):
    await open_controls(context, site, "comboboxes")
    done = await do(context, "set", selector="#late", value=LATE_OPTIONS[1].lower())
    assert done.value == await said(context, "late") == LATE_OPTIONS[1]
    assert done.receipt["requests"] == ["GET /controls/options 200"]


async def test_a_name_stands_for_the_control_that_it_names(context: ToolContext, site: Site):
    body = """
        <b id=n>Loudness</b>
        <div role=slider tabindex=0 aria-labelledby=n aria-valuenow=5
          aria-valuemin=0 aria-valuemax=9 style="width: 20px; height: 20px"
          onkeydown="this.ariaValueNow = Number(this.ariaValueNow) + (event.key === 'ArrowRight')">
        </div>
        <section id=box><h2>Only one</h2><input id=one></section>
    """
    await do(context, "navigate", url=site.page("/set-named", body))
    assert (await do(context, "set", selector="text=Loudness", value="7")).value == "7"
    assert (await do(context, "set", selector="#box", value="in it")).value == "in it"
    assert await value(context, "one.value") == "in it"
