"""Choices in forms: options, checkboxes, files, focus; read back, or an honest failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.engine import do, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext

RECORD = """<script>log = []; for (const type of ["input", "change", "click"])
  addEventListener(type, (e) => log.push([type, e.isTrusted, e.target.id]), true)</script>"""
LISTS = """<select id=s><option>red<option value=g>green<option disabled>grey
<optgroup label=More><option>blue<option>yellow</optgroup></select>
<select id=m multiple><option>one<option>two<option>three<option>four</select>
<select id=back onchange="this.selectedIndex = 0"><option>a<option>b</select>
<div id=custom role=listbox tabindex=0>x</div>"""


async def opened(context: ToolContext, site: Site, path: str, body: str) -> None:
    await do(context, "navigate", url=site.page(path, RECORD + body))


@pytest.mark.proves("S3-6.4", "S3-ACT-01")
@pytest.mark.parametrize(
    ("wanted", "result"),
    [("g", "green"), ("green", "green"), ("YELLOW", "yellow"), ("3", "blue"), ("blue", "blue")],
)
async def test_an_option_is_chosen_by_value_label_or_index_with_one_trusted_change(
    context: ToolContext, site: Site, wanted: str, result: str
):
    await opened(context, site, "/form/select", LISTS)
    acted = await do(context, "select", selector="#s", options=[wanted])
    assert acted.verdict == "effective"
    assert f"chosen: {result}" in acted.text()
    assert await value(context, "s.selectedOptions[0].text") == result
    log = await value(context, "log")
    assert [entry for entry in log if entry[0] != "click"] == [
        ["input", True, "s"],
        ["change", True, "s"],
    ]


async def test_several_options_of_a_list(context: ToolContext, site: Site):
    await opened(context, site, "/form/multiple", LISTS)
    for wanted in (["one", "three"], ["four"], ["two", "four", "one"]):
        await do(context, "select", selector="#m", options=wanted)
        chosen = await value(context, "[...m.selectedOptions].map((o) => o.text)")
        assert sorted(chosen) == sorted(wanted)
    assert all(entry[1] for entry in await value(context, "log"))


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        ({"selector": "#s", "options": ["purple"]}, "ELEMENT_NOT_FOUND", "The options are 'red'"),
        ({"selector": "#s", "options": ["grey"]}, "ELEMENT_NOT_ACTIONABLE", "disabled"),
        ({"selector": "#s", "options": ["red", "blue"]}, "VALIDATION_ERROR", "one option"),
        ({"selector": "#back", "options": ["b"]}, "NOT_DONE", "not ['b']"),
        ({"selector": "#custom", "options": ["b"]}, "ELEMENT_NOT_ACTIONABLE", "not a <select>"),
    ],
)
async def test_a_choice_that_cannot_be_made_is_never_called_done(
    context: ToolContext, site: Site, given: dict[str, object], code: str, words: str
):
    await opened(context, site, "/form/refused", LISTS)
    outcome = await call(context, "select", given)
    assert outcome.error is not None
    assert outcome.error.code == code
    assert words in str(outcome.error)


CHECKS = """<label><input id=a type=checkbox>A</label><input id=b type=checkbox checked>
<input id=r1 type=radio name=r checked><input id=r2 type=radio name=r>
<div id=w role=switch aria-checked=false tabindex=0
  onclick="this.ariaChecked = this.ariaChecked !== 'true'">wifi</div>
<div id=mix role=checkbox aria-checked=mixed tabindex=0 onclick="this.ariaChecked =
  { mixed: 'true', true: 'false', false: 'mixed' }[this.ariaChecked]">all</div>
<input id=half type=checkbox><input id=no type=checkbox onclick="event.preventDefault()">
<div id=late role=checkbox aria-checked=false tabindex=0 data-clicks=0 onclick="
  this.dataset.clicks++; setTimeout(() => { this.ariaChecked = this.ariaChecked !== 'true' }, 1500)
  ">late</div><div id=dial role=checkbox aria-checked=false tabindex=0 data-clicks=0 onclick="
  this.ariaChecked = ['false', 'mixed'][++this.dataset.clicks % 2]">dial</div>
<div id=third role=checkbox aria-checked=false tabindex=0 onclick="this.ariaChecked =
  { false: 'mixed', mixed: 'true' }[this.ariaChecked]">third</div>
<script>half.indeterminate = true</script>"""


@pytest.mark.proves("S3-6.4", "S3-ACT-02")
async def test_checking_and_unchecking(context: ToolContext, site: Site):
    await opened(context, site, "/form/check", CHECKS)
    for verb, name, script, expected in (
        ("check", "a", "a.checked", True),
        ("uncheck", "b", "b.checked", False),
        ("check", "r2", "r2.checked", True),
        ("check", "w", "w.ariaChecked", "true"),
        ("uncheck", "w", "w.ariaChecked", "false"),
        ("uncheck", "mix", "mix.ariaChecked", "false"),
        ("uncheck", "half", "half.checked || half.indeterminate", False),
        ("check", "third", "third.ariaChecked", "true"),
    ):
        acted = await do(context, verb, selector=f"#{name}")
        assert (acted.verdict, await value(context, script)) == ("effective", expected)
    assert all(entry[1] for entry in await value(context, "log"))


async def test_what_is_so_already_is_left_alone(context: ToolContext, site: Site):
    await opened(context, site, "/form/already", CHECKS)
    acted = await do(context, "check", selector="#b")
    assert acted.receipt["why"] == "it was so already"
    assert await value(context, "log") == []


@pytest.mark.parametrize(
    ("verb", "selector", "code"),
    [
        ("check", "#no", "NOT_DONE"),
        ("uncheck", "#r1", "ELEMENT_NOT_ACTIONABLE"),
        ("check", "label", "ELEMENT_NOT_ACTIONABLE"),
    ],
)
async def test_a_state_that_does_not_come_is_an_error(
    context: ToolContext, site: Site, verb: str, selector: str, code: str
):
    await opened(context, site, "/form/stubborn", CHECKS)
    outcome = await call(context, verb, {"selector": selector})
    assert outcome.error is not None
    assert outcome.error.code == code


@pytest.mark.parametrize(
    ("handler", "verdict", "says"),
    [
        ("event.preventDefault(); history.replaceState(0, '', '?f=1')", "NOT_DONE", "kept its"),
        ("history.replaceState(0, '', '?f=1')", "effective", "now at"),
        ("if (!confirm('sure')) event.preventDefault()", "unknown", "cannot be told now"),
        (
            "setTimeout(() => { c.outerHTML = '<input id=c type=checkbox checked>' })",
            "effective",
            "",
        ),
        ("setTimeout(() => c.remove())", "unknown", "cannot be told now"),
        ("location = '/form/elsewhere'", "unknown", "cannot be told now"),
    ],
)
async def test_a_box_is_called_checked_only_if_it_is(
    context: ToolContext, site: Site, handler: str, verdict: str, says: str
):
    site.page("/form/elsewhere", "elsewhere")
    await opened(context, site, "/form/so", f'<input id=c type=checkbox onclick="{handler}">')
    outcome = await call(context, "check", {"selector": "#c"})
    said = outcome.error.code if outcome.error else outcome.result.verdict
    assert (said, says in outcome.text()) == (verdict, True), outcome.text()


async def test_a_box_whose_question_was_answered_with_no_is_not_checked(
    context: ToolContext, site: Site
):
    await do(context, "dialog", policy="dismiss")
    body = "<input id=c type=checkbox onclick=\"if (!confirm('?')) event.preventDefault()\">"
    await opened(context, site, "/form/asked", body)
    outcome = await call(context, "check", {"selector": "#c"})
    await do(context, "dialog", policy="ask")
    assert outcome.error is not None
    assert outcome.error.code == "NOT_DONE"
    assert outcome.error.details["receipt"]["dialog"]["accepted"] is False


async def test_a_state_that_is_late_is_not_turned_back_by_another_click(
    context: ToolContext, site: Site
):
    await opened(context, site, "/form/late", CHECKS)
    late = await call(context, "check", {"selector": "#late"})
    assert late.error is not None
    assert "it kept its state" in late.error.message
    await do(context, "wait", expression="late.ariaChecked === 'true'")
    assert await value(context, "late.dataset.clicks") == "1"
    dial = await call(context, "check", {"selector": "#dial"})
    assert dial.error is not None
    assert "it went through 2 other states" in dial.error.message
    assert await value(context, "dial.dataset.clicks") == "2"


@pytest.mark.proves("S3-6.7", "S3-ACT-01")
async def test_files_go_to_an_input_a_button_or_an_open_chooser(
    context: ToolContext, site: Site, tmp_path: Path
):
    (tmp_path / "a.txt").write_text("first")
    (tmp_path / "b.txt").write_text("second")
    await opened(
        context,
        site,
        "/form/upload",
        """<input id=one type=file><input id=many type=file multiple style="display:none">
        <button id=open onclick="many.click()">Choose</button>""",
    )
    read = "Promise.all([...{}.files].map((f) => f.text()))"
    result = await do(context, "upload", selector="#one", files=["a.txt"])
    assert result.names == ["a.txt"]
    assert await value(context, read.format("one")) == ["first"]
    assert ["change", True, "one"] in await value(context, "log")
    await do(context, "upload", selector="#open", files=["a.txt", str(tmp_path / "b.txt")])
    assert await value(context, read.format("many")) == ["first", "second"]
    outcome = await call(context, "click", {"selector": "#open"})
    assert outcome.unwrap().receipt["fileChooser"] == "several files"
    assert outcome.next_actions[0].verb == "upload"
    await do(context, "upload", files=["b.txt"])
    assert await value(context, read.format("many")) == ["second"]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"selector": "#one", "files": ["missing.txt"]}, "VALIDATION_ERROR"),
        ({"selector": "#one", "files": ["../../../../../../etc/passwd"]}, "PERMISSION_DENIED"),
        ({"selector": "#one", "files": ["/etc/passwd"]}, "PERMISSION_DENIED"),
        ({"files": ["a.txt"]}, "VALIDATION_ERROR"),
        ({"selector": "#dead", "files": ["a.txt"]}, "NOT_DONE"),
    ],
)
async def test_files_that_may_not_or_cannot_go_are_refused(
    context: ToolContext, site: Site, tmp_path: Path, given: dict[str, object], code: str
):
    (tmp_path / "a.txt").write_text("x")
    await opened(
        context, site, "/form/refuse", "<input id=one type=file><button id=dead>x</button>"
    )
    outcome = await call(context, "upload", given)
    assert outcome.error is not None
    assert outcome.error.code == code
    assert await value(context, "one.files.length") == 0


@pytest.mark.proves("S3-6.6", "S3-ACT-02")
async def test_dragging_by_mouse_and_by_drag_and_drop_and_dropping_files(
    context: ToolContext, site: Site, tmp_path: Path
):
    (tmp_path / "note.txt").write_text("dropped")
    await opened(
        context,
        site,
        "/form/drag",
        """<style>div { width: 80px; height: 40px; margin: 10px }</style>
        <div id=a draggable=true>a</div><div id=zone>zone</div><div id=box>box</div>
        <script>
        a.ondragstart = (e) => e.dataTransfer.setData("text/plain", "cargo");
        zone.ondragover = (e) => e.preventDefault();
        zone.ondrop = async (e) => { e.preventDefault();
          const [file] = e.dataTransfer.files;
          zone.textContent = file ? await file.text() : e.dataTransfer.getData("text/plain"); };
        box.onpointerdown = () => { path = []; onpointermove = (e) => path.push(e.isTrusted);
          onpointerup = (e) => { onpointermove = null; box.textContent = "on " + e.target.id; } };
        </script>""",
    )
    acted = await do(context, "drag", selector="#a", to="#zone")
    assert acted.verdict == "effective"
    assert await value(context, "zone.textContent") == "cargo"
    await do(context, "drag", selector="#box", to="#zone")
    assert await value(context, "box.textContent") == "on zone"
    acted = await do(context, "drop", selector="#zone", files=["note.txt"])
    assert acted.verdict == "effective"
    assert await value(context, "zone.textContent") == "dropped"


async def test_focus_and_blur(context: ToolContext, site: Site):
    await opened(context, site, "/form/focus", "<input id=i><p id=p>text</p>")
    await do(context, "focus", selector="#i")
    assert await value(context, "document.activeElement.id") == "i"
    await do(context, "blur", selector="#i")
    assert await value(context, "document.activeElement.id") == ""
    outcome = await call(context, "focus", {"selector": "#p"})
    assert outcome.error is not None
    assert outcome.error.code == "NOT_DONE"
