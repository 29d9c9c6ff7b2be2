"""``antipodes completion``: the completion script of a shell."""

from __future__ import annotations

import os

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    get_completion_class,
    split_arg_string,
)

PROGRAM = "antipodes"
VARIABLE = "_ANTIPODES_COMPLETE"  # the name that Click derives from the program's

_WHERE = """\
To use it: bash, in ~/.bashrc:   eval "$(antipodes completion bash)"
zsh, in ~/.zshrc, after compinit:   eval "$(antipodes completion zsh)"
fish:   antipodes completion fish > ~/.config/fish/completions/antipodes.fish"""


class BashWithEquals(BashComplete):
    """Click's completion for bash, which takes words such as ``size=11`` apart at ``=``."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Put the parts of such a word together again."""
        words = split_arg_string(os.environ["COMP_WORDS"])
        here = int(os.environ["COMP_CWORD"])
        before, incomplete = words[1:here], words[here] if here < len(words) else ""
        joined: list[str] = []
        glue = False
        for word in [*before, incomplete]:
            if joined and (glue or word == "=") and not joined[-1].startswith("-"):
                joined[-1] += word
            else:
                joined.append(word)
            glue = word == "="
        return joined[:-1], joined[-1]

    def format_completion(self, item: CompletionItem) -> str:
        """Give what stands behind the ``=``: bash replaces that alone."""
        _, equals, value = item.value.partition("=")
        shown = value if equals and value else item.value
        return f"{item.type},{shown}"


add_completion_class(BashWithEquals, "bash")


@click.command("completion", epilog="\b\n" + _WHERE)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print the script that lets a shell complete commands, games and options."""
    kind = get_completion_class(shell)
    assert kind is not None
    program = context.find_root().command
    click.echo(kind(program, {}, PROGRAM, VARIABLE).source())
