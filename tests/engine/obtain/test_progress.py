import io

from tabwright.engine.obtain import shown


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_away_from_a_terminal_one_line_says_what_is_fetched():
    stream = io.StringIO()
    with shown(stream) as progress:
        progress(0, 120_000_000, "chrome 141")
        progress(120_000_000, 120_000_000, "chrome 141")
        progress(1, 1, "unpacking")
    assert stream.getvalue() == "Obtaining a browser: chrome 141 (120 MB)\n"


def test_on_a_terminal_a_bar_moves_to_the_end(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    with shown(stream) as progress:
        progress(0, 2_000_000, "chrome 141")
        progress(2_000_000, 2_000_000, "chrome 141")
    last = stream.getvalue().splitlines()[-2]
    assert "chrome 141" in last
    assert "2.0/2.0 MB" in last
    assert "looking for a browser" not in last
