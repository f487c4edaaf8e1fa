"""One tool for all of it, with command lines as people type them: the fifth document's name."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field

from tabwright.errors import InputError
from tabwright.surfaces.tool import Call, Tool
from tabwright.verb import Params, read_params

OPERATORS = ("&&", "||", "|", ";", ">", ">>", "<")
PROGRAMS = ("tabwright", "agent-browser")
WAIT_MS = 25_000.0
"""What a wait of this name is given, by the ledger's U-07."""
TOLD = """\
Use a real browser: open pages, read them, fill in forms, check that something works. args is one \
command line, word by word, without a shell. Open a page, look at its lines and refs, act on a \
ref; the reply says what came of it: ["open", "example.org"], ["snapshot"], ["find", "Add to \
cart"], ["click", "e12"], ["fill", "label=Email", "a@b.org"], ["set", "label=Country", "Norway"], \
["press", "Enter"], ["wait", "--text", "Thank you"], ["get", "text", "h1"], ["eval", \
"document.title"], ["screenshot"], ["console"], ["network"], ["tab", "list"], ["back"]. A command \
that cannot be read is answered with what it takes."""


def _without_program(words: list[str]) -> list[str]:
    if words[0] in PROGRAMS:
        raise ValueError(f"begins after the name of the program {words[0]!r}")
    return words


class AgentBrowser(Params):
    """One command line."""

    example: ClassVar[dict[str, Any]] = {"args": ["open", "https://example.com/"]}

    args: Annotated[list[str], Field(min_length=1), AfterValidator(_without_program)]
    """A command and what belongs to it."""


def agent_browser(given: Any) -> Call:
    """The call that an `agent_browser` is.

    Raises:
        InputError: the command line cannot be read.
    """
    # It takes a while to import, and most agents have tools of other names.
    from tabwright.argv.command import read

    params = read_params("agent_browser", AgentBrowser, given)
    assert isinstance(params, AgentBrowser)
    try:
        verb, wanted = read(params.args)
    except InputError:
        for word in params.args:
            if word in OPERATORS:
                raise InputError(
                    f"{word!r} is for a shell, and there is none.",
                    hint="Make one call for each command; files are written by the commands.",
                ) from None
        raise
    return verb, {**({"timeout": WAIT_MS} if verb == "wait" else {}), **wanted}


NATIVE = [
    Tool(
        "agent_browser",
        "navigate",
        "core",
        TOLD,
        model=AgentBrowser,
        make=agent_browser,
        various=True,
        by_line=True,
    ),
]
