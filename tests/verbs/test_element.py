"""Reading elements: get, info, is."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.engine import do
from support.site import Site
from tabwright.dispatch import call
from tabwright.engine.context import ToolContext

PAGE = """<h1 id=h class="big title">Hello <b>dear</b>
  world</h1><p id=pre style="white-space:pre">a
  b</p><p id=up style="text-transform:uppercase">loud<span style="display:none">secret</span></p>
<a id=a href="/there?x=1">there</a><input id=i value=typed data-x=1><svg id=v></svg>
<input id=c type=checkbox checked><button id=d disabled>no</button><p id=n hidden>hidden</p>
<div id=box style="position:absolute;left:30px;top:200px;width:50px;height:20px;color:rgb(1,2,3)">
</div><ul><li>1<li>2<li>3</ul>"""


async def got(context: ToolContext, what: str, selector: str, name: str = "") -> object:
    given = {"name": name} if name else {}
    return (await do(context, "get", what=what, selector=selector, **given)).value


@pytest.mark.proves("S0-10")
async def test_text_is_as_it_is_rendered(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/element", PAGE))
    assert await got(context, "text", "#h") == "Hello dear world"
    assert await got(context, "text", "#pre") == "a\n  b"
    assert await got(context, "text", "#up") == "LOUD"


async def test_everything_else_that_can_be_got(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/element", PAGE))
    assert await got(context, "html", "#i") == '<input id="i" value="typed" data-x="1">'
    assert await got(context, "value", "#i") == "typed"
    assert await got(context, "attribute", "#a", "href") == "/there?x=1"
    assert await got(context, "attribute", "#a", "missing") is None
    assert await got(context, "property", "#a", "href") == site.url("/there?x=1")
    assert await got(context, "property", "#c", "checked") is True
    assert await got(context, "count", "li") == 3
    assert await got(context, "count", ".none") == 0
    box = {"x": 30, "y": 200, "width": 50, "height": 20}
    assert await got(context, "box", "#box") == box
    assert await got(context, "styles", "#box", "color") == {"color": "rgb(1, 2, 3)"}


@pytest.mark.proves("S0-11")
async def test_information_has_all_its_keys_always(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/element", PAGE))
    outcome = await call(context, "info", {"selector": "#h"})
    info = outcome.as_dict()["result"]
    assert {key: info[key] for key in ("tagName", "id", "className", "innerText", "href")} == {
        "tagName": "H1",
        "id": "h",
        "className": "big title",
        "innerText": "Hello dear world",
        "href": "",
    }
    assert (info["value"], info["role"], info["name"]) == ("", "heading", "Hello dear world")
    link = (await call(context, "info", {"selector": "#a"})).as_dict()["result"]
    assert (link["href"], link["className"]) == (site.url("/there?x=1"), "")
    for selector in ("#v", "#i", "html", "#n"):
        found = (await call(context, "info", {"selector": selector})).as_dict()["result"]
        keys = ("tagName", "id", "className", "innerText", "href", "value")
        assert all(isinstance(found[key], str) for key in keys)


@pytest.mark.parametrize(
    ("what", "selector", "answer", "why"),
    [
        ("visible", "#h", True, ""),
        ("visible", "#n", False, "display: none"),
        ("enabled", "#d", False, "attribute"),
        ("enabled", "#i", True, ""),
        ("checked", "#c", True, ""),
        ("checked", "#h", False, "no checked state"),
        ("editable", "#i", True, ""),
        ("editable", "#h", False, "no text can be put"),
        ("focused", "#i", False, ""),
    ],
)
async def test_questions_are_answered_and_a_no_says_why(
    context: ToolContext, site: Site, what: str, selector: str, answer: bool, why: str
):
    await do(context, "navigate", url=site.page("/element", PAGE))
    found = await do(context, "is", what=what, selector=selector)
    assert found.answer is answer
    assert why in found.why


async def test_long_text_goes_to_a_file(context: ToolContext, site: Site):
    text = "word " * 2000
    await do(context, "navigate", url=site.page("/element/long", f"<p id=p>{text}</p>"))
    found = await do(context, "get", what="text", selector="#p")
    assert found.value is None
    assert Path(found.path).read_text(encoding="utf-8") == text.strip()
    assert str(found.path) in found.text()
