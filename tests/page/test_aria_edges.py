"""Roles, names and states of hostile, hidden and huge pages."""

from __future__ import annotations

import json

import pytest

from support.accessibility import in_page, page_tab, words

BY_ID = "const $ = (id) => byId(document, id);"


@pytest.fixture
def ask(context, site):
    async def asked(html, body):
        tab = await page_tab(context, site.page("/edge", html))
        return await in_page(tab, f"{BY_ID} {body}")

    return asked


async def test_fields_that_shadow_the_forms_properties_change_nothing(ask):
    names = """parentNode childNodes attributes getAttribute hasAttribute getAttributeNames id title
    tagName localName children matches closest innerText shadowRoot getRootNode checkVisibility"""
    fields = "".join(f"<input name={name}>" for name in words(names))
    html = (
        f"<form id=f aria-label=Order>{fields}<button id=b>Buy</button></form>"
        f"<b id=s>a<form role=none style='display: inline'>{fields}<img alt=I></form></b>"
        "<button aria-labelledby=s id=r></button>"
    )
    told = await ask(
        "",
        f"bodyOf(document).innerHTML = {json.dumps(html)};"
        """return [$("f"), $("b"), $("r")].map((e) => [roleOf(e), nameOf(e), descriptionOf(e),
            stateOf(e), isExposed(e), labelsOf(e).length]);""",
    )
    assert told == [
        ["form", "Order", "", {}, True, 0],
        ["button", "Buy", "", {}, True, 0],
        ["button", "a I", "", {}, True, 0],
    ]


async def test_an_element_named_like_a_property_of_objects_is_an_element(ask):
    told = await ask(
        "<button id=b><constructor id=c role=constructor>x</constructor></button>",
        'return [roleOf($("c")), nameOf($("c")), nameOf($("b"))];',
    )
    assert told == ["generic", "", "x"]


async def test_passwords_are_masked_wherever_they_could_be_told(ask):
    told = await ask(
        "<label>Password <input id=p type=password value=correct-horse></label>"
        "<button id=b>a<input type=password value=pw>b</button>",
        'return [stateOf($("p")).value, nameOf($("p")), nameOf($("b"))];',
    )
    assert told == ["•" * 8, "Password", "a •• b"]


async def test_labels_are_found_in_every_tree(ask):
    told = await ask(
        """<label for=one id=l2>for</label><label id=l1>around <input id=one></label>
        <label id=l3>first <input id=two><input id=three></label>
        <div id=host><template shadowrootmode=open>
          <label for=one>inner</label><input id=one>
        </template></div>""",
        """const inner = byId(rootOf($("host")), "one");
        return [$("one"), $("two"), $("three"), inner, $("host")]
            .map((e) => labelsOf(e).map((label) => textContent(label).trim()));""",
    )
    assert told == [["for", "around"], ["first"], [], ["inner"], []]


async def test_a_closed_root_that_is_handed_in_is_read(ask):
    told = await ask(
        "<button id=b>a <span id=host>light</span></button>",
        """const root = $("host").attachShadow({ mode: "closed" });
        root.innerHTML = "<b>shadow</b> <slot></slot>";
        const before = nameOf($("b"));
        closedRoots.set($("host"), root);
        return [before, nameOf($("b"))];""",
    )
    assert told == ["a light", "a shadow light"]


async def test_the_last_modal_dialog_is_all_there_is(ask):
    html = """<button id=out>out</button><div inert><dialog id=d1><button id=one>1</button>
        <dialog id=d2><button id=two>2</button></dialog></dialog></div>
        <script>d1.showModal(); d2.showModal()</script>"""
    seen = 'return ["out", "d1", "one", "d2", "two"].map((id) => isExposed($(id)));'
    assert await ask(html, seen) == [False, False, False, True, True]


async def test_what_has_the_focus_is_exposed_even_if_it_is_aria_hidden(ask):
    told = await ask(
        "<div aria-hidden=true><button id=a>a</button><button id=b>b</button></div>",
        """const first = isExposed($("b"));
        focusOn($("a"));
        const stale = isExposed($("b"));
        forget();
        return [first, stale, isExposed($("b"))];""",
    )
    assert told == [False, False, True]


async def test_what_is_remembered_is_forgotten_when_the_script_ends(ask):
    told = await ask(
        "<label for=a>old</label><input id=a>",
        """const before = nameOf($("a"));
        document.querySelector("label").insertAdjacentHTML("afterend", "<label for=a>new</label>");
        return Promise.resolve().then(() => [before, nameOf($("a"))]);""",
    )
    assert told == ["old", "old new"]


@pytest.mark.parametrize(
    "nested",
    [
        "<header>{}</header>",
        "<div role=option id=o>{}</div>",
        "<div role=treeitem><div role=group>{}</div></div>",
        "<table><tr><td>{}<td></table>",
        "<div role=button aria-labelledby='x x x'>{}</div>",
        "<label>{}</label>",
        "<section role='option treeitem listitem'><header>{}</header></section>",
        "<fieldset><legend>{}</legend></fieldset>",
        "<div aria-owns=x>{}</div>",
    ],
)
async def test_deep_trees_are_read_in_reasonable_time(ask, nested):
    html = "<b id=x>end</b>"
    for _ in range(60):
        html = nested.format(html)
    told = await ask(
        f"<button id=b>{html}</button><a href=# id=a>{html}</a>",
        """for (const e of queryAll(document, "*")) {
          roleOf(e); nameOf(e); descriptionOf(e); stateOf(e); isExposed(e);
        }
        return true;""",
    )
    assert told is True


async def test_a_name_is_cut_and_a_huge_button_is_not_read_to_its_end(ask):
    told = await ask(
        "<button id=long></button><button id=wide></button><button id=deep></button>",
        """$("long").textContent = "word ".repeat(5000);
        $("wide").innerHTML = "<span> </span>".repeat(20000) + "end";
        let inner = $("deep");
        for (let at = 0; at < 3000; at += 1) {
          inner = inner.appendChild(document.createElement("span"));
        }
        inner.textContent = "end";
        return ["long", "wide", "deep"].map((id) => nameOf($(id)).length)
            .concat([isExposed(inner)]);""",
    )
    assert told == [999, 0, 0, True]


async def test_circles_of_references_end(ask):
    told = await ask(
        """<button id=a aria-labelledby=b>A</button><button id=b aria-labelledby=a>B</button>
        <button id=c aria-labelledby="c c">C</button>
        <div id=d role=button aria-owns=e>D<span id=e role=button aria-owns=d>E</span></div>
        <div role=option id=o1 aria-owns=o2><div role=option id=o2 aria-owns=o1>O</div></div>""",
        'return ["a", "b", "c", "d", "o1"].map((id) => [roleOf($(id)), nameOf($(id))]);',
    )
    assert told == [
        ["button", "B"],
        ["button", "A"],
        ["button", "C C"],
        ["button", "D E"],
        ["generic", ""],
    ]


@pytest.mark.parametrize(
    ("markup", "state"),
    [
        ("<input id=e type=checkbox checked required>", {"checked": True, "required": True}),
        ("<div id=e role=switch>x</div>", {"checked": False}),
        ("<div id=e role=checkbox aria-checked=mixed>x</div>", {"checked": "mixed"}),
        (
            "<button id=e aria-pressed=mixed aria-haspopup=true>x</button>",
            {"pressed": "mixed", "haspopup": "menu"},
        ),
        ("<details open><summary id=e>x</summary></details>", {"expanded": True}),
        ("<button id=e popovertarget=p>x</button><p id=p popover>y</p>", {"expanded": False}),
        (
            "<p id=e role=tab aria-selected=true aria-posinset=2 aria-setsize=9>x</p>",
            {"selected": True, "posinset": 2, "setsize": 9},
        ),
        ("<fieldset disabled><input id=e value=v></fieldset>", {"disabled": True, "value": "v"}),
        ("<div aria-disabled=true><a id=e href=#>x</a></div>", {"disabled": True}),
        ("<input id=e readonly value=v>", {"readonly": True, "value": "v"}),
        ("<input id=e type=email value=nonsense>", {"invalid": True, "value": "nonsense"}),
        ("<input id=e type=email required>", {"required": True}),
        ("<input id=e aria-invalid=spelling>", {"invalid": "spelling"}),
        ("<h4 id=e>x</h4>", {"level": 4}),
        ("<div id=e role=heading aria-level=7>x</div>", {"level": 7}),
        ("<a id=e href=# aria-current=page>x</a>", {"current": "page"}),
        ("<select id=e><option>one<option selected>two</select>", {"value": "two"}),
        (
            "<select id=e multiple><option selected>one<option selected>two<option>three</select>",
            {"value": "one, two", "multiselectable": True},
        ),
        ("<input id=e type=range min=1 max=9 value=4>", {"value": "4", "min": 1, "max": 9}),
        (
            "<input id=e type=date value=2024-05-06 min=2024-01-01>",
            {"value": "2024-05-06", "min": "2024-01-01"},
        ),
        (
            "<p id=e role=slider aria-valuenow=3 aria-valuemin=1 aria-valuetext=mid></p>",
            {"value": "3", "valuetext": "mid", "min": 1},
        ),
        ("<progress id=e value=3 max=10></progress>", {"value": "3", "min": 0, "max": 10}),
        ("<div id=e contenteditable role=textbox>rich <b>text</b></div>", {"value": "rich text"}),
        ("<div id=e role=combobox tabindex=0>Chosen</div>", {"value": "Chosen"}),
        ("<textarea id=e>two\nlines</textarea>", {"value": "two\nlines"}),
        ("<table><tr><th id=e aria-sort=ascending>x<th>y</table>", {"sort": "ascending"}),
        (
            "<div id=e role=dialog aria-modal=true aria-busy=true>x</div>",
            {"modal": True, "busy": True},
        ),
        ("<div id=e role=toolbar aria-orientation=vertical>x</div>", {"orientation": "vertical"}),
        ("<p id=e>x</p>", {}),
    ],
)
async def test_a_state_holds_what_applies_and_nothing_else(ask, markup, state):
    assert await ask(markup, 'return stateOf($("e"));') == state
