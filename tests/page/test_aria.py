"""Roles, names, descriptions and states, held against Chrome's own accessibility tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.accessibility import compare, in_page, page_tab

PAGES = sorted((Path(__file__).parent / "aria").glob("*.html"))
REQUIRED_AGREEMENT = 0.99

DIFFERENCES = {
    "canvas": "What is inside a canvas has no box, so nobody can press it; Chrome exposes it.",
    "container": "Chrome has no name for a link whose words are all in an article or a figure.",
    "draggable": "Chrome drops the content of a draggable box from the name around it.",
    "empty-label": "A label without words is no name for us; Chrome lets it hide the title.",
    "figure": "A figure goes by its caption, as HTML-AAM says; in Chrome it has no name.",
    "hidden-host": "Chrome reads into the shadow root of a host that is aria-hidden.",
    "icon": "A letter of an icon font is no name for us, so the title is.",
    "image-content": "An element whose style replaces it by an image is an image in Chrome.",
    "media": "Chrome names what it cannot play by its own error message.",
    "picker": "Chrome reads the parts of a date's and a file's control out as words.",
    "row": "Chrome leaves out the spaces between the cells of a row.",
    "select-button": "A button in a list that is not customised is never drawn.",
    "wbr": "Chrome puts a space where a word may be broken.",
}
"""Why an element with `data-differs` is told otherwise than by Chrome. Each of them must differ."""

ROLES = """alert alertdialog application article banner blockquote button caption cell checkbox code
columnheader combobox comment complementary contentinfo definition deletion dialog directory document
emphasis feed figure form generic grid gridcell group heading img image insertion link list listbox
listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter
navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup
rowheader scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton status
strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer
toolbar tooltip tree treegrid treeitem doc-abstract doc-backlink doc-biblioentry doc-biblioref
doc-chapter doc-cover doc-endnote doc-footnote doc-glossref doc-noteref doc-pagebreak doc-subtitle
doc-tip doc-toc graphics-document graphics-object graphics-symbol
command composite input landmark range roletype section sectionhead select structure widget window
text key label legend BUTTON Link nonsense""".split()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
async def test_every_element_is_told_as_chrome_tells_it(context, site, page):
    tab = await page_tab(context, site.page(f"/aria/{page.name}", page.read_text("utf-8")))
    rows = await compare(tab)
    unexplained = [str(row) for row in rows if row.differences and not differs(row)]
    settled = [row.markup for row in rows if differs(row) and not row.differences]
    assert (unexplained, settled) == ([], [])
    assert {row.attributes["data-differs"] for row in rows if differs(row)} <= set(DIFFERENCES)


async def test_interactive_elements_agree_but_for_one_in_a_hundred(context, site):
    total = agreed = 0
    for page in PAGES:
        tab = await page_tab(context, site.page(f"/agree/{page.name}", page.read_text("utf-8")))
        rows = [row for row in await compare(tab) if row.interactive]
        total += len(rows)
        agreed += sum(not row.differences for row in rows)
    assert total > 700
    assert agreed / total >= REQUIRED_AGREEMENT


async def test_every_role_is_known_named_and_handed_on_as_in_chrome(context, site):
    cases = "".join(
        f'<div role="{role}">x</div><div role="{role}" aria-label="L">x</div>'
        f'<div role="{role}" title="T"></div><button>a<span role="{role}">x</span>b</button>'
        for role in ROLES
    )
    rows = await compare(await page_tab(context, site.page("/roles", cases)))
    assert len(rows) > 3 * len(ROLES)
    assert [str(row) for row in rows if row.differences] == []


async def test_states_are_those_that_chrome_tells(context, site):
    page = (Path(__file__).parent / "aria" / "states.html").read_text("utf-8")
    rows = await compare(await page_tab(context, site.page("/states", page)))
    wrong = [f"{row.markup}: {bad}" for row in rows if row.chrome and (bad := wrong_states(row))]
    assert wrong == []


def differs(row):
    return "data-differs" in row.attributes


def wrong_states(row):
    state, chrome = row.ours["state"], row.chrome["properties"]
    wrong = {}
    for key in ("checked", "pressed", "expanded", "disabled", "readonly", "required", "level"):
        told = {"true": True, "false": False}.get(chrome.get(key), chrome.get(key))
        # Chrome gives every list item a level, and every list that it unfolds a state.
        if key == "level" and row.ours["role"] != "heading":
            continue
        if key == "expanded" and row.markup.startswith("<select"):
            continue
        if (told or None) != (state.get(key) or None) and not excused(row, key):
            wrong[key] = (told, state.get(key))
    return wrong


def excused(row, key):
    """Where ARIA says a thing that Chrome leaves out of this tree."""
    stated = row.attributes
    return (
        (key == "pressed" and stated.get("aria-pressed") == "bogus")
        or (key == "expanded" and row.ours["role"] == "generic")
        or (key == "disabled" and row.markup.startswith(("<fieldset", "<optgroup")))
        or (key == "required" and row.ours["role"] in {"combobox", "checkbox"})
        or (key == "readonly" and row.ours["role"] == "gridcell")
    )
