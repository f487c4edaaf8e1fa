"""The executable within an unpacked tree, what it needs, and whether it starts."""

from __future__ import annotations

import os
import re
import stat
import sys
from pathlib import Path

from tabwright.engine.obtain.browser import APP_NAMES, FULL_NAMES, SHELL_NAMES, Kind
from tabwright.engine.obtain.process import run
from tabwright.engine.obtain.source import SourceFailed

SMOKE_S = 20.0

FONTS_CONF = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
{dirs}
  <dir prefix="xdg">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
"""


def locate(tree: Path, kind: Kind) -> Path:
    """Find the executable of a kind, and make sure it may be executed.

    Raises:
        SourceFailed: there is none.
    """
    wanted = SHELL_NAMES if kind == "shell" else (*FULL_NAMES, *APP_NAMES)
    found = [
        Path(directory) / name
        for directory, _, names in os.walk(tree)
        for name in names
        if name.lower().removesuffix(".exe") in wanted
    ]
    files = [path for path in found if path.is_file()]
    if not files:
        raise SourceFailed(f"it holds no {'headless shell' if kind == 'shell' else 'browser'}")
    path = min(files, key=lambda each: (_script(each), len(each.parts), each))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def _script(path: Path) -> bool:
    """Wrapper scripts start what is installed in the system, not what lies beside them."""
    with path.open("rb") as file:
        return file.read(2) == b"#!"


def library_paths(tree: Path) -> list[str]:
    """Every directory of unpacked system libraries: some load others from sub-directories."""
    roots = [*tree.glob("usr/lib/*-linux-*"), *tree.glob("lib/*-linux-*")]
    return sorted(
        Path(directory).relative_to(tree).as_posix()
        for root in roots
        for directory, _, names in os.walk(root)
        if any(re.search(r"\.so(\.|$)", name) for name in names)
    )


def font_env(
    tree: Path, *directories: str, host: Path = Path("/etc/fonts")
) -> dict[str, list[str]]:
    """Use the fonts of the tree on a machine that has none set up; pages have no text otherwise."""
    present = [each for each in directories if (tree / each).is_dir()]
    if (host / "fonts.conf").exists() or not present:
        return {}
    dirs = "\n".join(f'  <dir prefix="relative">{each}</dir>' for each in present)
    text = FONTS_CONF.format(dirs=dirs)
    (tree / "fonts.conf").write_text(text, encoding="utf-8")
    return {"FONTCONFIG_FILE": ["fonts.conf"]}


async def smoke(path: Path, env: dict[str, str]) -> str:
    """Start the browser and return its version.

    Raises:
        SourceFailed: it does not start, which is how missing libraries show.
    """
    if sys.platform == "win32":
        # There `--version` opens a window instead of answering.
        return ""
    ran = await run(path, "--version", timeout_s=SMOKE_S, env=env)
    if ran.code:
        raise SourceFailed(f"it does not start: {ran.reason()}")
    version = re.search(r"\d+(\.\d+)+", ran.out)
    return version[0] if version else ""
