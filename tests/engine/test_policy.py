"""Which files a call may read or write."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.engine import make_settings
from tabwright.engine.artifacts import Artifacts
from tabwright.engine.context import ToolContext
from tabwright.engine.manager import BrowserManager
from tabwright.engine.policy import PathPolicy
from tabwright.errors import PathRefused

DOTS = ["..", ".", "%2e%2e", "%2E%2e", "..%2f", "%252e%252e", "....", "...", " .. ", "..\\"]
NAMES = ["a", "b.png", "out", "link", "in", "con", "NUL.txt", "aux.png", "x\x00y", "C:", "é", ""]
pieces = st.sampled_from([*DOTS, *NAMES])
separators = st.sampled_from(["/", "\\", "//", "/./", "%2f", "%5c"])


@st.composite
def paths(draw: st.DrawFn) -> str:
    """A path as somebody would write it who wants to get out."""
    parts = draw(st.lists(pieces, min_size=1, max_size=6))
    start = draw(st.sampled_from(["", "", "/", "\\", "//", "/dev/", "/proc/", "C:\\", "ROOT/"]))
    return start + "".join(part + draw(separators) for part in parts[:-1]) + parts[-1]


def files_below(directory: Path) -> set[Path]:
    return {path for path in directory.rglob("*") if path.is_file() or path.is_symlink()}


# Feature: browser-automation, Property 28: File path traversal prevention
@pytest.mark.proves("S3-P28", "U-24")
@settings(max_examples=400)
@given(given_path=paths() | st.text(max_size=30).filter(lambda text: not text.startswith("~")))
def test_no_path_leads_out_of_the_roots(given_path: str):
    with tempfile.TemporaryDirectory() as place:
        outside = Path(place, "outside").resolve()
        root = Path(place, "root").resolve()
        (outside / "deep").mkdir(parents=True)
        (root / "in").mkdir(parents=True)
        (root / "out").symlink_to(outside)
        (root / "link").symlink_to(outside / "deep/new.png")
        before = files_below(Path(place))
        policy = PathPolicy([root])
        try:
            real = policy.resolve(given_path.replace("ROOT", str(root)), base=root)
        except PathRefused:
            assert files_below(Path(place)) == before
            return
        assert real.is_relative_to(root)
        assert "\0" not in str(real)
        if not real.is_dir():
            Artifacts(root).write(b"x", suffix="", mime_type="", path=real)
            assert files_below(Path(place)) - before == {real}


@pytest.mark.proves("S3-P28")
@pytest.mark.parametrize(
    "name",
    [
        "../x.png",
        "a/../../x.png",
        "%2e%2e/x.png",
        "%2e%2e%2fx.png",
        "%252e%252e%252fx.png",
        "..\\x.png",
        "a\\..\\..\\x.png",
        "out/x.png",
        "link.png",
        "x\x00.png",
        "x\n.png",
        "",
        "  ",
        "CON",
        "con.png",
        "sub/nul",
        "C:\\x.png",
        "c:x.png",
        "/dev/null",
        "/proc/self/mem",
        "/etc/passwd",
        "a" * 5000,
        "\ud800",
    ],
)
def test_a_path_that_leaves_or_hides_is_refused(tmp_path: Path, name: str):
    root = tmp_path / "root"
    root.mkdir()
    (root / "out").symlink_to(tmp_path)
    (root / "link.png").symlink_to(tmp_path / "elsewhere.png")
    with pytest.raises(PathRefused) as caught:
        PathPolicy([root]).resolve(name, base=root)
    assert caught.value.code == "PERMISSION_DENIED"
    assert caught.value.hint


@pytest.mark.proves("U-24")
@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("x.png", "x.png"),
        ("sub/x.png", "sub/x.png"),
        ("a/../x.png", "x.png"),
        ("100%.png", "100%.png"),
        ("%41.png", "%41.png"),
        ("..x.png", "..x.png"),
        ("a..b/x.png", "a..b/x.png"),
        ("back\\slash.png", "back\\slash.png"),
        ("console.png", "console.png"),
        ("Größe 1:2.png", "Größe 1:2.png"),
    ],
)
def test_an_ordinary_name_is_taken_as_it_is(tmp_path: Path, name: str, wanted: str):
    assert PathPolicy([tmp_path]).resolve(name, base=tmp_path) == tmp_path.resolve() / wanted


@pytest.mark.proves("U-24")
def test_a_link_within_the_roots_is_followed(tmp_path: Path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    policy = PathPolicy([tmp_path])
    assert policy.resolve("link/x.png", base=tmp_path) == (tmp_path / "real/x.png").resolve()


@pytest.mark.proves("U-24")
def test_a_root_that_is_a_link_counts_as_what_it_leads_to(tmp_path: Path):
    (tmp_path / "real").mkdir()
    (tmp_path / "root").symlink_to(tmp_path / "real")
    policy = PathPolicy([tmp_path / "root"])
    assert policy.resolve("x.png", base=tmp_path / "root") == (tmp_path / "real/x.png").resolve()


@pytest.mark.proves("U-24")
def test_an_absolute_path_outside_the_roots_is_for_those_who_may(tmp_path: Path):
    root, file = tmp_path / "root", str(tmp_path / "other/x.png")
    with pytest.raises(PathRefused):
        PathPolicy([root]).resolve(file, base=root)
    allowed = PathPolicy([root], allow_absolute=True)
    assert allowed.resolve(file, base=root) == Path(file).resolve()
    for relative in ("../x.png", f"{tmp_path}/root/../x.png"):
        with pytest.raises(PathRefused):
            allowed.resolve(relative, base=root)


@pytest.mark.proves("U-24")
@pytest.mark.parametrize(
    ("person", "chosen", "expected"),
    [(True, None, True), (False, None, False), (False, True, True), (True, False, False)],
)
def test_a_person_may_name_any_absolute_path_and_an_agent_may_not(
    tmp_path: Path, person: bool, chosen: bool | None, expected: bool
):
    overrides = {} if chosen is None else {"security.allowAbsolutePaths": chosen}
    manager = BrowserManager(make_settings(tmp_path, **overrides))
    context = manager.context(working_dir=tmp_path, person=person)
    assert context.caller.policy.allow_absolute is expected


@pytest.mark.proves("U-24")
def test_the_roots_are_the_working_directory_the_configured_ones_and_the_allowed(tmp_path: Path):
    more = tmp_path / "more"
    settings_ = make_settings(tmp_path, **{"security.allowedPaths": [str(more)]})
    context: ToolContext = BrowserManager(settings_).context(working_dir=tmp_path / "work")
    roots = context.caller.policy.roots
    paths_ = settings_.paths
    wanted = [tmp_path / "work", paths_.artifact_dir, paths_.screenshot_dir, paths_.download_dir]
    wanted += [Path(tempfile.gettempdir()), more]
    assert set(roots) == {path.resolve() for path in wanted}
