"""Finding a Chromium on this machine, or obtaining one."""

from tabwright.engine.obtain.browser import Browser, Kind
from tabwright.engine.obtain.found import find_browser
from tabwright.engine.obtain.install import SOURCES, SourceName, ensure, obtain
from tabwright.engine.obtain.progress import shown
from tabwright.engine.obtain.source import Progress, Source

__all__ = [
    "SOURCES",
    "Browser",
    "Kind",
    "Progress",
    "Source",
    "SourceName",
    "ensure",
    "find_browser",
    "obtain",
    "shown",
]
