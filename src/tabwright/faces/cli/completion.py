"""`tabwright completion`: what a shell needs to complete commands, and the words it asks for."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem, ShellComplete

from tabwright.faces.cli.output import print_text
from tabwright.faces.cli.shared import shared_options

BASH = """\
_tabwright() {
    local IFS=$'\\n'
    COMPREPLY=($(tabwright completion words "$COMP_CWORD" -- "${COMP_WORDS[@]}" 2>/dev/null))
}
complete -o default -o bashdefault -F _tabwright tabwright
"""
ZSH = """\
#compdef tabwright
_tabwright() {
    local -a found
    found=("${(@f)$(tabwright completion words "$((CURRENT - 1))" -- "${words[@]}" 2>/dev/null)}")
    if [[ -n $found ]]; then compadd -- $found; else _files; fi
}
compdef _tabwright tabwright
"""
FISH = """\
function __tabwright
    set -l before (commandline -opc)
    set -l now (commandline -ct)
    set -l found (tabwright completion words (count $before) -- $before $now 2>/dev/null)
    if test -n "$found"
        string join \\n -- $found
    else
        __fish_complete_path $now
    end
end
complete -c tabwright -f -a '(__tabwright)'
"""
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


@click.group("completion", invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Print what makes a shell complete commands, options and choices.

    bash: eval "$(tabwright completion bash)" in ~/.bashrc. zsh: the same with zsh in ~/.zshrc,
    after compinit. fish: tabwright completion fish | source in its config.fish.
    """
    if ctx.invoked_subcommand is None:
        print_text(ctx.get_help())


def _printing(shell: str) -> click.Command:
    def tell() -> None:
        print_text(SCRIPTS[shell].rstrip("\n"))

    return click.Command(
        shell, callback=tell, params=shared_options(), help=f"Print the script for {shell}."
    )


for _shell in SCRIPTS:
    command.add_command(_printing(_shell))


@command.command(
    "words", hidden=True, add_help_option=False, context_settings={"ignore_unknown_options": True}
)
@click.argument("number", type=int)
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def words(number: int, words: tuple[str, ...]) -> None:
    """The words that the one of this number may become."""
    for found in complete(list(words[1:number]), words[number] if number < len(words) else ""):
        print_text(found)


def complete(before: list[str], begun: str) -> list[str]:
    """What the word that is begun may become, after those before it."""
    from tabwright.faces.cli.program import PROGRAM, program

    found = ShellComplete(program, {}, PROGRAM, "").get_completions(before, begun)
    return [item.value for item in found if _is_word(item)]


def _is_word(item: CompletionItem) -> bool:
    # The shell itself knows files best.
    return item.type == "plain"
