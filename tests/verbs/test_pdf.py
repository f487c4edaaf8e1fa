"""Prints of the page: whole documents, on the paper that was asked for."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from support.engine import do
from tabwright.engine.context import ToolContext

POINTS_PER_MM = 72 / 25.4
MM = {"mm": 1.0, "cm": 10.0, "in": 25.4, "px": 25.4 / 96}
PAPERS_MM = {
    "A3": (297.0, 420.0),
    "A4": (210.0, 297.0),
    "A5": (148.0, 210.0),
    "Letter": (215.9, 279.4),
    "Legal": (215.9, 355.6),
    "Tabloid": (279.4, 431.8),
}
relaxed = settings(max_examples=100)


async def show(context: ToolContext, body: str) -> None:
    """Put a document into the page without a server."""
    script = "(html) => { document.open(); document.write(html); document.close(); }"
    await do(context, "evaluate", expression=script, args=[f"<!doctype html>{body}"])


async def printed(context: ToolContext, **how: Any) -> PdfReader:
    """The document as a PDF library reads it."""
    return PdfReader((await do(context, "pdf", **how)).path)


def size_mm(document: PdfReader) -> tuple[float, float]:
    box = document.pages[0].mediabox
    return float(box.width) / POINTS_PER_MM, float(box.height) / POINTS_PER_MM


# Feature: browser-automation, Property 24: PDF generation validity
@pytest.mark.proves("S3-P24")
@relaxed
@given(paragraphs=st.lists(st.text(st.characters(codec="ascii"), max_size=80), max_size=40))
async def test_any_page_prints_to_a_document_with_pages(
    context: ToolContext, paragraphs: list[str]
):
    script = "(texts) => document.body.replaceChildren(...texts.map(t => { const p ="
    script += " document.createElement('p'); p.textContent = t; return p }))"
    await do(context, "evaluate", expression=script, args=[paragraphs])
    document = await printed(context)
    assert len(document.pages) >= 1


# Feature: browser-automation, Property 25: PDF page size compliance
@pytest.mark.proves("S3-P25")
@relaxed
@given(
    paper=st.sampled_from(sorted(PAPERS_MM))
    | st.tuples(st.integers(50, 500), st.integers(50, 500), st.sampled_from(sorted(MM))),
    landscape=st.booleans(),
)
async def test_the_paper_is_within_a_millimetre_of_what_was_asked_for(
    context: ToolContext, paper: Any, landscape: bool
):
    if isinstance(paper, str):
        how: dict[str, Any] = {"format": paper}
        width, height = PAPERS_MM[paper]
    else:
        width, height, unit = paper
        how = {
            "width": f"{width / MM[unit]:.3f}{unit}",
            "height": f"{height / MM[unit]:.3f}{unit}",
        }
    found = size_mm(await printed(context, landscape=landscape, margin="5mm", **how))
    wanted = (height, width) if landscape else (width, height)
    assert abs(found[0] - wanted[0]) <= 1
    assert abs(found[1] - wanted[1]) <= 1


@pytest.mark.proves("S3-8.4")
async def test_a_pdf_comes_as_a_file_and_when_asked_for_also_inline(
    context: ToolContext, tmp_path: Path
):
    only_file = await do(context, "pdf", path="out/page.pdf")
    assert (only_file.path, only_file.data) == (str(tmp_path / "out/page.pdf"), None)
    both = await do(context, "pdf", encoding="base64")
    data = base64.b64decode(both.data, validate=True)
    assert data == Path(both.path).read_bytes()
    assert data.startswith(b"%PDF-")
    assert (both.mime_type, both.size_bytes) == ("application/pdf", len(data))


@pytest.mark.proves("S3-8.3")
async def test_header_and_footer_stand_on_every_page(context: ToolContext):
    await show(context, "<title>T</title><p style='break-after: page'>one</p><p>two</p>")
    document = await printed(
        context,
        headerTemplate="<span style='font-size: 12px'>Top of it</span>",
        footerTemplate="<span style='font-size: 12px'>Page <b class=pageNumber></b></span>",
        margin="2cm",
    )
    texts = [page.extract_text() for page in document.pages]
    assert [("Top of it" in text, f"Page {n}" in text) for n, text in enumerate(texts, 1)] == [
        (True, True),
        (True, True),
    ]


@pytest.mark.proves("S3-8.3")
async def test_without_header_and_footer_only_the_page_is_printed(context: ToolContext):
    await show(context, "<title>Unseen</title><p>body</p>")
    assert (await printed(context)).pages[0].extract_text().strip() == "body"


@pytest.mark.proves("S3-8.5")
async def test_backgrounds_are_printed_only_when_asked_for(context: ToolContext):
    await show(context, "<body style='background: rgb(255, 0, 0)'>x")
    fills = [
        b"1 0 0 rg"
        in (await printed(context, printBackground=on)).pages[0].get_contents().get_data()
        for on in (False, True)
    ]
    assert fills == [False, True]


@pytest.mark.parametrize(
    ("margin", "left_mm", "top_mm"),
    [
        ("30mm", 30, 30),
        ("3cm 2cm", 20, 30),
        ("1in 1in 0 0.5in", 12.7, 25.4),
        ("96px 0 48px", 0, 25.4),
        ({"top": "30mm", "left": "15mm"}, 15, 30),
    ],
)
async def test_margins_are_written_as_in_css_or_by_side(
    context: ToolContext, margin: Any, left_mm: float, top_mm: float
):
    await show(
        context, "<body style='margin: 0'><p style='margin: 0; font: 20px/20px serif'>Corner"
    )
    page = (await printed(context, format="A4", margin=margin)).pages[0]
    found: list[tuple[float, float]] = []

    def visit(text: str, cm: list[float], tm: list[float], *_: Any) -> None:
        if text.strip():
            # Text space to page space: only scaling and moving happen here.
            found.append((tm[4] * cm[0] + cm[4], tm[5] * cm[3] + cm[5]))

    page.extract_text(visitor_text=visit)
    left, baseline = found[0]
    assert abs(left / POINTS_PER_MM - left_mm) <= 1
    assert 0 < 297 - baseline / POINTS_PER_MM - top_mm < 8
