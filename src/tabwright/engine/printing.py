"""A page on paper."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from tabwright.engine.cdp import ProtocolError
from tabwright.engine.tab import Tab
from tabwright.errors import ActionError

PAPER_INCHES = {
    "Letter": (8.5, 11.0),
    "Legal": (8.5, 14.0),
    "Tabloid": (11.0, 17.0),
    "Ledger": (17.0, 11.0),
    "A0": (33.1102, 46.811),
    "A1": (23.3858, 33.1102),
    "A2": (16.5354, 23.3858),
    "A3": (11.6929, 16.5354),
    "A4": (8.2677, 11.6929),
    "A5": (5.8268, 8.2677),
    "A6": (4.1339, 5.8268),
}


@dataclass(frozen=True)
class Print:
    """How a page is put on paper. Sizes in inches."""

    width: float
    height: float
    margins: tuple[float, float, float, float]
    """Top, right, bottom, left."""
    landscape: bool
    background: bool
    header: str
    footer: str


async def pdf(tab: Tab, how: Print) -> bytes:
    """The page as a PDF document."""
    top, right, bottom, left = how.margins
    try:
        answer = await tab.send(
            "Page.printToPDF",
            {
                "landscape": how.landscape,
                "printBackground": how.background,
                "paperWidth": how.width,
                "paperHeight": how.height,
                "marginTop": top,
                "marginRight": right,
                "marginBottom": bottom,
                "marginLeft": left,
                "displayHeaderFooter": bool(how.header or how.footer),
                "headerTemplate": how.header or "<span></span>",
                "footerTemplate": how.footer or "<span></span>",
                "generateTaggedPDF": True,
            },
        )
    except ProtocolError as error:
        raise ActionError(
            f"The page cannot be printed: {error.reason}.",
            hint="Printing needs a headless browser, and margins that leave room on the paper.",
        ) from error
    return base64.b64decode(answer["data"])
