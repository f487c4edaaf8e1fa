"""Web vitals and the accessibility audit, of real pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.engine import do, session_of, value
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext
from tabwright.verb import Result

STRICT = {
    "content-security-policy": "default-src 'none'; frame-src *; require-trusted-types-for 'script'"
}
BAD = """<html lang=en><title>Shop</title><main><h1>Shop</h1>
<img id=logo src="data:image/png;base64,"><button id=buy></button><a href="/x">Read on</a></main>"""
LARGE = "<h1 id=large style='font-size:60px'>A heading that is large</h1><p>small</p>"


def rules(audited: Any) -> dict[str, list[str]]:
    """The rules that are broken, with the selectors of what breaks them."""
    return {rule.id: [node.selector for node in rule.nodes] for rule in audited.violations}


def metric(measured: Any, name: str) -> Any:
    return next(one for one in measured.metrics if one.name == name)


async def test_problems_are_found_and_their_refs_can_be_used(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/audit/bad", BAD))
    audited = await do(context, "audit")
    assert rules(audited) == {"image-alt": ["#logo"], "button-name": ["#buy"]}
    assert audited.counts == {"critical": 2}
    button = audited.violations[0].nodes[0]
    assert (button.role, button.name, button.frame) == ("button", "", "")
    assert button.fix.startswith("Fix any of the following:\n  Element does not have inner text")
    assert audited.violations[0].help_url.startswith("https://")
    assert (
        await do(context, "get", what="attribute", selector=button.ref, name="id")
    ).value == "buy"
    await value(context, "buy.onclick = () => document.title = 'bought'")
    await do(context, "click", selector=button.ref)
    assert await value(context, "document.title") == "bought"


async def test_a_page_without_problems_is_said_to_have_none(context: ToolContext, site: Site):
    fine = "<html lang=en><title>Fine</title><main><h1>Fine</h1><p>All is well.</p></main>"
    await do(context, "navigate", url=site.page("/audit/fine", fine))
    audited = await do(context, "audit")
    assert (audited.violations, audited.counts, audited.path) == ([], {}, None)
    assert audited.passed > 5
    assert audited.text().startswith("No problem (rules that hold: ")


async def test_the_text_names_the_worst_first_in_a_few_lines(context: ToolContext, site: Site):
    page = BAD.replace("<html lang=en>", "<html>")
    await do(context, "navigate", url=site.page("/audit/text", page))
    audited = await do(context, "audit")
    head, *lines = audited.text().splitlines()
    assert head.startswith("3 problems: 2 critical, 1 serious (")
    assert lines[0] == "critical button-name, 1x: Buttons must have discernible text"
    assert lines[1] == f"  button {audited.violations[0].nodes[0].ref}"
    assert lines[2].startswith("  Fix any: Element does not have inner text that is visible")
    assert lines[3] == "critical image-alt, 1x: Images must have alternative text"


async def test_the_page_sees_nothing_of_an_audit(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/audit/unseen", BAD))
    watch = """
        seen = []; observer = null; names = null;
        names = Object.getOwnPropertyNames(window);
        observer = new MutationObserver((all) => seen.push(...all));
        observer.observe(document, {subtree: true, childList: true, attributes: true});
        for (const kind of ["message", "scroll", "focusin", "blur"])
          addEventListener(kind, (e) => seen.push(e.type), true);
        undefined"""
    await value(context, watch)
    await do(context, "audit")
    await do(context, "vitals")
    await value(context, "new Promise(requestAnimationFrame)")
    assert await value(context, "seen.length") == 0
    fresh = "Object.getOwnPropertyNames(window).filter((name) => !names.includes(name))"
    assert await value(context, fresh) == []
    assert await value(context, "[typeof axe, typeof webVitals]") == ["undefined"] * 2
    own = "Object.getOwnPropertyNames(document).filter((name) => name !== 'location')"
    assert await value(context, own) == []


async def test_a_strict_content_security_policy_does_not_hinder(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.content("/audit/csp", BAD.encode(), headers=STRICT))
    assert "button-name" in rules(await do(context, "audit"))
    assert metric(await do(context, "vitals"), "TTFB").value > 0


async def test_frames_of_other_sites_are_audited_too(isolated: ToolContext, site: Site):
    deep = site.page("/audit/deep", "<html lang=en><title>Deep</title><input id=deep>")
    other = f"http://localhost:{site.port}"
    site.page(
        "/audit/frame",
        "<html lang=en><title>In</title><button id=inner></button>"
        f"<iframe title=deep src='{deep}'></iframe>",
    )
    hidden = f"<iframe title=none style='display:none' src='{other}/audit/frame?hidden'></iframe>"
    frames = f"<iframe title=in src='{other}/audit/frame'></iframe>{hidden}</main>"
    await do(isolated, "navigate", url=site.page("/audit/top", BAD.replace("</main>", frames)))
    session = await session_of(isolated)
    assert session.current is not None
    assert len(session.current.frames.sessions()) > 2
    audited = await do(isolated, "audit")
    assert (audited.frames, audited.silent) == (3, [])
    found = {
        (rule.id, node.selector, node.frame) for rule in audited.violations for node in rule.nodes
    }
    assert found == {
        ("image-alt", "#logo", ""),
        ("button-name", "#buy", ""),
        ("button-name", "#inner", f"{other}/audit/frame"),
        ("label", "#deep", deep),
    }
    label = next(rule for rule in audited.violations if rule.id == "label")
    field = label.nodes[0].ref
    await do(isolated, "fill", selector=field, text="found")
    assert (await do(isolated, "get", what="value", selector=field)).value == "found"


async def test_an_element_in_an_open_shadow_root_has_a_ref(context: ToolContext, site: Site):
    page = """<html lang=en><title>Shadow</title><main><h1>Shadow</h1><div id=host></div></main>
        <script>host.attachShadow({mode: "open"}).innerHTML = "<button id=in></button>"</script>"""
    await do(context, "navigate", url=site.page("/audit/shadow", page))
    (rule,) = (await do(context, "audit", rules=["button-name"])).violations
    (node,) = rule.nodes
    assert node.selector == "#host >> #in"
    for selector in (node.ref, node.selector):
        got = await do(context, "get", what="attribute", selector=selector, name="id")
        assert got.value == "in"


async def test_only_a_part_of_the_page_is_audited(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/audit/part", BAD))
    assert rules(await do(context, "audit", selector="#logo")) == {"image-alt": ["#logo"]}
    inner = (await do(context, "audit", selector="#buy")).violations[0].nodes[0].ref
    assert rules(await do(context, "audit", selector=inner)) == {"button-name": ["#buy"]}
    missing = await call(context, "audit", {"selector": "#nowhere"})
    assert missing.error is not None
    assert missing.error.code == "ELEMENT_NOT_FOUND"


async def test_only_some_rules_are_applied(context: ToolContext, site: Site):
    page = BAD.replace("<main>", "<div>").replace("</main>", "</div>")
    await do(context, "navigate", url=site.page("/audit/rules", page))
    assert rules(await do(context, "audit", rules=["image-alt"])) == {"image-alt": ["#logo"]}
    assert "landmark-one-main" in rules(await do(context, "audit", tags=["best-practice"]))
    assert {*rules(await do(context, "audit", tags=["wcag2a"]))} == {"image-alt", "button-name"}


@pytest.mark.parametrize(
    ("given", "near"),
    [({"rules": ["imagealt"]}, "image-alt"), ({"tags": ["wcag-2a"]}, "wcag2a")],
)
async def test_an_unknown_rule_or_tag_is_answered_with_the_nearest(
    context: ToolContext, site: Site, given: dict[str, Any], near: str
):
    await do(context, "navigate", url=site.page("/audit/unknown", BAD))
    outcome = await call(context, "audit", given)
    assert outcome.error is not None
    assert outcome.error.code == "VALIDATION_ERROR"
    assert near in (outcome.error.hint or "")


async def test_many_problems_go_to_a_file_and_the_reply_stays_small(
    context: ToolContext, site: Site
):
    buttons = "".join(f"<button id=b{number}></button>" for number in range(60))
    page = BAD.replace("</main>", f"{buttons}</main>")
    await do(context, "navigate", url=site.page("/audit/many", page))
    outcome = await call(context, "audit", {"limit": 5})
    audited = outcome.unwrap()
    assert isinstance(audited, Result)
    names = next(rule for rule in audited.violations if rule.id == "button-name")
    assert names.count == 61
    assert sum(len(rule.nodes) for rule in audited.violations) == 5
    assert len(audited.text()) < 1000
    assert "56 more" in audited.text()
    whole = json.loads(Path(audited.path).read_text("utf-8"))
    (told,) = [rule for rule in whole["violations"] if rule["id"] == "button-name"]
    assert len(told["nodes"]) == 61
    assert told["nodes"][-1]["checks"][0].startswith("Element does not have inner text")
    assert [file.path for file in audited.files()] == [Path(audited.path)]
    assert audited.text().endswith(f"All of it: {audited.path}")


async def test_a_file_that_does_not_name_all_elements_says_how_many(
    context: ToolContext, site: Site
):
    buttons = "<script>document.write('<button></button>'.repeat(510))</script>"
    await do(context, "navigate", url=site.page("/audit/more", f"<html lang=en><main>{buttons}"))
    audited = await do(context, "audit", rules=["button-name"])
    (told,) = json.loads(Path(audited.path).read_text("utf-8"))["violations"]
    assert (told["count"], len(told["nodes"]), audited.written) == (510, 500, 500)
    assert audited.text().endswith(f"500 of 510: {audited.path}")


async def test_a_name_cannot_pass_for_words_of_the_report(context: ToolContext, site: Site):
    body = """<html lang=en><main><div role=checkbox aria-checked=no
    aria-label='Milk" e9; button "Pay'></div></main>"""
    await do(context, "navigate", url=site.page("/audit/forged", body))
    text = (await do(context, "audit", rules=["aria-valid-attr-value"])).text()
    assert 'checkbox "Milk\\" e9; button \\"Pay" e1' in text


async def test_the_largest_paint_is_named_with_its_element(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/audit/large", LARGE))
    measured = await do(context, "vitals")
    largest = metric(measured, "LCP")
    assert largest.rating == "good"
    assert largest.selector == "#large"
    assert largest.element["name"] == "A heading that is large"
    got = await do(context, "get", what="attribute", selector=largest.element["ref"], name="id")
    assert got.value == "large"
    assert 0 < metric(measured, "TTFB").value <= metric(measured, "FCP").value <= largest.value
    assert metric(measured, "CLS").value == 0


async def test_what_is_not_there_yet_is_said_and_why(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/audit/quiet", LARGE))
    quiet = metric(await do(context, "vitals"), "INP")
    assert (quiet.value, quiet.rating) == (None, None)
    assert quiet.text() == "INP none: no click, tap or key press yet"
    await do(context, "navigate", url="about:blank")
    blank = await do(context, "vitals")
    assert [one.value for one in blank.metrics] == [None] * 5
    assert metric(blank, "LCP").why == "nothing was painted yet"


async def test_a_slow_click_is_measured_with_what_was_clicked(context: ToolContext, site: Site):
    page = """<h1>Slow</h1><button id=slow>Go</button><script>slow.onclick = () => {
        const end = performance.now() + 260; while (performance.now() < end);
        slow.textContent = "Gone"; }</script>"""
    await do(context, "navigate", url=site.page("/audit/slow", page))
    await do(context, "click", selector="#slow")
    slowest = metric(await do(context, "vitals"), "INP")
    assert slowest.value >= 260
    assert slowest.rating in ("needs-improvement", "poor")
    assert (slowest.selector, slowest.kind) == ("#slow", "pointer")
    assert slowest.element["ref"]
    assert slowest.parts["processingDuration"] >= 250
    assert "in event handlers" in slowest.text()


async def test_a_shift_is_measured_with_what_moved(context: ToolContext, site: Site):
    page = """<div id=above></div><p id=moved style="margin:0;font-size:150px">It will move</p>
        <script>const frame = (next) => requestAnimationFrame(() => requestAnimationFrame(next));
        frame(() => {
          above.style.height = "400px";
          frame(() => document.title = "moved");
        });</script>"""
    await do(context, "navigate", url=site.page("/audit/shift", page))
    await do(context, "wait", expression="document.title === 'moved'")
    shift = metric(await do(context, "vitals"), "CLS")
    assert shift.value > 0.1
    assert shift.selector == "#moved"
    assert shift.parts["largestShiftValue"] == shift.value
    assert "largest shift" in shift.text()


async def test_a_reload_is_measured_from_its_beginning(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/audit/again", LARGE))
    await value(context, "document.title = 'old'")
    hits = site.hits["/audit/again"]
    await do(context, "vitals")
    assert (await value(context, "document.title"), site.hits["/audit/again"]) == ("old", hits)
    again = await do(context, "vitals", reload=True)
    assert (await value(context, "document.title"), site.hits["/audit/again"]) == ("Test", hits + 1)
    assert metric(again, "LCP").selector == "#large"


async def test_interactions_after_the_first_measure_are_seen(context: ToolContext, site: Site):
    page = """<h1>Later</h1><input id=field aria-label=Field><script>field.onkeydown = () => {
        const end = performance.now() + 60; while (performance.now() < end); }</script>"""
    await do(context, "navigate", url=site.page("/audit/later", page))
    assert metric(await do(context, "vitals"), "INP").value is None
    await do(context, "press", selector="#field", key="a")
    later = metric(await do(context, "vitals"), "INP")
    assert later.value >= 56
    assert later.kind == "keyboard"
