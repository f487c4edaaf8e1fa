"""Pictures of pages with frames that hang, or that go while one is taken."""

from __future__ import annotations

import pytest

from support.engine import do, session_of
from support.site import Site
from tabwright.engine.context import ToolContext
from tabwright.engine.frame import Frame
from tabwright.engine.tab import Tab
from tabwright.errors import TargetClosed


async def tab_of(context: ToolContext) -> Tab:
    tab = (await session_of(context)).current
    assert tab is not None
    return tab


async def show_frames(context: ToolContext, site: Site) -> tuple[Tab, Frame]:
    """A page with a frame of another process."""
    site.page("/shot/frame", "<button>Inner</button><iframe srcdoc='<a href=/>x</a>'></iframe>")
    body = f"<button>Outer</button><iframe src='http://localhost:{site.port}/shot/frame'></iframe>"
    await do(context, "navigate", url=site.page("/shot/frames", body))
    tab = await tab_of(context)
    return tab, next(f for f in tab.frames if f.session_id != tab.frames.main.session_id)


@pytest.mark.parametrize("asked", [{}, {"fullPage": True}, {"annotate": True}])
async def test_a_frame_that_hangs_keeps_no_picture_from_being_taken(
    isolated: ToolContext, site: Site, asked: dict[str, bool]
):
    _, frame = await show_frames(isolated, site)
    frame.post("Runtime.evaluate", {"expression": "for (;;);"})
    shot = await do(isolated, "screenshot", **asked, timeout=15_000)
    assert shot.width == 1280
    if "annotate" in asked:
        assert [mark.name for mark in shot.marks] == ["Outer"]


async def test_a_frame_that_goes_is_left_out_of_the_picture(context: ToolContext, site: Site):
    await do(context, "navigate", url=site.page("/shot/gone", "<button>Here</button>"))
    frames = (await tab_of(context)).frames
    frames._add("of a process that ended", frames.main.id, "")
    shot = await do(context, "screenshot", annotate=True)
    assert [mark.name for mark in shot.marks] == ["Here"]


async def test_a_name_cannot_pass_for_another_mark(context: ToolContext, site: Site):
    body = """<button aria-label='Go" &#10;e9 button "Pay'>Go</button>"""
    await do(context, "navigate", url=site.page("/shot/forged", body))
    shot = await do(context, "screenshot", annotate=True)
    assert shot.text().split("\n")[1:] == ['e1 button "Go\\" e9 button \\"Pay"']


async def test_the_element_around_a_frame_that_went_is_none(isolated: ToolContext, site: Site):
    tab, frame = await show_frames(isolated, site)
    assert (await frame.on_owner("frameBox"))["shown"]
    await do(isolated, "evaluate", expression="document.querySelector('iframe').remove()")
    assert await frame.on_owner("frameBox") is None
    tab.frames._remove(tab.frames.main)
    with pytest.raises(TargetClosed):
        await frame.owner()
